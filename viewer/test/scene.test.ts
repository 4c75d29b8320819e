// SPDX-License-Identifier: BSD-3-Clause
import assert from "node:assert/strict";
import test from "node:test";
import type { Vec3 } from "../src/contract.ts";
import { lagrange, stations } from "../src/scene/beams.ts";
import { guessShapes, outline } from "../src/scene/guess.ts";

test("a body held nowhere is a ball", () => assert.deepEqual(Object.keys(guessShapes([], 1)[0]), ["sphere", "at"]));

test("a body held at one place is a stick to its centre of mass", () => {
    const shapes = guessShapes([[0, 0, 1]], 1);
    assert.deepEqual(shapes[0].bar, [
        [0, 0, 0],
        [0, 0, 1],
    ]);
    assert.ok(shapes[1].sphere);
});

test("two marks make a bar, and the centre of mass beside it gets a stick", () => {
    const straight = guessShapes(
        [
            [-1, 0, 0],
            [1, 0, 0],
            [1, 0, 0],
        ],
        1,
    );
    assert.deepEqual(straight, [
        {
            bar: [
                [-1, 0, 0],
                [1, 0, 0],
            ],
        },
    ]);
    const aside = guessShapes(
        [
            [-1, 1, 0],
            [1, 1, 0],
        ],
        1,
    );
    assert.deepEqual(aside[1].bar, [
        [0, 1, 0],
        [0, 0, 0],
    ]);
});

test("three marks in a line make one bar between the ends", () =>
    assert.deepEqual(
        guessShapes(
            [
                [0, 0, 0],
                [2, 0, 0],
                [1, 0, 0],
            ],
            1,
        ),
        [
            {
                bar: [
                    [0, 0, 0],
                    [2, 0, 0],
                ],
            },
        ],
    ));

test("marks in a plane make a plate, in order around it, without those inside", () => {
    const square: Vec3[] = [
        [0, 0, 1],
        [1, 1, 1],
        [1, 0, 1],
        [0, 1, 1],
        [0.4, 0.5, 1],
    ];
    const corners = outline(square, 1) as Vec3[];
    assert.equal(corners.length, 4);
    const sides = corners.map((p, i) => Math.hypot(...p.map((x, k) => x - corners[(i + 1) % 4][k])));
    sides.forEach((side) => assert.ok(Math.abs(side - 1) < 1e-12));
});

test("marks out of a plane make sticks to the centre of mass", () => {
    const shapes = guessShapes(
        [
            [1, 0, 0],
            [0, 1, 0],
            [0, 0, 1],
            [-1, -1, -1],
        ],
        1,
    );
    assert.equal(shapes.filter((shape) => shape.bar).length, 4);
});

test("Lagrange's polynomials are one at their node, sum to one, and reproduce a cubic", () => {
    const nodes = [0, 0.2, 0.7, 1];
    nodes.forEach((s, i) => lagrange(nodes, s).forEach((n, j) => assert.ok(Math.abs(n - Number(i === j)) < 1e-12)));
    const cubic = (s: number): number => 1 - 2 * s + 3 * s ** 3;
    const value = lagrange(nodes, 0.43).reduce((sum, n, i) => sum + n * cubic(nodes[i]), 0);
    assert.ok(Math.abs(value - cubic(0.43)) < 1e-12);
});

test("a beam of two elements shares the section between them", () => {
    const beam = {
        name: "b",
        order: 2,
        nodes: [0, 1, 2, 3, 4],
        s: [0, 0.25, 0.5, 0.75, 1],
        width: 1,
        height: 1,
        round: true,
    };
    const list = stations(beam);
    assert.equal(list.length, 17);
    assert.deepEqual(list[16].nodes, [2, 3, 4]);
    list.forEach(({ weights }) => assert.ok(Math.abs(weights.reduce((a, b) => a + b) - 1) < 1e-12));
});
