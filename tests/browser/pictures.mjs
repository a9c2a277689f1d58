// Uses the pictures as a reader would, and fails on a wrong answer, a console error or a request.
import assert from "node:assert/strict";
import { check, finish, folder, open as openFile } from "./browser.mjs";

const open = (name, settings) => openFile(`${name}.svg`, settings);
const box = (page, name) => page.locator(`.box[data-name="${name}"]`).first();
const facts = (page) => page.locator(".facts").textContent();
const widthOf = async (page, name) => Number(await box(page, name).locator("rect").first().getAttribute("width"));

await check("a click zooms, Escape shows everything again", async () => {
    const { page, close } = await open("flame");
    const before = await widthOf(page, "render");
    await box(page, "render").click();
    assert.ok(await widthOf(page, "render") > before);
    assert.equal(await widthOf(page, "render"), 1176);
    await page.waitForURL(/#zoom=\d+$/, { timeout: 5000 });
    await page.keyboard.press("Escape");
    assert.equal(await widthOf(page, "render"), before);
    await page.waitForURL(/svg$/, { timeout: 5000 });
    await close();
});

await check("a search says what share matches", async () => {
    const { page, close } = await open("flame");
    await page.keyboard.press("/");
    await page.keyboard.type("^main$");
    const main = box(page, "main"), all = page.locator(".box").first();
    const share = 100 * await main.getAttribute("data-total") / await all.getAttribute("data-total");
    assert.equal(await facts(page), `matched ${share.toFixed(2)}%`);
    assert.equal(await page.locator(".box.match").count(), 1);
    await page.getByRole("button", { name: "Reset" }).click();
    assert.equal(await page.locator(".box.match").count(), 0);
    await close();
});

await check("a pattern that is none is searched as a text", async () => {
    const { page, close } = await open("flame");
    await page.locator("input").fill("(");
    assert.match(await facts(page), /^matched /);
    await close();
});

await check("an address with a view shows it", async () => {
    const { page, close } = await open("flame", { fragment: "#zoom=5&search=gauss" });
    assert.equal(await page.locator("input").evaluate((field) => field.value), "gauss");
    assert.ok(await page.locator(".box.match").count() > 0);
    assert.ok(await page.locator(".box.above").count() > 0);
    await close();
});

await check("keys move from box to box", async () => {
    for (const [name, key] of [["flame", "ArrowUp"], ["icicle", "ArrowDown"]]) {
        const { page, close } = await open(name);
        await page.keyboard.press("Tab");
        await page.locator(".box").first().focus();
        await page.keyboard.press(key);
        assert.match(await facts(page), /^\{built-in method builtins.exec\}/);
        await page.keyboard.press(key);
        await page.keyboard.press("Enter");
        await page.waitForURL(/#zoom=\d+$/, { timeout: 5000 });
        await close();
    }
});

await check("the pointer tells a box", async () => {
    const { page, close } = await open("flame");
    await box(page, "gauss").hover();
    assert.match(await facts(page), /gauss.*of it self/);
    await close();
});

const labelsOutside = (page, boxes) => page.$$eval(boxes, (all) => all.filter((g) => {
    const text = g.querySelector("text"), rect = g.querySelector("rect");
    return text && text.textContent && text.getBBox().x + text.getComputedTextLength() >
        rect.getBBox().x + rect.getBBox().width + 0.5;
}).map((g) => g.textContent));

await check("no label leaves its box, zoomed or not", async () => {
    const { page, close } = await open("flame");
    for (const name of [null, "render", "_call_with_frames_removed"]) {
        if (name) await box(page, name).click();
        assert.deepEqual(await labelsOutside(page, ".box:not(.away)"), []);
        if (name) await page.keyboard.press("Escape");
    }
    await close();
    for (const [name, boxes] of [["change", ".box"], ["calls", ".box"], ["hostile", ".box"], ["timeline", ".event"]]) {
        const { page, close } = await open(name);
        assert.deepEqual(await labelsOutside(page, boxes), []);
        await close();
    }
});

await check("a change is red or blue, and tells what was before", async () => {
    const { page, close } = await open("change");
    const grown = page.locator(".box:has(> rect.h7)").first(), fallen = page.locator(".box:has(> rect.h2)").first();
    for (const [found, sign] of [[grown, 1], [fallen, -1]]) {
        const before = await found.getAttribute("data-self-before"), now = await found.getAttribute("data-self");
        assert.ok(sign * (now - before) > 0);
        await found.locator("rect").first().hover();
        assert.match(await facts(page), /before/);
    }
    const [red, , blue] = await grown.locator("rect").first().evaluate((rect) =>
        getComputedStyle(rect).fill.match(/\d+/g).map(Number));
    assert.ok(red > blue);
    await close();
});

await check("a trace in the order of time can be searched", async () => {
    const { page, close } = await open("calls");
    await page.locator("input").fill("^aten::mm$");
    assert.equal(await page.locator(".box.match").count(), 2);
    await close();
});

await check("a narrow window shows the whole width", async () => {
    const { page, close } = await open("flame", { viewport: { width: 400, height: 500 } });
    assert.equal(await page.locator("svg").first().getAttribute("width"), "400");
    assert.equal(await page.locator(".box rect").first().evaluate((rect) => rect.width.baseVal.value), 376);
    assert.deepEqual(await labelsOutside(page, ".box:not(.away)"), []);
    const beside = await page.$$eval(".legend text", (all) => all.filter((text) =>
        text.getBBox().x + text.getComputedTextLength() > 400).length);
    assert.equal(beside, 0);
    await page.setViewportSize({ width: 1280, height: 500 });
    await page.waitForFunction(() => document.documentElement.getAttribute("width") === "1200");
    await close();
});

await check("hostile names do nothing", async () => {
    const { page, close } = await open("hostile");
    await page.locator(".box").last().click();
    await page.keyboard.press("Escape");
    await close();
});

await check("a timeline shows a launch where the pointer rests", async () => {
    const { page, close } = await open("timeline");
    const launched = page.locator(".event:has(.arrow)").first(), arrow = launched.locator(".arrow");
    assert.equal(await arrow.evaluate((path) => getComputedStyle(path).display), "none");
    await launched.locator("rect").hover();
    assert.equal(await arrow.evaluate((path) => getComputedStyle(path).display), "inline");
    await close();
});

await check("pictures stand without scripts", async () => {
    const { page, close } = await open("flame", { javaScriptEnabled: false });
    await page.screenshot({ path: `${folder}/flame-plain.png` });
    await close();
});

for (const name of ["flame", "icicle", "change", "calls", "timeline"])
    for (const colorScheme of ["light", "dark"])
        for (const width of [1280, 400])
            await check(`${name} ${colorScheme} ${width}`, async () => {
                const { page, close } = await open(name, { colorScheme, viewport: { width, height: 500 } });
                await page.screenshot({ path: `${folder}/${name}-${colorScheme}-${width}.png` });
                await close();
            });

await finish();
