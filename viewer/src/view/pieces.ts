// SPDX-License-Identifier: BSD-3-Clause
/* Takes a scene apart into what can be painted one after another: faces from far to near, each in one shade. */
import * as THREE from "three";
import { BALL, ROD } from "../scene/geometry.ts";
import type { Sink } from "./sink.ts";

interface Piece {
    order: number; // what is to lie below or above everything
    depth: number;
    xy: number[]; // corners in the picture
    colour: string;
    alpha: number;
    filled: boolean;
    width?: number; // of a thick line; of a single corner: the diameter of a disc
}

const SHADES = 32; // few enough that faces that are nearly one become one
const LIGHT = new THREE.Vector3(0.35, 0.65, 0.7).normalize();

export class Pieces {
    private readonly point = new THREE.Vector3();
    private pieces: Piece[] = [];

    constructor(
        private camera: THREE.Camera,
        private width: number, // of the picture
        private height: number,
        private hair: number, // width of a thin line
        private least = 0, // lines that lead less far than this are left out
    ) {}

    /* Everything below these objects, whose places in the world are known. */
    paint(objects: THREE.Object3D[], sink: Sink): void {
        this.pieces = [];
        objects.forEach((object) => this.collect(object));
        this.pieces.sort((a, b) => a.order - b.order || b.depth - a.depth);
        this.pieces.forEach((piece) => this.put(piece, sink));
    }

    private put({ xy, colour, alpha, filled, width }: Piece, sink: Sink): void {
        if (xy.length === 2) sink.disc(xy[0], xy[1], (width ?? 1) / 2, colour, alpha);
        else if (filled) sink.face(xy, colour, alpha);
        else sink.line(xy, colour, alpha, width ?? this.hair);
    }

    private collect(object: THREE.Object3D): void {
        if (!object.visible) return;
        if (object instanceof THREE.Mesh) this.addSimple(object) || this.addMesh(object);
        else if (object instanceof THREE.Line) this.addLine(object);
        object.children.forEach((child) => this.collect(child));
    }

    /* Corners in the world, and on the canvas with their depth, three numbers each. */
    private project(object: THREE.Mesh | THREE.Line): { world: Float32Array; seen: Float32Array } {
        const places = object.geometry.getAttribute("position");
        const [world, seen] = [new Float32Array(3 * places.count), new Float32Array(3 * places.count)];
        for (let i = 0; i < places.count; i++) {
            this.point
                .fromBufferAttribute(places, i)
                .applyMatrix4(object.matrixWorld)
                .toArray(world, 3 * i);
            this.point.project(this.camera);
            seen[3 * i] = ((this.point.x + 1) / 2) * this.width;
            seen[3 * i + 1] = ((1 - this.point.y) / 2) * this.height;
            seen[3 * i + 2] = this.point.z;
        }
        return { world, seen };
    }

    private onCanvas(point: THREE.Vector3): THREE.Vector3 {
        point.project(this.camera);
        return point.set(((point.x + 1) / 2) * this.width, ((1 - point.y) / 2) * this.height, point.z);
    }

    /* Balls are discs and long rods thick lines: one piece instead of a hundred. False for all else. */
    private addSimple(mesh: THREE.Mesh): boolean {
        const { name } = mesh.geometry;
        if (name !== BALL && name !== ROD) return false;
        const side = new THREE.Vector3().setFromMatrixColumn(this.camera.matrixWorld, 0);
        const centre = new THREE.Vector3().setFromMatrixPosition(mesh.matrixWorld);
        const radius = new THREE.Vector3().setFromMatrixColumn(mesh.matrixWorld, 0).length();
        const axis = new THREE.Vector3().setFromMatrixColumn(mesh.matrixWorld, 2);
        const long = name === ROD && this.lies(axis, radius);
        if (name === ROD && !long) return false;
        const rim = this.onCanvas(side.multiplyScalar(radius).add(centre));
        const ends = (long ? [-0.5, 0.5] : [0]).map((k) => this.onCanvas(axis.clone().multiplyScalar(k).add(centre)));
        const middle = this.onCanvas(centre);
        if (!(Math.abs(middle.z) <= 1)) return true;
        const material = mesh.material as THREE.MeshLambertMaterial;
        this.pieces.push({
            order: mesh.renderOrder,
            depth: middle.z,
            xy: ends.flatMap((p) => [p.x, p.y]),
            filled: false,
            alpha: material.opacity,
            colour: `#${material.color.getHexString()}`,
            width: 2 * Math.hypot(rim.x - middle.x, rim.y - middle.y),
        });
        return true;
    }

    /* True for a rod that is longer than thick as it is seen, so that its ends do not matter. */
    private lies(axis: THREE.Vector3, radius: number): boolean {
        const sight = new THREE.Vector3().setFromMatrixColumn(this.camera.matrixWorld, 2);
        const along = axis.dot(sight);
        return Math.sqrt(Math.max(0, axis.lengthSq() - along * along)) > 2 * radius;
    }

    private addMesh(mesh: THREE.Mesh): void {
        const { world, seen } = this.project(mesh);
        const index = mesh.geometry.getIndex();
        const count = index ? index.count : seen.length / 3;
        const material = mesh.material as THREE.MeshLambertMaterial;
        const own = material.vertexColors ? mesh.geometry.getAttribute("color") : null; // of united parts
        const alpha = material.opacity;
        const shade = shader(world, material.color, own);
        for (let i = 0; i < count; i += 3) {
            const [a, b, c] = [0, 1, 2].map((k) => (index ? index.getX(i + k) : i + k));
            const xy = [a, b, c].flatMap((k) => [seen[3 * k], seen[3 * k + 1]]);
            const turn = (xy[2] - xy[0]) * (xy[5] - xy[1]) - (xy[3] - xy[1]) * (xy[4] - xy[0]);
            const depth = (seen[3 * a + 2] + seen[3 * b + 2] + seen[3 * c + 2]) / 3;
            if ((turn >= -0.01 && material.side !== THREE.DoubleSide) || Math.abs(depth) > 1) continue;
            const [order, colour] = [mesh.renderOrder, shade(a, b, c)];
            const before = i > 0 ? this.pieces[this.pieces.length - 1] : null;
            if (before?.colour === colour && before.filled && joined(before.xy, turn < 0 ? xy : back(xy))) continue;
            this.pieces.push({ order, depth, xy: turn < 0 ? xy : back(xy), colour, alpha, filled: true });
        }
    }

    private addLine(line: THREE.Line): void {
        const { seen } = this.project(line);
        const material = line.material as THREE.LineBasicMaterial;
        const pairs = line instanceof THREE.LineSegments ? 2 : 1;
        const [colour, alpha] = [`#${material.color.getHexString()}`, material.opacity];
        let from = 0; // where the last segment that was kept ends
        for (let i = 0; i + 5 < seen.length; i += 3 * pairs) {
            if (pairs === 2) from = i;
            const to = i + 3;
            const last = to + 3 * pairs >= seen.length;
            if (!last && Math.hypot(seen[to] - seen[from], seen[to + 1] - seen[from + 1]) < this.least) continue;
            const depth = (seen[from + 2] + seen[to + 2]) / 2 - 1e-6;
            const xy = [seen[from], seen[from + 1], seen[to], seen[to + 1]];
            from = to;
            if (Math.abs(depth) > 1) continue;
            this.pieces.push({ order: line.renderOrder, depth, xy, colour, alpha, filled: false });
        }
    }
}

const MOST_CORNERS = 40;

/* Adds a triangle to the polygon that was before it, where they have a side in common. */
function joined(polygon: number[], triangle: number[]): boolean {
    const n = polygon.length;
    if (n >= 2 * MOST_CORNERS) return false;
    for (let k = 0; k < 6; k += 2) {
        const [px, py, qx, qy] = [k, k + 1, (k + 2) % 6, (k + 3) % 6].map((m) => triangle[m]);
        for (let i = 0; i < n; i += 2) {
            const j = (i + 2) % n;
            if (polygon[i] !== qx || polygon[i + 1] !== qy || polygon[j] !== px || polygon[j + 1] !== py) continue;
            polygon.splice(i + 2, 0, triangle[(k + 4) % 6], triangle[(k + 5) % 6]);
            return true;
        }
    }
    return false;
}

function back(xy: number[]): number[] {
    return [xy[4], xy[5], xy[2], xy[3], xy[0], xy[1]];
}

/* The colour of a face by how it stands to the light; its back is lit as its front. */
function shader(
    world: Float32Array,
    colour: THREE.Color,
    own: THREE.BufferAttribute | THREE.InterleavedBufferAttribute | null,
): (a: number, b: number, c: number) => string {
    const [p, q, r] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()];
    const shade = new THREE.Color();
    return (a, b, c) => {
        [p, q, r].forEach((corner, i) => corner.fromArray(world, 3 * [a, b, c][i]));
        const normal = q.sub(p).cross(r.sub(p)).normalize();
        if (own) shade.fromBufferAttribute(own, a);
        else shade.copy(colour);
        return `#${shade.multiplyScalar(0.7 + 0.3 * (Math.round(SHADES * Math.abs(normal.dot(LIGHT))) / SHADES)).getHexString()}`;
    };
}
