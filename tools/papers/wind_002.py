# SPDX-License-Identifier: BSD-3-Clause
"""Figs 8 and 9: the wind turbine."""
import math

import plot
from page import number, progress, table
from statements_002 import SCHEMES, SPARING, TURBINES, WIND, options_of

UNTIL = 10.47  # s: ten turns, in whole steps
QUIET = 2.5    # s: the load has gone, and what began with the run has had its time
SHEAR, PLANE, MOMENT, TENSION = (f"blade1@0.5.{force}" for force in ("V3", "V2", "M2", "N"))
COLUMNS = [SHEAR, PLANE, MOMENT, TENSION, "blade1@0.5.M3", "tip1.x", "motor.tx", "energy.kinetic",
           "energy.total", "energy.drift", "violation.position"]
ELEMENTS = (6, 12, 24, 48)
SPARED = {"plane_mean": PLANE, "moment_mean": "blade1@0.5.M3", "torque": "motor.tx", "tension": TENSION}


def run(holon, scheme, until, variant=None):
    which = ["--variant", variant] if variant else []
    return holon.series(WIND, COLUMNS, *which, *options_of(scheme), "--until", repr(until), "--record",
                        "blade1@0.5,tip1,motor,energy,violation")


def rough(values):
    """The largest second difference: what rings with the step has four times its amplitude, a slow motion nearly none."""
    return max(abs(a - 2 * b + c) for a, b, c in zip(values, values[1:], values[2:]))


def span(values):
    return max(values) - min(values)


def mean(values):
    return sum(values) / len(values)


def late(found, name):
    values = [value for t, value in zip(found["t"], found[name]) if t >= min(QUIET, found["t"][-1] / 2)]
    return values if len(values) > 2 else None


def cost(holon, steps):
    """Processor time per pass and passes per step, in turns; the least of three."""
    least = {}
    for _ in range(3):
        for elements in ELEMENTS:
            own = holon.summary(WIND, "--set", f"parameters.elements={elements}", "--until", repr(0.005 * steps))
            seconds = own["processor_s"] / own["iterations"]
            if elements not in least or seconds < least[elements][0]:
                least[elements] = seconds, own["iterations"] / own["steps"]
    return least


def exponent(least):
    """Of the time per pass with the number of elements: two blades, and four elements of the tower."""
    few, many = (2 * elements + 4 for elements in (ELEMENTS[0], ELEMENTS[-1]))
    return math.log(least[ELEMENTS[-1]][0] / least[ELEMENTS[0]][0], many / few)


def compared(runs, until):
    """What the statements on Fig. 9 need of one turbine."""
    preserving, decaying = runs.values()
    ratio = lambda size, name: size(late(preserving, name)) / size(late(decaying, name))
    plane = late(decaying, PLANE)
    return {"through": min(own["t"][-1] for own in runs.values()) / until, "rough": ratio(rough, SHEAR),
            "rough_plane": ratio(rough, PLANE), "rough_moment": ratio(rough, MOMENT), "shear": ratio(span, SHEAR),
            "shear_plane": ratio(span, PLANE), "mean_plane": abs(mean(plane)) / span(plane)}


def measure(holon, until=UNTIL, steps=10):
    turbines = {}
    for name, variant in TURBINES.items():
        progress(f"{WIND}, {name}: {' and '.join(SCHEMES)}")
        turbines[name] = {scheme: run(holon, scheme, until, variant) for scheme in SCHEMES}
    runs = turbines[WIND]
    preserving, decaying = runs.values()
    progress(f"{WIND}: {SPARING}")
    sparing = run(holon, SPARING, until)
    drift = decaying["energy.drift"]
    least = cost(holon, steps)
    results = {"growth": max(b - a for a, b in zip(drift, drift[1:])) / max(decaying["energy.kinetic"]),
               "kept": max(map(abs, preserving["energy.drift"])) / max(preserving["energy.kinetic"]),
               **{name: compared(own, until) for name, own in turbines.items()}}
    of = lambda own, name: mean(late(own, name))
    return {"until": until, "runs": runs, "turbines": turbines, "cost": least, "results": results,
            "exponent": exponent(least), "lost": -drift[-1], "lost_part": -drift[-1] / decaying["energy.kinetic"][0],
            "torque": of(decaying, "motor.tx"), "torque_kept": of(preserving, "motor.tx"),
            "tension": of(decaying, TENSION), "tension_kept": of(preserving, TENSION),
            "plane_mean": of(decaying, PLANE), "plane_mean_kept": of(preserving, PLANE),
            "moment_mean": of(decaying, "blade1@0.5.M3"), "sparing": sparing,
            **{f"spared_{name}": of(sparing, column) for name, column in SPARED.items()},
            "spared_lost": late(sparing, "energy.drift")[0] - sparing["energy.drift"][-1]}


# ---- The page ----

LOADS = (("shear force along the wind, N", SHEAR), ("bending moment, N m", MOMENT), ("tension, N", TENSION),
         ("shear force in the plane, N", PLANE), ("bending moment in the plane, N m", "blade1@0.5.M3"))


def load_table(runs):
    rows = []
    for title, name in LOADS:
        values = [late(own, name) for own in runs.values()]
        rows.append([title, *(number(size(own), 3) for own in values for size in (mean, span, rough))])
    return table(["middle of a blade", *(f"{kind}, `{scheme}`" for scheme in runs
                                         for kind in ("mean", "range", "roughness"))], rows)


def cost_table(found):
    return table(["elements of a blade", "iterations per step", "ms per iteration"],
                 [[str(elements), number(passes, 3), number(1000 * seconds, 3)]
                  for elements, (seconds, passes) in found["cost"].items()])


def figures(found):
    curves = {title: {scheme: list(zip(own["t"], own[name])) for scheme, own in found["runs"].items()}
              for title, name in (("shear force along the wind, middle of a blade, N", SHEAR),
                                  ("shear force in the plane of rotation, N", PLANE), ("bending moment, N m", MOMENT),
                                  ("tension, N", TENSION))}
    books = {title: {scheme: list(zip(own["t"], own[name])) for scheme, own in found["runs"].items()}
             for title, name in (("place of a tip along the wind, m", "tip1.x"),
                                 ("energy less initial energy and work, J", "energy.drift"))}
    return {"figure-9": plot.figure("Wind turbine, steps of 5 ms (Fig. 9)", curves, found["until"], even=curves),
            "figure-9-kept": plot.figure("Wind turbine: tip and energy", books, found["until"], even=books)}
