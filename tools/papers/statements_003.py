# SPDX-License-Identifier: BSD-3-Clause
"""What Braun and Goldfarb state, each with the numbers that decide whether holon agrees."""
from verdict import at_least, at_most, bounded, grows

BALL, BIPED = "ball-in-bowl", "biped"
FORMS = ("stages", "step")  # the method of the paper, and ours
PRECISE = 1e-8   # of rows, m, rad and their rates
ENERGY = 1e-6    # J
BETTER = 10      # times less
LINE = 1e-3      # m, rad and their rates: nobody would see it in a figure
CLOSE = 1e-5     # m, to a known place
PASSED = 1e-3    # J, of the drift through singular configurations
REDUCED = 1.1    # times: without energy correction over with it
UNTOUCHED = 2    # times: a violation that is as large as before, or rounding


def ball(r):
    yield ("Fig. 2a", BALL, "positions satisfy the constraints precisely (largest)",
           at_most(r["position"], PRECISE))
    yield "Fig. 2b", BALL, "so do velocities (largest)", at_most(r["velocity"], PRECISE)
    yield "Fig. 2a", BALL, "steadily (positions)", bounded(r["position_growth"])
    yield "Fig. 2b", BALL, "steadily (velocities)", bounded(r["velocity_growth"])
    yield "Fig. 2c", BALL, "without energy correction the energy drifts", grows(r["energy_off_growth"])
    yield "Fig. 2c", BALL, "energy correction prevents that", bounded(r["energy_growth"])
    yield "Fig. 2c", BALL, "the energy is conserved precisely (J)", at_most(r["energy"], ENERGY)
    yield ("Fig. 2d", BALL, "energy correction reduces the error of the first integral (times)",
           at_least(r["integral_off"], REDUCED))
    for name, words in (("automatic", "automatic gains"), ("critical", "best gains a = b"),
                        ("best", "best of all gains")):
        yield ("Fig. 2d", BALL, f"it is less than with Baumgarte, {words} (times)",
               at_least(r[f"integral_{name}"], BETTER))
    yield ("Sec. 2.2.4", BALL, "energy correction does not interfere with the constraints (violations "
           "with it over those without)", at_most(r["interference"], UNTOUCHED))
    yield ("Sec. 2.2.4", BALL, "together they reduce the delay (error of the angles at the end "
           "without over that with energy correction)", at_least(r["delay"], REDUCED))


def biped(r):
    yield ("Fig. 3c", BIPED, "the constraints recover from the inconsistent initial state (s)",
           at_most(r["settled"], 1))
    yield "Fig. 3c", BIPED, "then they are satisfied precisely (positions)", at_most(r["position"], PRECISE)
    yield "Fig. 3c", BIPED, "and velocities too", at_most(r["velocity"], PRECISE)
    yield "Fig. 3c", BIPED, "steadily", bounded(r["growth"])
    yield "Fig. 3b", BIPED, "the periods overlap (largest difference from the second one)", at_most(r["overlap"], LINE)
    yield ("Sec. 3.2", BIPED, "it is simulated in real time (wall time over simulated time)",
           at_most(r["part"], 1))


def texts(r):
    yield "Sec. 1", BALL, "no iteration (iterations of all steps)", at_most(r["iterations"], 0)
    yield ("Sec. 2.2.2", "bricard", "redundant constraints may be given (error at 1 s, m)",
           at_most(r["bricard"], CLOSE))
    yield ("Sec. 1", "slider-crank", "motion through singular configurations (energy drift, J)",
           at_most(r["drift"] if r["branch_changes"] == 0 else None, PASSED))
    yield ("Sec. 2.2.4", "pendulum", "tol = 1e-6 avoids energy correction with large forces (error with "
           "it over that without, initial state at rest)", at_most(r["rest"], UNTOUCHED))


def statements(r):
    """Rows (figure or section, mechanism, statement, {form: (measured value, whether it agrees)})."""
    rows = []
    for part, key in ((ball, "ball"), (biped, "biped"), (texts, "texts")):
        for alike in zip(*(part(r[key][form]) for form in FORMS)):
            rows.append((*alike[0][:3], {form: row[3] for form, row in zip(FORMS, alike)}))
    return rows
