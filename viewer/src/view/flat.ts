// SPDX-License-Identifier: BSD-3-Clause
/* Draws the same scene on a plain canvas where WebGL is missing: faces from far to near, each in one shade. */
import * as THREE from "three";
import { BALL, ROD } from "../scene/geometry.ts";
import type { Drawer } from "./gl.ts";

interface Piece {
    order: number; // what is to lie below or above everything
    depth: number;
    xy: number[]; // corners on the canvas
    colour: string;
    alpha: number;
    filled: boolean;
    width?: number; // of a thick line; of a single corner: the diameter of a disc
}

const LIGHT = new THREE.Vector3(0.35, 0.65, 0.7).normalize();

class Painter implements Drawer {
    readonly canvas = document.createElement("canvas");
    private readonly context: CanvasRenderingContext2D;
    private readonly point = new THREE.Vector3();
    private pieces: Piece[] = [];
    private ratio = 1;

    constructor() {
        const context = this.canvas.getContext("2d", { willReadFrequently: true }); // stays in memory: there is no GPU
        if (!context) throw new Error("This browser offers no canvas to draw on.");
        this.context = context;
    }

    resize(width: number, height: number): void {
        this.ratio = Math.min(2, devicePixelRatio || 1);
        this.canvas.width = Math.round(width * this.ratio);
        this.canvas.height = Math.round(height * this.ratio);
    }

    draw(scene: THREE.Scene, camera: THREE.Camera): void {
        scene.updateMatrixWorld();
        camera.updateMatrixWorld();
        this.pieces = [];
        this.collect(scene, camera);
        this.pieces.sort((a, b) => a.order - b.order || b.depth - a.depth);
        this.context.clearRect(0, 0, this.canvas.width, this.canvas.height);
        this.pieces.forEach((piece) => this.paint(piece));
        this.context.globalAlpha = 1;
    }

    dispose(): void {
        this.pieces = [];
    }

    private collect(object: THREE.Object3D, camera: THREE.Camera): void {
        if (!object.visible) return;
        if (object instanceof THREE.Mesh) this.addSimple(object, camera) || this.addMesh(object, camera);
        else if (object instanceof THREE.Line) this.addLine(object, camera);
        object.children.forEach((child) => this.collect(child, camera));
    }

    /* Corners in the world, and on the canvas with their depth, three numbers each. */
    private project(
        object: THREE.Mesh | THREE.Line,
        camera: THREE.Camera,
    ): { world: Float32Array; seen: Float32Array } {
        const places = object.geometry.getAttribute("position");
        const [world, seen] = [new Float32Array(3 * places.count), new Float32Array(3 * places.count)];
        for (let i = 0; i < places.count; i++) {
            this.point
                .fromBufferAttribute(places, i)
                .applyMatrix4(object.matrixWorld)
                .toArray(world, 3 * i);
            this.point.project(camera);
            seen[3 * i] = ((this.point.x + 1) / 2) * this.canvas.width;
            seen[3 * i + 1] = ((1 - this.point.y) / 2) * this.canvas.height;
            seen[3 * i + 2] = this.point.z;
        }
        return { world, seen };
    }

    private onCanvas(point: THREE.Vector3, camera: THREE.Camera): THREE.Vector3 {
        point.project(camera);
        return point.set(((point.x + 1) / 2) * this.canvas.width, ((1 - point.y) / 2) * this.canvas.height, point.z);
    }

    /* Balls are discs and long rods thick lines: one piece instead of a hundred. False for all else. */
    private addSimple(mesh: THREE.Mesh, camera: THREE.Camera): boolean {
        const { name } = mesh.geometry;
        if (name !== BALL && name !== ROD) return false;
        const side = new THREE.Vector3().setFromMatrixColumn(camera.matrixWorld, 0);
        const centre = new THREE.Vector3().setFromMatrixPosition(mesh.matrixWorld);
        const radius = new THREE.Vector3().setFromMatrixColumn(mesh.matrixWorld, 0).length();
        const axis = new THREE.Vector3().setFromMatrixColumn(mesh.matrixWorld, 2);
        const long = name === ROD && this.lies(axis, radius, camera);
        if (name === ROD && !long) return false;
        const rim = this.onCanvas(side.multiplyScalar(radius).add(centre), camera);
        const ends = (long ? [-0.5, 0.5] : [0]).map((k) =>
            this.onCanvas(axis.clone().multiplyScalar(k).add(centre), camera),
        );
        const middle = this.onCanvas(centre, camera);
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
    private lies(axis: THREE.Vector3, radius: number, camera: THREE.Camera): boolean {
        const sight = new THREE.Vector3().setFromMatrixColumn(camera.matrixWorld, 2);
        const along = axis.dot(sight);
        return Math.sqrt(Math.max(0, axis.lengthSq() - along * along)) > 2 * radius;
    }

    private addMesh(mesh: THREE.Mesh, camera: THREE.Camera): void {
        const { world, seen } = this.project(mesh, camera);
        const index = mesh.geometry.getIndex();
        const count = index ? index.count : seen.length / 3;
        const material = mesh.material as THREE.MeshLambertMaterial;
        const shade = shader(world, material.color);
        for (let i = 0; i < count; i += 3) {
            const [a, b, c] = [0, 1, 2].map((k) => (index ? index.getX(i + k) : i + k));
            const xy = [a, b, c].flatMap((k) => [seen[3 * k], seen[3 * k + 1]]);
            const turn = (xy[2] - xy[0]) * (xy[5] - xy[1]) - (xy[3] - xy[1]) * (xy[4] - xy[0]);
            const depth = (seen[3 * a + 2] + seen[3 * b + 2] + seen[3 * c + 2]) / 3;
            if ((turn >= -0.01 && material.side !== THREE.DoubleSide) || Math.abs(depth) > 1) continue;
            this.pieces.push({
                order: mesh.renderOrder,
                depth,
                xy,
                colour: shade(a, b, c),
                alpha: material.opacity,
                filled: true,
            });
        }
    }

    private addLine(line: THREE.Line, camera: THREE.Camera): void {
        const { seen } = this.project(line, camera);
        const material = line.material as THREE.LineBasicMaterial;
        const pairs = line instanceof THREE.LineSegments ? 2 : 1;
        const [colour, alpha] = [`#${material.color.getHexString()}`, material.opacity];
        for (let i = 0; i + 5 < seen.length; i += 3 * pairs) {
            const depth = (seen[i + 2] + seen[i + 5]) / 2 - 1e-6;
            if (Math.abs(depth) > 1) continue;
            const xy = [seen[i], seen[i + 1], seen[i + 3], seen[i + 4]];
            this.pieces.push({ order: line.renderOrder, depth, xy, colour, alpha, filled: false });
        }
    }

    /* The stroke around a face closes the seams between neighbours. */
    private paint({ xy, colour, alpha, filled, width }: Piece): void {
        const { context } = this;
        context.globalAlpha = alpha;
        context.strokeStyle = colour;
        context.lineWidth = filled ? 0.6 : (width ?? this.ratio);
        if (xy.length === 2) return this.paintDisc(xy, colour, width ?? 1);
        context.beginPath();
        context.moveTo(xy[0], xy[1]);
        for (let i = 2; i < xy.length; i += 2) context.lineTo(xy[i], xy[i + 1]);
        if (filled) {
            context.closePath();
            context.fillStyle = colour;
            context.fill();
        }
        if (!filled || alpha === 1) context.stroke();
    }

    private paintDisc([x, y]: number[], colour: string, width: number): void {
        this.context.fillStyle = colour;
        this.context.beginPath();
        this.context.arc(x, y, width / 2, 0, 2 * Math.PI);
        this.context.fill();
    }
}

/* The colour of a face by how it stands to the light; its back is lit as its front. */
function shader(world: Float32Array, colour: THREE.Color): (a: number, b: number, c: number) => string {
    const [p, q, r] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()];
    const shade = new THREE.Color();
    return (a, b, c) => {
        [p, q, r].forEach((corner, i) => corner.fromArray(world, 3 * [a, b, c][i]));
        const normal = q.sub(p).cross(r.sub(p)).normalize();
        return `#${shade
            .copy(colour)
            .multiplyScalar(0.7 + 0.3 * Math.abs(normal.dot(LIGHT)))
            .getHexString()}`;
    };
}

export function makeFlatDrawer(): Drawer {
    return new Painter();
}
