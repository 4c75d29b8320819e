# SPDX-License-Identifier: BSD-3-Clause
"""Where the numbers are as the paper states them every statement agrees, and each number that is not is found."""
import csv
import math
import os
import unittest

import exact_001
from page import ROOT
from statements_001 import BEAMS, BEARINGS, PARALLELOGRAM, PRELOAD, RODS, TWELVE, statements


def world():
    """One in which the paper is right."""
    pendulum = {"scaled_error": 1e-6, "scaled_share": 1 / 3, "unscaled_difference": 0, "inverse_share": 0.5,
                "removed_share": 1, "bearings_difference": 1e-6, "shift_first": -4, "shift_second": 4, "shift_total": 0}
    plate = {"dof": 7, "redundant": 1, "unique_as_stated": 6, "motion_error": 1e-5, "KM_error": 1e-5,
             "scaled_error": 1e-5, "unscaled_difference": 0, "G_difference": 0.2, "G_paper_rows": 0.2,
             "own_alphas": 1e-6, "ratios": {1: 0.2, 10: 0.1, 100: 0.01, 1000: 1e-3},
             "beams_G": 0.02, "beams_KM": 0.02, "beams_motion": 0.01, "beams_unscaled": 0.5}
    own = {"own_error": 1e-6, "own_share": 1 / 3, "own_unscaled": 1 / 2, "own_alphas": 1e-9, "own_motion": 1e-9,
           "own_large_alphas": 1e-9, "own_scale": 1e-9, "own_bearings": 1e-9,
           "own_coupled": 3 / 7, "own_coupled_error": 1e-6,
           "own_shift_first": -4, "own_shift_second": 4, "own_shift_total": 0}
    return {"own": own, "pendulum": pendulum, "parallelogram": plate}


def disagreeing(results):
    return [(source, where) for source, where, _, (_, agrees) in statements(results) if not agrees]


class Statements(unittest.TestCase):
    def test_the_paper_agrees_with_itself(self):
        self.assertEqual(disagreeing(world()), [])

    def test_each_number_counts(self):
        for part, key, value, found in (
                ("pendulum", "scaled_error", 0.01, [("Fig. 5", RODS)]),
                ("pendulum", "scaled_share", 0.5, [("Fig. 5", RODS)]),
                ("pendulum", "unscaled_difference", 0.1, [("Sec. 4", RODS)]),
                ("pendulum", "inverse_share", 1 / 3, [("Sec. 4", RODS)]),
                ("pendulum", "removed_share", 0.5, [("Fig. 5", RODS)]),
                ("own", "own_error", 0.01, [("Fig. 5", TWELVE)]),
                ("own", "own_share", 0.5, [("Fig. 5", TWELVE)]),
                ("own", "own_unscaled", 1 / 3, [("Sec. 4", TWELVE)]),
                ("own", "own_alphas", math.inf, [("Sec. 4", TWELVE)]),
                ("own", "own_motion", 0.1, [("Sec. 4", TWELVE)]),
                ("own", "own_large_alphas", 0.1, [("Sec. 2.2", TWELVE)]),
                ("own", "own_bearings", 0.1, [("Sec. 4", TWELVE)]),
                ("own", "own_scale", 0.1, [("Sec. 4", TWELVE)]),
                ("own", "own_coupled", 2 / 5, [("Eq. 26", TWELVE)]),
                ("own", "own_coupled_error", 0.1, [("Eq. 26", TWELVE)]),
                ("own", "own_shift_first", 4, [("Fig. 6", TWELVE)]),
                ("own", "own_shift_second", -4, [("Fig. 6", TWELVE)]),
                ("own", "own_shift_total", 1, [("Fig. 6", TWELVE)]),
                ("parallelogram", "beams_G", 0.2, [("Fig. 9", BEAMS)]),
                ("parallelogram", "beams_KM", 0.2, [("Fig. 8", BEAMS)]),
                ("parallelogram", "beams_motion", 0.2, [("Fig. 8", BEAMS)]),
                ("parallelogram", "beams_unscaled", 0.01, [("Fig. 9", BEAMS)]),
                ("pendulum", "bearings_difference", None, [("Sec. 4", BEARINGS)]),
                ("pendulum", "shift_first", 4, [("Fig. 6", PRELOAD)]),
                ("pendulum", "shift_second", 16, [("Fig. 6", PRELOAD)]),
                ("pendulum", "shift_total", 1, [("Fig. 6", PRELOAD)]),
                ("parallelogram", "dof", 6, [("Sec. 4", PARALLELOGRAM)]),
                ("parallelogram", "redundant", 0, [("Sec. 4", PARALLELOGRAM)]),
                ("parallelogram", "unique_as_stated", 5, [("Sec. 4", PARALLELOGRAM)]),
                ("parallelogram", "motion_error", 0.1, [("Fig. 8", PARALLELOGRAM)]),
                ("parallelogram", "KM_error", 0.1, [("Fig. 8", PARALLELOGRAM)]),
                ("parallelogram", "scaled_error", 0.1, [("Fig. 9", PARALLELOGRAM)]),
                ("parallelogram", "unscaled_difference", 0.1, [("Sec. 4", PARALLELOGRAM)]),
                ("parallelogram", "G_difference", 1e-9, [("Fig. 9", PARALLELOGRAM)]),
                ("parallelogram", "G_paper_rows", 1e-9, [("Fig. 9", PARALLELOGRAM)]),
                ("parallelogram", "own_alphas", 0.1, [("Fig. 10", PARALLELOGRAM)]),
                ("parallelogram", "ratios", {1: 0.05, 10: 0.1, 100: 0.01, 1000: 1e-3}, [("Fig. 11", PARALLELOGRAM)]),
                ("parallelogram", "ratios", {1: 0.2, 10: 0.1, 100: 0.05, 1000: 1e-3}, [("Fig. 11", PARALLELOGRAM)])):
            with self.subTest(part=part, key=key):
                results = world()
                results[part][key] = value
                self.assertEqual(disagreeing(results), found)


def references(model):
    """{column: {t: value}} of the first rows, up to a change of the model; and those of its last change."""
    blocks = [{}]
    with open(os.path.join(ROOT, "models", model, "reference.csv"), newline="") as file:
        for row in csv.reader(file):
            if row[0].startswith("# set") and blocks[-1]:
                blocks.append({})
            elif not row[0].startswith(("#", "t")):
                blocks[-1].setdefault(row[1], {})[float(row[0])] = float(row[2])
    return blocks[0], blocks[-1]


def tension(block, t, theta, name):
    """At the base, from the forces of the table."""
    u = (math.sin(theta), math.cos(theta), exact_001.RODS[name][2])
    return -sum(x * block[f"{name}.{axis}"][t] for x, axis in zip(u, ("fx", "fy", "fz"))) * math.sqrt(0.5)


class Exact(unittest.TestCase):
    def test_pendulum(self):
        table, _ = references("pendulum-two-rods")
        for t in (0, 0.5, 5, 10):
            pull = math.hypot(*(table[f"rod1.{axis}"][t] + table[f"rod2.{axis}"][t] for axis in ("fx", "fy")))
            self.assertAlmostEqual(exact_001.pendulum_tension(t), pull, delta=1e-11)

    def test_parallelogram(self):
        equal, soft = references("spatial-parallelogram")
        for t in (0, 0.5):
            theta, rate = exact_001.angles([t])[0]
            self.assertAlmostEqual(0.25 + math.sin(theta) / 2, equal["plate.x"][t], delta=1e-11)
            for block, compliance in ((equal, [1] * 6), (soft, [1, 1, 1, 2, 1, 1])):
                found = exact_001.tensions(theta, rate, compliance)
                for name in exact_001.RODS:
                    self.assertAlmostEqual(found[name], tension(block, t, theta, name), delta=1e-6)


if __name__ == "__main__":
    unittest.main()
