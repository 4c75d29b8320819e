// SPDX-License-Identifier: BSD-3-Clause
/* Points: a small ball each, and the path that it goes over the whole motion. */
import * as THREE from "three";
import { PATH } from "../colours.ts";
import type { Point } from "../contract.ts";
import type { Motion } from "../motion.ts";
import { type Kit, mark } from "./kit.ts";

const FINEST = 1000;

export class Paths {
    readonly group = new THREE.Group();
    private readonly balls: THREE.Mesh[] = [];

    constructor(
        private kit: Kit,
        private motion: Motion,
    ) {
        const points = motion.header.points ?? [];
        points.forEach((point, index) => {
            const path = new THREE.Line(this.geometry(point), kit.line(PATH, 0.7));
            path.frustumCulled = false;
            const ball = kit.mesh(kit.geometries.sphere, PATH);
            ball.scale.setScalar(0.5 * kit.radius);
            mark(ball, { kind: "point", index });
            this.balls.push(ball);
            this.group.add(path, ball);
        });
    }

    private geometry(point: Point): THREE.BufferGeometry {
        const { times } = this.motion;
        const skip = Math.max(1, Math.ceil(times.length / FINEST));
        const places: number[] = [];
        for (let row = 0; row < times.length; row += skip) {
            this.motion.go(times[row]);
            const place = this.motion.vector(point.column);
            if (place.every(Number.isFinite)) places.push(place[0], place[1], place[2] + this.lift);
        }
        this.motion.go(this.motion.start);
        return new THREE.BufferGeometry().setAttribute("position", new THREE.Float32BufferAttribute(places, 3));
    }

    private get lift(): number {
        return this.kit.planar ? 5 * this.kit.radius : 0;
    }

    update(): void {
        this.balls.forEach((ball, i) => {
            const place = this.motion.vector((this.motion.header.points ?? [])[i].column);
            ball.position.set(place[0], place[1], place[2] + 1.4 * this.lift);
        });
    }
}
