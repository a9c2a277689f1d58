// Opens files in a browser and keeps count of checks; every console error and every request for
// anything but the file itself is a fault.
import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [executablePath, given] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
let checks = 0;

export const folder = given;

export async function open(name, { fragment = "", ...settings } = {}) {
    const url = pathToFileURL(`${folder}/${name}`).href;
    const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, ...settings });
    const page = await context.newPage();
    const wrong = [];
    page.on("console", (message) => message.type() === "error" && wrong.push(message.text()));
    page.on("pageerror", (error) => wrong.push(String(error)));
    page.on("request", (request) => request.url().split("#")[0] === url || wrong.push(request.url()));
    await page.goto(url + fragment);
    return { page, async close() {
        assert.deepEqual(wrong, []);
        await context.close();
    } };
}

export async function check(title, test) {
    try {
        await test();
        checks++;
    } catch (error) {
        console.log(`FAIL ${title}: ${error.message}`);
        process.exitCode = 1;
    }
}

export async function finish() {
    await browser.close();
    console.log(`browser: ${checks} passed`);
}
