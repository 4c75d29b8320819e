// SPDX-License-Identifier: BSD-3-Clause
// Pictures of pages, to be looked at: node test/shots.mjs PAGES SHOTS [NAME...]
import { mkdirSync, readdirSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { SIZES, startBrowser } from "./chromium.mjs";

const [pages, shots, ...names] = process.argv.slice(2);
if (!shots) throw new Error("usage: node test/shots.mjs PAGES SHOTS [NAME...]");
mkdirSync(shots, { recursive: true });
const browser = await startBrowser();
for (const file of readdirSync(pages).filter((name) => name.endsWith(".html"))) {
    const name = basename(file, ".html");
    if (names.length && !names.includes(name)) continue;
    for (const [size, viewport] of Object.entries(SIZES))
        for (const colorScheme of ["light", "dark"]) {
            const context = await browser.newContext({ viewport, colorScheme, reducedMotion: "reduce" });
            const page = await context.newPage();
            await page.goto(pathToFileURL(resolve(join(pages, file))).href);
            await page.evaluate(() => window.holon.setTime(1.7));
            await page.waitForTimeout(300);
            await page.screenshot({ path: join(shots, `${name}-${size}-${colorScheme}.png`) });
            if (size === "phone" && colorScheme === "light")
                await page.screenshot({ path: join(shots, `${name}-phone-whole.png`), fullPage: true });
            await context.close();
        }
}
await browser.close();
