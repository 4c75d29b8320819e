// SPDX-License-Identifier: BSD-3-Clause
/* The ground: a grid, below everything in space and behind it in the plane, and a hatched foot at each place where
 * something is held by it. */
import * as THREE from "three";
import type { Vec3 } from "../contract.ts";
import { niceStep } from "../format.ts";
import { dot, unit } from "../vector.ts";
import { diagonal, type Extent } from "./extent.ts";
import { vector } from "./geometry.ts";
import type { Kit } from "./kit.ts";

const FOOT = "#8a8f98";
const CELLS = 8;

export class Ground {
    readonly group = new THREE.Group();
    readonly feet = new THREE.Group();
    readonly spacing: number;
    private readonly grid: THREE.LineSegments;
    private readonly gridLine: THREE.LineBasicMaterial;

    constructor(
        private kit: Kit,
        extent: Extent,
        private up: Vec3,
        marks: Vec3[],
    ) {
        this.spacing = niceStep(diagonal(extent) / CELLS);
        this.gridLine = new THREE.LineBasicMaterial({ color: "#c8ccd2" });
        this.grid = new THREE.LineSegments(this.gridGeometry(extent), this.gridLine);
        this.grid.renderOrder = -1;
        this.group.add(this.grid);
        marks.forEach((at) => this.feet.add(this.foot(at)));
        kit.unite(this.feet);
    }

    setColour(colour: string): void {
        this.gridLine.color.set(colour);
    }

    set gridVisible(visible: boolean) {
        this.grid.visible = visible;
    }

    /* Lines at multiples of the spacing, in the plane normal to `n` through the lowest place. */
    private gridGeometry(extent: Extent): THREE.BufferGeometry {
        const n = this.kit.planar ? new THREE.Vector3(0, 0, 1) : vector(this.up);
        const x = Math.abs(n.x) < 0.9 ? new THREE.Vector3(1, 0, 0) : new THREE.Vector3(0, 1, 0);
        x.addScaledVector(n, -x.dot(n)).normalize();
        const y = n.clone().cross(x);
        const level = this.kit.planar ? -4 * this.kit.radius : lowest(extent, this.up) - 4 * this.kit.radius;
        const [u0, u1] = this.span(extent, x);
        const [v0, v1] = this.span(extent, y);
        const places: number[] = [];
        const put = (u: number, v: number): void => {
            const p = x
                .clone()
                .multiplyScalar(u * this.spacing)
                .addScaledVector(y, v * this.spacing);
            places.push(...p.addScaledVector(n, level).toArray());
        };
        for (let u = u0; u <= u1; u++) [v0, v1].forEach((v) => put(u, v));
        for (let v = v0; v <= v1; v++) [u0, u1].forEach((u) => put(u, v));
        return new THREE.BufferGeometry().setAttribute("position", new THREE.Float32BufferAttribute(places, 3));
    }

    /* Whole numbers of the spacing that reach around the motion, wider in the plane, where the grid is the paper. */
    private span(extent: Extent, direction: THREE.Vector3): [number, number] {
        const ends = corners(extent).map((p) => vector(p).dot(direction) / this.spacing);
        const more = this.kit.planar ? 6 : 1;
        return [Math.floor(Math.min(...ends)) - more, Math.ceil(Math.max(...ends)) + more];
    }

    /* A wedge on a hatched line, pointing against gravity. */
    private foot(at: Vec3): THREE.Object3D {
        const r = this.kit.radius;
        const foot = new THREE.Group();
        const base = this.kit.mesh(this.kit.geometries.box, FOOT);
        base.scale.set(6.4 * r, 0.5 * r, this.kit.planar ? 0.2 * r : 6.4 * r);
        base.position.y = -3.2 * r;
        const wedge = this.kit.mesh(this.wedge(), FOOT);
        foot.add(base, wedge, this.hatch());
        foot.position.copy(vector(at));
        foot.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), vector(this.up));
        if (this.kit.planar) foot.position.z = -1.5 * r;
        return foot;
    }

    private wedge(): THREE.BufferGeometry {
        const r = this.kit.radius;
        if (!this.kit.planar)
            return new THREE.ConeGeometry(2 * r, 3 * r, this.kit.flat ? 6 : 20).translate(0, -1.5 * r, 0);
        const shape = new THREE.Shape(
            [
                [0, 0.4],
                [2, -3],
                [-2, -3],
            ].map(([x, y]) => new THREE.Vector2(x * r, y * r)),
        );
        return new THREE.ShapeGeometry(shape);
    }

    private hatch(): THREE.Object3D {
        const r = this.kit.radius;
        const places: number[] = [];
        if (this.kit.planar)
            for (let x = -2.6; x <= 3.2; x += 1.4) places.push(x * r, -3.4 * r, 0, (x - 1) * r, -4.6 * r, 0);
        const geometry = new THREE.BufferGeometry();
        geometry.setAttribute("position", new THREE.Float32BufferAttribute(places, 3));
        return new THREE.LineSegments(geometry, this.kit.line(FOOT));
    }
}

function corners({ low, high }: Extent): Vec3[] {
    const list: Vec3[] = [];
    for (let i = 0; i < 8; i++)
        list.push([i & 1 ? high[0] : low[0], i & 2 ? high[1] : low[1], i & 4 ? high[2] : low[2]]);
    return list;
}

function lowest(extent: Extent, up: Vec3): number {
    return Math.min(...corners(extent).map((p) => dot(p, up)));
}

/* Against gravity; without it y in the plane and z in space. */
export function upward(planar: boolean, gravity: Vec3 | undefined): Vec3 {
    const against = (gravity ?? [0, 0, 0]).map((g) => -g) as Vec3;
    return unit(against, planar ? [0, 1, 0] : [0, 0, 1]);
}
