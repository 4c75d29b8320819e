// SPDX-License-Identifier: BSD-3-Clause
/* What a plot shows: lines over a common time, each with a name and a unit. Also how columns become such lines. */
import { lineStyle, NOT_UNIQUE_DASH } from "../colours.ts";
import type { RunHeader } from "../contract.ts";
import type { Column } from "../data.ts";

export interface Line {
    label: string;
    unit: string;
    values: ArrayLike<number>;
    stroke: string;
    dash: number[];
    times?: ArrayLike<number>; // where they are not those of the plot
}

/* The component of a reaction that a column is, or -1: planar fx fy tz, spatial fx fy fz tx ty tz. */
export function reactionComponent(header: RunHeader, column: number): { joint: number; component: number } | null {
    const count = header.planar ? 3 : 6;
    const joints = header.joints ?? [];
    const joint = joints.findIndex((j) => j.column >= 0 && column >= j.column && column < j.column + count);
    if (joint < 0) return null;
    const offset = column - joints[joint].column;
    return { joint, component: header.planar ? [0, 1, 5][offset] : offset };
}

export function isUnique(header: RunHeader, column: number): boolean {
    const found = reactionComponent(header, column);
    return !found || (header.joints ?? [])[found.joint].unique?.[found.component] !== false;
}

export function lineOf(header: RunHeader, columns: Column[], column: number, order: number): Line {
    const { name, unit, values } = columns[column];
    const style = lineStyle(order);
    if (isUnique(header, column)) return { label: name, unit, values, ...style };
    return { label: `${name} (not unique)`, unit, values, stroke: style.stroke, dash: NOT_UNIQUE_DASH };
}

/* For a logarithmic axis: decimal logarithms of magnitudes, null for zero. */
export function logValues(values: ArrayLike<number>): (number | null)[] {
    return Array.from(values, (value) => (Number.isFinite(value) && value !== 0 ? Math.log10(Math.abs(value)) : null));
}

const MOST_DECADES = 16;

/* Whole decades around the values. Values below the rounding of the largest are cut off. */
export function logRange(low: number | null, high: number | null): [number, number] {
    if (low === null || high === null) return [-1, 1];
    const top = Math.ceil(high + 1e-9);
    return [Math.max(Math.min(Math.floor(low), top - 1), top - MOST_DECADES), top];
}

/* Decades with a tick, at most this many. */
export function decades(low: number, high: number, most: number): number[] {
    const skip = Math.max(1, Math.ceil((high - low) / Math.max(1, most)));
    const first = Math.ceil(low / skip) * skip;
    return Array.from({ length: Math.max(0, Math.floor((high - first) / skip) + 1) }, (_, i) => first + i * skip);
}

export function linearValues(values: ArrayLike<number>): (number | null)[] {
    return Array.from(values, (value) => (Number.isFinite(value) ? value : null));
}

/* Lines over different times on one ascending time; gaps are undefined, which are drawn across. */
export function joinTimes(lines: Line[]): { times: number[]; columns: (number | null | undefined)[][] } {
    const times = [...new Set(lines.flatMap((line) => Array.from(line.times ?? [])))].sort((a, b) => a - b);
    const row = new Map(times.map((t, i) => [t, i]));
    const columns = lines.map((line) => {
        const values: (number | null | undefined)[] = new Array(times.length).fill(undefined);
        Array.from(line.times ?? []).forEach((t, i) => (values[row.get(t) as number] = line.values[i]));
        return values;
    });
    return { times, columns };
}
