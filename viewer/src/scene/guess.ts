// SPDX-License-Identifier: BSD-3-Clause
/* Shapes for bodies without one, from the points where joints and forces act on them. */
import type { Shape, Vec3 } from "../contract.ts";
import { add, cross, dot, norm, scale, subtract, unit } from "../vector.ts";

const SAME = 1e-6;

export function distinct(marks: Vec3[], size: number): Vec3[] {
    const kept: Vec3[] = [];
    for (const mark of marks) if (kept.every((other) => norm(subtract(mark, other)) > SAME * size)) kept.push(mark);
    return kept;
}

function farthestPair(marks: Vec3[]): [Vec3, Vec3] {
    let best: [Vec3, Vec3] = [marks[0], marks[1]];
    for (const a of marks)
        for (const b of marks) if (norm(subtract(a, b)) > norm(subtract(best[0], best[1]))) best = [a, b];
    return best;
}

function offLine(p: Vec3, a: Vec3, b: Vec3): number {
    return norm(cross(subtract(p, a), unit(subtract(b, a))));
}

/* The corners in order around their middle, those inside left out; null if they do not lie in a plane. */
export function outline(marks: Vec3[], size: number): Vec3[] | null {
    const [a, b] = farthestPair(marks);
    const x = unit(subtract(b, a));
    const far = marks.reduce((best, p) => (offLine(p, a, b) > offLine(best, a, b) ? p : best), marks[0]);
    const normal = unit(cross(x, subtract(far, a)));
    if (marks.some((p) => Math.abs(dot(subtract(p, a), normal)) > 1e-3 * size)) return null;
    const y = cross(normal, x);
    const flat = marks.map((p) => [dot(subtract(p, a), x), dot(subtract(p, a), y)] as const);
    return hull(flat).map(([u, v]) => add(a, add(scale(x, u), scale(y, v))));
}

type Flat = readonly [number, number];

/* Andrew's monotone chain. */
function hull(points: Flat[]): Flat[] {
    const sorted = [...points].sort((p, q) => p[0] - q[0] || p[1] - q[1]);
    const half = (list: Flat[]): Flat[] => {
        const chain: Flat[] = [];
        for (const p of list) {
            while (chain.length > 1 && turn(chain[chain.length - 2], chain[chain.length - 1], p) <= 0) chain.pop();
            chain.push(p);
        }
        chain.pop();
        return chain;
    };
    return [...half(sorted), ...half([...sorted].reverse())];
}

function turn(o: Flat, p: Flat, q: Flat): number {
    return (p[0] - o[0]) * (q[1] - o[1]) - (p[1] - o[1]) * (q[0] - o[0]);
}

function sticks(marks: Vec3[], size: number): Shape[] {
    return marks.filter((mark) => norm(mark) > SAME * size).map((mark) => ({ bar: [[0, 0, 0], mark] }));
}

/* `size` is that of the scene. A body without such points, or with one at its centre, becomes a ball. */
export function guessShapes(all: Vec3[], size: number): Shape[] {
    const marks = distinct(all, size);
    const ball: Shape = { sphere: 0.02 * size, at: [0, 0, 0] };
    const centre = (a: Vec3, b: Vec3): Shape[] => (offLine([0, 0, 0], a, b) > 0.01 * size ? [ball] : []);
    if (marks.length < 2) return [...sticks(marks, size), ball];
    const [a, b] = farthestPair(marks);
    if (marks.every((p) => offLine(p, a, b) < 1e-3 * size)) {
        const extra = centre(a, b);
        return [
            { bar: [a, b] },
            ...(extra.length ? [{ bar: [scale(add(a, b), 0.5), [0, 0, 0]] } as Shape, ...extra] : []),
        ];
    }
    const corners = outline(marks, size);
    return corners ? [{ plate: corners }] : [...sticks(marks, size), ball];
}
