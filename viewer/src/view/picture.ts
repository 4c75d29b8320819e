// SPDX-License-Identifier: BSD-3-Clause
/* What is seen as an SVG picture, with faint positions at other times where they are asked for. */
import type * as THREE from "three";
import { themeColour } from "../colours.ts";
import type { Mechanism } from "../scene/mechanism.ts";
import { Pieces } from "./pieces.ts";
import { SvgSink } from "./sink.ts";

export interface Picture {
    width: number;
    height: number;
    time: number;
    ghosts: number[]; // times
}

const FAINT = 0.3;
const LEAST = 1.5; // pixels of a line

/* The mechanism is one for flat drawing. It is left at the time of the picture. */
export function svgText(mechanism: Mechanism, camera: THREE.Camera, { width, height, time, ghosts }: Picture): string {
    const sink = new SvgSink();
    const paint = (objects: THREE.Object3D[]): void => new Pieces(camera, width, height, 1, LEAST).paint(objects, sink);
    const go = (t: number): void => {
        mechanism.update(t);
        mechanism.scene.updateMatrixWorld();
    };
    camera.updateMatrixWorld();
    go(time);
    paint([mechanism.ground.group]);
    for (const ghost of ghosts) {
        go(ghost);
        sink.group(FAINT, () => paint(mechanism.moving));
    }
    go(time);
    paint(mechanism.scene.children.filter((object) => object !== mechanism.ground.group));
    const panel = { ground: themeColour("card"), border: themeColour("line") };
    return sink.text(width, height, mechanism.motion.header.title ?? "", panel);
}
