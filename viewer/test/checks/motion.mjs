// SPDX-License-Identifier: BSD-3-Clause
// What is drawn against what the data say; the clock; the cursors of the plots.

/* The scene of a page with its columns and times, or null. */
export function sceneOf({ header, columns }) {
    const scene = header.kind === "compare" ? header.scene : header;
    if (!scene) return null;
    let at = (scene.bodies[0]?.column ?? 1) - 1;
    while (header.columns[at].name !== "t") at--;
    return { scene, columns, times: columns[at] };
}

/* Straight between the rows around t, by a search from the start. */
function interpolated(values, times, t) {
    let row = 0;
    while (row + 1 < times.length && times[row + 1] <= t) row++;
    if (row + 1 >= times.length) return values[row];
    const fraction = (t - times[row]) / (times[row + 1] - times[row]);
    return fraction > 0 ? values[row] + fraction * (values[row + 1] - values[row]) : values[row];
}

function expected({ scene, columns, times }, body, t) {
    const count = scene.planar ? 2 : 3;
    const place = [0, 1, 2].map((i) =>
        i < count ? interpolated(columns[scene.bodies[body].column + i], times, t) : 0,
    );
    return place;
}

export function someTimes(times) {
    const last = times.length - 1;
    const half = Math.floor(last / 2);
    const between = last > 0 ? times[half] + 0.3 * (times[half + 1] - times[half]) : times[0];
    return [times[0], times[Math.floor(last / 3)], between, times[last]];
}

export async function checkBodies(page, data, report) {
    const { scene, times } = data;
    for (const t of someTimes(times)) {
        const bodies = await page.evaluate((time) => (window.holon.setTime(time), window.holon.bodies()), t);
        report.check(bodies.length === scene.bodies.length, `${bodies.length} bodies, expected ${scene.bodies.length}`);
        bodies.forEach(({ name, position }, i) => {
            report.check(name === scene.bodies[i].name, `body ${i} has the name ${name}`);
            const place = expected(data, i, t);
            if (!place.every(Number.isFinite)) {
                report.check(!position.every(Number.isFinite), `body ${name} at ${t} s is nowhere`);
                return;
            }
            const tolerance = 1e-6 * Math.max(1, ...place.map(Math.abs));
            position.forEach((x, k) => report.near(x, place[k], tolerance, `body ${name} at ${t} s, coordinate ${k}`));
        });
    }
}

/* With "Follow" the middle of all bodies stands in the middle of the view at any time; without it the view is as before. */
export async function checkFollow(page, { times }, report) {
    const look = (t) =>
        page.evaluate((time) => {
            window.holon.setTime(time);
            const frame = document.querySelector(".holder").getBoundingClientRect();
            return [window.holon.bodies(), window.holon.places(), frame.left + frame.width / 2, frame.width];
        }, t);
    const [, before] = await look(times[0]);
    if (before.length !== 1 || !before.flat().every(Number.isFinite)) return; // one body: it is the middle
    await page.locator("#follow").check();
    for (const t of someTimes(times)) {
        await look(t);
        await page.waitForTimeout(50);
        const [, [place], middle, width] = await look(t);
        report.near(place[0], middle, 0.02 * width, `the body that is followed at ${t} s`);
    }
    await page.locator("#follow").uncheck();
    await page.evaluate(() => document.activeElement.blur());
    await page.waitForTimeout(50);
    const [, after] = await look(times[0]);
    report.near(after[0][0], before[0][0], 1, "the view without following");
}

export async function checkPicture(page, { times }, report) {
    if (times.length < 2) return;
    const view = page.locator(".holder");
    const shots = [];
    for (const t of [times[0], times[Math.floor(times.length / 5)]]) {
        await page.evaluate((time) => window.holon.setTime(time), t);
        await page.waitForTimeout(80);
        shots.push(await view.screenshot());
    }
    report.check(!shots[0].equals(shots[1]), "the picture changes with the time");
}

export async function checkPlaying(page, { times }, report) {
    if (times.length < 2) return;
    const before = await page.evaluate(
        (t) => (window.holon.setTime(t), window.holon.play(), window.holon.bodies()),
        times[0],
    );
    const frames = await page.evaluate(() => window.holon.frames());
    await page.waitForFunction((n) => window.holon.frames() > n + 3, frames);
    const after = await page.evaluate(
        () => (
            window.holon.pause(),
            { t: window.holon.time(), bodies: window.holon.bodies(), playing: window.holon.playing() }
        ),
    );
    report.check(after.t > times[0], "playing moves the time");
    report.check(!after.playing, "pausing ends it");
    const moved = after.bodies.some(({ position }, i) => position.some((x, k) => x !== before[i].position[k]));
    report.check(moved, "playing moves the bodies");
    await page.waitForTimeout(60);
    report.check((await page.evaluate(() => window.holon.time())) === after.t, "a pause holds the time");
}

/* A pixel of the plot is how well a cursor can agree. */
export async function checkCursors(page, { times }, report) {
    const span = times[times.length - 1] - times[0];
    for (const t of someTimes(times)) {
        const cursors = await page.evaluate((time) => (window.holon.setTime(time), window.holon.cursorTimes()), t);
        report.check(cursors.length > 0, "there are plots with a cursor");
        cursors.forEach((cursor, i) => report.near(cursor, t, span / 200 + 1e-9, `cursor of plot ${i + 1}`));
        const readout = await page.locator("#readout").textContent();
        report.near(parseFloat(readout.replace("\u2212", "-")), t, Math.max(span / 500, 1e-3), "time that is shown");
    }
}

export async function checkKeys(page, { times }, report) {
    if (times.length < 30) return;
    const time = () => page.evaluate(() => window.holon.time());
    await page.evaluate((t) => window.holon.setTime(t), times[0]);
    await page.locator("body").press("ArrowRight");
    report.check((await time()) === times[1], "right arrow goes to the next state");
    await page.locator("body").press("Shift+ArrowRight");
    report.check((await time()) === times[11], "with Shift ten states on");
    await page.locator("body").press("ArrowLeft");
    report.check((await time()) === times[10], "left arrow goes back");
    await page.locator("body").press("End");
    report.check((await time()) === times[times.length - 1], "End goes to the end");
    await page.locator("body").press("Home");
    report.check((await time()) === times[0], "Home goes to the start");
    await page.locator("body").press(" ");
    report.check(await page.evaluate(() => window.holon.playing()), "space plays");
    await page.locator("body").press(" ");
    report.check(!(await page.evaluate(() => window.holon.playing())), "space pauses");
    const speed = await page.locator("#speed").inputValue();
    await page.locator("body").press("+");
    report.check(Number(await page.locator("#speed").inputValue()) > Number(speed), "plus is faster");
    await page.locator("body").press("?");
    report.check(await page.locator("dialog.help").isVisible(), "question mark opens the list of keys");
    await page.keyboard.press("Escape");
    report.check(!(await page.locator("dialog.help").isVisible()), "Escape closes it");
    await page.locator("#next").focus();
    await page.keyboard.press("Enter");
    report.check((await time()) > times[0], "buttons work by keyboard");
}

/* Over the centre of some body lies a part, and its label names it. */
export async function checkHover(page, { scene, times }, report) {
    await page.evaluate((t) => window.holon.setTime(t), times[0]);
    const places = await page.evaluate(() => window.holon.places());
    const parts = [scene.bodies, scene.joints, scene.points, scene.beams, scene.forces].flatMap((list) => list ?? []);
    const tip = page.locator(".view > .tip");
    for (const [x, y] of places.slice(0, 20)) {
        await page.mouse.move(x, y);
        await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
        if (await tip.isVisible()) break;
    }
    report.check(await tip.isVisible(), "a label appears over a part");
    if (!(await tip.isVisible())) return;
    const title = await tip.locator("strong").textContent();
    report.check(parts.map((part) => part.name).includes(title), `the label names a part: ${title}`);
    report.check((await tip.locator("dd").count()) > 0, "the label shows current numbers");
    await page.mouse.move(1, 1);
}
