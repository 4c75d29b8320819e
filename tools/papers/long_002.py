# SPDX-License-Identifier: BSD-3-Clause
"""Energy over a thousand seconds, with long steps and ten times as long ones."""
import os

from page import number, progress, table
from statements_002 import LONG, SCHEMES

STEPS = (0.005, 0.05)
COUPLED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "002.coupled.yaml")
FILES = {LONG[-1]: COUPLED}


def drift(kinetic, total, drifts):
    """The largest, over the largest kinetic energy and the initial one."""
    return max(map(abs, drifts)) / (max(kinetic) + abs(total[0]))


def run(holon, model, step, until):
    columns = ["energy.kinetic", "energy.total", "energy.drift"]
    options = ["--coordinates", "natural", "--formulation", SCHEMES[0], "--integrator", "built-in", "--step",
               repr(step), "--until", repr(until)]
    found = holon.series(FILES.get(model, model), columns, *options, "--record", "energy")
    return drift(*(found[name] for name in columns)) if found["t"][-1] >= until - step / 2 else None


def measure(holon, until):
    progress(f"{', '.join(LONG)}: {until} s")
    found = {(model, step): run(holon, model, step, until) for model in LONG for step in STEPS}
    results = {f"{model}_{'long' if step == STEPS[0] else 'longer'}": value for (model, step), value in found.items()}
    return {"until": until, "found": found, "results": results}


def drift_table(found):
    return table(["model", *(f"{1000 * step:.0f} ms" for step in STEPS)],
                 [[f"`{model}`", *(number(found["found"][model, step]) for step in STEPS)] for model in LONG])
