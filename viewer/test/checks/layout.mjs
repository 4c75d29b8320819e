// SPDX-License-Identifier: BSD-3-Clause
// Nothing overlaps, nothing is cut off, everything can be read.

const GROUPS = [
    ".top, .findings, .stage, .plots > *, .table-holder, .overlays > *, .comparison > *",
    ".stage > *",
    ".buttons > *",
    ".layers > *",
    ".view > .holder, .layers",
    ".overlay > *",
    ".card-tools > *",
    ".verdict-list > *",
];

/* Pairs of panels whose boxes share more than a pixel, unless one holds the other or they scroll apart. */
function overlaps(selectors) {
    const found = [];
    const clipped = (element) => {
        let box = element.getBoundingClientRect();
        let { left, top, right, bottom } = box;
        for (let p = element.parentElement; p; p = p.parentElement) {
            if (getComputedStyle(p).overflowY === "visible") continue;
            const frame = p.getBoundingClientRect();
            [left, top] = [Math.max(left, frame.left), Math.max(top, frame.top)];
            [right, bottom] = [Math.min(right, frame.right), Math.min(bottom, frame.bottom)];
        }
        return { left, top, right, bottom };
    };
    const name = (element) => `${element.tagName.toLowerCase()}.${element.className || element.id}`;
    for (const selector of selectors) {
        const shown = [...document.querySelectorAll(selector)].filter((e) => e.offsetWidth && e.offsetHeight);
        shown.forEach((a, i) =>
            shown.slice(i + 1).forEach((b) => {
                if (a.contains(b) || b.contains(a)) return;
                const [p, q] = [clipped(a), clipped(b)];
                const x = Math.min(p.right, q.right) - Math.max(p.left, q.left);
                const y = Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top);
                if (x > 1 && y > 1) found.push(`${name(a)} and ${name(b)}`);
            }),
        );
    }
    return found;
}

/* Contrast of text with what lies behind it, by the formula of WCAG 2. */
function faint(selectors) {
    const light = (rgb) => {
        const [r, g, b] = rgb.map((c) => (c / 255 <= 0.03928 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const numbers = (text) => (text.match(/[\d.]+/g) ?? []).map(Number);
    const behind = (element) => {
        for (let e = element; e; e = e.parentElement) {
            const [r, g, b, a = 1] = numbers(getComputedStyle(e).backgroundColor);
            if (a === 1) return [r, g, b];
        }
        return [255, 255, 255];
    };
    return selectors.flatMap((selector) => {
        const element = document.querySelector(selector);
        if (!element) return [];
        const [a, b] = [light(numbers(getComputedStyle(element).color).slice(0, 3)), light(behind(element))].sort(
            (p, q) => q - p,
        );
        const ratio = (a + 0.05) / (b + 0.05);
        return ratio < 4.5 ? [`${selector} has contrast ${ratio.toFixed(1)}`] : [];
    });
}

const TEXTS = [
    "h1",
    ".subtitle",
    ".sentence",
    ".good .badge",
    ".note .badge",
    ".bad .badge",
    ".readout",
    ".caption",
    ".key .name",
    ".value",
    ".field",
    "summary",
    ".records td",
    ".records caption",
    ".event-time",
    ".advice p + p",
    ".failed td",
    ".play",
];

export async function checkLayout(page, name, report) {
    const found = await page.evaluate(overlaps, GROUPS);
    report.check(found.length === 0, `${name}: overlaps: ${found.slice(0, 4).join("; ")}`);
    const width = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
    report.check(width[0] <= width[1], `${name}: the page is ${width[0]} wide, the window ${width[1]}`);
    const pale = await page.evaluate(faint, TEXTS);
    report.check(pale.length === 0, `${name}: ${pale.join("; ")}`);
}

export async function checkLegends(page, report) {
    const cut = await page.evaluate(() =>
        [...document.querySelectorAll(".legend")]
            .filter((legend) => legend.scrollHeight > legend.clientHeight + 1)
            .map((legend) => `${legend.clientHeight} of ${legend.scrollHeight}`),
    );
    report.check(cut.length === 0, `on a phone legends show all of their lines, not ${cut.join(", ")}`);
}

export async function checkPhone(page, report) {
    const box = await page.locator(".holder").boundingBox();
    const play = await page.locator("#play").boundingBox();
    report.check(box.y < 200 && box.width > 330, "on a phone the view is on top and as wide as the screen");
    report.check(
        play.y + play.height < 844 && play.height >= 44 && play.width >= 44,
        "on a phone play is on the first screen and large enough",
    );
}

export async function checkTheme(page, colorScheme, report) {
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const before = await ground();
    report.check(
        parseInt(before.match(/\d+/)[0]) < 128 === (colorScheme === "dark"),
        `${colorScheme} is followed: ${before}`,
    );
    await page.locator("#theme").click();
    report.check((await ground()) !== before, "the button changes the theme");
    await page.locator("#theme").click();
}
