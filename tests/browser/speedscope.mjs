// Opens profiles in speedscope itself: speedscope.mjs CHROMIUM FILE... prints "FILE<TAB>TITLE", or
// what speedscope said in place of the title.
import { readFileSync, writeFileSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [executablePath, ...files] = process.argv.slice(2);
const package_ = createRequire(import.meta.url).resolve("speedscope/package.json");
const page_ = pathToFileURL(join(dirname(package_), "dist/release/index.html")).href;
const folder = mkdtempSync(join(tmpdir(), "ptk-speedscope-"));
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--allow-file-access-from-files"] });

// As speedscope's own command line does it.
async function titleOf(file) {
    const script = join(folder, "profile.js");
    const bytes = readFileSync(file).toString("base64");
    writeFileSync(script, `speedscope.loadFileFromBase64(${JSON.stringify(basename(file))}, "${bytes}")`);
    const page = await browser.newPage();
    let said;
    page.on("dialog", (dialog) => { said ??= dialog.message(); dialog.dismiss(); });
    page.on("pageerror", (error) => { said ??= String(error); });
    page.on("console", (message) => { if (message.type() === "error") said ??= message.text(); });
    try {
        await page.goto(`${page_}#localProfilePath=${script}`);
        await page.waitForFunction(() => document.title.includes(" - "), null, { timeout: 60000 });
        said ??= await page.title();
    } catch (error) {
        said ??= error.message.split("\n")[0];
    }
    await page.close();
    return said;
}

for (const file of files)
    console.log(`${file}\t${(await titleOf(file)).replace(/\s+/g, " ")}`);
await browser.close();
rmSync(folder, { recursive: true });
