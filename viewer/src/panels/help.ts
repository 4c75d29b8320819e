// SPDX-License-Identifier: BSD-3-Clause
/* The overlay that lists the keys. */
import { button, el } from "../dom.ts";
import type { Key } from "../keyboard.ts";

const MOUSE: [string, string][] = [
    ["drag in the view", "rotate; in the plane move"],
    ["right drag", "move; in the plane rotate"],
    ["wheel, pinch", "zoom"],
    ["click in a plot", "go to that time"],
    ["drag in a plot", "zoom; double click shows all"],
];

export class Help {
    readonly dialog = el("dialog", { class: "help", "aria-label": "Keys and mouse" });

    fill(keys: Key[]): void {
        const row = (name: string, text: string): HTMLElement =>
            el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, text));
        this.dialog.replaceChildren(
            el(
                "div",
                { class: "help-head" },
                el("h2", {}, "Keys"),
                button("Close", "Close", () => this.dialog.close()),
            ),
            el("table", {}, el("tbody", {}, ...keys.map((key) => row(key.shown, key.text)))),
            el("h2", {}, "Mouse and touch"),
            el("table", {}, el("tbody", {}, ...MOUSE.map(([name, text]) => row(name, text)))),
        );
    }

    toggle(): void {
        if (this.dialog.open) this.dialog.close();
        else this.dialog.showModal();
    }
}
