/* SPDX-License-Identifier: BSD-3-Clause */
/* Iterative refinement of the equations of motion, where the Schur complement loses digits.
 *
 *     M x - D^T lambda = f,   D x = c                                                          (1)
 *
 * S = D M^-1 D^T adds the compliances 1 / m of the bodies that a joint connects. Beside a body lighter than its
 * neighbours by a factor k, the compliances of these lose k in relative accuracy, and so does the load that passes
 * through the light body. The equations (1) have lost nothing: their residuals at the computed solution, solved for
 * with the same factors, give the correction, and repeating this converges to rounding.
 *
 * Whether that is needed is measured once, with a load without a pattern, so that other systems pay nothing. */
#ifndef HOLON_SOLVE_REFINEMENT_H
#define HOLON_SOLVE_REFINEMENT_H

#include "linalg/schur/schur.h"
#include "solve/setup.h"

typedef struct HolRefinement {
    const HolPattern *pattern;
    double *f, *c, *x, *lambda;
} HolRefinement;

/* NULL if the solver with its present factors, those of the M and D of the workspace, is accurate. */
HolStatus hol_refinement_create(const HolSetup *setup, HolSchur *schur, HolRefinement **refinement);

/* Corrects x and lambda, the solution of (1) with the present factors; f may be NULL for zero. */
void hol_refinement_apply(HolRefinement *refinement, HolSchur *schur, const HolTerms *terms, const double *f,
                          const double *c, double *x, double *lambda);

#endif
