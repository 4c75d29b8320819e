// SPDX-License-Identifier: BSD-3-Clause
/* One group per body, at its centre of mass and turned with it; the shapes inside never move against it. */
import * as THREE from "three";
import { PALETTE } from "../colours.ts";
import type { Motion } from "../motion.ts";
import { guessShapes } from "./guess.ts";
import { type Kit, mark } from "./kit.ts";
import { shapeObjects } from "./shapes.ts";
import { arms, knownShapes, marksOf } from "./wheels.ts";

const LAYERS = 4;

export class Bodies {
    readonly group = new THREE.Group();

    constructor(
        private kit: Kit,
        private motion: Motion,
    ) {
        motion.header.bodies.forEach((_, index) => this.group.add(this.make(index)));
    }

    private make(index: number): THREE.Group {
        const body = this.motion.header.bodies[index];
        const group = new THREE.Group();
        group.name = body.name;
        if ((body.node_of ?? -1) < 0) {
            const known = knownShapes(this.motion.header, index);
            const marks = marksOf(this.motion.header, index);
            const shapes = known.length ? [...known, ...arms(known, marks)] : guessShapes(marks, this.kit.size);
            const objects = shapes.flatMap((shape) => shapeObjects(this.kit, shape, PALETTE[index % PALETTE.length]));
            /* In the plane bodies lie in layers, so that none cuts through another. */
            if (this.kit.planar) objects.forEach((object) => (object.position.z += (index % LAYERS) * this.kit.radius));
            if (objects.length) group.add(...objects);
        }
        this.kit.unite(group);
        mark(group, { kind: "body", index });
        return group;
    }

    update(): void {
        this.group.children.forEach((object, index) => {
            const { r, e } = this.motion.pose(index);
            object.visible = r.every(Number.isFinite) && e.every(Number.isFinite); // nowhere: not drawn
            object.position.set(r[0], r[1], r[2]);
            object.quaternion.set(e[1], e[2], e[3], e[0]);
        });
    }

    /* As drawn, read back from the objects and not from the data. */
    positions(): { name: string; position: [number, number, number] }[] {
        return this.group.children.map((object) => {
            object.updateWorldMatrix(true, false);
            const place = new THREE.Vector3().setFromMatrixPosition(object.matrixWorld);
            return { name: object.name, position: place.toArray() };
        });
    }
}
