// SPDX-License-Identifier: BSD-3-Clause
/* Colours that are distinguishable with any colour vision (Okabe and Ito), and those of the theme. */

export const PALETTE = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#8a8f98", "#f0e442"];
const DASHES: number[][] = [[], [8, 4], [2, 3], [10, 3, 2, 3]];

/* With more lines than colours the dashes change. Yellow is left to the bodies: lines of it vanish on white. */
export function lineStyle(index: number): { stroke: string; dash: number[] } {
    const lines = PALETTE.slice(0, 7);
    return { stroke: lines[index % lines.length], dash: DASHES[Math.floor(index / lines.length) % DASHES.length] };
}

export const NOT_UNIQUE_DASH = [5, 4];
export const REACTION = "#d55e00";
export const PATH = "#009e73";

/* A colour of the style sheet, as it is in the present theme. */
export function themeColour(name: string): string {
    return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

type Listener = () => void;
const listeners: Listener[] = [];

export function onTheme(listener: Listener): void {
    listeners.push(listener);
}

export function isDark(): boolean {
    return document.documentElement.dataset.theme === "dark";
}

export function setDark(dark: boolean): void {
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    listeners.forEach((listener) => listener());
}

/* Follows the system theme; the button overrides it until the system theme changes. */
export function followSystemTheme(): void {
    const system = matchMedia("(prefers-color-scheme: dark)");
    setDark(system.matches);
    system.addEventListener("change", () => setDark(system.matches));
}
