// SPDX-License-Identifier: BSD-3-Clause
/* Beams: the section swept along the line of the nodes. Place and axes are interpolated as the elements do,
 * u(s) = sum N_i(s) u_i with Lagrange's polynomials N_i on the nodes of an element. */
import * as THREE from "three";
import { PALETTE } from "../colours.ts";
import type { Beam, Vec3 } from "../contract.ts";
import type { Motion, Pose } from "../motion.ts";
import { rotate } from "../vector.ts";
import { type Kit, mark } from "./kit.ts";

/* N_i(s) on the nodes. */
export function lagrange(nodes: number[], s: number): number[] {
    return nodes.map((si, i) =>
        nodes.reduce((product, sj, j) => (i === j ? product : (product * (s - sj)) / (si - sj)), 1),
    );
}

interface Station {
    nodes: number[]; // positions in beam.nodes
    weights: number[];
}

const PER_ELEMENT = 8;
const FLAT_SECTIONS = 24; // per beam, about, in flat rendering

/* Where sections are drawn, with the weights of the nodes there. */
export function stations(beam: Beam, flat = false): Station[] {
    const order = Math.max(1, beam.order);
    const elements = Math.max(1, (beam.nodes.length - 1) / order);
    const per = flat ? Math.max(1, Math.ceil(FLAT_SECTIONS / elements)) : PER_ELEMENT;
    const list: Station[] = [];
    for (let first = 0; first + order < beam.nodes.length; first += order) {
        const nodes = Array.from({ length: order + 1 }, (_, i) => first + i);
        const s = nodes.map((i) => beam.s[i]);
        const begin = first === 0 ? 0 : 1;
        for (let k = begin; k <= per; k++) {
            const here = s[0] + ((s[order] - s[0]) * k) / per;
            list.push({ nodes, weights: lagrange(s, here) });
        }
    }
    return list;
}

function sectionCorners(kit: Kit, beam: Beam): [number, number][] {
    const least = 0.4 * kit.radius;
    const [b, c] = [Math.max((beam.width ?? 0) / 2, least), Math.max((beam.height ?? 0) / 2, least)];
    if (!beam.round)
        return [
            [-b, -c],
            [b, -c],
            [b, c],
            [-b, c],
        ];
    const n = kit.flat ? 6 : 16;
    return Array.from({ length: n }, (_, i) => {
        const angle = (2 * Math.PI * i) / n;
        return [b * Math.cos(angle), c * Math.sin(angle)];
    });
}

export class BeamBodies {
    readonly group = new THREE.Group();
    private readonly sweeps: Sweep[];

    constructor(kit: Kit, motion: Motion) {
        this.sweeps = (motion.header.beams ?? []).map((beam, index) => new Sweep(kit, motion, beam, index));
        this.sweeps.forEach((sweep) => this.group.add(sweep.mesh));
    }

    update(): void {
        this.sweeps.forEach((sweep) => sweep.update());
    }
}

class Sweep {
    readonly mesh: THREE.Mesh;
    private readonly places: THREE.BufferAttribute;
    private readonly list: Station[];
    private readonly corners: [number, number][];

    constructor(
        kit: Kit,
        private motion: Motion,
        private beam: Beam,
        index: number,
    ) {
        this.list = stations(beam, kit.flat);
        this.corners = sectionCorners(kit, beam);
        const geometry = new THREE.BufferGeometry();
        this.places = new THREE.BufferAttribute(new Float32Array(3 * this.list.length * this.corners.length), 3);
        geometry.setAttribute("position", this.places);
        geometry.setIndex(faces(this.list.length, this.corners.length));
        const material = kit.material(PALETTE[(index + 4) % PALETTE.length]).clone();
        material.flatShading = !beam.round;
        material.side = THREE.DoubleSide;
        this.mesh = new THREE.Mesh(geometry, material);
        this.mesh.frustumCulled = false;
        mark(this.mesh, { kind: "beam", index });
    }

    update(): void {
        const poses = this.beam.nodes.map((node) => this.motion.pose(node));
        this.mesh.visible = poses.every(({ r, e }) => [...r, ...e].every(Number.isFinite));
        if (!this.mesh.visible) return;
        const frames = poses.map(({ r, e }) => ({ r, y: rotate(e, [0, 1, 0]), z: rotate(e, [0, 0, 1]) }));
        let at = 0;
        for (const station of this.list) {
            const [r, y, z] = blend(station, frames);
            for (const [b, c] of this.corners) {
                this.places.setXYZ(
                    at++,
                    r[0] + b * y[0] + c * z[0],
                    r[1] + b * y[1] + c * z[1],
                    r[2] + b * y[2] + c * z[2],
                );
            }
        }
        this.places.needsUpdate = true;
        this.mesh.geometry.computeVertexNormals();
        this.mesh.geometry.computeBoundingSphere();
    }
}

interface Frame {
    r: Pose["r"];
    y: Vec3;
    z: Vec3;
}

function blend(station: Station, frames: Frame[]): [Vec3, Vec3, Vec3] {
    const sums: [Vec3, Vec3, Vec3] = [
        [0, 0, 0],
        [0, 0, 0],
        [0, 0, 0],
    ];
    station.nodes.forEach((node, i) => {
        const { r, y, z } = frames[node];
        [r, y, z].forEach((u, k) => u.forEach((value, j) => (sums[k][j] += station.weights[i] * value)));
    });
    return sums;
}

/* Sides between neighbouring sections, one behind the other, so that straight pieces become one when they are painted
 * by hand; and a fan at each end. */
function faces(sections: number, corners: number): number[] {
    const list: number[] = [];
    for (let j = 0; j < corners; j++) {
        for (let i = 0; i + 1 < sections; i++) {
            const [a, b] = [i * corners + j, i * corners + ((j + 1) % corners)];
            list.push(a, b, a + corners, b, b + corners, a + corners);
        }
    }
    const last = (sections - 1) * corners;
    for (let j = 1; j + 1 < corners; j++) list.push(0, j + 1, j, last, last + j, last + j + 1);
    return list;
}
