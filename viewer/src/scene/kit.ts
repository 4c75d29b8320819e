// SPDX-License-Identifier: BSD-3-Clause
/* What all makers of parts share: sizes, geometries, materials, and the part that a mesh belongs to. */
import * as THREE from "three";
import { type Geometries, makeGeometries } from "./geometry.ts";
import { merge } from "./merge.ts";

export interface Part {
    kind: "body" | "joint" | "beam" | "force" | "point" | "reaction";
    index: number;
}

const MANY_PARTS = 100;

export class Kit {
    readonly geometries: Geometries;
    private readonly painted = new THREE.MeshLambertMaterial({ vertexColors: true });
    private readonly materials = new Map<string, THREE.MeshLambertMaterial>();
    private readonly lines = new Map<string, THREE.LineBasicMaterial>();

    constructor(
        readonly planar: boolean,
        readonly flat: boolean,
        readonly size: number, // of a part, for what the model does not give
        parts = 1,
    ) {
        this.geometries = makeGeometries(flat ? (planar ? "paper" : "flat") : parts > MANY_PARTS ? "coarse" : "fine");
    }

    get radius(): number {
        return 0.012 * this.size;
    }

    /* One draw for a part, but for the flat drawing, which knows simple shapes and draws them better. */
    unite(group: THREE.Group): void {
        if (!this.flat) merge(group, this.painted);
    }

    material(colour: string, opacity = 1): THREE.MeshLambertMaterial {
        const key = `${colour} ${opacity}`;
        let material = this.materials.get(key);
        if (!material) {
            material = new THREE.MeshLambertMaterial({ color: colour, transparent: opacity < 1, opacity });
            this.materials.set(key, material);
        }
        return material;
    }

    line(colour: string, opacity = 1): THREE.LineBasicMaterial {
        const key = `${colour} ${opacity}`;
        let material = this.lines.get(key);
        if (!material) {
            material = new THREE.LineBasicMaterial({ color: colour, transparent: opacity < 1, opacity });
            this.lines.set(key, material);
        }
        return material;
    }

    mesh(geometry: THREE.BufferGeometry, colour: string, opacity = 1): THREE.Mesh {
        return new THREE.Mesh(geometry, this.material(colour, opacity));
    }
}

export function mark(object: THREE.Object3D, part: Part): void {
    object.traverse((child) => (child.userData.part = part));
}

export function partOf(object: THREE.Object3D): Part | undefined {
    return object.userData.part as Part | undefined;
}
