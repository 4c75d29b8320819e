# SPDX-License-Identifier: BSD-3-Clause
"""What Marques, Souto and Flores state, each with the numbers that decide whether holon agrees."""
from verdict import (alike, at_least, at_most, between, grows, increasing, kept_down, of_order, same_order, smallest,
                     within)

FOUR, FIVE, SLIDER, ILTIS = "four-bar", "five-bar-pendulum", "spatial-slider-crank", "iltis-suspension"
ALL = [FOUR, FIVE, SLIDER, ILTIS]
STANDARD, BAUMGARTE, AUGMENTED = "lagrange", "baumgarte", "augmented-lagrangian"
INDEX1, PARTITIONING, DIRECT = "augmented-lagrangian-projected", "coordinate-partitioning", "direct-correction"
RUN = [STANDARD, BAUMGARTE, AUGMENTED, INDEX1, PARTITIONING, DIRECT]  # by the paper on the four-bar
TREATED = RUN[1:]
MEAN, DRIFT, TIME = "mean_position_violation_sq", "max_energy_drift", "time_ratio"
MEAN_RATE, LARGEST_RATE = "mean_velocity_violation_sq", "max_velocity_violation"
COST = 1.39       # of direct correction over the standard method: the largest that the paper prints
OPENED = 1e-3     # without correction: the initial state is indeed inconsistent
SHOWN = 1e-9      # J: a change of energy that is not rounding
ROUNDING = 1e-12  # of violations: nothing is left
SHARE = 0.2       # by which time ratios may differ: another machine, another code


def pick(records, names, key):
    return {name: records[name][key] for name in names}


def violations(r):
    for where, figures in ((FOUR, ("Fig. 5", "Fig. 6")), (SLIDER, ("Fig. 14", "Fig. 15"))):
        for level, figure in zip(("position", "velocity"), figures):
            yield (figure, where, f"standard: the {level} violation grows without bound",
                   grows(r[where][STANDARD][f"{level}_median_growth"]))
    for where, *figures in zip(ALL, ("Fig. 5", "Fig. 10", "Fig. 14", "Fig. 18"),
                               ("Fig. 6", "Fig. 11", "Fig. 15", "Fig. 19")):
        for level, figure in zip(("position", "velocity"), figures):
            for name in (BAUMGARTE, AUGMENTED):
                yield (figure, where, f"{name}: the {level} violation is bounded",
                       kept_down({"growth": r[where][name][f"{level}_growth"],
                                  "part": r[where][name][f"{level}_part"]}))
    for figure, level, key in (("Fig. 5", "positions", MEAN), ("Fig. 6", "velocities", MEAN_RATE)):
        yield (figure, FOUR, f"{level}: augmented Lagrangian better than Baumgarte, and that than standard",
               increasing(pick(r[FOUR], RUN, key), [AUGMENTED], [BAUMGARTE], [STANDARD]))
    for figure, level, key in (("Fig. 18", "positions", "settling"), ("Fig. 19", "velocities", "velocity_settling")):
        yield (figure, ILTIS,
               f"{level}: augmented Lagrangian decays faster than Baumgarte (s, to a thousandth of the peak)",
               increasing({name: r[ILTIS][name][key] for name in (AUGMENTED, BAUMGARTE)}, [AUGMENTED], [BAUMGARTE]))


def eliminated(r):
    for where in (FOUR, FIVE, SLIDER):
        yield "Sec. 4", where, "direct correction: mean ΦᵀΦ about 1e-18", of_order(r[where][DIRECT][MEAN], 1e-18)
    yield ("Fig. 5", FOUR, "index-1 and partitioning coincide with direct correction (factor of 10)",
           same_order(pick(r[FOUR], RUN, MEAN), [INDEX1, PARTITIONING, DIRECT]))
    yield "Sec. 4", ILTIS, "direct correction: ΦᵀΦ about 1e-32", of_order(r[ILTIS][DIRECT][MEAN], 1e-32)
    yield "Sec. 4", ILTIS, "index-1: ΦᵀΦ about 1e-25", of_order(r[ILTIS][INDEX1][MEAN], 1e-25)
    yield ("Fig. 6", FOUR, "velocities: index-1 and partitioning coincide with direct correction (all below 1e-12)",
           at_most(max(r[FOUR][name][LARGEST_RATE] for name in (INDEX1, PARTITIONING, DIRECT)), ROUNDING))
    for figure, where, names in (("Fig. 11", FIVE, (DIRECT,)), ("Fig. 15", SLIDER, (DIRECT,)),
                                 ("Fig. 19", ILTIS, (INDEX1, DIRECT))):
        yield (figure, where, f"velocities: eliminated by {' and '.join(names)} (largest below 1e-12)",
               at_most(max(r[where][name][LARGEST_RATE] for name in names), ROUNDING))
    yield ("Sec. 5", "all", "direct correction: one step removes the velocity violation (largest below 1e-12)",
           at_most(max(r[where][DIRECT]["max_velocity_violation"] for where in ALL), ROUNDING))
    yield "Sec. 4", FOUR, "direct correction: at most 2 iterations", at_most(r[FOUR][DIRECT]["passes"], 2)
    yield ("Sec. 5", "all", "direct correction: at most 3 iterations",
           at_most(max(r[where][DIRECT]["passes"] for where in ALL), 3))


def energy(r):
    drifts = pick(r[FOUR], RUN, DRIFT)
    yield ("Fig. 7", FOUR, "partitioning and direct correction have the least drift (J, and the next)",
           smallest(drifts, [PARTITIONING, DIRECT]))
    yield ("Fig. 7", FOUR, "their lines coincide (a twentieth of the largest drift)",
           alike(drifts, [PARTITIONING, DIRECT], 0.05, max(drifts.values())))


def conclusions(r):
    """Sec. 5."""
    own = r["direct"]
    yield ("Sec. 5", FOUR, "direct correction: independent of the integrator (largest violation by several)",
           at_most(own["integrators"], ROUNDING))
    yield ("Sec. 5", FOUR, "direct correction: inconsistent initial positions are corrected to machine accuracy "
           "(largest violation)", at_most(own["initial"] if own["initial_standard"] > OPENED else None, ROUNDING))
    yield ("Sec. 5", "all", "direct correction: the energy may be overestimated (largest drift, J)",
           at_least(max(r[where][DIRECT]["highest_drift"] for where in ALL), SHOWN))
    yield ("Sec. 5", "all", "or underestimated (J)",
           at_most(min(r[where][DIRECT]["lowest_drift"] for where in ALL), -SHOWN))
    yield ("Sec. 5", "bricard", "direct correction: cannot handle redundant constraints (largest error at 1 s, m)",
           at_least(own["redundant"], 1e-3))
    for where, figure in zip(ALL, ("Sec. 5", "Fig. 12", "Sec. 5", "Sec. 5")):
        yield (figure, where,
               f"direct correction does not penalise the efficiency (time over standard, at most {COST})",
               at_most(r[where][DIRECT][TIME], COST))


def times(r):
    four, slider, iltis = (pick(r[where], RUN, TIME) for where in (FOUR, SLIDER, ILTIS))
    yield "Fig. 8", FOUR, "standard is the fastest", smallest(four, [STANDARD])
    yield ("Fig. 8", FOUR, f"augmented Lagrangian and index-1 take about the same time ({SHARE:.0%})",
           alike(four, [AUGMENTED, INDEX1], SHARE, four[AUGMENTED]))
    yield "Fig. 8", FOUR, "both are faster than Baumgarte", increasing(four, [AUGMENTED, INDEX1], [BAUMGARTE])
    treated = {name: four[name] for name in TREATED}
    yield "Fig. 8", FOUR, "of the other methods, partitioning and direct correction are the fastest", smallest(
        treated, [PARTITIONING, DIRECT])
    yield "Fig. 8", FOUR, "of all but standard, direct correction is the fastest", smallest(treated, [DIRECT])
    for name, stated in ((BAUMGARTE, 1.16), (AUGMENTED, 1.30), (INDEX1, 1.49), (DIRECT, 1.39)):
        yield ("Fig. 16", SLIDER, f"{name}: {stated:.2f} times the time of standard ({SHARE:.0%})",
               within(slider[name], stated, SHARE))
    yield ("Fig. 20", ILTIS, "index-1 is the slowest, then direct correction, then Baumgarte and augmented Lagrangian",
           increasing(iltis, [BAUMGARTE, AUGMENTED], [DIRECT], [INDEX1]))
    yield ("Fig. 20", ILTIS, "direct correction is slightly faster than index-1 (time over that of index-1: 0.8 to 1)",
           between(iltis[DIRECT] / iltis[INDEX1] if iltis[INDEX1] else None, 0.8, 1))


def statements(r):
    """Rows (figure or section, mechanism, statement, (measured value, whether it agrees))."""
    return [*violations(r), *eliminated(r), *energy(r), *times(r), *conclusions(r)]
