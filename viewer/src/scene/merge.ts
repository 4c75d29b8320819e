// SPDX-License-Identifier: BSD-3-Clause
/* Makes one mesh of all that moves together, since every mesh costs a call of its own in every frame. */
import * as THREE from "three";

interface Heap {
    places: number[];
    normals: number[];
    colours: number[];
    index: number[];
    lines: number[];
}

const point = new THREE.Vector3();
const turned = new THREE.Matrix3();

function addMesh(heap: Heap, mesh: THREE.Mesh): void {
    const { geometry } = mesh;
    const [places, normals] = [geometry.getAttribute("position"), geometry.getAttribute("normal")];
    const { color } = mesh.material as THREE.MeshLambertMaterial;
    const first = heap.places.length / 3;
    turned.getNormalMatrix(mesh.matrixWorld);
    for (let i = 0; i < places.count; i++) {
        heap.places.push(...point.fromBufferAttribute(places, i).applyMatrix4(mesh.matrixWorld).toArray());
        heap.normals.push(...point.fromBufferAttribute(normals, i).applyMatrix3(turned).normalize().toArray());
        heap.colours.push(color.r, color.g, color.b);
    }
    const index = geometry.getIndex();
    const count = index ? index.count : places.count;
    for (let i = 0; i < count; i++) heap.index.push(first + (index ? index.getX(i) : i));
}

function addLines(heap: Heap, line: THREE.LineSegments): void {
    const places = line.geometry.getAttribute("position");
    for (let i = 0; i < places.count; i++)
        heap.lines.push(...point.fromBufferAttribute(places, i).applyMatrix4(line.matrixWorld).toArray());
}

/* The group has no place of its own yet. Its meshes are opaque, its lines of one kind. */
export function merge(group: THREE.Group, material: THREE.Material): void {
    const heap: Heap = { places: [], normals: [], colours: [], index: [], lines: [] };
    let edge: THREE.Material | null = null;
    group.updateMatrixWorld(true);
    group.traverse((object) => {
        if (object instanceof THREE.Mesh) addMesh(heap, object);
        if (!(object instanceof THREE.LineSegments)) return;
        addLines(heap, object);
        edge = object.material as THREE.Material;
    });
    group.clear();
    if (heap.index.length) group.add(new THREE.Mesh(geometryOf(heap), material));
    if (edge)
        group.add(
            new THREE.LineSegments(new THREE.BufferGeometry().setAttribute("position", numbers(heap.lines)), edge),
        );
    group.children.forEach((child) => (child.matrixAutoUpdate = false)); // they have no place of their own
}

function numbers(list: number[]): THREE.BufferAttribute {
    return new THREE.Float32BufferAttribute(list, 3);
}

function geometryOf({ places, normals, colours, index }: Heap): THREE.BufferGeometry {
    const geometry = new THREE.BufferGeometry().setIndex(index);
    geometry.setAttribute("position", numbers(places));
    geometry.setAttribute("normal", numbers(normals));
    return geometry.setAttribute("color", numbers(colours));
}
