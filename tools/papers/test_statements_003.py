# SPDX-License-Identifier: BSD-3-Clause
"""Where the numbers are as the paper states them every statement agrees, and each number that is not is found."""
import math
import unittest

import plane
from ball_003 import angles, first_integral
from biped_003 import overlap, recovered, settled, sticks
from page import reference
from statements_003 import BALL, BIPED, FORMS, statements


def world():
    """One in which the paper is right."""
    ball = {"position": 1e-12, "velocity": 1e-12, "position_growth": 1, "velocity_growth": 1, "energy_off_growth": 2,
            "energy_growth": 1, "energy": 1e-9, "integral_off": 5, "integral_automatic": 1e4, "integral_critical": 100,
            "integral_best": 20, "interference": 1, "delay": 3}
    biped = {"settled": 0.1, "position": 1e-12, "velocity": 1e-12, "growth": 1, "overlap": 1e-9, "part": 0.01}
    texts = {"iterations": 0, "bricard": 1e-9, "drift": 1e-6, "branch_changes": 0, "rest": 1}
    return {key: {form: dict(values) for form in FORMS}
            for key, values in (("ball", ball), ("biped", biped), ("texts", texts))}


WRONG = {
    "ball": {"position": (1e-5, "Fig. 2a", BALL), "velocity": (1e-5, "Fig. 2b", BALL),
             "position_growth": (2, "Fig. 2a", BALL), "velocity_growth": (2, "Fig. 2b", BALL),
             "energy_off_growth": (1, "Fig. 2c", BALL), "energy_growth": (2, "Fig. 2c", BALL),
             "energy": (1e-3, "Fig. 2c", BALL), "integral_off": (0.5, "Fig. 2d", BALL),
             "integral_automatic": (5, "Fig. 2d", BALL), "integral_critical": (5, "Fig. 2d", BALL),
             "integral_best": (5, "Fig. 2d", BALL), "interference": (3, "Sec. 2.2.4", BALL),
             "delay": (0.5, "Sec. 2.2.4", BALL)},
    "biped": {"settled": (math.inf, "Fig. 3c", BIPED), "position": (1e-5, "Fig. 3c", BIPED),
              "velocity": (1e-5, "Fig. 3c", BIPED), "growth": (2, "Fig. 3c", BIPED),
              "overlap": (0.1, "Fig. 3b", BIPED), "part": (2, "Sec. 3.2", BIPED)},
    "texts": {"iterations": (1, "Sec. 1", BALL), "bricard": (1e-3, "Sec. 2.2.2", "bricard"),
              "drift": (1, "Sec. 1", "slider-crank"), "branch_changes": (1, "Sec. 1", "slider-crank"),
              "rest": (100, "Sec. 2.2.4", "pendulum")}}


def disagreeing(results):
    return [(source, where, form) for source, where, _, found in statements(results) for form in FORMS
            if not found[form][1]]


class Statements(unittest.TestCase):
    def test_the_paper_agrees_with_itself(self):
        self.assertEqual(disagreeing(world()), [])

    def test_each_number_counts(self):
        for part, values in world().items():
            self.assertEqual(values["step"].keys(), WRONG[part].keys())
            for key, (value, source, where) in WRONG[part].items():
                for form in FORMS:
                    with self.subTest(part=part, key=key, form=form):
                        results = world()
                        results[part][form][key] = value
                        self.assertEqual(disagreeing(results), [(source, where, form)])


class Ball(unittest.TestCase):
    def test_first_integral(self):
        """The known one, from the known places and velocities."""
        for t in (0, 1, 100):
            known = reference(BALL, t)
            found = first_integral(*([known[f"ball.{letter}{axis}"] for axis in "xyz"] for letter in ("", "v", "w")))
            self.assertAlmostEqual(found, 0.5288615012729203, delta=1e-13)

    def test_angles(self):
        self.assertEqual(angles(7, 0, 0), (0, 0))
        for found, wanted in zip(angles(0, 7 * math.cos(0.3), -7 * math.sin(0.3)), (0.3, math.pi / 2)):
            self.assertAlmostEqual(found, wanted, delta=1e-15)


class Biped(unittest.TestCase):
    def test_settled(self):
        t = [0.5 * i for i in range(7)]
        self.assertEqual(settled(t, [1, 0.5, 1e-3, 1e-9, 2e-9, 1e-9, 1e-9], after=1.2), 1.5)
        self.assertEqual(settled(t, [1e-9] * 7, after=1.2), 0)

    def test_recovered(self):
        t = [0, 0.5, 1, 1.5, 2]
        self.assertEqual(recovered(t, [1, 1e-3, 1e-9, 1e-9, 1e-9], [0, 1, 1e-3, 1e-3, 1e-3]), 1)
        self.assertEqual(recovered(t, [1] * 5, [0] * 5), math.inf)  # a violation that stays has not recovered

    def test_overlap(self):
        """Sines of two steps in a period; the third one is off in its second half. The first does not count."""
        self.assertAlmostEqual(overlap({"x": [9, 9, 1, 2, 1, 2.5, 1]}, 2), 0.5)
        self.assertEqual(overlap({"x": [9, 9, 1, 2, 1, 2, 1]}, 2), 0)

    def test_sticks(self):
        """Heel and toe stand on the ground, and the limbs meet, where the model is in its known places."""
        for t in (0, 0.25, 1):
            known = reference(BIPED, t)
            front, rear, trunk = sticks(known)
            self.assertAlmostEqual(front[3][1], 0, delta=1e-12)
            self.assertAlmostEqual(rear[4][1], 0, delta=1e-12)
            for a, b in ((front[0], rear[0]), (front[0], trunk[0])):
                self.assertAlmostEqual(math.dist(a, b), 0, delta=1e-12)


class Plane(unittest.TestCase):
    def test_lengths_are_alike(self):
        panel = plane.Panel("", {"a": [[(0, 0), (10, 1)]]}, True)
        x, y = plane.scales(panel, 300, 200)
        self.assertEqual(x.unit, y.unit)
        self.assertLessEqual(x.length(), 300)
        self.assertLessEqual(y.length(), 200)
        x, y = plane.scales(panel._replace(equal=False), 300, 200)
        self.assertAlmostEqual(x.length(), 300)
        self.assertAlmostEqual(y.length(), 200)


if __name__ == "__main__":
    unittest.main()
