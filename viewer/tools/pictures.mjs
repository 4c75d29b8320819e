// SPDX-License-Identifier: BSD-3-Clause
// Draws the picture of every built-in model: node tools/pictures.mjs HOLON MODELS [NAME...] writes MODELS/NAME/picture.svg.
// Each is the page of a run, opened in a browser and asked for its view: one position, faint ones at other times.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { startBrowser } from "../test/chromium.mjs";
import { momentsOf } from "./moments.mjs";

const SIZE = { width: 640, height: 400 };
const MOST_BYTES = 60_000;

const [holon, models, ...names] = process.argv.slice(2);
if (!models) throw new Error("usage: node tools/pictures.mjs HOLON MODELS [NAME...]");

function allModels() {
    return readdirSync(models).filter((name) => existsSync(join(models, name, "model.yaml")));
}

/* A run that stops early has its report all the same. */
function report(name, until, settings, page) {
    const span = until === undefined ? [] : ["--until", String(until)];
    const set = settings.flatMap((text) => ["--set", text]);
    const env = { ...process.env, OPENBLAS_NUM_THREADS: "1" };
    execFileSync(holon, ["run", name, ...span, ...set, "--report", page, "--quiet"], { stdio: "inherit", env });
}

async function draw(browser, name, folder) {
    const { until, set, ...moments } = momentsOf(name);
    const file = join(folder, `${name}.html`);
    report(name, until, set, file);
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce" });
    await page.goto(`${pathToFileURL(resolve(file)).href}#flat`);
    const text = await page.evaluate(picture, { ...SIZE, ...moments });
    await page.close();
    if (text.length > MOST_BYTES) throw new Error(`the picture of ${name} has ${text.length} bytes`);
    writeFileSync(join(models, name, "picture.svg"), text);
    console.log(`${name}: ${text.length} bytes`);
}

/* Runs in the page. Times are parts of the run, 0 to 1. */
function picture({ width, height, now, ghosts, layers }) {
    const { times } = window.holon;
    const at = (part) => times.start + part * (times.end - times.start);
    Object.entries(layers).forEach(([layer, on]) => {
        const box = document.getElementById(`layer-${layer}`);
        if (box && box.checked !== on) box.click();
    });
    return window.holon.svg({ width, height, fit: true, theme: "light", time: at(now), ghosts: ghosts.map(at) });
}

const folder = mkdtempSync(join(tmpdir(), "holon-pictures-"));
const browser = await startBrowser();
try {
    for (const name of names.length ? names : allModels()) await draw(browser, name, folder);
} finally {
    await browser.close();
    rmSync(folder, { recursive: true });
}
