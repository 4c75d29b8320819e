#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes reference.csv of pendulum-two-rods, pendulum-preload and pendulum-two-bearings: closed forms. Needs mpmath.

A mass m at the end of l, let go from the horizontal; th from +x, y upwards, a = th + pi/2 from the hanging position:

    a'' = -W^2 sin a,  W^2 = m g l / (m l^2 + J)              J = 0 for the rods, about the tip for the bar
    sin(a/2) = k sn(W t + K | k^2),  k = sin(pi/4)            period 4 K / W
    a'^2 = 2 W^2 cos a

Force of the supports on the mass: m (acceleration - g). For J = 0 it is -F (cos th, sin th) with the tension
F = -3 m g sin th. Two supports of stiffness k1, k2 carry the parts k_i / (k1 + k2). A rod that is d too long adds the
tension -k1 k2 d / (k1 + k2), the other rod the opposite.
"""
from reference_kit import Table, mp

g, l, m = mp.mpf("9.81"), mp.mpf(2), mp.mpf(1)
k1, k2, misfit = mp.mpf("1e7"), mp.mpf("2e7"), mp.mpf("6e-7")
k = mp.sin(mp.pi / 4)
K = mp.ellipk(k**2)
preload = -k1 * k2 / (k1 + k2) * misfit
TIMES = ("0", "0.5", "1", "2", "5", "10")
SHARES = {"stiffness": k1 / (k1 + k2), "minimum-norm": mp.mpf("0.5"), "elimination": mp.mpf(1)}  # of the first


def motion(t, J=mp.mpf(0)):
    """th, th' and the force of the supports on the mass, in x and y."""
    W = mp.sqrt(m * g * l / (m * l**2 + J))
    z = W * mp.mpf(t) + K
    a = 2 * mp.asin(k * mp.ellipfun("sn", z, m=k**2))
    w = 2 * k * W * mp.ellipfun("cn", z, m=k**2)
    e = -(W**2) * mp.sin(a)
    along, across = -m * l * w**2, m * l * e
    th = a - mp.pi / 2
    x, y = along * mp.cos(th) - across * mp.sin(th), along * mp.sin(th) + across * mp.cos(th) + m * g
    return th, *(mp.chop(number, 1e-25) for number in (w, x, y))


def comments(text):
    return text, "Closed form in elliptic functions; every digit can be trusted. tools/references/pendulum_two_rods.py"


def supports(table, t, names, forces, tolerance):
    for name, (x, y) in zip(names, forces):
        table.row(t, name + ".fx", x, tolerance, tolerance)
        table.row(t, name + ".fy", y, tolerance, tolerance)


def tolerances(t):
    """Of places and of forces."""
    return (1e-12, 1e-11) if t == "0" else (1e-9, 1e-8)


def rods(name, text, kinds, extra):
    """One table of the particle; `extra` is the tension that the first rod has and the second lacks."""
    table = Table(name, *comments(text))
    for kind in kinds:
        if kind != "stiffness":
            table.note(f"set: run.reactions={kind}")
        for t in TIMES:
            state, force = tolerances(t)
            th, w, x, y = motion(t)
            c, s, share = mp.cos(th), mp.sin(th), SHARES[kind]
            if kind == "stiffness":
                for column, value in (("x", l * c), ("y", l * s), ("vx", -l * w * s), ("vy", l * w * c)):
                    table.row(t, "P." + column, mp.chop(value, 1e-25), state, state)
            first = share * x - extra * c, share * y - extra * s
            supports(table, t, ("rod1", "rod2"), (first, (x - first[0], y - first[1])), force)
    table.write()


def bearings():
    J = mp.mpf("1e-6")
    table = Table("pendulum-two-bearings", *comments("The bearings carry 1/3 and 2/3 of what holds the bar."))
    for kind, share in SHARES.items():
        if kind != "stiffness":
            table.note(f"set: run.reactions={kind}")
        for t in TIMES:
            state, force = tolerances(t)
            th, w, x, y = motion(t, J)
            if kind == "stiffness":
                table.row(t, "rod.phi", th, state, state)
                table.row(t, "rod.w", w, state, state)
                table.row(t, "rod.x", l * mp.cos(th), state, state)
                table.row(t, "rod.y", l * mp.sin(th), state, state)
            supports(table, t, ("bearing1", "bearing2"), ((share * x, share * y), (x - share * x, y - share * y)), force)
    table.write()


period = mp.nstr(4 * K / mp.sqrt(g / l), 16)
rods("pendulum-two-rods", f"The rods carry 1/3 and 2/3 of -3 m g sin(theta). Period {period} s.", SHARES, mp.mpf(0))
rods("pendulum-preload", "The rods carry 1/3 and 2/3 of -3 m g sin(theta), and -4 N and 4 N of tension besides.",
     ["stiffness"], preload)
bearings()
