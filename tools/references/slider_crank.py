#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes models/slider-crank/reference.csv: two equal rods in one coordinate. Needs mpmath.

With phi the angle of the crank, P2 = (cos phi, sin phi), P3 = (2 cos phi, 0), rods of 1 m and 1 kg with the inertia I
about their centres C1 = P2/2 and C2 = (3/2 cos phi, 1/2 sin phi):

    T = phi'^2/2 (2 I + 1/2 + 2 sin^2 phi),   V = g sin phi
    (2 I + 1/2 + 2 sin^2 phi) phi'' = -2 sin phi cos phi phi'^2 - g cos phi

The forces of the crank on the rod, F, of the guide, N, and of the ground on the crank follow from Newton and Euler.
"""
from reference_kit import Table, integrate, mp

g = mp.mpf("9.81")
SLENDER = mp.mpf(1) / 12
SECTION = SLENDER + mp.mpf("0.01") / 12  # square, 0.1 m wide


def acceleration(I, phi, w):
    s, c = mp.sin(phi), mp.cos(phi)
    return -(2 * s * c * w**2 + g * c) / (2 * I + mp.mpf(1) / 2 + 2 * s**2)


def reactions(I, phi, w):
    s, c, a = mp.sin(phi), mp.cos(phi), acceleration(I, phi, w)
    x, y = -s * a - c * w**2, c * a - s * w**2  # acceleration of P2
    N = (c * (y / 2 + g) + s * 3 * x / 2 - 2 * I * a) / (2 * c)
    F = (3 * x / 2, y / 2 + g - N)
    return {"P1": (x / 2 + F[0], y / 2 + g + F[1]), "P2": F, "P3": (mp.mpf(0), N)}


def rows(table, I, forces=True, bodies=True, start=(mp.pi / 4, 2 * mp.sqrt(2))):
    now, state = mp.mpf(0), list(start)
    for t in ("0", "0.3", "1", "2", "5", "10"):
        if t != "0":
            state = integrate(lambda _, y: [y[1], acceleration(I, *y)], now, state, mp.mpf(t), mp.mpf("0.0125"), 12)
            now = mp.mpf(t)
        phi, w = state
        fixed = {"0": 1e-12, "5": 1e-7, "10": 1e-6}.get(t, 1e-8)
        tight = min(fixed, 1e-9)
        if bodies:
            table.row(t, "crank.phi", phi, fixed, tight)
            table.row(t, "crank.w", w, 10 * fixed, tight)
        table.row(t, "P2.x", mp.chop(mp.cos(phi), mp.mpf(10) ** -25), fixed, tight)
        table.row(t, "P2.y", mp.sin(phi), fixed, tight)
        table.row(t, "P3.x", mp.chop(2 * mp.cos(phi), mp.mpf(10) ** -25), 2 * fixed, 2 * tight)
        for joint, force in reactions(I, phi, w).items() if forces else ():
            for axis, value in zip("xy", force):
                table.row(t, f"{joint}.f{axis}", value, 100 * fixed, 1e-7)


def main():
    table = Table("slider-crank", "One coordinate, extrapolated with 30 digits; every digit can be trusted.",
                  "tools/references/slider_crank.py")
    rows(table, SLENDER)
    table.note("variant: section")
    rows(table, SECTION)
    table.note("variant: rods")
    rows(table, SLENDER, forces=False, bodies=False)
    table.note("variant: from-singularity")
    rows(table, SLENDER, forces=False, bodies=False, start=(mp.pi / 2, mp.mpf(2)))
    table.write()


if __name__ == "__main__":
    main()
