# SPDX-License-Identifier: BSD-3-Clause
"""Where the numbers are as the paper states them every statement agrees, and each number that is not is found."""
import unittest

from statements_004 import BOUND, BRICARD, NEIGHBOURS, ROWS, SLIDER, meets, statements, verdict


def run(drift, reached=10, branch_changes=0):
    return {"max_energy_drift": drift, "reached": reached, "until": 10, "branch_changes": branch_changes}


def world():
    """One in which the paper is right."""
    return {"rows": {row: run(BOUND[row.table] / 2) for row in ROWS}, "hamiltonian_faster": 70,
            "neighbours": {row: [run(BOUND[row.table] / 2)] * len(NEIGHBOURS) for row in ROWS},
            "hamiltonian_slower": 2, "stopped": 0.39, "until": 10, "lost": [run(5, branch_changes=1)] * 9,
            "bricard": {"dof": 1, "redundant": 1, "singular": 0, "drift": 1e-3},
            "start": {"smooth": 3, "impact": 4000, "speed": 3, "index3": 0, "impact_of_error": 3e4, "error": 0.01}}


def disagreeing(results):
    return [(source, where) for source, where, _, (_, agrees) in statements(results) if not agrees]


class Statements(unittest.TestCase):
    def test_the_paper_agrees_with_itself(self):
        self.assertEqual(disagreeing(world()), [])

    def test_each_row_counts(self):
        for row in ROWS:
            for wrong in (run(2 * BOUND[row.table]), run(0, reached=9), run(0, branch_changes=1)):
                results = world()
                results["rows"][row] = wrong
                self.assertEqual(disagreeing(results), [])  # one step of nine, which may be an accident
                results["neighbours"][row] = [wrong] * 4 + [run(0)] * 4
                self.assertEqual(disagreeing(results), [(f"Table {row.table}", row.mechanism())])

    def test_each_number_counts(self):
        for key, value in (("hamiltonian_faster", 3), ("hamiltonian_faster", 300), ("hamiltonian_slower", 0.5),
                           ("stopped", 10),
                           ("lost", [run(0.1, branch_changes=1)] * 9),
                           ("lost", [run(5)] * 5 + [run(5, branch_changes=1)] * 4)):
            with self.subTest(key=key):
                results = world()
                results[key] = value
                self.assertEqual([where for _, where in disagreeing(results)], [SLIDER])
        for key, value in (("dof", 0), ("redundant", 0), ("singular", 1), ("drift", 3)):
            with self.subTest(key=key):
                results = world()
                results["bricard"][key] = value
                self.assertEqual(disagreeing(results), [("Sec. 3", BRICARD)])

    def test_each_start_counts(self):
        for key, value in (("smooth", 100), ("impact", 10), ("speed", 0.1), ("speed", None), ("index3", 2),
                           ("impact_of_error", 10), ("error", 1e-4), ("error", 0.2)):
            with self.subTest(key=key):
                results = world()
                results["start"][key] = value
                self.assertEqual([where for _, where in disagreeing(results)], [SLIDER])


class Words(unittest.TestCase):
    def test_reported_statements(self):
        self.assertEqual(meets(run(0.05), 0.1), ("0.05", True))
        self.assertEqual(meets(run(0.05, reached=6.891), 0.1), ("stops at 6.89 s", False))
        self.assertEqual(verdict(run(0.05), 0.1), "meets")
        self.assertEqual(verdict(run(0.15), 0.1), "misses by 0.05 J")
        self.assertEqual(verdict(run(0.05, branch_changes=1), 0.1), "changes its branch")


if __name__ == "__main__":
    unittest.main()
