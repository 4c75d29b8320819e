// SPDX-License-Identifier: BSD-3-Clause
/* Bodies from their shapes. In the plane bars are flat links with round ends, drawn with an outline. */
import * as THREE from "three";
import type { Shape, Vec3 } from "../contract.ts";
import { cross, dot, norm, subtract, unit } from "../vector.ts";
import { stretch, vector } from "./geometry.ts";
import type { Kit } from "./kit.ts";

const DARK = "#30343b";

export function shapeObjects(kit: Kit, shape: Shape, colour: string): THREE.Object3D[] {
    if (shape.bar) return bar(kit, shape.bar, shape.radius ?? kit.radius, colour);
    if (shape.cylinder ?? shape.disc)
        return cylinder(kit, (shape.cylinder ?? shape.disc) as [Vec3, Vec3], shape.radius ?? 3 * kit.radius, colour);
    if (shape.wheel) return [wheel(kit, shape.wheel, shape.radius ?? 3 * kit.radius, colour)];
    if (shape.sphere !== undefined) return sphere(kit, shape.sphere, shape.at ?? [0, 0, 0], colour);
    if (shape.box) return [box(kit, shape, colour)];
    if (shape.plate) return [plate(kit, shape.plate, shape.thickness ?? kit.radius, colour)];
    return [];
}

function outlined(kit: Kit, mesh: THREE.Mesh): THREE.Mesh {
    const edges = new THREE.LineSegments(new THREE.EdgesGeometry(mesh.geometry, 40), kit.line(DARK, 0.55));
    mesh.add(edges);
    return mesh;
}

function bar(kit: Kit, [a, b]: [Vec3, Vec3], radius: number, colour: string): THREE.Object3D[] {
    if (norm(subtract(b, a)) < 1e-12) return sphere(kit, radius, a, colour);
    if (kit.planar) return [link(kit, a, b, radius, colour)];
    const rod = kit.mesh(kit.geometries.cylinder, colour);
    stretch(rod, a, b, radius);
    return [rod, ...[a, b].map((p) => ball(kit, radius, p, colour))];
}

/* A straight piece with a half circle at each end. */
function link(kit: Kit, a: Vec3, b: Vec3, radius: number, colour: string): THREE.Object3D {
    const length = norm(subtract(b, a));
    const shape = new THREE.Shape();
    shape.absarc(0, 0, radius, Math.PI / 2, 1.5 * Math.PI, false);
    shape.absarc(length, 0, radius, -Math.PI / 2, Math.PI / 2, false);
    shape.closePath();
    const mesh = outlined(kit, kit.mesh(extrude(shape, kit.radius * 0.5, kit.flat), colour));
    mesh.position.copy(vector(a));
    mesh.rotation.z = Math.atan2(b[1] - a[1], b[0] - a[0]);
    return mesh;
}

function extrude(shape: THREE.Shape, depth: number, flat: boolean): THREE.BufferGeometry {
    const geometry = new THREE.ExtrudeGeometry(shape, { depth, bevelEnabled: false, curveSegments: flat ? 6 : 14 });
    return geometry.translate(0, 0, -depth / 2);
}

/* A stripe shows the rotation. */
function cylinder(kit: Kit, [a, b]: [Vec3, Vec3], radius: number, colour: string): THREE.Object3D[] {
    const axis = unit(subtract(b, a));
    const thin = norm(subtract(b, a)) < 1e-9 || kit.planar;
    const half = thin ? 0.25 * kit.radius : norm(subtract(b, a)) / 2;
    const middle: Vec3 = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2];
    const group = new THREE.Group();
    group.position.copy(vector(middle));
    group.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), vector(axis));
    const drum = kit.mesh(kit.geometries.cylinder, colour);
    drum.scale.set(radius, radius, 2 * half);
    const stripe = kit.mesh(kit.geometries.box, DARK);
    stripe.scale.set(radius * 0.72, radius * 0.07, 2 * half + 0.02 * radius);
    stripe.position.x = radius * 0.55;
    if (kit.planar) outlined(kit, drum);
    group.add(drum);
    if (!kit.flat || half < radius) group.add(stripe); // from far to near, a long one would lie before its drum
    return [group];
}

const SPOKES = 3;

/* A rim, and spokes from side to side. */
function wheel(kit: Kit, [a, b]: [Vec3, Vec3], radius: number, colour: string): THREE.Object3D {
    const group = new THREE.Group();
    group.position.copy(vector(a).add(vector(b)).multiplyScalar(0.5));
    group.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), vector(unit(subtract(b, a))));
    const rim = kit.mesh(kit.geometries.rim, colour);
    rim.scale.setScalar(radius);
    group.add(rim);
    for (let i = 0; i < SPOKES; i++) {
        const spoke = kit.mesh(kit.geometries.cylinder, DARK);
        const [x, y] = [Math.cos((Math.PI * i) / SPOKES), Math.sin((Math.PI * i) / SPOKES)];
        stretch(spoke, [-radius * x, -radius * y, 0], [radius * x, radius * y, 0], 0.015 * radius);
        group.add(spoke);
    }
    return group;
}

function ball(kit: Kit, radius: number, at: Vec3, colour: string): THREE.Mesh {
    const mesh = kit.mesh(kit.geometries.sphere, colour);
    mesh.position.copy(vector(at));
    mesh.scale.setScalar(radius);
    return mesh;
}

/* Large balls get a band, which shows their rotation. */
function sphere(kit: Kit, radius: number, at: Vec3, colour: string): THREE.Object3D[] {
    const r = radius > 0 ? radius : kit.radius;
    const whole = ball(kit, r, at, colour);
    if (r < 2.5 * kit.radius) return [whole];
    const band = kit.mesh(kit.geometries.ring, DARK);
    band.position.copy(whole.position);
    band.scale.set(0.86 * r, 0.86 * r, 0.3 * r);
    band.rotation.x = kit.planar ? 0 : Math.PI / 2;
    return kit.planar || kit.flat ? [whole] : [whole, band];
}

function box(kit: Kit, shape: Shape, colour: string): THREE.Object3D {
    const [x, y, z] = shape.box as Vec3;
    const mesh = outlined(kit, kit.mesh(kit.geometries.box, colour));
    mesh.scale.set(x, y, kit.planar || !(z > 0) ? 0.5 * kit.radius : z);
    mesh.position.copy(vector(shape.at ?? [0, 0, 0]));
    const m = shape.axes;
    if (m) {
        const basis = new THREE.Matrix4().set(
            m[0],
            m[1],
            m[2],
            0,
            m[3],
            m[4],
            m[5],
            0,
            m[6],
            m[7],
            m[8],
            0,
            0,
            0,
            0,
            1,
        );
        mesh.quaternion.setFromRotationMatrix(basis);
    }
    return mesh;
}

function plate(kit: Kit, corners: Vec3[], thickness: number, colour: string): THREE.Object3D {
    const origin = corners[0];
    const x = unit(subtract(corners[1], origin), [1, 0, 0]);
    const normal = kit.planar ? ([0, 0, 1] as Vec3) : planeNormal(corners);
    const y = cross(normal, x);
    const flat = corners.map((p) => subtract(p, origin)).map((d) => new THREE.Vector2(dot(d, x), dot(d, y)));
    const depth = kit.planar ? 0.5 * kit.radius : thickness;
    const mesh = outlined(kit, kit.mesh(extrude(new THREE.Shape(flat), depth, kit.flat), colour));
    const basis = new THREE.Matrix4().makeBasis(vector(x), vector(y), vector(normal));
    mesh.quaternion.setFromRotationMatrix(basis);
    mesh.position.copy(vector(origin));
    return mesh;
}

/* Newell's normal of a polygon. */
function planeNormal(corners: Vec3[]): Vec3 {
    let sum: Vec3 = [0, 0, 0];
    corners.forEach((p, i) => {
        const q = corners[(i + 1) % corners.length];
        const c = cross(subtract(p, corners[0]), subtract(q, corners[0]));
        sum = [sum[0] + c[0], sum[1] + c[1], sum[2] + c[2]];
    });
    return unit(sum);
}
