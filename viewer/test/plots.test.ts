// SPDX-License-Identifier: BSD-3-Clause
import assert from "node:assert/strict";
import test from "node:test";
import { logScale, overlap, placeLabels } from "../src/compare/scale.ts";
import { sortedIndices } from "../src/compare/sort.ts";
import type { RunHeader } from "../src/contract.ts";
import type { Column } from "../src/data.ts";
import { groupColumns, partName, searchColumns } from "../src/plots/groups.ts";
import { decades, isUnique, joinTimes, lineOf, logRange, logValues, reactionComponent } from "../src/plots/lines.ts";

const NAMES = ["t", "A.x", "A.y", "A.phi", "A.x", "A.y", "A.fx", "A.fy", "A.tz", "energy.drift", "tower@0.5.N"];
const columns: Column[] = NAMES.map((name) => ({ name, unit: "", values: new Float64Array([1]) }));
const header = {
    kind: "run",
    planar: true,
    columns: NAMES,
    bodies: [{ name: "A", column: 1 }],
    points: [{ name: "A", column: 4 }],
    joints: [{ name: "A", kind: "revolute", column: 6, unique: [true, false, true, true, true, false] }],
} as unknown as RunHeader;

test("columns are grouped by part, also where a body, a point and a joint have one name", () => {
    const groups = groupColumns(header, columns);
    assert.deepEqual(
        groups.map(({ name, kind, columns: own }) => [name, kind, own.length]),
        [
            ["A", "body", 3],
            ["A", "point", 2],
            ["A", "revolute", 3],
            ["energy", "", 1],
            ["tower@0.5", "", 1],
        ],
    );
    assert.equal(partName("a.b.x"), "a.b");
});

test("a search takes every word, of names and of kinds", () => {
    const groups = groupColumns(header, columns);
    assert.deepEqual(searchColumns(groups, columns, "a REV fx"), [6]);
    assert.deepEqual(searchColumns(groups, columns, "nothing"), []);
});

test("planar reactions are fx fy tz of six", () => {
    assert.deepEqual(reactionComponent(header, 8), { joint: 0, component: 5 });
    assert.equal(reactionComponent(header, 9), null);
    assert.deepEqual(
        [6, 7, 8, 9].map((column) => isUnique(header, column)),
        [true, false, false, true],
    );
});

test("a reaction that is not unique says so and is dashed", () => {
    const line = lineOf(header, columns, 7, 0);
    assert.equal(line.label, "A.fy (not unique)");
    assert.ok(line.dash.length > 0);
    assert.deepEqual(lineOf(header, columns, 6, 0).dash, []);
});

test("logarithms see sizes and leave out zero and what is not finite", () =>
    assert.deepEqual(logValues([1, -100, 0, NaN, Infinity]), [0, 2, null, null, null]));

test("a logarithmic axis shows whole decades, not more than rounding makes sense of", () => {
    assert.deepEqual(logRange(-15.3, -13.9), [-16, -13]);
    assert.deepEqual(logRange(-31, -14.2), [-30, -14]);
    assert.deepEqual(logRange(-3, -3), [-3, -2]);
    assert.deepEqual(logRange(null, null), [-1, 1]);
    assert.deepEqual(decades(-16, -13, 6), [-16, -15, -14, -13]);
    assert.deepEqual(decades(-30, -14, 6), [-30, -27, -24, -21, -18, -15]);
});

test("lines over different times share one", () => {
    const line = (times: number[], values: number[]): Parameters<typeof joinTimes>[0][0] => ({
        label: "",
        unit: "",
        stroke: "",
        dash: [],
        times,
        values,
    });
    const { times, columns: joined } = joinTimes([line([0, 2], [5, 6]), line([0, 1], [7, 8])]);
    assert.deepEqual(times, [0, 1, 2]);
    assert.deepEqual(joined, [
        [5, undefined, 6],
        [7, 8, undefined],
    ]);
});

test("sorting keeps equal ones in order and puts what is missing last either way", () => {
    assert.deepEqual(sortedIndices([3, null, 1, 3, NaN, 2e-9], "ascending"), [5, 2, 0, 3, 1, 4]);
    assert.deepEqual(sortedIndices([3, null, 1, 3, NaN, 2e-9], "descending"), [0, 3, 2, 5, 1, 4]);
    assert.deepEqual(sortedIndices(["b", "", "a"], "ascending"), [2, 0, 1]);
});

test("a logarithmic scale goes through its bounds and ticks whole decades", () => {
    const scale = logScale([3e-9, 2e-5], 100, 0);
    assert.equal(scale.low, 1e-9);
    assert.equal(scale.high, 1e-4);
    assert.ok(Math.abs(scale.place(1e-9) - 100) < 1e-9 && Math.abs(scale.place(1e-4)) < 1e-9);
    assert.deepEqual(scale.ticks, [1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4]);
    assert.deepEqual(logScale([1, 8], 0, 1).ticks, [0.5, 1, 2, 5, 10]);
    assert.ok(logScale([], 0, 1).low > 0);
});

test("labels cover neither one another nor points, and are left out where there is no room", () => {
    const inside = { x: 0, y: 0, width: 120, height: 60 };
    const points = [
        { x: 40, y: 30, width: 50 },
        { x: 46, y: 32, width: 50 },
        { x: 44, y: 28, width: 500 },
    ];
    const [a, b, c] = placeLabels(points, inside);
    assert.ok(a && b && !overlap(a, b));
    assert.equal(c, null);
});
