// SPDX-License-Identifier: BSD-3-Clause
/* Play, pause, scrub, speed, loop: real buttons and inputs, each with a name. */
import type { RunEvent } from "../contract.ts";
import { button, el, icon } from "../dom.ts";
import { time, timeDecimals } from "../format.ts";
import { type Player, SPEEDS } from "../player.ts";

export function controls(player: Player, rows: number, events: RunEvent[]): HTMLElement {
    const span = player.end - player.start;
    const decimals = timeDecimals(span, rows);
    const play = button("Play or pause (space)", icon("play"), () => player.toggle(), {
        class: "tool play",
        id: "play",
    });
    const scrubber = el("input", {
        type: "range",
        id: "scrubber",
        min: player.start,
        max: player.end,
        step: "any",
        "aria-label": "Time in seconds",
        input: () => {
            player.pause();
            player.set(Number(scrubber.value));
        },
    });
    const readout = el("output", { class: "readout", id: "readout" });
    const speed = el("select", {
        id: "speed",
        "aria-label": "Speed",
        change: () => player.setSpeed(Number(speed.value)),
    });
    SPEEDS.forEach((value) => speed.append(el("option", { value }, `${value}\u00d7`)));
    const loop = el("input", { type: "checkbox", id: "loop", change: () => player.setLoop(loop.checked) });
    const update = (): void => {
        const state = String(player.playing);
        if (play.getAttribute("aria-pressed") !== state) {
            play.setAttribute("aria-pressed", state);
            play.replaceChildren(icon(player.playing ? "pause" : "play"));
        }
        scrubber.value = String(player.time);
        scrubber.setAttribute("aria-valuetext", `${time(player.time, decimals)} s`);
        readout.textContent = `${time(player.time, decimals)} / ${time(player.end, decimals)} s`;
        speed.value = String(player.speed);
        loop.checked = player.loop;
    };
    player.onChange(update);
    update();
    return el(
        "div",
        { class: "controls", role: "group", "aria-label": "Playback" },
        el("div", { class: "scrub" }, scrubber, ticks(events, player)),
        el(
            "div",
            { class: "buttons" },
            button("To the start (Home)", icon("first"), () => player.set(player.start), {
                class: "tool",
                id: "first",
            }),
            button("Previous state (left)", icon("back"), () => player.step(-1), { class: "tool", id: "back" }),
            play,
            button("Next state (right)", icon("next"), () => player.step(1), { class: "tool", id: "next" }),
            button("To the end (End)", icon("last"), () => player.set(player.end), { class: "tool", id: "last" }),
            readout,
            el("label", { class: "field" }, el("span", {}, "Speed"), speed),
            el("label", { class: "field" }, loop, "Loop"),
        ),
    );
}

/* Marks of events on the time line. */
function ticks(events: RunEvent[], player: Player): HTMLElement {
    const at = ({ t }: RunEvent): number => (100 * (t - player.start)) / (player.end - player.start || 1);
    const list = events.map((event) => el("i", { style: `left:${at(event)}%` }));
    return el("div", { class: "ticks", "aria-hidden": "true" }, ...list);
}

/* The list of events; choosing one sets its time. */
export function eventList(events: RunEvent[], player: Player): HTMLElement | null {
    if (!events.length) return null;
    const item = (event: RunEvent): HTMLElement =>
        el(
            "li",
            {},
            el(
                "button",
                { type: "button", class: "event", click: () => goTo(event) },
                el("span", { class: "event-time" }, `${Number(event.t.toPrecision(6))} s`),
                el("span", {}, event.text),
            ),
        );
    const goTo = (event: RunEvent): void => {
        player.pause();
        player.set(event.t);
    };
    return el(
        "details",
        { class: "events", open: events.length <= 3 },
        el("summary", {}, events.length === 1 ? "1 event" : `${events.length} events`),
        el("ul", {}, ...events.map(item)),
    );
}
