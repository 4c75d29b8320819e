# SPDX-License-Identifier: BSD-3-Clause
"""Figs 3a and 3b: the slider-crank begun in its singular configuration, by the penalty formulation of the paper."""
import plot
from page import progress
from statements_004 import INDEX3, PENALTY, SLIDER

SPEEDS = [0, 0.01, 0.1, 0.2, 0.5, 1, 2, 3, 4, 6]  # -eta2, m/s; eta1 is -2 m/s
ERRORS = [0, 1e-4, 1e-3, 2e-3, 5e-3, 0.01, 0.015, 0.02, 0.03]  # epsilon, m
DRAWN_SPEEDS, DRAWN_ERRORS = [0, 0.01, 0.1], [0, 1e-4, 1e-3, 0.01]
METHOD = ["--formulation", PENALTY, "--integrator", "trapezoidal", "--step", "0.001",
          "--set", "run.formulation.alpha=4e7", "--set", "run.formulation.omega=10", "--set", "run.formulation.xi=1",
          "--set", "run.integrator.tolerance=1e-7", "--set", "run.integrator.divergence=continue"]
WHOLE_STEPS = ["--formulation", INDEX3, "--integrator", "trapezoidal", "--step", "0.001",
               *(word for setting in ("alpha=4e9", "absolute_tolerance=1e-7", "multipliers=carried", "projection=tangent",
                                      "divergence=continue") for word in ("--set", f"run.formulation.{setting}"))]
UNTIL = 0.1  # s


def begin(holon, method, eta1=-2, eta2=0, epsilon=0):
    """Time, places and the force of the crank on P2 along y."""
    values = {"eta1": eta1, "eta2": eta2, "epsilon": epsilon}
    given = [word for name, value in values.items() for word in ("--set", f"parameters.{name}={value}")]
    return holon.series(SLIDER, ["P2.x", "P3.x", "crank.fy"], "--variant", "from-singularity", "--branch", "report", *method, *given,
                        "--until", str(UNTIL), "--every", "0.001", "--record", "P2,P3,crank.reaction")


def peak(run):
    return max(abs(force) for force in run["crank.fy"])


def ratio(run):
    """x3 / x2 at the end: 2 of a slider-crank, 0 of a pendulum; None if the run did not come so far."""
    return run["P3.x"][-1] / run["P2.x"][-1] if run["t"][-1] > 0.99 * UNTIL else None


def least(runs):
    """The smallest amount that has made a pendulum of it, None if none has."""
    turned = [amount for amount, run in runs.items() if ratio(run) is not None and abs(ratio(run)) < 1]
    return min(turned, default=None)


def measure(holon):
    progress("Figs 3a, 3b")
    speeds = {speed: begin(holon, METHOD, eta2=-speed) for speed in SPEEDS}
    errors = {error: begin(holon, METHOD, epsilon=error) for error in ERRORS}
    corrected = {error: begin(holon, ["--step", "0.001"], epsilon=error) for error in ERRORS}
    return {"speeds": speeds, "errors": errors, "corrected": least(corrected),
            "smooth": peak(speeds[0]), "impact": peak(speeds[0.1]), "speed": least(speeds),
            "impact_of_error": peak(errors[1e-3]), "error": least(errors),
            "index3": ratio(begin(holon, WHOLE_STEPS, eta1=-1, eta2=-5e-5))}


def forces(runs, drawn, name):
    """Magnitudes on a logarithmic scale: they go over five decades."""
    signed = lambda amount: -amount if "eta2" in name and amount else amount
    return {name.format(signed(amount)): plot.thinned(runs[amount]["t"], [abs(y) for y in runs[amount]["crank.fy"]], 100)
            for amount in drawn}


def figures(found):
    panel = "force of the crank on P2 along y, N"
    drawn = {"figure-3a": ("speeds", DRAWN_SPEEDS, "eta2 = {:g} m/s"),
             "figure-3b": ("errors", DRAWN_ERRORS, "epsilon = {:g} m")}
    return {name: plot.figure(f"Slider-crank from its singular configuration (Fig. {name[-2:]})",
                              {panel: forces(found[which], amounts, words)}, UNTIL, lowest=-1)
            for name, (which, amounts, words) in drawn.items()}
