// SPDX-License-Identifier: BSD-3-Clause
import assert from "node:assert/strict";
import test from "node:test";
import { escaped, SvgSink } from "../src/view/sink.ts";

const PANEL = { ground: "#fff", border: "#ccc" };
const written = (sink: SvgSink): string => sink.text(100, 50, "T", PANEL);
const paths = (sink: SvgSink): string[] => [...written(sink).matchAll(/<path ([^>]*)\/>/g)].map((found) => found[1]);

/* Corners of a path in tenths, followed step by step; a new list at every M. */
function corners(d: string): number[][][] {
    const lists: number[][][] = [];
    for (const [, letter, text] of d.matchAll(/([Ml])([^Mlz]*)/g)) {
        const [x, y] = (text.match(/-?\d+/g) ?? []).map(Number);
        if (letter === "M") lists.push([[x, y]]);
        else {
            const list = lists[lists.length - 1];
            const [u, v] = list[list.length - 1];
            list.push([u + x, v + y]);
        }
    }
    return lists;
}

const dOf = (path: string): string => (path.match(/ d="([^"]*)"/) as string[])[1];

test("corners are whole tenths of a pixel and do not add up their rounding", () => {
    const sink = new SvgSink();
    const xy = Array.from({ length: 60 }, (_, i) => [1 + 0.1234 * i, 30 - 0.3456 * i]).flat();
    sink.line(xy, "#000", 1, 1);
    const [list] = corners(dOf(paths(sink)[0]));
    list.forEach(([x, y], i) => {
        assert.equal(x, Math.round(10 * xy[2 * i]));
        assert.equal(y, Math.round(10 * xy[2 * i + 1]));
    });
    assert.equal(list.length, 60);
});

test("neighbours of one look share a path, whatever way round they were", () => {
    const sink = new SvgSink();
    sink.face([0, 0, 10, 0, 10, 10], "#123456", 1);
    sink.face([0, 0, 0, 10, 10, 10], "#123456", 1);
    sink.face([0, 0, 10, 0, 10, 10], "#654321", 1);
    assert.equal(paths(sink).length, 2);
    const turns = corners(dOf(paths(sink)[0])).map(
        ([a, b, c]) => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]),
    );
    assert.deepEqual(turns.map(Math.sign), [-1, -1]);
});

test("lines that go on are one line, others begin anew", () => {
    const sink = new SvgSink();
    sink.line([0, 0, 1, 1], "#000", 0.5, 1);
    sink.line([1, 1, 2, 0], "#000", 0.5, 1);
    sink.line([5, 5, 6, 6], "#000", 0.5, 1);
    const [path] = paths(sink);
    assert.deepEqual(corners(dOf(path)), [
        [
            [0, 0],
            [10, 10],
            [20, 0],
        ],
        [
            [50, 50],
            [60, 60],
        ],
    ]);
    assert.match(path, /opacity="0.5" fill="none" stroke-width="10"/);
});

test("groups are closed, and what comes after is outside", () => {
    const sink = new SvgSink();
    sink.disc(1, 2, 3, "#111", 1);
    sink.group(0.3, () => sink.disc(1, 2, 3, "#111", 1));
    sink.disc(1, 2, 3, "#111", 1);
    const text = written(sink);
    assert.match(text, /<path[^>]*>\n<g opacity="0.3">\n<path[^>]*>\n<\/g>\n<path[^>]*>\n<\/g>/);
    assert.match(text, /M-20 20a30 30 0 1 0 60 0a30 30 0 1 0 -60 0z/);
});

test("a title is text and nothing else", () => {
    assert.equal(escaped(`</title><script>&"\u0000\u001b`), "&lt;/title&gt;&lt;script&gt;&amp;&quot;");
});
