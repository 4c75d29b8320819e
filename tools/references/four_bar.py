#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes models/four-bar/reference.csv. Needs mpmath; takes a few minutes.

One coordinate, the crank angle q. The other two angles follow from the triangle B C D; the loop

    crank (cos q, sin q) + coupler (cos a, sin a) = (ground, 0) + follower (cos b, sin b)

differentiated once and twice gives their rates and accelerations, Jourdain's principle gives q''. The reactions follow
from Newton and Euler, body by body. Integrated by extrapolation with 30 digits.
"""
from reference_kit import Table, integrate, mp

g = mp.mpf("9.81")
GROUND = mp.mpf("2.5")
LENGTH = [mp.mpf(n) for n in ("2", "4", "4")]  # crank, coupler, follower
MASS = [mp.mpf(n) for n in ("1", "2.25", "2.2")]
J = [mp.mpf(n) for n in ("0.3", "2", "1.35")]


def angles(q):
    """Of crank, coupler and follower."""
    x, y = GROUND - LENGTH[0] * mp.cos(q), -LENGTH[0] * mp.sin(q)  # from B to D
    s = mp.hypot(x, y)
    a = mp.atan2(y, x) + mp.acos((LENGTH[1] ** 2 + s**2 - LENGTH[2] ** 2) / (2 * LENGTH[1] * s))
    c = (LENGTH[1] * mp.cos(a) - x, LENGTH[1] * mp.sin(a) - y)  # from D to C
    return q, a, mp.atan2(c[1], c[0])


def follow(u, w, bias):
    """Solves the loop's derivative: rates of coupler and follower when the crank's is w."""
    r = [(-l * s, l * c) for l, (c, s) in zip(LENGTH, u)]
    x, y = -r[0][0] * w + bias[0], -r[0][1] * w + bias[1]
    d = -r[1][0] * r[2][1] + r[2][0] * r[1][1]
    return (-x * r[2][1] + y * r[2][0]) / d, (r[1][0] * y - r[1][1] * x) / d


def inward(u, w):
    """What the second derivative of the loop owes to the rates."""
    return [sum(sign * l * v[k] * n**2 for sign, l, v, n in zip((1, 1, -1), LENGTH, u, w)) for k in (0, 1)]


def centre_accelerations(u, w, e):
    """Of the three centres, for angular rates w and accelerations e."""
    ends = [(-l * (s * ee + c * n**2), l * (c * ee - s * n**2)) for l, (c, s), n, ee in zip(LENGTH, u, w, e)]
    crank, coupler, follower = ends
    return [(crank[0] / 2, crank[1] / 2), (crank[0] + coupler[0] / 2, crank[1] + coupler[1] / 2),
            (follower[0] / 2, follower[1] / 2)]


def motion(q, rate):
    """Directions, rates and accelerations of the three bodies."""
    u = [(mp.cos(a), mp.sin(a)) for a in angles(q)]
    zero = (mp.mpf(0),) * 3
    per = (mp.mpf(1), *follow(u, 1, (0, 0)))  # rates per unit of q'
    w = [rate * n for n in per]
    e0 = (mp.mpf(0), *follow(u, 0, inward(u, w)))  # accelerations if q'' = 0
    v = centre_accelerations(u, zero, per)  # velocities per unit of q'
    a0 = centre_accelerations(u, w, e0)
    mass = sum(m * (x * x + y * y) + j * n * n for m, j, (x, y), n in zip(MASS, J, v, per))
    force = -sum(m * (x * ax + y * (ay + g)) + j * n * e
                 for m, j, (x, y), (ax, ay), n, e in zip(MASS, J, v, a0, per, e0))
    q2 = force / mass
    e = (q2, *(b + q2 * n for b, n in zip(e0[1:], per[1:])))
    return u, w, e, centre_accelerations(u, w, e)


def reactions(u, w, e, a):
    """At A (ground on crank), B (crank on coupler), C (coupler on follower), D (ground on follower)."""
    need = [(m * x, m * (y + g)) for m, (x, y) in zip(MASS, a)]  # the sum of the joint forces on each body
    # moments about B of the coupler (force -C at its end) and about D of the follower (force C at its end)
    arm = [(l * c, l * s) for l, (c, s) in zip(LENGTH, u)]
    m1 = -(J[1] * e[1] + (arm[1][0] * need[1][1] - arm[1][1] * need[1][0]) / 2)
    m2 = J[2] * e[2] + (arm[2][0] * need[2][1] - arm[2][1] * need[2][0]) / 2
    d = arm[1][0] * -arm[2][1] + arm[1][1] * arm[2][0]
    C = ((arm[1][0] * m2 - arm[2][0] * m1) / d, (arm[1][1] * m2 - arm[2][1] * m1) / d)
    B = (need[1][0] + C[0], need[1][1] + C[1])
    A = (need[0][0] + B[0], need[0][1] + B[1])
    return {"A": A, "B": B, "C": C, "D": (need[2][0] - C[0], need[2][1] - C[1])}


def rates(t, y):
    return [y[1], motion(*y)[2][0]]


def main():
    table = Table("four-bar", "One coordinate, extrapolated with 30 digits; every digit can be trusted.",
                  "tools/references/four_bar.py")
    now, y = mp.mpf(0), [mp.pi / 3, mp.mpf(0)]
    for t in ("0", "0.5", "1", "5", "10"):
        if t != "0":
            now, y = mp.mpf(t), integrate(rates, now, y, mp.mpf(t), mp.mpf("0.0125"), 12)
        u, w, e, a = motion(*y)
        c = [(l * x / 2, l * s / 2) for l, (x, s) in zip(LENGTH, u)]
        c[1], c[2] = (2 * c[0][0] + c[1][0], 2 * c[0][1] + c[1][1]), (GROUND + c[2][0], c[2][1])
        state, force = {"0": (1e-12, 1e-11), "10": (1e-7, 1e-5)}.get(t, (2e-8, 1e-6))
        for body, angle, n, centre in zip(("crank", "coupler", "follower"), angles(y[0]), w, c):
            table.row(t, body + ".phi", angle, state, min(state, 1e-9))
            table.row(t, body + ".w", n, state, min(state, 1e-9))
            table.row(t, body + ".x", centre[0], state, min(state, 1e-9))
            table.row(t, body + ".y", centre[1], state, min(state, 1e-9))
        for joint, (x, y_) in reactions(u, w, e, a).items():
            table.row(t, joint + ".fx", x, force, 1e-11 if t == "0" else force / 100)
            table.row(t, joint + ".fy", y_, force, 1e-11 if t == "0" else force / 100)
    table.write()


if __name__ == "__main__":
    main()
