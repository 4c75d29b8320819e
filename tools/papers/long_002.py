# SPDX-License-Identifier: BSD-3-Clause
"""Energy over a thousand seconds, with long steps and ten times as long ones."""
import os

from page import number, progress, table
from statements_002 import LONG, OURS, SCHEMES, options_of

STEPS = (0.005, 0.05)
COUPLED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "002.coupled.yaml")
FILES = {LONG[-1]: COUPLED}


def drift(kinetic, total, drifts):
    """The largest, over the largest kinetic energy and the initial one."""
    return max(map(abs, drifts)) / (max(kinetic) + abs(total[0]))


def words_of(model, step, until, scheme):
    return [FILES.get(model, model), "--coordinates", "natural", *options_of(scheme), "--integrator", "built-in",
            "--step", repr(step), "--until", repr(until)]


def run(holon, model, step, until, scheme=SCHEMES[0]):
    """The drift; None of a run that has ended early."""
    model, *options = words_of(model, step, until, scheme)
    found = holon.series(model, ["energy.kinetic", "energy.total", "energy.drift"], *options, "--record", "energy")
    if found["t"][-1] < until - step / 2:
        return None
    return {"drift": drift(*(found[f"energy.{name}"] for name in ("kinetic", "total", "drift"))),
            "kinetic": max(found["energy.kinetic"])}


def longer(holon, model, step, until, scheme=SCHEMES[0]):
    """The same, with the largest energy off the constraints, over the largest kinetic energy, and changes of branch."""
    found = run(holon, model, step, until, scheme)
    summary = holon.summary(*words_of(model, step, until, scheme), "--branch", "report")
    return found and {**found, "off": summary["max_off_manifold_energy"] / found["kinetic"],
                      "changes": summary["branch_changes"]}


def measure(holon, until):
    progress(f"{', '.join(LONG)}: {until} s")
    found = {}
    for model in LONG:
        found[model, STEPS[0]] = run(holon, model, STEPS[0], until)
        found[model, STEPS[1]] = longer(holon, model, STEPS[1], until)
        found[model, OURS] = longer(holon, model, STEPS[1], until, OURS)
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
    ours = lambda model, key: found["found"][model, OURS] and found["found"][model, OURS][key]
    heads = ["drift, 5 ms", "drift, 50 ms", "off the constraints, 50 ms", "changes of branch, 50 ms",
             "enforced: drift, 50 ms", "enforced: off the constraints, 50 ms"]
    return table(["model", *heads], [[f"`{model}`", *(number(results[f"{model}_{key}"])
                                                      for key in ("long", "longer", "off")),
                                      str(results[f"{model}_changes"]),
                                      *(number(ours(model, key)) for key in ("drift", "off"))] for model in LONG])
