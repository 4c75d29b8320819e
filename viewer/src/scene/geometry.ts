// SPDX-License-Identifier: BSD-3-Clause
/* Geometries that all parts share, one unit in size along z, and how to put them where they belong. */
import * as THREE from "three";
import type { Vec3 } from "../contract.ts";

export interface Geometries {
    box: THREE.BufferGeometry;
    cylinder: THREE.BufferGeometry;
    sphere: THREE.BufferGeometry;
    cone: THREE.BufferGeometry;
    ring: THREE.BufferGeometry;
    rim: THREE.BufferGeometry; // of a wheel
}

export type Detail = "flat" | "paper" | "coarse" | "fine";

/* Sides of round things: few where every face is painted by hand, or where there are hundreds of parts. In the plane
 * one face of each is seen. */
const SIDES = {
    flat: { round: 16, ball: [10, 6], tube: 3 },
    paper: { round: 32, ball: [16, 6], tube: 3 },
    coarse: { round: 16, ball: [14, 8], tube: 5 },
    fine: { round: 32, ball: [24, 16], tube: 8 },
};

export function makeGeometries(detail: Detail): Geometries {
    const { round, ball, tube } = SIDES[detail];
    const upright = new THREE.Matrix4().makeRotationX(Math.PI / 2);
    const geometries = {
        box: new THREE.BoxGeometry(1, 1, 1),
        cylinder: new THREE.CylinderGeometry(1, 1, 1, round).applyMatrix4(upright),
        sphere: new THREE.SphereGeometry(1, ball[0], ball[1]),
        cone: new THREE.ConeGeometry(1, 1, ball[0]).applyMatrix4(upright),
        ring: new THREE.TorusGeometry(1, 0.22, tube, ball[0]),
        rim: new THREE.TorusGeometry(0.96, 0.04, tube, 2 * round),
    };
    geometries.sphere.name = BALL;
    geometries.cylinder.name = ROD;
    return geometries;
}

/* Names by which the flat drawing knows what it can draw as one circle or one thick line. */
export const BALL = "ball";
export const ROD = "rod";

export const vector = (a: Vec3): THREE.Vector3 => new THREE.Vector3(a[0], a[1], a[2]);

const Z = new THREE.Vector3(0, 0, 1);
const along = new THREE.Vector3();

/* Puts a unit geometry between two places. */
export function stretch(object: THREE.Object3D, a: Vec3, b: Vec3, radius: number): void {
    along.set(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
    const length = along.length();
    object.position.set((a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2);
    if (length > 0) object.quaternion.setFromUnitVectors(Z, along.divideScalar(length));
    object.scale.set(radius, radius, Math.max(length, 1e-9));
}

export function turnTo(object: THREE.Object3D, axis: Vec3): void {
    along.set(axis[0], axis[1], axis[2]);
    if (along.lengthSq() > 0) object.quaternion.setFromUnitVectors(Z, along.normalize());
}
