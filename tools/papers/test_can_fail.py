# SPDX-License-Identifier: BSD-3-Clause
"""No statement of any page agrees whatever is measured: each has a number of which a wrong value makes it disagree, in
a world where the paper is right."""
import copy
import importlib
import unittest

PAPERS = ("000", "001", "002", "003", "004")


def leaves(results, path=()):
    """The places of all numbers."""
    if isinstance(results, (dict, list)):
        pairs = results.items() if isinstance(results, dict) else enumerate(results)
        for key, value in pairs:
            yield from leaves(value, (*path, key))
    elif isinstance(results, (int, float)):
        yield path, results


def wrong_values(value):
    """The other sign, a thousand times as large and as small, nothing, another by one, missing."""
    return [-value, 1e3 * value, 1e-3 * value, 0, value + 1, value - 1, None]


def changed(results, path, value):
    """A copy with another number there. What occurs several times in the original does so once here."""
    if not path:
        return value
    copied = copy.copy(results)
    copied[path[0]] = changed(results[path[0]], path[1:], value)
    return copied


def outcomes(statements, results):
    """Whether each agrees; a statement with two columns counts twice."""
    found = []
    for *_, last in statements(results):
        found += [agrees for _, agrees in (last.values() if isinstance(last, dict) else [last])]
    return found


def unfailing(statements, world, together=()):
    """The numbers of the statements that no single wrong number, and no group of them, makes disagree."""
    right = world()
    left = set(range(len(outcomes(statements, right))))
    for path, value in leaves(right):
        for wrong in wrong_values(value):
            try:
                found = outcomes(statements, changed(right, path, wrong))
            except TypeError:
                continue  # a missing number that is always measured
            left -= {i for i, agrees in enumerate(found) if not agrees}
    for change in together:
        results = world()
        change(results)
        left -= {i for i, agrees in enumerate(outcomes(statements, results)) if not agrees}
    return left


def all_rows_fail(results):
    """Nine runs of 004 decide together about a row of a table, and about the change of branch."""
    for runs in results["neighbours"].values():
        for i, run in enumerate(runs):
            runs[i] = {**run, "max_energy_drift": 1e3}
    results["lost"] = [{**run, "branch_changes": 0} for run in results["lost"]]


def no_energy_changes(results):
    """Four mechanisms of 000 decide together."""
    for records in results.values():
        for record in records.values():
            if isinstance(record, dict):
                record["highest_drift"] = record["lowest_drift"] = 0


TOGETHER = {"000": (no_energy_changes,), "004": (all_rows_fail,)}


class CanFail(unittest.TestCase):
    def test_each_statement(self):
        for paper in PAPERS:
            with self.subTest(paper=paper):
                made_up = importlib.import_module(f"test_statements_{paper}")
                statements = importlib.import_module(f"statements_{paper}").statements
                self.assertTrue(all(outcomes(statements, made_up.world())))
                left = unfailing(statements, made_up.world, TOGETHER.get(paper, ()))
                rows = statements(made_up.world())
                self.assertEqual([rows[i][2] for i in sorted(left) if i < len(rows)], [])
                self.assertEqual(left, set())

    def test_one_that_cannot_fail_is_found(self):
        idle = lambda results: [("", "", "always", ("1", True)), ("", "", "small", ("", results["a"] < 2))]
        self.assertEqual(unfailing(idle, lambda: {"a": 1}), {0})


if __name__ == "__main__":
    unittest.main()
