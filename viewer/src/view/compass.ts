// SPDX-License-Identifier: BSD-3-Clause
/* A small picture of the global axes and of gravity as the camera sees them. */
import * as THREE from "three";
import { themeColour } from "../colours.ts";
import type { Vec3 } from "../contract.ts";
import { norm, unit } from "../vector.ts";

const SIZE = 92;
const REACH = 26;

export class Compass {
    readonly canvas = document.createElement("canvas");
    private readonly turned = new THREE.Quaternion();
    private last = "";

    constructor(
        private planar: boolean,
        private gravity: Vec3 | undefined,
    ) {
        this.canvas.className = "compass";
        this.canvas.setAttribute("role", "img");
        this.canvas.setAttribute("aria-label", "Global axes and direction of gravity");
    }

    draw(camera: THREE.Camera): void {
        const ratio = Math.min(2, devicePixelRatio || 1);
        const key =
            camera.quaternion
                .toArray()
                .map((x) => x.toFixed(4))
                .join() +
            themeColour("text") +
            ratio;
        if (key === this.last) return;
        this.last = key;
        this.canvas.width = this.canvas.height = SIZE * ratio;
        const context = this.canvas.getContext("2d");
        if (!context) return;
        context.scale(ratio, ratio);
        context.font = "600 11px system-ui, sans-serif";
        context.textAlign = "center";
        context.textBaseline = "middle";
        this.turned.copy(camera.quaternion).invert();
        const axes: [Vec3, string][] = [
            [[1, 0, 0], "x"],
            [[0, 1, 0], "y"],
        ];
        if (!this.planar) axes.push([[0, 0, 1], "z"]);
        axes.forEach(([axis, name]) => this.arrow(context, axis, name, REACH, themeColour("muted")));
        if (this.gravity && norm(this.gravity) > 0)
            this.arrow(context, unit(this.gravity), "g", REACH, themeColour("accent"));
    }

    private arrow(context: CanvasRenderingContext2D, axis: Vec3, name: string, reach: number, colour: string): void {
        const seen = new THREE.Vector3(...axis).applyQuaternion(this.turned);
        const [x0, y0] = [SIZE / 2, SIZE / 2];
        const [x, y] = [x0 + reach * seen.x, y0 - reach * seen.y];
        context.strokeStyle = context.fillStyle = colour;
        context.lineWidth = name === "g" ? 2.5 : 1.5;
        context.beginPath();
        context.moveTo(x0, y0);
        context.lineTo(x, y);
        context.stroke();
        this.head(context, x - x0, y - y0, x, y);
        const length = Math.hypot(x - x0, y - y0);
        if (length < 6) return;
        const k = (length + 11) / length;
        context.fillText(name, x0 + (x - x0) * k, y0 + (y - y0) * k);
    }

    private head(context: CanvasRenderingContext2D, dx: number, dy: number, x: number, y: number): void {
        const length = Math.hypot(dx, dy);
        if (length < 4) return;
        const [u, v] = [dx / length, dy / length];
        context.beginPath();
        context.moveTo(x + 2 * u, y + 2 * v);
        context.lineTo(x - 5 * u - 3 * v, y - 5 * v + 3 * u);
        context.lineTo(x - 5 * u + 3 * v, y - 5 * v - 3 * u);
        context.fill();
    }
}
