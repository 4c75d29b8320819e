# SPDX-License-Identifier: BSD-3-Clause
"""Figs 1 and 2: the ball in a bowl, in the paper's twelve coordinates (an example) and with a rolling joint (a model).
"""
import math

import plane
import plot
from page import number, progress, reference, table
from statements_003 import BALL, FORMS
from verdict import growth, median_growth

RHO, RADIUS, BOWL = 7, 1, 8
TIMES = (1, 100)  # of the reference, s
STEPS = (1e-2, 5e-3, 2.5e-3)
ENERGIES = ("off", "smooth", "threshold")
GAINS = (0, 0.01, 0.03, 0.1, 0.3, 1, 2, 4, 8, 16, 32, 64)
MEASURES = ("position", "velocity", "energy", "integral")
AUTOMATIC = ["formulation=baumgarte", "formulation.gains=automatic"]
QUANTITIES = [f"ball.{name}" for name in ("x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz", "e0", "e1", "e2", "e3")]


def explicit(form, energy="off"):
    return ["formulation=explicit-dae", f"formulation.correction={form}", f"formulation.energy={energy}"]


def fixed(a, b):
    return ["formulation=baumgarte", f"formulation.a={a}", f"formulation.b={b}"]


# ---- Runs ----

def twelve(holon, until, words, step=1e-2, every=0):
    return holon.example("ball_in_bowl_series", f"until={until}", f"step={step}", f"every={every}", *words)


def angles(x, y, z):
    return math.asin(-z / math.hypot(x, y, z)), math.atan2(y, x)


def first_integral(place, velocity, spin):
    """beta' cos^2 alpha + 2 r/(7 (R - r)) omega_rho sin alpha, of the centre and the angular velocity."""
    (x, y, z), square = place, sum(c * c for c in place)
    along = sum(w * c for w, c in zip(spin, place)) / math.sqrt(square)
    return (x * velocity[1] - y * velocity[0]) / square + 2 * RADIUS / (7 * RHO) * along * -z / math.sqrt(square)


def joint(holon, until, words, step=1e-2):
    """The same of the model, with its quantities."""
    options = [option for word in words for option in (
        ("--formulation", word.split("=")[1]) if word.startswith("formulation=") else ("--set", f"run.{word}"))]
    found = holon.series(BALL, ["violation.position", "violation.velocity", "energy.drift", *QUANTITIES], *options,
                         "--until", str(until), "--step", str(step), "--record", "ball,violation,energy")
    vectors = [list(zip(*(found[f"ball.{letter}{axis}"] for axis in "xyz"))) for letter in ("", "v", "w")]
    integral = [first_integral(*state) for state in zip(*vectors)]
    alpha, beta = zip(*(angles(*place) for place in vectors[0]))
    return {"t": found["t"], "alpha": alpha, "beta": beta, "position": found["violation.position"],
            "velocity": found["violation.velocity"], "energy": found["energy.drift"],
            "integral": [value - integral[0] for value in integral], **{name: found[name] for name in QUANTITIES}}


# ---- Numbers ----

def size(values):
    return max(abs(value) for value in values)


def ends(run, until):
    return run["t"][-1] > until - 1e-6


def largest(run, until):
    """Of each measure; None if the run has ended early."""
    return {name: size(run[name]) if ends(run, until) else None for name in MEASURES}


def at(run, t):
    return next((i for i, time in enumerate(run["t"]) if abs(time - t) < 1e-9), None)


def angle_error(run, t):
    """At a time of the reference; whole turns do not count. None if the run does not reach it."""
    i, known = at(run, t), reference(BALL, t)
    if i is None:
        return None
    alpha, beta = angles(*(known[f"ball.{axis}"] for axis in "xyz"))
    return max(abs(run["alpha"][i] - alpha), abs(math.remainder(run["beta"][i] - beta, 2 * math.pi)))


def state_error(run, t):
    """Of everything that the model's reference knows: places, velocities, orientation. e and -e are the same."""
    i, known = at(run, t), reference(BALL, t)
    if i is None:
        return None
    turn = sum(run[f"ball.e{k}"][i] * known[f"ball.e{k}"] for k in range(4))
    sign = {name: math.copysign(1, turn) if name.startswith("ball.e") else 1 for name in QUANTITIES}
    return max(abs(sign[name] * run[name][i] - known[name]) for name in QUANTITIES)


def search(holon, until, gains):
    """{(a, b): largest of each measure} of Baumgarte's gains; those that fail are left out."""
    found = {}
    for a in gains:
        progress(f"{BALL}: gains of baumgarte, a = {a:g}")
        for b in gains:
            run = twelve(holon, until, fixed(a, b), every=0.1)
            if ends(run, until):
                found[a, b] = largest(run, until)
    return found


def best_gains(found, measure, pairs=None):
    return min(pairs or found, key=lambda pair: found[pair][measure])


def chosen_gains(found):
    critical = [pair for pair in found if pair[0] == pair[1]]
    return {"critical": best_gains(found, "integral", critical), "best": best_gains(found, "integral"),
            "energy": best_gains(found, "energy"), "position": best_gains(found, "position")}


def measure_form(runs, form, until):
    """What the statements need."""
    off, kept = runs[form, "off"], runs[form, "smooth"]
    most, plain = largest(kept, until), largest(off, until)
    over = lambda run: largest(run, until)["integral"] / most["integral"]
    last = max(t for t in TIMES if t <= until)
    return {**{name: most[name] for name in ("position", "velocity", "energy")},
            "position_growth": growth(kept["t"], kept["position"]),
            "velocity_growth": growth(kept["t"], kept["velocity"]),
            "energy_growth": growth(kept["t"], kept["energy"]),
            "energy_off_growth": median_growth(off["t"], off["energy"]),
            "integral_off": over(off),
            **{f"integral_{name}": over(runs[name]) for name in ("automatic", "critical", "best")},
            "interference": max(most[name] / plain[name] for name in ("position", "velocity")),
            "delay": angle_error(off, last) / angle_error(kept, last)}


def measure(holon, until, gains):
    searched = search(holon, until, gains)
    chosen = chosen_gains(searched)
    progress(f"{BALL}: {until:g} s in twelve coordinates")
    runs = {(form, energy): twelve(holon, until, explicit(form, energy)) for form in FORMS for energy in ENERGIES}
    runs["automatic"] = twelve(holon, until, AUTOMATIC)
    runs.update({name: twelve(holon, until, fixed(*pair)) for name, pair in chosen.items()})
    runs["direct"] = twelve(holon, until, [])
    progress(f"{BALL}: {until:g} s with a rolling joint")
    joints = {(form, energy): joint(holon, until, explicit(form, energy)) for form in FORMS for energy in ENERGIES}
    joints["automatic"] = joint(holon, until, AUTOMATIC)
    joints.update({name: joint(holon, until, fixed(*chosen[name])) for name in ("critical", "best")})
    progress(f"{BALL}: orders")
    orders = {(form, step): (twelve(holon, 1, explicit(form), step), joint(holon, 1, explicit(form), step))
              for form in FORMS for step in STEPS}
    return {"until": until, "runs": runs, "joints": joints, "orders": orders, "gains": searched, "chosen": chosen,
            "forms": {form: measure_form(runs, form, until) for form in FORMS}}


# ---- Tables ----

def name_of(key, chosen):
    if isinstance(key, tuple):
        return f"`{key[0]}`, energy `{key[1]}`"
    if key == "direct":
        return "`direct-correction`"
    if key == "automatic":
        return "`baumgarte`, automatic gains"
    words = {"critical": "least first integral of a = b", "best": "least first integral", "energy": "least energy",
             "position": "least position"}
    return f"`baumgarte`, a = {chosen[key][0]:g}, b = {chosen[key][1]:g}: {words[key]}"


def run_table(found, runs):
    rows = []
    for key, run in found[runs].items():
        most = largest(run, found["until"])
        growths = [number(growth(run["t"], run[name])) for name in MEASURES]
        sizes = [number(most[name]) for name in MEASURES]
        rows.append([name_of(key, found["chosen"]), *(cell for pair in zip(sizes, growths) for cell in pair),
                     *(number(angle_error(run, t)) for t in TIMES)])
    head = [word for name in ("positions", "velocities", "energy, J", "first integral") for word in (name, "growth")]
    return table(["", *head, "angles at 1 s", "at 100 s"], rows)


def order(coarse, fine):
    """Of errors at h and h/2, where they are not of rounding."""
    return number(math.log2(coarse / fine), 3) if fine > 1e-13 else ""


def order_table(found):
    rows = []
    for form in FORMS:
        last = None
        for step in STEPS:
            own, body = found["orders"][form, step]
            errors = [angle_error(own, 1), size(own["position"]), size(own["velocity"]), state_error(body, 1)]
            orders = ["" if last is None else order(a, b) for a, b in zip(last or errors, errors)]
            rows.append([f"`{form}`", f"{1e3 * step:g}",
                         *(cell for error, p in zip(errors, orders) for cell in (number(error), p))])
            last = errors
    head = [word for name in ("angles at 1 s", "positions", "velocities", "rolling joint: whole state at 1 s")
            for word in (name, "order")]
    return table(["correction", "h, ms", *head], rows)


def gains_table(found):
    """First integral over all gains."""
    gains = sorted({a for a, _ in found["gains"]})
    rows = [[f"a = {a:g}", *(number(found["gains"].get((a, b), {}).get("integral"), 1) for b in gains)] for a in gains]
    return table(["", *(f"b = {b:g}" for b in gains)], rows)


# ---- Figures ----

DRAWN = {("step", "off"): "step", ("step", "smooth"): "step, energy smooth", ("stages", "off"): "stages",
         ("stages", "smooth"): "stages, energy smooth", "automatic": "baumgarte, automatic",
         "critical": "baumgarte, best a = b", "best": "baumgarte, best gains"}


def error_figure(found):
    titles = {"position": "positions: max |Phi| (Fig. 2a)", "velocity": "velocities: max |D v| (Fig. 2b)",
              "energy": "energy, J (Fig. 2c)", "integral": "first integral, 1/s (Fig. 2d)"}
    curve = lambda run, name: plot.envelope(run["t"], run[name])
    panels = {title: {words: curve(found["runs"][key], name) for key, words in DRAWN.items()}
              for name, title in titles.items()}
    return plot.figure("Ball in a bowl: errors (Fig. 2)", panels, found["until"])


def circle(x, y, radius):
    return [(x + radius * math.cos(i * math.pi / 24), y + radius * math.sin(i * math.pi / 24)) for i in range(49)]


def path_figure(found):
    """From above, with the ball at every half second of the first nod, and the rim."""
    run = found["runs"]["step", "smooth"]
    places = [(RHO * math.cos(a) * math.cos(b), RHO * math.cos(a) * math.sin(b))
              for a, b in zip(run["alpha"], run["beta"])]
    few = [place for i, place in enumerate(places) if i % 8 == 0]
    balls = [circle(*places[i], RADIUS) for i in range(0, min(350, len(places)), 50)]
    curves = {"rim": [circle(0, 0, BOWL)], "centre of the ball": [few], "ball, every 0.5 s at first": balls}
    return plane.figure("Ball in a bowl, from above (Fig. 1a)", [plane.Panel("m", curves, True)], height=520)


def angle_figure(found):
    run = found["runs"]["step", "smooth"]
    panels = {f"{name}, rad": {"step, energy smooth": plot.thinned(run["t"], run[name], 1000)}
              for name in ("alpha", "beta")}
    return plot.figure("Ball in a bowl: place of its centre (Fig. 1b)", panels, found["until"], even=panels)


def figures(found):
    return {"figure-1a": path_figure(found), "figure-1b": angle_figure(found), "figure-2": error_figure(found)}
