// SPDX-License-Identifier: BSD-3-Clause
/* Chooses the columns of a plot: search, or open a part. Lists are made when opened: there may be thousands. */
import type { RunHeader } from "../contract.ts";
import type { Column } from "../data.ts";
import { el } from "../dom.ts";
import { type Group, groupColumns, searchColumns } from "./groups.ts";
import { isUnique } from "./lines.ts";

const MOST_FOUND = 60;

export class Picker {
    readonly element: HTMLDetailsElement;
    readonly chosen: Set<number>;
    private readonly groups: Group[];
    private readonly list = el("div", { class: "picker-list" });
    private readonly search: HTMLInputElement;

    constructor(
        private header: RunHeader,
        private columns: Column[],
        chosen: number[],
        private changed: () => void,
    ) {
        this.chosen = new Set(chosen);
        this.groups = groupColumns(header, columns);
        this.search = el("input", {
            type: "search",
            placeholder: "Search, e.g. crank or fx",
            "aria-label": "Search columns",
            input: () => this.fill(),
        });
        const clear = el("button", { type: "button", class: "small", click: () => this.clear() }, "Clear");
        this.element = el(
            "details",
            { class: "picker" },
            el("summary", {}, "Choose columns"),
            el("div", { class: "picker-box" }, el("div", { class: "picker-head" }, this.search, clear), this.list),
        );
        this.element.addEventListener("toggle", () => this.element.open && !this.list.childElementCount && this.fill());
    }

    private clear(): void {
        this.chosen.clear();
        this.fill();
        this.changed();
    }

    private fill(): void {
        const text = this.search.value.trim();
        if (!text) return this.list.replaceChildren(...this.groups.map((group) => this.groupElement(group)));
        const found = searchColumns(this.groups, this.columns, text);
        const rows = found.slice(0, MOST_FOUND).map((column) => this.box(column));
        const more =
            found.length > MOST_FOUND
                ? `${found.length - MOST_FOUND} more`
                : found.length
                  ? ""
                  : "No column has this name.";
        return this.list.replaceChildren(...rows, ...(more ? [el("p", { class: "plot-note" }, more)] : []));
    }

    private groupElement(group: Group): HTMLElement {
        const body = el("div", { class: "group-body" });
        const name = el("summary", {}, group.name, el("span", { class: "kind" }, group.kind));
        const details = el("details", { class: "group" }, name, body);
        details.addEventListener("toggle", () => {
            if (details.open && !body.childElementCount)
                body.append(...group.columns.map((column) => this.box(column)));
        });
        return details;
    }

    private box(column: number): HTMLElement {
        const { name, unit } = this.columns[column];
        const input = el("input", {
            type: "checkbox",
            change: () => {
                if (input.checked) this.chosen.add(column);
                else this.chosen.delete(column);
                this.changed();
            },
        });
        input.checked = this.chosen.has(column);
        const note = isUnique(this.header, column) ? "" : " (not unique)";
        return el("label", { class: "field" }, input, name + note, el("span", { class: "kind" }, unit));
    }
}
