#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes docs/papers/000.md and its figures: Marques, Souto and Flores compared with runs of holon."""
import math
from typing import NamedTuple

import plot
from page import Holon, arguments, number, progress, reference, table, wrap, write
from statements_000 import statements
from verdict import growth, halves, median_growth, settling


class Mechanism(NamedTuple):
    name: str
    title: str
    until: float
    trusted: float  # errors are shown up to here: the pendulum is chaotic
    figures: str
    remark: str


class Method(NamedTuple):
    formulation: str
    options: str  # beside the kind, in the language of model files
    paper: str


MECHANISMS = [
    Mechanism("four-bar", "Planar four-bar", 10, 10, "Figs. 5 to 8",
              "Table 1 prints the coupler angle 0.4332; the lengths require {angle:.4f}, a misprint. The model computes "
              "it from the lengths."),
    Mechanism("five-bar-pendulum", "Spatial pendulum of five bars", 10, 3, "Figs. 10 to 12",
              "The paper does not state the axes of the joints. Those of the model alternate, y, x, y, x, y, and the motion "
              "is spatial; so a curve of the paper can be compared by its magnitude only. The motion is chaotic: the "
              "errors are those of the first {trusted:g} s, all else is for the whole run."),
    Mechanism("spatial-slider-crank", "Spatial slider-crank", 5, 5, "Figs. 14 to 16",
              "The 17 constraints of the paper need a universal joint between rod and slider, which its text does not "
              "name."),
    Mechanism("iltis-suspension", "Suspension of the Iltis", 6, 6, "Figs. 18 to 20",
              "The 19 constraints of the paper leave the tie rod unconnected at the rack, so nothing steers the wheel. "
              "The model has a fourth ball joint there, 22 constraints, and a mass of 1 kg for each of the two massless "
              "links. The energy drift arises at the impact on the buffer between two steps; only that of `penalty` is "
              "larger."),
]
PENALTY = "alpha: 1e7, omega: 10, xi: 1"
PAPER = {  # the formulations of the paper, with the parameters of Table 2
    "lagrange": Method("lagrange", "", "standard Lagrange multipliers"),
    "baumgarte": Method("baumgarte", "a: 5, b: 5", "Baumgarte stabilisation"),
    "penalty": Method("penalty", PENALTY, "penalty (described, not run)"),
    "augmented-lagrangian": Method("augmented-lagrangian", PENALTY, "augmented Lagrangian"),
    "augmented-lagrangian-projected": Method("augmented-lagrangian-projected", PENALTY, "index-1 augmented Lagrangian"),
    "coordinate-partitioning": Method("coordinate-partitioning", "", "coordinate partitioning"),
    "direct-correction": Method("direct-correction", "weight: identity", "direct correction"),
    "null-space": Method("null-space", "", "not in the paper"),
}
OURS = {  # with the defaults of holon
    "augmented-lagrangian-projected, omega 0": PAPER["augmented-lagrangian-projected"]._replace(
        options="alpha: 1e7, omega: 0, xi: 1"),
    "direct-correction, weight mass": PAPER["direct-correction"]._replace(options="weight: mass"),
}
ROUNDS = 9  # of five the median may be off by a quarter
TOLERANCES = ["1e-9", "1e-14", "0"]
DIRECT, INDEX1, PARTITIONING = "direct-correction", "augmented-lagrangian-projected", "coordinate-partitioning"
STATED_MEANS = {
    "four-bar": {DIRECT: "1e-18", INDEX1: "1e-18", PARTITIONING: "1e-18"},
    "five-bar-pendulum": {DIRECT: "1e-18"},
    "spatial-slider-crank": {DIRECT: "1e-18"},
    "iltis-suspension": {DIRECT: "1e-32", INDEX1: "1e-25"},
}
STATED_RATIOS = {"lagrange": "1.00", "baumgarte": "1.16", "augmented-lagrangian": "1.30",
                 "augmented-lagrangian-projected": "1.49", "direct-correction": "1.39"}
COMMON = ["--set", "run.step=1e-3", "--set", "run.integrator=rk4"]


def setting(method, extra=""):
    """The options that choose a method: --set run.formulation={...}."""
    words = ", ".join(part for part in (f"kind: {method.formulation}", method.options, extra) if part)
    return [*COMMON, "--set", f"run.formulation={{{words}}}"]


def together(methods):
    """Groups that one comparison can run: each sets the options of one method, the others keep their defaults."""
    plain = {name: m for name, m in methods.items() if m in PAPER.values() and name != "direct-correction"}
    yield plain, setting(PAPER["augmented-lagrangian-projected"])
    for name, method in methods.items():
        if name not in plain:
            yield {name: method}, setting(method)


def compare(holon, mechanism, until, rounds):
    """Records of all methods by their names here."""
    found = {}
    for methods, options in together({**PAPER, **OURS}):
        kinds = ",".join(m.formulation for m in methods.values())
        records = holon.compare(mechanism.name, "--formulations", kinds, "--until", str(until), "--rounds", str(rounds),
                                *options)
        by_kind = {record["formulation"]: record for record in records}
        found.update({name: by_kind[m.formulation] for name, m in methods.items()})
    return found


def over_time(holon, name, method, until):
    columns = ["violation.position", "violation.velocity", "energy.drift"]
    return holon.series(name, columns, "--until", str(until), "--record", "energy,violation", *setting(method))


def late_part(columns, standard, name):
    """The largest violation in the second half of the run, relative to that of the standard method."""
    own, reference_size = (halves(run["t"], run[name])[1] for run in (columns, standard))
    return own / reference_size if reference_size > 0 else math.inf


def measure(holon, mechanism, quick):
    """Everything about one mechanism: {method: record}; and what is drawn, {method: columns}."""
    until, trusted = (0.02, 0.02) if quick else (mechanism.until, mechanism.trusted)
    progress(f"{mechanism.name}: comparing {len(PAPER) + len(OURS)} methods, {until:g} s")
    records = compare(holon, mechanism, until, 1 if quick else ROUNDS)
    errors = records if trusted == until else compare(holon, mechanism, trusted, 0)
    progress(f"{mechanism.name}: curves")
    curves = {name: over_time(holon, mechanism.name, method, until) for name, method in PAPER.items()}
    for name, record in records.items():
        record["error"] = errors[name]["position_error"]
        record["passes"] = record["max_position_iterations"]
    for name, columns in curves.items():
        for level in ("position", "velocity"):
            records[name][f"{level}_growth"] = growth(columns["t"], columns[f"violation.{level}"])
            records[name][f"{level}_median_growth"] = median_growth(columns["t"], columns[f"violation.{level}"])
            records[name][f"{level}_part"] = late_part(columns, curves["lagrange"], f"violation.{level}")
        records[name]["settling"] = settling(columns["t"], columns["violation.position"])
        records[name]["velocity_settling"] = settling(columns["t"], columns["violation.velocity"])
        records[name]["highest_drift"], records[name]["lowest_drift"] = (
            size(columns["energy.drift"]) for size in (max, min))
    return records, curves


def tolerances(holon, mechanism, quick):
    """Mean Phi^T Phi of direct correction for several tolerances."""
    until = 0.02 if quick else mechanism.until
    return [holon.compare(mechanism.name, "--formulations", "direct-correction", "--rounds", "0", "--until", str(until),
                          *setting(PAPER["direct-correction"], f"tolerance: {tolerance}"))[0]
            ["mean_position_violation_sq"] for tolerance in TOLERANCES]


INTEGRATORS = ("euler", "rk4", "dopri5", "trapezoidal")
# The coupler turned by 0.1 rad, so that its pins are open, and a run that begins as given.
OPEN = ["--set", "start.coupler={angle: 0.52}", "--set", "run.start=as-given"]


def measure_direct(holon, quick):
    """What Sec. 5 says about direct correction."""
    progress("direct correction: integrators, initial state, redundant constraints")
    until, violations = 0.02 if quick else 1, ("max_position_violation", "max_velocity_violation")
    direct = ["--formulation", DIRECT, "--set", "run.formulation.weight=identity", "--until", str(until)]
    worst = lambda run: max(run[key] for key in violations) if run["reached"] >= until else None
    runs = [holon.summary("four-bar", *direct, "--integrator", name) for name in INTEGRATORS]
    columns = ["violation.position", "violation.velocity"]
    begun = lambda words: holon.series("four-bar", columns, *words, *OPEN, "--step", "1e-3", "--until", "5e-3",
                                       "--record", "violation")
    last = lambda run: max(run[name][-1] for name in columns)
    known = {name: value for name, value in reference("bricard", 1).items() if name.split(".")[0] in ("P2", "P3", "P4")}
    loop = holon.series("bricard", list(known), "--formulation", DIRECT, "--set", "run.formulation.weight=identity",
                        "--integrator", "rk4", "--step", "1e-3", "--until", "1", "--every", "1", "--record", "P2,P3,P4")
    found = [worst(run) for run in runs]
    return {"integrators": None if None in found else max(found), "initial": last(begun(direct[:4])),
            "initial_standard": last(begun(["--formulation", "lagrange"])),
            "redundant": max(abs(loop[name][-1] - value) for name, value in known.items())}


def figure(mechanism, curves):
    titles = {"violation.position": "largest position violation (m, or no unit)",
              "violation.velocity": "largest velocity violation (m/s, or 1/s)",
              "energy.drift": "energy drift, J"}
    panels = {title: {name: plot.envelope(c["t"], c[column]) for name, c in curves.items()}
              for column, title in titles.items()}
    until = max(c["t"][-1] for c in curves.values())
    return plot.figure(f"{mechanism.title}, rk4, step 1 ms", panels, until)


def method_rows(mechanism, records):
    for name in [*PAPER, *OURS]:
        record = records[name]
        stated = STATED_MEANS[mechanism.name].get(name, "")
        ratio = STATED_RATIOS.get(name, "") if mechanism.name == "spatial-slider-crank" else ""
        yield [f"`{name}`" if name in PAPER else name, number(record["mean_position_violation_sq"]), stated,
               number(record["max_position_violation"]), number(record["max_velocity_violation"]),
               number(record["max_energy_drift"]), number(record["passes"]), number(record["error"]),
               number(record["time_ratio"], 3), ratio]


def section(mechanism, records):
    headers = ["method", "mean ΦᵀΦ", "paper", "max abs Φ", "max abs Φ̇", "drift, J", "iterations", "error", "time",
               "paper"]
    drifts = sorted(PAPER, key=lambda name: records[name]["max_energy_drift"])
    remark = mechanism.remark.format(angle=coupler_angle(), trusted=mechanism.trusted)
    return (f"## {mechanism.title}\n\n[`{mechanism.name}`](../../models/{mechanism.name}/README.md), "
            f"{mechanism.until:g} s, {mechanism.figures} of the paper. {remark}\n\n"
            + table(headers, method_rows(mechanism, records))
            + "\nEnergy drift, in increasing order: " + ", ".join(f"`{name}`" for name in drifts) + ".\n\n"
            + f"![Violations and energy drift of the {mechanism.name} over time](000/{mechanism.name}.svg)\n")


def coupler_angle():
    """Of the four-bar at its start: crank 2 m at 60 degrees, coupler and follower 4 m, ground 2.5 m."""
    x, y = 2.5 - 2 * math.cos(math.pi / 3), -2 * math.sin(math.pi / 3)
    return math.atan2(y, x) + math.acos(math.hypot(x, y) / 8)


def verdicts(results):
    rows = [[source, where, says, found, "yes" if agrees else "**no**"]
            for source, where, says, (found, agrees) in statements(results)]
    agreed = sum(row[-1] == "yes" for row in rows)
    return (f"{agreed} of {len(rows)} statements agree.\n\n"
            + table(["paper", "mechanism", "statement", "measured", "agrees"], rows, left=5))


def tolerance_table(found):
    rows = [[f"`{name}`", STATED_MEANS[name][DIRECT], *map(number, values)] for name, values in found.items()]
    return table(["direct correction", "paper", *(f"tolerance {t}" for t in TOLERANCES)], rows)


def names_table():
    rows = [[m.paper, f"[`{name}`](../methods/{name}.md)", m.options or "none"] for name, m in PAPER.items()]
    return table(["in the paper", "in holon", "options here"], rows, left=3)


def quoted(results):
    """Numbers that the text quotes."""
    iltis = results["iltis-suspension"]
    limits = lambda name: (number(iltis[name][f"time_ratio_{end}"], 3) for end in ("low", "high"))
    ranges = ", ".join(f"{' to '.join(limits(name))} (`{name}`)" for name in (
        "baumgarte", "augmented-lagrangian", DIRECT, INDEX1))
    own = results["direct"]
    four, slider = results["four-bar"], results["spatial-slider-crank"]
    drift = lambda record: number(record["max_energy_drift"], 3)
    return {"ranges": ranges, "initial_standard": number(own["initial_standard"]), "initial": number(own["initial"]),
            "redundant": number(own["redundant"]), "index1": drift(four[INDEX1]),
            "unstabilised": drift(four[f"{INDEX1}, omega 0"]),
            "partitioning": drift(four[PARTITIONING]), "slider_partitioning": drift(slider[PARTITIONING]),
            "slider_baumgarte": drift(slider["baumgarte"]),
            "peak_growth": number(slider["lagrange"]["velocity_growth"])}


def page(results, tolerance_means, quick):
    with open(__file__.replace("000.py", "000.template.md"), encoding="utf-8") as file:
        template = file.read()
    sections = [section(m, results[m.name]) for m in MECHANISMS]
    warning = "**Made with --quick: very short runs, only for a test of the tool.**\n\n" if quick else ""
    return wrap(template.format(warning=warning, names=names_table(), verdicts=verdicts(results),
                                tolerances=tolerance_table(tolerance_means), sections="\n".join(sections),
                                **quoted(results)))


def main():
    given = arguments(__doc__)
    holon, results, means = Holon(given.holon), {}, {}
    for mechanism in MECHANISMS:
        results[mechanism.name], curves = measure(holon, mechanism, given.quick)
        means[mechanism.name] = tolerances(holon, mechanism, given.quick)
        write(given.output, f"000/{mechanism.name}.svg", figure(mechanism, curves))
    results["direct"] = measure_direct(holon, given.quick)
    write(given.output, "000.md", page(results, means, given.quick))


if __name__ == "__main__":
    main()
