// SPDX-License-Identifier: BSD-3-Clause
/* Events as vertical lines in a plot. */
import type uPlot from "uplot";
import { themeColour } from "../colours.ts";
import type { RunEvent } from "../contract.ts";

const NEAR = 6;
const NAMED = 6;

export function drawEvents(u: uPlot, events: RunEvent[]): void {
    const { ctx, bbox } = u;
    const ratio = devicePixelRatio || 1;
    ctx.save();
    ctx.strokeStyle = ctx.fillStyle = themeColour("event");
    ctx.lineWidth = ratio;
    ctx.font = `${11 * ratio}px system-ui, sans-serif`;
    ctx.textBaseline = "top";
    const shown = events.filter(({ t }) => t >= (u.scales.x.min ?? 0) && t <= (u.scales.x.max ?? 0));
    for (const event of shown) {
        const x = Math.round(u.valToPos(event.t, "x", true));
        ctx.setLineDash([4 * ratio, 3 * ratio]);
        ctx.beginPath();
        ctx.moveTo(x, bbox.top);
        ctx.lineTo(x, bbox.top + bbox.height);
        ctx.stroke();
        if (shown.length > NAMED) continue;
        const left = x > bbox.left + 0.8 * bbox.width;
        ctx.textAlign = left ? "right" : "left";
        ctx.fillStyle = themeColour("card");
        const width = ctx.measureText(event.kind).width;
        ctx.fillRect(x + (left ? -width - 6 * ratio : 2 * ratio), bbox.top + ratio, width + 4 * ratio, 14 * ratio);
        ctx.fillStyle = themeColour("event");
        ctx.fillText(event.kind, x + (left ? -4 : 4) * ratio, bbox.top + 3 * ratio);
    }
    ctx.restore();
}

export function eventNear(u: uPlot, events: RunEvent[], x: number): RunEvent | null {
    const away = (event: RunEvent): number => Math.abs(u.valToPos(event.t, "x") - x);
    const near = events.filter((event) => away(event) <= NEAR).sort((a, b) => away(a) - away(b));
    return near[0] ?? null;
}
