// SPDX-License-Identifier: BSD-3-Clause
/* What is known of a body without a shape besides where it is held: how it rolls, and which points it carries. */
import type { RunHeader, Shape, Vec3 } from "../contract.ts";
import { add, scale } from "../vector.ts";

const WIDTH = 0.02; // of the radius

/* The shapes that the command gives, else those that roll. */
export function knownShapes(header: RunHeader, index: number): Shape[] {
    const given = header.bodies[index].shapes ?? [];
    return given.length ? given : rollingShapes(header, index);
}

function rollingShapes(header: RunHeader, index: number): Shape[] {
    const rolling = (header.joints ?? []).filter(({ radius, second }) => radius && second === index);
    return rolling.map(({ axis, at, radius }) => {
        const [centre, r] = [at ?? ([0, 0, 0] as Vec3), radius as number];
        if (!axis && !header.planar) return { sphere: r, at: centre };
        const half = scale(axis ?? [0, 0, 1], WIDTH * r);
        return { wheel: [add(centre, scale(half, -1)), add(centre, half)], radius: r };
    });
}

/* Where it is held, and its points: those are part of the body as well. */
export function marksOf(header: RunHeader, index: number): Vec3[] {
    const points = (header.points ?? []).filter(({ body, at }) => body === index && at);
    return [...(header.bodies[index].marks ?? []), ...points.map(({ at }) => at as Vec3)];
}
