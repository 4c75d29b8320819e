# SPDX-License-Identifier: BSD-3-Clause
"""What the scripts of this folder share: extended precision, derivatives of motions, writing reference.csv.

The scripts know nothing of holon: they compute from closed forms, or integrate few equations in minimal coordinates
with 30 digits. They need mpmath. `python3 tools/references/gear_pair.py` rewrites models/gear-pair/reference.csv.
"""
from pathlib import Path

import mpmath as mp

mp.mp.dps = 30
MODELS = Path(__file__).resolve().parents[2] / "models"


class Table:
    """The lines of one reference.csv. Tolerances: rk4 with 1 ms, dopri5 with tolerance 1e-12; None: not asserted."""

    def __init__(self, name, *comments):
        self.path = MODELS / name / "reference.csv"
        self.lines = [f"# {line}" for line in comments] + ["t,quantity,value,fixed,tight"]

    def note(self, text):
        self.lines.append(f"# {text}")

    def row(self, t, quantity, value, fixed=1e-9, tight=1e-9):
        tolerances = ["-" if tolerance is None else f"{tolerance:g}" for tolerance in (fixed, tight)]
        number = mp.nstr(mp.mpf(value), 16, min_fixed=-5, max_fixed=16)
        when = t if isinstance(t, str) else f"{float(t):g}"  # "static", "modes"
        self.lines.append(",".join([when, quantity, number, *tolerances]))

    def write(self):
        self.path.write_text("\n".join(self.lines) + "\n")


def rate(function, t, order=1):
    """Derivative of a scalar, list or matrix valued function of time by central differences with twice the digits."""
    digits = mp.mp.dps
    with mp.workdps(3 * digits):
        h = mp.mpf(10) ** (-digits)
        ahead, here, behind = (mp.matrix(flat(function(t + k * h))) for k in (1, 0, -1))
        slope = (ahead - behind) / (2 * h) if order == 1 else (ahead - 2 * here + behind) / h**2
    return shaped(slope, function(t))


def flat(value):
    return list(value) if isinstance(value, (list, tuple, mp.matrix)) else [value]


def shaped(numbers, like):
    if isinstance(like, mp.matrix):
        numbers = list(numbers)
        return mp.matrix([numbers[i * like.cols : (i + 1) * like.cols] for i in range(like.rows)])
    return list(numbers) if isinstance(like, (list, tuple)) else numbers[0]


def integrate(slope, t, y, until, step=mp.mpf("0.01"), columns=9):
    """y' = slope(t, y) by extrapolated midpoint steps (Gragg); the last two columns agree to some 25 digits."""
    count = max(1, int(mp.ceil((until - t) / step)))
    h = (until - t) / count
    for k in range(count):
        y = gragg_step(slope, t + k * h, y, h, columns)
    return y


def gragg_step(slope, t, y, h, columns):
    tableau = []
    for n in range(2, 2 * columns + 1, 2):
        tableau.append([midpoints(slope, t, y, h / n, n)])
        for j in range(1, len(tableau)):
            finer, coarser = tableau[-1][j - 1], tableau[-2][j - 1]
            factor = mp.mpf(n) ** 2 / (n - 2 * j) ** 2 - 1
            tableau[-1].append([a + (a - b) / factor for a, b in zip(finer, coarser)])
    return tableau[-1][-1]


def midpoints(slope, t, y, h, n):
    before, now = y, [a + h * b for a, b in zip(y, slope(t, y))]
    for k in range(1, n):
        before, now = now, [a + 2 * h * b for a, b in zip(before, slope(t + k * h, now))]
    return [(a + b + h * c) / 2 for a, b, c in zip(before, now, slope(t + n * h, now))]


def angular_velocity(R, t):
    """Of a rotation given as a function of time, in global axes: the axial vector of R' R^T."""
    spin = rate(R, t) * R(t).T
    return mp.matrix([spin[2, 1], spin[0, 2], spin[1, 0]])


def cross(a, b):
    return mp.matrix([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def about(axis, angle):
    """Rotation matrix about x, y or z."""
    c, s = mp.cos(angle), mp.sin(angle)
    return mp.matrix({"x": [[1, 0, 0], [0, c, -s], [0, s, c]], "y": [[c, 0, s], [0, 1, 0], [-s, 0, c]],
                      "z": [[c, -s, 0], [s, c, 0], [0, 0, 1]]}[axis])
