#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tries the statements of the pages with wrong signs and parameters: tools/papers/trials.py [PAPER ...]

Each trial repeats short runs of a page with some words of the commands changed, and prints the statements whose verdict
changes. At the end it prints those that no trial has changed: they need longer runs, or other trials."""
import argparse
import importlib.util
import os
import sys
from typing import NamedTuple

from page import ROOT, Holon, progress

FOLDER = os.path.dirname(os.path.abspath(__file__))
PENDULUM, RODS, PRELOAD = "pendulum_rods_series", "pendulum-two-rods", "pendulum-preload"


class Trial(NamedTuple):
    name: str
    exchange: dict = {}  # words in all commands
    add: dict = {}       # {model or example: words at the end of its commands}


class Wrong(Holon):
    """The command and the examples next to it, with the words of a trial."""

    def __init__(self, program, trial):
        super().__init__(program)
        self.trial = trial

    def words(self, model, given):
        for old, new in self.trial.exchange.items():
            given = [word.replace(old, new) for word in given]
        return [*given, *self.trial.add.get(os.path.basename(model).replace(".yaml", ""), [])]

    def _call(self, command, model, *given, allowed=(0,)):
        return super()._call(command, model, *self.words(model, given), allowed=allowed)

    def example(self, name, *options):
        model = [] if "=" in options[0] else [options[0]]
        rest = self.words(model[0] if model else name, options[len(model):])
        return super().example(name, *model, *rest)


def sets(**values):
    return [word for path, text in values.items() for word in ("--set", f"{path.replace('__', '.')}={text}")]


def page_module(paper):
    spec = importlib.util.spec_from_file_location(f"page_{paper}", os.path.join(FOLDER, f"{paper}.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# ---- Short runs of each page ----

def results_000(m, holon):
    results = {mechanism.name: m.measure(holon, mechanism, True)[0] for mechanism in m.MECHANISMS}
    return {**results, "direct": m.measure_direct(holon, True)}


def results_001(m, holon):
    return {"own": m.own.measure(holon, 1)[0], "pendulum": m.measure_pendulum(holon, 1)[0],
            "parallelogram": m.measure_plate(holon, 0.3)[0]}


def results_002(m, holon):
    return {"free": m.free.measure(holon, 1.1, (0.025, 0.0125))["results"],
            "hung": m.hung.measure(holon, 0.3, (400, 800))["results"], "long": m.long.measure(holon, 5)["results"],
            "wind": m.wind.measure(holon, 0.1, 3)["results"]}


def results_003(m, holon):
    rolled = m.ball.measure(holon, 2, m.ball.GAINS[4:6])
    return {"ball": rolled["forms"], "biped": m.biped.measure(holon, 6)["forms"], "texts": m.measure_texts(holon, 2)}


def results_004(m, holon):
    return m.measure(holon, 0.5)[1]


RESULTS = {"000": results_000, "001": results_001, "002": results_002, "003": results_003, "004": results_004}
TRIALS = {
    "000": [
        Trial("Baumgarte's gains negative", {"a: 5, b: 5": "a: -5, b: 5"}),
        Trial("index-1 projected to 1e-3 only", {"alpha: 1e7, omega: 10, xi: 1": "alpha: 1e7, omega: 0, xi: 0"}),
        Trial("direct correction to 1e-2 only", {"weight: identity": "weight: identity, tolerance: 1e-2",
                                                 "weight=identity": "tolerance=1e-2"}),
        Trial("direct correction replaced by the standard method", {"direct-correction": "lagrange",
                                                                    "weight: identity": "",
                                                                    "run.formulation.weight=identity":
                                                                    "run.step=1e-3"}),
        Trial("forward Euler", {"run.integrator=rk4": "run.integrator=euler"}),
        Trial("ten times the step", {"run.step=1e-3": "run.step=1e-2"})],
    "001": [
        Trial("rods of the same stiffness", add={
            PENDULUM: ["eta2=1e-3"], RODS: sets(parameters__stiffness2="1e7"),
            PRELOAD: sets(parameters__stiffness2="1e7"),
            "pendulum-two-bearings": sets(parameters__stiffness2="1e7")}),
        Trial("coupling of the other sign", {"coupling=0.001": "coupling=-0.001"}),
        Trial("multipliers of the other sign", {"preload=2": "preload=-2"}),
        Trial("gravity 9.7", add={RODS: sets(gravity="[0, -9.7]"), PRELOAD: sets(gravity="[0, -9.7]")}),
        Trial("alpha a hundredth", {"formulation.alpha=1e10": "formulation.alpha=1e8",
                                    "formulation.alpha=1e11": "formulation.alpha=1e8",
                                    "run.formulation.alpha=8.89e10": "run.formulation.alpha=8.89e7"}),
        Trial("a plate of 50 kg", add={"spatial-parallelogram": sets(bodies__plate__mass="50 kg")}),
        Trial("push of the other sign",
              add={"spatial-parallelogram": sets(forces__push__vector="[-2000, 3000, 3000]")}),
        Trial("rod GH a tenth as stiff", add={"001.beams": sets(parameters__soft="10"), "spatial-parallelogram": sets(
            joints__G__stiffness="1.7e6", joints__H__stiffness="1.7e6")}),
        Trial("soft elastic rods", add={"001.beams": sets(parameters__axial="6e4")}),
        Trial("ratio 3 for 100", {"parameters.ratio=100": "parameters.ratio=3"}),
        Trial("ratio 100 for 1", {"parameters.ratio=1": "parameters.ratio=100"})],
    "002": [
        Trial("EP for ED", {"energy-decaying": "energy-preserving"}),
        Trial("ED for EP", {"energy-preserving": "energy-decaying",
                            "constraint_velocity=carried": "alpha=1"}),
        Trial("enforced for carried", {"constraint_velocity=carried": "constraint_velocity=enforced"}),
        Trial("a tolerance of 1e-4", add={model: sets(run__formulation__tolerance="1e-4") for model in (
            "free-rigid-body", "universal-joint", "wind-turbine", "four-bar", "double-four-bar", "five-bar-pendulum",
            "002.coupled")}),
        Trial("another moment of inertia", add={"free-rigid-body": sets(parameters__S11="0.3")}),
        Trial("a slow shaft", add={"universal-joint": sets(parameters__rate="0.1 rad/s")})],
    "003": [
        Trial("Baumgarte for both", {"formulation=explicit-dae": "formulation=baumgarte", "explicit-dae": "baumgarte",
                                     "formulation.correction=step": "formulation.a=5",
                                     "formulation.correction=stages": "formulation.a=5",
                                     "formulation.energy=off": "formulation.b=5",
                                     "formulation.energy=smooth": "formulation.b=5",
                                     "formulation.energy=threshold": "formulation.b=5"}),
        Trial("no correction of the energy", {"energy=smooth": "energy=off", "energy=threshold": "energy=off"}),
        Trial("`stages` for both", {"correction=step": "correction=stages"}),
        Trial("ALi3 for both", {"explicit-dae": "index3-augmented-lagrangian", "formulation.correction=step":
                                "formulation.alpha=0", "formulation.correction=stages": "formulation.alpha=0",
                                "formulation.energy=off": "formulation.max_iterations=100",
                                "formulation.energy=smooth": "formulation.max_iterations=100",
                                "formulation.energy=threshold": "formulation.max_iterations=100",
                                "integrator=rk4": "integrator=newmark"})],
    "004": [
        Trial("twenty times the step",
              {repr(h): repr(20 * h) for h in (1e-5, 2e-5, 5e-6, 1e-3, 2e-3, 5e-3, 1e-2, 1e-4)}),
        Trial("penalty for the Hamiltonian", {"augmented-hamiltonian": "penalty"}),
        Trial("omega 0.1 for 10", {"omega=10": "omega=0.1"}),
        Trial("eta2 of the other branch", {"parameters.eta2=-0.1": "parameters.eta2=0", "parameters.eta2=0":
                                           "parameters.eta2=-0.1"}),
        Trial("n-four-bar for Bricard's loop", {"bricard": "n-four-bar"})]}


def verdicts(paper, results):
    """{statement: agrees}, one of each column."""
    statements = importlib.import_module(f"statements_{paper}").statements
    found = {}
    for source, where, says, last in statements(results):
        for column, (_, agrees) in (last.items() if isinstance(last, dict) else [("", last)]):
            found[source, where, says, column] = agrees
    return found


def attempt(paper, module, program, trial):
    """None where the changed runs cannot be measured."""
    try:
        return verdicts(paper, RESULTS[paper](module, Wrong(program, trial)))
    except (SystemExit, ArithmeticError, LookupError, TypeError, ValueError) as problem:
        progress(f"cannot be measured: {str(problem)[:200]}")
        return None


def try_page(paper, program):
    module = page_module(paper)
    right, changed = verdicts(paper, RESULTS[paper](module, Holon(program))), set()
    for trial in TRIALS[paper]:
        wrong = attempt(paper, module, program, trial)
        flipped = [key for key in right if wrong and wrong[key] != right[key]]
        changed.update(flipped)
        print(f"{paper}: {trial.name}: {'not measured' if wrong is None else f'{len(flipped)} verdicts change'}")
        for key in flipped:
            print(f"    {'yes -> no' if right[key] else 'no -> yes'}  {'; '.join(part for part in key if part)}")
        sys.stdout.flush()
    left = [key for key in right if key not in changed]
    print(f"{paper}: {len(right) - len(left)} of {len(right)} verdicts changed; not by these trials:")
    for key in left:
        print(f"    {'yes' if right[key] else 'no'}  {'; '.join(part for part in key if part)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--holon", default=os.path.join(ROOT, "build", "release", "holon"), help="the command to run")
    parser.add_argument("papers", nargs="*", default=sorted(RESULTS), help="000 ... 004; all")
    given = parser.parse_args()
    for paper in given.papers:
        try_page(paper, given.holon)


if __name__ == "__main__":
    main()
