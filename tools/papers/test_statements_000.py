# SPDX-License-Identifier: BSD-3-Clause
"""Where the numbers are as the paper states them every statement agrees, and each number that is not is found."""
import unittest

from statements_000 import ALL, AUGMENTED, BAUMGARTE, DIRECT, FIVE, FOUR, ILTIS, INDEX1, PARTITIONING, RUN, SLIDER
from statements_000 import STANDARD, statements

RATIOS = {STANDARD: 1, BAUMGARTE: 1.16, AUGMENTED: 1.30, INDEX1: 1.49, PARTITIONING: 1.4, DIRECT: 1.39}
MEANS = {STANDARD: 1e-10, BAUMGARTE: 1e-14, AUGMENTED: 1e-15, INDEX1: 1e-18, PARTITIONING: 1e-18, DIRECT: 1e-18}
DRIFTS = {STANDARD: 1e-3, BAUMGARTE: 1e-4, AUGMENTED: 1e-4, INDEX1: 1e-5, PARTITIONING: 1e-6, DIRECT: 1e-6}


def record(name):
    return {"mean_position_violation_sq": MEANS[name], "max_velocity_violation": 1e-15, "passes": 2, "settling": 1,
            "mean_velocity_violation_sq": MEANS[name], "velocity_settling": 1, "highest_drift": 1e-4,
            "lowest_drift": -1e-4, "max_energy_drift": DRIFTS[name], "time_ratio": RATIOS[name],
            "position_growth": 1, "velocity_growth": 1,
            "position_part": 0.1, "velocity_part": 0.1,
            **dict.fromkeys(("position_median_growth", "velocity_median_growth"), 3 if name == STANDARD else 1)}


def world():
    """One in which the paper is right."""
    results = {where: {name: record(name) for name in RUN} for where in ALL}
    results[ILTIS][DIRECT]["mean_position_violation_sq"] = 1e-32
    results[ILTIS][INDEX1]["mean_position_violation_sq"] = 1e-25
    results[ILTIS][BAUMGARTE]["settling"] = results[ILTIS][BAUMGARTE]["velocity_settling"] = 2
    results["direct"] = {"integrators": 1e-15, "initial": 1e-15, "initial_standard": 0.1, "redundant": 1}
    for name, ratio in ((AUGMENTED, 1.1), (INDEX1, 1.1), (PARTITIONING, 1.05), (DIRECT, 1.04)):
        results[FOUR][name]["time_ratio"] = ratio
    return results


def disagreeing(results):
    return {(source, where) for source, where, _, (_, agrees) in statements(results) if not agrees}


class Statements(unittest.TestCase):
    def test_the_paper_agrees_with_itself(self):
        self.assertEqual(disagreeing(world()), set())

    def test_each_number_counts(self):
        for where, name, key, value, source in (
                (FOUR, STANDARD, "position_median_growth", 1, ("Fig. 5", FOUR)),
                (SLIDER, STANDARD, "velocity_median_growth", 1, ("Fig. 15", SLIDER)),
                (SLIDER, BAUMGARTE, "position_growth", 2, ("Fig. 14", SLIDER)),
                (ILTIS, AUGMENTED, "settling", 3, ("Fig. 18", ILTIS)),
                (SLIDER, DIRECT, "mean_position_violation_sq", 1e-28, ("Sec. 4", SLIDER)),
                (FOUR, BAUMGARTE, "velocity_growth", 2, ("Fig. 6", FOUR)),
                (FIVE, AUGMENTED, "velocity_growth", 2, ("Fig. 11", FIVE)),
                (SLIDER, AUGMENTED, "velocity_part", 1, ("Fig. 15", SLIDER)),
                (SLIDER, BAUMGARTE, "velocity_growth", 2, ("Fig. 15", SLIDER)),
                (ILTIS, AUGMENTED, "velocity_growth", 2, ("Fig. 19", ILTIS)),
                (FOUR, BAUMGARTE, "mean_velocity_violation_sq", 1e-20, ("Fig. 6", FOUR)),
                (ILTIS, AUGMENTED, "velocity_settling", 3, ("Fig. 19", ILTIS)),
                (FOUR, PARTITIONING, "max_velocity_violation", 1e-9, ("Fig. 6", FOUR)),
                (ILTIS, INDEX1, "max_velocity_violation", 1e-9, ("Fig. 19", ILTIS)),
                (FIVE, DIRECT, "time_ratio", 1.5, ("Fig. 12", FIVE)),
                (ILTIS, INDEX1, "mean_position_violation_sq", 1e-29, ("Sec. 4", ILTIS)),
                (SLIDER, DIRECT, "passes", 4, ("Sec. 5", "all")),
                (FOUR, INDEX1, "max_energy_drift", 1e-7, ("Fig. 7", FOUR)),
                (FOUR, BAUMGARTE, "time_ratio", 1.01, ("Fig. 8", FOUR)),
                (SLIDER, INDEX1, "time_ratio", 4, ("Fig. 16", SLIDER)),
                (ILTIS, AUGMENTED, "time_ratio", None, ("Fig. 20", ILTIS))):
            with self.subTest(where=where, name=name, key=key):
                results = world()
                results[where][name][key] = value
                self.assertEqual(disagreeing(results), {source})

    def test_energies_of_both_signs(self):
        for key, wrong in (("highest_drift", 0), ("lowest_drift", 0)):
            results = world()
            for where in ALL:
                results[where][DIRECT][key] = wrong
            self.assertEqual(disagreeing(results), {("Sec. 5", "all")})

    def test_each_conclusion_counts(self):
        for key, wrong, where in (("integrators", 1e-6, FOUR), ("integrators", None, FOUR), ("initial", 1e-3, FOUR),
                                  ("initial_standard", 1e-15, FOUR), ("redundant", 1e-9, "bricard")):
            results = world()
            results["direct"][key] = wrong
            self.assertEqual(disagreeing(results), {("Sec. 5", where)})


if __name__ == "__main__":
    unittest.main()
