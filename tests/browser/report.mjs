// Uses report pages as a reader would, and fails on a wrong answer, a console error or a request.
import assert from "node:assert/strict";
import { check, finish, folder, open as openFile } from "./browser.mjs";

const open = (name, settings) => openFile(`${name}.html`, settings);
const tab = (page, id) => page.evaluate((id) => document.getElementById("tab-" + id).click(), id);
const column = (page, section, at) =>
    page.$$eval(`#${section} tbody tr:not([hidden])`, (rows, at) => rows.map((row) => row.cells[at].textContent), at);

await check("every chapter has a tab, which the address names", async () => {
    const plain = await open("report", { javaScriptEnabled: false });
    const ids = await plain.page.$$eval("section", (all) => all.map((section) => section.id));
    await plain.close();
    const { page, close } = await open("report");
    const tabs = await page.$$eval("[role=tab]", (all) => all.map((each) => each.getAttribute("aria-controls")));
    assert.deepEqual(tabs, ids.filter((id) => !["answer", "findings"].includes(id)));
    await page.getByRole("tab", { name: "Flame graph" }).click();
    await page.waitForURL(/#tab=flame$/, { timeout: 5000 });
    assert.equal(await page.locator("#flame svg").count(), 1);
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.locator("#flame").count(), 0);
    await close();
});

await check("a heading sorts by the exact figures, both ways", async () => {
    const { page, close } = await open("report");
    await tab(page, "hotspots");
    const cumtime = page.locator("#hotspots th button", { hasText: "cumtime" });
    const figures = () => page.$$eval("#hotspots tbody tr", (rows) => rows.map((row) => Number(row.cells[4].dataset.value)));
    await cumtime.click();
    const falling = await figures();
    assert.deepEqual(falling, [...falling].sort((a, b) => b - a));
    await cumtime.click();
    const rising = await figures();
    assert.deepEqual(rising, [...rising].sort((a, b) => a - b));
    assert.ok(rising[0] < falling[falling.length - 1]);
    await close();
});

await check("a search leaves the rows that match", async () => {
    const { page, close } = await open("report");
    await tab(page, "hotspots");
    await page.locator("#hotspots input[type=search]").fill("ESCAPE_time");
    assert.deepEqual(await column(page, "hotspots", 7), ["fractal.py:15(escape_time)"]);
    await page.locator("#hotspots input[type=search]").fill("");
    assert.equal((await column(page, "hotspots", 7)).length, 20);
    await page.getByRole("button", { name: "Show all" }).click();
    assert.ok((await column(page, "hotspots", 7)).length > 200);
    await close();
});

await check("a function shows its callers and callees, and they theirs", async () => {
    const { page, close } = await open("report");
    const panel = page.locator(".relatives");
    await tab(page, "hotspots");
    await page.getByRole("button", { name: "fractal.py:15(escape_time)" }).first().click();
    assert.equal(await panel.locator("h3").textContent(), "fractal.py:15(escape_time)");
    assert.match(await panel.textContent(), /called by2,100×30\.64 msfractal\.py:25\(<listcomp>\)calls36,508×5\.964 msfractal\.py:11\(step\)/);
    await panel.getByRole("button", { name: "fractal.py:25(<listcomp>)" }).click();
    assert.equal(await panel.locator("h3").textContent(), "fractal.py:25(<listcomp>)");
    assert.equal(await page.locator("tr.chosen").count(), 1);
    await close();
});

await check("callers are found by keyboard, and after sorting", async () => {
    const { page, close } = await open("report");
    await tab(page, "hotspots");
    await page.locator("#hotspots th button", { hasText: "filename" }).click();
    await page.getByRole("button", { name: "Show all" }).click();
    await page.getByRole("button", { name: "fractal.py:11(step)" }).first().focus();
    await page.keyboard.press("Enter");
    assert.equal(await page.locator(".relatives h3").textContent(), "fractal.py:11(step)");
    await close();
});

await check("the slider follows Amdahl's law", async () => {
    const { page, close } = await open("report");
    await tab(page, "amdahl");
    const slider = page.locator("#amdahl input[type=range]");
    await slider.fill("200");
    assert.match(await page.locator("#amdahl output").textContent(), /100× faster/);
    const [share, whole] = await page.$eval("#amdahl tbody tr", (row) => [row.cells[1].textContent, row.cells[6].textContent]);
    const part = parseFloat(share) / 100;
    assert.equal(whole, (1 / (1 - part + part / 100)).toFixed(3) + "×");
    await slider.fill("0");
    assert.equal(await page.$eval("#amdahl tbody tr", (row) => row.cells[6].textContent), "1.000×");
    await close();
});

await check("the flame graph on the page zooms", async () => {
    const { page, close } = await open("report");
    await tab(page, "flame");
    const box = page.locator('.box[data-name="render"]').first();
    const width = async () => Number(await box.locator("rect").first().getAttribute("width"));
    const before = await width();
    await box.click();
    assert.ok(await width() > before);
    await close();
});

await check("hostile names do nothing", async () => {
    const { page, close } = await open("report-hostile");
    await tab(page, "hotspots");
    for (const name of await page.locator(".function").all())
        await name.click();
    await close();
});

await check("no chapter is wider than the window, also before scripts have run", async () => {
    for (const name of ["report", "report-trace"])
        for (const javaScriptEnabled of [false, true]) {
            const { page, close } = await open(name, { viewport: { width: 400, height: 700 }, javaScriptEnabled });
            assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 400);
            if (javaScriptEnabled) await page.waitForFunction(() => document.documentElement.dataset.ready);
            assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 400);
            await close();
        }
});

await check("the data of the page is never shown as text", async () => {
    const { page, close } = await open("report-trace", { javaScriptEnabled: false });
    assert.ok(await page.locator("script").count() > 2);
    for (const script of await page.locator("script").all())
        assert.ok(!await script.isVisible());
    await close();
});

await check("a page stands without scripts", async () => {
    const { page, close } = await open("report", { javaScriptEnabled: false });
    assert.ok((await column(page, "hotspots", 7)).includes("fractal.py:15(escape_time)"));
    const shown = await page.$$eval("#hotspots tbody tr", (rows) => rows.filter((row) => row.checkVisibility()).length);
    assert.equal(shown, 20);
    assert.ok(await page.locator(".lead").isVisible());
    await close();
});

await check("a page prints", async () => {
    const { page, close } = await open("report-trace");
    assert.ok((await page.pdf({ path: `${folder}/report.pdf` })).length > 10000);
    await close();
});

for (const name of ["report", "report-trace"])
    for (const colorScheme of ["light", "dark"])
        for (const width of [1280, 400])
            await check(`${name} ${colorScheme} ${width}`, async () => {
                const { page, close } = await open(name, { colorScheme, viewport: { width, height: 900 } });
                await page.screenshot({ path: `${folder}/${name}-${colorScheme}-${width}.png` });
                await close();
            });

await finish();
