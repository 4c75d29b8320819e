# SPDX-License-Identifier: BSD-3-Clause
"""Verdicts follow the numbers: python3 tools/papers/test_verdict.py"""
import math
import unittest

import plot
import verdict
from page import number, table


class Verdicts(unittest.TestCase):
    def agrees(self, found):
        self.assertTrue(found[1], found[0])

    def differs(self, found):
        self.assertFalse(found[1], found[0])

    def test_growth(self):
        t = [i / 100 for i in range(101)]
        peaks = [x if i % 10 else 5 for i, x in enumerate(t)]
        self.agrees(verdict.grows(verdict.median_growth(t, t)))
        self.agrees(verdict.grows(verdict.median_growth(t, [-x * x for x in t])))
        self.agrees(verdict.grows(verdict.median_growth(t, peaks)))
        self.agrees(verdict.bounded(verdict.growth(t, peaks)))
        self.differs(verdict.grows(verdict.median_growth(t, [math.sin(40 * x) for x in t])))
        self.agrees(verdict.bounded(verdict.growth(t, [math.sin(40 * x) for x in t])))
        self.differs(verdict.bounded(verdict.growth(t, t)))
        self.differs(verdict.kept_down({"growth": 1, "part": 1}))
        self.differs(verdict.kept_down({"growth": 3, "part": 0.1}))
        self.differs(verdict.kept_down({"growth": 1, "part": None}))
        self.agrees(verdict.kept_down({"growth": 1, "part": 0.1}))
        self.differs(verdict.bounded(verdict.growth(t, [x > 0.9 for x in t])))

    def test_sizes(self):
        self.agrees(verdict.of_order(3e-18, 1e-18))
        self.differs(verdict.of_order(3e-28, 1e-18))
        self.assertIn("10 decades less", verdict.of_order(1e-28, 1e-18)[0])
        self.assertIn("4 decades more", verdict.of_order(1e-28, 1e-32)[0])
        self.differs(verdict.of_order(0, 1e-18))
        self.agrees(verdict.within(1.39, 1.3, 0.2))
        self.differs(verdict.within(1.6, 1.3, 0.2))
        self.agrees(verdict.within(-4.1, -4, 0.1))
        self.agrees(verdict.at_most(3, 3))
        self.differs(verdict.at_most(4, 3))
        self.agrees(verdict.at_least(3, 3))
        self.differs(verdict.at_least(2, 3))
        self.agrees(verdict.between(3, 3, 4))
        self.differs(verdict.between(2, 3, 4))
        self.differs(verdict.between(5, 3, 4))

    def test_orders(self):
        values = {"a": 1, "b": 2, "c": 3, "d": 30}
        self.agrees(verdict.smallest(values, ["a", "b"]))
        self.differs(verdict.smallest(values, ["a", "c"]))
        self.agrees(verdict.increasing(values, ["a", "b"], ["c"], ["d"]))
        self.differs(verdict.increasing(values, ["a", "c"], ["b"]))
        self.agrees(verdict.alike(values, ["a", "b"], 0.1, 30))
        self.differs(verdict.alike(values, ["a", "d"], 0.1, 30))
        self.agrees(verdict.same_order(values, ["a", "c"]))
        self.differs(verdict.same_order(values, ["a", "d"]))

    def test_missing_numbers_never_agree(self):
        self.differs(verdict.at_most(None, 3))
        self.differs(verdict.at_least(None, 3))
        self.differs(verdict.bounded(None))
        self.differs(verdict.smallest({"a": 1, "b": None}, ["a"]))

    def test_settling(self):
        t = [i / 10 for i in range(101)]
        self.assertAlmostEqual(verdict.settling(t, [math.exp(-x) for x in t]), 6.9)
        self.assertEqual(verdict.settling(t, [1 for _ in t]), math.inf)


class Drawing(unittest.TestCase):
    def test_numbers_and_tables(self):
        for value, text in ((8.41e-29, "8.4e-29"), (1e-7, "1e-7"), (0.0341, "0.034"), (3, "3"), (None, "–")):
            self.assertEqual(number(value), text)
        self.assertEqual(table(["a", "b"], [["x", "1"]]), "| a | b |\n| --- | ---: |\n| x | 1 |\n")

    def test_envelope_keeps_peaks(self):
        points = plot.envelope([0, 1, 2, 3], [0, -5, 1, 2], parts=2)
        self.assertEqual([y for _, y in points], [5, 2])

    def test_figure_holds_zero_and_huge(self):
        svg = plot.figure("<title>", {"p": {"a & b": [(0, 0), (1, 1e30)], "c": [(0, 1e-40), (1, math.nan)]}}, 1)
        self.assertEqual(svg.count("<polyline"), 2)
        self.assertIn("a &amp; b", svg)
        self.assertNotIn("nan", svg)

    def test_linear_axis(self):
        axis = plot.Even({"a": [(0, -4.2), (1, 29.43)], "b": [(0, math.nan)]})
        self.assertEqual([label for _, label in axis.ticks()], ["-10", "0", "10", "20", "30"])
        self.assertEqual([axis.below_top(y) for y in (30, 10, -10, 99)], [0, 0.5, 1, 0])
        self.assertEqual(len(plot.Even({"a": [(0, 3), (1, 3)]}).ticks()), 2)
        svg = plot.figure("t", {"p": {"a": [(0, -1), (1, 1)]}, "q": {"a": [(0, 1), (1, 10)]}}, 1, even=["p"])
        self.assertIn(">-1<", svg)
        self.assertIn(">1e1<", svg)

    def test_thinning_keeps_the_end(self):
        self.assertEqual(plot.thinned([0, 1, 2, 3, 4], [5, 6, 7, 8, 9], 2), [(0, 5), (2, 7), (4, 9)])


if __name__ == "__main__":
    unittest.main()
