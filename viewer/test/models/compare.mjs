// SPDX-License-Identifier: BSD-3-Clause
// A comparison of invented numbers, with one run that failed and one without an error, with and without a scene.
import { fourBar } from "./plane.mjs";
import { timesUpTo } from "./table.mjs";

const METHODS = [
    ["lagrange", 1, 1.6e-8, 4.2e-9],
    ["baumgarte", 1.2, 1.1e-8, 6.6e-10],
    ["penalty", 2.1, 9.4e-6, 1.8e-7],
    ["augmented-lagrangian", 3.6, 7.5e-9, 3.1e-10],
    ["augmented-lagrangian-projected", 4.1, 9.1e-10, 1.8e-14],
    ["coordinate-partitioning", 8.5, 6.5e-10, 1.6e-14],
    ["direct-correction", 1.4, 9.1e-10, 6.2e-15],
    ["null-space", 6.6, 1.6e-8, 4.2e-9],
    ["generalized-inverse", 6.5, 7.5e-9, 3.1e-10],
    ["explicit-dae", 1.5, 9.1e-10, 1.8e-15],
    ["elimination", 1.1, 1.6e-8, 4.2e-9],
    ["index3-augmented-lagrangian", 3.4, 2.1e-5, 1.8e-15],
    ["energy-preserving", 4.3, 8.6e-6, 0],
];

function record([formulation, ratio, error, violation], step) {
    const k = (step / 0.001) ** 4;
    return {
        model: "four-bar",
        formulation,
        integrator: "rk4",
        step,
        status: "ok",
        evaluations: Math.round(4 / step),
        iterations: 0,
        time_ratio: ratio,
        time_ratio_low: 0.97 * ratio,
        time_ratio_high: 1.05 * ratio,
        processor_s: (0.0015 * ratio * 0.001) / step,
        max_position_violation: violation,
        max_velocity_violation: 3 * violation,
        max_energy_drift: 30 * error * k,
        position_error: error * k,
        reaction_error: 400 * error * k,
        remark: "",
        message: "",
    };
}

function failed(formulation) {
    return {
        model: "four-bar",
        formulation,
        integrator: "rk4",
        step: 0.001,
        status: "failed",
        evaluations: 12,
        iterations: 0,
        time_ratio: null,
        max_position_violation: null,
        max_velocity_violation: null,
        max_energy_drift: null,
        position_error: null,
        processor_s: null,
        remark: "",
        message: "The iteration did not converge at 0.012 s.",
    };
}

/* With a sentence that is far too long for a column. */
function tooStiff(formulation) {
    const message = `${formulation} with rk4, step 0.001 from t = 0.012: solving for accelerations at t = 0.013: ${"a matrix is singular; ".repeat(8)}the model is too stiff for explicit steps of 0.001 s`;
    return { ...failed(formulation), status: "singular", remark: "too stiff", message };
}

export function comparison(withScene) {
    const records = [
        ...METHODS.flatMap((method) => [record(method, 0.001), record(method, 0.002)]),
        failed("augmented-hamiltonian"),
        tooStiff("penalty"),
    ];
    const columns = [];
    const series = records
        .filter(({ status }) => status === "ok")
        .map((one, i) => {
            const rows = 101;
            const times = timesUpTo(10, rows);
            const grow = (largest, t) => largest * (0.1 + 0.9 * (t / 10)) * (0.3 + 0.7 * Math.abs(Math.sin(2 * t + i)));
            const column = columns.length;
            const add = (name, unit, values) => columns.push({ name, unit, type: "f8", values, rows });
            add("t", "s", times);
            add(
                "violation.position",
                "",
                times.map((t) => grow(one.max_position_violation, t)),
            );
            add(
                "violation.velocity",
                "",
                times.map((t) => grow(one.max_velocity_violation, t)),
            );
            add(
                "energy.drift",
                "J",
                times.map((t) => grow(one.max_energy_drift, t)),
            );
            return {
                label: `${one.formulation} ${one.integrator} ${one.step}`,
                record: records.indexOf(one),
                rows,
                column,
            };
        });
    const header = {
        format: 1,
        kind: "compare",
        holon: "0.9.0",
        title: "Four-bar mechanism: which method?",
        model: "four-bar",
        planar: true,
        records,
        series,
        basis: [
            { text: "reference: made up, step 3e-05 s, uncertain by 3e-11" },
            { text: "stiff: explicit steps with tight error control would be some 2e-08 s long" },
        ],
        advice: [
            { text: "Take direct-correction with rk4 and a step of 0.001 s." },
            {
                text: "It is 1.4 times as slow as lagrange, keeps positions to 6.2e-15, and has an error below 1e-8.",
            },
        ],
    };
    if (withScene) header.scene = sceneIn(columns);
    return { header, columns };
}

/* The columns of the scene follow those of the comparison; its indices are moved on by as many. */
function sceneIn(columns) {
    const scene = fourBar();
    const shift = columns.length;
    const moved = (part) => ({ ...part, column: part.column < 0 ? -1 : part.column + shift });
    columns.push(...scene.columns.map((column) => ({ ...column, rows: scene.header.rows })));
    const { bodies, joints, points } = scene.header;
    return { ...scene.header, bodies: bodies.map(moved), joints: joints.map(moved), points: points.map(moved) };
}
