// SPDX-License-Identifier: BSD-3-Clause
import assert from "node:assert/strict";
import test from "node:test";
import { base64Bytes, decodeColumns, locate, valueAt } from "../src/data.ts";

/* Written by hand, byte for byte: one f4 column of three rows (padded to 16 bytes), one f8 column of two. */
const BYTES = "0000803f 00000040 000040c0 00000000 000000000000e03f 00000000000000c0".replace(/ /g, "");
const TEXT = Buffer.from(BYTES, "hex").toString("base64");
const SPECS = [
    { name: "a.x", unit: "m", type: "f4" as const },
    { name: "t", unit: "s", type: "f8" as const, rows: 2 },
];

test("columns follow one another, padded to eight bytes", () => {
    const columns = decodeColumns(SPECS, 3, base64Bytes(` ${TEXT}\n`));
    assert.deepEqual([...columns[0].values], [1, 2, -3]);
    assert.deepEqual([...columns[1].values], [0.5, -2]);
    assert.equal(columns[0].unit, "m");
});

test("data that are too short or too long are refused in words", () => {
    assert.throws(() => decodeColumns(SPECS, 5, base64Bytes(TEXT)), /32 bytes long, but its header declares 40/);
    assert.throws(
        () => decodeColumns(SPECS.slice(0, 1), 3, base64Bytes(TEXT)),
        /32 bytes long, but its header declares 16/,
    );
});

test("times are located between rows", () => {
    const times = [0, 1, 3, 4];
    assert.deepEqual(locate(times, -1), { row: 0, fraction: 0 });
    assert.deepEqual(locate(times, 1), { row: 1, fraction: 0 });
    assert.deepEqual(locate(times, 2.5), { row: 1, fraction: 0.75 });
    assert.deepEqual(locate(times, 9), { row: 3, fraction: 0 });
    assert.deepEqual(locate([7], 7), { row: 0, fraction: 0 });
    assert.deepEqual(locate(times, NaN), { row: 0, fraction: 0 });
});

test("values between rows lie on a straight line, and the last row needs no next", () => {
    assert.equal(valueAt([10, 20], 0, 0.25), 12.5);
    assert.equal(valueAt([10, 20], 1, 0), 20);
});
