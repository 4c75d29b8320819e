#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes models/double-pendulum/reference.csv. Needs mpmath; takes a minute.

Two equal uniform bars. With the angles a and b from the x axis and s = sin(a - b), c = cos(a - b), Lagrange's equations
divided by m L^2 are

    4/3 a'' + c/2 b'' = -s/2 b'^2 - 3/2 g/L cos a
    c/2 a'' + 1/3 b'' =  s/2 a'^2 - 1/2 g/L cos b

integrated by extrapolation with 30 digits. The motion is chaotic: an error grows some hundred times in five seconds,
which the tolerances allow for.
"""
from reference_kit import Table, integrate, mp

f = mp.mpf
g, L, m = f("9.81"), f(1), f(1)


def accelerations(a, b, u, v):
    s, c = mp.sin(a - b), mp.cos(a - b)
    x, y = -s / 2 * v**2 - 3 * g / (2 * L) * mp.cos(a), s / 2 * u**2 - g / (2 * L) * mp.cos(b)
    d = f(4) / 9 - c**2 / 4
    return (x / 3 - c / 2 * y) / d, (f(4) / 3 * y - c / 2 * x) / d


def slope(_, y):
    return [y[2], y[3], *accelerations(*y)]


def reactions(a, b, u, v):
    """At the elbow (upper on lower) and at the shoulder (ground on upper)."""
    e, h = accelerations(a, b, u, v)
    elbow = (-L * (e * mp.sin(a) + u**2 * mp.cos(a)), L * (e * mp.cos(a) - u**2 * mp.sin(a)))  # acceleration
    tip = (-L * (h * mp.sin(b) + v**2 * mp.cos(b)), L * (h * mp.cos(b) - v**2 * mp.sin(b)))  # against the elbow
    lower = (m * (elbow[0] + tip[0] / 2), m * (elbow[1] + tip[1] / 2 + g))
    return lower, (m * elbow[0] / 2 + lower[0], m * (elbow[1] / 2 + g) + lower[1])


table = Table("double-pendulum", "Two angles, extrapolated with 30 digits; every digit can be trusted.",
              "Chaotic: the tolerances grow with the time. tools/references/double_pendulum.py")
TOLERANCES = [("0.5", 1e-9, 1e-9), ("1", 1e-9, 1e-9), ("2", 1e-8, 1e-9), ("5", 1e-7, 1e-9), ("10", 1e-4, 1e-6)]
now, y = f(0), [f(0)] * 4
for t, fixed, tight in TOLERANCES:
    now, y = f(t), integrate(slope, now, y, f(t), f("0.0125"), 12)
    a, b, u, v = y
    table.row(t, "upper.phi", a, fixed, tight)
    table.row(t, "upper.w", u, 10 * fixed, 10 * tight)
    table.row(t, "lower.phi", b, fixed, tight)
    table.row(t, "lower.w", v, 10 * fixed, 10 * tight)
    table.row(t, "lower.x", L * (mp.cos(a) + mp.cos(b) / 2), fixed, tight)
    table.row(t, "lower.y", L * (mp.sin(a) + mp.sin(b) / 2), fixed, tight)
    for joint, force in zip(("elbow", "shoulder"), reactions(*y)):
        for axis, value in zip("xy", force):
            table.row(t, f"{joint}.f{axis}", value, 100 * fixed, 100 * tight)
table.write()
