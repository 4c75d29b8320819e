// SPDX-License-Identifier: BSD-3-Clause
// Spatial fixtures: a slider-crank without shapes, a beam that sways, rods that share a load, two hundred bodies.
import { middle, Table, timesUpTo, turn, turnFromX } from "./table.mjs";

const run = (title, model, rest) => ({
    format: 1,
    kind: "run",
    holon: "0.9.0",
    title,
    model,
    planar: false,
    gravity: [0, 0, -9.81],
    summary: { formulation: "direct-correction", integrator: "rk4", step: 0.001, status: "ok" },
    verdicts: [{ level: "good", text: "Constraints satisfied: max position violation 2e-13." }],
    beams: [],
    joints: [],
    points: [],
    forces: [],
    events: [],
    ground: { marks: [] },
    ...rest,
});

const unique = () => new Array(6).fill(true);

export function sliderCrank() {
    const table = new Table(timesUpTo(5, 501));
    const B = (t) => [-0.1 * Math.sin(2 * Math.PI * t), 0, 0.1 * Math.cos(2 * Math.PI * t)];
    const C = (t) => [0, Math.sqrt(0.29 ** 2 - B(t)[0] ** 2 - (B(t)[2] + 0.15) ** 2), -0.15];
    const difference = (t) => C(t).map((c, i) => c - B(t)[i]);
    const bodies = [
        {
            name: "crank",
            column: table.addSpatialBody("crank", (t) => [
                ...B(t).map((b) => b / 2),
                ...turn([0, 1, 0], -2 * Math.PI * t),
            ]),
            node_of: -1,
            shapes: [],
            marks: [
                [0, 0, -0.05],
                [0, 0, 0.05],
            ],
        },
        {
            name: "rod",
            column: table.addSpatialBody("rod", (t) => [...middle(B(t), C(t)), ...turnFromX(difference(t))]),
            node_of: -1,
            shapes: [
                {
                    bar: [
                        [-0.145, 0, 0],
                        [0.145, 0, 0],
                    ],
                    radius: 0.006,
                },
            ],
            marks: [],
        },
        {
            name: "slider",
            column: table.addSpatialBody("slider", (t) => [...C(t), 1, 0, 0, 0]),
            node_of: -1,
            shapes: [{ box: [0.04, 0.06, 0.04] }],
            marks: [[0, 0, 0]],
        },
    ];
    const reaction = (name, k) =>
        table.addReaction(name, (t) => [k * Math.sin(6 * t), k, k * Math.cos(6 * t), 0, 0.1 * k, 0], false);
    const joints = [
        {
            name: "bearing",
            kind: "revolute",
            first: -1,
            second: 0,
            at: [0, 0, -0.05],
            axis: [0, 1, 0],
            column: reaction("bearing", 3),
            unique: unique(),
        },
        {
            name: "ball",
            kind: "spherical",
            first: 0,
            second: 1,
            at: [-0.145, 0, 0],
            axis: null,
            column: reaction("ball", 2),
            unique: unique(),
        },
        {
            name: "cross",
            kind: "universal",
            first: 1,
            second: 2,
            at: [0, 0, 0],
            axis: [1, 0, 0],
            column: reaction("cross", 1),
            unique: unique(),
        },
        {
            name: "guide",
            kind: "prismatic",
            first: -1,
            second: 2,
            at: [0, 0, 0],
            axis: [0, 1, 0],
            column: reaction("guide", 4),
            unique: unique(),
        },
    ];
    const points = [
        { name: "B", column: table.addPoint("B", B, false) },
        { name: "C", column: table.addPoint("C", C, false) },
    ];
    table.addMeasures(2e-13);
    const header = run("Spatial slider-crank", "spatial-slider-crank", {
        rows: 501,
        bodies,
        joints,
        points,
        ground: { marks: [[0, 0, 0]] },
        verdicts: [
            { level: "good", text: "Constraints satisfied: max position violation 2e-13." },
            { level: "bad", text: "Energy rose by 0.2 J: the step is too long." },
        ],
    });
    return { header, columns: table.columns };
}

/* Two cubic elements that sway in the first bending shape, with a ball on top. */
export function beam() {
    const table = new Table(timesUpTo(4, 401));
    const bend = (s, t) => {
        const k = 0.9 * Math.sin(2 * t);
        const angle = k * s * (2 - s);
        let [x, z] = [0, 0];
        for (let i = 0; i < 60; i++) {
            const si = ((i + 0.5) / 60) * s;
            const a = k * si * (2 - si);
            x += (Math.sin(a) * s * 3) / 60;
            z += (Math.cos(a) * s * 3) / 60;
        }
        return { place: [x, 0.3 * Math.sin(t) * s * s, z], angle };
    };
    const s = [0, 1, 2, 3, 4, 5, 6].map((i) => i / 6);
    const upright = (angle) => turn([0, 1, 0], -Math.PI / 2 + angle);
    const bodies = s.map((si, i) => {
        const name = `tower.${i}`;
        return {
            name,
            node_of: 0,
            shapes: [],
            marks: [],
            column: table.addSpatialBody(name, (t) => [...bend(si, t).place, ...upright(bend(si, t).angle)]),
        };
    });
    const top = (t) => bend(1, t).place.map((x, i) => x + (i === 2 ? 0.2 : 0));
    bodies.push({
        name: "nacelle",
        node_of: -1,
        shapes: [{ sphere: 0.2 }],
        marks: [[0, 0, -0.2]],
        column: table.addSpatialBody("nacelle", (t) => [...top(t), ...turn([0, 0, 1], t)]),
    });
    table.addGroup("tower@0.5", ["N", "V2", "V3", "T", "M2", "M3"], ["N", "N", "N", "N m", "N m", "N m"], (t) =>
        [1, 2, 3, 4, 5, 6].map((k) => k * Math.sin(2 * t)),
    );
    const joints = [
        {
            name: "root",
            kind: "fixed",
            first: -1,
            second: 0,
            at: [0, 0, 0],
            axis: null,
            unique: unique(),
            column: table.addReaction("root", (t) => [30 * Math.sin(2 * t), 4, 90, 0, 40 * Math.sin(2 * t), 0], false),
        },
    ];
    const points = [{ name: "tip", column: table.addPoint("tip", (t) => bend(1, t).place, false) }];
    table.addMeasures(1e-11);
    const header = run("Swaying tower", "tower", {
        rows: 401,
        bodies,
        joints,
        points,
        ground: { marks: [[0, 0, 0]] },
        beams: [{ name: "tower", order: 3, nodes: [0, 1, 2, 3, 4, 5, 6], s, width: 0.12, height: 0.2, round: false }],
        forces: [
            {
                name: "stay",
                kind: "spring",
                ends: [
                    { body: -1, at: [1.5, 0, 0] },
                    { body: 3, at: [0, 0, 0] },
                ],
            },
        ],
    });
    return { header, columns: table.columns };
}

/* A plate on more rods than it needs. */
export function redundant() {
    const table = new Table(timesUpTo(4, 401));
    const swing = (t) => 0.5 * Math.cos(3 * t);
    const offset = (t) => [Math.sin(swing(t)), 0, -Math.cos(swing(t))];
    const corners = [
        [-0.5, -0.3, 0],
        [0.5, -0.3, 0],
        [0.5, 0.3, 0],
        [-0.5, 0.3, 0],
    ];
    const bodies = [
        {
            name: "plate",
            node_of: -1,
            shapes: [],
            marks: corners,
            column: table.addSpatialBody("plate", (t) => [...offset(t), 1, 0, 0, 0]),
        },
    ];
    const joints = corners.map((at, i) => ({
        name: `rod_${i + 1}`,
        kind: "distance",
        first: -1,
        second: 0,
        at,
        from: at,
        axis: null,
        unique: [false, false, false, true, true, true],
        column: table.addReaction(`rod_${i + 1}`, (t) => [...offset(t).map((x) => -x * (6 + i)), 0, 0, 0], false),
    }));
    table.addMeasures(1e-15);
    const header = run("Plate on four rods, one more than it needs", "spatial-parallelogram", {
        rows: 401,
        bodies,
        joints,
        ground: { marks: corners },
        verdicts: [
            { level: "note", text: "Reactions of rod_1, rod_2, rod_3, rod_4 are not unique: one row is redundant." },
        ],
    });
    return { header, columns: table.columns };
}

/* Many bodies, for the time of a frame. */
export function crowd(count = 200) {
    const table = new Table(timesUpTo(4, 201));
    const place = (i) => (t) => {
        const [row, column] = [Math.floor(i / 20), i % 20];
        return [
            0.5 * column,
            0.8 * row,
            0.3 * Math.sin(2 * t + 0.4 * column + 0.3 * row),
            ...turn([0, 1, 0], 0.6 * Math.cos(2 * t + 0.4 * column)),
        ];
    };
    const bodies = Array.from({ length: count }, (_, i) => ({
        name: `link_${i + 1}`,
        node_of: -1,
        marks: [
            [-0.25, 0, 0],
            [0.25, 0, 0],
        ],
        shapes:
            i % 4 === 3
                ? [{ box: [0.4, 0.12, 0.12] }]
                : i % 4 === 2
                  ? [{ sphere: 0.16 }]
                  : [
                        {
                            bar: [
                                [-0.25, 0, 0],
                                [0.25, 0, 0],
                            ],
                            radius: 0.05,
                        },
                    ],
        column: table.addSpatialBody(`link_${i + 1}`, place(i)),
    }));
    const joints = bodies.map((_, i) => ({
        name: `pin_${i + 1}`,
        kind: "revolute",
        first: i - 1,
        second: i,
        at: [-0.25, 0, 0],
        axis: [0, 1, 0],
        column: -1,
        unique: unique(),
    }));
    table.addMeasures(1e-12);
    return {
        header: run("Two hundred bodies", "crowd", { rows: 201, bodies, joints, ground: { marks: [[-0.25, 0, 0]] } }),
        columns: table.columns,
    };
}
