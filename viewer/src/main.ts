// SPDX-License-Identifier: BSD-3-Clause
/* Reads the data of the page, builds the page they are of, and lets keys act on it. */
import { followSystemTheme, isDark, setDark } from "./colours.ts";
import { comparePage } from "./compare_page.ts";
import type { Header } from "./contract.ts";
import { readPage } from "./data.ts";
import { el } from "./dom.ts";
import { type Key, listen } from "./keyboard.ts";
import { Help } from "./panels/help.ts";
import { type Page, runPage } from "./run_page.ts";
import type { Stage } from "./view/stage.ts";

/* For tests and for the console: what the page shows. */
interface Handle {
    header: Header;
    bodies(): { name: string; position: [number, number, number] }[];
    places(): [number, number][]; // of the bodies in the window, in pixels
    times: { start: number; end: number };
    time(): number;
    setTime(t: number): void;
    play(): void;
    pause(): void;
    playing(): boolean;
    cursorTimes(): number[];
    flat: boolean;
    frames(): number;
    svg(picture?: Parameters<Stage["svg"]>[0] & { theme?: "light" | "dark" }): string; // the view as a picture
}

declare global {
    interface Window {
        holon?: Handle;
    }
}

function handle(header: Header, { player, stage, plots }: Page): Handle {
    return {
        header,
        bodies: () => stage?.mechanism.bodies.positions() ?? [],
        places: () => stage?.places() ?? [],
        times: { start: player?.start ?? NaN, end: player?.end ?? NaN },
        time: () => player?.time ?? NaN,
        setTime: (t) => {
            player?.set(t);
            stage?.draw();
        },
        play: () => player?.play(),
        pause: () => player?.pause(),
        playing: () => player?.playing ?? false,
        cursorTimes: () => (player ? plots.map((plot) => plot.cursorTime()) : []),
        flat: stage?.flat ?? true,
        frames: () => stage?.frames ?? 0,
        svg: ({ theme, ...picture } = {}) => {
            const dark = isDark();
            setDark(theme ? theme === "dark" : dark);
            const text = stage?.svg(picture) ?? "";
            setDark(dark);
            return text;
        },
    };
}

function keysOf({ player, stage }: Page, help: Help): Key[] {
    const step = (sign: number) => (event: KeyboardEvent) => player?.step(sign * (event.shiftKey ? 10 : 1));
    const keys: Key[] = [
        { keys: [" "], shown: "Space", text: "play or pause", action: () => player?.toggle() },
        { keys: ["ArrowLeft"], shown: "\u2190", text: "previous recorded state; with Shift ten", action: step(-1) },
        { keys: ["ArrowRight"], shown: "\u2192", text: "next recorded state; with Shift ten", action: step(1) },
        { keys: ["Home"], shown: "Home", text: "to the start", action: () => player?.set(player.start) },
        { keys: ["End"], shown: "End", text: "to the end", action: () => player?.set(player.end) },
        { keys: ["f", "F"], shown: "f", text: "show the whole motion", action: () => stage?.fit() },
        { keys: ["+", "="], shown: "+", text: "faster", action: () => player?.faster(1) },
        { keys: ["-", "_"], shown: "\u2212", text: "slower", action: () => player?.faster(-1) },
    ];
    const shown = player ? keys : [];
    return [...shown, { keys: ["?"], shown: "?", text: "this list", action: () => help.toggle() }];
}

function say(root: HTMLElement, sentence: string): void {
    root.replaceChildren(el("p", { class: "message", role: "alert" }, sentence));
}

function show(root: HTMLElement): void {
    const data = readPage(document);
    if (!data)
        return say(root, "This page contains no data: holon run MODEL --report FILE.html writes a page with data.");
    const { header, columns } = data;
    const help = new Help();
    const flat = location.hash === "#flat";
    const openHelp = (): void => help.toggle();
    const page =
        header.kind === "compare"
            ? comparePage(header, columns, flat, openHelp)
            : runPage(header, columns, flat, openHelp);
    const keys = keysOf(page, help);
    help.fill(keys);
    root.replaceChildren(...page.elements, help.dialog);
    listen(keys);
    window.holon = handle(header, page);
    if (page.player && !matchMedia("(prefers-reduced-motion: reduce)").matches) page.player.play();
}

const root = document.getElementById("page") as HTMLElement;
try {
    followSystemTheme();
    show(root);
} catch (error) {
    say(root, error instanceof Error ? error.message : String(error));
}
