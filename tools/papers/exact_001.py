# SPDX-License-Identifier: BSD-3-Clause
"""Exact forces of the pendulum on two supports and of the spatial parallelogram, without holon.

The derivations stand in tools/references/pendulum_two_rods.py and spatial_parallelogram.py, which do the same with many
digits; the tests hold this file against what they wrote.
"""
import math

WEIGHT, LENGTH = 9.81, 2.0  # N, m
PLATE, ROD, BASE_INERTIA, ROD_LENGTH = 39.0, 0.34, 0.056, math.sqrt(0.5)
FORCE, TORQUE, GRAVITY = (2000.0, 3000.0, 3000.0), (300.0, 0.0, 500.0), (0.0, 0.0, -9.81)
MASS = PLATE / 4 + 3 * BASE_INERTIA
RODS = {"A": (-0.25, -0.25, 1), "C": (0.25, -0.25, 1), "E": (0.25, 0.25, 1), "G": (-0.25, 0.25, 1),
        "K": (-0.25, 0.0, -1), "M": (0.25, 0.0, -1)}  # place at the plate from its centre; up or down from the base
PATTERN = [1, -1, 1, -1, 0, 0]


def elliptic_cosine(u):
    """cn(u | 1/2) by the arithmetic-geometric mean, and the quarter period."""
    a, b, ratios = 1.0, math.sqrt(0.5), []
    for _ in range(7):
        a, b, c = (a + b) / 2, math.sqrt(a * b), (a - b) / 2
        ratios.append(c / a)
    phi = 2 ** len(ratios) * a * u
    for ratio in reversed(ratios):
        phi = (phi + math.asin(ratio * math.sin(phi))) / 2
    return math.cos(phi), math.pi / (2 * a)


def pendulum_tension(t):
    """-3 m g sin(theta) of the pendulum let go from the horizontal."""
    quarter = elliptic_cosine(0)[1]
    return 3 * WEIGHT * elliptic_cosine(math.sqrt(9.81 / LENGTH) * t + quarter)[0] ** 2


def angle_slope(state):
    theta, rate = state
    return rate, (FORCE[0] * math.cos(theta) - FORCE[1] * math.sin(theta)) / 2 / MASS


def angles(times, parts=8):
    """[(theta, rate)] at rising times from 0 on, by Runge-Kutta steps of 1 ms / parts."""
    found, now, state = [], 0.0, (0.0, 0.0)
    for t in times:
        count = max(1, math.ceil((t - now) * 1000 * parts - 1e-6))
        h = (t - now) / count
        for _ in range(count):
            state = runge_kutta(state, h)
        now = t
        found.append(state)
    return found


def runge_kutta(state, h):
    move = lambda slope, part: tuple(x + part * h * k for x, k in zip(state, slope))
    k1 = angle_slope(state)
    k2 = angle_slope(move(k1, 0.5))
    k3 = angle_slope(move(k2, 0.5))
    k4 = angle_slope(move(k3, 1))
    return tuple(x + h / 6 * (a + 2 * b + 2 * c + d) for x, a, b, c, d in zip(state, k1, k2, k3, k4))


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def cross(a, b):
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def rod(theta, rate, acceleration, up):
    """Direction, its second derivative, and the force on the plate without tension."""
    s, c, half = math.sin(theta), math.cos(theta), 1 / (2 * ROD_LENGTH)
    u = s * half, c * half, up * half
    u2 = (c * acceleration - s * rate**2) * half, (-s * acceleration - c * rate**2) * half, 0.0
    free = [ROD * g / 2 - BASE_INERTIA * x / ROD_LENGTH for g, x in zip(GRAVITY, u2)]
    return u, u2, [f - dot(free, u) * x for f, x in zip(free, u)]


def solve(A, b):
    """Gauss with pivoting."""
    n, rows = len(b), [list(row) + [y] for row, y in zip(A, b)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda k: abs(rows[k][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for k in range(i + 1, n):
            factor = rows[k][i] / rows[i][i]
            rows[k] = [x - factor * y for x, y in zip(rows[k], rows[i])]
    x = [0.0] * n
    for i in reversed(range(n)):
        x[i] = (rows[i][n] - dot(rows[i][i + 1:n], x[i + 1:])) / rows[i][i]
    return x


def tensions(theta, rate, compliance=(1, 1, 1, 1, 1, 1)):
    """{rod: tension at its base} for these relative compliances of the rods."""
    acceleration = angle_slope((theta, rate))[1]
    u2 = rod(theta, rate, acceleration, 1)[1]
    needed = [PLATE * (ROD_LENGTH * x - g) - f for x, g, f in zip(u2, GRAVITY, FORCE)] + [-t for t in TORQUE]
    columns, more = [], []
    for x, y, up in RODS.values():
        u, u2, across = rod(theta, rate, acceleration, up)
        place = (x, y, 0.0)
        needed = [n - f for n, f in zip(needed, [*across, *cross(place, across)])]
        columns.append([-n for n in (*u, *cross(place, u))])
        more.append(-dot([ROD * (ROD_LENGTH * a / 2 - g) for a, g in zip(u2, GRAVITY)], u))
    weights = [n * c for n, c in zip(PATTERN, compliance)]
    rows = [[*column] for column in zip(*columns)] + [weights]
    sums = [*needed, -dot(weights, more) / 2]  # the mean of both ends deforms a rod
    # seven equations for six tensions, one of which says nothing new: the normal equations
    A = [[dot(a, b) for b in zip(*rows)] for a in zip(*rows)]
    return {name: n + m for name, n, m in zip(RODS, solve(A, [dot(a, sums) for a in zip(*rows)]), more)}
