// Measures the charts' texts with the browser's own font: none leaves the picture or covers another.
import assert from "node:assert/strict";
import { check, finish, folder, open } from "./browser.mjs";

const charts = process.argv.slice(4);

// Every text's outline, turned as it is drawn: the corners of its own box through its matrix.
const outlines = (texts) => texts.map((text) => {
    const { x, y, width, height } = text.getBBox(), matrix = text.getCTM();
    const corners = [[x, y], [x + width, y], [x + width, y + height], [x, y + height]]
        .map(([px, py]) => new DOMPoint(px, py).matrixTransform(matrix)).map((p) => [p.x, p.y]);
    return { name: text.textContent, corners, shrunk: height * 0.12 };
});

// Two convex shapes are apart where some side's normal separates them.
function apart(a, b, slack) {
    for (const shape of [a, b])
        for (let i = 0; i < 4; i++) {
            const [x1, y1] = shape[i], [x2, y2] = shape[(i + 1) % 4], length = Math.hypot(x2 - x1, y2 - y1);
            const along = ([x, y]) => (x * (y2 - y1) - y * (x2 - x1)) / length;
            const [one, other] = [a, b].map((corners) => corners.map(along));
            if (Math.max(...one) < Math.min(...other) + slack || Math.max(...other) < Math.min(...one) + slack)
                return true;
        }
    return false;
}

for (const name of charts)
    await check(`the texts of ${name}`, async () => {
        const { page, close } = await open(`${name}.svg`);
        const texts = await page.$$eval("text", outlines);
        const { width, height } = await page.$eval("svg", (svg) => svg.viewBox.baseVal);
        const wrong = [];
        for (const [i, text] of texts.entries()) {
            if (text.corners.some(([x, y]) => x < 0 || y < 0 || x > width || y > height))
                wrong.push(`'${text.name}' leaves the picture`);
            for (const other of texts.slice(0, i))
                if (!apart(text.corners, other.corners, text.shrunk))
                    wrong.push(`'${text.name}' covers '${other.name}'`);
        }
        assert.deepEqual(wrong, []);
        await close();
        for (const colorScheme of ["light", "dark"])
            for (const width of [1280, 400]) {
                const shown = await open(`${name}.svg`, { colorScheme, viewport: { width, height: 900 } });
                await shown.page.screenshot({ path: `${folder}/${name}-${colorScheme}-${width}.png` });
                await shown.close();
            }
    });

await finish();
