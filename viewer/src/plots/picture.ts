// SPDX-License-Identifier: BSD-3-Clause
/* A plot as a picture of its own: title, names of the lines, and the chart on a plain ground. */
import type uPlot from "uplot";
import { themeColour } from "../colours.ts";
import type { Line } from "./lines.ts";

const GAP = 14;

export function plotPicture(chart: uPlot, title: string, lines: Line[]): HTMLCanvasElement {
    const source = chart.ctx.canvas;
    const ratio = source.width / chart.width;
    const canvas = document.createElement("canvas");
    const context = canvas.getContext("2d") as CanvasRenderingContext2D;
    const font = `${12 * ratio}px system-ui, sans-serif`;
    context.font = font;
    const rows = wrap(
        lines,
        (line) => (26 + GAP) * ratio + context.measureText(line.label).width,
        source.width - 20 * ratio,
    );
    const top = (34 + 18 * rows.length) * ratio;
    canvas.width = source.width;
    canvas.height = source.height + top;
    context.fillStyle = themeColour("card");
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.fillStyle = themeColour("text");
    context.textBaseline = "middle";
    context.font = `600 ${14 * ratio}px system-ui, sans-serif`;
    context.fillText(title, 10 * ratio, 18 * ratio);
    context.font = font;
    rows.forEach((row, i) => drawNames(context, row, (38 + 18 * i) * ratio, ratio));
    context.drawImage(source, 0, top);
    return canvas;
}

function wrap(lines: Line[], width: (line: Line) => number, room: number): Line[][] {
    const rows: Line[][] = [];
    let used = Infinity;
    for (const line of lines) {
        if (used + width(line) > room) {
            rows.push([]);
            used = 0;
        }
        rows[rows.length - 1].push(line);
        used += width(line);
    }
    return rows;
}

function drawNames(context: CanvasRenderingContext2D, row: Line[], y: number, ratio: number): void {
    let x = 10 * ratio;
    for (const line of row) {
        context.strokeStyle = line.stroke;
        context.lineWidth = 2 * ratio;
        context.setLineDash(line.dash.map((d) => d * ratio));
        context.beginPath();
        context.moveTo(x, y);
        context.lineTo(x + 20 * ratio, y);
        context.stroke();
        context.fillText(line.label, x + 26 * ratio, y);
        x += (26 + GAP) * ratio + context.measureText(line.label).width;
    }
    context.setLineDash([]);
}
