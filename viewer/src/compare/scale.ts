// SPDX-License-Identifier: BSD-3-Clause
/* A logarithmic scale from values to places, and labels that do not cover one another. */

export interface LogScale {
    low: number;
    high: number;
    ticks: number[];
    place: (value: number) => number;
}

const FEW_DECADES = 1.5;

/* Bounds at whole decades, or at 1, 2, 5 times a power of ten where the values lie close together. */
export function logScale(values: number[], from: number, to: number, most = 8): LogScale {
    const usable = values.filter((value) => value > 0 && Number.isFinite(value));
    const [least, largest] = usable.length ? [Math.min(...usable), Math.max(...usable)] : [0.1, 10];
    const narrow = Math.log10(largest / least) < FEW_DECADES;
    const marks = narrow ? [1, 2, 5] : [1];
    const low = bound(least / 1.15, marks, -1);
    const high = bound(largest * 1.15, marks, 1);
    const [a, b] = [Math.log10(low), Math.log10(high)];
    const place = (value: number): number => from + ((Math.log10(value) - a) / (b - a)) * (to - from);
    return { low, high, ticks: ticksBetween(low, high, marks, most), place };
}

function bound(value: number, marks: number[], direction: -1 | 1): number {
    const power = Math.floor(Math.log10(value));
    const candidates = [...marks.map((k) => Number(`${k}e${power}`)), Number(`1e${power + 1}`)];
    const fits = candidates.filter((c) => (direction < 0 ? c <= value * (1 + 1e-12) : c >= value * (1 - 1e-12)));
    return direction < 0 ? fits[fits.length - 1] : fits[0];
}

function ticksBetween(low: number, high: number, marks: number[], most: number): number[] {
    const ticks: number[] = [];
    for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++)
        for (const k of marks) {
            const tick = Number(`${k}e${power}`);
            if (tick >= low * 0.999 && tick <= high * 1.001) ticks.push(tick);
        }
    const skip = Math.ceil(ticks.length / most);
    return ticks.filter((_, i) => i % skip === 0);
}

export interface Box {
    x: number;
    y: number;
    width: number;
    height: number;
}

export function overlap(a: Box, b: Box): boolean {
    return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/* For each point the first free place around it that lies inside; null where there is none. */
export function placeLabels(
    points: { x: number; y: number; width: number }[],
    inside: Box,
    height = 13,
): (Box | null)[] {
    const taken: Box[] = points.map(({ x, y }) => ({ x: x - 5, y: y - 5, width: 10, height: 10 }));
    return points.map(({ x, y, width }) => {
        const places: [number, number][] = [
            [8, -height / 2],
            [-width - 8, -height / 2],
            [-width / 2, -height - 7],
            [-width / 2, 7],
            [6, -height - 3],
            [6, 4],
            [-width - 6, -height - 3],
            [-width - 6, 4],
        ];
        const free = places
            .map(([dx, dy]) => ({ x: x + dx, y: y + dy, width, height }))
            .find((box) => within(box, inside) && taken.every((other) => !overlap(box, other)));
        if (free) taken.push(free);
        return free ?? null;
    });
}

function within(box: Box, frame: Box): boolean {
    return (
        box.x >= frame.x &&
        box.y >= frame.y &&
        box.x + box.width <= frame.x + frame.width &&
        box.y + box.height <= frame.y + frame.height
    );
}
