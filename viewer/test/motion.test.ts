// SPDX-License-Identifier: BSD-3-Clause
import assert from "node:assert/strict";
import test from "node:test";
import type { RunHeader, Vec3 } from "../src/contract.ts";
import type { Column } from "../src/data.ts";
import { Motion } from "../src/motion.ts";
import { diagonal, measureExtent } from "../src/scene/extent.ts";
import { quatAboutZ, rotate, slerp, type Quat } from "../src/vector.ts";

const near = (a: readonly number[], b: readonly number[], tolerance = 1e-12): void =>
    a.forEach((value, i) => assert.ok(Math.abs(value - b[i]) <= tolerance, `${a.join()} is not ${b.join()}`));

const column = (name: string, values: number[]): Column => ({ name, unit: "", values: Float64Array.from(values) });

function motion(planar: boolean, columns: Column[], first = 1): Motion {
    const bodies = [{ name: "body", column: first, marks: [[1, 0, 0] as Vec3] }];
    return new Motion({ kind: "run", planar, bodies, columns: [], rows: 2 } as unknown as RunHeader, columns);
}

test("a quarter turn about z takes x to y", () => near(rotate(quatAboutZ(Math.PI / 2), [1, 0, 0]), [0, 1, 0]));

test("Euler parameters turn as their matrix does", () => {
    const e: Quat = [0.5, 0.5, 0.5, 0.5]; // x to y to z to x
    near(rotate(e, [1, 0, 0]), [0, 1, 0]);
    near(rotate(e, [0, 1, 0]), [0, 0, 1]);
    near(rotate(e, [0, 0, 1]), [1, 0, 0]);
});

test("slerp goes at constant speed and takes the shorter way", () => {
    const [a, b] = [quatAboutZ(0), quatAboutZ(1.2)];
    near(slerp(a, b, 0.25), quatAboutZ(0.3));
    near(rotate(slerp(a, b.map((x) => -x) as Quat, 0.5), [1, 0, 0]), [Math.cos(0.6), Math.sin(0.6), 0]);
    near(slerp(a, a, 0.5), a);
});

test("in the plane places and angles go straight between rows, whole turns included", () => {
    const m = motion(true, [
        column("t", [0, 1]),
        column("x", [0, 2]),
        column("y", [1, 1]),
        column("phi", [0, 4 * Math.PI]),
    ]);
    m.go(0.125);
    near(m.pose(0).r, [0.25, 1, 0]);
    near(m.place(0, [1, 0, 0]), [0.25, 2, 0]);
});

test("a particle has no orientation: its velocity is not taken for one", () => {
    const columns = [
        ["t", 0, 1],
        ["x", 0, 2],
        ["y", 1, 1],
        ["vx", 2, 2],
        ["vy", 3, 3],
    ] as [string, number, number][];
    const m = motion(
        true,
        columns.map(([name, a, b]) => column(name, [a, b])),
    );
    m.go(0.5);
    near(m.place(0, [1, 0, 0]), [2, 1, 0]);
    assert.deepEqual(m.rates(0), { velocity: [2, 3, 0], spin: null });
});

test("in space orientations are slerped", () => {
    const e = [quatAboutZ(0), quatAboutZ(1)];
    const columns = [column("t", [0, 1]), ...["x", "y", "z"].map((name, i) => column(name, [i, i + 1]))];
    [0, 1, 2, 3].forEach((i) => columns.push(column(`e${i}`, [e[0][i], e[1][i]])));
    const m = motion(false, columns);
    m.go(0.5);
    near(m.pose(0).r, [0.5, 1.5, 2.5]);
    near(rotate(m.pose(0).e, [1, 0, 0]), [Math.cos(0.5), Math.sin(0.5), 0]);
    near(m.place(-1, [3, 4, 5]), [3, 4, 5]);
});

test("a scene within a comparison finds its own times", () => {
    const shared = [column("t", [0, 9]), column("violation.position", [0, 0])];
    const own = [column("t", [0, 1]), column("x", [0, 1]), column("y", [0, 0]), column("phi", [0, 0])];
    const m = motion(true, [...shared, ...own], 3);
    assert.equal(m.end, 1);
    m.go(1);
    near(m.pose(0).r, [1, 0, 0]);
});

test("the extent holds marks at all times and leaves out what is not finite", () => {
    const columns = [column("t", [0, 1]), column("x", [0, NaN]), column("y", [2, 0]), column("phi", [0, 0])];
    const extent = measureExtent(motion(true, columns));
    near(extent.low, [0, 2, 0]);
    near(extent.high, [1, 2, 0]);
    assert.equal(diagonal(extent), 1);
});
