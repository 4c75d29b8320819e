// SPDX-License-Identifier: BSD-3-Clause
/* The mechanism as a scene graph that moves with time. The renderers (WebGL, flat) only read it. */
import * as THREE from "three";
import { onTheme, themeColour } from "../colours.ts";
import type { RunHeader, Vec3 } from "../contract.ts";
import type { Motion } from "../motion.ts";
import { Arrows } from "./arrows.ts";
import { BeamBodies } from "./beams.ts";
import { Bodies } from "./bodies.ts";
import { type Extent, measureExtent, partSize } from "./extent.ts";
import { Forces } from "./forces.ts";
import { Ground, upward } from "./ground.ts";
import { Joints } from "./joints.ts";
import { Kit } from "./kit.ts";
import { Paths } from "./paths.ts";

export type Layer = "paths" | "reactions" | "joints" | "grid";

export class Mechanism {
    readonly scene = new THREE.Scene();
    readonly extent: Extent;
    readonly up: Vec3;
    readonly bodies: Bodies;
    readonly arrows: Arrows;
    readonly ground: Ground;
    readonly kit: Kit;
    private readonly sun = new THREE.DirectionalLight("#ffffff", 1.7);
    private readonly beams: BeamBodies;
    private readonly joints: Joints;
    private readonly forces: Forces;
    private readonly paths: Paths;

    constructor(
        readonly motion: Motion,
        flat: boolean,
    ) {
        const { header } = motion;
        this.extent = measureExtent(motion);
        this.up = upward(header.planar, header.gravity);
        this.kit = new Kit(
            header.planar,
            flat,
            partSize(motion, this.extent),
            header.bodies.length + (header.joints?.length ?? 0),
        );
        this.bodies = new Bodies(this.kit, motion);
        this.beams = new BeamBodies(this.kit, motion);
        this.joints = new Joints(this.kit, motion);
        this.forces = new Forces(this.kit, motion);
        this.arrows = new Arrows(this.kit, motion);
        this.paths = new Paths(this.kit, motion);
        this.ground = new Ground(this.kit, this.extent, this.up, feetOf(header));
        this.scene.add(this.ground.group, this.ground.feet, this.bodies.group, this.beams.group, this.joints.group);
        this.scene.add(...this.joints.rodMeshes, this.forces.group, this.paths.group, this.arrows.group);
        this.addLights();
        this.takeColours();
        onTheme(() => this.takeColours());
        this.update(motion.start);
    }

    private addLights(): void {
        const sky = new THREE.HemisphereLight("#ffffff", "#b0b5bc", 1.9);
        sky.position.set(...this.up);
        this.scene.add(sky);
        this.scene.add(this.sun);
    }

    /* The light comes from behind the camera, so that no visible side is dark. */
    lightFrom(camera: THREE.Camera): void {
        this.sun.position.set(-0.5, 0.7, 1).applyQuaternion(camera.quaternion);
    }

    private takeColours(): void {
        this.ground.setColour(themeColour("grid"));
    }

    update(t: number): void {
        this.motion.go(t);
        const parts = [this.bodies, this.beams, this.joints, this.forces, this.arrows, this.paths];
        parts.filter(({ group }) => group.visible).forEach((part) => part.update());
    }

    show(layer: Layer, visible: boolean): void {
        if (layer === "paths") this.paths.group.visible = visible;
        if (layer === "reactions") this.arrows.group.visible = visible;
        if (layer === "grid") this.ground.gridVisible = visible;
        if (layer === "joints") [this.joints.group, ...this.joints.rodMeshes].forEach((o) => (o.visible = visible));
    }

    /* Bodies, beams and rods: what a faint position at another time consists of. */
    get moving(): THREE.Object3D[] {
        return [this.bodies.group, this.beams.group, ...this.joints.rodMeshes];
    }

    /* Objects that can be pointed at. */
    get pickable(): THREE.Object3D[] {
        const groups = [this.bodies, this.beams, this.joints, this.forces, this.arrows, this.paths].map(
            (part) => part.group,
        );
        return [...groups.filter((group) => group.visible), ...this.joints.rodMeshes.filter((rod) => rod.visible)];
    }
}

/* Points where joints connect bodies to the ground; rolling contacts are left out. */
function feetOf({ joints = [], forces = [], ground }: RunHeader): Vec3[] {
    const held = joints.some(({ kind, first, second }) => Math.min(first, second) < 0 && kind !== "rolling");
    const pulled = forces.some(({ ends }) => ends.some(({ body }) => body < 0));
    return held || pulled ? (ground?.marks ?? []) : [];
}
