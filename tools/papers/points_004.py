# SPDX-License-Identifier: BSD-3-Clause
"""The slider-crank in the coordinates of the paper, x2, y2, x3, with the rows of its Eq. (17), without holon: penalty
and index-1 augmented Lagrangian, Eqs (5) and (6), the Hamiltonian of Eqs (13) to (15), by the forward Euler and the
trapezoidal rule with a fixed point, and ALi3, Eqs (7) to (11).

    M vdot = f - D^T (alpha (D vdot + c) + lambda*),   c = Ddot v + 2 xi omega Phidot + omega^2 Phi
    M v = p - D^T (alpha (Phidot + e) + sigma),        e = 2 xi omega Phi + omega^2 (integral of Phi)
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


def rows(q):
    """D and Phi."""
    x2, y2, x3 = q
    return ([[2 * x2, 2 * y2, 0], [2 * (x2 - x3), 2 * y2, 2 * (x3 - x2)]],
            [x2**2 + y2**2 - 1, (x2 - x3)**2 + y2**2 - 1])


def times(D, x):
    return [sum(D[k][j] * x[j] for j in range(3)) for k in (0, 1)]


def loaded(alpha, D):
    """M + alpha D^T D"""
    return [[MASS[i][j] + alpha * (D[0][i] * D[0][j] + D[1][i] * D[1][j]) for j in range(3)] for i in range(3)]


def heavy(x):
    """M x"""
    return [sum(MASS[i][j] * x[j] for j in range(3)) for i in range(3)]


def penalised(alpha, D, f, c, passes, tolerance, multipliers):
    """x and new multipliers of M x = f - D^T (alpha (D x + c) + multipliers)."""
    A, before = loaded(alpha, D), None
    for _ in range(passes):
        push = [alpha * c[k] + multipliers[k] for k in (0, 1)]
        x = solve(A, [f[i] - D[0][i] * push[0] - D[1][i] * push[1] for i in range(3)])
        multipliers = [m + alpha * (d + e) for m, d, e in zip(multipliers, times(D, x), c)]
        if before and max(abs(a - b) for a, b in zip(x, before)) <= tolerance * (1 + max(map(abs, x))):
            break
        before = x
    return x, multipliers


def accelerations(y, alpha, omega, xi, passes, tolerance):
    q, v = y[:3], y[3:]
    D, Phi = rows(q)
    c = [a + 2 * xi * omega * b + omega**2 * p for a, b, p in zip(times(rows(v)[0], v), times(D, v), Phi)]
    return penalised(alpha, D, [0, -GRAVITY, 0], c, passes, tolerance, [0, 0])[0]


def energy(y):
    v = y[3:]
    return sum(v[i] * MASS[i][j] * v[j] for i in range(3) for j in range(3)) / 2 + GRAVITY * y[1]


def largest(change):
    return max(map(abs, change))


def length(change):
    return math.sqrt(sum(x * x for x in change))


def trapezoidal(rates, h, until, tolerance, growths, size, state, accept=lambda y: None, interrupted=lambda: None):
    """The states. A step ends when its change is below the tolerance; or when it has grown so many times in a row, and
    then with the pass that changed least."""
    y, f0 = state, rates(state)
    accept(y)
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
        if now > tolerance:
            interrupted()
        y = best[1]
        f0 = rates(y)
        accept(y)
        yield y


def euler(rates, h, until, state, accept=lambda y: None):
    y = state
    for _ in range(round(until / h)):
        f = rates(y)
        accept(y)
        y = [a + h * b for a, b in zip(y, f)]
        yield y


def worst(states, energy_of=energy):
    return max((abs(energy_of(y) - energy(START)) for y in states), default=0)


def al_drift(until, growths, size, alpha=1e7, omega=200, step=1e-3, passes=50):
    """Table 2: h = 1e-3 s, alpha 1e7, omega 200, xi 1, tolerance 1e-7. With one pass it is the penalty formulation."""
    rates = lambda y: [*y[3:], *accelerations(y, alpha, omega, 1, passes, 1e-7)]
    return worst(trapezoidal(rates, step, until, 1e-7, growths, size, START))


def al_interrupted(until, growths, size, alpha=1e7, omega=200, step=1e-3):
    """The part of the steps of the same that do not converge."""
    steps = []
    rates = lambda y: [*y[3:], *accelerations(y, alpha, omega, 1, 50, 1e-7)]
    count = sum(1 for _ in trapezoidal(rates, step, until, 1e-7, growths, size, START,
                                       interrupted=lambda: steps.append(1)))
    return len(steps) / count


def penalty_drift(until, growths, size):
    """Table 2: h = 1e-4 s, alpha 1e7, omega 1000, xi 1, tolerance 1e-7."""
    return al_drift(until, growths, size, 1e7, 1000, 1e-4, 1)


class Momenta:
    """The Hamiltonian. sigma goes on from the accepted state."""

    def __init__(self, alpha, omega, xi):
        self.alpha, self.omega, self.xi = alpha, omega, xi
        self.sigma = self.latest = [0, 0]

    def velocities(self, y):
        D, Phi = rows(y[:3])
        e = [2 * self.xi * self.omega * p + self.omega**2 * J for p, J in zip(Phi, y[6:])]
        v, self.latest = penalised(self.alpha, D, y[3:6], e, 50, 1e-10, self.sigma)
        return v

    def rates(self, y):
        v = self.velocities(y)
        Ddot = rows(v)[0]
        push = [self.latest[0] * a + self.latest[1] * b for a, b in zip(*Ddot)]
        return [*v, push[0], push[1] - GRAVITY, push[2], *rows(y[:3])[1]]

    def accept(self, y):
        self.sigma = self.latest

    def energy(self, y):
        return energy([*y[:3], *self.velocities(y)])


def hamiltonian_drift(until, rule, step, xi, growths, size):
    """Tables 1 and 2: alpha 1e9, omega 0.1, tolerance 1e-7."""
    own, state = Momenta(1e9, 0.1, xi), [*START[:3], *heavy(START[3:]), 0, 0]
    if rule == "euler":
        return worst(euler(own.rates, step, until, state, own.accept), own.energy)
    return worst(trapezoidal(own.rates, step, until, 1e-7, growths, size, state, own.accept), own.energy)


def index3_step(q, v, a, multipliers, alpha, h, tolerance):
    """Eqs (8) to (11), and both projections. The change of x is measured as it is, not relative to anything."""
    b = h * h / 4
    x = [q[i] + h * v[i] + h * h / 2 * a[i] for i in range(3)]
    for _ in range(50):
        D, Phi = rows(x)
        now = [4 / h**2 * (x[i] - q[i] - h * v[i]) - a[i] for i in range(3)]
        push = [m + alpha * p for m, p in zip(multipliers, Phi)]
        g = [b * (m + D[0][i] * push[0] + D[1][i] * push[1] + (GRAVITY if i == 1 else 0))
             for i, m in enumerate(heavy(now))]
        dx = solve(loaded(b * alpha, D), g)
        x = [x[i] - dx[i] for i in range(3)]
        D, Phi = rows(x)
        multipliers = [m + alpha * p for m, p in zip(multipliers, Phi)]
        if largest(dx) < tolerance:
            break
    now = [4 / h**2 * (x[i] - q[i] - h * v[i]) - a[i] for i in range(3)]
    A = loaded(b * alpha, D)
    new = solve(A, heavy([v[i] + h / 2 * (a[i] + now[i]) for i in range(3)]))
    bend = times(rows(new)[0], new)
    return x, new, solve(A, [m - b * alpha * (D[0][i] * bend[0] + D[1][i] * bend[1])
                             for i, m in enumerate(heavy(now))]), multipliers


def index3_states(until, tolerance, step=1e-3, alpha=1e9, start=START):
    q, v, multipliers = start[:3], start[3:], [0, 0]
    a = accelerations(start, 1e9, 0, 0, 50, 1e-12)
    for _ in range(round(until / step)):
        q, v, a, multipliers = index3_step(q, v, a, multipliers, alpha, step, tolerance)
        yield [*q, *v]


def index3_drift(until, tolerance):
    """Table 2: h = 1e-3 s, alpha 1e9."""
    return worst(index3_states(until, tolerance))


# ---- From the singular configuration: x3/x2 after 0.1 s, 2 of a slider-crank, 0 of a pendulum ----

def index3_ratio(eta1, eta2, tolerance):
    *_, end = index3_states(0.1, tolerance, start=[0, 1, 0, eta1 + eta2, 0, 2 * eta1])
    return end[2] / end[0]


def penalty_ratio(epsilon):
    """Sec. 3.2.2: h = 1e-3 s, alpha 1e7, omega 10, xi 1, x2 = -epsilon and x3 = epsilon."""
    rates = lambda y: [*y[3:], *accelerations(y, 1e7, 10, 1, 1, 1e-7)]
    *_, end = trapezoidal(rates, 1e-3, 0.1, 1e-7, 2, largest, [-epsilon, 1, epsilon, -2, 0, -4])
    return end[2] / end[0]
