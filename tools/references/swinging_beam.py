#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Prints where the beam of tests/physics/energy_beams.c swings to, from the same elements in other coordinates.

In the plane a node is (x, y, th), its axes a1 = (cos th, sin th) and a2 = (-sin th, cos th). With Lagrange's polynomials
for r, a1 and a2, two Gauss points for each element of order 2,

    G1 = a1 . r' - 1,   G2 = a2 . r',   k = (a2 . a1' - a1 . a2')/2,   V = int (EA G1^2 + GA G2^2 + EI k^2)/2 ds + weight
    T  = sum S_ij (m rdot_i . rdot_j + J cos(th_i - th_j) thdot_i thdot_j)/2,   S_ij = int N_i N_j ds

there are no constraints but the pin of the first node, whose place is left out, and Lagrange's equations are
integrated by Runge and Kutta's method of order 4 with two steps, whose results are extrapolated.
"""
from math import cos, sin, sqrt

ELEMENTS, L, EA, GA, EI, m, J, g = 2, 1.0, 200.0, 200.0, 4.0, 1.0, 0.05, 9.81
NODES, each = 2 * ELEMENTS + 1, L / ELEMENTS


def shape(xi):
    """N and dN/ds of the nodes at -1, 0, 1."""
    return ([xi * (xi - 1) / 2, 1 - xi * xi, xi * (xi + 1) / 2],
            [(xi - 0.5) * 2 / each, -2 * xi * 2 / each, (xi + 0.5) * 2 / each])


TWO = [(-1 / sqrt(3), 1.0), (1 / sqrt(3), 1.0)]
THREE = [(-sqrt(0.6), 5 / 9), (0.0, 8 / 9), (sqrt(0.6), 5 / 9)]

S = [[0.0] * NODES for _ in range(NODES)]
load = [0.0] * NODES
for e in range(ELEMENTS):
    for xi, w in THREE:
        N, _ = shape(xi)
        for i in range(3):
            load[2 * e + i] += w * each / 2 * N[i]
            for j in range(3):
                S[2 * e + i][2 * e + j] += w * each / 2 * N[i] * N[j]


def forces(x, y, th):
    """-dV/d(x, y, th) of all nodes."""
    fx, fy, fth = [0.0] * NODES, [-m * g * load[i] for i in range(NODES)], [0.0] * NODES
    c, s = [cos(a) for a in th], [sin(a) for a in th]
    for e in range(ELEMENTS):
        for xi, w in TWO:
            N, dN = shape(xi)
            n = [2 * e, 2 * e + 1, 2 * e + 2]
            total = lambda f, values: sum(f[i] * values[n[i]] for i in range(3))
            rx, ry = total(dN, x), total(dN, y)
            C, Sn, dC, dS = total(N, c), total(N, s), total(dN, c), total(dN, s)
            n1 = EA * (C * rx + Sn * ry - 1)
            n2 = GA * (-Sn * rx + C * ry)
            k = EI * (C * dS - Sn * dC)  # a2 . a1' = -a1 . a2'
            for i in range(3):
                f = w * each / 2
                fx[n[i]] -= f * dN[i] * (n1 * C - n2 * Sn)
                fy[n[i]] -= f * dN[i] * (n1 * Sn + n2 * C)
                by_c = N[i] * (n1 * rx + n2 * ry + k * dS) - dN[i] * k * Sn
                by_s = N[i] * (n1 * ry - n2 * rx - k * dC) + dN[i] * k * C
                fth[n[i]] -= f * (-by_c * s[n[i]] + by_s * c[n[i]])
    return fx, fy, fth


def solve(A, b):
    """Gaussian elimination with pivoting."""
    n = len(b)
    A = [row[:] + [b[i]] for i, row in enumerate(A)]
    for i in range(n):
        p = max(range(i, n), key=lambda k: abs(A[k][i]))
        A[i], A[p] = A[p], A[i]
        for k in range(i + 1, n):
            f = A[k][i] / A[i][i]
            for j in range(i, n + 1):
                A[k][j] -= f * A[i][j]
    z = [0.0] * n
    for i in reversed(range(n)):
        z[i] = (A[i][n] - sum(A[i][j] * z[j] for j in range(i + 1, n))) / A[i][i]
    return z


def invert(A):
    n = len(A)
    columns = [solve(A, [float(i == j) for i in range(n)]) for j in range(n)]
    return [[columns[j][i] for j in range(n)] for i in range(n)]


free = list(range(1, NODES))
mass_inverse = invert([[m * S[i][j] for j in free] for i in free])


def rates(state):
    x, y, th = state[:NODES], state[NODES:2 * NODES], state[2 * NODES:3 * NODES]
    w = state[5 * NODES:]
    fx, fy, fth = forces(x, y, th)
    ax = [0.0] + [sum(mass_inverse[i][j] * fx[free[j]] for j in range(len(free))) for i in range(len(free))]
    ay = [0.0] + [sum(mass_inverse[i][j] * fy[free[j]] for j in range(len(free))) for i in range(len(free))]
    A = [[J * S[i][j] * cos(th[i] - th[j]) for j in range(NODES)] for i in range(NODES)]
    b = [fth[i] - sum(J * S[i][j] * sin(th[i] - th[j]) * w[j] ** 2 for j in range(NODES)) for i in range(NODES)]
    return state[3 * NODES:] + ax + ay + solve(A, b)


def go(h, until):
    state = [L * i / (NODES - 1) for i in range(NODES)] + [0.0] * (5 * NODES)
    for _ in range(round(until / h)):
        move = lambda k, f: [a + f * h * b for a, b in zip(state, k)]
        k1 = rates(state)
        k2 = rates(move(k1, 0.5))
        k3 = rates(move(k2, 0.5))
        k4 = rates(move(k3, 1))
        state = [a + h / 6 * (p + 2 * q + 2 * r + u) for a, p, q, r, u in zip(state, k1, k2, k3, k4)]
    return state


coarse, fine = go(4e-4, 0.8), go(2e-4, 0.8)
for name, i in (("x", NODES - 1), ("y", 2 * NODES - 1), ("angle", 3 * NODES - 1)):
    print(f"{name:6s} {fine[i] + (fine[i] - coarse[i]) / 15:.12f}   change by the step {abs(fine[i] - coarse[i]):.1e}")
