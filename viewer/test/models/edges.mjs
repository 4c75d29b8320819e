// SPDX-License-Identifier: BSD-3-Clause
// Fixtures at the edge: a single row, numbers that are not finite, nothing but zeros, a particle and nothing else.
import { Table, timesUpTo } from "./table.mjs";

const base = (title, rest) => ({
    format: 1,
    kind: "run",
    holon: "0.9.0",
    title,
    model: "edge",
    planar: true,
    gravity: [0, 0, 0],
    summary: { status: "failed" },
    verdicts: [],
    beams: [],
    joints: [],
    points: [],
    forces: [],
    events: [],
    ground: { marks: [] },
    ...rest,
});

export function singleRow() {
    const table = new Table([0]);
    const bodies = [
        {
            name: "particle",
            column: table.addPlanarBody("particle", () => [1, 2, 0]),
            node_of: -1,
            shapes: [],
            marks: [],
        },
    ];
    table.addMeasures(0);
    return { header: base("A run that ended at its first state", { rows: 1, bodies }), columns: table.columns };
}

export function notFinite() {
    const table = new Table(timesUpTo(1, 51));
    const bodies = [
        {
            name: "lost",
            column: table.addPlanarBody("lost", (t) => [t < 0.8 ? t : NaN, t < 0.8 ? t * t : Infinity, t]),
            node_of: -1,
            shapes: [],
            marks: [
                [0, 0, 0],
                [0.1, 0, 0],
            ],
        },
    ];
    table.add(
        "energy.drift",
        "J",
        "f8",
        table.times.map((t) => (t < 0.8 ? 1e-9 * t : NaN)),
    );
    table.add(
        "violation.position",
        "",
        "f8",
        table.times.map(() => 0),
    );
    const events = [{ t: 0.8, kind: "end", text: "The run ended at 0.8 s: a number was not finite." }];
    return {
        header: base("A run that was lost", {
            rows: 51,
            bodies,
            events,
            verdicts: [{ level: "bad", text: "The run ended early, at 0.8 s of 1 s." }],
        }),
        columns: table.columns,
    };
}
