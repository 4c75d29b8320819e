#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes models/bricard/reference.csv: the loop in one angle, its time by quadrature. Needs mpmath.

Three joints turn by q and the three between them by p, alternately, with

    sin p = -sin q / (1 + sin q)                                                                                  (1)

which closes the loop (the program looks). From rest at q = 0, T = J(q) q'^2/2 = V(0) - V(q) until q = pi, where all is
at the height of the start again, and back. With q = pi/2 (1 - cos u) the integrand of

    t = integral sqrt(J / (2 (V(0) - V))) dq/du du                                                                (2)

is smooth from u = 0 to u = pi, half a period; Newton's method inverts it.
"""
from reference_kit import Table, about, cross, mp

g = mp.mpf("9.81")
AXES = "yzxyzx"
DIRECTIONS = [(1, 0, 0), (0, -1, 0), (0, 0, 1), (-1, 0, 0), (0, 1, 0)]
ACROSS, ALONG = mp.mpf("1.01") / 12, mp.mpf("0.02") / 12  # inertia of a rod of 0.1 m x 0.1 m x 1 m and 1 kg


def angles(q):
    """q and p, and their rates per unit of q'."""
    s = mp.sin(q)
    sine = -s / (1 + s)
    p = mp.asin(sine)
    slope = -mp.cos(q) / (1 + s) ** 2 / mp.sqrt(1 - sine**2)
    return (q, p), (mp.mpf(1), slope)


def loop(q):
    """Points P1 to P6; J and V."""
    angle, rate = angles(q)
    R, w, v, P = mp.eye(3), mp.zeros(3, 1), mp.zeros(3, 1), mp.zeros(3, 1)
    points, J, V = [P], mp.mpf(0), mp.mpf(0)
    for i, direction in enumerate(DIRECTIONS):
        axis = mp.matrix([int(name == AXES[i]) for name in "xyz"])
        w = w + R * axis * rate[i % 2]
        R = R * about(AXES[i], angle[i % 2])
        e = R * mp.matrix(direction)
        across, centre = cross(w, e), v + cross(w, e) / 2
        turning = sum(x * x for x in w)
        along = sum(x * y for x, y in zip(w, e)) ** 2
        J += sum(x * x for x in centre) + ACROSS * (turning - along) + ALONG * along
        V += g * (P[1] + e[1] / 2)
        P, v = P + e, v + across
        points.append(P)
    return points, J, V


def slope(u, start):
    """dt/du."""
    _, J, V = loop(mp.pi / 2 * (1 - mp.cos(u)))
    return mp.sqrt(J / (2 * (start - V))) * mp.pi / 2 * mp.sin(u)


def elapsed(u, start):
    return mp.quad(lambda x: slope(x, start), mp.linspace(0, u, 9), method="gauss-legendre")


def main():
    mp.mp.dps = 36
    start = loop(mp.mpf(0))[2]
    half = elapsed(mp.pi, start)
    assert max(abs(x) for x in loop(mp.mpf("0.7"))[0][5] - mp.matrix([0, 0, 1])) < mp.mpf("1e-30")
    print("period", mp.nstr(2 * half, 17))
    table = Table("bricard", "One angle, its time by quadrature; every digit can be trusted.",
                  "tools/references/bricard.py")
    for t in ("0", "0.5", "1", "2", "5", "10"):
        halves = int(mp.mpf(t) / half)
        rest = mp.mpf(t) - halves * half
        if halves % 2:
            rest = half - rest
        u = mp.pi * rest / half
        for _ in range(9):
            u -= (elapsed(u, start) - rest) / slope(u, start) if rest else 0
        points = loop(mp.pi / 2 * (1 - mp.cos(u)))[0]
        fixed, tight = {"0": (1e-12, 1e-12), "10": (1e-7, 1e-9)}.get(t, (1e-8, 1e-9))
        for name, P in zip(("P2", "P3", "P4"), points[1:4]):
            for axis, value in zip("xyz", P):
                table.row(t, f"{name}.{axis}", mp.chop(value, mp.mpf("1e-30")), fixed, tight)
    table.write()


if __name__ == "__main__":
    main()
