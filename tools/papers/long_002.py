# SPDX-License-Identifier: BSD-3-Clause
"""Energy over a thousand seconds, with long steps and ten times as long ones."""
import os

from page import number, progress, table
from statements_002 import LONG, SCHEMES, options_of

STEPS = (0.005, 0.05)
COUPLED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "002.coupled.yaml")
FILES = {LONG[-1]: COUPLED}


def drift(kinetic, total, drifts):
    """The largest, over the largest kinetic energy and the initial one."""
    return max(map(abs, drifts)) / (max(kinetic) + abs(total[0]))


def words_of(model, step, until):
    return [FILES.get(model, model), "--coordinates", "natural", *options_of(SCHEMES[0]), "--integrator", "built-in",
            "--step", repr(step), "--until", repr(until)]


def run(holon, model, step, until):
    """The drift; None of a run that has ended early."""
    model, *options = words_of(model, step, until)
    found = holon.series(model, ["energy.kinetic", "energy.total", "energy.drift"], *options, "--record", "energy")
    if found["t"][-1] < until - step / 2:
        return None
    return {"drift": drift(*(found[f"energy.{name}"] for name in ("kinetic", "total", "drift"))),
            "kinetic": max(found["energy.kinetic"])}


def longer(holon, model, step, until):
    """The same, with the largest energy off the constraints, over the largest kinetic energy, and changes of branch."""
    found, summary = run(holon, model, step, until), holon.summary(*words_of(model, step, until), "--branch",
                                                                       "report")
    return found and {**found, "off": summary["max_off_manifold_energy"] / found["kinetic"],
                      "changes": summary["branch_changes"]}


def measure(holon, until):
    progress(f"{', '.join(LONG)}: {until} s")
    found = {}
    for model in LONG:
        found[model, STEPS[0]] = run(holon, model, STEPS[0], until)
        found[model, STEPS[1]] = longer(holon, model, STEPS[1], until)
    part = lambda model, step, key: found[model, step] and found[model, step][key]
    results = {}
    for model in LONG:
        results.update({f"{model}_long": part(model, STEPS[0], "drift"),
                        f"{model}_longer": part(model, STEPS[1], "drift"),
                        f"{model}_off": part(model, STEPS[1], "off"),
                        f"{model}_changes": part(model, STEPS[1], "changes")})
    return {"until": until, "found": found, "results": results}


def drift_table(found):
    results = found["results"]
    return table(["model", "drift, 5 ms", "drift, 50 ms", "off the constraints, 50 ms", "changes of branch, 50 ms"],
                 [[f"`{model}`", *(number(results[f"{model}_{key}"]) for key in ("long", "longer", "off")),
                   str(results[f"{model}_changes"])] for model in LONG])
