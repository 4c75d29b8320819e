// SPDX-License-Identifier: BSD-3-Clause
/* Forces between two points: springs as coils, others as thin rods. */
import * as THREE from "three";
import type { Force } from "../contract.ts";
import type { Motion } from "../motion.ts";
import { stretch } from "./geometry.ts";
import { type Kit, mark } from "./kit.ts";

const COLOUR = "#8a8f98";
const COILED = new Set(["spring", "bushing", "bump-stop"]);

export class Forces {
    readonly group = new THREE.Group();
    private readonly links: { force: Force; mesh: THREE.Mesh }[] = [];

    constructor(
        private kit: Kit,
        private motion: Motion,
    ) {
        motion.header.forces?.forEach((force, index) => {
            if (force.ends.length !== 2) return;
            const coiled = COILED.has(force.kind);
            const mesh = kit.mesh(coiled ? kit.geometries.coil : kit.geometries.cylinder, COLOUR);
            mark(mesh, { kind: "force", index });
            this.links.push({ force, mesh });
            this.group.add(mesh);
        });
    }

    update(): void {
        for (const { force, mesh } of this.links) {
            const [a, b] = force.ends.map((end) => this.motion.place(end.body, end.at));
            const radius = (COILED.has(force.kind) ? 1.8 : 0.35) * this.kit.radius;
            stretch(mesh, a, b, radius);
        }
    }
}
