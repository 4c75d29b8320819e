// SPDX-License-Identifier: BSD-3-Clause
/* The work-precision diagram: error against time, both logarithmic; one point per run, steps of a method joined. */
import { lineStyle } from "../colours.ts";
import type { Summary } from "../contract.ts";
import { button, download, el, svg } from "../dom.ts";
import { csvField, fileName, number, power } from "../format.ts";
import { svgPicture } from "./svg_picture.ts";
import { logScale, type LogScale, placeLabels } from "./scale.ts";

const WORK = { time_ratio: "CPU time relative to lagrange", processor_s: "CPU time in s" };
const PRECISION = {
    position_error: "position error",
    max_energy_drift: "energy drift in J",
    max_position_violation: "position violation",
};
const TITLE = "Work-precision diagram";
const [LEFT, RIGHT, TOP, BOTTOM] = [74, 16, 12, 48];
const SHAPES = [
    "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0",
    "M-4.5-4.5h9v9h-9z",
    "M0-6 5.6 4.6H-5.6z",
    "M0-6.4 6 0 0 6.4-6 0z",
];

interface Dot {
    record: Summary;
    method: string;
    x: number;
    y: number;
}

export class Precision {
    readonly element: HTMLElement;
    private readonly holder = el("div", { class: "precision-holder" });
    private readonly tip = el("div", { class: "tip", role: "status", hidden: true });
    private readonly note = el("p", { class: "plot-note" });
    private readonly work: HTMLSelectElement;
    private readonly precision: HTMLSelectElement;
    private readonly methods: string[];

    constructor(private records: Summary[]) {
        this.methods = [...new Set(records.map(methodOf))];
        this.work = this.chooser("Work", WORK);
        this.precision = this.chooser("Precision", PRECISION);
        this.element = el(
            "section",
            { class: "card", "aria-label": TITLE },
            el(
                "div",
                { class: "card-head" },
                el("h2", {}, TITLE),
                el(
                    "div",
                    { class: "card-tools" },
                    this.precision,
                    el("span", { class: "muted" }, "over"),
                    this.work,
                    button("Save as picture", "PNG", () => this.savePicture(), { class: "small" }),
                    button("Save as table", "CSV", () => this.save(), { class: "small" }),
                ),
            ),
            this.holder,
            this.note,
        );
        new ResizeObserver(() => this.draw()).observe(this.holder);
    }

    /* Offers what at least one record has. */
    private chooser(label: string, choices: Record<string, string>): HTMLSelectElement {
        const select = el("select", { "aria-label": label, change: () => this.draw() });
        const usable = Object.keys(choices).filter((key) => this.records.some((record) => positive(record[key])));
        (usable.length ? usable : Object.keys(choices).slice(0, 1)).forEach((key) =>
            select.append(el("option", { value: key }, choices[key])),
        );
        return select;
    }

    private dots(): Dot[] {
        return this.records
            .filter((record) => positive(record[this.work.value]) && positive(record[this.precision.value]))
            .map((record) => ({
                record,
                method: methodOf(record),
                x: record[this.work.value] as number,
                y: record[this.precision.value] as number,
            }));
    }

    private draw(): void {
        const [width, height] = [this.holder.clientWidth, this.holder.clientHeight];
        if (!width || !height) return;
        const dots = this.dots();
        const left = this.records.length - dots.length;
        this.note.textContent = left
            ? `${left} of ${this.records.length} runs are not shown: this number is missing or zero.`
            : "";
        const x = logScale(
            dots.map((dot) => dot.x),
            LEFT,
            width - RIGHT,
            Math.max(3, Math.floor(width / 90)),
        );
        const y = logScale(
            dots.map((dot) => dot.y),
            height - BOTTOM,
            TOP,
        );
        const picture = svg("svg", { width, height, class: "precision", role: "group", "aria-label": TITLE });
        picture.append(
            ...this.axes(x, y, width, height),
            ...this.joins(dots, x, y),
            ...this.names(dots, x, y, width, height),
        );
        picture.append(...dots.map((dot) => this.point(dot, x, y)));
        this.holder.replaceChildren(picture, this.tip);
    }

    private axes(x: LogScale, y: LogScale, width: number, height: number): Element[] {
        const line = (x1: number, y1: number, x2: number, y2: number): Element =>
            svg("line", { x1, y1, x2, y2, class: "grid-line" });
        const text = (at: number, up: number, anchor: string, content: string): Element =>
            svg("text", { x: at, y: up, "text-anchor": anchor, class: "tick" }, content);
        const bottom = height - BOTTOM;
        return [
            ...x.ticks.flatMap((t) => [
                line(x.place(t), TOP, x.place(t), bottom),
                text(x.place(t), bottom + 17, "middle", power(t)),
            ]),
            ...y.ticks.flatMap((t) => [
                line(LEFT, y.place(t), width - RIGHT, y.place(t)),
                text(LEFT - 8, y.place(t) + 4, "end", power(t)),
            ]),
            text((LEFT + width - RIGHT) / 2, height - 8, "middle", chosen(this.work)),
            svg(
                "text",
                {
                    transform: `translate(14 ${(TOP + bottom) / 2}) rotate(-90)`,
                    "text-anchor": "middle",
                    class: "tick",
                },
                chosen(this.precision),
            ),
        ];
    }

    private style(method: string): { stroke: string; shape: string } {
        const index = this.methods.indexOf(method);
        return { stroke: lineStyle(index).stroke, shape: SHAPES[Math.floor(index / 7) % SHAPES.length] };
    }

    private joins(dots: Dot[], x: LogScale, y: LogScale): Element[] {
        return this.methods.map((method) => {
            const own = dots
                .filter((dot) => dot.method === method)
                .sort((a, b) => Number(a.record.step) - Number(b.record.step));
            const points = own.map((dot) => `${x.place(dot.x)},${y.place(dot.y)}`).join(" ");
            return svg("polyline", { points, fill: "none", stroke: this.style(method).stroke, "stroke-opacity": 0.6 });
        });
    }

    /* A method is named once, at its first point that has room. */
    private names(dots: Dot[], x: LogScale, y: LogScale, width: number, height: number): Element[] {
        const firsts = this.methods.flatMap((method) => dots.filter((dot) => dot.method === method).slice(0, 1));
        const rest = dots.filter((dot) => !firsts.includes(dot));
        const all = [...firsts, ...rest].map((dot, i) => ({
            x: x.place(dot.x),
            y: y.place(dot.y),
            width: i < firsts.length ? 6.1 * dot.method.length : 0,
        }));
        const inside = { x: LEFT, y: TOP, width: width - LEFT - RIGHT, height: height - TOP - BOTTOM };
        return placeLabels(all, inside)
            .slice(0, firsts.length)
            .flatMap((box, i) =>
                box ? [svg("text", { x: box.x, y: box.y + 10, class: "dot-name" }, firsts[i].method)] : [],
            );
    }

    private point(dot: Dot, x: LogScale, y: LogScale): Element {
        const { stroke, shape } = this.style(dot.method);
        const text = this.describe(dot);
        const place = { x: x.place(dot.x), y: y.place(dot.y) };
        const mark = svg("path", {
            d: shape,
            fill: stroke,
            class: "dot",
            tabindex: 0,
            role: "img",
            "aria-label": text,
            transform: `translate(${place.x} ${place.y})`,
        });
        const show = (): void => {
            this.tip.textContent = text;
            this.tip.hidden = false;
            const right = place.x > this.holder.clientWidth / 2;
            const x = place.x + (right ? -10 : 10);
            this.tip.style.transform = `translate(${x}px, ${place.y}px) translate(${right ? -100 : 0}%, -50%)`;
        };
        const hide = (): void => void (this.tip.hidden = true);
        mark.addEventListener("pointerenter", show);
        mark.addEventListener("focus", show);
        mark.addEventListener("pointerleave", hide);
        mark.addEventListener("blur", hide);
        return mark;
    }

    private describe({ record, method, x, y }: Dot): string {
        const step = typeof record.step === "number" ? `, step ${number(record.step)} s` : "";
        return `${method}${step}: ${chosen(this.precision)} ${number(y, 3)}, ${chosen(this.work)} ${number(x, 3)}`;
    }

    private savePicture(): void {
        const picture = this.holder.querySelector("svg");
        if (picture) void svgPicture(picture).then((blob) => blob && download(fileName(TITLE, "png"), blob));
    }

    private save(): void {
        const lines = this.dots().map((dot) =>
            [csvField(dot.method), String(dot.record.step ?? ""), dot.x, dot.y].join(","),
        );
        const text = [`method,step,${this.work.value},${this.precision.value}`, ...lines].join("\n") + "\n";
        download(fileName(TITLE, "csv"), new Blob([text], { type: "text/csv" }));
    }
}

function positive(value: unknown): boolean {
    return typeof value === "number" && value > 0 && Number.isFinite(value);
}

function methodOf(record: Summary): string {
    return [record.formulation, record.integrator].filter(Boolean).join(" ");
}

function chosen(select: HTMLSelectElement): string {
    return select.selectedOptions[0]?.textContent ?? "";
}
