#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes models/pendulum/reference.csv: the closed form of the compound pendulum. Needs mpmath.

With th the angle from the hanging position, released from rest at th0:

    th'' = -W^2 sin th,  W^2 = 3 g / (2 L)                    a uniform bar hinged at its end
    sin(th/2) = k sn(W t + K | k^2),  k = sin(th0/2)          K: the complete integral; period 4 K / W
    th'^2 = 2 W^2 (cos th - cos th0)
"""
from reference_kit import Table, mp

g, L, m = mp.mpf("9.81"), mp.mpf(1), mp.mpf(1)
th0 = mp.radians(150)
W = mp.sqrt(3 * g / (2 * L))
k = mp.sin(th0 / 2)
K = mp.ellipk(k**2)


def motion(t):
    """th, th' and th''."""
    z = W * t + K
    th = 2 * mp.asin(k * mp.ellipfun("sn", z, m=k**2))
    rate = 2 * k * W * mp.ellipfun("cn", z, m=k**2)
    return th, rate, -(W**2) * mp.sin(th)


def hinge(th, w, a):
    """The force of the ground on the bar: m (acceleration of the centre - g)."""
    along, across = -(w**2) * L / 2, a * L / 2
    return m * (along * mp.sin(th) + across * mp.cos(th)), m * (-along * mp.cos(th) + across * mp.sin(th) + g)


table = Table("pendulum", "Closed form in elliptic functions; every digit can be trusted.",
              f"Period {mp.nstr(4 * K / W, 16)} s. tools/references/pendulum.py")
for t in ("0", "0.5", "1", "2", "5", "10"):
    th, w, a = motion(mp.mpf(t))
    x, y = hinge(th, w, a)
    state = 1e-12 if t == "0" else 1e-9
    table.row(t, "bar.phi", th - mp.pi / 2, state, state)
    table.row(t, "bar.w", mp.chop(w, 1e-25), state, state)
    table.row(t, "bar.x", L / 2 * mp.sin(th), state, state)
    table.row(t, "bar.y", -L / 2 * mp.cos(th), state, state)
    table.row(t, "O.fx", x, 10 * state, 10 * state)
    table.row(t, "O.fy", y, 10 * state, 10 * state)
table.write()
