// SPDX-License-Identifier: BSD-3-Clause
/* What is known of a body without a shape besides where it is held: how it rolls, and which points it carries. */
import type { RunHeader, Shape, Vec3 } from "../contract.ts";
import { add, norm, scale, subtract } from "../vector.ts";

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

/* A ball that is held outside itself is held by an arm. */
export function arms(shapes: Shape[], marks: Vec3[]): Shape[] {
    const [{ sphere, at: given }] = shapes;
    if (shapes.length > 1 || sphere === undefined) return [];
    const at: Vec3 = given ?? [0, 0, 0];
    const far = marks.filter((mark) => norm(subtract(mark, at)) > 1.001 * sphere);
    return far.map((mark) => ({ bar: [at, mark] }));
}
