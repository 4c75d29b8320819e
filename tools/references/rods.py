# SPDX-License-Identifier: BSD-3-Clause
"""Elastic rods for the references of models with beams: chains of rigid sections, nothing of which is like a beam of
director nodes. Plain Python with floats.

A rod is cut into elements of length h with a section at each end. The stress of an element is that of its middle, its
mass stands at its ends. Errors go with h^2, h^4, ..., so that runs with several h are extrapolated.
"""
from math import cos, sin, sqrt


def extrapolated(values):
    """Richardson's: values with h, h/2, h/4, ..., and how far the last two columns are apart."""
    table, before = list(values), None
    power = 4
    while len(table) > 1:
        before = table[-1]
        table = [(power * fine - coarse) / (power - 1) for coarse, fine in zip(table, table[1:])]
        power *= 4
    return table[0], abs(table[0] - before)


class PlanarRod:
    """Sections (x, y, theta), z = all x, all y, all theta. Strains of an element with middle angle a:

        G1 = cos(a) x' + sin(a) y' - 1,  G2 = -sin(a) x' + cos(a) y',  k = theta'
    """

    def __init__(self, n, length, EA, GA, EI, mass, J, ends):
        self.n, self.h, self.EA, self.GA, self.EI = n, length / n, EA, GA, EI
        share = [self.h * (0.5 if i in (0, n) else 1.0) for i in range(n + 1)]
        self.m = [mass * s for s in share]
        self.J = [J * s for s in share]
        dx, dy = (ends[1][0] - ends[0][0]) / n, (ends[1][1] - ends[0][1]) / n
        self.x = [ends[0][0] + dx * i for i in range(n + 1)]
        self.y = [ends[0][1] + dy * i for i in range(n + 1)]
        self.cos, self.sin = dx / self.h, dy / self.h  # angles begin as zero, of axes along the rod

    def forces(self, x, y, theta):
        n, h = self.n, self.h
        fx, fy, ft = [0.0] * (n + 1), [0.0] * (n + 1), [0.0] * (n + 1)
        for i in range(n):
            a = 0.5 * (theta[i] + theta[i + 1])
            c, s = cos(a), sin(a)
            c, s = c * self.cos - s * self.sin, s * self.cos + c * self.sin
            dx, dy = (x[i + 1] - x[i]) / h, (y[i + 1] - y[i]) / h
            along, across = c * dx + s * dy, c * dy - s * dx
            N, V = self.EA * (along - 1), self.GA * across
            M = self.EI * (theta[i + 1] - theta[i]) / h
            Fx, Fy = c * N - s * V, s * N + c * V
            turn = 0.5 * h * (V * along - N * across)
            fx[i] += Fx
            fx[i + 1] -= Fx
            fy[i] += Fy
            fy[i + 1] -= Fy
            ft[i] += M + turn
            ft[i + 1] += turn - M
        return fx, fy, ft


def rk4(slope, y, t, h, count):
    """count steps of Runge and Kutta's fourth order."""
    for k in range(count):
        at = t + k * h
        a = slope(at, y)
        b = slope(at + h / 2, [p + h / 2 * q for p, q in zip(y, a)])
        c = slope(at + h / 2, [p + h / 2 * q for p, q in zip(y, b)])
        d = slope(at + h, [p + h * q for p, q in zip(y, c)])
        y = [p + h / 6 * (q + 2 * (r + s) + u) for p, q, r, s, u in zip(y, a, b, c, d)]
    return y


def follow(slope, y, times, longest):
    """States at the times, which rise from zero, by steps no longer than this that end at each of them."""
    t, states = 0.0, []
    for until in times:
        count = max(1, int((until - t) / longest + 1 - 1e-9)) if until > t else 0
        if count:
            y = rk4(slope, y, t, (until - t) / count, count)
        states.append(y)
        t = until
    return states


# ---- In space ----


def times(q, p):
    """Product of two quaternions."""
    a, b, c, d = q
    e, f, g, i = p
    return (a * e - b * f - c * g - d * i, a * f + b * e + c * i - d * g,
            a * g - b * i + c * e + d * f, a * i + b * g - c * f + d * e)


def matrix(q):
    a, b, c, d = q
    return ((1 - 2 * (c * c + d * d), 2 * (b * c - a * d), 2 * (b * d + a * c)),
            (2 * (b * c + a * d), 1 - 2 * (b * b + d * d), 2 * (c * d - a * b)),
            (2 * (b * d - a * c), 2 * (c * d + a * b), 1 - 2 * (b * b + c * c)))


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def turned(R, a):
    return tuple(r[0] * a[0] + r[1] * a[1] + r[2] * a[2] for r in R)


def turned_back(R, a):
    return tuple(R[0][i] * a[0] + R[1][i] * a[1] + R[2][i] * a[2] for i in range(3))


def unit(q):
    size = sqrt(sum(x * x for x in q))
    return tuple(x / size for x in q)


class SpatialRod:
    """Sections (r, p) with unit quaternions p and axes R(p). Two neighbours have a middle between them, along p_1 + p_2,
    from which the second is turned by half of the way, t = tan(angle/4) axis. Strains in the axes R of the middle:

        G = R^T r',   kappa = 4 t / h

    Small turns w_1, w_2 of the sections, seen in R, turn R by (w_1 + w_2)/2 + (w_2 - w_1) x t / 2 and change t by
    (1 + t.t) (w_2 - w_1) / 4. From this the torques of the elastic energy: with q = G x N

        (h q - h t x q) / 2 + (1 + t.t) M   on the first,   (h q + h t x q) / 2 - (1 + t.t) M   on the second
    """

    def __init__(self, n, length, C, K, mass, J):
        self.n, self.h, self.C, self.K = n, length / n, C, K
        share = [self.h * (0.5 if i in (0, n) else 1.0) for i in range(n + 1)]
        self.m = [mass * s for s in share]
        self.J = [tuple(j * s for j in J) for s in share]

    def loads(self, r, p):
        """Forces and torques on the sections, in global axes."""
        n, h, C, K = self.n, self.h, self.C, self.K
        F = [[0.0] * 3 for _ in range(n + 1)]
        T = [[0.0] * 3 for _ in range(n + 1)]
        for i in range(n):
            p1, p2 = p[i], p[i + 1]
            middle = unit([a + b for a, b in zip(p1, p2)])
            R = matrix(middle)
            d = times((middle[0], -middle[1], -middle[2], -middle[3]), p2)
            t = (d[1] / d[0], d[2] / d[0], d[3] / d[0])
            G = turned_back(R, [(b - a) / h for a, b in zip(r[i], r[i + 1])])
            N = (C[0] * (G[0] - 1), C[1] * G[1], C[2] * G[2])
            more = 1 + t[0] * t[0] + t[1] * t[1] + t[2] * t[2]
            f, q = turned(R, N), cross(G, N)
            side = cross(t, q)
            first = turned(R, [0.5 * h * (a - b) + more * k * 4 * c / h for a, b, k, c in zip(q, side, K, t)])
            second = turned(R, [0.5 * h * (a + b) - more * k * 4 * c / h for a, b, k, c in zip(q, side, K, t)])
            for k in range(3):
                F[i][k] += f[k]
                F[i + 1][k] -= f[k]
                T[i][k] += first[k]
                T[i + 1][k] += second[k]
        return F, T
