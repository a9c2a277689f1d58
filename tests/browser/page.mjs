// Checks pages of many formats: accessible, nothing clipped, each finding leads to the event that advise names.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { check, finish, folder, open as openFile } from "./browser.mjs";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const names = process.argv.slice(4);

async function open(name, settings) {
    const opened = await openFile(`page-${name}.html`, settings);
    if (settings?.javaScriptEnabled !== false)
        await opened.page.waitForFunction(() => document.documentElement.dataset.ready, null, { timeout: 30000 });
    return opened;
}

const advice = async (name) => JSON.parse(await readFile(`${folder}/page-${name}.advise.json`, "utf8"));

// Runs in the page, until what was changed is on the screen and all that watches sizes was called.
const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));

// Runs in the page: elements whose text is cut off, or that are too small to hit.
function faultsOfLayout() {
    const faults = [], isShown = (element) => element.checkVisibility() && element.getClientRects().length > 0;
    for (const element of document.querySelectorAll("h1, h2, h3, p, li, figcaption, summary, button, td")) {
        if (!isShown(element) || element.closest(".virtual") || getComputedStyle(element).overflowX === "visible") continue;
        if (element.scrollWidth > element.clientWidth + 1) faults.push(`cut: ${element.textContent.slice(0, 40)}`);
    }
    for (const element of document.querySelectorAll("button, summary, input")) {
        const box = element.getBoundingClientRect();
        if (isShown(element) && box.width > 0 && (box.height < 23.5 || box.width < 23.5))
            faults.push(`small: ${element.textContent.slice(0, 40)} ${box.width}x${box.height}`);
    }
    for (const element of document.querySelectorAll("body *"))
        if (isShown(element) && !element.closest("svg") && element.childElementCount === 0 && element.textContent.trim() &&
            parseFloat(getComputedStyle(element).fontSize) < 11)
            faults.push(`fine print: ${element.textContent.slice(0, 40)}`);
    const blocks = [...document.querySelectorAll("header, main > section, .tabs, .toolbar, .panel, article")].filter(isShown);
    for (const a of blocks)
        for (const b of blocks) {
            const [p, q] = [a.getBoundingClientRect(), b.getBoundingClientRect()];
            const isSticky = [a, b].some((each) => each.closest("#events"));
            if (a !== b && !a.contains(b) && !b.contains(a) && !isSticky && p.left < q.right - 1 && q.left < p.right - 1 &&
                p.top < q.bottom - 1 && q.top < p.bottom - 1)
                faults.push(`overlap: ${a.id || a.className} and ${b.id || b.className}`);
        }
    if (document.documentElement.scrollWidth > innerWidth) faults.push(`wider than the window: ${document.documentElement.scrollWidth}`);
    return [...new Set(faults)];
}

for (const name of names)
    await check(`page ${name}: accessible, nothing cut, light and dark, wide and narrow`, async () => {
        const { page, close } = await open(name);
        await page.evaluate(axe);
        const faults = [];
        for (const width of [1440, 900, 400])
            for (const colorScheme of ["light", "dark"]) {
                await page.setViewportSize({ width, height: 900 });
                await page.emulateMedia({ colorScheme });
                await page.evaluate(drawn); // what follows a new width is called with the next picture
                const found = await page.evaluate(() => axe.run());
                for (const each of found.violations) faults.push(`${width} ${colorScheme} ${each.id}: ${each.nodes[0].html.slice(0, 160)}`);
                if (colorScheme === "light") faults.push(...(await page.evaluate(faultsOfLayout)).map((each) => `${width} ${each}`));
                await page.screenshot({ path: `${folder}/page-${name}-${width}-${colorScheme}.png` });
            }
        assert.deepEqual(faults, []);
        await close();
    });

// Runs in the page: words whose letters stand in two lines.
function brokenWords() {
    const faults = [], range = document.createRange(), walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const topOf = (node, at) => {
        range.setStart(node, at);
        range.setEnd(node, at + 1);
        return range.getBoundingClientRect().top;
    };
    for (let node; (node = walker.nextNode());) {
        if (!node.parentElement.checkVisibility() || node.parentElement.closest("svg, script, style")) continue;
        for (const { 0: word, index } of node.data.matchAll(/[A-Za-z\d]{2,}/g))
            for (let at = index + 1; at < index + word.length; at++)
                if (topOf(node, at) > topOf(node, at - 1) + 2) faults.push(`${node.data.slice(0, at)}|${node.data.slice(at)}`);
    }
    return faults;
}

// Runs in the page: tables whose figures, scrolled to the end, have lost the name that they are of.
function lostNames() {
    const faults = [];
    for (const box of document.querySelectorAll(".table:not(.virtual)")) {
        const name = box.querySelector("tbody .name");
        box.scrollLeft = box.scrollWidth;
        if (!name || box.scrollLeft === 0) continue;
        const [cell, frame] = [name, box].map((each) => each.getBoundingClientRect());
        if (cell.left < frame.left - 1 || cell.right > frame.right + 1 || cell.width > frame.width * 0.7)
            faults.push(`lost: ${name.textContent.slice(0, 40)}`);
        if (name.scrollWidth > name.clientWidth + 1) faults.push(`cut: ${name.textContent.slice(0, 40)}`);
    }
    return faults;
}

for (const name of names.filter((each) => each !== "hostile"))
    await check(`page ${name}: in a narrow window no word breaks, and names stay beside their figures`, async () => {
        const { page, close } = await open(name, { viewport: { width: 400, height: 900 } });
        const faults = [];
        for (const tab of await page.$$eval("[role=tab]", (all) => all.map((each) => each.id))) {
            await page.evaluate((id) => document.getElementById(id).click(), tab);
            await page.evaluate(drawn);
            faults.push(...(await page.evaluate(brokenWords)), ...(await page.evaluate(lostNames)));
        }
        assert.deepEqual([...new Set(faults)], []);
        await close();
    });

await check("what changed, and a job, are drawn for a narrow window: no text covers another", async () => {
    for (const name of ["two", "job"]) {
        const { page, close } = await open(name, { viewport: { width: 400, height: 900 } });
        const [shown, faults] = await page.evaluate(() => {
            const figures = [...document.querySelectorAll("#answer figure")].filter((each) => each.checkVisibility());
            const texts = figures.flatMap((figure) => [...figure.querySelectorAll("text")]).map((text) => [text.textContent, text.getBoundingClientRect()]);
            const isOver = (p, q) => p.left < q.right - 1 && q.left < p.right - 1 && p.top < q.bottom - 4 && q.top < p.bottom - 4;
            return [figures.map((each) => [each.className, each.scrollWidth <= each.clientWidth]),
                    texts.flatMap(([a, p], i) => texts.slice(i + 1).filter(([, q]) => isOver(p, q)).map(([b]) => `${a} and ${b}`))];
        });
        assert.deepEqual(shown, [["narrow", true]], name);
        assert.deepEqual(faults, [], name);
        await page.setViewportSize({ width: 1280, height: 900 });
        assert.deepEqual(await page.$$eval("#answer figure", (all) => all.filter((each) => each.checkVisibility()).map((each) => each.className)), ["wide"]);
        await close();
    }
});

await check("the texts of a row stand in one line, and a short one in one only", async () => {
    for (const [name, tab] of [["kineto", "summary"], ["roof", "roofline"]]) {
        const { page, close } = await open(name, { viewport: { width: 1440, height: 900 } });
        const faults = await page.evaluate((tab) => {
            document.getElementById("tab-" + tab).click();
            const linesOf = (cell) => {
                const range = document.createRange();
                range.selectNodeContents(cell.querySelector("button") ?? cell);
                return [...new Set([...range.getClientRects()].map((box) => Math.round(box.top)))];
            };
            return [...document.querySelectorAll(`#${tab} tbody tr`)].flatMap((row) => {
                const cells = [...row.cells].filter((cell) => cell.textContent.trim()), tops = cells.map((cell) => linesOf(cell)[0]);
                const broken = cells.filter((cell) => cell.textContent.length <= 16 && linesOf(cell).length > 1);
                return [...broken.map((cell) => cell.textContent), ...(Math.max(...tops) - Math.min(...tops) > 1 ? [row.textContent] : [])];
            });
        }, tab);
        assert.deepEqual(faults, [], name);
        await close();
    }
});

await check("the name comes first where the window is narrow, and last again where it is wide", async () => {
    const { page, close } = await open("pstats", { viewport: { width: 400, height: 900 } });
    await page.evaluate(() => document.getElementById("tab-hotspots").click());
    const rows = () => page.$$eval("#hotspots tr", (all) => all.slice(0, 2).map((row) => [row.cells[0].textContent, row.cells[7].textContent]));
    const narrow = await rows();
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.evaluate(drawn);
    const wide = await rows();
    assert.equal(narrow[0][0], "filename:lineno(function)");
    narrow.forEach(([first], i) => assert.equal(first, wide[i][1]));
    await close();
});

for (const name of names.filter((each) => each !== "two")) // that is about the second file
    await check(`page ${name}: findings are in the order of advise, those with a gain as cards`, async () => {
        const { page, close } = await open(name);
        const findings = (await advice(name)).findings ?? [], isGain = ({ gain, saving_high }) => (gain ?? saving_high ?? 0) > 0;
        const rulesOf = (selector) => page.$$eval(selector, (all) => all.filter((each) => !each.querySelector("[data-chapter=job]")).map((each) => each.dataset.rule));
        const cards = await rulesOf("article[data-rule]"), listed = await rulesOf("li[data-rule]");
        const wanted = [...findings.filter(isGain), ...findings.filter((each) => !isGain(each))].map(({ rule }) => rule);
        if (findings.length) assert.deepEqual([...cards, ...listed], wanted);
        if (findings.length) assert.ok(cards.length >= Math.min(4, findings.filter(isGain).length), cards);
        await close();
    });

for (const name of names)
    await check(`page ${name}: each Show leads to the event that advise names`, async () => {
        const { page, close } = await open(name);
        const findings = (await advice(name)).findings ?? [];
        const shows = await page.$$eval("[data-rule] > .show[data-event]", (all) => all.map((show) =>
            ({ rule: show.parentNode.dataset.rule, event: Number(show.dataset.event) })));
        for (const { rule, event } of shows) {
            await page.evaluate((at) => document.querySelector(`.show[data-event="${at}"]`).click(), event);
            const shown = await page.evaluate(() => {
                const { view, data } = ptk.timeline;
                return { name: ptk.fullName(data, data.name[view.selected]), start: data.start[view.selected] - data.zero, unit: data.unit,
                         panel: document.querySelector(".panel h3").textContent };
            });
            const finding = findings.find((each) => each.rule === rule);
            assert.ok(finding, `${rule} is no finding of advise`);
            assert.ok(finding.where === shown.name || finding.where.includes(shown.name) || finding.where.includes(shown.panel),
                      `${finding.where}, not ${shown.name}`);
            assert.ok(Math.abs(finding.at - shown.start * shown.unit) < shown.unit, `${rule}: at ${finding.at}, not ${shown.start * shown.unit}`);
        }
        await close();
    });

for (const name of names.filter((each) => ["pstats", "pprof", "perf", "jfr"].includes(each)))
    await check(`page ${name}: each Show of a function leads to its row`, async () => {
        const { page, close } = await open(name);
        const shown = await page.$$eval(".show[data-function]", (all) => all.map((show) => {
            show.click();
            return [show.dataset.function, document.querySelector("tr.chosen td:last-child")?.textContent];
        }));
        for (const [function_, row] of shown) assert.equal(row, function_);
        await close();
    });

await check("eight keys lead from the load to the source of the first finding", async () => {
    const { page, close } = await open("source");
    for (let keys = 0; keys < 8; keys++) {
        if (await page.evaluate(() => document.activeElement.matches(".show"))) break;
        await page.keyboard.press("Tab");
    }
    await page.keyboard.press("Enter");
    assert.match(await page.textContent(".panel"), /\.py:\d+/);
    await close();
});

await check("the keys move, zoom, find and select", async () => {
    const { page, close } = await open("kineto");
    const at = () => page.evaluate(() => [ptk.timeline.view.from, ptk.timeline.view.to, ptk.timeline.view.selected]);
    await page.locator(".timeline canvas[tabindex]").focus();
    const [, end] = await at();
    await page.keyboard.press("w");
    assert.ok((await at())[1] - (await at())[0] < end);
    const [before] = await at();
    await page.keyboard.press("d");
    assert.ok((await at())[0] > before);
    await page.keyboard.press("/");
    await page.keyboard.type("cudaLaunch");
    await page.keyboard.press("Enter");
    const [, , first] = await at();
    assert.ok(first >= 0);
    await page.keyboard.press("]");
    assert.notEqual((await at())[2], first);
    await page.keyboard.press("[");
    assert.equal((await at())[2], first);
    await page.waitForTimeout(500);
    assert.match(page.url(), /sel=\d+/);
    const [from, to] = await at();
    await page.reload();
    await page.waitForFunction(() => document.documentElement.dataset.ready);
    const [from2, to2, again] = await at();
    assert.equal(again, first);
    assert.ok(Math.abs(from2 - from) <= 1 && Math.abs(to2 - to) <= 1);
    await close();
});

await check("a dragged range has the sums of its events", async () => {
    const { page, close } = await open("kineto");
    await page.evaluate(() => ptk.timeline.view.setRange([0, ptk.timeline.view.end]));
    const [total, launches] = await page.evaluate(() => {
        const { data } = ptk.timeline, name = data.names.findIndex(([brief]) => brief === "cudaLaunchKernel");
        const sum = ptk.sumRange(data, 0, data.span).find((each) => each.key === name);
        return [sum.count, data.name.filter((each) => each === name).length];
    });
    assert.equal(total, launches);
    assert.match(await page.textContent(".panel h3"), /^Range of/);
    assert.doesNotMatch(await page.textContent(".panel"), /[ ,]1 events/);
    await close();
});

await check("long names break behind their marks, not within __next__", async () => {
    const { page, close } = await open("kineto");
    const parts = await page.evaluate(() => ["enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__ (64 %)", "hub/resnet50_num_workers_0/worker0.json.gz"].flatMap((text) => ["p", "td"].map((kind) => {
        const element = ptk.make(kind, null, text);
        ptk.letBreak(element);
        return element.innerHTML.split("<wbr>");
    })));
    const file = ["hub/resnet50_", "num_", "workers_0/", "worker0.json.gz"];
    assert.deepEqual(parts, [["enumerate(DataLoader)#", "_SingleProcessDataLoaderIter.", "__next__ (64 %)"],
                             ["enumerate(", "Data", "Loader)#", "_Single", "Process", "Data", "Loader", "Iter.", "__next__ (64 %)"], file, file]);
    await close();
});

await check("the timeline has an arrow to what is selected, and a mark where it was set", async () => {
    const { page, close } = await open("kineto", { reducedMotion: "reduce" });
    const [arrows, before, marked, after] = await page.evaluate(() => {
        const { timeline } = ptk, { view, data } = timeline, picture = () => { timeline.draw(); return timeline.canvas.toDataURL(); };
        const press = (key) => timeline.canvas.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
        const kernel = [...data.launch.keys()].find((event) => data.launch[event] >= 0), launch = data.launch[kernel], plain = picture();
        view.selected = kernel;
        const linked = picture();
        data.launch[kernel] = -1;
        const alone = picture();
        data.launch[kernel] = launch;
        view.selected = -1;
        press("m");
        const marked = picture();
        press("m");
        return [linked !== alone, plain, marked, picture()];
    });
    assert.ok(arrows, "no arrow leads from the launch");
    assert.notEqual(marked, before);
    assert.equal(after, before);
    await close();
});

await check("a link leads to what is shown, with the marks, the range, the selection and the tab", async () => {
    const shown = (page) => page.evaluate(() => {
        const { view } = ptk.timeline;
        return [Math.floor(view.from), Math.ceil(view.to), view.range, view.selected, view.marks, ptk.tab];
    });
    const { page, close } = await open("kineto", { reducedMotion: "reduce" });
    await page.evaluate(() => {
        const { timeline } = ptk, { view } = timeline;
        const mark = () => timeline.canvas.dispatchEvent(new KeyboardEvent("keydown", { key: "m", bubbles: true }));
        view.go(100, 1100);
        mark();
        view.go(200, 1200.5);
        mark();
        view.setRange([300, 400]);
        view.select(1);
        document.querySelectorAll("[role=tab]")[1].click();
    });
    const before = await shown(page), fragment = new URL(page.url()).hash;
    assert.deepEqual(before[4], [600, 700]);
    await close();
    const again = await open("kineto", { reducedMotion: "reduce", fragment });
    assert.deepEqual(await shown(again.page), before);
    assert.equal(new URL(again.page.url()).hash, fragment);
    await again.page.evaluate(() => { location.hash = "#marks=5,-1,x,1e99"; });
    await again.page.waitForFunction(() => ptk.timeline.view.marks.length === 1);
    assert.deepEqual((await shown(again.page))[4], [5]);
    await again.close();
});

await check("a long event is drawn whole, though a short one begins in its first pixel", async () => {
    const { page, close } = await open("kineto");
    const painted = await page.evaluate(() => {
        const data = { start: [0, 4, 500], end: [1, 500, 501] };
        const painter = new ptk.RowPainter({ ...data, name: [0, 0, 0] }, [[1, 2, 3]]), row = { first: 0, ids: null, count: 3 };
        ptk.finishRow(painter.data, row);
        painter.resize(100, 1);
        painter.begin({ from: 0, to: 1000, marked: null }, [255, 255, 255]);
        painter.paintRow(row, 0);
        return painter.pixels.filter((pixel) => pixel !== 0).length;
    });
    assert.equal(painted, 51);
    await close();
});

await check("a click on idle time measures it and says what the device waits for", async () => {
    const { page, close } = await open("kineto");
    const { x, y, length, text } = await page.evaluate(() => {
        const { timeline } = ptk, line = timeline.lines.find((each) => each.idle), { gaps } = line.idle;
        const gap = [...gaps.start.keys()].reduce((best, i) => gaps.end[i] - gaps.start[i] > gaps.end[best] - gaps.start[best] ? i : best, 0);
        timeline.frame.scrollIntoView();
        const box = timeline.canvas.getBoundingClientRect();
        return { x: box.left + timeline.x((gaps.start[gap] + gaps.end[gap]) / 2), y: box.top + line.y + line.height - 4,
                 length: gaps.end[gap] - gaps.start[gap], text: timeline.idle.textOf(line.idle, gap) };
    });
    await page.mouse.click(x, y);
    assert.equal(await page.evaluate(() => ptk.timeline.view.range[1] - ptk.timeline.view.range[0]), length);
    assert.ok((await page.textContent(".panel")).includes(text));
    await close();
});

await check("a theme that is chosen is kept, also by pictures; a link to what is shown is copied", async () => {
    const { page, close } = await open("roof", { colorScheme: "light" });
    const colors = () => page.evaluate(() => [document.body, document.querySelector("#roofline svg")].map((each) => getComputedStyle(each).backgroundColor));
    await page.evaluate(() => document.getElementById("tab-roofline").click());
    const light = await colors();
    await page.getByRole("button", { name: "Theme: system" }).click();
    await page.getByRole("button", { name: "Theme: light" }).click();
    const dark = await colors();
    dark.forEach((color, i) => assert.notEqual(color, light[i]));
    await page.reload();
    await page.waitForFunction(() => document.documentElement.dataset.ready);
    await page.getByRole("button", { name: "Theme: dark" }).waitFor();
    assert.deepEqual(await colors(), dark);
    await page.getByRole("button", { name: "Copy link" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor({ timeout: 5000 });
    await close();
});

// ---- tabs over one selection ----

const openTab = (page, id) => page.evaluate((id) => document.getElementById("tab-" + id).click(), id);
const scopeOf = (page) => page.$$eval(".scope .part", (all) => all.map((part) => part.textContent.trim()));

await check("a name that a table's row chooses is marked everywhere, and stays in the address", async () => {
    const { page, close } = await open("kineto");
    await openTab(page, "names");
    await page.getByRole("button", { name: "cudaLaunchKernel" }).first().click();
    const launches = () => page.evaluate(() => ptk.timeline.view.marked?.flatMap((isMarked, name) => isMarked ? ptk.nameOf(ptk.timeline.data, name) : []));
    assert.deepEqual(await launches(), ["cudaLaunchKernel"]);
    assert.match((await scopeOf(page))[2], /cudaLaunchKernel/);
    await openTab(page, "relatives");
    await page.waitForFunction(() => document.querySelector(".relatives table"));
    assert.match(await page.textContent(".relatives"), /aten::mm/);
    await openTab(page, "critical-path");
    assert.equal(await page.$eval("#critical-path tr.chosen", (row) => row.textContent.includes("cudaLaunchKernel")), true);
    assert.match(page.url(), /name=\d+&tab=critical-path/);
    await page.reload();
    await page.waitForFunction(() => document.documentElement.dataset.ready);
    assert.deepEqual(await launches(), ["cudaLaunchKernel"]);
    await page.getByRole("button", { name: "all names" }).click();
    assert.equal(await launches(), undefined);
    await close();
});

await check("a track that is chosen and a range filter the tabs", async () => {
    const { page, close } = await open("kineto");
    await openTab(page, "tracks");
    await page.waitForFunction(() => document.querySelector("#tracks tbody button"));
    await page.locator("#tracks tbody button", { hasText: "stream 20" }).click();
    await page.evaluate(() => ptk.timeline.view.setRange([0, ptk.timeline.view.end / 2]));
    await openTab(page, "names");
    await page.waitForFunction(() => document.querySelectorAll("#names tbody tr").length === 1);
    assert.match(await page.textContent("#names tbody tr"), /AllReduce.*150\.0 us.*150\.0 us1/);
    assert.match(page.url(), /range=0,1000000&track=\d+/);
    await page.locator(".timeline canvas[tabindex]").focus();
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => document.querySelectorAll("#names tbody tr").length > 1);
    await close();
});

await check("ranks stand above each other, on the clock of the first", async () => {
    const { page, close } = await open("clocks");
    const { ends, leads } = await page.evaluate(() => {
        const { data, groups } = ptk.timeline, ends = [[], []];
        for (const track of data.tracks.filter((each) => each.rank < 2 && each.kind === "stream"))
            for (let event = track.first; event < track.first + track.events; event++)
                if (/ReduceScatter/.test(ptk.nameOf(data, data.name[event]))) ends[track.rank].push(data.end[event] * data.unit);
        return { ends, leads: groups.slice(0, 4).map((group) => group.track.rank) };
    });
    assert.deepEqual(leads, [0, 1, 2, 3]);
    assert.equal(ends[0].length, 4);
    ends[0].forEach((end, i) => assert.ok(Math.abs(end - ends[1][i]) < 1000, `${end} and ${ends[1][i]}`));
    await close();
});

await check("a kernel on the roof marks its events on the timeline, and its row", async () => {
    const { page, close } = await open("roof");
    await openTab(page, "roofline");
    await page.evaluate(() => document.querySelector("#roofline .dot.leads").dispatchEvent(new Event("click")));
    const [dot, row, selected] = await page.evaluate(() =>
        [document.querySelector(".dot.chosen title").textContent, document.querySelector("#roofline tr.chosen td:last-child").textContent,
         ptk.nameOf(ptk.timeline.data, ptk.timeline.data.name[ptk.timeline.view.selected])]);
    assert.ok(dot.includes(row) && selected === row, `${dot}, ${row}, ${selected}`);
    await close();
});

await check("the path of the whole run is what its chapter says, and own times add up to the tracks'", async () => {
    const { page, close } = await open("kineto");
    await openTab(page, "critical-path");
    await page.waitForFunction(() => document.querySelector("#critical-path .virtual tbody button"));
    const figures = await page.evaluate(() => {
        const { data, view } = ptk.timeline, { path } = data, times = {};
        for (let i = 0; i < path.pieces; i++) times[path.parts[path.part[i]]] = (times[path.parts[path.part[i]]] ?? 0) + path.end[i] - path.start[i];
        const said = Object.fromEntries([...document.querySelectorAll("#critical-path table[data-key=parts] tbody tr, #critical-path .whole ~ .table:first-of-type tbody tr")]
            .map((row) => [row.cells[0].textContent, Number(row.cells[2].dataset.value)]));
        const own = ptk.sumRange(data, 0, view.end).reduce((sum, each) => sum + each.self, 0);
        const busy = data.tracks.reduce((sum, track) => sum + track.rows.reduce((all, row) =>
            row.depth ? all : all + row.busy[row.count], 0), 0);
        return { times, said, own, busy };
    });
    assert.deepEqual(figures.times, figures.said);
    assert.equal(figures.own, figures.busy);
    await close();
});

await check("a segment of a snapshot and its blocks are told by pointer and keys; a finding leads there", async () => {
    const { page, close } = await open("snapshot");
    const facts = () => page.textContent(".segments .facts"), hit = (share) => page.evaluate((share) => {
        const map = ptk.segments, row = map.rows.findIndex(({ segment }) => segment && segment.trapped), { segment } = map.rows[row];
        map.canvas.scrollIntoView({ block: "center" });
        const box = map.canvas.getBoundingClientRect();
        return { x: box.left + 78 + share * map.barOf(segment), y: box.top + row * 20 + 10 - map.scroller.scrollTop, segment };
    }, share);
    await page.click(".show[data-chapter=memory]");
    assert.match(await page.textContent("#memory"), /The largest free block has 16\.00 MiB\. A larger request needs memory from the driver, although 92\.00 MiB is free/);
    await page.evaluate(() => { document.getElementById("events").style.position = "static"; });
    const { segment } = await hit(0), [first] = segment.pieces, last = segment.pieces.at(-1);
    for (const [share, piece] of [[0.01, first], [0.99, last]]) {
        const { x, y } = await hit(share);
        await page.mouse.move(x, y);
        assert.match(await facts(), piece.state ? /Free block of [\d.]+ MiB, beside blocks in use/ : /Block of [\d.]+ MiB, in use, allocated by \S+:\d+ \S+\./);
    }
    assert.match(await facts(), new RegExp(`at ${segment.address}`));
    await page.mouse.move(0, 0);
    await page.focus(".segments canvas[tabindex]");
    for (const key of ["ArrowUp", "ArrowRight", "ArrowDown", "ArrowRight"]) await page.keyboard.press(key);
    const [selected, piece] = await page.evaluate(() => [ptk.segments.selected.segment.address, ptk.segments.selected.piece]);
    assert.equal(piece, 0);
    assert.ok((await facts()).includes(selected));
    const painted = await page.evaluate(() => new Set(new Uint32Array(ptk.segments.lens.getContext("2d").getImageData(0, 0, ptk.segments.lens.width, ptk.segments.lens.height).data.buffer)).size);
    assert.ok(painted > 1, "the lens is empty");
    await close();
});

// One value each: what the bar's parts say is the span; no gain is above what was lost.
for (const name of names)
    await check(`page ${name}: figures agree`, async () => {
        const { page, close } = await open(name);
        const given = await advice(name), whole = given.whole;
        for (const finding of given.findings ?? [])
            if (finding.gain !== null && finding.saving_high !== null)
                assert.ok(finding.gain <= finding.saving_high || finding.gain <= whole, finding.rule);
        const shares = await page.$$eval(".bar li", (all) => all.map((item) => parseFloat(item.textContent.match(/([\d.]+)%\)$/)?.[1] ?? "0")));
        const sum = shares.reduce((a, b) => a + b, 0);
        assert.ok(sum <= 100.2, `the bar's parts are ${sum} %`);
        await close();
    });

await check("a page prints on at most 12 sheets", async () => {
    for (const name of ["kineto", "roof", "pstats", "snapshot", "job", "two", "cpuprofile"]) {
        const { page, close } = await open(name);
        const pdf = (await page.pdf({ format: "A4" })).toString("latin1");
        const sheets = pdf.match(/\/Type\s*\/Page\b/g)?.length ?? 0;
        console.log(`  print: ${name} has ${sheets} sheets`);
        assert.ok(sheets > 0 && sheets <= 12, `${name} has ${sheets}`);
        await close();
    }
});

// Figures of speed are printed, never judged.
async function zoom(name) {
    const { page, close } = await open(name);
    const figures = await page.evaluate(async () => {
        const { timeline } = ptk, { view } = timeline, frame = () => new Promise(requestAnimationFrame);
        const paint = performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0;
        timeline.times.length = 0;
        const event = view.longest((each) => ptk.trackOf(view.data, each).kind === "stream"), middle = view.data.start[Math.max(event, 0)];
        for (let step = 0; step < 60; step++) { view.zoom(0.85, middle); await frame(); await frame(); }
        for (let step = 0; step < 60; step++) { view.zoom(1 / 0.85, middle); await frame(); await frame(); }
        const times = timeline.times.toSorted((a, b) => a - b);
        return { events: view.data.events, paint, ready: Number(document.documentElement.dataset.ready),
                 median: times[times.length >> 1], p95: times[Math.floor(times.length * 0.95)],
                 nodes: document.querySelectorAll("*").length, heap: performance.memory?.usedJSHeapSize / 1e6 };
    });
    console.log(`  zoom: ${name}: ` + Object.entries(figures).map(([key, value]) => `${key} ${Number(value).toFixed(1)}`).join(", "));
    await close();
}

await check("a scripted zoom, whole, one kernel, whole", () => zoom(names.includes("big") ? "big" : "kineto"));

await finish();
