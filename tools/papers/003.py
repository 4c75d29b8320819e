#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes docs/papers/003.md and its figures: Braun and Goldfarb compared with runs of holon."""
import math

import ball_003 as ball
import biped_003 as biped
from page import Holon, arguments, number, progress, reference, table, wrap, write
from statements_003 import BALL, FORMS, statements

LOOPS = {"bricard": ["P2", "P3", "P4"], "five-bar-pendulum": ["bar3", "bar5"]}
REST = (0.5, 1, 2, 5, 10)  # s, of the pendulum's reference
SINGULAR = "slider-crank"


def explicit(form, energy="off"):
    return ["--formulation", "explicit-dae", "--set", f"run.formulation.correction={form}",
            "--set", f"run.formulation.energy={energy}"]


# ---- Runs ----

def loop_error(holon, model, form):
    """Of all places that the reference knows at 1 s, h = 1 ms."""
    known = {name: value for name, value in reference(model, 1).items() if name.split(".")[0] in LOOPS[model]}
    found = holon.series(model, list(known), *explicit(form), "--step", "1e-3", "--until", "1", "--every", "1",
                         "--record", ",".join(LOOPS[model]))
    return max(abs(found[name][-1] - value) for name, value in known.items()) if found["t"][-1] == 1 else None


def rest_error(holon, form, energy):
    """Of the angle of a pendulum that begins at rest, h = 10 ms, at the times of its reference."""
    found = holon.series("pendulum", ["bar.phi"], *explicit(form, energy), "--step", "1e-2", "--until", "10",
                         "--record", "bar")
    return max(abs(found["bar.phi"][round(t / 1e-2)] - reference("pendulum", t)["bar.phi"]) for t in REST)


def measure_texts(holon, until):
    progress(f"{', '.join(LOOPS)}, {SINGULAR}, pendulum")
    found = {}
    for form in FORMS:
        singular = holon.summary(SINGULAR, *explicit(form), "--step", "1e-3", "--branch", "report", "--until", "10")
        rolled = holon.summary(BALL, *explicit(form, "smooth"), "--until", str(until))
        rest = {energy: rest_error(holon, form, energy) for energy in ball.ENERGIES}
        found[form] = {
            "iterations": rolled["iterations"], **{model: loop_error(holon, model, form) for model in LOOPS},
            "drift": singular["max_energy_drift"] if singular["reached"] >= 10 else None,
            "branch_changes": singular["branch_changes"], "passages": singular["singular_events"],
            "rest_errors": rest, "rest": rest["threshold"] / rest["off"]}
    return found


# ---- The page ----

def verdicts(results):
    found = statements(results)
    words = lambda agrees: "yes" if agrees else "**no**"
    rows = [[source, f"`{where}`", says, *(cell for form in FORMS for cell in (own[form][0], words(own[form][1])))]
            for source, where, says, own in found]
    agreed = {form: sum(own[form][1] for *_, own in found) for form in FORMS}
    head = ["paper", "mechanism", "statement", "`stages`, of the paper", "agrees", "`step`, ours", "agrees"]
    return (f"{agreed['stages']} of {len(rows)} statements agree with `stages`, the method of the paper; "
            f"{agreed['step']} of {len(rows)} with `step`, which is ours.\n\n" + table(head, rows, left=7))


def text_table(found):
    rows = [[f"`{form}`", *(number(found[form][model]) for model in LOOPS), number(found[form]["drift"]),
             str(found[form]["passages"]), *(number(found[form]["rest_errors"][energy]) for energy in ball.ENERGIES)]
            for form in FORMS]
    return table(["correction", *(f"{model} at 1 s, m" for model in LOOPS), f"{SINGULAR}: drift, J", "passages",
                  *(f"pendulum, energy {energy}, rad" for energy in ball.ENERGIES)], rows)


def numbers_of(rolled, walked, texts):
    """What the sentences of the page need."""
    words = {}
    for form in FORMS:
        own = rolled["forms"][form]
        words.update({f"{form}_{key}": number(own[key]) for key in own})
        words[f"{form}_integral"] = number(ball.largest(rolled["runs"][form, "smooth"], rolled["until"])["integral"])
        words[f"{form}_biped_position"] = number(walked["forms"][form]["position"])
        words[f"{form}_biped_velocity"] = number(walked["forms"][form]["velocity"])
        words[f"{form}_biped_settled"] = number(walked["forms"][form]["settled"])
        words[f"{form}_rest"] = number(texts[form]["rest"])
        last = max(t for t in ball.TIMES if t <= rolled["until"])
        for version, name in (("runs", "twelve"), ("joints", "joint")):
            for energy in ("off", "smooth"):
                words[f"{form}_{name}_{energy}"] = number(ball.angle_error(rolled[version][form, energy], last))
    for name, pair in rolled["chosen"].items():
        words[f"{name}_a"], words[f"{name}_b"] = (f"{gain:g}" for gain in pair)
        words.update({f"{name}_{key}": number(value)
                      for key, value in ball.largest(rolled["runs"][name], rolled["until"]).items()})
    integral = lambda key: ball.largest(rolled["joints"][key], rolled["until"])["integral"]
    words.update({f"joint_{name}": number(integral(name) / integral(("step", "smooth")))
                  for name in ("automatic", "critical", "best")})
    words["apart"] = number(versions_apart(rolled))
    return words


def versions_apart(rolled):
    """Angles of both versions of the ball, the largest difference over the run with the energy kept by step."""
    own, body = rolled["runs"]["step", "smooth"], rolled["joints"]["step", "smooth"]
    turn = lambda a, b: abs(math.remainder(a - b, 2 * math.pi))
    return max(max(abs(a - b) for a, b in zip(own["alpha"], body["alpha"])), max(map(turn, own["beta"], body["beta"])))


def page(rolled, walked, texts, quick):
    with open(__file__.replace("003.py", "003.template.md"), encoding="utf-8") as file:
        template = file.read()
    warning = "**Made with --quick: very short runs, only for a test of the tool.**\n\n" if quick else ""
    results = {"ball": rolled["forms"], "biped": walked["forms"], "texts": texts}
    return wrap(template.format(warning=warning, verdicts=verdicts(results), twelve=ball.run_table(rolled, "runs"),
                                joint=ball.run_table(rolled, "joints"), orders=ball.order_table(rolled),
                                gains=ball.gains_table(rolled), pairs=len(rolled["gains"]),
                                biped=biped.biped_table(walked), texts=text_table(texts),
                                **numbers_of(rolled, walked, texts)))


def main():
    given = arguments(__doc__)
    holon = Holon(given.holon)
    rolled = ball.measure(holon, *((2, ball.GAINS[4:6]) if given.quick else (100, ball.GAINS)))
    walked = biped.measure(holon, 6 if given.quick else 100)
    texts = measure_texts(holon, rolled["until"])
    for name, svg in {**ball.figures(rolled), **biped.figures(walked)}.items():
        write(given.output, f"003/{name}.svg", svg)
    write(given.output, "003.md", page(rolled, walked, texts, given.quick))


if __name__ == "__main__":
    main()
