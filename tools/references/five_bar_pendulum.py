#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes models/five-bar-pendulum/reference.csv. Needs mpmath; takes some minutes.

Five joint angles. Body i turns with w_i = sum over j <= i of z_j q_j', z_j the axes of the joints; its centre moves
with sum z_j x (c_i - p_j) q_j'. Newton and Euler for every body, projected on these directions, give M q'' = force.
"""
from reference_kit import Table, cross, integrate, mp

f = mp.mpf
X, Y = mp.matrix([1, 0, 0]), mp.matrix([0, 1, 0])
GRAVITY = mp.matrix([0, 0, f("-9.81")])
AXIAL, TRANSVERSE = f("0.02") / 12, f("1.01") / 12  # a bar 1 m x 0.1 m x 0.1 m of 1 kg
FORMS = {"C": ([X, Y, X, Y, X], [Y, X, Y, X, Y]), "A": ([X] * 5, [Y] * 5)}  # directions of the bars, axes of the joints


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def turned(axis, angle, v):
    """Rodrigues; axis of unit length."""
    c, s = mp.cos(angle), mp.sin(angle)
    return v * c + cross(axis, v) * s + axis * (dot(axis, v) * (1 - c))


def chain(form, q):
    """For each bar its joint, the axis of the joint, the direction of the bar."""
    bars, axes = form
    base = [X, Y, mp.matrix([0, 0, 1])]
    p, result = mp.matrix([0, 0, 0]), []
    for d, a, angle in zip(bars, axes, q):
        z = sum((base[k] * a[k] for k in range(3)), mp.matrix([0, 0, 0]))
        base = [turned(z, angle, b) for b in base]
        u = sum((base[k] * d[k] for k in range(3)), mp.matrix([0, 0, 0]))
        result.append((p, z, u))
        p = p + u
    return result


def inertia(u, w):
    return w * TRANSVERSE + u * ((AXIAL - TRANSVERSE) * dot(u, w))


def accelerations(form, q, rates):
    parts = chain(form, q)
    w = e = a = mp.matrix([0, 0, 0])  # of the body and of its joint, as if q'' = 0
    M, force = mp.zeros(5), mp.zeros(5, 1)
    for i, (p, z, u) in enumerate(parts):
        e = e + cross(w, z) * rates[i]
        w = w + z * rates[i]
        centre = a + (cross(e, u) + cross(w, cross(w, u))) / 2
        a = a + cross(e, u) + cross(w, cross(w, u))
        push, twist = GRAVITY - centre, -inertia(u, e) - cross(w, inertia(u, w))
        move = [cross(parts[j][1], p + u / 2 - parts[j][0]) for j in range(i + 1)]
        for j in range(i + 1):
            force[j] += dot(move[j], push) + dot(parts[j][1], twist)
            turning = inertia(u, parts[j][1])
            for k in range(j + 1):
                M[j, k] += dot(move[j], move[k]) + dot(parts[k][1], turning)
                M[k, j] = M[j, k]
    return list(mp.lu_solve(M, force))


def main():
    table = Table("five-bar-pendulum", "Five joint angles, extrapolated with 30 digits; every digit can be trusted.",
                  "Chaotic: the tolerances grow with the time. tools/references/five_bar_pendulum.py")
    for name, form in FORMS.items():
        if name != "C":
            table.note(f"variant: {name}")
        now, y = f(0), [f(0)] * 10
        for t, fixed in (("0.5", 1e-8), ("1", 1e-8), ("3", 1e-5)):
            slope = lambda _, y: y[5:] + accelerations(form, y[:5], y[5:])
            now, y = f(t), integrate(slope, now, y, f(t), f("0.02"), 11)
            parts = chain(form, y[:5])
            for i in (2, 4):
                for axis, value in zip("xyz", parts[i][0] + parts[i][2] / 2):
                    table.row(t, f"bar{i + 1}.{axis}", value, fixed)
    table.write()


if __name__ == "__main__":
    main()
