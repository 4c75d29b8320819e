# SPDX-License-Identifier: BSD-3-Clause
"""What Braun and Goldfarb state, each with the numbers that decide whether holon agrees."""
from verdict import at_least, at_most, bounded, grows

BALL, BIPED = "ball-in-bowl", "biped"
FORMS = ("step", "stages")
PRECISE = 1e-8   # of rows, m, rad and their rates
ENERGY = 1e-6    # J
BETTER = 10      # times less
LINE = 1e-3      # m, rad and their rates: nobody would see it in a figure
CLOSE = 1e-5     # m, to a known place
PASSED = 1e-3    # J, of the drift through singular configurations
UNTOUCHED = 2    # times: a violation that is as large as before, or rounding


def ball(r, form):
    yield ("Fig. 2a", BALL, f"positions satisfy the constraints precisely (`{form}`; largest)",
           at_most(r["position"], PRECISE))
    yield "Fig. 2b", BALL, f"so do velocities (`{form}`; largest)", at_most(r["velocity"], PRECISE)
    yield "Fig. 2a", BALL, f"steadily (`{form}`; positions)", bounded(r["position_growth"])
    yield "Fig. 2b", BALL, f"steadily (`{form}`; velocities)", bounded(r["velocity_growth"])
    yield "Fig. 2c", BALL, f"without energy correction the energy drifts (`{form}`)", grows(r["energy_off_growth"])
    yield "Fig. 2c", BALL, f"energy correction prevents that (`{form}`)", bounded(r["energy_growth"])
    yield "Fig. 2c", BALL, f"the energy is conserved precisely (`{form}`; J)", at_most(r["energy"], ENERGY)
    yield ("Fig. 2d", BALL, f"energy correction reduces the error of the first integral (`{form}`; times)",
           at_least(r["integral_off"], 1))
    for name, words in (("automatic", "automatic gains"), ("critical", "best gains a = b"),
                        ("best", "best of all gains")):
        yield ("Fig. 2d", BALL, f"it is less than with Baumgarte, {words} (`{form}`; times)",
               at_least(r[f"integral_{name}"], BETTER))
    yield ("Sec. 2.2.4", BALL, f"energy correction does not interfere with the constraints (`{form}`; violations "
           "with it over those without)", at_most(r["interference"], UNTOUCHED))
    yield ("Sec. 2.2.4", BALL, f"together they reduce the delay (`{form}`; error of the angles at the end "
           "without over that with energy correction)", at_least(r["delay"], 1))


def biped(r, form):
    yield ("Fig. 3c", BIPED, f"the constraints recover from the inconsistent initial state (`{form}`; s)",
           at_most(r["settled"], 1))
    yield "Fig. 3c", BIPED, f"then they are satisfied precisely (`{form}`; positions)", at_most(r["position"], PRECISE)
    yield "Fig. 3c", BIPED, f"and velocities too (`{form}`)", at_most(r["velocity"], PRECISE)
    yield "Fig. 3c", BIPED, f"steadily (`{form}`)", bounded(r["growth"])
    yield "Fig. 3b", BIPED, f"the periods overlap (`{form}`; largest difference from the second one)", at_most(r["overlap"], LINE)
    yield ("Sec. 3.2", BIPED, f"it is simulated in real time (`{form}`; wall time over simulated time)",
           at_most(r["part"], 1))


def texts(r, form):
    yield "Sec. 1", BALL, f"no iteration (`{form}`; iterations of all steps)", at_most(r["iterations"], 0)
    yield ("Sec. 2.2.2", "bricard", f"redundant constraints may be given (`{form}`; error at 1 s, m)",
           at_most(r["bricard"], CLOSE))
    yield ("Sec. 1", "slider-crank", f"motion through singular configurations (`{form}`; energy drift, J)",
           at_most(r["drift"] if r["branch_changes"] == 0 else None, PASSED))
    yield ("Sec. 2.2.4", "pendulum", f"tol = 1e-6 avoids energy correction with large forces (`{form}`; error with "
           "it over that without, initial state at rest)", at_most(r["rest"], UNTOUCHED))


def statements(r):
    """Rows (figure or section, mechanism, statement, (measured value, whether it agrees))."""
    return [row for part, key in ((ball, "ball"), (biped, "biped"), (texts, "texts"))
            for form in FORMS for row in part(r[key][form], form)]
