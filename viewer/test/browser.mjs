// SPDX-License-Identifier: BSD-3-Clause
// Checks pages in a browser: node test/browser.mjs FOLDER [NAME...]. Pages may come from test/pages.mjs or from holon.
import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { checkDiagram, checkOverlays, checkReasons, checkTable } from "./checks/compare.mjs";
import { checkLayout, checkLegends, checkPhone, checkTheme } from "./checks/layout.mjs";
import {
    checkBodies,
    checkCursors,
    checkFollow,
    checkHover,
    checkKeys,
    checkPicture,
    checkPlaying,
    sceneOf,
} from "./checks/motion.mjs";
import { openPage } from "./checks/open.mjs";
import { checkExports, checkLegend, checkPicker, checkPlotClicks, checkUnique } from "./checks/plots.mjs";
import { Report } from "./checks/report.mjs";
import { checkSvg, checkSvgPlaces } from "./checks/svg.mjs";
import { SIZES, startBrowser } from "./chromium.mjs";
import { readPage } from "./page.mjs";

/* Names stay text: the title is shown letter by letter, and no element came from the data. */
async function checkText(page, header, report) {
    report.check((await page.locator("h1").textContent()) === header.title, "the title is shown as it is");
    const strange = await page.evaluate(() => [
        window.hacked,
        document.querySelectorAll("#page img, #page script, #page b").length,
    ]);
    report.check(strange[0] === undefined && strange[1] === 0, "names stay text");
    for (const { text } of [...(header.verdicts ?? header.advice ?? []), ...(header.basis ?? [])])
        report.check((await page.getByText(text, { exact: true }).count()) > 0, `is said: ${text}`);
    report.check((await page.title()).startsWith(header.title.slice(0, 10)), "the page has a title");
}

async function checkScene(page, data, scene, report) {
    report.check(!(await page.evaluate(() => window.holon.flat)), "WebGL is used where there is one");
    await checkBodies(page, scene, report);
    await checkPicture(page, scene, report);
    await checkPlaying(page, scene, report);
    await checkHover(page, scene, report);
    await checkSvg(page, scene, report);
    await checkKeys(page, scene, report);
    await checkFollow(page, scene, report);
    if (data.header.kind === "run" || data.header.series?.length) await checkCursors(page, scene, report);
}

async function checkRun(page, { header, columns }, { times }, report) {
    if (await page.locator(".plot").count()) {
        await checkPlotClicks(page, { times }, report);
        await checkExports(page, columns, header, times, report);
        await checkLegend(page, report);
    }
    await checkUnique(page, header, report);
    await checkPicker(page, header, report);
}

async function checkCompare(page, { header }, report) {
    await checkTable(page, header, report);
    await checkDiagram(page, header, report);
    await checkOverlays(page, header, report);
}

/* Some part of the picture is drawn, and the bodies are where they should be. */
async function checkFlat(browser, file, scene, report) {
    const { page, close } = await openPage(browser, file, report, { viewport: SIZES.desktop, hash: "#flat" });
    report.check(await page.evaluate(() => window.holon.flat), "the flat drawing can be asked for");
    await checkBodies(page, scene, report);
    await page.evaluate((t) => window.holon.setTime(t), scene.times[0]);
    const painted = await page.evaluate(() => {
        const canvas = document.querySelector(".holder canvas");
        const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
        let count = 0;
        for (let i = 3; i < data.length; i += 4) if (data[i] > 0) count++;
        return count / (data.length / 4);
    });
    report.check(painted > 0.003, `the flat drawing covers ${(100 * painted).toFixed(2)} % of the canvas`);
    await checkPicture(page, scene, report);
    await checkSvgPlaces(page, report);
    await checkPlaying(page, scene, report);
    await close();
}

async function checkLooks(browser, file, { header }, scene, report) {
    for (const [size, viewport] of Object.entries(SIZES))
        for (const colorScheme of ["light", "dark"]) {
            const { page, close } = await openPage(browser, file, report, { viewport, colorScheme });
            await page.waitForTimeout(150);
            await checkLayout(page, `${size}, ${colorScheme}`, report);
            if (header.kind === "compare" && colorScheme === "light") await checkReasons(page, header, size, report);
            if (size === "desktop") await checkTheme(page, colorScheme, report);
            else if (scene) await page.locator(".stage").scrollIntoViewIfNeeded();
            if (size === "phone") await checkLegends(page, report);
            if (size === "phone" && scene && (await page.locator("body.run").count())) await checkPhone(page, report);
            await close();
        }
}

async function checkStart(browser, file, scene, report) {
    for (const reducedMotion of ["reduce", "no-preference"]) {
        const { page, close } = await openPage(browser, file, report, { reducedMotion });
        const playing = await page.evaluate(() => window.holon.playing());
        report.check(
            playing === (reducedMotion === "no-preference" && scene.times.length > 1),
            `motion ${reducedMotion}: plays ${playing}`,
        );
        await close();
    }
}

async function checkPage(browser, file) {
    const report = new Report();
    const data = readPage(file);
    const scene = sceneOf(data);
    const { page, close } = await openPage(browser, file, report, { viewport: SIZES.desktop, acceptDownloads: true });
    await checkText(page, data.header, report);
    if (scene) await checkScene(page, data, scene, report);
    if (data.header.kind === "run") await checkRun(page, data, scene, report);
    else await checkCompare(page, data, report);
    await close();
    if (scene) await checkFlat(browser, file, scene, report);
    if (scene) await checkStart(browser, file, scene, report);
    await checkLooks(browser, file, data, scene, report);
    return report;
}

/* A browser without any GL falls back by itself, without a word on the console. */
async function checkWithoutGl(file) {
    const report = new Report();
    const browser = await startBrowser(["--disable-3d-apis"]);
    const { page, close } = await openPage(browser, file, report, { viewport: SIZES.desktop });
    report.check(await page.evaluate(() => window.holon.flat), "without WebGL the drawing is flat");
    await checkBodies(page, sceneOf(readPage(file)), report);
    await close();
    await browser.close();
    return report;
}

/* The page as built, without data, and one that was cut off, say so. */
async function checkMessages(browser, template) {
    const report = new Report();
    const { page, close } = await openPage(browser, template, report);
    report.check((await page.locator(".message").textContent()).includes("no data"), "a page without data says so");
    await close();
    return report;
}

function printReport(name, report) {
    console.log(`${report.failures.length ? "FAIL" : "ok  "} ${name}: ${report.checks} checks`);
    report.failures.slice(0, 12).forEach((sentence) => console.log(`       ${sentence}`));
    return report.failures.length;
}

const [folder, ...names] = process.argv.slice(2);
if (!folder) throw new Error("usage: node test/browser.mjs FOLDER [NAME...]");
const files = readdirSync(folder)
    .filter((name) => name.endsWith(".html") && (!names.length || names.includes(basename(name, ".html"))))
    .map((name) => resolve(join(folder, name)))
    .filter((file) => readPage(file) !== null);
if (!files.length) throw new Error(`no pages in ${folder}`);
const browser = await startBrowser();
let failures = 0;
for (const file of files) failures += printReport(basename(file), await checkPage(browser, file));
const template = join(dirname(fileURLToPath(import.meta.url)), "../dist/page.html");
if (existsSync(template)) failures += printReport("page without data", await checkMessages(browser, template));
await browser.close();
const withScene = files.find((file) => sceneOf(readPage(file)));
if (withScene) failures += printReport("browser without WebGL", await checkWithoutGl(withScene));
process.exit(failures ? 1 : 0);
