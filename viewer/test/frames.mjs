// SPDX-License-Identifier: BSD-3-Clause
// Measures frames: node test/frames.mjs PAGE.html [SECONDS]. How long until the first one, frames per second while
// playing, and the time of a draw.
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { SIZES, startBrowser } from "./chromium.mjs";

const [file, seconds = "3"] = process.argv.slice(2);
if (!file) throw new Error("usage: node test/frames.mjs PAGE.html [SECONDS]");

/* Script time of one frame: scene, drawing commands, plots; what the graphics processor then does is not in it. */
function drawTimes() {
    const { holon } = window;
    const times = [];
    for (let i = 0; i < 60; i++) {
        const from = performance.now();
        holon.setTime(i / 60);
        times.push(performance.now() - from);
    }
    times.sort((a, b) => a - b);
    return { median: times[30], slowest: times[59] };
}

/* Processor time in seconds of each kind of process of the browser, which other work on the machine does not change. */
async function processorTime(session) {
    const { processInfo } = await session.send("SystemInfo.getProcessInfo");
    const sums = {};
    processInfo.forEach(({ type, cpuTime }) => (sums[type] = (sums[type] ?? 0) + cpuTime));
    return sums;
}

/* From the navigation until the mechanism is drawn for the first time; the least of five. */
async function firstFrame(browser, address) {
    const times = [];
    for (let i = 0; i < 5; i++) {
        const page = await browser.newPage({ viewport: SIZES.desktop });
        await page.goto(address);
        await page.waitForFunction(() => window.holon?.frames() > 0);
        times.push(await page.evaluate(() => performance.getEntriesByName("first frame")[0].startTime));
        await page.close();
    }
    return Math.min(...times);
}

const browser = await startBrowser();
const session = await browser.newBrowserCDPSession();
for (const hash of ["", "#flat"]) {
    const first = await firstFrame(browser, pathToFileURL(resolve(file)).href + hash);
    const page = await browser.newPage({ viewport: SIZES.desktop, reducedMotion: "reduce" });
    await page.goto(pathToFileURL(resolve(file)).href + hash);
    await page.waitForTimeout(500);
    const before = await processorTime(session);
    const from = await page.evaluate(() => (window.holon.play(), window.holon.frames()));
    const start = Date.now();
    await page.waitForTimeout(1000 * Number(seconds));
    const frames = (await page.evaluate(() => window.holon.frames())) - from;
    const rate = (1000 * frames) / (Date.now() - start);
    const after = await processorTime(session);
    await page.evaluate(() => window.holon.pause());
    const draws = await page.evaluate(drawTimes); // last, since the graphics process works on them for a while
    const spent = (type) => ((1000 * ((after[type] ?? 0) - (before[type] ?? 0))) / Math.max(1, frames)).toFixed(1);
    const kind = (await page.evaluate(() => window.holon.flat)) ? "flat" : "WebGL in software";
    const script = `script ${draws.median.toFixed(1)} ms a frame (slowest ${draws.slowest.toFixed(1)})`;
    console.log(
        `${kind}: first frame after ${first.toFixed(0)} ms; ${frames} frames, ${rate.toFixed(1)} per second; ${script}`,
    );
    const costs = ["renderer", "GPU", "browser"].map((type) => `${type} ${spent(type)} ms`);
    console.log(`    CPU time per frame: ${costs.join(", ")}`);
    await page.close();
}
await browser.close();
