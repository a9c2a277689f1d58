import { chromium } from "playwright-core";
import { pathToFileURL } from "node:url";
const [html, out, width, script] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
const page = await (await browser.newContext({ viewport: { width: +width, height: 900 }, javaScriptEnabled: script !== "no" })).newPage();
await page.goto(pathToFileURL(html).href);
await page.waitForTimeout(1200);
await page.screenshot({ path: out, fullPage: script === "no", clip: script==="no" ? {x:0,y:0,width:+width,height:4200}:undefined });
await browser.close();
