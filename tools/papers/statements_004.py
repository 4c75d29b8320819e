# SPDX-License-Identifier: BSD-3-Clause
"""What Gonzalez, Dopico, Pastorino and Cuadrado state, each with the numbers that decide whether holon agrees."""
from typing import NamedTuple

from page import number
from verdict import at_least, at_most, between, of_order, within

SLIDER, DOUBLE, BRICARD = "slider-crank", "double-four-bar", "bricard"
SHORT = {"penalty": "penalty", "augmented-lagrangian": "AL", "augmented-hamiltonian": "Hamiltonian",
         "index3-augmented-lagrangian": "ALi3"}
PENALTY, AL, HAMILTONIAN, INDEX3 = SHORT
BOUND = {1: 0.1, 2: 0.001, 3: 0.1}  # J


class Row(NamedTuple):
    """One of Tables 1 to 3. Omega and xi: None where the paper has none, "automatic" where they follow the step."""
    table: int
    formulation: str
    integrator: str
    step: float
    alpha: float
    omega: object
    xi: object
    tolerance: object
    elapsed: float  # s, that of the paper

    def name(self):
        gains = ", automatic" if self.omega == "automatic" else ""
        return f"{SHORT[self.formulation]}, {self.integrator}, h = {self.step:g} s{gains}".replace("e-0", "e-")

    def mechanism(self):
        return DOUBLE if self.table == 3 else SLIDER


ROWS = [
    Row(1, PENALTY, "euler", 2e-5, 1e8, 25, 1, None, 1.53),
    Row(1, PENALTY, "euler", 1e-5, 1e6, "automatic", None, None, 3.08),
    Row(1, AL, "euler", 1e-5, 1e7, 10, 1, None, 3.83),
    Row(1, AL, "euler", 1e-5, 1e7, "automatic", None, None, 3.85),
    Row(1, HAMILTONIAN, "euler", 2e-3, 1e9, 0.1, 1000, None, 0.02),
    Row(2, HAMILTONIAN, "euler", 2e-5, 1e9, 0.1, 1000, None, 2.10),
    Row(2, PENALTY, "trapezoidal", 1e-4, 1e7, 1000, 1, 1e-7, 0.33),
    Row(2, AL, "trapezoidal", 1e-3, 1e7, 200, 1, 1e-7, 0.06),
    Row(2, HAMILTONIAN, "trapezoidal", 2e-3, 1e9, 0.1, 2000, 1e-7, 0.13),
    Row(2, INDEX3, "trapezoidal", 1e-3, 1e9, None, None, 1e-5, 0.07),
    Row(3, PENALTY, "euler", 2e-5, 1e7, 30, 1, None, 2.50),
    Row(3, AL, "euler", 5e-6, 1e7, 10, 1, None, 12.21),
    Row(3, HAMILTONIAN, "euler", 1e-3, 1e9, 0.1, 1000, None, 0.07),
    Row(3, PENALTY, "trapezoidal", 5e-3, 1e8, 25, 1, 1e-7, 0.04),
    Row(3, AL, "trapezoidal", 5e-3, 1e8, 20, 1, 1e-7, 0.05),
    Row(3, HAMILTONIAN, "trapezoidal", 5e-3, 1e9, 0.1, 1000, 1e-7, 0.10),
    Row(3, INDEX3, "trapezoidal", 1e-2, 1e9, None, None, 1e-7, 0.02),
]


NEIGHBOURS = [part / 1000 for part in (-20, -15, -10, -5, 5, 10, 15, 20)]  # of a step, relative to it


def meets(run, bound):
    """Comes to the end on its branch, with no more than this drift."""
    if run["reached"] < run["until"]:
        return f"stops at {number(run['reached'], 3)} s", False
    if run["branch_changes"]:
        return "changes its branch", False
    return number(run["max_energy_drift"]), run["max_energy_drift"] <= bound


def verdict(run, bound):
    """The same in words, for the tables."""
    found, agrees = meets(run, bound)
    if agrees:
        return "meets"
    return f"misses by {number(run['max_energy_drift'] - bound)} J" if found[0].isdigit() else found


def count(run, others, bound):
    """How many of the runs with a step and with its neighbours meet the bound."""
    return sum(meets(one, bound)[1] for one in [run, *others])


def most_meet(run, others, bound):
    """At a step as such the outcome may be an accident of how it falls on the singular configurations."""
    number_of = count(run, others, bound)
    return f"{meets(run, bound)[0]}; {number_of} of {1 + len(others)} steps meet", 2 * number_of > 1 + len(others)


def drifts(runs, others):
    for row in ROWS:
        yield (f"Table {row.table}", row.mechanism(),
               f"{row.name()}: at most {BOUND[row.table]:g} J (largest energy drift, J; steps within 2 %)",
               most_meet(runs[row], others[row], BOUND[row.table]))


def texts(r):
    yield ("Sec. 4", SLIDER, "with forward Euler the Hamiltonian is one or two orders faster (times, than the fastest "
           "other run of Table 1 that completes)", between(r["hamiltonian_faster"], 10, 100))
    yield ("Sec. 4", SLIDER, "with the trapezoidal rule the Hamiltonian is not the fastest (its time over the best of "
           "the others)", at_least(r["hamiltonian_slower"], 1))
    yield ("Sec. 4", SLIDER, "the iteration of the rule may diverge near a singularity (end of a run that stops there, "
           "s)", at_most(r["stopped"], 0.999 * r["until"]))
    yield ("Fig. 4", SLIDER, "penalty, forward Euler, h = 1e-5 s, alpha 1e8, omega 10 jumps in energy (least drift of "
           "nine steps within 2 %, J)", at_least(min(run["max_energy_drift"] for run in r["lost"]), 1))
    yield ("Fig. 4", SLIDER, "because it changes its branch (most of the nine)",
           at_least(sum(run["branch_changes"] > 0 for run in r["lost"]), 1 + len(NEIGHBOURS) // 2))
    yield "Sec. 3", BRICARD, "one degree of freedom", within(r["bricard"]["dof"], 1, 0)
    yield "Sec. 3", BRICARD, "redundant (constraints)", at_least(r["bricard"]["redundant"], 1)
    yield "Sec. 3", BRICARD, "never singular (passages)", at_most(r["bricard"]["singular"], 0)
    yield ("Sec. 3", BRICARD, "all four formulations handle its redundant constraint (largest energy drift, J)",
           at_most(r["bricard"]["drift"], 0.1))


def starts(r):
    yield ("Fig. 3a", SLIDER, "from the singular configuration with eta2 = 0 there is no impact (largest force along "
           "y, N)", at_most(r["smooth"], 10))
    yield "Fig. 3a", SLIDER, "with eta2 = -0.1 m/s there is one (N)", at_least(r["impact"], 100)
    yield ("Sec. 3.2.2", SLIDER, "only an eta2 of the order of eta1 = -2 m/s changes the branch (least -eta2 of those "
           "tested, m/s)", of_order(r["speed"], 2))
    yield ("Sec. 3.2.2", SLIDER, "ALi3, as in the paper, becomes a pendulum with eta1 = -1, eta2 = -5e-5 m/s (x3/x2 at "
           "0.1 s: pendulum 0, slider-crank 2)", at_most(r["index3"], 1))
    yield "Fig. 3b", SLIDER, "position errors of 1 mm cause an impact (N)", at_least(r["impact_of_error"], 100)
    yield ("Sec. 3.2.2", SLIDER, "an error of the order of 1e-2 m changes the branch with eta2 = 0 (least of those "
           "tested, m)", of_order(r["error"], 0.01))


def statements(r):
    """Rows (table, figure or section, mechanism, statement, (measured value, whether it agrees))."""
    return [*drifts(r["rows"], r["neighbours"]), *texts(r), *starts(r["start"])]
