// SPDX-License-Identifier: BSD-3-Clause
/* Joints as symbols: one maker per family of kinds in a table; what is not in it is a small ring. */
import * as THREE from "three";
import type { Joint, Vec3 } from "../contract.ts";
import { jointBody, type Motion } from "../motion.ts";
import { stretch, turnTo } from "./geometry.ts";
import { type Kit, mark } from "./kit.ts";

const STEEL = "#6b7280";
const BRIGHT = "#d4d7dc";
const DARK = "#30343b";

type Maker = (kit: Kit) => THREE.Object3D[];

function scaled(kit: Kit, geometry: THREE.BufferGeometry, colour: string, x: number, y = x, z = x): THREE.Mesh {
    const mesh = kit.mesh(geometry, colour);
    mesh.scale.set(x * kit.radius, y * kit.radius, z * kit.radius);
    return mesh;
}

/* Symbols stand along z, the axis of the joint. */
const pin: Maker = (kit) => [
    scaled(kit, kit.geometries.cylinder, DARK, 1.05, 1.05, kit.planar ? 9 : 3.4),
    scaled(kit, kit.geometries.cylinder, BRIGHT, 0.6, 0.6, kit.planar ? 9.4 : 3.8),
];
const ball: Maker = (kit) => [
    scaled(kit, kit.geometries.sphere, BRIGHT, 1.5),
    scaled(kit, kit.geometries.ring, DARK, 1.5, 1.5, 1.8),
];
const block: Maker = (kit) => [scaled(kit, kit.geometries.box, STEEL, 3, 3, 4.6)];
const sleeve: Maker = (kit) => [scaled(kit, kit.geometries.cylinder, STEEL, 1.9, 1.9, 4.6)];
const thread: Maker = (kit) => [
    ...sleeve(kit),
    ...[-1.5, 0, 1.5].map((z) => {
        const ring = scaled(kit, kit.geometries.ring, DARK, 1.9);
        ring.position.z = z * kit.radius;
        return ring;
    }),
];
const cross: Maker = (kit) =>
    [0, 1].map((i) => {
        const arm = scaled(kit, kit.geometries.cylinder, i ? DARK : STEEL, 0.7, 0.7, 4.4);
        if (i) arm.rotation.x = Math.PI / 2;
        return arm;
    });
const weld: Maker = (kit) => [scaled(kit, kit.geometries.box, DARK, 2, 2, kit.planar ? 8 : 2)];
const blade: Maker = (kit) => [scaled(kit, kit.geometries.box, STEEL, 0.35, 2.6, 5)];
const ring: Maker = (kit) => [scaled(kit, kit.geometries.ring, STEEL, 1.5)];
const dot: Maker = (kit) => [scaled(kit, kit.geometries.sphere, DARK, 1)];

const SYMBOLS: Record<string, Maker> = {
    revolute: pin,
    spherical: ball,
    universal: cross,
    prismatic: block,
    planar: block,
    cylindrical: sleeve,
    screw: thread,
    fixed: weld,
    "lock-angle": weld,
    distance: dot,
    rod: dot,
    length: dot,
    "point-on-line": dot,
    "point-in-plane": dot,
    "knife-edge": blade,
};

/* In the plane a revolute has no axis of its own: it is z. A slide lies in the plane. */
function axisOf(joint: Joint): Vec3 {
    return joint.axis ?? [0, 0, 1];
}

export class Joints {
    readonly group = new THREE.Group();
    private readonly rods: { joint: Joint; mesh: THREE.Mesh }[] = [];

    constructor(
        private kit: Kit,
        private motion: Motion,
    ) {
        motion.header.joints?.forEach((joint, index) => {
            const symbol = new THREE.Group();
            symbol.name = joint.name;
            if (joint.at) symbol.add(this.symbol(joint));
            this.kit.unite(symbol);
            this.group.add(symbol);
            if (joint.at && joint.from) this.addRod(joint, index);
            mark(symbol, { kind: "joint", index });
        });
    }

    private symbol(joint: Joint): THREE.Group {
        const own = new THREE.Group();
        own.add(...(SYMBOLS[joint.kind] ?? ring)(this.kit));
        turnTo(own, axisOf(joint));
        if (this.kit.planar) own.position.z = 2 * this.kit.radius;
        return own;
    }

    /* A massless rod belongs to no body: it is drawn from end to end. */
    private addRod(joint: Joint, index: number): void {
        const mesh = this.kit.mesh(this.kit.geometries.cylinder, STEEL);
        mark(mesh, { kind: "joint", index });
        this.rods.push({ joint, mesh });
    }

    /* Rods stand beside the symbols, so that symbol i stays child i. */
    get rodMeshes(): THREE.Mesh[] {
        return this.rods.map(({ mesh }) => mesh);
    }

    update(): void {
        this.motion.header.joints?.forEach((joint, index) => {
            if (!joint.at) return;
            const object = this.group.children[index];
            const place = this.motion.place(jointBody(joint), joint.at);
            const { e } = this.motion.pose(jointBody(joint));
            object.position.set(...place);
            object.quaternion.set(e[1], e[2], e[3], e[0]);
        });
        for (const { joint, mesh } of this.rods) {
            const end = this.motion.place(joint.second, joint.at as Vec3);
            stretch(mesh, this.motion.place(joint.first, joint.from as Vec3), end, 0.5 * this.kit.radius);
        }
    }
}
