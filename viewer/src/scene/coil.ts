// SPDX-License-Identifier: BSD-3-Clause
/* A coil spring: its wire keeps its thickness while its length changes, so only the places along it are moved. */
import * as THREE from "three";

const TURNS = 9;
const STRAIGHT = 0.08; // of the length at each end

export class Coil {
    readonly geometry = new THREE.BufferGeometry();
    private readonly places: THREE.BufferAttribute;
    private readonly along: Float32Array; // of each corner, 0 to 1
    private readonly aside: Float32Array; // what the thickness of the wire adds

    constructor(radius: number, wire: number, flat: boolean) {
        const [rings, corners] = [flat ? 72 : 220, flat ? 3 : 6];
        const count = (rings + 1) * corners;
        this.places = new THREE.BufferAttribute(new Float32Array(3 * count), 3);
        const normals = new THREE.BufferAttribute(new Float32Array(3 * count), 3);
        this.along = new Float32Array(count);
        this.aside = new Float32Array(count);
        for (let i = 0; i < count; i++) {
            const s = Math.floor(i / corners) / rings;
            const around = (2 * Math.PI * (i % corners)) / corners;
            const angle = 2 * Math.PI * TURNS * s;
            const ramp = Math.min(1, Math.max(0, Math.min(s, 1 - s) / STRAIGHT - 1));
            const out = ramp * radius + wire * Math.cos(around);
            this.places.setXYZ(i, out * Math.cos(angle), out * Math.sin(angle), 0);
            normals.setXYZ(i, Math.cos(around) * Math.cos(angle), Math.cos(around) * Math.sin(angle), Math.sin(around));
            [this.along[i], this.aside[i]] = [s - 0.5, wire * Math.sin(around)];
        }
        this.geometry.setAttribute("position", this.places);
        this.geometry.setAttribute("normal", normals);
        this.geometry.setIndex(faces(rings, corners));
    }

    setLength(length: number): void {
        this.along.forEach((s, i) => this.places.setZ(i, s * length + this.aside[i]));
        this.places.needsUpdate = true;
        this.geometry.computeBoundingSphere();
    }
}

function faces(rings: number, corners: number): number[] {
    const list: number[] = [];
    for (let i = 0; i < rings; i++)
        for (let j = 0; j < corners; j++) {
            const [a, b] = [i * corners + j, i * corners + ((j + 1) % corners)];
            list.push(a, a + corners, b, b, a + corners, b + corners);
        }
    return list;
}
