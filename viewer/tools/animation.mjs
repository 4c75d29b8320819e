// SPDX-License-Identifier: BSD-3-Clause
// Films the report page: node tools/animation.mjs HOLON PICTURE.png [MODEL] runs the model, opens its page in a browser
// and writes an animated PNG of it.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { startBrowser } from "../test/chromium.mjs";
import { animate } from "./apng.mjs";

const VIEWPORT = { width: 1180, height: 800 };
const SCALE = 0.8; // of the picture
const FRAMES = 75;
const SECONDS = 5; // of the motion, shown in its own time
const MOST_BYTES = 1_500_000;

const [holon, picture, model = "four-bar"] = process.argv.slice(2);
if (!picture) throw new Error("usage: node tools/animation.mjs HOLON PICTURE.png [MODEL]");

async function film(browser, file) {
    const context = await browser.newContext({
        viewport: VIEWPORT,
        deviceScaleFactor: SCALE,
        colorScheme: "light",
        reducedMotion: "reduce",
    });
    const page = await context.newPage();
    await page.goto(`${pathToFileURL(resolve(file)).href}`);
    const frames = [];
    for (let i = 0; i < FRAMES; i++) {
        await page.evaluate((time) => window.holon.setTime(time), (i * SECONDS) / FRAMES);
        await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
        frames.push(await page.screenshot());
    }
    await context.close();
    return frames;
}

const folder = mkdtempSync(join(tmpdir(), "holon-animation-"));
const browser = await startBrowser();
try {
    const file = join(folder, "page.html");
    const options = ["--until", String(SECONDS), "--record", "all", "--report", file, "--quiet"];
    execFileSync(holon, ["run", model, ...options], { stdio: "inherit" });
    const bytes = animate(await film(browser, file), (1000 * SECONDS) / FRAMES);
    if (bytes.length > MOST_BYTES) throw new Error(`${picture} would have ${bytes.length} bytes, above ${MOST_BYTES}`);
    writeFileSync(picture, bytes);
    console.log(`${picture}: ${bytes.length} bytes`);
} finally {
    await browser.close();
    rmSync(folder, { recursive: true });
}
