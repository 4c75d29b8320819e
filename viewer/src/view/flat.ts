// SPDX-License-Identifier: BSD-3-Clause
/* Draws the same scene on a plain canvas where WebGL is missing. */
import type * as THREE from "three";
import type { Drawer } from "./gl.ts";
import { Pieces } from "./pieces.ts";
import { CanvasSink } from "./sink.ts";

class Painter implements Drawer {
    readonly canvas = document.createElement("canvas");
    private readonly context: CanvasRenderingContext2D;
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
        const { width, height } = this.canvas;
        scene.updateMatrixWorld();
        camera.updateMatrixWorld();
        this.context.clearRect(0, 0, width, height);
        new Pieces(camera, width, height, this.ratio).paint([scene], new CanvasSink(this.context));
        this.context.globalAlpha = 1;
    }

    dispose(): void {}
}

export function makeFlatDrawer(): Drawer {
    return new Painter();
}
