// SPDX-License-Identifier: BSD-3-Clause
/* The view of the mechanism: canvas, camera, label, layers; draws a frame only where something has changed. */
import { Vector3 } from "three";
import { onTheme } from "../colours.ts";
import { button, download, el, icon } from "../dom.ts";
import { fileName, withUnit } from "../format.ts";
import type { Motion } from "../motion.ts";
import type { Player } from "../player.ts";
import { type Layer, Mechanism } from "../scene/mechanism.ts";
import { Camera } from "./camera.ts";
import { Compass } from "./compass.ts";
import { makeFlatDrawer } from "./flat.ts";
import { type Drawer, makeGlDrawer } from "./gl.ts";
import { Hover } from "./hover.ts";
import { type Picture, svgText } from "./picture.ts";

const MANY_JOINTS = 12;
const PICTURE_MARGIN = 5; // in radii of a bar

function mean(places: Vector3[]): Vector3 {
    const sum = places.reduce((all, place) => all.add(place), new Vector3());
    return sum.divideScalar(Math.max(1, places.length));
}

export class Stage {
    readonly element: HTMLElement;
    readonly mechanism: Mechanism;
    flat: boolean;
    frames = 0;
    private readonly holder = el("div", { class: "holder", tabindex: 0, role: "img", "aria-label": "The mechanism" });
    private drawer: Drawer;
    private readonly camera: Camera;
    private readonly compass: Compass;
    private readonly hover: Hover;
    private readonly layersShown = new Map<Layer, boolean>();
    private asked = false;
    private last = 0;

    constructor(
        motion: Motion,
        private player: Player,
        wantFlat: boolean,
    ) {
        const gl = wantFlat ? null : makeGlDrawer();
        this.flat = gl === null;
        this.drawer = gl ?? makeFlatDrawer();
        const { header } = motion;
        this.mechanism = new Mechanism(motion, this.flat);
        this.holder.append(this.drawer.canvas);
        const margin = (this.mechanism.arrows.count ? 9 : 5) * this.mechanism.kit.radius;
        this.camera = new Camera(header.planar, this.mechanism.extent, this.mechanism.up, margin, this.holder);
        this.compass = new Compass(header.planar, header.gravity);
        this.hover = new Hover(this.mechanism, this.holder, this.camera.camera, () => this.invalidate());
        this.element = el("div", { class: "view" }, this.holder, this.overlay(), this.hover.box, this.layers());
        this.camera.controls.addEventListener("change", () => this.invalidate());
        new ResizeObserver(() => this.resize()).observe(this.holder);
        player.onChange(() => this.invalidate());
        onTheme(() => this.invalidate());
        this.drawer.canvas.addEventListener("webglcontextlost", () => this.fallBack());
    }

    /* After the loss of the WebGL context the flat renderer continues. */
    private fallBack(): void {
        this.drawer.canvas.remove();
        this.flat = true;
        this.drawer = makeFlatDrawer();
        this.holder.append(this.drawer.canvas);
        this.resize();
    }

    private overlay(): HTMLElement {
        const grid = `grid ${withUnit(this.mechanism.ground.spacing, "m")}`;
        const caption = this.flat ? `${grid} \u00b7 flat drawing, without WebGL` : grid;
        const fit = button("Show all (f)", icon("fit"), () => this.fit(), { class: "tool", id: "fit" });
        const save = button("Save this view as an SVG picture", "SVG", () => this.save(), { class: "tool", id: "svg" });
        const tools = el("div", { class: "view-tools" }, fit, save);
        return el("div", { class: "overlay" }, this.compass.canvas, el("span", { class: "caption" }, caption), tools);
    }

    private layers(): HTMLElement {
        const { header } = this.mechanism.motion;
        const box = (layer: Layer, text: string, on: boolean): HTMLElement => {
            const input = el("input", {
                type: "checkbox",
                id: `layer-${layer}`,
                change: () => this.show(layer, input.checked),
            });
            input.checked = on;
            this.show(layer, on);
            return el("label", { class: "field" }, input, text);
        };
        const items = [box("grid", "Grid", true)];
        if (header.joints?.length) items.push(box("joints", "Joints", true));
        if (header.points?.length) items.push(box("paths", "Paths", header.points.length <= MANY_JOINTS));
        if (this.mechanism.arrows.count) {
            items.push(box("reactions", "Reactions", this.mechanism.arrows.count <= MANY_JOINTS), this.arrowScale());
        }
        items.push(this.followBox());
        return el("div", { class: "layers", role: "group", "aria-label": "What is shown" }, ...items);
    }

    private following = false;

    /* A mechanism that travels is small in a view of all its way. */
    private followBox(): HTMLElement {
        const input = el("input", { type: "checkbox", id: "follow", change: () => this.follow(input.checked) });
        return el("label", { class: "field" }, input, "Follow");
    }

    private follow(on: boolean): void {
        this.following = on;
        if (!on) return this.fit();
        const places = this.places3();
        const middle = mean(places);
        const reach = places.reduce((most, place) => Math.max(most, place.distanceTo(middle)), 0);
        this.camera.lookAt(middle, 1.3 * reach + 8 * this.mechanism.kit.radius);
        this.invalidate();
    }

    private places3(): Vector3[] {
        const places = this.mechanism.bodies.positions().map(({ position }) => position);
        return places.filter((place) => place.every(Number.isFinite)).map((place) => new Vector3(...place));
    }

    private save(): void {
        download(
            fileName(this.mechanism.motion.header.model ?? "mechanism", "svg"),
            new Blob([this.svg()], { type: "image/svg+xml" }),
        );
    }

    /* The present view, or another one; always in the flat way, whose pieces are simple and few. */
    svg(wanted: Partial<Picture> & { fit?: boolean } = {}): string {
        const [width, height] = [wanted.width ?? this.holder.clientWidth, wanted.height ?? this.holder.clientHeight];
        const picture = { width, height, time: wanted.time ?? this.player.time, ghosts: wanted.ghosts ?? [] };
        const drawn = this.flatMechanism();
        let text = "";
        const around = wanted.fit ? PICTURE_MARGIN * this.mechanism.kit.radius : null;
        this.camera.during(width, height, around, () => {
            text = svgText(drawn, this.camera.camera, picture);
        });
        this.draw();
        return text;
    }

    private twin: Mechanism | null = null;

    private flatMechanism(): Mechanism {
        if (this.mechanism.kit.flat) return this.mechanism;
        this.twin ??= new Mechanism(this.mechanism.motion, true);
        this.twin.arrows.factor = this.mechanism.arrows.factor;
        this.layersShown.forEach((visible, layer) => this.twin?.show(layer, visible));
        return this.twin;
    }

    private arrowScale(): HTMLElement {
        const input = el("input", {
            type: "range",
            id: "arrow-scale",
            min: -1,
            max: 1,
            step: 0.05,
            value: 0,
            "aria-label": "Length of the arrows",
            input: () => {
                this.mechanism.arrows.factor = 10 ** Number(input.value);
                this.invalidate();
            },
        });
        return el("label", { class: "field slider" }, el("span", {}, "Length"), input);
    }

    /* Where the bodies are seen, in pixels of the window. */
    places(): [number, number][] {
        const { left, top, width, height } = this.holder.getBoundingClientRect();
        return this.mechanism.bodies.positions().map(({ position }) => {
            const seen = new Vector3(...position).project(this.camera.camera);
            return [left + ((seen.x + 1) / 2) * width, top + ((1 - seen.y) / 2) * height];
        });
    }

    private show(layer: Layer, visible: boolean): void {
        this.layersShown.set(layer, visible);
        this.mechanism.show(layer, visible);
        this.invalidate();
    }

    private fitted = false;

    private resize(): void {
        const [w, h] = [this.holder.clientWidth, this.holder.clientHeight];
        if (!w || !h) return;
        this.drawer.resize(w, h);
        this.camera.resize(w, h);
        if (!this.fitted) this.fit();
        this.fitted = true;
        this.draw();
    }

    fit(): void {
        this.camera.fit();
        this.invalidate();
    }

    invalidate(): void {
        if (this.asked) return;
        this.asked = true;
        requestAnimationFrame((now) => this.frame(now));
    }

    /* While the clock runs, its change asks for the next frame. */
    private frame(now: number): void {
        this.asked = false;
        const seconds = this.last ? Math.min(0.25, (now - this.last) / 1000) : 0;
        this.last = this.player.playing ? now : 0;
        this.player.tick(seconds);
        this.draw();
    }

    /* Updates everything to the current time, even if no frame is due. */
    draw(): void {
        this.mechanism.update(this.player.time);
        if (this.following) this.camera.lookAt(mean(this.places3()), null);
        this.mechanism.lightFrom(this.camera.camera);
        this.drawer.draw(this.mechanism.scene, this.camera.camera);
        this.compass.draw(this.camera.camera);
        this.hover.update();
        if (this.frames++ === 0) performance.mark("first frame");
    }
}
