# SPDX-License-Identifier: BSD-3-Clause
"""Figs 6 and 7: the body on a universal joint whose shaft turns."""
import math

import plot
from free_002 import carried, cross, dot, middles, velocity_rows
from page import number, progress, reference, table
from statements_002 import HUNG, SCHEMES, options_of
from verdict import zigzag

COUNTS = (200, 400, 800, 1600, 3200)  # steps a turn
PAPER = 400
TURN = 2 * math.pi
TIMES = (0.314, 1.57, 3.14, 6.28)  # of the reference: parts of 6.28 s, so that steps meet them
KINDS = {"axes": [f"{tip}.{axis}" for tip in ("tip1", "tip3") for axis in "xyz"],
         "angular velocity": [f"body.w{axis}" for axis in "xyz"],
         "multiplier": [f"joint.t{axis}" for axis in "xyz"], "torque": ["motor.ty"]}
NAMES = [name for names in KINDS.values() for name in names]
TURNED = [f"body.e{k}" for k in range(4)]
MEASURES = ["violation.position", "violation.velocity", "energy.drift", "energy.total"]


def run(holon, scheme, step, until):
    return holon.series(HUNG, [*NAMES, *TURNED, *MEASURES], *options_of(scheme), "--step", repr(step), "--until",
                        repr(until),
                        "--record", "body,tip1,tip3,joint,motor,energy,violation")


def multiplier(t, e3, torque):
    """The joint exerts -lambda e3 x d1, both of length one and normal to each other."""
    return -dot(torque, cross(e3, [math.cos(t), 0, -math.sin(t)]))


def multipliers(found):
    vectors = zip(*(zip(*(found[f"{name}{axis}"] for axis in "xyz")) for name in ("tip3.", "joint.t")))
    return [multiplier(t, e3, torque) for t, (e3, torque) in zip(found["t"], vectors)]


def conformal(e):
    """4 tan(angle / 4) along the axis; the other sign of e, which is the same rotation, where that is shorter."""
    sign = math.copysign(1, e[0])
    return [4 * sign * x / (1 + sign * e[0]) for x in e[1:]]


def errors(found, step, times):
    most = {}
    for kind, names in KINDS.items():
        most[kind] = max((abs(found[name][round(t / step)] - reference(HUNG, t)[name])
                          for t in times if round(t / step) < len(found["t"]) for name in names), default=None)
    return most


def balance(found):
    """The change of energy, less the work of the driver's torque by the trapezoidal rule: its rate is 1 rad/s."""
    t, torque = found["t"], found["motor.ty"]
    done = [0]
    for i in range(len(t) - 1):
        done.append(done[-1] + (t[i + 1] - t[i]) * (torque[i] + torque[i + 1]) / 2)
    energy = found["energy.total"]
    return done, max(abs(value - energy[0] - work) for value, work in zip(energy, done))


def order(found, scheme, kind, counts):
    coarse, fine = (found[scheme, count]["half"][kind] for count in counts[-2:])
    return math.log(coarse / fine, counts[-1] / counts[-2])


def measure(holon, part, counts=COUNTS):
    """`part` of a turn."""
    progress(f"{HUNG}: {' and '.join(SCHEMES)}")
    found = {"until": part * TURN, "errors": {}, "runs": {}, "balance": {}}
    for scheme in SCHEMES:
        for count in counts:
            own = run(holon, scheme, 6.28 / count, part * 6.28)
            found["errors"][scheme, count] = {"half": errors(own, 6.28 / count, TIMES[:3]),
                                              "whole": errors(own, 6.28 / count, TIMES)}
            found["balance"][scheme, count] = balance(own)[1]
        found["runs"][scheme] = run(holon, scheme, TURN / PAPER, part * TURN)
    preserving, decaying = found["runs"].values()
    energy = max(preserving["energy.total"]) - min(preserving["energy.total"])
    speeds = [math.hypot(*w) for w in zip(*(preserving[f"body.w{axis}"] for axis in "xyz"))]
    drift = decaying["energy.drift"]
    tips = (zip(*(preserving[f"{tip}.{axis}"] for axis in "xyz")) for tip in ("tip1", "tip3"))
    frames = [list(row) for row in zip(*tips)]
    velocities, pairs = carried(preserving["t"], frames, [0, 1, 0]), ((0, 0), (1, 1), (0, 1))
    found["results"] = {
        "position": max(preserving["violation.position"]), "velocity_ends": velocity_rows(frames, velocities, pairs),
        "velocity_middle": velocity_rows(*middles(preserving["t"], frames, velocities), pairs),
        "energy": max(map(abs, preserving["energy.drift"])) / energy,
        "work": math.log(found["balance"][SCHEMES[0], counts[-2]] / found["balance"][SCHEMES[0], counts[-1]],
                         counts[-1] / counts[-2]),
        "speed": max(speeds) / speeds[0],
        "zigzag": max(map(zigzag, [*(preserving[f"body.w{axis}"] for axis in "xyz"), multipliers(preserving),
                                   preserving["motor.ty"]])),
        "growth": max(b - a for a, b in zip(drift, drift[1:])) / energy,
        **{f"{scheme}_{kind}": order(found["errors"], scheme, kind, counts) for scheme in SCHEMES for kind in KINDS}}
    found["energy"] = preserving["energy.total"][-1] - preserving["energy.total"][0]
    found["lost"] = -drift[-1]
    return found


# ---- The page ----

def error_table(found):
    rows = []
    for (scheme, count), own in found["errors"].items():
        bold = "**" if count == PAPER else ""
        rows.append([f"`{scheme}`", f"{bold}{count}{bold}", *(number(own["half"][kind]) for kind in KINDS),
                     *(number(own["whole"][kind]) for kind in KINDS)])
    rows += [[f"`{scheme}`, order", "", *(f"{found['results'][f'{scheme}_{kind}']:.2f}" for kind in KINDS),
              *("" for _ in KINDS)] for scheme in SCHEMES]
    heads = ["axes", "angular velocity, rad/s", "lambda, N m", "driving torque, N m"]
    return table(["scheme", "steps per revolution", *heads, *(f"{head}, whole revolution" for head in heads)], rows)


def figures(found):
    until, own = found["until"], found["runs"][SCHEMES[0]]
    t, names = own["t"], ("1", "2", "3")
    turned = list(map(conformal, zip(*(own[name] for name in TURNED))))
    motion = {"conformal rotation vector": {name: list(zip(t, (row[i] for row in turned)))
                                            for i, name in enumerate(names)},
              "angular velocity, rad/s": {name: list(zip(t, own[f"body.w{axis}"]))
                                          for name, axis in zip(names, "xyz")}}
    forces = {title: {scheme: list(zip(run["t"], values(run))) for scheme, run in found["runs"].items()}
              for title, values in (("multiplier, N m", multipliers), ("driving torque, N m",
                                                                      lambda run: run["motor.ty"]),
                                    ("energy, J", lambda run: run["energy.total"]),
                                    ("energy less initial energy and work of the driver (trapezoidal rule), J",
                                     lambda run: [energy - run["energy.total"][0] - work for energy, work
                                                  in zip(run["energy.total"], balance(run)[0])]))}
    kept = {title: {scheme: list(zip(run["t"], map(abs, run[column])))[1:] for scheme, run in found["runs"].items()}
            for title, column in (("constraints", "violation.position"), ("their rates", "violation.velocity"),
                                  ("energy less work of the step's own multipliers, J", "energy.drift"))}
    return {"figure-6": plot.figure("Universal joint: energy-preserving, 400 steps (Fig. 6)", motion, until,
                                    even=motion),
            "figure-7": plot.figure("Universal joint: 400 steps (Fig. 7)", forces, until, even=forces),
            "figure-7-kept": plot.figure("Universal joint: violations and energy drift, 400 steps", kept, until)}
