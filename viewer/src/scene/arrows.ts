// SPDX-License-Identifier: BSD-3-Clause
/* Reaction forces as arrows at the joints, on the second body. Those that are not unique are pale. */
import * as THREE from "three";
import { REACTION } from "../colours.ts";
import type { Joint, Vec3 } from "../contract.ts";
import type { Motion } from "../motion.ts";
import { add, norm, scale, unit } from "../vector.ts";
import { stretch } from "./geometry.ts";
import { type Kit, mark } from "./kit.ts";

const QUANTILE = 0.95;
const SAMPLES = 60;

export function forceIsUnique(joint: Joint): boolean {
    return (joint.unique ?? []).slice(0, 3).every(Boolean);
}

/* A force that nearly all of the run stays below, so that a single spike does not shrink all others. */
export function typicalForce(motion: Motion): number {
    const sizes: number[] = [];
    const joints = (motion.header.joints ?? []).filter((joint) => joint.column >= 0 && joint.at);
    const skip = Math.max(1, Math.floor(motion.times.length / SAMPLES));
    for (let row = 0; row < motion.times.length; row += skip) {
        motion.go(motion.times[row]);
        const largest = Math.max(
            0,
            ...joints.map((joint) => norm(motion.reactionForce(joint))).filter(Number.isFinite),
        );
        sizes.push(largest);
    }
    motion.go(motion.start);
    sizes.sort((a, b) => a - b);
    return sizes[Math.floor(QUANTILE * (sizes.length - 1))] ?? 0;
}

export class Arrows {
    readonly group = new THREE.Group();
    factor = 1;
    private readonly perNewton: number;
    private readonly copies = new Map<THREE.Material, THREE.Material>();
    private readonly arrows: { joint: Joint; shaft: THREE.Mesh; head: THREE.Mesh }[] = [];

    constructor(
        private kit: Kit,
        private motion: Motion,
    ) {
        const typical = typicalForce(motion);
        this.perNewton = typical > 0 ? (0.25 * kit.size) / typical : 0;
        motion.header.joints?.forEach((joint, index) => {
            if (joint.column >= 0 && joint.at) this.addArrow(joint, index);
        });
    }

    get count(): number {
        return this.arrows.length;
    }

    private addArrow(joint: Joint, index: number): void {
        const opacity = forceIsUnique(joint) ? 1 : 0.4;
        const shaft = this.kit.mesh(this.kit.geometries.cylinder, REACTION, opacity);
        const head = this.kit.mesh(this.kit.geometries.cone, REACTION, opacity);
        [shaft, head].forEach((mesh) => {
            mark(mesh, { kind: "reaction", index });
            mesh.material = this.onTop(mesh.material as THREE.Material);
            mesh.renderOrder = 10;
        });
        this.group.add(shaft, head);
        this.arrows.push({ joint, shaft, head });
    }

    /* Arrows often lie within the body that they act on. */
    private onTop(material: THREE.Material): THREE.Material {
        const known = this.copies.get(material) ?? material.clone();
        known.depthTest = false;
        this.copies.set(material, known);
        return known;
    }

    update(): void {
        for (const { joint, shaft, head } of this.arrows) {
            const force = this.motion.reactionForce(joint);
            const length = norm(force) * this.perNewton * this.factor;
            const shown = Number.isFinite(length) && length > 0.5 * this.kit.radius;
            shaft.visible = head.visible = shown;
            if (shown) this.place(joint, unit(force), length, shaft, head);
        }
    }

    private place(joint: Joint, along: Vec3, length: number, shaft: THREE.Mesh, head: THREE.Mesh): void {
        const tip = Math.min(0.5 * length, 2.6 * this.kit.radius);
        const place = this.motion.jointPlace(joint) as Vec3;
        const from: Vec3 = this.kit.planar ? [place[0], place[1], 8 * this.kit.radius] : place;
        const neck = add(from, scale(along, length - tip));
        stretch(shaft, from, neck, 0.28 * this.kit.radius);
        stretch(head, neck, add(from, scale(along, length)), 0.4 * tip);
    }
}
