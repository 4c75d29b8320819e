# SPDX-License-Identifier: BSD-3-Clause
"""The slider-crank in the coordinates of the paper, x2, y2, x3, with the rows of its Eq. (17): penalty and index-1
augmented Lagrangian, Eqs (5) and (6), by the trapezoidal rule with a fixed point. It knows nothing of holon.

    M vdot = f - D^T (alpha (D vdot + c) + lambda*),   c = Ddot v + 2 xi omega Phidot + omega^2 Phi
"""
import math

MASS = [[2 / 3, 0, 1 / 6], [0, 2 / 3, 0], [1 / 6, 0, 1 / 3]]  # two slender rods of 1 kg between points
GRAVITY = 9.81
START = [math.sqrt(0.5), math.sqrt(0.5), math.sqrt(2), -2, 2, -4]


def solve(A, b):
    """Three equations, by elimination with pivoting."""
    rows = [[*row, value] for row, value in zip(A, b)]
    for i in range(3):
        best = max(range(i, 3), key=lambda k: abs(rows[k][i]))
        rows[i], rows[best] = rows[best], rows[i]
        for k in range(i + 1, 3):
            factor = rows[k][i] / rows[i][i]
            rows[k] = [x - factor * y for x, y in zip(rows[k], rows[i])]
    x = [0, 0, 0]
    for i in (2, 1, 0):
        x[i] = (rows[i][3] - sum(rows[i][j] * x[j] for j in range(i + 1, 3))) / rows[i][i]
    return x


def accelerations(y, alpha, omega, xi, passes, tolerance):
    x2, y2, x3, *v = y
    D = [[2 * x2, 2 * y2, 0], [2 * (x2 - x3), 2 * y2, 2 * (x3 - x2)]]
    Phi = [x2**2 + y2**2 - 1, (x2 - x3)**2 + y2**2 - 1]
    Ddot_v = [2 * (v[0]**2 + v[1]**2), 2 * ((v[0] - v[2])**2 + v[1]**2)]
    c = [Ddot_v[k] + 2 * xi * omega * sum(D[k][j] * v[j] for j in range(3)) + omega**2 * Phi[k] for k in (0, 1)]
    A = [[MASS[i][j] + alpha * (D[0][i] * D[0][j] + D[1][i] * D[1][j]) for j in range(3)] for i in range(3)]
    multipliers, before = [0, 0], None
    for _ in range(passes):
        f = [alpha * c[k] + multipliers[k] for k in (0, 1)]
        vdot = solve(A, [(-GRAVITY if i == 1 else 0) - D[0][i] * f[0] - D[1][i] * f[1] for i in range(3)])
        multipliers = [multipliers[k] + alpha * (sum(D[k][j] * vdot[j] for j in range(3)) + c[k]) for k in (0, 1)]
        if before and max(abs(a - b) for a, b in zip(vdot, before)) <= tolerance * (1 + max(map(abs, vdot))):
            break
        before = vdot
    return vdot


def energy(y):
    v = y[3:]
    return sum(v[i] * MASS[i][j] * v[j] for i in range(3) for j in range(3)) / 2 + GRAVITY * y[1]


def largest(change):
    return max(map(abs, change))


def length(change):
    return math.sqrt(sum(x * x for x in change))


def drift(rates, h, until, tolerance, growths, size):
    """The largest drift of the energy. A step ends when its change is below the tolerance; or when it has grown so many
    times in a row, and then with the pass that changed least."""
    y, worst = START, 0
    f0 = rates(y)
    for _ in range(round(until / h)):
        guess, last, grown, best = [a + h * b for a, b in zip(y, f0)], math.inf, 0, None
        for _ in range(50):
            f1 = rates(guess)
            corrected = [a + h / 2 * (b + c) for a, b, c in zip(y, f0, f1)]
            now = size([a - b for a, b in zip(corrected, guess)])
            best = min(best or (now, corrected), (now, corrected))
            guess, grown, last = corrected, grown + 1 if now > last else 0, now
            if now <= tolerance or grown == growths:
                break
        y = best[1]
        f0 = rates(y)
        worst = max(worst, abs(energy(y) - energy(START)))
    return worst


def al_drift(until, growths, size):
    """Table 2: h = 1e-3 s, alpha 1e7, omega 200, xi 1, tolerance 1e-7."""
    rates = lambda y: [*y[3:], *accelerations(y, 1e7, 200, 1, 50, 1e-7)]
    return drift(rates, 1e-3, until, 1e-7, growths, size)
