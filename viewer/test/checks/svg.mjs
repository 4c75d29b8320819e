// SPDX-License-Identifier: BSD-3-Clause
// The view as an SVG picture: well-formed, of the size that was asked for, with the bodies where they are seen.
import { readFileSync } from "node:fs";

/* Runs in the page: what a parser finds in a picture. */
function look(text) {
    const { documentElement: svg } = new DOMParser().parseFromString(text, "image/svg+xml");
    return {
        name: svg.tagName,
        faults: svg.querySelectorAll("parsererror").length,
        strange: svg.querySelectorAll("script, image, img, foreignObject").length,
        title: svg.querySelector("title")?.textContent,
        size: [svg.getAttribute("width"), svg.getAttribute("height")].map(Number),
        paths: svg.querySelectorAll("path").length,
        ghosts: svg.querySelectorAll("g[opacity]").length,
    };
}

export async function checkSvg(page, { scene, times }, report) {
    const before = await page.evaluate(() => [window.holon.places(), window.holon.bodies(), window.holon.time()]);
    const wanted = { width: 320, height: 200, fit: true, theme: "dark", ghosts: [times[0], times[times.length - 1]] };
    const text = await page.evaluate((picture) => window.holon.svg(picture), wanted);
    const again = await page.evaluate((picture) => window.holon.svg(picture), wanted);
    const after = await page.evaluate(() => [window.holon.places(), window.holon.bodies(), window.holon.time()]);
    report.check(text === again, "the same picture twice");
    report.check(JSON.stringify(before) === JSON.stringify(after), "a picture leaves the view as it was");
    const found = await page.evaluate(look, text);
    report.check(found.name === "svg" && !found.faults && !found.strange, `the picture is well-formed: ${found.name}`);
    report.check(found.title === (scene.title ?? ""), `the picture has the title ${found.title}`);
    report.check(found.size.join() === "320,200", `the picture has the size ${found.size}`);
    report.check(found.ghosts === 2 && found.paths > 0, `${found.paths} paths, ${found.ghosts} faint positions`);
    const [download] = await Promise.all([page.waitForEvent("download"), page.locator("#svg").click()]);
    await page.evaluate(() => document.activeElement.blur()); // else space would press it again
    const saved = readFileSync(await download.path(), "utf8");
    report.check(
        /\.svg$/.test(download.suggestedFilename()),
        `the picture is saved as ${download.suggestedFilename()}`,
    );
    report.check(saved === (await page.evaluate(() => window.holon.svg())), "what is saved is the view");
}

/* Does the picture show a body where the page does? Painted by the browser itself, from the text. */
export async function checkSvgPlaces(page, report) {
    const shares = await page.evaluate(async () => {
        const { holon } = window;
        const frame = document.querySelector(".holder").getBoundingClientRect();
        const image = new Image();
        image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(holon.svg({ theme: "light" }))}`;
        await image.decode();
        const canvas = document.createElement("canvas");
        [canvas.width, canvas.height] = [Math.round(frame.width), Math.round(frame.height)];
        const context = canvas.getContext("2d", { willReadFrequently: true });
        context.drawImage(image, 0, 0);
        const inked = ([x, y]) => {
            const { data } = context.getImageData(Math.round(x - frame.left) - 4, Math.round(y - frame.top) - 4, 9, 9);
            for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 0 && data[i] + data[i + 1] < 420) return 1;
            return 0;
        };
        const places = holon.places().filter((place) => place.every(Number.isFinite));
        return [places.reduce((sum, place) => sum + inked(place), 0), places.length];
    });
    report.check(shares[0] >= 0.6 * shares[1], `the picture shows ${shares[0]} of ${shares[1]} bodies at their places`);
}
