#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes models/spatial-parallelogram/reference.csv. Needs mpmath.

The plate only translates, along a circle in a horizontal plane, and all rods turn alike about the vertical without
spinning: with u along a rod from the base to the plate, l u = (sin th, cos th, 1)/2 or (sin th, cos th, -1)/2. One
coordinate th (30 digits):

    (M/4 + 6 I/2) th'' = (Fx cos th - Fy sin th)/2                 I: of a rod about its joint at the base, transverse

A rod of mass m, angular momentum I u x u' about its base, gives the force t on the plate and takes b from the base:

    t = (m g/2 - I u''/l) across u, and -N along u                 N: the tension at the plate
    b = t + m (l u''/2 - g)

The plate asks for sum t = M (a - g) - F and sum r x t = -T: six equations of rank five for the six N. Rods A, C, E, G
can be prestressed by n = (1, -1, 1, -1). Rods that yield leave n . (C (N_plate + N_base)) = 0 with the compliances C.
"""
from reference_kit import Table, cross, integrate, mp

half, quarter = mp.mpf("0.5"), mp.mpf("0.25")
M, m, I, l = mp.mpf(39), mp.mpf("0.34"), mp.mpf("0.056"), mp.sqrt(half)
g = mp.matrix([0, 0, mp.mpf("-9.81")])
F, T = mp.matrix([2000, 3000, 3000]), mp.matrix([300, 0, 500])
MASS = M / 4 + 6 * I / 2
# base joint, plate joint, place of the latter from the centre of the plate, upwards or downwards from the base
RODS = [("A", "B", (-quarter, -quarter), 1), ("C", "D", (quarter, -quarter), 1), ("E", "F", (quarter, quarter), 1),
        ("G", "H", (-quarter, quarter), 1), ("K", "L", (-quarter, 0), -1), ("M", "N", (quarter, 0), -1)]
PATTERN = [1, -1, 1, -1, 0, 0]


def slope(t, y):
    return [y[1], (F[0] * mp.cos(y[0]) - F[1] * mp.sin(y[0])) / 2 / MASS]


def dot(a, b):
    return mp.fsum(x * y for x, y in zip(a, b))


def rod(th, w, e, up):
    """Direction, its second derivative, and what the force on the plate is without tension."""
    s, c = mp.sin(th), mp.cos(th)
    u = mp.matrix([s, c, up]) / (2 * l)
    u2 = mp.matrix([c * e - s * w**2, -s * e - c * w**2, 0]) / (2 * l)
    free = m * g / 2 - I * u2 / l
    return u, u2, free - dot(free, u) * u


def tensions(th, w, e, compliance):
    """Of the six rods at the plate, and the differences to the base."""
    A, b = mp.zeros(7, 6), mp.zeros(7, 1)
    acceleration = mp.matrix([mp.cos(th) * e - mp.sin(th) * w**2, -mp.sin(th) * e - mp.cos(th) * w**2, 0]) / 2
    force, moment, more = M * (acceleration - g) - F, -T, []
    for i, (_, _, place, up) in enumerate(RODS):
        u, u2, across = rod(th, w, e, up)
        r = mp.matrix([*place, 0])
        force, moment = force - across, moment - cross(r, across)
        arm = cross(r, u)
        for j in range(3):
            A[j, i], A[3 + j, i] = -u[j], -arm[j]
        more.append(-dot(m * (l * u2 / 2 - g), u))  # at the base beyond that at the plate
        A[6, i] = 2 * PATTERN[i] * compliance[i]
        b[6] -= PATTERN[i] * compliance[i] * more[i]
    for j in range(3):
        b[j], b[3 + j] = force[j], moment[j]
    N = mp.lu_solve(A, b)
    assert mp.norm(A * N - b) < mp.mpf(10) ** -20  # seven equations, six unknowns
    return N, more


def loads(th, w, e, compliance):
    """{joint: force on its second body}."""
    N, _ = tensions(th, w, e, compliance)
    found = {}
    for (base, top, _, up), tension in zip(RODS, N):
        u, u2, across = rod(th, w, e, up)
        found[top] = across - tension * u
        found[base] = found[top] + m * (l * u2 / 2 - g)
    return found


def forces(table, t, state, compliance):
    fixed, tight = (1e-9, 1e-9) if t == "0" else (1e-5, 1e-7)
    for joint, force in sorted(loads(*state, slope(0, state)[1], compliance).items()):
        for axis, value in zip(("fx", "fy", "fz"), force):
            table.row(t, f"{joint}.{axis}", mp.chop(value, 1e-24), fixed, tight)


def main():
    table = Table("spatial-parallelogram", "One coordinate, extrapolated with 30 digits; every digit can be trusted.",
                  "Forces of rods of equal stiffness, which are also the smallest, and with GH half as stiff.",
                  "tools/references/spatial_parallelogram.py")
    states, now, y = {}, mp.mpf(0), [mp.mpf(0), mp.mpf(0)]
    for t in ("0", "0.1", "0.2", "0.5", "1"):
        now, y = mp.mpf(t), integrate(slope, now, y, mp.mpf(t), mp.mpf("0.0125"), 12) if t != "0" else y
        states[t] = y
    for t, (th, w) in states.items():
        place = 1e-12 if t == "0" else 5e-8
        for column, value in (("x", quarter + mp.sin(th) / 2), ("y", quarter + mp.cos(th) / 2), ("z", half),
                              ("vx", mp.cos(th) * w / 2), ("vy", -mp.sin(th) * w / 2)):
            table.row(t, "plate." + column, value, place, min(place, 1e-10))
    equal, soft = [1] * 6, [1, 1, 1, 2, 1, 1]
    for changes, compliance in (([], equal), (["run.reactions=minimum-norm"], equal),
                                (["joints.G.stiffness=rod_stiffness", "joints.H.stiffness=rod_stiffness"], soft)):
        for change in changes:
            table.note("set: " + change)
        for t in ("0", "0.5"):
            forces(table, t, states[t], compliance)
    table.write()
    for t in ("0", "0.5"):  # to read: tension at the plate and at the base
        th, w = states[t]
        N, more = tensions(th, w, slope(0, states[t])[1], equal)
        print(t, mp.nstr(th, 16), *(f"{r[0]} {mp.nstr(a, 16)} {mp.nstr(a + b, 16)}" for r, a, b in zip(RODS, N, more)))


if __name__ == "__main__":
    main()
