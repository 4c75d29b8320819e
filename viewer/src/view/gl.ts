// SPDX-License-Identifier: BSD-3-Clause
/* Draws the scene by WebGL. */
import * as THREE from "three";

export interface Drawer {
    readonly canvas: HTMLCanvasElement;
    resize(width: number, height: number): void;
    draw(scene: THREE.Scene, camera: THREE.Camera): void;
    dispose(): void;
}

/* Asks first, since the renderer writes to the console where there is none. */
function available(): boolean {
    try {
        const context = document.createElement("canvas").getContext("webgl2");
        context?.getExtension("WEBGL_lose_context")?.loseContext();
        return context !== null;
    } catch {
        return false;
    }
}

/* Null where there is no WebGL. */
export function makeGlDrawer(): Drawer | null {
    if (!available()) return null;
    try {
        const renderer = new THREE.WebGLRenderer({ antialias: true, alpha: true, powerPreference: "high-performance" });
        renderer.setClearColor(0x000000, 0);
        return {
            canvas: renderer.domElement,
            resize(width, height) {
                renderer.setPixelRatio(Math.min(2, devicePixelRatio || 1));
                renderer.setSize(width, height, false);
            },
            draw: (scene, camera) => renderer.render(scene, camera),
            dispose: () => renderer.dispose(),
        };
    } catch {
        return null;
    }
}
