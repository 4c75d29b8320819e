#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tries the statements of the pages with wrong signs and parameters: tools/papers/trials.py [PAPER ...]

A page is measured in parts. Each trial measures some of them again with words of the commands changed, keeps the other
parts, and prints the statements whose verdict changes. At the end come the statements that agree and that no trial has
changed: they need another trial, or should be rewritten. Runs are shorter than those of the pages where that gives the
same verdicts; times are measured once."""
import argparse
import importlib.util
import os
import sys
from typing import NamedTuple

from page import ROOT, Holon, progress

FOLDER = os.path.dirname(os.path.abspath(__file__))
PENDULUM, RODS, PRELOAD = "pendulum_rods_series", "pendulum-two-rods", "pendulum-preload"
BEARINGS, PLATE = "pendulum-two-bearings", "spatial-parallelogram"
ITERATION = "kind: augmented-lagrangian, alpha: 1e7, "


class Trial(NamedTuple):
    name: str
    parts: tuple         # of the page
    exchange: dict = {}  # {part of a word: another}, or {word: (words, ...)}, in all commands
    add: dict = {}       # {model or example: words at the end of its commands}
    step: float = 1      # the word after --step is multiplied by it


class Wrong(Holon):
    """The command and the examples next to it, with the words of a trial."""

    def __init__(self, program, trial):
        super().__init__(program)
        self.trial = trial

    def word(self, given):
        """The words in the place of one."""
        words = self.trial.exchange.get(given, given)
        if isinstance(words, tuple):
            return list(words)
        for old, new in self.trial.exchange.items():
            if isinstance(new, str):
                given = given.replace(old, new)
        return [given]

    def words(self, model, given):
        given = [repr(self.trial.step * float(word)) if before == "--step" else word
                 for before, word in zip(["", *given], given)]
        changed = [word for words in map(self.word, given) for word in words]
        return [*changed, *self.trial.add.get(os.path.basename(model).replace(".yaml", ""), [])]

    def compare(self, model, *options):
        """A formulation that is exchanged keeps its name in the records."""
        names = options[options.index("--formulations") + 1]
        back = dict(zip(self.word(names)[0].split(","), names.split(",")))
        records = super().compare(model, *options)
        return [{**record, "formulation": back[record["formulation"]]} for record in records]

    def _call(self, command, model, *given, allowed=(0,)):
        return super()._call(command, self.word(model)[0], *self.words(model, given), allowed=allowed)

    def example(self, name, *options):
        model = [] if "=" in options[0] else [options[0]]
        rest = [word for word in self.words(model[0] if model else name, options[len(model):]) if word != "--set"]
        return super().example(name, *model, *rest)


def sets(**values):
    return [word for path, text in values.items() for word in ("--set", f"{path.replace('__', '.')}={text}")]


def page_module(paper):
    spec = importlib.util.spec_from_file_location(f"page_{paper}", os.path.join(FOLDER, f"{paper}.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# ---- Parts of each page: {part: function of the page's module and the command} ----

def part_of_000(mechanism):
    def measure(m, holon):
        m.ROUNDS, m.OURS = 1, {}
        m.PAPER = {name: method for name, method in m.PAPER.items() if name not in ("penalty", "null-space")}
        return m.measure(holon, next(x for x in m.MECHANISMS if x.name == mechanism), False)[0]
    return measure


def all_of_004(m, holon):
    m.ROUNDS, m.NEIGHBOURS = 1, (-0.02, 0.02)
    return m.measure(holon, 4)[1]


MECHANISMS = ("four-bar", "five-bar-pendulum", "spatial-slider-crank", "iltis-suspension")
PARTS = {
    "000": {**{name: part_of_000(name) for name in MECHANISMS},
            "direct": lambda m, holon: m.measure_direct(holon, False)},
    "001": {"own": lambda m, holon: m.own.measure(holon, 3)[0],
            "pendulum": lambda m, holon: m.measure_pendulum(holon, 3)[0],
            "parallelogram": lambda m, holon: m.measure_plate(holon, 0.5)[0]},
    "002": {"free": lambda m, holon: m.free.measure(holon, 2.1, (0.0125, 0.00625))["results"],
            "hung": lambda m, holon: m.hung.measure(holon, 1, (400, 800))["results"],
            "long": lambda m, holon: m.long.measure(holon, 20)["results"],
            "wind": lambda m, holon: m.wind.measure(holon, 0.1, 3)["results"]},
    "003": {"ball": lambda m, holon: m.ball.measure(holon, 20, m.ball.GAINS[4:6])["forms"],
            "biped": lambda m, holon: m.biped.measure(holon, 6)["forms"],
            "texts": lambda m, holon: m.measure_texts(holon, 2)},
    "004": {"all": all_of_004}}


# ---- Trials ----

def explicit_as(formulation):
    """Another formulation in the place of explicit-dae, whose options go."""
    words = [f"formulation.{name}={value}" for name, value in (
        ("correction", "step"), ("correction", "stages"), ("energy", "off"), ("energy", "smooth"),
        ("energy", "threshold"))]
    return {**{word: () for word in words}, **{f"run.{word}": ("run.branch=report",) for word in words},
            "formulation=explicit-dae": (f"formulation={formulation}",),
            "explicit-dae": (formulation,)}


TRIALS = {
    "000": [
        Trial("Baumgarte's method for the standard one", ("four-bar", "spatial-slider-crank"),
              {"kind: lagrange": "kind: baumgarte"}),
        Trial("gains of zero", MECHANISMS, {"kind: baumgarte, a: 5, b: 5": "kind: baumgarte, a: 0, b: 0",
                                            ITERATION + "omega: 10, xi: 1": ITERATION + "omega: 0, xi: 0"}),
        Trial("gains beyond the limit of the integrator", MECHANISMS, {
            "kind: baumgarte, a: 5, b: 5": "kind: baumgarte, a: 1405, b: 10",
            ITERATION + "omega: 10, xi: 1": ITERATION + "omega: 10, xi: 140.5"}),
        Trial("slow gains", ("iltis-suspension",), {
            ITERATION + "omega: 10, xi: 1": ITERATION + "omega: 1, xi: 1"}),
        Trial("a tolerance of 1e-2", ("four-bar", "direct"), {"weight: identity": "weight: identity, tolerance: 1e-2",
                                                              "weight=identity": "tolerance=1e-2"}),
        Trial("the standard method for direct correction", MECHANISMS + ("direct",), {
            "direct-correction": "lagrange", ", weight: identity": "",
            "run.formulation.weight=identity": "run.step=1e-3"}),
        Trial("coordinate partitioning for direct correction", MECHANISMS, {
            "direct-correction": "coordinate-partitioning", ", weight: identity": ""}),
        Trial("penalty for Baumgarte's method", ("four-bar", "spatial-slider-crank"), {
            "lagrange,baumgarte,augmented": "lagrange,penalty,augmented"}),
        Trial("generalized inverse for the standard method", ("four-bar",), {
            "lagrange,baumgarte,augmented": "generalized-inverse,baumgarte,augmented"}),
        Trial("forward Euler", ("four-bar",), {"run.integrator=rk4": "run.integrator=euler"}),
        Trial("dopri5 with 1e-13", MECHANISMS, {"run.integrator=rk4":
                                                "run.integrator={kind: dopri5, tolerance: 1e-13}"}),
        Trial("sixty times the step", MECHANISMS, {"run.step=1e-3": "run.step=6e-2"})],
    "001": [
        Trial("rods of the same stiffness", ("own", "pendulum"), {}, {
            PENDULUM: ["eta2=1e-3"], RODS: sets(parameters__stiffness2="1e7"),
            PRELOAD: sets(parameters__stiffness2="1e7"), BEARINGS: sets(parameters__stiffness2="1e7")}),
        Trial("bearings of the same stiffness", ("pendulum",), {}, {BEARINGS: sets(parameters__stiffness2="1e7")}),
        Trial("bearings of the same stiffness, twelve coordinates", ("own",), {
            "bearings=1": ("bearings=1", "eta2=1e-3")}),
        Trial("coupling of the other sign", ("own",), {"coupling=0.001": "coupling=-0.001"}),
        Trial("multipliers of the other sign", ("own",), {"preload=2": "preload=-2"}),
        Trial("multipliers with alpha 1e7", ("own",), {"preload=2": ("formulation.alpha=1e7",)}),
        Trial("eta of another ratio", ("own",), {"eta1=0.1": "eta1=0.05", "eta1=1": "eta1=0.5"}),
        Trial("alpha a thousandth", ("own",), {"formulation.alpha=1e10": "formulation.alpha=1e7",
                                               "formulation.alpha=1e11": "formulation.alpha=1e7"}),
        Trial("stiffness in the techniques without it", ("pendulum",), {
            "joints.rod1.stiffness=~": "joints.rod1.stiffness=1e7", "joints.rod2.stiffness=~":
            "joints.rod2.stiffness=2e7"}),
        Trial("elimination for the generalized inverse", ("pendulum",), {"generalized-inverse": "elimination"}),
        Trial("generalized inverse for elimination", ("pendulum",), {"elimination": "generalized-inverse"}),
        Trial("a preload of the other sign, gravity 9.7", ("pendulum",), {}, {
            PRELOAD: sets(joints__rod1__misfit="-6e-7", gravity="[0, -9.7]")}),
        Trial("gravity 9.7", ("pendulum",), {}, {RODS: sets(gravity="[0, -9.7]"), PRELOAD: sets(gravity="[0, -9.7]")}),
        Trial("a plate of 50 kg", ("parallelogram",), {}, {PLATE: sets(bodies__plate__mass="50 kg")}),
        Trial("push of the other sign", ("parallelogram",), {}, {
            PLATE: sets(forces__push__vector="[-2000, 3000, 3000]")}),
        Trial("rod GH a tenth as stiff", ("parallelogram",), {}, {"001.beams": sets(parameters__soft="10"), PLATE: sets(
            joints__G__stiffness="1.7e6", joints__H__stiffness="1.7e6")}),
        Trial("soft elastic rods", ("parallelogram",), {}, {"001.beams": sets(parameters__axial="6e4")}),
        Trial("ratio 3 for 100", ("parallelogram",), {"parameters.ratio=100": "parameters.ratio=3"}),
        Trial("ratio 100 for 1", ("parallelogram",), {"parameters.ratio=1": "parameters.ratio=100"}),
        Trial("a rod that is not parallel", ("parallelogram",), {}, {PLATE: sets(points__G="[0.1, 0.45, 0.05]")})],
    "002": [
        Trial("EP for ED", ("free", "hung"), {"energy-decaying": "energy-preserving"}),
        Trial("ED for EP", ("free", "hung", "long", "wind"), {
            "energy-preserving": "energy-decaying", "constraint_velocity=carried": "alpha=1"}),
        Trial("enforced for carried", ("free", "hung", "long"), {
            "constraint_velocity=carried": "constraint_velocity=enforced"}),
        Trial("an energy that oscillates for ED", ("free", "hung"), {"energy-decaying": "rattle"}),
        Trial("the trapezoidal rule for ED", ("free", "wind"), {"energy-decaying": "index3-augmented-lagrangian"}),
        Trial("a torque of the other sign at each step, with EP", ("free",), {
            "run.formulation.constraint_velocity=carried": (
                "run.formulation.constraint_velocity=carried", "--set",
                "forces.shake={torque: body, vector: [0.5*sin(pi*t/(12.5 ms)), 0, 0]}")}),
        Trial("the trapezoidal rule with carried multipliers for EP", ("hung",), {
            "energy-preserving": ("index3-augmented-lagrangian", "--set", "run.formulation.multipliers=carried"),
            "formulation=energy-preserving": "formulation=index3-augmented-lagrangian",
            "constraint_velocity=carried": "multipliers=carried"}),
        Trial("a tolerance of 1e-3", ("free", "hung"), {}, {
            name: sets(run__formulation__tolerance="1e-3") for name in ("free-rigid-body", "universal-joint")}),
        Trial("another moment of inertia with ED", ("free",), {
            "energy-decaying": ("energy-decaying", "--set", "parameters.S11=0.3")}),
        Trial("no gravity", ("hung",), {}, {"universal-joint": sets(gravity="[0, 0, 0]")}),
        Trial("a shaft of a tenth of the rate", ("hung",), {}, {"universal-joint": sets(parameters__rate="0.1 rad/s")}),
        Trial("runs that end early", ("wind",), {"0.1": ("0.05",)})],
    "003": [
        Trial("the standard method for both", ("ball", "biped", "texts"), explicit_as("lagrange")),
        Trial("forward Euler", ("ball", "biped"), {"--formulation": ("--integrator", "euler", "--formulation"),
                                                            "integrator=rk4": "integrator=euler"}),
        Trial("an iterating formulation", ("texts",), explicit_as("augmented-lagrangian")),
        Trial("no correction of the energy", ("ball", "texts"), {"energy=smooth": "energy=off",
                                                                 "energy=threshold": "energy=off"}),
        Trial("no correction of the energy where there is one, and vice versa", ("ball",), {
            "energy=smooth": "energy=off", "energy=off": "energy=smooth"}),
        Trial("energy correction with twice the step, of `stages`", ("ball",), {
            "formulation.energy=smooth": ("formulation.energy=smooth", "formulation.correction=stages", "step=0.02")}),
        Trial("`stages` for both", ("ball", "biped", "texts"), {"correction=step": "correction=stages"}),
        Trial("a two-hundredth of the step", ("biped",), {"0.01": ("5e-05",)}),
        Trial("gravity 9.7", ("texts",), {}, {"bricard": sets(gravity="[0, 0, -9.7]")}),
        Trial("another period", ("biped",), {}, {"biped": sets(parameters__rate="3 rad/s")})],
    "004": [
        Trial("twenty times the step", ("all",), step=20),
        Trial("penalty for the Hamiltonian", ("all",), {"augmented-hamiltonian": "penalty"}),
        Trial("omega 1000 for 10", ("all",), {"omega=10": "omega=1000"}),
        Trial("eta2 of the other branch", ("all",), {"parameters.eta2=-0.1": "parameters.eta2=0",
                                                     "parameters.eta2=0": "parameters.eta2=-0.1"}),
        Trial("eta1 a hundredth; no impact by an error; iterations that continue", ("all",), {
            "parameters.eta1=-2": "parameters.eta1=-0.02", "parameters.epsilon=0.001": "parameters.epsilon=0",
            "run.integrator.tolerance=1e-07": "run.integrator.divergence=continue"}),
        Trial("soft penalties", ("all",), {"formulation.alpha=4e7": "formulation.alpha=1e2"}),
        Trial("n-four-bar for Bricard's loop", ("all",), {"bricard": "n-four-bar"}),
        Trial("spatial-parallelogram for Bricard's loop", ("all",), {"bricard": "spatial-parallelogram"})]}


# ---- Verdicts ----

def nothing(results):
    """The same without a number."""
    if isinstance(results, dict):
        return {key: nothing(value) for key, value in results.items()}
    return [nothing(value) for value in results] if isinstance(results, list) else None


def verdicts(paper, measured):
    """{statement: (what was measured, whether it agrees)}, one of each column."""
    merged = measured.get("all") or measured
    found = {}
    for source, where, says, last in importlib.import_module(f"statements_{paper}").statements(merged):
        for column, verdict in (last.items() if isinstance(last, dict) else [("", last)]):
            found[source, where, says, column] = verdict
    return found


def measure(paper, part, module, holon):
    """None where a run fails that the page needs."""
    try:
        return PARTS[paper][part](module, holon)
    except (SystemExit, ArithmeticError, LookupError, TypeError, ValueError) as problem:
        progress(f"cannot be measured: {type(problem).__name__} {str(problem)[:300]}")
        return None


def attempt(paper, trial, program, right):
    """Verdicts with the parts of a trial; those of a part that cannot be measured are missing."""
    module, measured = page_module(paper), dict(right)
    for part in trial.parts:
        progress(f"{paper}: {trial.name}: {part}")
        measured[part] = measure(paper, part, module, Wrong(program, trial))
        if measured[part] is None:
            print(f"    {part} cannot be measured")
            measured[part] = right[part]
    return verdicts(paper, measured)


def try_page(paper, program):
    module = page_module(paper)
    right = {part: measure(paper, part, module, Holon(program)) for part in PARTS[paper]}
    agreed, changed = verdicts(paper, right), set()
    for trial in TRIALS[paper]:
        print(f"{paper}: {trial.name}")
        wrong = attempt(paper, trial, program, right)
        for key in (key for key in agreed if wrong[key][1] != agreed[key][1]):
            changed.add(key)
            words = "; ".join(part for part in key if part)
            print(f"    {'yes -> no' if agreed[key][1] else 'no -> yes'}  {words}: {agreed[key][0]} -> {wrong[key][0]}")
        sys.stdout.flush()
    yes = [key for key in agreed if agreed[key][1]]
    left = [key for key in yes if key not in changed]
    print(f"{paper}: {len(yes)} of {len(agreed)} verdicts agree in these runs; {len(yes) - len(left)} of them have "
          f"failed in a trial, not these:")
    for key in left:
        print(f"    {'; '.join(part for part in key if part)}: {agreed[key][0]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--holon", default=os.path.join(ROOT, "build", "release", "holon"), help="the command to run")
    parser.add_argument("papers", nargs="*", default=sorted(TRIALS), help="000 ... 004; all")
    given = parser.parse_args()
    for paper in given.papers:
        try_page(paper, given.holon)


if __name__ == "__main__":
    main()
