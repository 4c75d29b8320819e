// SPDX-License-Identifier: BSD-3-Clause
// Planar fixtures: a four-bar by its loop equation, a slider with a spring, hostile names.
import { middle, Table, timesUpTo } from "./table.mjs";

const SUMMARY = {
    model: "four-bar",
    formulation: "direct-correction",
    integrator: "rk4",
    coordinates: "reference-point",
    step: 0.001,
    until: 10,
    reached: 10,
    status: "ok",
    steps: 10000,
    evaluations: 40001,
    iterations: 0,
    wall_s: 0.0517,
    max_position_violation: 1.5987e-14,
    max_velocity_violation: 3.55e-15,
    energy_initial: 101.27667,
    energy_final: 101.27667,
    max_energy_drift: 2.7e-7,
    dof: 1,
    redundant_rows: 0,
    non_unique_reactions: [],
    singular_events: 0,
    realtime: null,
};

const VERDICTS = [
    { level: "good", text: "Constraints satisfied: max position violation 1.6e-14, max velocity violation 3.6e-15." },
    { level: "good", text: "Energy is kept to 2.7e-7 J, 3e-9 of the energy that moves." },
    { level: "note", text: "One singular configuration was passed at 4.2 s; the motion went on along its branch." },
    { level: "good", text: "All reactions are unique." },
];

/* Where two circles meet, on the left of the way from a to b. */
function meet(a, ra, b, rb) {
    const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
    const d = Math.hypot(dx, dy);
    const along = (ra * ra - rb * rb + d * d) / (2 * d);
    const aside = Math.sqrt(Math.max(0, ra * ra - along * along));
    return [a[0] + (along * dx - aside * dy) / d, a[1] + (along * dy + aside * dx) / d];
}

const angle = (a, b) => Math.atan2(b[1] - a[1], b[0] - a[0]);
const bar = (a, b) => (t) => [...middle(a(t), b(t)), angle(a(t), b(t))];

export function fourBar(names = ["crank", "coupler", "follower"], title = "Four-bar mechanism, driven") {
    const table = new Table(timesUpTo(10, 1001));
    const [A, D] = [() => [0, 0], () => [4, 0]];
    const B = (t) => [Math.cos(1 + 1.3 * t), Math.sin(1 + 1.3 * t)];
    const C = (t) => meet(B(t), 4, D(), 3);
    const bodies = [
        [A, B, 1],
        [B, C, 4],
        [D, C, 3],
    ].map(([a, b, length], i) => ({
        name: names[i],
        column: table.addPlanarBody(names[i], i === 0 ? (t) => [...middle(A(t), B(t)), 1 + 1.3 * t] : bar(a, b)),
        node_of: -1,
        shapes:
            i === 1
                ? []
                : [
                      {
                          bar: [
                              [-length / 2, 0, 0],
                              [length / 2, 0, 0],
                          ],
                      },
                  ],
        marks: [
            [-length / 2, 0, 0],
            [length / 2, 0, 0],
        ],
    }));
    const P = (t) => {
        const [x, y, phi] = bar(B, C)(t);
        return [x - 0.8 * Math.sin(phi), y + 0.8 * Math.cos(phi)];
    };
    bodies[1].shapes = [
        {
            plate: [
                [-2, 0, 0],
                [2, 0, 0],
                [0, 0.8, 0],
            ],
        },
    ];
    const points = [{ name: "P", column: table.addPoint("P", P, true) }];
    const joints = [
        ["A", -1, 0, [-0.5, 0, 0]],
        ["B", 0, 1, [-2, 0, 0]],
        ["C", 1, 2, [1.5, 0, 0]],
        ["D", -1, 2, [-1.5, 0, 0]],
    ].map(([name, first, second, at], i) => ({
        name,
        kind: "revolute",
        first,
        second,
        at,
        axis: null,
        unique: new Array(6).fill(true),
        column: table.addReaction(name, (t) => [12 * Math.cos(1.3 * t + i), 15 + 9 * Math.sin(1.3 * t + i), 0], true),
    }));
    table.addMeasures();
    const header = {
        format: 1,
        kind: "run",
        holon: "0.9.0",
        title,
        model: "four-bar",
        planar: true,
        gravity: [0, -9.81, 0],
        summary: SUMMARY,
        verdicts: VERDICTS,
        rows: 1001,
        recorded_rows: 10001,
        bodies,
        beams: [],
        ground: {
            marks: [
                [0, 0, 0],
                [4, 0, 0],
            ],
        },
        joints,
        points,
        forces: [],
        events: [{ t: 4.2, kind: "singular", text: "Singular configuration passed: crank and coupler in line." }],
    };
    return { header, columns: table.columns };
}

/* Names that would be markup, end the script, or break a line, if anything ever parsed them. */
export function hostile() {
    const names = [
        "</script><img src=x onerror=window.hacked=1>",
        '<b>bold</b> & "quoted"',
        "\u2028line\u2029<!--holon-data-->",
    ];
    const model = fourBar(names, "</title></script><img src=x onerror=window.hacked=2> <svg onload=window.hacked=3>");
    model.header.verdicts = [
        { level: "bad", text: "<script>window.hacked=4</script> is a name, and is shown as one." },
    ];
    model.header.summary = { "<i>key</i>": "<img src=x onerror=window.hacked=5>" };
    model.header.events = [{ t: 2, kind: "<i>end</i>", text: "<img src=x onerror=window.hacked=6>" }];
    model.header.joints[0].name = "<img src=x onerror=window.hacked=7>";
    model.header.points[0].name = "javascript:alert(1)";
    return model;
}

/* A disc that rolls, a box on a slide with a spring, a particle on a rod; no energy recorded. */
export function slider() {
    const table = new Table(timesUpTo(6, 601));
    const x = (t) => 1.2 + 0.5 * Math.sin(2 * t);
    const body = (name, place, rest) => ({
        name,
        column: table.addPlanarBody(name, place),
        node_of: -1,
        shapes: [],
        marks: [],
        ...rest,
    });
    const particle = (name, place) => ({
        name,
        form: "particle",
        column: table.addPoint(name, place, true),
        node_of: -1,
        shapes: [],
        marks: [[0, 0, 0]],
    });
    const swing = (t) => 0.9 * Math.cos(2.6 * t);
    const bodies = [
        body("block", (t) => [x(t), 0, 0], { shapes: [{ box: [0.36, 0.22, 0] }] }),
        particle("bob", (t) => [x(t) + 0.8 * Math.sin(swing(t)), -0.8 * Math.cos(swing(t))]),
        body("disc", (t) => [2.6 + 0.3 * Math.sin(t), -0.3, -Math.sin(t)], {
            shapes: [
                {
                    cylinder: [
                        [0, 0, -0.05],
                        [0, 0, 0.05],
                    ],
                    radius: 0.3,
                },
            ],
        }),
    ];
    const reaction = (name, k) => table.addReaction(name, (t) => [k * Math.sin(t), k, 0], true);
    const joints = [
        {
            name: "slide",
            kind: "prismatic",
            first: -1,
            second: 0,
            at: [0, 0, 0],
            axis: [1, 0, 0],
            column: reaction("slide", 20),
        },
        {
            name: "string",
            kind: "distance",
            first: 0,
            second: 1,
            at: [0, 0, 0],
            from: [0, 0, 0],
            axis: null,
            column: reaction("string", 8),
        },
        {
            name: "contact",
            kind: "rolling",
            first: -1,
            second: 2,
            at: [0, 0, 0],
            axis: null,
            column: reaction("contact", 14),
        },
    ];
    const header = {
        format: 1,
        kind: "run",
        holon: "0.9.0",
        title: "Block on a spring",
        model: "block",
        planar: true,
        gravity: [0, -9.81, 0],
        summary: {},
        verdicts: [{ level: "good", text: "Constraints satisfied." }],
        rows: 601,
        bodies,
        beams: [],
        joints,
        points: [],
        ground: { marks: [[0, 0, 0]] },
        forces: [
            {
                name: "spring",
                kind: "spring",
                ends: [
                    { body: -1, at: [0, 0, 0] },
                    { body: 0, at: [-0.18, 0, 0] },
                ],
            },
        ],
        events: [],
    };
    return { header, columns: table.columns };
}
