/* SPDX-License-Identifier: BSD-3-Clause */
/* When a constraint row is redundant: the one rule of the library.
 *
 * A row d is redundant if the sine of its angle to the span of the other rows is at most
 *
 *     sine = max(least, min(100 violation, 1e-3)),   least = 1e-9, or 1e-6 of a row left out before         (1)
 *
 * in an exact model rounding alone separates redundant rows (1e-15), but rows that have drifted off each other by a
 * relative violation, |Phi| over the length of the bodies, differ by an angle of that size. independent_rows.h measures
 * sines; where rows are factored densely, pivots relative to the largest take their place. */
#ifndef HOLON_LINALG_RANK_RANK_H
#define HOLON_LINALG_RANK_RANK_H

#include "base/tolerances.h"

#include <math.h>

/* (1); least: HOL_TOL_RANK, HOL_TOL_RANK_STILL, or the tolerance of the options. */
static inline double hol_rank_sine(double least, double violation)
{
    return fmax(least, fmin(HOL_TOL_RANK_PER_VIOLATION * violation, HOL_TOL_RANK_MOST));
}

#endif
