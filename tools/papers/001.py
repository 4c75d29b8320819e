#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes docs/papers/001.md and its figures: Gonzalez and Kovecses compared with runs of holon."""
import math
import os

import own_001 as own
import plot
from exact_001 import RODS, WEIGHT, angles, pendulum_tension, tensions
from page import Holon, arguments, number, progress, table, wrap, write
from statements_001 import RATIOS, statements

LARGEST = 3 * WEIGHT  # N, of both rods together
ENDS = [*RODS, "B", "D", "F", "H", "L", "N"]
SHARED, OPEN = ("A", "C", "E", "G"), ("K", "M")
INDEX3 = ["--formulation", "index3-augmented-lagrangian"]
AS_COMPUTED = ["--reactions", "as-computed"]
ALPHAS = {"pendulum": ("1e6", "1e8", "1e10", "1e12"), "parallelogram": ("8.89e6", "8.89e7", "8.89e8")}
STEPS = (1e-3, 5e-4, 2.5e-4)
DEFAULT = "stiffness, default formulation"


def settings(**values):
    """Options --set path=value; a path is written with two underscores for a dot."""
    return [word for path, text in values.items() for word in ("--set", f"{path.replace('__', '.')}={text}")]


def without_stiffness(joints):
    return [word for joint in joints for word in ("--set", f"joints.{joint}.stiffness=~")]


def penalty(alpha):
    return [*INDEX3, *settings(run__formulation__alpha=alpha, run__formulation__max_iterations=2000)]


BARE = without_stiffness(("rod1", "rod2"))
PENDULUM = {
    "scaled penalties": INDEX3,
    "unscaled penalties": [*INDEX3, *BARE, *AS_COMPUTED],
    "generalized inverse": ["--formulation", "generalized-inverse", *BARE, *AS_COMPUTED],
    "one rod removed": ["--formulation", "elimination", *BARE, *AS_COMPUTED],
    DEFAULT: [],
}
SHARES = {"scaled penalties": 1 / 3, "unscaled penalties": 0.5, "generalized inverse": 0.5, "one rod removed": 1,
          DEFAULT: 1 / 3}
NAKED = without_stiffness(ENDS)
PLATE = {
    "scaled penalties": INDEX3,
    "unscaled penalties": [*INDEX3, *NAKED, *AS_COMPUTED],
    "generalized inverse": ["--formulation", "generalized-inverse", *NAKED, *AS_COMPUTED],
    "scaled, natural coordinates": [*INDEX3, "--coordinates", "natural"],
    "generalized inverse, natural": ["--formulation", "generalized-inverse", "--coordinates", "natural", *NAKED,
                                     *AS_COMPUTED],
    DEFAULT: [],
}


# The parallelogram with the rows of the paper: joints at G, K and M alone, and distances.
ROWS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "001.rows.yaml")
DISTANCES = {"A": "AB", "C": "CD", "E": "EF", "G": "GH", "K": "KL", "M": "MN"}
PLAIN = without_stiffness([*DISTANCES.values(), "G", "K", "M"])
PAPER_ROWS = {
    "joints rigid": [*INDEX3, *without_stiffness("GKM")],
    "unscaled penalties": [*INDEX3, *PLAIN, *AS_COMPUTED],
    "generalized inverse": ["--formulation", "generalized-inverse", *PLAIN, *AS_COMPUTED],
}


# ---- Runs ----

def rods(holon, model, until, *options):
    """Tensions of both rods and the place of the mass."""
    found = holon.series(model, ["rod1.lfx", "rod2.lfx", "P.x", "P.y"], "--until", str(until), *options,
                         "--record", "P,rod1.local,rod2.local")
    return {"t": found["t"], 1: [-f for f in found["rod1.lfx"]], 2: [-f for f in found["rod2.lfx"]],
            "x": found["P.x"], "y": found["P.y"]}


def bearings(holon, until, *options):
    """The same of the bearings: what draws the bar towards them."""
    names = [f"bearing{i}.{axis}" for i in (1, 2) for axis in ("fx", "fy")]
    found = holon.series("pendulum-two-bearings", ["rod.phi", *names], "--until", str(until), *options,
                         "--record", "rod,bearing1.reaction,bearing2.reaction")
    pull = lambda i: [-x * math.cos(phi) - y * math.sin(phi) for x, y, phi in
                      zip(found[f"bearing{i}.fx"], found[f"bearing{i}.fy"], found["rod.phi"])]
    return {"t": found["t"], 1: pull(1), 2: pull(2)}


def plate(holon, until, *options):
    """Place and angle of the plate and the tensions of the rods at the base."""
    columns = ["plate.x", "plate.y", "plate.z", *(f"{name}.{axis}" for name in RODS for axis in ("fx", "fy", "fz"))]
    found = holon.series("spatial-parallelogram", columns, "--until", str(until), *options,
                         "--record", "plate," + ",".join(f"{name}.reaction" for name in RODS))
    theta = [math.atan2(x - 0.25, y - 0.25) for x, y in zip(found["plate.x"], found["plate.y"])]
    kept = {"t": found["t"], "theta": theta, **{axis: found[f"plate.{axis}"] for axis in "xyz"}}
    for name, (_, _, up) in RODS.items():
        forces = zip(theta, *(found[f"{name}.{axis}"] for axis in ("fx", "fy", "fz")))
        kept[name] = [-(x * math.sin(a) + y * math.cos(a) + z * up) * math.sqrt(0.5) for a, x, y, z in forces]
    return kept


def distances(holon, until, *options):
    """Tensions of the rods of the same, as the multipliers of the distances say."""
    found = holon.series(ROWS, [f"{rod}.lfx" for rod in DISTANCES.values()], "--until", str(until), *options,
                         "--record", ",".join(f"{rod}.local" for rod in DISTANCES.values()))
    return {"t": found["t"], **{name: [-f for f in found[f"{rod}.lfx"]] for name, rod in DISTANCES.items()}}


# ---- Numbers ----

def apart(a, b):
    """The largest difference; infinite if a run has ended early."""
    return max(abs(x - y) for x, y in zip(a, b)) if len(a) == len(b) else math.inf


def size(values):
    return max(abs(x) for x in values)


def share(run):
    """Of rod 1 where it is furthest from the mean share, at forces above a tenth of the largest; else the mean."""
    parts = [a / (a + b) for a, b in zip(run[1], run[2]) if a + b > LARGEST / 10] or [
        sum(run[1]) / max(sum(run[1]) + sum(run[2]), 1e-300)]
    mean = sum(parts) / len(parts)
    return max(parts, key=lambda part: abs(part - mean))


def rod_error(run, part, extra=0):
    """Against the exact forces of both rods, N."""
    exact = [pendulum_tension(t) for t in run["t"]]
    return max(apart(run[1], [part * f + extra for f in exact]), apart(run[2], [(1 - part) * f - extra for f in exact]))


def measure_pendulum(holon, until):
    progress(f"pendulum-two-rods: {len(PENDULUM)} techniques, {until:g} s")
    runs = {name: rods(holon, "pendulum-two-rods", until, *options) for name, options in PENDULUM.items()}
    progress("pendulum-two-rods: penalties; pendulum-two-bearings; pendulum-preload")
    alphas = {alpha: rods(holon, "pendulum-two-rods", until, *penalty(alpha)) for alpha in ALPHAS["pendulum"]}
    preload = {"scaled penalties": rods(holon, "pendulum-preload", until, *INDEX3),
               DEFAULT: rods(holon, "pendulum-preload", until)}
    scaled = runs["scaled penalties"]
    both = lambda a, b: max(apart(a[1], b[1]), apart(a[2], b[2]))
    shifts = [[a - b for a, b in zip(preload["scaled penalties"][i], scaled[i])] for i in (1, 2)]
    totals = [[a + b for a, b in zip(run[1], run[2])] for run in (preload["scaled penalties"], scaled)]
    results = {
        "scaled_error": rod_error(scaled, 1 / 3) / LARGEST, "scaled_share": share(scaled),
        "unscaled_difference": both(runs["unscaled penalties"], runs["generalized inverse"]) / LARGEST,
        "inverse_share": share(runs["generalized inverse"]), "removed_share": share(runs["one rod removed"]),
        "bearings_difference": both(bearings(holon, until, *INDEX3), scaled) / LARGEST,
        "shift_first": max(shifts[0], key=lambda x: abs(x + 4)),
        "shift_second": max(shifts[1], key=lambda x: abs(x - 4)),
        "shift_total": apart(*totals)}
    return results, {"runs": runs, "alphas": alphas, "preload": preload}


def unique_as_stated(check):
    """How many of the joints at the base are unique, or not, as the paper says."""
    unique = {joint["name"]: all(joint["unique"].values()) for joint in check["joints"]}
    return sum(unique[name] == (name in OPEN) for name in RODS)


def off(run, exact, names):
    """The largest difference of these loads, relative to the largest of each."""
    return max(apart(run[name], exact[name]) / size(exact[name]) for name in names)


def exact_plate(times):
    states = angles(times)
    loads = [tensions(theta, rate) for theta, rate in states]
    return {"t": times, "theta": [theta for theta, _ in states], **{name: [n[name] for n in loads] for name in RODS}}


def measure_plate(holon, until):
    progress(f"spatial-parallelogram: {len(PLATE)} techniques, {until:g} s")
    runs = {name: plate(holon, until, *options) for name, options in PLATE.items()}
    progress("spatial-parallelogram: penalties, ratios and steps")
    alphas = {alpha: plate(holon, until, *penalty(alpha)) for alpha in ALPHAS["parallelogram"]}
    rows = {name: distances(holon, until, *options) for name, options in PAPER_ROWS.items()}
    ratios = {ratio: distances(holon, until, *INDEX3, *AS_COMPUTED, *settings(parameters__ratio=ratio))
              for ratio in RATIOS}
    steps = {step: plate(holon, until, *INDEX3, "--step", str(step), "--every", "0.001") for step in STEPS}
    scaled, check = runs["scaled penalties"], holon.check("spatial-parallelogram")
    exact = exact_plate(scaled["t"])
    literal = {alpha: distances(holon, until, *own.plate_options(alpha)) for alpha in own.PLATE_ALPHAS}
    first, elastic = literal[own.PLATE_ALPHAS[0]], own.beams(holon, until)
    place = [math.hypot(x - 0.25 - math.sin(a) / 2, y - 0.25 - math.cos(a) / 2, z - 0.5)
             for x, y, z, a in zip(scaled["x"], scaled["y"], scaled["z"], exact["theta"])]
    apart_from = lambda run: max(apart(scaled[axis], run[axis]) for axis in "xyz") / 0.5
    results = {
        "dof": check["dof"], "redundant": check["redundant_rows"], "unique_as_stated": unique_as_stated(check),
        "motion_error": size(place) / 0.5, "KM_error": off(scaled, exact, OPEN),
        "scaled_error": off(scaled, exact, SHARED),
        "unscaled_difference": max(off(group["unscaled penalties"], group["generalized inverse"], SHARED)
                                   for group in (runs, rows)),
        "G_difference": off(runs["generalized inverse"], scaled, "G"),
        "G_paper_rows": off(ratios[1], rows["joints rigid"], "G"),
        "own_alphas": max(off(run, first, RODS) for run in literal.values()),
        "beams_G": own.off_after(scaled, elastic, "G"), "beams_KM": own.off_after(scaled, elastic, OPEN),
        "beams_motion": apart_from(elastic), "beams_stiff": apart_from(own.beams(holon, until, *own.STIFF)),
        "beams_unscaled": own.off_after(ratios[1], elastic, "G"),
        "ratios": {ratio: off(run, rows["joints rigid"], "G") for ratio, run in ratios.items()}}
    return results, {"runs": runs, "alphas": alphas, "ratios": ratios, "steps": steps, "exact": exact, "rows": rows,
                     "elastic": elastic, "literal": literal}


# ---- Figures ----

def lines(runs, key):
    return {name: plot.thinned(run["t"], run[key]) for name, run in runs.items()}


def rod_figure(title, runs, exact):
    """Both rods, with the exact forces last."""
    panels = {}
    for i in (1, 2):
        curves = lines(runs, i)
        t = next(iter(runs.values()))["t"]
        curves["exact"] = plot.thinned(t, [exact(i, x) for x in t])
        panels[f"tension of rod {i}, N"] = curves
    return plot.figure(title, panels, t[-1], even=panels)


def pendulum_figures(found):
    part = {1: 1 / 3, 2: 2 / 3}
    extra = {1: -4, 2: 4}
    chosen = {name: found["runs"][name] for name in PENDULUM if name != DEFAULT}
    return {"figure-5": rod_figure("Two rods, stiffness 1 : 2 (Fig. 5)", chosen,
                                   lambda i, t: part[i] * pendulum_tension(t)),
            "figure-6": rod_figure("Rod 1 too long by 0.6 µm (Fig. 6)", found["preload"],
                                   lambda i, t: part[i] * pendulum_tension(t) + extra[i])}


def single(title, panel, curves, until):
    return plot.figure(title, {panel: curves}, until, even=[panel])


def plate_figures(found):
    runs, exact = found["runs"], found["exact"]
    scaled, until = runs["scaled penalties"], exact["t"][-1]
    G = "tension at joint G, N"
    exact_G = {"exact, equal stiffness": plot.thinned(exact["t"], exact["G"])}
    place = {axis: plot.thinned(scaled["t"], scaled[axis]) for axis in "xyz"}
    loads = {name: plot.thinned(scaled["t"], scaled[name]) for name in OPEN}
    loads.update({f"{name}, exact": plot.thinned(exact["t"], exact[name]) for name in OPEN})
    techniques = {name: runs[name] for name in ("scaled penalties", "unscaled penalties", "generalized inverse")}
    techniques["unscaled, constraints of the paper"] = found["ratios"][1]
    techniques["elastic rods"] = found["elastic"]
    changes = {f"alpha {alpha}": plot.envelope(exact["t"], [a - b for a, b in zip(run["G"], exact["G"])])
               for alpha, run in found["alphas"].items()}
    panels = {G: {f"alpha {alpha}": plot.thinned(run["t"], run["G"]) for alpha, run in found["alphas"].items()},
              "difference from the exact tension, N": changes}
    ratios = {f"ratio {ratio}": run for ratio, run in found["ratios"].items()}
    return {"figure-8-position": single("Centre of the plate (Fig. 8)", "m", place, until),
            "figure-8-loads": single("Loads that are unique (Fig. 8)", "tension at the base, N", loads, until),
            "figure-9": single("Joint G by several techniques (Fig. 9)", G, {**lines(techniques, "G"), **exact_G},
                               until),
            "figure-10": plot.figure("Joint G, size of the penalty (Fig. 10)", panels, until, even=[G]),
            "figure-11": single("Joint G, constraints of the paper, ratio of the penalties (Fig. 11)", G,
                                {**lines(ratios, "G"), **exact_G}, until)}


# ---- The page ----

def verdicts(results):
    rows = [[source, f"`{where}`", says, found, "yes" if agrees else "**no**"]
            for source, where, says, (found, agrees) in statements(results)]
    agreed = sum(row[-1] == "yes" for row in rows)
    return (f"{agreed} of {len(rows)} statements agree.\n\n"
            + table(["paper", "mechanism", "statement", "measured", "agrees"], rows, left=5))


def pendulum_table(found):
    line = lambda name, part, run: [name, number(part, 3), number(share(run), 10), number(rod_error(run, part))]
    rows = [line(name, SHARES[name], run) for name, run in found["runs"].items()]
    rows += [line(f"scaled penalties, alpha {alpha}", 1 / 3, run) for alpha, run in found["alphas"].items()]
    rows += [[f"preload, {name}", "", "", number(rod_error(run, 1 / 3, -4))] for name, run in found["preload"].items()]
    return table(["technique", "expected share of rod 1", "measured", "largest error of a rod's force, N"], rows)


def plate_table(found):
    rows = []
    runs = {**found["runs"], **{f"scaled penalties, alpha {alpha}": run for alpha, run in found["alphas"].items()}}
    for name, run in runs.items():
        rows.append([name, number(apart(run["theta"], found["exact"]["theta"])),
                     *(number(apart(run[rod], found["exact"][rod])) for rod in RODS)])
    return table(["technique", "angle, rad", *(f"{name}, N" for name in RODS)], rows)


def step_table(found):
    errors = [apart(run["theta"], found["exact"]["theta"]) for run in found["steps"].values()]
    ratios = ["", *(number(a / b, 3) for a, b in zip(errors, errors[1:]))]
    return table(["step, ms", "largest error of the angle, rad", "ratio"],
                 [[f"{step * 1e3:g}", number(error, 3), ratio] for step, error, ratio in zip(STEPS, errors, ratios)])


def ratio_table(found):
    rigid = found["rows"]["joints rigid"]["G"][0]
    rows = [["infinite: joints rigid", number(rigid, 6), "", ""]]
    for ratio, run in reversed(found["ratios"].items()):
        rows.append([f"{ratio}{', unscaled' if ratio == 1 else ''}", number(run["G"][0], 6),
                     number(100 * (run["G"][0] / rigid - 1), 3), number(-100 / (ratio + 1), 3)])
    return table(["weight of joints over distances", "initial G, N", "error, %", "by hand, %"], rows)


def unit_gradient(found):
    """What minimum norm takes from G if distances have rows of unit gradient."""
    return 1 - found["rows"]["generalized inverse"]["G"][0] / found["rows"]["joints rigid"]["G"][0]


def literal_table(found):
    rigid = found["rows"]["joints rigid"]
    rows = [[alpha, *(number(apart(run[name], rigid[name])) for name in RODS)]
            for alpha, run in found["literal"].items()]
    return table(["alpha of joints", *(f"{name}, N" for name in RODS)], rows)


def page(results, pendulum, parallelogram, mine, quick):
    with open(__file__.replace("001.py", "001.template.md"), encoding="utf-8") as file:
        template = file.read()
    warning = "**Made with --quick: very short runs, only for a test of the tool.**\n\n" if quick else ""
    return wrap(template.format(warning=warning, verdicts=verdicts(results), pendulum=pendulum_table(pendulum),
                                plate=plate_table(parallelogram), steps=step_table(parallelogram),
                                ratios=ratio_table(parallelogram), own_alphas=own.alpha_table(mine),
                                tolerance=own.TOLERANCE,
                                ours=own.ours_of(mine), literal=literal_table(parallelogram),
                                **{name: number(100 * results["parallelogram"][name]) for name in
                                   ("beams_G", "beams_KM", "beams_motion", "beams_stiff", "beams_unscaled")},
                                turn=number(max(parallelogram["elastic"]["turn"])),
                                unit_gradient=number(100 * unit_gradient(parallelogram), 3),
                                G_difference=number(results["parallelogram"]["G_difference"]),
                                G_paper_rows=number(100 * results["parallelogram"]["G_paper_rows"], 3)))


def main():
    given = arguments(__doc__)
    holon = Holon(given.holon)
    pendulum_results, pendulum = measure_pendulum(holon, 0.02 if given.quick else 10)
    own_results, mine = own.measure(holon, 0.02 if given.quick else 10)
    plate_results, parallelogram = measure_plate(holon, 0.02 if given.quick else 1)
    for name, svg in {**pendulum_figures(pendulum), **plate_figures(parallelogram)}.items():
        write(given.output, f"001/{name}.svg", svg)
    results = {"own": own_results, "pendulum": pendulum_results, "parallelogram": plate_results}
    write(given.output, "001.md", page(results, pendulum, parallelogram, mine, given.quick))


if __name__ == "__main__":
    main()
