// SPDX-License-Identifier: BSD-3-Clause
/* Small vectors. Quaternions are Euler parameters (e0, e1, e2, e3), e0 the scalar; global = A(e) local. */
import type { Vec3 } from "./contract.ts";

export type Quat = [number, number, number, number];

export const add = (a: Vec3, b: Vec3): Vec3 => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const subtract = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scale = (a: Vec3, k: number): Vec3 => [k * a[0], k * a[1], k * a[2]];
export const dot = (a: Vec3, b: Vec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const norm = (a: Vec3): number => Math.hypot(a[0], a[1], a[2]);
export const cross = (a: Vec3, b: Vec3): Vec3 => [
    a[1] * b[2] - a[2] * b[1],
    a[2] * b[0] - a[0] * b[2],
    a[0] * b[1] - a[1] * b[0],
];

export function unit(a: Vec3, otherwise: Vec3 = [0, 0, 1]): Vec3 {
    const length = norm(a);
    return length > 0 ? scale(a, 1 / length) : otherwise;
}

export function rotate(e: Quat, s: Vec3): Vec3 {
    const u: Vec3 = [e[1], e[2], e[3]];
    const twice = scale(cross(u, s), 2);
    return add(add(s, scale(twice, e[0])), cross(u, twice));
}

export function quatAboutZ(phi: number): Quat {
    return [Math.cos(phi / 2), 0, 0, Math.sin(phi / 2)];
}

/* The shorter way round, at constant speed; normalised, since single precision is not. */
export function slerp(a: Quat, b: Quat, f: number): Quat {
    let cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    const sign = cosine < 0 ? -1 : 1;
    cosine = Math.min(1, sign * cosine);
    const angle = Math.acos(cosine);
    const sine = Math.sin(angle);
    const [ka, kb] = sine < 1e-4 ? [1 - f, f] : [Math.sin((1 - f) * angle) / sine, Math.sin(f * angle) / sine];
    const e = a.map((value, i) => ka * value + sign * kb * b[i]) as Quat;
    const length = Math.hypot(...e) || 1;
    return e.map((value) => value / length) as Quat;
}
