#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes docs/papers/004.md and its figures: Gonzalez, Dopico, Pastorino and Cuadrado compared with runs of holon."""
import math
import os
from typing import NamedTuple

import plot
import points_004 as points
import start_004 as start
from page import Holon, arguments, number, progress, table, wrap, write
from statements_004 import (AL, BOUND, BRICARD, DOUBLE, HAMILTONIAN, INDEX3, NEIGHBOURS, PENALTY, ROWS, SHORT, SLIDER,
                            count, statements, verdict)

# The double four-bar in the coordinates of the paper; those of the slider-crank are its variant `rods`.
POINTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "004.double-four-bar.yaml")
# As it comes: by default holon would mend the very changes of branch that the paper is about.
REPORT = ["--branch", "report"]
OF_POINTS = {SLIDER: [SLIDER, "--variant", "rods"], DOUBLE: [POINTS]}
NATURAL = {name: [*words, *REPORT] for name, words in OF_POINTS.items()}
GRADIENT = 2  # length of the gradient of the paper's rows, |d|^2 - l^2 for rods of 1 m; ours have 1
LITERAL = {"multipliers": "carried", "projection": "tangent", "divergence": "continue"}  # ALi3 as in the paper
TWO = 2, points.largest  # a step is interrupted after two growing changes
SECOND = {  # drifts in x2, y2, x3, by a program of its own
    "Hamiltonian, euler, h = 0.002 s": lambda until: points.hamiltonian_drift(until, "euler", 2e-3, 1000, *TWO),
    "penalty, trapezoidal, h = 0.0001 s": lambda until: points.penalty_drift(until, *TWO),
    "AL, trapezoidal, h = 0.001 s": lambda until: points.al_drift(until, *TWO),
    "Hamiltonian, trapezoidal, h = 0.002 s": lambda until: points.hamiltonian_drift(until, "trapezoidal", 2e-3, 2000,
                                                                                    *TWO),
    "ALi3, trapezoidal, h = 0.001 s": lambda until: points.index3_drift(until, 1e-5)}
LIMIT = 5  # passes of AL with forward Euler, after which it goes on
LIMITS = [2, LIMIT, 20]
SWEEP = [4e-3 * 4 ** (i / 19) for i in range(20)]
SWEPT = {SLIDER: [SLIDER], **{f"n-four-bar, N = {n}": ["n-four-bar", "--set", f"parameters.N={n}"] for n in (1, 2, 10)}}
SMALL = 1e-3  # J, of the sweep
ROUNDS, FEW_ROUNDS, LONG = 5, 3, 0.3  # of which the shortest time counts; the few of runs of more than 0.3 s
CANDIDATES = [*((name, "rk4") for name in (
    "lagrange", "baumgarte", "penalty", "augmented-lagrangian", "augmented-lagrangian-projected",
    "coordinate-partitioning", "direct-correction", "generalized-inverse", "augmented-hamiltonian")),
    (INDEX3, "trapezoidal")]
STEPS = [1e-3, 2e-3, 4e-3, 5e-3, 8e-3, 10e-3, 16e-3, 20e-3, 25e-3, 32e-3, 40e-3]
GOALS = [(SLIDER, 0.1, 0.02), (SLIDER, 0.001, 0.06), (DOUBLE, 0.1, 0.02)]  # mechanism, J, the paper's best time in s
BARS = {SLIDER: [SLIDER], DOUBLE: [DOUBLE]}
BODIES = {name: [*words, "--coordinates", "natural", *REPORT] for name, words in BARS.items()}


class Best(NamedTuple):
    time: float
    step: float
    formulation: str
    integrator: str
    coordinates: str
    run: dict


def sets(part, **values):
    return [word for key, value in values.items() if value is not None
            for word in ("--set", f"run.{part}.{key}={value}")]


def method(formulation, integrator, step, **options):
    return ["--formulation", formulation, "--integrator", integrator, "--step", repr(step),
            *sets("formulation", **options)]


def options_of(row, factor):
    """A row of a table; alpha is multiplied by the factor."""
    gains = {"gains": "automatic"} if row.omega == "automatic" else {"omega": row.omega, "xi": row.xi}
    inner = {"absolute_tolerance": row.tolerance, **LITERAL} if row.formulation == INDEX3 else {}
    limit = {"max_iterations": LIMIT, "divergence": "continue"} if row.integrator == "euler" and row.formulation == AL else {}
    words = method(row.formulation, row.integrator, row.step, alpha=factor * row.alpha, **inner, **gains, **limit)
    if row.integrator == "trapezoidal" and row.formulation != INDEX3:
        words += sets("integrator", tolerance=row.tolerance, divergence="continue")
    return words


# ---- Runs ----

def timed(holon, words, until, rounds=ROUNDS):
    """The run, and the shortest time of some rounds, fewer of long runs."""
    run = holon.summary(*words, "--until", str(until))
    times = [run["processor_s"]]
    while len(times) < min(rounds, FEW_ROUNDS if times[0] > LONG else rounds):
        times.append(holon.summary(*words, "--until", str(until))["processor_s"])
    return {**run, "until": until, "processor_s": min(times)}


def measure_rows(holon, until):
    runs, printed, bodies, near = {}, {}, {}, {}
    for row in ROWS:
        progress(f"Table {row.table}: {row.name()}")
        natural = NATURAL[row.mechanism()]
        runs[row] = timed(holon, [*natural, *options_of(row, GRADIENT**2)], until)
        others = [row._replace(step=(1 + part) * row.step) for part in NEIGHBOURS]
        near[row] = [timed(holon, [*natural, *options_of(other, GRADIENT**2)], until, 1) for other in others]
        printed[row] = timed(holon, [*natural, *options_of(row, 1)], until, 1)
        bodies[row] = timed(holon, [*BODIES[row.mechanism()], *options_of(row, GRADIENT**2)], until, 1)
    return runs, {"printed": printed, "bodies": bodies, "near": near}


def measure_limits(holon, until):
    """AL with forward Euler for several limits of its own iteration; the last run fails where it does not converge."""
    found = {}
    for row in (row for row in ROWS if (row.formulation, row.integrator) == (AL, "euler")):
        progress(f"Table {row.table}: {row.name()}, limits")
        words = [*NATURAL[row.mechanism()], *options_of(row, GRADIENT**2)]
        given = [*({"max_iterations": limit} for limit in LIMITS), {"max_iterations": 50, "divergence": "fail"}]
        found[row] = [timed(holon, [*words, *sets("formulation", **limit)], until, 1) for limit in given]
    return found


def find_best(holon, mechanism, bound, until, steps):
    """Of every candidate the longest step that meets the bound, as all shorter ones do; the fastest of these."""
    found = []
    for coordinates, words in (("bars", BARS[mechanism]), ("points", OF_POINTS[mechanism])):
        for formulation, integrator in CANDIDATES:
            last = None
            for step in steps:
                run = timed(holon, [*words, *method(formulation, integrator, step)], until, 1)
                if verdict(run, bound) != "meets":
                    break
                last = step, run
            if last:
                run = timed(holon, [*words, *method(formulation, integrator, last[0])], until)
                found.append(Best(run["processor_s"], last[0], formulation, integrator, coordinates, run))
    return min(found, key=lambda best: best.time, default=None)


def sweep(holon, until, steps):
    found = {}
    for name, words in SWEPT.items():
        progress(f"{name}: {len(steps)} steps")
        found[name] = {step: timed(holon, [*words, "--step", repr(step)], until, 1) for step in steps}
    return found


def measure_bricard(holon, until):
    known = holon.check(BRICARD)
    runs = [timed(holon, [BRICARD, *method(name, integrator, 1e-3)], until, 1) for name, integrator in (
        (PENALTY, "rk4"), (AL, "rk4"), (HAMILTONIAN, "rk4"), (INDEX3, "trapezoidal"))]
    default = timed(holon, [BRICARD], until, 1)
    ended = [run["max_energy_drift"] for run in runs if run["reached"] >= until]
    return {"dof": known["dof"], "redundant": default["redundant_rows"],
            "singular": max(run["singular_events"] for run in [default, *runs]),
            "drift": max(ended) if len(ended) == len(runs) else None}


def measure_single(holon, until):
    """The Hamiltonian with a single update of the multipliers in each evaluation."""
    progress("Hamiltonian: single updates")
    single = sets("formulation", max_iterations=1)
    return {row: timed(holon, [*NATURAL[row.mechanism()], *options_of(row, GRADIENT**2), *single], until, 1)
            for row in ROWS if row.formulation == HAMILTONIAN}


def lost_words(factor=GRADIENT**2, step=1e-5):
    return [*NATURAL[SLIDER], *method(PENALTY, "euler", step, alpha=factor * 1e8, omega=10, xi=1)]


def over(times, others):
    """The shortest of these over the shortest of those; None where no run completes."""
    return min(times) / min(others) if times and others else None


def measure(holon, until):
    runs, others = measure_rows(holon, until)
    pick = lambda which, *wanted: [runs[row]["processor_s"] for row in ROWS if row.table == which
                                   and row.formulation in wanted and runs[row]["reached"] >= until]
    stopping = next(row for row in ROWS if row.table == 2 and row.formulation == PENALTY)
    words = [*method(PENALTY, "trapezoidal", stopping.step, alpha=GRADIENT**2 * stopping.alpha, omega=stopping.omega,
                     xi=stopping.xi), *sets("integrator", tolerance=stopping.tolerance)]
    slow = next(runs[row]["processor_s"] for row in ROWS
                if row.table == 2 and row.integrator == "trapezoidal" and row.formulation == HAMILTONIAN)
    progress("Fig. 4, Bricard")
    return others, {
        "rows": runs, "neighbours": others["near"], "until": until,
        "hamiltonian_faster": over(pick(1, PENALTY, AL), pick(1, HAMILTONIAN)),
        "hamiltonian_slower": over([slow], pick(2, PENALTY, AL, INDEX3)),
        "stopped": timed(holon, [*NATURAL[SLIDER], *words], until, 1)["reached"],
        "lost": [timed(holon, lost_words(step=(1 + part) * 1e-5), until, 1) for part in (0, *NEIGHBOURS)],
        "bricard": measure_bricard(holon, until),
        "start": start.measure(holon)}


def measure_more(holon, until):
    """What the explanations need: drifts of single runs."""
    rule = sets("integrator", tolerance=1e-7, divergence="continue")
    slider, double = NATURAL[SLIDER], NATURAL[DOUBLE]
    al = lambda step, omega: [*slider, *rule, *method(AL, "trapezoidal", step, alpha=GRADIENT**2 * 1e7, omega=omega,
                                                      xi=1)]
    literal = lambda step, tolerance: method(INDEX3, "trapezoidal", step, alpha=GRADIENT**2 * 1e9,
                                             absolute_tolerance=tolerance, **LITERAL)
    penalty = lambda words, alpha, omega: [*words, *method(PENALTY, "euler", 1e-5, alpha=GRADIENT**2 * alpha,
                                                           omega=omega, xi=1)]
    runs = {
        "al_shorter": al(8e-4, 200), "al_half": al(5e-4, 200), "al_stiffer": al(1e-3, 400),
        "euler_slider": [*slider, *method("direct-correction", "euler", 2e-5)],
        "euler_double": [*double, *method("direct-correction", "euler", 2e-5)],
        "half_slider": penalty(slider, 1e8, 25), "half_double": penalty(double, 1e7, 30),
        "index3_default": [*slider, *method(INDEX3, "trapezoidal", 1e-3)],
        "index3_tight": [*slider, *literal(1e-3, 1e-10)], "index3_loose": [*slider, *literal(1e-3, 1e-5)],
        "index3_looser": [*slider, *literal(1e-3, 1e-4)],
        "index3_relative": [*slider, *method(INDEX3, "trapezoidal", 1e-3, alpha=GRADIENT**2 * 1e9, tolerance=1e-5)],
        "index3_double": [*double, *method(INDEX3, "trapezoidal", 1e-2)],
        "many_report": ["n-four-bar", "--set", "parameters.N=10", "--step", repr(SWEEP[14]), *REPORT],
        "many_adaptive": ["n-four-bar", "--set", "parameters.N=10", "--integrator", "dopri5"],
        "lost_printed": lost_words(1)}
    found = {name: timed(holon, words, until, 1) for name, words in runs.items()}
    progress("x2, y2, x3 by themselves")
    rules = {"two": (2, points.largest), "one": (1, points.largest), "euclid": (1, points.length)}
    own = {f"points_{name}": points.al_drift(until, *rule) for name, rule in rules.items()}
    part = {name: points.al_interrupted(until, *rule) for name, rule in rules.items()}
    turned = [epsilon for epsilon in start.ERRORS if abs(points.penalty_ratio(epsilon)) < 1]
    own.update(points_loose=points.index3_drift(until, 1e-5), points_tight=points.index3_drift(until, 1e-10))
    return {**{name: number(value, 3) + " J" for name, value in own.items()},
            **{name: outcome(run) + " J" * (run["reached"] >= until) for name, run in found.items()},
            "lost_printed_changes": found["lost_printed"]["branch_changes"],
            **{f"interrupted_{name}": number(100 * value) for name, value in part.items()},
            "points_error": f"{min(turned, default=math.nan):g} m",
            "points_index3": number(points.index3_ratio(-1, -5e-5, 1e-7), 3)}


# ---- Figures ----

def figures(holon, until):
    every = ["--every", str(until / 2000)]
    lost = holon.series(*lost_words()[:1], ["energy.drift"], "--until", str(until), *every, "--record", "energy",
                        *lost_words()[1:])
    held = holon.series(SLIDER, ["energy.drift"], "--until", str(until), *every, "--record", "energy",
                        *NATURAL[SLIDER][1:], *options_of(ROWS[0], GRADIENT**2))
    jump = {"omega 10, h = 1e-5 s": plot.envelope(lost["t"], lost["energy.drift"]),
            "omega 25, h = 2e-5 s": plot.envelope(held["t"], held["energy.drift"])}
    force, reaction = "reaction of A0 along x, N", {}
    for name, words in (("direct-correction, rk4", []), ("ALi3, trapezoidal", method(INDEX3, "trapezoidal", 1e-3))):
        found = holon.series(DOUBLE, ["A0.fx"], "--until", str(until), *every, "--record", "A0.reaction", *REPORT, *words)
        reaction[name] = plot.thinned(found["t"], found["A0.fx"], 1000)
    return {"figure-4a": plot.figure("Double four-bar: reaction along x (Fig. 4a)", {force: reaction}, until,
                                     even=[force]),
            "figure-4b": plot.figure("Slider-crank, penalty, forward Euler (Fig. 4b)", {"energy drift, J": jump},
                                     until)}


# ---- The page ----

def verdicts(results):
    rows = [[source, f"`{where}`", says, found, "yes" if agrees else "**no**"]
            for source, where, says, (found, agrees) in statements(results)]
    agreed = sum(row[-1] == "yes" for row in rows)
    return (f"{agreed} of {len(rows)} statements agree.\n\n"
            + table(["paper", "mechanism", "statement", "measured", "agrees"], rows, left=5))


def outcome(run):
    """The drift, or where the run stops."""
    early = run["reached"] < run["until"]
    return f"stops at {number(run['reached'], 3)} s" if early else number(run["max_energy_drift"])


def spread(runs):
    """The smallest and the largest drift of those that come to the end."""
    drift = [run["max_energy_drift"] for run in runs if run["reached"] >= run["until"]]
    return f"{number(min(drift))} ... {number(max(drift))}" if drift else "none completes"


def limit_table(found):
    rows = [[f"Table {row.table}, {row.name()}", *(outcome(run) for run in runs)] for row, runs in found.items()]
    return table(["drift, J", *(f"{limit} iterations" for limit in LIMITS), "50, then fail"], rows)


def row_table(which, runs, others):
    rows = []
    for row in (row for row in ROWS if row.table == which):
        run, bound = runs[row], BOUND[which]
        gains = ["automatic", ""] if row.omega == "automatic" else ["" if x is None else f"{x:g}"
                                                                    for x in (row.omega, row.xi)]
        rows.append([SHORT[row.formulation], f"`{row.integrator}`", f"{row.step:g}", f"{row.alpha:g}", *gains,
                     outcome(run), verdict(run, bound), str(count(run, others["near"][row], bound)),
                     spread(others["near"][row]), outcome(others["printed"][row]), outcome(others["bodies"][row]),
                     number(run["iterations"] / max(1, run["steps"])), number(run["processor_s"]), f"{row.elapsed:g}",
                     number(row.elapsed / run["processor_s"])])
    head = ["formulation", "integrator", "h, s", "alpha", "omega", "xi", "drift, J", f"{BOUND[which]:g} J",
            f"meet, of {1 + len(NEIGHBOURS)}", "within 2 %, J", "with alpha as printed, J",
            "bodies in natural coordinates, J", "iterations per step", "our time, s",
            "paper, s", "times faster"]
    return table(head, rows, left=2)


def second_table(runs):
    rows = [[row.name(), number(runs[row]["max_energy_drift"], 3), number(SECOND[row.name()](runs[row]["until"]), 3),
             f"{BOUND[row.table]:g}"]
            for row in ROWS if row.name() in SECOND and row.mechanism() == SLIDER]
    return table(["slider-crank", "holon, J", "x2, y2, x3, J", "bound, J"], rows)


def single_table(runs, single):
    cells = lambda run: [f"{run['max_energy_drift']:.6g}" if run["reached"] >= run["until"] else outcome(run),
                         number(run["iterations"] / max(1, run["steps"]))]
    rows = [[f"Table {row.table}, {row.name()}", *cells(runs[row]), *cells(run)] for row, run in single.items()]
    return table(["", "until convergence: drift, J", "iterations per step", "one update: drift, J",
                  "iterations per step"], rows)


def single_change(runs, single):
    """The largest change of a drift by single updates, in per cent."""
    drift = lambda run: run["max_energy_drift"]
    return 100 * max(abs(drift(run) / drift(runs[row]) - 1) for row, run in single.items())


def best_table(best):
    rows = []
    for (mechanism, bound, elapsed), found in best.items():
        rows.append([f"`{mechanism}`", f"{bound:g}", f"`{found.formulation}`", f"`{found.integrator}`",
                     found.coordinates, f"{1e3 * found.step:g}", number(found.run["max_energy_drift"]),
                     number(1e3 * found.time), f"{1e3 * elapsed:g}", number(elapsed / found.time)])
    head = ["mechanism", "bound, J", "formulation", "integrator", "coordinates", "h, ms", "drift, J", "our time, ms",
            "paper, ms", "times faster"]
    return table(head, rows, left=5)


def sweep_table(found):
    rows = []
    for name, runs in found.items():
        drift = {step: run["max_energy_drift"] for step, run in runs.items()}
        worst = max(drift, key=drift.get)
        rows.append([name, str(len(runs)), str(sum(run["reached"] >= run["until"] for run in runs.values())),
                     *(str(sum(run[key] for run in runs.values())) for key in ("branch_changes", "recoveries")),
                     str(sum(x < SMALL for x in drift.values())), number(sorted(drift.values())[len(drift) // 2]),
                     number(drift[worst]), f"{1e3 * worst:.4g}"])
    return table(["mechanism", "steps tested", "completed", "changes of branch", "recoveries",
                  f"below {SMALL:g} J", "median drift, J", "largest, J", "at h, ms"], rows)


def page(results, others, limits, single, best, swept, more, quick):
    with open(__file__.replace("004.py", "004.template.md"), encoding="utf-8") as file:
        template = file.read()
    warning = "**Made with --quick: very short runs, only for a test of the tool.**\n\n" if quick else ""
    runs = results["rows"]
    return wrap(template.format(warning=warning, verdicts=verdicts(results), second=second_table(runs),
                                limits=limit_table(limits), single=single_table(runs, single),
                                single_change=number(single_change(runs, single)), best=best_table(best),
                                sweep=sweep_table(swept), corrected=f"{results['start']['corrected']:g} m",
                                penalised=f"{results['start']['error']:g} m",
                                lost_changes=sum(run["branch_changes"] > 0 for run in results["lost"]), **more,
                                **{f"table{which}": row_table(which, runs, others) for which in BOUND}))


def main():
    given = arguments(__doc__)
    holon = Holon(given.holon)
    until, steps = (0.02, STEPS[:2]) if given.quick else (10, STEPS)
    others, results = measure(holon, until)
    limits, single = measure_limits(holon, until), measure_single(holon, until)
    best = {}
    for goal in GOALS:
        progress(f"{goal[0]}: the cheapest run within {goal[1]:g} J")
        best[goal] = find_best(holon, *goal[:2], until, steps)
    swept = sweep(holon, until, SWEEP[:2] if given.quick else SWEEP)
    more = measure_more(holon, until)
    for name, svg in {**figures(holon, until), **start.figures(results["start"])}.items():
        write(given.output, f"004/{name}.svg", svg)
    write(given.output, "004.md", page(results, others, limits, single, best, swept, more, given.quick))


if __name__ == "__main__":
    main()
