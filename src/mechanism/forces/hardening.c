/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a law along a length becomes steep: a wall that is an expression, a polynomial, a stiff branch of an `if`.
 *
 * The motion leaves the present length l0 with the energy E and turns at the length at which the law has taken it all,
 *
 *     integral from l0 of f dl = E                                                                        (1)
 *
 * if that is within reach. On the way to it slopes f_l count; jumps of f are events. */
#include "base/tolerances.h"
#include "mechanism/forces/force_law.h"

#include <math.h>

/* The longest and the shortest piece, in parts of the reach. */
static const double LONGEST = 1. / 200, SHORTEST = HOL_TOL_SAME;

static HolTension tension_at(const HolLaw *law, const HolMotion *motion, double l)
{
    const HolStretch at = {
        .l = l, .t = motion->t, .slopes = true, .u = motion->terms->u, .input_count = motion->mechanism->input_count};
    return law->tension(law, &at);
}

/* The largest slope in one direction (+1 or -1), in pieces that take a small part of the energy that is left. */
static double steepest_towards(const HolLaw *law, const HolMotion *motion, double l, double reach, double energy)
{
    const double direction = reach > 0 ? 1 : -1, size = fabs(reach);
    double steepest = 0, piece = LONGEST * size, left = energy, way = 0, f = tension_at(law, motion, l).f;
    while (way < size && left > 0) {
        const HolTension next = tension_at(law, motion, l + direction * (way + piece));
        const double work = direction * piece * (f + next.f) / 2;
        if (!isfinite(work) || !isfinite(next.f_l))
            return steepest;
        if (work > left * HOL_PART_REDUCED && piece > SHORTEST * size) {
            piece /= 2;
            continue;
        }
        steepest = next.f_l > steepest ? next.f_l : steepest;
        left -= work;
        way += piece;
        f = next.f;
        piece = fmin(2 * piece, LONGEST * size);
        if (left < HOL_TOL_SMALL * energy)
            break;
    }
    return steepest;
}

double hol_law_steepest(const HolForce *force, const HolMotion *motion, double energy, double reach, double *here)
{
    const HolLaw *law = force->self;
    double at[2];
    hol_law_argument(force, motion, at);
    *here = tension_at(law, motion, at[0]).f_l;
    if (!(energy > 0) || !(reach > 0))
        return *here;
    return fmax(steepest_towards(law, motion, at[0], reach, energy),
                steepest_towards(law, motion, at[0], -reach, energy));
}
