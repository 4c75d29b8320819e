# SPDX-License-Identifier: BSD-3-Clause
"""Figs 2 to 4: the free rigid body."""
import math

import plane
import plot
from page import number, progress, reference, table
from statements_002 import FREE, OURS, SCHEMES, options_of
from verdict import zigzag

STEPS = (0.05, 0.025, 0.0125, 0.00625, 0.003125)
PAPER = 0.0125
TIMES = (1, 2, 5)  # of the reference, s
KINDS = ("displacement", "velocity", "multiplier")
ROWS = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))  # the order of the system: 11, 22, 33, 12, 13, 23
MASS, FIRST = 1.8, (0.18, 0.72, 0.54)
SECOND = ((0.2, 0.012, 0.015), (0.012, 0.7, 0.023), (0.015, 0.023, 0.4))
PLACES = [f"{point}.{axis}" for point in ("O", "tip1", "tip2") for axis in "xyz"]
RATES = [f"{name}{axis}" for name in ("O.v", "body.w") for axis in "xyz"]
MEASURES = ["violation.position", "violation.velocity", "energy.drift", "energy.total"]


# ---- Vectors and matrices: lists of rows ----

def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def times(A, B):
    return [[dot(row, column) for column in zip(*B)] for row in A]


def apply(A, x):
    return [dot(row, x) for row in A]


def inverse(A):
    columns = [cross(A[1], A[2]), cross(A[2], A[0]), cross(A[0], A[1])]
    size = dot(A[0], columns[0])
    return [[columns[j][i] / size for j in range(3)] for i in range(3)]


def skew(w):
    return [[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]]


# Second moments about the centre of mass. Those of the paper are about O; with O eliminated the axes have these.
C = [[SECOND[i][j] - FIRST[i] * FIRST[j] / MASS for j in range(3)] for i in range(3)]
J = [[(sum(C[k][k] for k in range(3)) if i == j else 0) - C[i][j] for j in range(3)] for i in range(3)]


def axes(values):
    """e1, e2, e3 of places {name: number}."""
    e1, e2 = ([values[f"{tip}.{axis}"] - values[f"O.{axis}"] for axis in "xyz"] for tip in ("tip1", "tip2"))
    return e1, e2, cross(e1, e2)


def exact_multipliers(values):
    """sum_j C_ij e_j'' = -sum_j lambda_ij e_j; in body axes the e_j'' are the columns of w'~ + w~ w~."""
    w = apply(axes(values), [values[f"body.w{axis}"] for axis in "xyz"])
    turn, gain = skew(w), skew(apply(inverse(J), cross(apply(J, w), w)))
    square = times(turn, turn)
    found = times([[gain[i][j] + square[i][j] for j in range(3)] for i in range(3)], C)
    return [-found[i][j] for i, j in ROWS]


def carried(t, frames, spin):
    """The velocities of the axes that the energy-preserving scheme carries, at the ends of its steps: v_f =
    2 (q_f - q_i) / h - v_i. `spin` is the initial angular velocity."""
    found = [[cross(spin, e) for e in frames[0]]]
    for i in range(len(t) - 1):
        rows = zip(frames[i], frames[i + 1], found[-1])
        found.append([[2 * (b - a) / (t[i + 1] - t[i]) - u for a, b, u in zip(*row)] for row in rows])
    return found


def velocity_rows(frames, velocities, pairs):
    """The largest rate of e_i . e_j, half of it where they are the same."""
    rate = lambda e, v, i, j: (dot(v[i], e[j]) + dot(e[i], v[j])) / (1 + (i == j))
    return max(abs(rate(e, v, i, j)) for e, v in zip(frames, velocities) for i, j in pairs)


def middles(t, frames, velocities):
    """Axes and velocities in the middle of steps."""
    half = lambda a, b: [[(x + y) / 2 for x, y in zip(*row)] for row in zip(a, b)]
    return [half(a, b) for a, b in zip(frames, frames[1:])], [half(a, b) for a, b in zip(velocities, velocities[1:])]


def middle_multipliers(t, frames):
    """Those of the steps of the energy-preserving scheme, which knows them in the middle: M (v_f - v_i) / h =
    -B_m lambda. The body starts with w = (0, 4, 0)."""
    velocities, found = carried(t, frames, [0, 4, 0]), []
    for i in range(len(t) - 1):
        rows = zip(velocities[i], velocities[i + 1])
        forces = times(C, [[(b - a) / (t[i + 1] - t[i]) for a, b in zip(*row)] for row in rows])
        mean = [[(a + b) / 2 for a, b in zip(*row)] for row in zip(frames[i], frames[i + 1])]
        symmetric = times(forces, inverse(mean))
        found.append([-symmetric[i][j] for i, j in ROWS])
    return found


# ---- Runs ----

def run(holon, scheme, step, until):
    found = holon.series(FREE, [*PLACES, *RATES, *MEASURES], *options_of(scheme), "--step", str(step), "--until",
                         str(until),
                         "--record", "body,O,tip1,tip2,energy,violation")
    kind, *settings = (word for word in options_of(scheme)[1:] if word != "--set")
    written = holon.example("multipliers_series", FREE, f"run.formulation={kind}", *settings, f"run.step={step}",
                            f"run.until={until}")
    if written["t"] != found["t"]:
        raise ValueError("the multipliers belong to other times")
    found["lambda"] = [[-value for value in row] for row in zip(*(written[f"lambda{k + 1}"] for k in range(6)))]
    found["axes"] = [axes({name: found[name][i] for name in PLACES}) for i in range(len(found["t"]))]
    if scheme == SCHEMES[0]:
        found["middle"] = middle_multipliers(found["t"], found["axes"])
    elif scheme == OURS:
        found["middle"] = [[-value for value in row] for row in
                           list(zip(*(written[f"midpoint{k + 1}"] for k in range(6))))[1:]]
    return found


def errors(found, step):
    """{kind: largest error at the times of the reference that were reached}"""
    most = dict.fromkeys([*KINDS, *(["mean"] if "middle" in found else [])], 0)
    for t in TIMES:
        i = round(t / step)
        if i >= len(found["t"]):
            continue
        known = reference(FREE, t)
        exact = exact_multipliers(known)
        most["displacement"] = max(most["displacement"], *(abs(found[name][i] - known[name]) for name in PLACES))
        most["velocity"] = max(most["velocity"], *(abs(found[name][i] - known[name]) for name in RATES))
        most["multiplier"] = max(most["multiplier"], *(abs(a - b) for a, b in zip(found["lambda"][i], exact)))
        if "middle" in found and i < len(found["middle"]):
            mean = [(a + b) / 2 for a, b in zip(found["middle"][i - 1], found["middle"][i])]
            most["mean"] = max(most["mean"], *(abs(a - b) for a, b in zip(mean, exact)))
    return most


def middle_error(holon, scheme, step, until):
    """Of the multipliers in the middle of steps at times that the reference knows: steps a little shorter than this
    one, so that 1 s and 5 s are in the middle of one. The step that has the end in its middle is a whole one."""
    odd = round(2 / step) + 1
    found = run(holon, scheme, 2 / odd, until + 2 / odd)
    known = [(found["middle"][(odd * t - 1) // 2], exact_multipliers(reference(FREE, t)))
             for t in (1, 5) if (odd * t - 1) // 2 < len(found["middle"])]
    return max(abs(a - b) for pair in known for a, b in zip(*pair))


def measure(holon, until, steps=STEPS):
    progress(f"{FREE}: {' and '.join((*SCHEMES, OURS))}")
    runs = {(scheme, step): run(holon, scheme, step, until) for scheme in (*SCHEMES, OURS) for step in steps}
    found = {"until": until, "runs": runs, "errors": {key: errors(own, key[1]) for key, own in runs.items()}}
    for scheme in (SCHEMES[0], OURS):
        for step in steps:
            found["errors"][scheme, step]["middle"] = middle_error(holon, scheme, step, until)
    preserving, decaying, ours = (runs[scheme, PAPER] for scheme in (*SCHEMES, OURS))
    energy = decaying["energy.total"]
    frames, velocities = preserving["axes"], carried(preserving["t"], preserving["axes"], [0, 4, 0])
    histories = [preserving[name] for name in RATES] + list(map(list, zip(*preserving["lambda"])))
    found["results"] = {
        "position": max(preserving["violation.position"]), "velocity_ends": velocity_rows(frames, velocities, ROWS),
        "velocity_middle": velocity_rows(*middles(preserving["t"], frames, velocities), ROWS),
        "energy": max(map(abs, preserving["energy.drift"])) / energy[0],
        "zigzag": max(map(zigzag, histories)), "middle_zigzag": max(map(zigzag, zip(*preserving["middle"]))),
        "apart": max(math.dist(a, b) for x, y in zip(preserving["axes"], decaying["axes"]) for a, b in zip(x, y)),
        "growth": max(b - a for a, b in zip(energy, energy[1:])) / energy[0],
        "middle": order(found["errors"], SCHEMES[0], "middle", steps),
        **{f"{scheme}_{kind}": order(found["errors"], scheme, kind, steps) for scheme in SCHEMES for kind in KINDS}}
    found["mean"] = order(found["errors"], SCHEMES[0], "mean", steps)
    found["ours"] = {kind: order(found["errors"], OURS, kind, steps) for kind in (*KINDS, "middle", "mean")}
    found["ours_zigzag"] = max(map(zigzag, zip(*ours["middle"])))
    half = runs.get((SCHEMES[0], PAPER / 2))
    found["zigzag_half"] = max(map(zigzag, zip(*half["middle"]))) if half else None
    found["lost"] = energy[0] - energy[-1]
    return found


def order(found, scheme, kind, steps):
    """Of the finest two steps."""
    coarse, fine = (found[scheme, step][kind] for step in steps[-2:])
    return math.log(coarse / fine, steps[-2] / steps[-1])


# ---- The page ----

def error_table(found):
    rows = []
    for (scheme, step), own in found["errors"].items():
        bold = "**" if step == PAPER else ""
        rows.append([f"`{scheme}`", f"{bold}{1e3 * step:g} ms{bold}",
                     *(number(own.get(kind)) for kind in (*KINDS, "middle", "mean"))])
    rows += [[f"`{scheme}`, order", "", *(f"{found['results'][f'{scheme}_{kind}']:.2f}" for kind in KINDS),
              *((f"{found['results']['middle']:.2f}", f"{found['mean']:.2f}") if scheme == SCHEMES[0] else "––")]
             for scheme in SCHEMES]
    rows.append([f"`{OURS}`, order", "", *(f"{value:.2f}" for value in found["ours"].values())])
    return table(["scheme", "step", "O and axes, m", "velocities, m/s and rad/s", "multipliers, N m",
                  "midpoint multipliers, N m", "means of two, N m"], rows)


def figures(found):
    until, (preserving, decaying) = found["until"], (found["runs"][scheme, PAPER] for scheme in SCHEMES)
    t, names = preserving["t"], ("1", "2", "3")
    motion = {f"e{k + 1}": {name: list(zip(t, (frame[k][i] for frame in preserving["axes"])))
                            for i, name in enumerate(names)} for k in range(2)}
    rates = {"angular velocity, rad/s": {name: list(zip(t, preserving[f"body.w{axis}"]))
                                         for name, axis in zip(names, "xyz")},
             "multipliers of rows 11, 22, 33, N m": {name: list(zip(t, (row[i] for row in preserving["lambda"])))
                                                     for i, name in enumerate(names)},
             "the same in the middle of steps, N m": {name: [
                 ((a + b) / 2, row[i]) for a, b, row in zip(t, t[1:], preserving["middle"])]
                                                      for i, name in enumerate(names)}}
    kept = {title: {scheme: list(zip(t, map(abs, own[column])))[1:]
                    for scheme, own in zip(SCHEMES, (preserving, decaying))}
            for title, column in (("constraints", "violation.position"), ("their rates", "violation.velocity"),
                                  ("energy, J", "energy.drift"))}
    return {"figure-2": plot.figure("Free rigid body: axes, energy-preserving, 12.5 ms (Fig. 2)", motion, until,
                                    even=motion),
            "figure-3": plot.figure("Free rigid body: energy-preserving, 12.5 ms (Fig. 3)", rates, until, even=rates),
            "figure-3-kept": plot.figure("Free rigid body: violations and energy drift, 12.5 ms", kept, until),
            "figure-4": convergence(found)}


def convergence(found):
    """Lines, in logarithms."""
    def line(scheme, kind):
        return [(math.log10(step), math.log10(own[kind])) for (name, step), own in found["errors"].items()
                if name == scheme]
    panels = [plane.Panel(f"{kind}: log10 error over log10 step", {
        **{scheme: [line(scheme, kind)] for scheme in SCHEMES},
        "energy-preserving, mid-point": [line(SCHEMES[0], "middle")] if kind == "multiplier" else []})
              for kind in KINDS]
    return plane.figure("Free rigid body: convergence (Fig. 4)", panels)
