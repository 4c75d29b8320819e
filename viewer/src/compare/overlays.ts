// SPDX-License-Identifier: BSD-3-Clause
/* Violation and energy drift of all runs of a comparison, one line each. */
import { lineStyle } from "../colours.ts";
import type { CompareHeader } from "../contract.ts";
import type { Column } from "../data.ts";
import type { Player } from "../player.ts";
import type { Line } from "../plots/lines.ts";
import { Plot } from "../plots/plot.ts";

const KINDS = [
    { title: "Position violation", offset: 1 },
    { title: "Velocity violation", offset: 2 },
    { title: "Energy drift", offset: 3 },
];

export function overlayPlots(header: CompareHeader, columns: Column[], player: Player | null): Plot[] {
    const series = header.series ?? [];
    if (!series.length) return [];
    return KINDS.map(({ title, offset }) => {
        const lines = series.map((one, i): Line => {
            const { unit, values } = columns[one.column + offset];
            return { label: one.label, unit, values, times: columns[one.column].values, ...lineStyle(i) };
        });
        return new Plot({ title, lines, times: null, log: true, height: 280 }, player);
    });
}
