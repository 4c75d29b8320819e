// SPDX-License-Identifier: BSD-3-Clause
// Starts the browser: $CHROMIUM or one that is installed, without a window and with GL in software.
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

const PLACES = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

export async function startBrowser(more = []) {
    const executablePath = PLACES.find((path) => path && existsSync(path));
    if (!executablePath) throw new Error("no chromium found; set CHROMIUM to one");
    const args = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];
    return chromium.launch({ executablePath, args: [...args, ...more] });
}

export const SIZES = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };
