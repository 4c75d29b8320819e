// SPDX-License-Identifier: BSD-3-Clause
/* How far the whole motion reaches, for the camera and for sizes that the model does not give. */
import type { RunHeader, Shape, Vec3 } from "../contract.ts";
import type { Motion } from "../motion.ts";
import { add, norm, rotate, subtract } from "../vector.ts";
import { knownShapes, marksOf } from "./wheels.ts";

export interface Extent {
    low: Vec3;
    high: Vec3;
    cloud: Vec3[]; // places that were reached
}

const SAMPLES = 120;
const CLOUD = 200000;

/* Corners of what a shape fills, in body axes. */
export function shapeCorners(shape: Shape): Vec3[] {
    const at = shape.at ?? [0, 0, 0];
    const around = (p: Vec3, r: number): Vec3[] => [add(p, [-r, -r, -r]), add(p, [r, r, r])];
    if (shape.plate) return shape.plate;
    if (shape.sphere !== undefined) return around(at, shape.sphere);
    if (shape.box) {
        const r = norm(shape.box) / 2;
        return around(at, r);
    }
    const ends = shape.bar ?? shape.cylinder ?? shape.disc ?? shape.wheel;
    return ends ? ends.flatMap((p) => around(p, shape.radius ?? 0)) : [];
}

function bodyCorners(header: RunHeader, index: number): Vec3[] {
    return [[0, 0, 0] as Vec3, ...marksOf(header, index), ...knownShapes(header, index).flatMap(shapeCorners)];
}

function grow(extent: Extent, p: Vec3): void {
    if (!p.every(Number.isFinite)) return;
    for (let i = 0; i < 3; i++) {
        extent.low[i] = Math.min(extent.low[i], p[i]);
        extent.high[i] = Math.max(extent.high[i], p[i]);
    }
    if (extent.cloud.length < CLOUD) extent.cloud.push(p);
}

export function measureExtent(motion: Motion): Extent {
    const { header, times } = motion;
    const extent: Extent = { low: [Infinity, Infinity, Infinity], high: [-Infinity, -Infinity, -Infinity], cloud: [] };
    const corners = header.bodies.map((_, index) => bodyCorners(header, index));
    const skip = Math.max(1, Math.floor(times.length / SAMPLES));
    for (let row = 0; row < times.length; row += skip) {
        motion.go(times[row]);
        corners.forEach((list, body) => {
            const { r, e } = motion.pose(body);
            list.forEach((p) => grow(extent, add(r, rotate(e, p))));
        });
        header.points?.forEach((point) => grow(extent, motion.vector(point.column)));
    }
    header.ground?.marks?.forEach((p) => grow(extent, p));
    motion.go(motion.start);
    return Number.isFinite(extent.low[0])
        ? extent
        : {
              low: [-1, -1, -1],
              high: [1, 1, 1],
              cloud: [
                  [-1, -1, -1],
                  [1, 1, 1],
              ],
          };
}

export function diagonal(extent: Extent): number {
    return norm(subtract(extent.high, extent.low)) || 1;
}

/* A length that bodies have, not their travel: radii and symbols follow it where bodies go far. */
export function partSize(motion: Motion, extent: Extent): number {
    const whole = diagonal(extent);
    const sizes = motion.header.bodies.map((_, index) => {
        const own: Extent = { low: [0, 0, 0], high: [0, 0, 0], cloud: [] };
        bodyCorners(motion.header, index).forEach((p) => grow(own, p));
        return norm(subtract(own.high, own.low));
    });
    const largest = Math.max(0, ...sizes, beamLength(motion) / 2);
    return largest > 0 ? Math.min(whole, Math.max(2 * largest, whole / 20)) : whole;
}

function beamLength(motion: Motion): number {
    const lengths = (motion.header.beams ?? []).map((beam) => {
        const ends = [beam.nodes[0], beam.nodes[beam.nodes.length - 1]].map((node) => motion.pose(node).r);
        return norm(subtract(ends[1], ends[0]));
    });
    return Math.max(0, ...lengths);
}
