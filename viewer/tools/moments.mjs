// SPDX-License-Identifier: BSD-3-Clause
// Which moments the picture of a model shows. Times are parts of the run; `until` in seconds shortens the run,
// `set` is for --set.

const LAYERS = { reactions: false, grid: true, joints: true, paths: true };
const USUAL = { now: 0, ghosts: [0.25, 0.5, 0.75, 1], set: [] };

const MODELS = {
    "ball-in-bowl": { until: 12, ghosts: [0.3, 0.5, 0.7] },
    bicycle: { until: 0.8, ghosts: [0.33, 0.66, 1] },
    biped: { until: 1, ghosts: [0.5, 1] },
    bricard: { until: 4, ghosts: [0.5, 1] },
    cantilever: { until: 0.9, set: ["gravity=[0, 0, -9.81]"], ghosts: [0.4, 0.7, 1] }, // else nothing is seen to move
    "chaplygin-sleigh": { until: 1.5 },
    differential: { until: 0.3, ghosts: [0.5, 1] },
    "double-pendulum": { until: 1.6 },
    "five-bar-pendulum": { until: 1.2, ghosts: [0.33, 0.66, 1] },
    "four-bar": { until: 3 },
    "free-rigid-body": { until: 1 },
    "gear-pair": { until: 0.9, ghosts: [0.5, 1] },
    governor: { until: 0.4, ghosts: [0.33, 0.66] },
    "iltis-suspension": { now: 0.3, ghosts: [0, 0.5] },
    "jansen-leg": { ghosts: [0.3, 0.65] },
    "n-four-bar": { set: ["parameters.N=6"], ghosts: [0.15, 0.3] },
    pendulum: { until: 1.2 },
    "pendulum-preload": { until: 1, ghosts: [0.4, 0.6, 0.8, 1] },
    "pendulum-two-bearings": { until: 1, ghosts: [0.4, 0.6, 0.8, 1] },
    "pendulum-two-rods": { until: 1, ghosts: [0.4, 0.6, 0.8, 1] },
    "planetary-gear": { ghosts: [] },
    "quick-return": { now: 0.1, ghosts: [0.4, 0.7] },
    "scissor-lift": { ghosts: [0.5, 1] },
    "slider-crank-flexible": { until: 0.04, ghosts: [0.35, 0.7] },
    snakeboard: { until: 3 },
    "spatial-parallelogram": { ghosts: [0.3] },
    "stewart-platform": { ghosts: [0.3, 0.6] },
    "universal-joint": { until: 1, ghosts: [0.33, 0.66, 1] },
    "wind-turbine": { until: 1.05, now: 0.1, ghosts: [0.27, 0.43] },
};

export function momentsOf(name) {
    const { layers, ...own } = MODELS[name] ?? {};
    return { ...USUAL, ...own, layers: { ...LAYERS, ...layers } };
}
