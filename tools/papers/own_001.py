# SPDX-License-Identifier: BSD-3-Clause
"""The paper's own iteration: ALi3 with carried multipliers, projections by the matrix of the step and an absolute
tolerance; its twelve coordinates and coupled stiffness; and its rods as elastic bodies."""
import math
import os

from exact_001 import LENGTH, WEIGHT, pendulum_tension
from page import number, progress, table

LARGEST = 3 * WEIGHT  # N, of both rods together
ALPHAS = ("1e6", "1e7", "1e8", "1e9", "1e10", "1e11", "1e12")
TOLERANCES = ("1e-5", "1e-7", "1e-10", "1e-12")  # m
TOLERANCE, ALPHA = "1e-10", "1e10"
PLATE_ALPHAS = ("8.89e9", "8.89e10", "8.89e11")  # of the constraints that are not distances: 1000 times those
LITERAL = {"formulation.multipliers": "carried", "formulation.projection": "tangent",
           "formulation.divergence": "continue", "formulation.max_iterations": 1000}
COUPLED = {"eta1": 2e-3, "eta2": 3e-3, "coupling": 1e-3}  # K_c (1, 1) = (3, 4)
BEAMS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "001.beams.yaml")
RODS_OF = {"A": "AB", "C": "CD", "E": "EF", "G": "GH", "K": "KL", "M": "MN"}
STIFF = ["--set", "parameters.axial=100*E*pi/4*((30 mm)^2 - (28 mm)^2)"]
SETTLED = 0.1  # s: until then the rods ring, because the loads act at once


def twelve(holon, until, alpha=ALPHA, tolerance=TOLERANCE, literal=True, **others):
    """The pendulum in the coordinates of the paper; by its iteration, or by the form of holon."""
    given = {"until": until, "formulation.alpha": alpha, **others}
    if literal:
        given.update(LITERAL, **{"formulation.absolute_tolerance": tolerance})
    found = holon.example("pendulum_rods_series", *(f"{name}={value}" for name, value in given.items()))
    return {"t": found["t"], 1: found["rod1"], 2: found["rod2"], "x": found["x"], "y": found["y"]}


def plate_options(alpha, tolerance=TOLERANCE):
    given = {**LITERAL, "formulation.alpha": alpha, "formulation.absolute_tolerance": tolerance}
    return ["--formulation", "index3-augmented-lagrangian", "--reactions", "as-computed",
            *(word for name, value in given.items() for word in ("--set", f"run.{name}={value}"))]


def apart(a, b):
    """The largest difference; infinite if a run has ended early."""
    return max(abs(x - y) for x, y in zip(a, b)) if len(a) == len(b) else math.inf


def error(run, until, part=1 / 3, extra=0):
    """Against the exact forces of both rods, N; infinite if the run has ended early."""
    if run["t"][-1] < until * (1 - 1e-9):
        return math.inf
    exact = [pendulum_tension(t) for t in run["t"]]
    return max(apart(run[1], [part * f + extra for f in exact]), apart(run[2], [(1 - part) * f - extra for f in exact]))


def of_first(run):
    """The share of rod 1 in all of the force, over time."""
    return sum(run[1]) / (sum(run[1]) + sum(run[2])) if sum(run[1]) + sum(run[2]) else None


def measure(holon, until):
    progress("pendulum in twelve coordinates: the iteration of the paper")
    runs = {(alpha, tolerance): twelve(holon, until, alpha, tolerance) for alpha in ALPHAS for tolerance in TOLERANCES}
    first = runs[ALPHA, TOLERANCE]
    chosen = [runs[alpha, TOLERANCE] for alpha in ALPHAS]
    both = lambda a, b: max(apart(a[1], b[1]), apart(a[2], b[2])) / LARGEST
    larger = twelve(holon, until, eta1=0.1, eta2=0.2)
    coupled = twelve(holon, until, **COUPLED)
    bearings = twelve(holon, until, bearings=1)
    preload = twelve(holon, until, preload=2)  # of the multiplier: half of the force
    shifts = [[a - b for a, b in zip(preload[i], first[i])] for i in (1, 2)]
    ours = {f"alpha {alpha}": twelve(holon, until, alpha, literal=False, **{"formulation.max_iterations": 10000})
            for alpha in ("1e7", "1e12")}
    results = {
        "own_error": error(first, until) / LARGEST, "own_share": of_first(first),
        "own_alphas": max(both(run, first) for run in chosen),
        "own_large_alphas": max(both(runs[alpha, TOLERANCE], first) for alpha in ALPHAS[-3:]),
        "own_motion": max(apart(run[axis], first[axis]) for run in chosen for axis in "xy") / LENGTH,
        "own_bearings": both(bearings, first), "own_scale": both(larger, first),
        "own_unscaled": of_first(twelve(holon, until, eta1=1, eta2=1)),
        "own_coupled": of_first(coupled), "own_coupled_error": error(coupled, until, 3 / 7) / LARGEST,
        "own_shift_first": max(shifts[0], key=lambda x: abs(x + 4)),
        "own_shift_second": max(shifts[1], key=lambda x: abs(x - 4)),
        "own_shift_total": max(abs(a + b) for a, b in zip(*shifts))}
    return results, {"runs": runs, "ours": ours, "until": until}


def beams(holon, until, *options):
    """The tensions of elastic rods at their middles, the centre of the plate and the angle by which it has turned."""
    progress("spatial-parallelogram: elastic rods")
    columns = [f"{rod}@0.5.N" for rod in RODS_OF.values()]
    found = holon.series(BEAMS, [*columns, *(f"plate.{c}" for c in ("x", "y", "z", "e1", "e2", "e3"))], "--until",
                         str(until), *options, "--record",
                         "plate," + ",".join(f"{rod}@0.5" for rod in RODS_OF.values()))
    half = (math.hypot(*parts) for parts in zip(*(found[f"plate.e{i}"] for i in (1, 2, 3))))
    return {"t": found["t"], **{axis: found[f"plate.{axis}"] for axis in "xyz"},
            "turn": [math.degrees(2 * math.asin(sine)) for sine in half],
            **{name: found[f"{rod}@0.5.N"] for name, rod in RODS_OF.items()}}


def off_after(run, other, names):
    """The largest difference of these from the time on at which the rods have settled, relative to the largest."""
    begin = min(SETTLED, run["t"][-1] / 2)
    pick = lambda name: [(a, b) for t, a, b in zip(run["t"], run[name], other[name]) if t >= begin]
    if len(run["t"]) != len(other["t"]):
        return math.inf
    return max(max(abs(a - b) for a, b in pick(name)) / max(abs(b) for _, b in pick(name)) for name in names)


# ---- The page ----

def alpha_table(found):
    rows = []
    for alpha in ALPHAS:
        cells = []
        for tolerance in TOLERANCES:
            run = found["runs"][alpha, tolerance]
            early = run["t"][-1] < found["until"] * (1 - 1e-9)
            cells.append(f"ends at {number(run['t'][-1], 3)} s" if early else number(error(run, found["until"])))
        rows.append([alpha, *cells])
    return table(["alpha", *(f"{tolerance} m" for tolerance in TOLERANCES)], rows)


def ours_of(found):
    return ", ".join(f"{number(error(run, found['until']))} N with {name}" for name, run in found["ours"].items())
