// SPDX-License-Identifier: BSD-3-Clause
/* Forces between two points: springs as coils, others as thin rods. */
import * as THREE from "three";
import type { Force } from "../contract.ts";
import type { Motion } from "../motion.ts";
import { norm, subtract } from "../vector.ts";
import { Coil } from "./coil.ts";
import { stretch } from "./geometry.ts";
import { type Kit, mark } from "./kit.ts";

const COLOUR = "#8a8f98";
const COILED = new Set(["spring", "bushing", "bump-stop"]);

interface Link {
    force: Force;
    mesh: THREE.Mesh;
    coil: Coil | null;
}

export class Forces {
    readonly group = new THREE.Group();
    private readonly links: Link[] = [];

    constructor(
        private kit: Kit,
        private motion: Motion,
    ) {
        motion.header.forces?.forEach((force, index) => {
            if (force.ends.length === 2) this.add(force, index);
        });
    }

    private add(force: Force, index: number): void {
        const { radius, flat, geometries } = this.kit;
        const coil = COILED.has(force.kind) ? new Coil(1.7 * radius, 0.3 * radius, flat) : null;
        const mesh = this.kit.mesh(coil ? coil.geometry : geometries.cylinder, COLOUR);
        mark(mesh, { kind: "force", index });
        this.links.push({ force, mesh, coil });
        this.group.add(mesh);
    }

    update(): void {
        for (const { force, mesh, coil } of this.links) {
            const [a, b] = force.ends.map((end) => this.motion.place(end.body, end.at));
            mesh.visible = [...a, ...b].every(Number.isFinite);
            if (!mesh.visible) continue;
            stretch(mesh, a, b, 0.35 * this.kit.radius);
            if (!coil) continue;
            mesh.scale.setScalar(1);
            coil.setLength(norm(subtract(b, a)));
        }
    }
}
