// SPDX-License-Identifier: BSD-3-Clause
/* Finds the part under the pointer and shows its label beside it. */
import * as THREE from "three";
import { el } from "../dom.ts";
import type { Mechanism } from "../scene/mechanism.ts";
import { type Part, partOf } from "../scene/kit.ts";
import { describe, type Label } from "./labels.ts";

export class Hover {
    readonly box = el("div", { class: "tip", role: "status", hidden: true });
    private readonly ray = new THREE.Raycaster();
    private readonly pointer = new THREE.Vector2();
    private at: { x: number; y: number } | null = null;
    private shown = "";

    constructor(
        private mechanism: Mechanism,
        private holder: HTMLElement,
        private camera: THREE.Camera,
        invalidate: () => void,
    ) {
        this.ray.params.Line.threshold = 0;
        holder.addEventListener("pointermove", (event) => this.follow(event, invalidate));
        holder.addEventListener("pointerdown", (event) => this.follow(event, invalidate));
        holder.addEventListener("pointerleave", () => {
            this.at = null;
            invalidate();
        });
    }

    private follow(event: PointerEvent, invalidate: () => void): void {
        const frame = this.holder.getBoundingClientRect();
        const dragging = event.pointerType === "mouse" && event.buttons !== 0;
        this.at = dragging ? null : { x: event.clientX - frame.left, y: event.clientY - frame.top };
        invalidate();
    }

    private find(): Part | undefined {
        if (!this.at) return undefined;
        const [w, h] = [this.holder.clientWidth, this.holder.clientHeight];
        this.pointer.set((this.at.x / w) * 2 - 1, 1 - (this.at.y / h) * 2);
        this.ray.setFromCamera(this.pointer, this.camera);
        const hits = this.ray.intersectObjects(this.mechanism.pickable, true);
        return hits.map(({ object }) => partOf(object)).find((part) => part !== undefined);
    }

    /* Once per frame, since parts move under a resting pointer. */
    update(): void {
        const part = this.find();
        this.box.hidden = !part;
        if (!part || !this.at) return;
        this.fill(describe(part, this.mechanism.motion));
        const right = this.at.x > this.holder.clientWidth * 0.6;
        const low = this.at.y > this.holder.clientHeight * 0.6;
        const x = this.at.x + (right ? -14 : 14);
        const y = this.at.y + (low ? -14 : 14);
        this.box.style.transform = `translate(${x}px, ${y}px) translate(${right ? -100 : 0}%, ${low ? -100 : 0}%)`;
    }

    private fill(label: Label): void {
        const key = JSON.stringify(label);
        if (key === this.shown) return;
        this.shown = key;
        const rows = label.rows.map(([name, text]) => el("div", {}, el("dt", {}, name), el("dd", {}, text)));
        this.box.replaceChildren(
            el("strong", {}, label.title),
            el("span", { class: "kind" }, label.kind),
            el("dl", {}, ...rows),
        );
    }
}
