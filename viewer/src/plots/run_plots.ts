// SPDX-License-Identifier: BSD-3-Clause
/* The plots of a run: the standard ones, and any number of chosen ones. */
import { lineStyle } from "../colours.ts";
import type { RunHeader } from "../contract.ts";
import { type Column } from "../data.ts";
import { button, el } from "../dom.ts";
import type { Player } from "../player.ts";
import { isUnique, lineOf } from "./lines.ts";
import { Picker } from "./picker.ts";
import { Plot } from "./plot.ts";

interface Standard {
    title: string;
    names: string[];
    log?: boolean;
}

const STANDARD: Standard[] = [
    { title: "Constraint violations", names: ["violation.position", "violation.velocity"], log: true },
    { title: "Energy", names: ["energy.kinetic", "energy.potential", "energy.total"] },
    { title: "Energy drift", names: ["energy.drift"] },
    { title: "Distance from a singular configuration", names: ["singular.sigma_min"], log: true },
];

const FIRST_CHOICE = 3;

export class RunPlots {
    readonly element = el("section", { class: "plots", "aria-label": "Plots" });
    readonly plots: Plot[] = [];
    private readonly adder: HTMLElement;

    constructor(
        private header: RunHeader,
        private columns: Column[],
        private times: ArrayLike<number>,
        private player: Player,
    ) {
        this.adder = button("Add a plot", "Add a plot", () => this.addChosen("Chosen columns", [], true), {
            class: "add",
        });
        this.element.append(this.adder);
        STANDARD.forEach((standard) => this.addStandard(standard));
        const forces = this.reactionColumns();
        if (forces.length) this.addChosen("Reactions", forces, false);
        const coordinates = this.coordinateColumns();
        if (coordinates.length) this.addChosen("Chosen columns", coordinates, false);
    }

    private index(name: string): number {
        return this.columns.findIndex(
            (column, i) => column.name === name && column.values.length === this.times.length && i > 0,
        );
    }

    private place(plot: Plot): void {
        this.plots.push(plot);
        this.element.insertBefore(plot.element, this.adder);
    }

    private addStandard({ title, names, log }: Standard): void {
        const found = names.map((name) => this.index(name)).filter((index) => index >= 0);
        if (!found.length) return;
        const lines = found.map((index, order) => {
            const { name, unit, values } = this.columns[index];
            return { label: name, unit, values, ...lineStyle(order) };
        });
        this.place(new Plot({ title, lines, times: this.times, log, events: this.header.events }, this.player));
    }

    /* Reactions that are not unique first, since they need attention. */
    private reactionColumns(): number[] {
        const width = this.header.planar ? 2 : 3;
        const joints = (this.header.joints ?? []).filter((joint) => joint.column >= 0);
        const all = joints.flatMap((joint) => Array.from({ length: width }, (_, i) => joint.column + i));
        const open = all.filter((column) => !isUnique(this.header, column));
        const first = joints[0] ? all.slice(0, width) : [];
        return [...new Set([...open.slice(0, 4), ...(open.length ? [] : first)])];
    }

    private coordinateColumns(): number[] {
        const { points, bodies, planar } = this.header;
        const body = bodies[bodies.length - 1];
        const column = points?.length ? points[points.length - 1].column : body?.column;
        return column === undefined ? [] : Array.from({ length: planar ? 2 : FIRST_CHOICE }, (_, i) => column + i);
    }

    private addChosen(title: string, chosen: number[], open: boolean): void {
        const lines = (): ReturnType<typeof lineOf>[] =>
            [...picker.chosen].map((column, order) => lineOf(this.header, this.columns, column, order));
        const picker = new Picker(this.header, this.columns, chosen, () => plot.setLines(lines()));
        const plot = new Plot({ title, lines: lines(), times: this.times, events: this.header.events }, this.player);
        plot.element.querySelector(".card-head")?.after(picker.element);
        picker.element.open = open;
        this.place(plot);
    }
}
