# SPDX-License-Identifier: BSD-3-Clause
"""Fig. 3: the biped, from the paper's inconsistent start."""
import math

import plane
import plot
from page import number, progress, reference, table
from statements_003 import BIPED, FORMS
from verdict import growth

PERIOD, STEP, AFTER = 2, 1e-2, 1  # s; violations are judged after AFTER
VANISHED = 1e-2  # of the initial violation
SHOWN = 0.2  # s, of the decay
BODIES = ("trunk", "thigh_f", "shank_f", "foot_f", "thigh_r", "shank_r", "foot_r")
PLACES = [f"{body}.{name}" for body in BODIES for name in ("x", "y", "phi")]
RATES = [f"{body}.{name}" for body in BODIES for name in ("vx", "vy", "w")]
VIOLATIONS = ["violation.position", "violation.velocity"]
PHASES = {"x of the trunk": ("trunk.x", "trunk.vx"), "y of the trunk": ("trunk.y", "trunk.vy"),
          "theta1": ("thigh_f.phi", "thigh_f.w"), "theta2": ("shank_f.phi", "shank_f.w"),
          "theta4": ("thigh_r.phi", "thigh_r.w"), "theta5": ("shank_r.phi", "shank_r.w")}
# Lengths of the model, m.
HEIGHT = 1.8
THIGH, SHANK, ANKLE, FOOT, TRUNK = (part * HEIGHT for part in (0.245, 0.246, 0.039, 0.152, 0.626 * 0.288))
CENTRE = 0.433  # of thigh and shank, as a fraction of their length from the upper end


# ---- Runs ----

def run(holon, until, form, *options):
    return holon.series(BIPED, [*PLACES, *RATES, *VIOLATIONS], "--formulation", "explicit-dae", "--set",
                        f"run.formulation.correction={form}", "--step", str(STEP), "--until", str(until),
                        "--record", "violation," + ",".join(BODIES), *options)


def timing(holon, until, form):
    summary = holon.summary(BIPED, "--variant", "printed", "--formulation", "explicit-dae", "--set",
                            f"run.formulation.correction={form}", "--step", str(STEP), "--until", str(until))
    return summary["wall_s"] / until


# ---- Numbers ----

def settled(t, values, after=AFTER):
    """From when on a violation is no larger than twice its largest after that time."""
    late = max(value for time, value in zip(t, values) if time > after)
    above = [i for i, value in enumerate(values) if value > 2 * late]
    return t[above[-1] + 1] if above else 0


def recovered(t, position, velocity):
    """When both have settled; infinite unless the initial violation of the positions has nearly vanished by then."""
    late = max(value for time, value in zip(t, position) if time > AFTER)
    return max(settled(t, position), settled(t, velocity)) if late < VANISHED * position[0] else math.inf


def overlap(series, steps):
    """How far periods of so many steps are from the second one, all quantities; the first holds the transient."""
    return max((abs(value - values[steps + i % steps]) for values in series.values()
                for i, value in enumerate(values) if i >= 2 * steps), default=0)


def late(found, name):
    pairs = [(t, value) for t, value in zip(found["t"], found[name]) if t > AFTER]
    return [t for t, _ in pairs], [value for _, value in pairs]


def place_error(found):
    """Of x and y of the trunk at 1 s."""
    known = reference(BIPED, 1)
    i = next(i for i, t in enumerate(found["t"]) if abs(t - 1) < 1e-9)
    return max(abs(found[name][i] - known[name]) for name in ("trunk.x", "trunk.y"))


def measure_form(printed, part):
    position, velocity = (late(printed, name) for name in VIOLATIONS)
    return {"settled": recovered(printed["t"], *(printed[name] for name in VIOLATIONS)),
            "position": max(position[1]), "velocity": max(velocity[1]),
            "growth": max(growth(*position), growth(*velocity)),
            "overlap": overlap({name: printed[name] for name in [*PLACES, *RATES]}, round(PERIOD / STEP)), "part": part}


def measure(holon, until):
    progress(f"{BIPED}: {until:g} s")
    printed = {form: run(holon, until, form, "--variant", "printed") for form in FORMS}
    consistent = {form: run(holon, 1, form) for form in FORMS}
    return {"until": until, "printed": printed, "consistent": consistent,
            "forms": {form: measure_form(printed[form], timing(holon, until, form)) for form in FORMS}}


# ---- Table and figures ----

def biped_table(found):
    rows = []
    for form in FORMS:
        numbers, printed = found["forms"][form], found["printed"][form]
        first = [number(printed[VIOLATIONS[0]][i]) for i in range(5)]
        rows.append([f"`{form}`", *first, number(numbers["settled"]), number(numbers["position"]),
                     number(numbers["velocity"]), number(numbers["growth"]), number(numbers["overlap"]),
                     number(place_error(found["consistent"][form]))])
    return table(["correction", "positions at 0", "10", "20", "30", "40 ms", "converged after, s",
                  "positions after 1 s", "velocities after 1 s", "growth", "overlap",
                  "x, y at 1 s from the consistent start, m"], rows)


def along(x, y, phi, length):
    return x + length * math.cos(phi), y + length * math.sin(phi)


def leg(state, side):
    """Hip, knee, ankle, heel, toe, ankle."""
    get = lambda body: [state[f"{body}_{side}.{name}"] for name in ("x", "y", "phi")]
    hip, knee = along(*get("thigh"), CENTRE * THIGH), along(*get("thigh"), (CENTRE - 1) * THIGH)
    ankle = along(*get("shank"), (CENTRE - 1) * SHANK)
    x, y, phi = get("foot")
    sole = along(x, y, phi - math.pi / 2, ANKLE / 2)
    return [hip, knee, ankle, along(*sole, phi, -FOOT / 2), along(*sole, phi, FOOT / 2), ankle]


def sticks(state):
    """Front leg, rear leg, and the trunk from the hip to its centre."""
    x, y, phi = (state[f"trunk.{name}"] for name in ("x", "y", "phi"))
    return leg(state, "f"), leg(state, "r"), [along(x, y, phi, -TRUNK), (x, y)]


def stick_figure(found):
    """Half a period, which the other half goes back."""
    series = found["printed"]["step"]
    states = [{name: series[name][i] for name in PLACES} for i in range(100, 201, 20)]
    parts = list(zip(*map(sticks, states)))
    curves = {"front leg": parts[0], "rear leg": parts[1], "trunk, to its centre": parts[2]}
    return plane.figure("Biped, every 0.2 s from 1 s to 2 s (Fig. 3a)", [plane.Panel("m", curves, True)], height=520)


def phase_figure(found):
    series, steps = found["printed"]["step"], round(PERIOD / STEP)
    count = int(round(found["until"] / PERIOD))
    curves, last = {}, f"last, {(count - 1) * PERIOD} s to {count * PERIOD} s"
    for words, period in (("first period", 0), ("second", 1), (last, count - 1)):
        part = slice(period * steps, (period + 1) * steps + 1, 2)
        curves[words] = {title: [list(zip(series[place][part], series[rate][part]))]
                         for title, (place, rate) in PHASES.items()}
    panels = [plane.Panel(f"{title}, and its rate", {words: curves[words][title] for words in curves}, nested=True)
              for title in PHASES]
    return plane.figure("Biped: phases (Fig. 3b)", panels, columns=3)


def violation_figure(found):
    titles = dict(zip(VIOLATIONS, ("positions: max |Phi|", "velocities: max |D v - nu|")))
    count = round(SHOWN / STEP) + 1
    early = {title: {form: list(zip(series["t"][:count], series[name][:count]))
                     for form, series in found["printed"].items()} for name, title in titles.items()}
    whole = {title: {form: plot.envelope(series["t"], series[name]) for form, series in found["printed"].items()}
             for name, title in titles.items()}
    return {"figure-3c-start": plot.figure("Biped: constraints, from the inconsistent start (Fig. 3c)", early, SHOWN),
            "figure-3c": plot.figure("Biped: constraints (Fig. 3c)", whole, found["until"])}


def figures(found):
    return {"figure-3a": stick_figure(found), "figure-3b": phase_figure(found), **violation_figure(found)}
