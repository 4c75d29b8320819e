#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes reference.csv of n-four-bar and double-four-bar: the closed form of N parallelogram loops. Needs mpmath.

The cranks turn alike and the couplers only translate, so the machine is a pendulum. With psi the angle of the cranks
from the upright, clockwise, and psi' = u at the top:

    (N + 1) m L^2/3 + N m L^2 = J,   J psi'' = (N + 1) m g L/2 sin psi + N m g L sin psi
    psi'^2 = u^2 + 2 kappa (1 - cos psi),   kappa = 3 g (3 N + 1) / (2 L (4 N + 1))
    psi = pi + 2 am(Om t - K | m),          Om^2 = kappa + u^2/4,  m = kappa / Om^2

The reactions follow from Newton and Euler: a coupler that does not turn carries the same vertical force at both ends.
"""
from reference_kit import Table, mp

g, u = mp.mpf("9.81"), mp.mpf(1)


def motion(N, t):
    """psi and its first two derivatives."""
    kappa = 3 * g * (3 * N + 1) / (2 * (4 * mp.mpf(N) + 1))
    Om = mp.sqrt(kappa + u**2 / 4)
    m = kappa / Om**2
    z = Om * t - mp.ellipk(m)
    turns = mp.floor((z + mp.ellipk(m)) / (2 * mp.ellipk(m)))  # am grows by pi for every 2 K
    z -= 2 * turns * mp.ellipk(m)
    am = mp.atan2(mp.ellipfun("sn", z, m=m), mp.ellipfun("cn", z, m=m)) + turns * mp.pi
    return mp.pi + 2 * am, 2 * Om * mp.ellipfun("dn", z, m=m), kappa * mp.sin(mp.pi + 2 * am)


def reaction(N, i, t):
    """Of the ground on crank i."""
    psi, w, a = motion(N, t)
    s, c = mp.cos(psi), mp.sin(psi)  # of the angle from the x axis
    B = (a * s - w**2 * c, -a * c - w**2 * s)  # acceleration of the point B
    couplers = 1 if i in (0, N) else 2
    Gy = -couplers * (B[1] + g) / 2  # of the couplers on the crank
    Gx = (c * Gy + a / 3 - g * c / 2) / s
    return B[0] / 2 - Gx, B[1] / 2 + g - Gy


def rows(table, N):
    for t in ("0.5", "1", "5"):
        psi, w, a = motion(N, mp.mpf(t))
        fixed = 1e-6 if t == "5" else 1e-7
        table.row(t, "crank0.phi", mp.pi / 2 - psi, fixed)
        table.row(t, "crank0.w", -w, 10 * fixed)
        table.row(t, "B0.x", mp.sin(psi), fixed)
        table.row(t, "B0.y", mp.cos(psi), fixed)
        for i in (0, 1) if N > 1 else (0,):
            for axis, value in zip("xy", reaction(N, i, mp.mpf(t))):
                table.row(t, f"A{i}.f{axis}", value, 100 * fixed, 1e-7)


def write(name, loops):
    table = Table(
        name, "N parallelogram loops: closed form in elliptic functions; every digit can be trusted.",
        "The x reactions of two and more loops grow without bound where the cranks lie flat; not at these times.",
        "tools/references/n_four_bar.py")
    for N in loops:
        if N != 2:
            table.note(f"set: parameters.N={N}")
        rows(table, N)
    table.write()


write("n-four-bar", (2, 1, 10))
write("double-four-bar", (2,))
