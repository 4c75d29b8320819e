// SPDX-License-Identifier: BSD-3-Clause
/* Draws the same scene on a plain canvas where WebGL is missing: faces from far to near, each in one shade. */
import * as THREE from "three";
import type { Drawer } from "./gl.ts";

interface Piece {
    depth: number;
    xy: number[]; // corners on the canvas
    colour: string;
    alpha: number;
    filled: boolean;
}

const LIGHT = new THREE.Vector3(0.35, 0.65, 0.7).normalize();

class Painter implements Drawer {
    readonly canvas = document.createElement("canvas");
    private readonly context: CanvasRenderingContext2D;
    private readonly point = new THREE.Vector3();
    private pieces: Piece[] = [];
    private ratio = 1;

    constructor() {
        const context = this.canvas.getContext("2d");
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
        this.pieces.sort((a, b) => b.depth - a.depth);
        this.context.clearRect(0, 0, this.canvas.width, this.canvas.height);
        this.pieces.forEach((piece) => this.paint(piece));
        this.context.globalAlpha = 1;
    }

    dispose(): void {
        this.pieces = [];
    }

    private collect(object: THREE.Object3D, camera: THREE.Camera): void {
        if (!object.visible) return;
        if (object instanceof THREE.Mesh) this.addMesh(object, camera);
        else if (object instanceof THREE.Line) this.addLine(object, camera);
        object.children.forEach((child) => this.collect(child, camera));
    }

    /* Corners on the canvas with their depth, three numbers each. */
    private project(object: THREE.Mesh | THREE.Line, camera: THREE.Camera): Float32Array {
        const places = object.geometry.getAttribute("position");
        const seen = new Float32Array(3 * places.count);
        for (let i = 0; i < places.count; i++) {
            this.point.fromBufferAttribute(places, i).applyMatrix4(object.matrixWorld).project(camera);
            seen[3 * i] = ((this.point.x + 1) / 2) * this.canvas.width;
            seen[3 * i + 1] = ((1 - this.point.y) / 2) * this.canvas.height;
            seen[3 * i + 2] = this.point.z;
        }
        return seen;
    }

    private addMesh(mesh: THREE.Mesh, camera: THREE.Camera): void {
        const seen = this.project(mesh, camera);
        const index = mesh.geometry.getIndex();
        const count = index ? index.count : seen.length / 3;
        const material = mesh.material as THREE.MeshLambertMaterial;
        const shade = shader(mesh, material.color);
        for (let i = 0; i < count; i += 3) {
            const [a, b, c] = [0, 1, 2].map((k) => (index ? index.getX(i + k) : i + k));
            const xy = [a, b, c].flatMap((k) => [seen[3 * k], seen[3 * k + 1]]);
            const turn = (xy[2] - xy[0]) * (xy[5] - xy[1]) - (xy[3] - xy[1]) * (xy[4] - xy[0]);
            const depth = (seen[3 * a + 2] + seen[3 * b + 2] + seen[3 * c + 2]) / 3;
            if ((turn >= -0.01 && material.side !== THREE.DoubleSide) || Math.abs(depth) > 1) continue;
            this.pieces.push({ depth, xy, colour: shade(a), alpha: material.opacity, filled: true });
        }
    }

    private addLine(line: THREE.Line, camera: THREE.Camera): void {
        const seen = this.project(line, camera);
        const material = line.material as THREE.LineBasicMaterial;
        const pairs = line instanceof THREE.LineSegments ? 2 : 1;
        const [colour, alpha] = [`#${material.color.getHexString()}`, material.opacity];
        for (let i = 0; i + 5 < seen.length; i += 3 * pairs) {
            const depth = (seen[i + 2] + seen[i + 5]) / 2 - 1e-6;
            if (Math.abs(depth) > 1) continue;
            this.pieces.push({ depth, xy: [seen[i], seen[i + 1], seen[i + 3], seen[i + 4]], colour, alpha, filled: false });
        }
    }

    /* The stroke around a face closes the seams between neighbours. */
    private paint({ xy, colour, alpha, filled }: Piece): void {
        const { context } = this;
        context.globalAlpha = alpha;
        context.strokeStyle = colour;
        context.lineWidth = filled ? 0.6 : this.ratio;
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
}

/* The colour of a face by how its first corner's normal stands to the light. */
function shader(mesh: THREE.Mesh, colour: THREE.Color): (corner: number) => string {
    const normals = mesh.geometry.getAttribute("normal");
    const turned = new THREE.Matrix3().getNormalMatrix(mesh.matrixWorld);
    const normal = new THREE.Vector3();
    const shade = new THREE.Color();
    return (corner) => {
        if (!normals) return `#${colour.getHexString()}`;
        normal.fromBufferAttribute(normals, corner).applyMatrix3(turned).normalize();
        return `#${shade.copy(colour).multiplyScalar(0.72 + 0.28 * normal.dot(LIGHT)).getHexString()}`;
    };
}

export function makeFlatDrawer(): Drawer {
    return new Painter();
}
