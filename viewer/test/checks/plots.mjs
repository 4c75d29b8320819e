// SPDX-License-Identifier: BSD-3-Clause
// Plots: click, zoom, legend, picker, export.
import { readFileSync } from "node:fs";

async function saved(page, locator) {
    const [download] = await Promise.all([page.waitForEvent("download"), locator.click()]);
    return readFileSync(await download.path());
}

export async function checkPlotClicks(page, { times }, report) {
    if (times.length < 30) return;
    const over = page.locator(".plot .u-over").first();
    await over.scrollIntoViewIfNeeded();
    const box = await over.boundingBox();
    const span = times[times.length - 1] - times[0];
    const y = box.y + box.height / 2;
    await page.mouse.click(box.x + 0.7 * box.width, y);
    const time = await page.evaluate(() => window.holon.time());
    report.near(time, times[0] + 0.7 * span, 0.01 * span, "a click sets the time");
    await page.mouse.move(box.x + 0.2 * box.width, y);
    await page.mouse.down();
    await page.mouse.move(box.x + 0.5 * box.width, y, { steps: 5 });
    await page.mouse.up();
    report.near(await page.evaluate(() => window.holon.time()), time, 0, "a drag does not set the time");
    const inside = times[0] + 0.35 * span;
    const zoomed = await page.evaluate((t) => (window.holon.setTime(t), window.holon.cursorTimes()[0]), inside);
    report.near(zoomed, inside, span / 200, "the cursor of a zoomed plot");
    const place = await page.locator(".plot .now").first().boundingBox();
    report.near(place.x, box.x + 0.5 * box.width, 4, "the place of the cursor in a zoomed plot");
    await page.mouse.dblclick(box.x + 0.5 * box.width, y);
    report.near(await page.evaluate(() => window.holon.time()), inside, 0, "a double click does not set the time");
    await page.evaluate((t) => window.holon.setTime(t), inside);
    report.near(
        (await page.locator(".plot .now").first().boundingBox()).x,
        box.x + 0.35 * box.width,
        4,
        "double click shows all",
    );
}

export async function checkExports(page, columns, header, times, report) {
    const plot = page.locator(".plot").first();
    const csv = (await saved(page, plot.getByRole("button", { name: "Save as table" }))).toString();
    const lines = csv.trim().split("\n");
    report.check(lines.length === times.length + 1, `table of ${lines.length} lines for ${times.length} rows`);
    const names = lines[0].split(",").slice(1);
    const wanted = header.columns.findIndex((column) => names[0].startsWith(column.name));
    const row = Math.floor(times.length / 2);
    const values = lines[row + 1].split(",").map(Number);
    report.check(
        values[0] === times[row] && wanted > 0 && Object.is(values[1], columns[wanted][row]),
        "the table holds the numbers of the data",
    );
    const png = await saved(page, plot.getByRole("button", { name: "Save as picture" }));
    report.check(png.subarray(1, 4).toString() === "PNG" && png.length > 2000, "the picture is a PNG");
}

export async function checkLegend(page, report) {
    const key = page.locator(".plot .key").first();
    await key.focus();
    await page.keyboard.press("Enter");
    report.check((await key.getAttribute("aria-pressed")) === "false", "the legend hides a line, by keyboard");
    await key.click();
    report.check((await key.getAttribute("aria-pressed")) === "true", "and shows it again");
}

export async function checkPicker(page, header, report) {
    await page.getByRole("button", { name: "Add a plot" }).click();
    const plot = page.locator(".plot").last();
    const name = header.columns[header.bodies[0].column].name;
    await plot.getByRole("searchbox").fill(name);
    await plot.locator(".picker-list input").first().check();
    const shown = await plot.locator(".key .name").allTextContents();
    report.check(shown.length === 1 && shown[0].startsWith(name), `the picker adds ${name}, not ${shown.join()}`);
    const cursors = await page.evaluate(() => [window.holon.cursorTimes().at(-1), window.holon.time()]);
    report.near(cursors[0], cursors[1], 0.05 * Math.max(1, Math.abs(cursors[1])), "cursor of the new plot");
    await plot.getByRole("button", { name: "Clear" }).click();
    report.check((await plot.locator(".key").count()) === 0, "Clear leaves nothing");
}

/* Reactions that are not unique are named so wherever the run has any. */
export async function checkUnique(page, header, report) {
    const open = (header.joints ?? []).some(
        (joint) => joint.column >= 0 && (joint.unique ?? []).slice(0, header.planar ? 2 : 3).includes(false),
    );
    const marked = (await page.locator(".key .name").allTextContents()).filter((text) => text.includes("not unique"));
    report.check(open === marked.length > 0, `not unique is said of ${marked.length} lines`);
}
