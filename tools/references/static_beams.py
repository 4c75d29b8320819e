# SPDX-License-Identifier: BSD-3-Clause
"""References of models/bend-45 and models/princeton-beam: the equations of a rod as an initial value problem from the
clamp, whose moment there is found by Newton's method. With a dead force n at the end, axes R and the arc length s

    r' = R (e_1 + C^-1 R^T n),   R' = R [kappa_0 + K^-1 R^T m],   m' = -r' x n,   m(L) = 0
"""
from math import cos, pi, radians, sin, tanh

from reference_kit import Table
from rods import cross, matrix, rk4, times, turned, turned_back, unit

STEPS = 400


class Strip:
    """C, K: stiffnesses; curvature as drawn; quaternion of the axes at the clamp."""

    def __init__(self, length, C, K, curvature=(0.0, 0.0, 0.0), axes=(1.0, 0.0, 0.0, 0.0)):
        self.length, self.C, self.K, self.curvature, self.axes = length, C, K, curvature, axes

    def slope(self, n):
        def slope(_, y):
            p, m = y[3:7], y[7:]
            R = matrix(p)
            force, moment = turned_back(R, n), turned_back(R, m)
            stretch = turned(R, [e + f / c for e, f, c in zip((1, 0, 0), force, self.C)])
            bend = [k0 + x / k for k0, x, k in zip(self.curvature, moment, self.K)]
            turning = times(p, (0.0, *bend))
            return [*stretch, *(0.5 * x for x in turning), *(-x for x in cross(stretch, n))]
        return slope

    def shoot(self, n, m):
        return rk4(self.slope(n), [0.0] * 3 + list(self.axes) + list(m), 0.0, self.length / STEPS, STEPS)

    def solve(self, n, m):
        """Newton's method for the moment at the clamp; the end (r, p)."""
        size = max(abs(x) for x in n) * self.length
        for _ in range(30):
            y = self.shoot(n, m)
            if max(abs(x) for x in y[7:]) < 1e-12 * size:
                break
            eps = 1e-6 * size
            columns = []
            for k in range(3):
                moved = [x + (eps if i == k else 0.0) for i, x in enumerate(m)]
                columns.append([(a - b) / eps for a, b in zip(self.shoot(n, moved)[7:], y[7:])])
            m = [a - b for a, b in zip(m, solve3(columns, y[7:]))]
        return y, m


def solve3(columns, b):
    """Cramer's rule."""
    a0, a1, a2 = columns
    det = sum(x * y for x, y in zip(a0, cross(a1, a2)))
    return [sum(x * y for x, y in zip(v, w)) / det
            for v, w in ((b, cross(a1, a2)), (a0, cross(b, a2)), (a0, cross(a1, b)))]


def loaded(strip, n, count):
    """By load steps, each from the moment before."""
    m = [0.0] * 3
    for k in range(1, count + 1):
        y, m = strip.solve([x * k / count for x in n], [x * k / max(1, k - 1) for x in m])
    return y, m


def write_end(table, y, m, tolerances, turn_back=(1.0, 0.0, 0.0, 0.0)):
    place, turning = tolerances
    p = unit(times(y[3:7], turn_back))
    p = [x if p[0] > 0 else -x for x in p]
    for name, value in zip("xyz", y):
        table.row("static", f"b.end.{name}", value, place, None)
    for i, value in enumerate(p):
        table.row("static", f"b.end.e{i}", value, turning, None)
    return p


def bends():
    table = Table("bend-45", "Shooting; 9 digits hold. tools/references/static_beams.py")
    table.note("loads: 5")
    for variant, J in (("polar", 1 / 6), ("saint-venant", saint_venant(1.0, 1.0))):
        G = 0.5e7
        # drawn along y first and towards x: axis 1 along y, axis 2 as y of a bar, horizontal
        axes = (0.5**0.5, 0.0, 0.0, 0.5**0.5)
        strip = Strip(100 * pi / 4, (1e7, G, G), (G * J, 1e7 / 12, 1e7 / 12), (0.0, 0.0, -0.01), axes)
        for P in (300, 450, 600):
            if variant != "polar":
                table.note(f"variant: {variant}")
            table.note(f"set: parameters.P={P} N")
            y, m = loaded(strip, (0.0, 0.0, float(P)), 6)
            write_end(table, y, m, (2e-5, 1e-6))
    table.write()


def saint_venant(a, b):
    """Torsion constant of a rectangle, b not larger than a."""
    total = sum(tanh(k * pi * a / (2 * b)) / k**5 for k in range(1, 400, 2))
    return a * b**3 / 3 * (1 - 192 * b / (pi**5 * a) * total)


def princeton():
    table = Table("princeton-beam", "Shooting; 9 digits hold. tools/references/static_beams.py")
    table.note("loads: 5")
    E, nu, high, thin, L = 71.7e9, 0.31, 0.012377, 0.0032024, 0.508
    G, A = E / (2 * (1 + nu)), high * thin
    # axis 2 is y, soft; axis 3 is z, stiff
    strip = Strip(L, (E * A, 5 / 6 * G * A, 5 / 6 * G * A),
                  (G * saint_venant(high, thin), E * thin * high**3 / 12, E * high * thin**3 / 12))
    for P in (4.448, 8.896, 13.345):
        for theta in range(0, 91, 15):
            table.note(f"set: parameters.P={P} N")
            table.note(f"set: parameters.theta={theta} deg")
            a = radians(theta)
            y, m = loaded(strip, (0.0, P * sin(a), P * cos(a)), 5)
            write_end(table, y, m, (2e-7, 1e-6))
    table.write()


if __name__ == "__main__":
    bends()
    princeton()
