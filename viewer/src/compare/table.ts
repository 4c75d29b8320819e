// SPDX-License-Identifier: BSD-3-Clause
/* The table of a comparison. Each column head is a button that sorts by it, in reverse the second time. */
import type { Summary } from "../contract.ts";
import { el, sentence } from "../dom.ts";
import { anything, number } from "../format.ts";
import { reasonOf, reasons, shortStatus } from "./reasons.ts";
import { type Direction, sortedIndices } from "./sort.ts";

interface Head {
    key: string;
    title: string;
    help: string;
    text?: boolean;
}

const HEADS: Head[] = [
    { key: "formulation", title: "Formulation", help: "constraint formulation", text: true },
    { key: "integrator", title: "Integrator", help: "time integration scheme", text: true },
    { key: "step", title: "Step", help: "time step in s; the first step of an adaptive integrator" },
    { key: "time_ratio", title: "Time ratio", help: "CPU time relative to lagrange" },
    {
        key: "position_error",
        title: "Error",
        help: "position error: largest difference of a coordinate from the reference",
    },
    { key: "max_position_violation", title: "Position", help: "max position violation" },
    { key: "max_velocity_violation", title: "Velocity", help: "max velocity violation" },
    { key: "max_energy_drift", title: "Drift", help: "max energy drift in J" },
    {
        key: "reaction_error",
        title: "Reactions",
        help: "largest difference of a unique reaction from the reference",
    },
    { key: "evaluations", title: "Evals", help: "number of evaluations" },
    { key: "iterations", title: "Iters", help: "number of iterations" },
    { key: "status", title: "Status", help: "ok, or why the run failed", text: true },
];

export class CompareTable {
    readonly element: HTMLElement;
    private readonly body = el("tbody");
    private readonly heads: { head: Head; cell: HTMLElement }[];
    private key = "";
    private direction: Direction = "ascending";

    constructor(private records: Summary[]) {
        const used = HEADS.filter((head) => records.some((record) => known(record[head.key])));
        this.heads = used.map((head) => ({ head, cell: this.headCell(head) }));
        const table = el(
            "table",
            { class: "records" },
            el("caption", {}, "All combinations. Click a column head to sort."),
            el("thead", {}, el("tr", {}, ...this.heads.map(({ cell }) => cell))),
            this.body,
        );
        this.element = el(
            "div",
            { class: "table-holder", tabindex: 0, role: "region", "aria-label": "Comparison table" },
            table,
        );
        this.fill(records.map((_, i) => i));
    }

    private headCell(head: Head): HTMLElement {
        const sort = el("button", { type: "button", title: head.help, click: () => this.sortBy(head.key) }, head.title);
        return el("th", { scope: "col", class: head.text ? "text" : "number", "aria-sort": "none" }, sort);
    }

    private sortBy(key: string): void {
        this.direction = this.key === key && this.direction === "ascending" ? "descending" : "ascending";
        this.key = key;
        this.fill(
            sortedIndices(
                this.records.map((record) => record[key]),
                this.direction,
            ),
        );
        this.heads.forEach(({ head, cell }) =>
            cell.setAttribute("aria-sort", head.key === key ? this.direction : "none"),
        );
    }

    private fill(order: number[]): void {
        this.body.replaceChildren(...order.map((i) => this.row(this.records[i])));
    }

    private row(record: Summary): HTMLElement {
        const ended = record.status === "ok";
        const cells = this.heads.map(({ head }, i) => {
            const content = this.cellText(record, head);
            const reason = head.key === "status" ? reasonOf(record) : "";
            const attributes = { class: head.text ? "text" : "number", title: reason || false };
            return i === 0 ? el("th", { scope: "row", ...attributes }, content) : el("td", attributes, content);
        });
        return el("tr", { class: ended ? "" : "failed" }, ...cells);
    }

    private cellText(record: Summary, head: Head): string {
        const value = record[head.key];
        if (head.key === "status") return shortStatus(record);
        if (head.key === "time_ratio" && typeof value === "number") return ratioText(record);
        if (typeof value === "number" && head.key !== "evaluations" && head.key !== "iterations")
            return number(value, 3);
        return anything(value);
    }
}

/* Below the table: why runs failed. */
export function reasonList(records: Summary[]): HTMLElement | null {
    const list = reasons(records);
    if (!list.length) return null;
    return el(
        "section",
        { class: "findings reasons", "aria-label": "Why runs failed" },
        el("h2", {}, "Why runs failed"),
        el("ul", {}, ...list.map((reason) => el("li", {}, sentence(reason)))),
    );
}

function known(value: unknown): boolean {
    return value !== null && value !== undefined;
}

function ratioText(record: Summary): string {
    const [low, high] = [record.time_ratio_low, record.time_ratio_high];
    const middle = (record.time_ratio as number).toFixed(2);
    if (typeof low !== "number" || typeof high !== "number" || low === high) return middle;
    return `${middle} (${low.toFixed(2)}\u2013${high.toFixed(2)})`;
}
