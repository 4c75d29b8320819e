// SPDX-License-Identifier: BSD-3-Clause
/* A plot over time: lines, a cursor that follows the clock, events, a legend of buttons, export. */
import uPlot from "uplot";
import { onTheme, themeColour } from "../colours.ts";
import type { RunEvent } from "../contract.ts";
import { locate, valueAt } from "../data.ts";
import { button, download, el } from "../dom.ts";
import { csv, fileName, number, power } from "../format.ts";
import type { Player } from "../player.ts";
import { drawEvents, eventNear } from "./events.ts";
import { plotPicture } from "./picture.ts";
import { decades, joinTimes, type Line, linearValues, logRange, logValues } from "./lines.ts";

export interface PlotOptions {
    title: string;
    lines: Line[];
    times: ArrayLike<number> | null; // null: each line has its own
    log?: boolean;
    events?: RunEvent[];
    note?: string;
    height?: number;
    extra?: HTMLElement; // beside the title
}

const MANY = 6;
const AXIS_FONT = "12px system-ui, sans-serif";

export class Plot {
    readonly element: HTMLElement;
    lines: Line[];
    log: boolean;
    private readonly hidden = new Set<string>();
    private readonly holder = el("div", { class: "plot-holder" });
    private readonly legend = el("ul", { class: "legend" });
    private readonly now = el("div", { class: "now" });
    private readonly tip = el("div", { class: "tip plot-tip", hidden: true });
    private readonly note = el("p", { class: "plot-note", hidden: true });
    private readonly logButton: HTMLButtonElement;
    private values: HTMLElement[] = [];
    private chart: uPlot | null = null;
    private hovered: number | null = null;
    private times: ArrayLike<number> = [];

    constructor(
        readonly options: PlotOptions,
        private player: Player | null,
    ) {
        this.lines = options.lines;
        this.log = options.log ?? false;
        this.logButton = button("Logarithmic axis", "log", () => this.setLog(!this.log), { class: "small" });
        this.element = el(
            "section",
            { class: "card plot", "aria-label": options.title },
            el(
                "div",
                { class: "card-head" },
                el("h2", {}, options.title),
                el(
                    "div",
                    { class: "card-tools" },
                    options.extra ?? null,
                    this.logButton,
                    button("Save as picture", "PNG", () => this.savePicture(), { class: "small" }),
                    button("Save as table", "CSV", () => this.saveTable(), { class: "small" }),
                ),
            ),
            this.legend,
            this.holder,
            this.note,
        );
        this.holder.append(this.tip);
        new ResizeObserver(() => this.resize()).observe(this.holder);
        player?.onChange(() => this.follow());
        onTheme(() => this.chart?.redraw());
    }

    private get height(): number {
        return this.options.height ?? 190;
    }

    setLines(lines: Line[]): void {
        this.lines = lines;
        this.rebuild();
    }

    private setLog(log: boolean): void {
        this.log = log;
        this.rebuild();
    }

    private resize(): void {
        const width = this.holder.clientWidth;
        if (!width) return;
        if (!this.chart) this.rebuild();
        else if (this.chart.width !== width) this.chart.setSize({ width, height: this.height });
        this.follow();
    }

    /* A logarithmic axis needs something larger than zero. */
    private get showsLog(): boolean {
        return this.log && this.lines.some((line) => logValues(line.values).some((value) => value !== null));
    }

    private data(): uPlot.AlignedData {
        const convert = this.showsLog ? logValues : linearValues;
        const lines = this.lines.map((line) => ({ ...line, values: convert(line.values) as number[] }));
        if (this.options.times) {
            this.times = this.options.times;
            return [Array.from(this.times), ...lines.map((line) => line.values)];
        }
        const joined = joinTimes(lines);
        this.times = joined.times;
        return [joined.times, ...joined.columns] as uPlot.AlignedData;
    }

    private rebuild(): void {
        const width = this.holder.clientWidth;
        if (!width) return;
        this.chart?.destroy();
        this.makeLegend();
        this.logButton.setAttribute("aria-pressed", String(this.log));
        const silent = this.log && !this.showsLog && this.lines.length > 0;
        this.note.textContent = silent ? "All values are zero: the axis is linear." : (this.options.note ?? "");
        this.note.hidden = !this.note.textContent;
        const data = this.data();
        this.chart = new uPlot(this.chartOptions(width), data, this.holder);
        this.chart.over.append(this.now);
        this.listenTo(this.chart.over);
        this.follow();
    }

    private chartOptions(width: number): uPlot.Options {
        const units = [...new Set(this.lines.map((line) => line.unit))];
        const scales: uPlot.Scales = { x: { time: false } };
        units.forEach(
            (unit) => (scales[`y ${unit}`] = { range: this.showsLog ? (_, low, high) => logRange(low, high) : padded }),
        );
        if (!units.length) scales["y "] = { range: () => [0, 1] };
        return {
            width,
            height: this.height,
            scales,
            legend: { show: false },
            cursor: { y: false, drag: { x: true, y: false }, points: { size: 6 }, sync: undefined },
            padding: [10, units.length > 1 ? 4 : 14, 0, 0],
            axes: this.axes(units.length ? units : [""]),
            series: [{}, ...this.lines.map((line) => this.seriesOf(line))],
            hooks: {
                draw: [(u) => drawEvents(u, this.options.events ?? [])],
                setScale: [() => this.follow()],
                setSize: [() => this.follow()],
                setCursor: [(u) => this.point(u)],
            },
        };
    }

    private seriesOf(line: Line): uPlot.Series {
        return {
            label: line.label,
            scale: `y ${line.unit}`,
            stroke: line.stroke,
            width: 1.6,
            dash: line.dash.length ? line.dash : undefined,
            show: !this.hidden.has(line.label),
            points: { show: this.times.length === 1 },
            spanGaps: false,
        };
    }

    private axes(units: string[]): uPlot.Axis[] {
        const common = {
            font: AXIS_FONT,
            labelFont: AXIS_FONT,
            stroke: () => themeColour("muted"),
            grid: { stroke: () => themeColour("plot-grid"), width: 1 },
            ticks: { stroke: () => themeColour("plot-grid"), width: 1, size: 4 },
        };
        const x: uPlot.Axis = {
            ...common,
            size: 30,
            gap: 4,
            values: (_, ticks) => ticks.map((t, i) => number(t, 6) + (i ? "" : " s")),
            space: 60,
        };
        const y = units.slice(0, 2).map((unit, i): uPlot.Axis => ({
            ...common,
            scale: `y ${unit}`,
            side: i ? 1 : 3,
            size: (_, ticks) => 18 + 7 * Math.max(3, ...(ticks ?? []).map((tick) => tick.length)),
            label: unit,
            labelSize: unit ? 18 : 0,
            labelGap: 0,
            space: 28,
            grid: { ...common.grid, show: i === 0 },
            values: (_, ticks) => ticks.map((tick) => (this.showsLog ? power(10 ** tick) : number(tick, 6))),
            ...(this.showsLog
                ? { splits: (_u: uPlot, _a: number, low: number, high: number) => decades(low, high, this.height / 30) }
                : {}),
        }));
        return [x, ...y];
    }

    private makeLegend(): void {
        this.values = this.lines.map(() => el("span", { class: "value" }));
        const item = (line: Line, i: number): HTMLElement => {
            const toggle = button(`Show or hide ${line.label}`, swatch(line), () => this.toggle(line, i, toggle), {
                class: "key",
            });
            toggle.append(el("span", { class: "name" }, line.label), this.values[i]);
            toggle.setAttribute("aria-pressed", String(!this.hidden.has(line.label)));
            return el("li", {}, toggle);
        };
        this.legend.replaceChildren(...(this.lines.length > MANY ? [this.allOrNone()] : []), ...this.lines.map(item));
    }

    private allOrNone(): HTMLElement {
        const set = (shown: boolean): void => {
            this.hidden.clear();
            if (!shown) this.lines.forEach((line) => this.hidden.add(line.label));
            this.rebuild();
        };
        return el(
            "li",
            { class: "all-or-none" },
            button("Show all lines", "All", () => set(true), { class: "small" }),
            button("Hide all lines", "None", () => set(false), { class: "small" }),
        );
    }

    private toggle(line: Line, index: number, key: HTMLElement): void {
        const hide = !this.hidden.has(line.label);
        if (hide) this.hidden.add(line.label);
        else this.hidden.delete(line.label);
        key.setAttribute("aria-pressed", String(!hide));
        this.chart?.setSeries(index + 1, { show: !hide });
    }

    /* A click that is no drag sets the time. A double click shows all: then the time is as before its first click. */
    private listenTo(over: HTMLElement): void {
        let from = 0;
        let before = { time: 0, playing: false };
        over.addEventListener("pointerdown", (event) => (from = event.clientX));
        over.addEventListener("dblclick", () => {
            this.player?.set(before.time);
            if (before.playing) this.player?.play();
        });
        over.addEventListener("click", (event) => {
            if (!this.player || !this.chart || Math.abs(event.clientX - from) > 3 || event.detail > 1) return;
            before = { time: this.player.time, playing: this.player.playing };
            this.player.pause();
            this.player.set(this.chart.posToVal(event.clientX - over.getBoundingClientRect().left, "x"));
        });
        over.addEventListener("pointerleave", () => {
            this.hovered = null;
            this.tip.hidden = true;
            this.showValues();
        });
    }

    private point(u: uPlot): void {
        const x = u.cursor.left ?? -1;
        this.hovered = x >= 0 ? u.posToVal(x, "x") : null;
        const event = x >= 0 ? eventNear(u, this.options.events ?? [], x) : null;
        this.tip.hidden = !event;
        if (event) {
            this.tip.textContent = `${number(event.t, 6)} s: ${event.text}`;
            const left = u.over.offsetLeft + x;
            const right = left > this.holder.clientWidth / 2;
            const beside = left + (right ? -10 : 10);
            this.tip.style.transform = `translate(${beside}px, 14px) translateX(${right ? -100 : 0}%)`;
        }
        this.showValues();
    }

    /* The line of the clock, where it is within what is shown. */
    private follow(): void {
        if (!this.chart || !this.player) return;
        const x = this.chart.valToPos(this.player.time, "x");
        this.now.style.transform = `translateX(${x}px)`;
        this.now.hidden = !(x >= -1 && x <= this.chart.bbox.width / uPlot.pxRatio + 1);
        this.showValues();
    }

    /* The time that the cursor really stands at. */
    cursorTime(): number {
        if (!this.chart) return NaN;
        return this.chart.posToVal(new DOMMatrixReadOnly(getComputedStyle(this.now).transform).m41, "x");
    }

    private showValues(): void {
        const t = this.hovered ?? this.player?.time;
        this.lines.forEach((line, i) => {
            if (t === undefined || !this.values[i]) return;
            const { row, fraction } = locate(line.times ?? this.times, t);
            const text = number(valueAt(line.values, row, fraction), 4);
            if (this.values[i].textContent !== text) this.values[i].textContent = text;
        });
    }

    private get visible(): Line[] {
        return this.lines.filter((line) => !this.hidden.has(line.label));
    }

    private savePicture(): void {
        if (!this.chart) return;
        plotPicture(this.chart, this.options.title, this.visible).toBlob((blob) => {
            if (blob) download(fileName(this.options.title, "png"), blob);
        });
    }

    private saveTable(): void {
        const names = this.visible.map((line) => (line.unit ? `${line.label} [${line.unit}]` : line.label));
        const joined = this.options.times ? null : joinTimes(this.visible);
        const times = joined?.times ?? (this.options.times as ArrayLike<number>);
        const columns = joined
            ? (joined.columns as number[][]).map((c) => c.map((v) => v ?? NaN))
            : this.visible.map((l) => l.values);
        const text = csv(["t [s]", ...names], [times, ...columns]);
        download(fileName(this.options.title, "csv"), new Blob([text], { type: "text/csv" }));
    }
}

/* A constant gets room around it; the rest a twentieth at both ends. */
function padded(_: uPlot, low: number, high: number): [number, number] {
    if (low === null || high === null) return [0, 1];
    const span = high - low;
    const least = Math.max(Math.abs(high), Math.abs(low)) * 1e-9;
    if (!(span > least)) {
        const around = Math.abs(high) * 0.1 || 1;
        return [low - around, high + around];
    }
    return [low - 0.05 * span, high + 0.05 * span];
}

export function swatch(line: { stroke: string; dash: number[] }): HTMLElement {
    const dashed = line.dash.length > 0;
    return el("span", { class: "swatch", style: `border-top: 3px ${dashed ? "dashed" : "solid"} ${line.stroke}` });
}
