// SPDX-License-Identifier: BSD-3-Clause
// The table of a comparison sorts as its numbers do; the diagram has a point for each run that has numbers.
import { readFileSync } from "node:fs";

const firstCells = (page) => page.locator(".records tbody th").allTextContents();

export async function checkTable(page, header, report) {
    const { records } = header;
    report.check((await page.locator(".records tbody tr").count()) === records.length, "one row per record");
    const heads = await page.locator(".records thead th").count();
    const ratio = page.locator(".records thead th", { hasText: "Time ratio" });
    const known = records.filter((record) => typeof record.time_ratio === "number");
    if (!known.length) return report.check((await ratio.count()) === 0, "a column without numbers is left out");
    await ratio.getByRole("button").click();
    report.check((await ratio.getAttribute("aria-sort")) === "ascending", "a click sorts upwards");
    const order = (sign) =>
        [...known].sort((a, b) => sign * (a.time_ratio - b.time_ratio)).map((record) => record.formulation);
    report.check(
        (await firstCells(page)).slice(0, known.length).join() === order(1).join(),
        "rows are in the order of the ratio",
    );
    await ratio.getByRole("button").focus();
    await page.keyboard.press("Enter");
    report.check((await ratio.getAttribute("aria-sort")) === "descending", "Enter sorts downwards");
    report.check(
        (await firstCells(page)).slice(0, known.length).join() === order(-1).join(),
        "rows are in the other order",
    );
    const others = await page.locator('.records thead th[aria-sort="none"]').count();
    report.check(others === heads - 1, "one column sorts at a time");
    for (let i = 0; i < heads; i++) await page.locator(".records thead button").nth(i).click();
    report.check(
        (await page.locator(".records tbody tr").count()) === records.length,
        "sorting by each column keeps all rows",
    );
}

/* A long reason stands below the table, or in a tip, and makes no row tall. */
export async function checkReasons(page, { records }, size, report) {
    const tallest = await page
        .locator(".records tbody tr")
        .evaluateAll((rows) => Math.max(...rows.map((row) => row.getBoundingClientRect().height)));
    report.check(tallest <= 40, `${size}: the tallest row has ${tallest} px`);
    const tips = await page
        .locator(".records tbody td[title]")
        .evaluateAll((cells) => cells.map((cell) => [cell.title, cell.textContent]));
    const failed = records.filter(({ status, message }) => status !== "ok" && message);
    report.check(
        tips
            .map(([tip]) => tip)
            .sort()
            .join() ===
            failed
                .map(({ message }) => message)
                .sort()
                .join(),
        `${size}: each failure has its reason as a tip`,
    );
    report.check(
        tips.every(([, text]) => text.length < 40),
        `${size}: a status is short`,
    );
    const reasons = (await page.locator(".reasons li").allTextContents()).join("\n");
    for (const { remark, message } of failed)
        report.check(reasons.includes(message) === (remark !== "too stiff"), `${size}: is listed below: ${message}`);
}

export async function checkDiagram(page, { records }, report) {
    const dots = records.filter((record) => record.time_ratio > 0 && record.position_error > 0);
    if (!dots.length) return;
    report.check((await page.locator(".precision .dot").count()) === dots.length, `${dots.length} points`);
    await page.locator(".precision .dot").first().focus();
    const tip = await page.locator(".precision-holder .tip").textContent();
    report.check(tip.includes(dots[0].formulation), `a point names its run: ${tip}`);
    const [file] = await Promise.all([
        page.waitForEvent("download"),
        page
            .locator(".card", { hasText: "Work-precision diagram" })
            .getByRole("button", { name: "Save as picture" })
            .click(),
    ]);
    report.check(
        readFileSync(await file.path())
            .subarray(1, 4)
            .toString() === "PNG",
        "the diagram is saved as a PNG",
    );
    const slow = dots.reduce((a, b) => (b.time_ratio > a.time_ratio ? b : a));
    const box = async (record) => page.locator(".precision .dot").nth(dots.indexOf(record)).boundingBox();
    const fast = dots.reduce((a, b) => (b.time_ratio < a.time_ratio ? b : a));
    if (slow !== fast) report.check((await box(slow)).x > (await box(fast)).x, "slower runs stand farther right");
    const rough = dots.reduce((a, b) => (b.position_error > a.position_error ? b : a));
    const fine = dots.reduce((a, b) => (b.position_error < a.position_error ? b : a));
    if (rough !== fine) report.check((await box(rough)).y < (await box(fine)).y, "larger errors stand higher");
}

export async function checkOverlays(page, { series = [] }, report) {
    const plots = await page.locator(".overlays .plot").count();
    report.check(plots === (series.length ? 3 : 0), `${plots} plots of all runs`);
    if (!plots) return;
    const names = await page.locator(".overlays .plot").first().locator(".key .name").allTextContents();
    report.check(names.join() === series.map(({ label }) => label).join(), "every run has its line");
}
