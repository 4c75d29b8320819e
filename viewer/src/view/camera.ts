// SPDX-License-Identifier: BSD-3-Clause
/* The camera: straight on, without perspective, in the plane; from above and aside in space. Fits all of the motion. */
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Vec3 } from "../contract.ts";
import { diagonal, type Extent } from "../scene/extent.ts";

const MARGIN = 1.12;

export class Camera {
    readonly camera: THREE.OrthographicCamera | THREE.PerspectiveCamera;
    readonly controls: OrbitControls;
    private aspect = 1;

    constructor(
        private planar: boolean,
        private extent: Extent,
        private up: Vec3,
        private margin: number, // around the motion, for symbols and arrows
        element: HTMLElement,
    ) {
        this.camera = planar ? new THREE.OrthographicCamera() : new THREE.PerspectiveCamera(32);
        this.camera.up.set(...up);
        this.controls = new OrbitControls(this.camera, element);
        this.controls.enableDamping = false;
        this.controls.zoomSpeed = 1.5;
        if (planar) {
            this.controls.mouseButtons = {
                LEFT: THREE.MOUSE.PAN,
                MIDDLE: THREE.MOUSE.DOLLY,
                RIGHT: THREE.MOUSE.ROTATE,
            };
            this.controls.touches = { ONE: THREE.TOUCH.PAN, TWO: THREE.TOUCH.DOLLY_ROTATE };
        }
    }

    resize(width: number, height: number): void {
        this.aspect = width / Math.max(1, height);
        if (this.camera instanceof THREE.PerspectiveCamera) this.camera.aspect = this.aspect;
        else this.frame();
        this.camera.updateProjectionMatrix();
    }

    /* Orthographic: the frame that holds the motion, whatever the shape of the window. */
    private frame(): void {
        const camera = this.camera as THREE.OrthographicCamera;
        const width = (this.extent.high[0] - this.extent.low[0] + 2 * this.margin) * MARGIN;
        const height = (this.extent.high[1] - this.extent.low[1] + 2 * this.margin) * MARGIN;
        const half = Math.max(height, width / this.aspect) / 2;
        [camera.top, camera.bottom] = [half, -half];
        [camera.left, camera.right] = [-half * this.aspect, half * this.aspect];
    }

    /* Draws for another size, from the current view or fitted to the motion with a margin; then restores the camera. */
    during(width: number, height: number, around: number | null, action: () => void): void {
        const { aspect, camera, controls, margin } = this;
        const [place, turn, target, up] = [camera.position, camera.quaternion, controls.target, camera.up];
        const before = [place.clone(), turn.clone(), target.clone(), up.clone()] as const;
        const { zoom, near, far } = camera;
        this.margin = around ?? margin;
        this.resize(width, height);
        if (around !== null) this.fit();
        action();
        this.margin = margin;
        place.copy(before[0]);
        turn.copy(before[1]);
        target.copy(before[2]);
        up.copy(before[3]);
        camera.zoom = zoom;
        this.clip(near, far);
        this.resize(aspect, 1);
    }

    fit(): void {
        const centre = new THREE.Vector3()
            .addVectors(new THREE.Vector3(...this.extent.low), new THREE.Vector3(...this.extent.high))
            .multiplyScalar(0.5);
        const size = diagonal(this.extent) + this.margin;
        this.camera.up.set(...this.up);
        this.controls.target.copy(centre);
        if (this.planar) this.lookStraight(centre, size);
        else this.lookAside(centre, size);
        this.controls.update();
        this.camera.updateProjectionMatrix();
    }

    /* Looks at another place from the same side, or from as near as a ball of this radius allows. */
    lookAt(place: THREE.Vector3, radius: number | null): void {
        const { camera, controls } = this;
        const away = camera.position.clone().sub(controls.target);
        if (radius && camera instanceof THREE.PerspectiveCamera)
            away.setLength(radius / (Math.sin(THREE.MathUtils.degToRad(camera.fov / 2)) * Math.min(1, this.aspect)));
        else if (radius && camera instanceof THREE.OrthographicCamera)
            camera.zoom = Math.min(camera.top, camera.right) / radius;
        controls.target.copy(place);
        camera.position.copy(place).add(away);
        camera.updateProjectionMatrix();
        controls.update();
    }

    private lookStraight(centre: THREE.Vector3, size: number): void {
        this.camera.up.set(0, 1, 0);
        this.camera.zoom = 1;
        this.frame();
        this.clip(0.01 * size, 40 * size);
        this.camera.position.copy(centre).add(new THREE.Vector3(0, 0, 10 * size));
    }

    /* From a direction that shows three sides, the longer horizontal one across. */
    private lookAside(centre: THREE.Vector3, size: number): void {
        const camera = this.camera as THREE.PerspectiveCamera;
        const up = new THREE.Vector3(...this.up);
        const from = this.side(up).addScaledVector(up, 0.45).normalize();
        this.clip(0.005 * size, 100 * size);
        camera.position.copy(centre).addScaledVector(from, size);
        camera.lookAt(centre);
        const distance = this.enclose(camera, centre);
        this.controls.target.copy(centre);
        camera.position.copy(centre).addScaledVector(from, distance);
    }

    private side(up: THREE.Vector3): THREE.Vector3 {
        const { low, high } = this.extent;
        const reach = high.map((value, i) => value - low[i]);
        const [x, y, z] = [new THREE.Vector3(1, 0, 0), new THREE.Vector3(0, 1, 0), new THREE.Vector3(0, 0, 1)];
        if (Math.abs(up.z) > 0.9)
            return reach[0] >= reach[1] ? x.multiplyScalar(0.55).sub(y) : x.addScaledVector(y, -0.55);
        if (Math.abs(up.y) > 0.9)
            return reach[0] >= reach[2] ? x.multiplyScalar(0.55).add(z) : x.addScaledVector(z, 0.55);
        return z.addScaledVector(y, 0.55);
    }

    /* Centres the view on the motion and returns the distance from which the camera sees all of it. */
    private enclose(camera: THREE.PerspectiveCamera, centre: THREE.Vector3): number {
        const tall = Math.tan(THREE.MathUtils.degToRad(camera.fov / 2));
        const turned = camera.quaternion.clone().invert();
        const seen = this.extent.cloud.map((p) => new THREE.Vector3(...p).sub(centre).applyQuaternion(turned));
        const box = new THREE.Box3().setFromPoints(seen);
        const middle = box.getCenter(new THREE.Vector3());
        middle.z = 0;
        const reach = (p: THREE.Vector3): number => {
            const across = (Math.abs(p.x - middle.x) + this.margin) / (tall * camera.aspect);
            return p.z + Math.max(across, (Math.abs(p.y - middle.y) + this.margin) / tall);
        };
        const distance = seen.reduce((most, p) => Math.max(most, reach(p)), 0) * 1.06;
        centre.add(middle.applyQuaternion(camera.quaternion));
        return distance;
    }

    private clip(near: number, far: number): void {
        [this.camera.near, this.camera.far] = [near, far];
    }
}
