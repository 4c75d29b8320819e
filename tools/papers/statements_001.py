# SPDX-License-Identifier: BSD-3-Clause
"""What Gonzalez and Kovecses state, each with the numbers that decide whether holon agrees."""
from verdict import at_least, at_most, increasing, within

RODS, BEARINGS, PRELOAD = "pendulum-two-rods", "pendulum-two-bearings", "pendulum-preload"
PARALLELOGRAM = "spatial-parallelogram"
TWELVE, BEAMS = "twelve coordinates", "elastic rods"
LINE = 1e-3     # of the largest force: nobody would see it in a figure
VISIBLE = 0.05  # of the largest force: everybody would
REALISTIC = 0.02
RATIOS = (1, 10, 100, 1000)


def own(r):
    """By the iteration of the paper, in its twelve coordinates."""
    yield ("Fig. 5", TWELVE,
           "scaled penalties give the analytical forces (largest error, relative to the largest force)",
           at_most(r["own_error"], LINE))
    yield "Fig. 5", TWELVE, "stiffness 1 : 2 gives rod 1 a third", within(r["own_share"], 1 / 3, LINE)
    yield "Sec. 4", TWELVE, "unscaled penalties give each rod half", within(r["own_unscaled"], 1 / 2, LINE)
    yield ("Sec. 4", TWELVE, "alpha from 1e6 to 1e12 does not change the forces (relative to the largest; infinite: "
           "a run ends early)", at_most(r["own_alphas"], LINE))
    yield "Sec. 4", TWELVE, "nor the motion (relative to 2 m)", at_most(r["own_motion"], LINE)
    yield ("Sec. 2.2", TWELVE, "from 1e10 to 1e12 it does not change the forces (the same)",
           at_most(r["own_large_alphas"], LINE))
    yield ("Sec. 4", TWELVE, "eta a hundred times as large, of the same ratio, does not change them (the same)",
           at_most(r["own_scale"], LINE))
    yield ("Eq. 26", TWELVE, "a coupled stiffness K_c = [2 1; 1 3] gives rod 1 three sevenths",
           within(r["own_coupled"], 3 / 7, LINE))
    yield ("Eq. 26", TWELVE, "and the forces that belong to it (largest error, relative to the largest force)",
           at_most(r["own_coupled_error"], LINE))
    yield ("Sec. 4", TWELVE, "two bearings of stiffness 1 : 2 carry the same as the rods (relative to the largest)",
           at_most(r["own_bearings"], LINE))
    yield "Fig. 6", TWELVE, "initial multipliers of +-2 N: -4 N in rod 1 (farthest shift, N)", within(
        r["own_shift_first"], -4, LINE)
    yield "Fig. 6", TWELVE, "and +4 N in rod 2", within(r["own_shift_second"], 4, LINE)
    yield "Fig. 6", TWELVE, "the total force is unchanged (difference, N)", at_most(r["own_shift_total"], 4 * LINE)


def pendulum(r):
    """By the form of holon, which solves for the multipliers without alpha."""
    yield ("Fig. 5", RODS, "scaled penalties give the analytical forces (largest error, relative to the largest force)",
           at_most(r["scaled_error"], LINE))
    yield "Fig. 5", RODS, "stiffness 1 : 2 gives rod 1 a third", within(r["scaled_share"], 1 / 3, LINE)
    yield ("Sec. 4", RODS, "unscaled penalties and generalized inverse give the same (relative difference)",
           at_most(r["unscaled_difference"], LINE))
    yield "Sec. 4", RODS, "which is half of the force for each rod", within(r["inverse_share"], 1 / 2, LINE)
    yield "Fig. 5", RODS, "without the constraint of rod 2, rod 1 carries all", within(r["removed_share"], 1, LINE)
    yield ("Sec. 4", BEARINGS, "two bearings of stiffness 1 : 2 carry the same as the rods (relative to the largest)",
           at_most(r["bearings_difference"], LINE))
    yield "Fig. 6", PRELOAD, "6e-7 m too long: -4 N in rod 1 (largest shift, N)", within(r["shift_first"], -4, LINE)
    yield "Fig. 6", PRELOAD, "and +4 N in rod 2", within(r["shift_second"], 4, LINE)
    yield "Fig. 6", PRELOAD, "the total force is unchanged (difference, N)", at_most(r["shift_total"], 4 * LINE)


def parallelogram(r):
    yield "Sec. 4", PARALLELOGRAM, "7 degrees of freedom", within(r["dof"], 7, 0)
    yield "Sec. 4", PARALLELOGRAM, "at least one redundant constraint", at_least(r["redundant"], 1)
    yield ("Sec. 4", PARALLELOGRAM, "K and M are unique, A, C, E and G are not (number of joints that agree)",
           within(r["unique_as_stated"], 6, 0))
    yield ("Fig. 8", PARALLELOGRAM, "position of the plate matches (largest error relative to 0.5 m)",
           at_most(r["motion_error"], LINE))
    yield "Fig. 8", PARALLELOGRAM, "so do the forces of K and M (relative to the largest)", at_most(r["KM_error"], LINE)
    yield ("Fig. 9", PARALLELOGRAM, "scaled penalties give A, C, E and G by the stiffness of the rods (relative error)",
           at_most(r["scaled_error"], LINE))
    yield ("Sec. 4", PARALLELOGRAM, "unscaled penalties and generalized inverse give the same (relative difference)",
           at_most(r["unscaled_difference"], LINE))
    yield ("Fig. 9", PARALLELOGRAM,
           "they differ visibly from scaled ones at G (relative; constraints of twelve ball joints)",
           at_least(r["G_difference"], VISIBLE))
    yield ("Fig. 9", PARALLELOGRAM, "they differ visibly from scaled ones at G (relative; constraints as in the paper)",
           at_least(r["G_paper_rows"], VISIBLE))
    yield ("Fig. 9", BEAMS, "scaled penalties give G as elastic rods do (after 0.1 s, relative to the largest)",
           at_most(r["beams_G"], VISIBLE))
    yield "Fig. 8", BEAMS, "the same for K and M", at_most(r["beams_KM"], VISIBLE)
    yield "Fig. 8", BEAMS, "and for the position of the plate (relative to 0.5 m)", at_most(r["beams_motion"], VISIBLE)
    yield ("Fig. 9", BEAMS, "unscaled penalties do not (G; constraints as in the paper)",
           at_least(r["beams_unscaled"], VISIBLE))
    yield ("Fig. 10", PARALLELOGRAM, "alpha 8.89e6 times 10 and 100: negligible, by the iteration of the paper (relative "
           "to the largest)", at_most(r["own_alphas"], LINE))
    ratios = {f"ratio {ratio}": r["ratios"][ratio] for ratio in RATIOS}
    yield ("Fig. 11", PARALLELOGRAM, "the closer the ratio to one, the larger the error of G (relative)",
           increasing(ratios, *([name] for name in reversed(ratios))))
    yield ("Fig. 11", PARALLELOGRAM, f"a ratio of 100 is realistic (within {REALISTIC:.0%})",
           at_most(r["ratios"][100], REALISTIC))


def statements(r):
    """Rows (figure or section, mechanism, statement, (measured value, whether it agrees))."""
    return [*own(r["own"]), *pendulum(r["pendulum"]), *parallelogram(r["parallelogram"])]
