# SPDX-License-Identifier: BSD-3-Clause
"""Where the numbers are as the paper states them every statement agrees, and each number that is not is found."""
import math
import unittest

import free_002 as free
import hung_002 as hung
import long_002 as long
import wind_002 as wind
from page import reference
from statements_002 import FREE, HUNG, LONG, SCHEMES, TURBINES, WIND, statements
from verdict import zigzag

KINDS = {"free": free.KINDS, "hung": tuple(hung.KINDS)}


def orders(part):
    return {f"{scheme}_{kind}": 2 + i for i, scheme in enumerate(SCHEMES) for kind in KINDS[part]}


def world():
    """One in which the paper is right."""
    kept = {"position": 1e-15, "velocity_ends": 1e-15, "velocity_middle": 1e-15, "energy": 1e-15, "zigzag": 1e-6,
            "growth": -1e-9}
    turbine = {"through": 1, "rough": 100, "rough_plane": 100, "rough_moment": 100, "shear": 60, "shear_plane": 60,
               "mean_plane": 0.01}
    return {"free": {**kept, **orders("free"), "middle_zigzag": 1e-6, "apart": 1e-3, "middle": 2},
            "hung": {**kept, **orders("hung"), "work": 2, "speed": 5},
            "long": {f"{model}_{kind}": value for model in LONG
                     for kind, value in (("long", 1e-11), ("longer", 1e-11), ("off", 1e-5))},
            "wind": {"kept": 1e-12, "growth": -1e-9, **{name: dict(turbine) for name in TURBINES}}}


WRONG = {
    "free": {"position": (1e-9, "Sec. 6.1"), "velocity_ends": (1e-9, "Sec. 6.1"),
             "velocity_middle": (1e-9, "Sec. 6.1"), "energy": (1e-9, "Sec. 6.1"),
             "zigzag": (1e-3, "Fig. 3"), "growth": (1e-9, "Sec. 4"), "middle_zigzag": (1e-3, "Fig. 3"),
             "apart": (0.1, "Sec. 6.1"), "middle": (1, "Fig. 4"), **{key: (1, "Fig. 4") for key in orders("free")}},
    "hung": {"position": (1e-9, "Sec. 6.2"), "velocity_ends": (1e-9, "Sec. 6.2"),
             "velocity_middle": (1e-9, "Sec. 6.2"), "energy": (1e-9, "Sec. 6.2"),
             "zigzag": (1e-3, "Fig. 7"), "growth": (1e-9, "Sec. 4"), "work": (1, "Sec. 6.2"), "speed": (1, "Fig. 6"),
             **{key: (1, "Sec. 7") for key in orders("hung")}},
    "long": {f"{model}_{kind}": (value, source) for model in LONG
             for kind, value, source in (("long", 1e-7, "Sec. 3"), ("longer", 1e-7, "Sec. 7"), ("off", 0.5, "Sec. 7"))},
    "wind": {"kept": (1e-6, "Sec. 3"), "growth": (1e-6, "Sec. 4")}}
WRONG_TURBINE = {"through": (0.5, "Sec. 6.3"), "rough": (1, "Fig. 9"), "rough_plane": (1, "Fig. 9"),
                 "rough_moment": (1, "Fig. 9"), "shear": (18, "Fig. 9"), "shear_plane": (200, "Fig. 9"),
                 "mean_plane": (0.5, "Sec. 6.3")}


def disagreeing(results):
    return [(source, where) for source, where, _, (_, agrees) in statements(results) if not agrees]


class Statements(unittest.TestCase):
    def test_the_paper_agrees_with_itself(self):
        self.assertEqual(disagreeing(world()), [])

    def test_each_number_counts(self):
        for part, where in (("free", FREE), ("hung", HUNG), ("long", None), ("wind", WIND)):
            self.assertEqual(world()[part].keys() - TURBINES.keys(), WRONG[part].keys())
            for key, (value, source) in WRONG[part].items():
                for wrong in (value, None):
                    with self.subTest(part=part, key=key, value=wrong):
                        results = world()
                        results[part][key] = wrong
                        self.assertEqual(disagreeing(results), [(source, where or key.rsplit("_", 1)[0])])

    def test_each_turbine_counts(self):
        self.assertEqual(world()["wind"][WIND].keys(), WRONG_TURBINE.keys())
        for name in TURBINES:
            for key, (value, source) in WRONG_TURBINE.items():
                for wrong in (value, None):
                    with self.subTest(name=name, key=key, value=wrong):
                        results = world()
                        results["wind"][name][key] = wrong
                        self.assertEqual(disagreeing(results),
                                         [(source, name if name == WIND else f"{WIND}, {name}")])


def solve(A, b):
    """Gaussian elimination with pivots, for matrices too small for anything else."""
    rows = [[*row, value] for row, value in zip(A, b)]
    for k in range(len(rows)):
        pivot = max(range(k, len(rows)), key=lambda i: abs(rows[i][k]))
        rows[k], rows[pivot] = rows[pivot], rows[k]
        for i in range(len(rows)):
            if i != k:
                factor = rows[i][k] / rows[k][k]
                rows[i] = [a - factor * c for a, c in zip(rows[i], rows[k])]
    return [row[-1] / row[k] for k, row in enumerate(rows)]


def violations(e):
    return [free.dot(e[i], e[j]) / (2 if i == j else 1) - (0.5 if i == j else 0) for i, j in free.ROWS]


def gradients(e):
    """One line of nine per row."""
    lines = []
    for i, j in free.ROWS:
        line = [[0] * 3 for _ in range(3)]
        line[i], line[j] = e[j], e[i]
        lines.append([x for part in line for x in part])
    return lines


def newton(before, v, h, lam):
    """Axes and multipliers after a step: C (2 (e - e_i) / h - 2 v_i) / h + B_m lambda = 0, Phi = 0."""
    after = [[x + h * u for x, u in zip(*row)] for row in zip(before, v)]
    for _ in range(12):
        mean = gradients([[(a + b) / 2 for a, b in zip(*row)] for row in zip(before, after)])
        change = [[2 * ((b - a) / h - u) / h for a, b, u in zip(*row)] for row in zip(before, after, v)]
        inertia = [x for row in free.times(free.C, change) for x in row]
        residual = [f + free.dot(lam, column) for f, column in zip(inertia, zip(*mean))] + violations(after)
        matrix = [[0.0] * 15 for _ in range(15)]
        pull = {pair: lam[k] / 2 for k, (i, j) in enumerate(free.ROWS) for pair in ((i, j), (j, i))}
        for a in range(9):
            for i in range(3):
                matrix[a][3 * i + a % 3] = 2 * free.C[a // 3][i] / h**2 + pull[a // 3, i]
            for k in range(6):
                matrix[a][9 + k] = mean[k][a]
        for k, line in enumerate(gradients(after)):
            matrix[9 + k][:9] = line
        x = solve(matrix, residual)
        after = [[after[i][k] - x[3 * i + k] for k in range(3)] for i in range(3)]
        lam = [value - d for value, d in zip(lam, x[9:])]
    return after, lam


def third_derivatives(w):
    """Of the axes where they are those of space: columns of A' + w~ A with A = w'~ + w~ w~."""
    push = lambda a, b: free.cross(free.apply(free.J, a), b)
    rate = free.apply(free.inverse(free.J), push(w, w))
    second = free.apply(free.inverse(free.J), [x + y for x, y in zip(push(rate, w), push(w, rate))])
    turn, gain = free.skew(w), free.skew(rate)
    total = lambda *terms: [[sum(term[i][j] for term in terms) for j in range(3)] for i in range(3)]
    A = total(gain, free.times(turn, turn))
    found = total(free.skew(second), free.times(gain, turn), free.times(turn, gain), free.times(turn, A))
    return [list(column) for column in zip(*found)]


def steps(h, count, smooth=0):
    """Axes and multipliers of the scheme; smooth: 1 lets it begin with velocities that fit it."""
    e, lam, w = [[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0] * 6, [0, 4, 0]
    v = [[x - smooth * h**2 / 12 * y for x, y in zip(free.cross(w, axis), third)]
         for axis, third in zip(e, third_derivatives(w))]
    frames, found = [e], []
    for _ in range(count):
        after, lam = newton(e, v, h, lam)
        v = [[2 * (b - a) / h - u for a, b, u in zip(*row)] for row in zip(e, after, v)]
        e = after
        frames.append(e)
        found.append(lam)
    return frames, found


def wiggle(values):
    """As zigzag, not over the range."""
    return zigzag(values) * (max(values) - min(values))


class Free(unittest.TestCase):
    def test_exact_multipliers(self):
        """From another derivation, integrated elsewhere: 11, 22, 33, 12, 13, 23 at 2 s."""
        wanted = (2.7682380032190075, 3.5427390819785773, 0.40902291480241654, -1.3067793560040502,
                  -0.1705777044763267, -0.10795087060402478)
        for found, exact in zip(free.exact_multipliers(reference(FREE, 2)), wanted):
            self.assertAlmostEqual(found, exact, delta=1e-10)

    def test_middle_multipliers(self):
        """Those that a small solver of the scheme itself finds along with the axes; they oscillate."""
        frames, wanted = steps(0.0125, 8)
        found = free.middle_multipliers([i * 0.0125 for i in range(9)], frames)
        for a, b in zip(found, wanted):
            for x, y in zip(a, b):
                self.assertAlmostEqual(x, y, delta=1e-8)
        self.assertGreater(zigzag([row[0] for row in wanted]), 0.01)

    def test_carried_velocities(self):
        """Those of the scheme satisfy the rows in the middle of steps and miss them at the ends by order h^2."""
        missed = {}
        for h in (0.0125, 0.00625):
            frames, t = steps(h, 8)[0], [i * h for i in range(9)]
            velocities = free.carried(t, frames, [0, 4, 0])
            self.assertLess(free.velocity_rows(*free.middles(t, frames, velocities), free.ROWS), 1e-12)
            missed[h] = free.velocity_rows(frames, velocities, free.ROWS)
        self.assertGreater(missed[0.0125], 1e-5)
        self.assertAlmostEqual(math.log2(missed[0.0125] / missed[0.00625]), 2, delta=0.3)
        self.assertAlmostEqual(free.velocity_rows([[[1, 0, 0]]], [[[2, 5, 0]]], [(0, 0)]), 2)

    def test_the_start_makes_them_oscillate(self):
        """By order h; velocities that fit the scheme, q' - h^2/12 q''' + ..., make that order h^3."""
        amplitude = lambda h, smooth: max(map(wiggle, zip(*steps(h, 8, smooth)[1])))
        self.assertAlmostEqual(math.log2(amplitude(0.0125, 0) / amplitude(0.00625, 0)), 1, delta=0.1)
        self.assertGreater(math.log2(amplitude(0.0125, 1) / amplitude(0.00625, 1)), 2.5)
        self.assertLess(amplitude(0.0125, 1), amplitude(0.0125, 0) / 100)


class Hung(unittest.TestCase):
    def test_multiplier(self):
        """About -4.48 N m of torque need 4.72 N m at 0.314 s; the power is lambda e3 . d1'."""
        known = reference(HUNG, 0.314)
        e3, torque = ([known[f"{name}{axis}"] for axis in "xyz"] for name in ("tip3.", "joint.t"))
        found = hung.multiplier(0.314, e3, torque)
        power = found * free.dot(e3, [-math.sin(0.314), 0, -math.cos(0.314)])
        self.assertAlmostEqual(found, 4.7185, delta=5e-3)
        self.assertAlmostEqual(power, known["motor.ty"], delta=1e-12)

    def test_conformal(self):
        """Of a turn about z, by any sign of the quaternion; beyond half a turn it comes from the other side."""
        for angle, wanted in ((1, 4 * math.tan(0.25)), (4, 4 * math.tan(1 - math.pi / 2))):
            e = [math.cos(angle / 2), 0, 0, math.sin(angle / 2)]
            for sign in (1, -1):
                self.assertAlmostEqual(hung.conformal([sign * x for x in e])[2], wanted, delta=1e-14)

    def test_balance(self):
        run = {"t": [0, 1, 3], "motor.ty": [1, 3, 1], "energy.total": [5, 7, 11.5]}
        self.assertEqual(hung.balance(run), ([0, 2, 6], 0.5))


class Long(unittest.TestCase):
    def test_drift(self):
        self.assertEqual(long.drift([0, 3, 2], [-1, -1, -1], [0, -2e-3, 1e-3]), 5e-4)


class Wind(unittest.TestCase):
    def test_roughness(self):
        """Four times the amplitude of what changes its sign at every step, next to nothing of a slow motion."""
        self.assertAlmostEqual(wind.rough([5 + 0.1 * (-1)**i for i in range(9)]), 0.4)
        self.assertEqual(wind.rough([3 * i for i in range(9)]), 0)

    def test_late(self):
        run = {"t": [i / 2 for i in range(10)], "x": list(range(10))}
        self.assertEqual(wind.late(run, "x"), [5, 6, 7, 8, 9])

    def test_exponent(self):
        """Of a time in proportion to the elements, those of the tower among them."""
        self.assertAlmostEqual(wind.exponent({n: (3e-5 * (2 * n + 4), 20) for n in wind.ELEMENTS}), 1)
        self.assertAlmostEqual(wind.exponent({n: (1e-7 * (2 * n + 4)**2, 20) for n in wind.ELEMENTS}), 2)


    def test_means_and_ranges(self):
        names = (wind.SHEAR, wind.PLANE, wind.MOMENT)
        line = lambda values: {"t": list(range(8)), **{name: [0] * 3 + values for name in names}}
        found = wind.compared({"a": line([6, -6, 6, -6, 6]), "b": line([3, 1, 3, 1, 3])}, 7)
        self.assertEqual((found["through"], found["shear"], found["rough"]), (1, 6, 6))
        self.assertAlmostEqual(found["mean_plane"], 2.2 / 2)


class Zigzag(unittest.TestCase):
    def test_amplitude(self):
        self.assertAlmostEqual(zigzag([1 + 0.1 * (-1)**i for i in range(9)]), 0.5)
        self.assertEqual(zigzag([i**3 for i in range(9)]), 0)


if __name__ == "__main__":
    unittest.main()
