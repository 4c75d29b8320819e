/* SPDX-License-Identifier: BSD-3-Clause */
/* The penalty matrix and the augmented Lagrangian iteration.
 *
 *     A = M + D^T diag(w) D,   w > 0                                              (1)
 *     A dx = f + D^T lambda - M x + D^T w (c - D x)                               (2)
 *     x <- x + dx,   lambda <- lambda + w (c - D x)                               (3)
 *
 * started from x = 0, lambda = 0. One pass is the penalty solution; repeated passes are the augmented Lagrangian
 * iteration and end at M x = f + D^T lambda, D x = c. The residual form (2) is the textbook's
 * A x_new = M x + D^T w c in exact arithmetic, but does not stall at the rounding level of A, which is 1/w of M's.
 * D may be rank deficient and M singular, as long as A is not. */
#ifndef HOLON_SOLVE_AUGMENTED_H
#define HOLON_SOLVE_AUGMENTED_H

#include "linalg/schur/penalty_matrix.h"
#include "solve/setup.h"

typedef struct HolAugmented {
    const HolPattern *pattern;
    HolPenaltyMatrix *penalty;
    double *w;         /* m weights of the rows */
    double *r, *s, *z; /* scratch: nv, m, nv */
    double *row_size;  /* scratch: m */
    double change;     /* max |dx| / (unit + max |x|) of the latest pass */
    long stamp;        /* of the matrices of the factors in penalty */
} HolAugmented;

/* Of each row: square += sum_j D_ij^2, mass += sum_j D_ij^2 M_jj; m numbers each. */
void hol_add_row_masses(const HolPattern *pattern, const double *M, const double *D, double *square, double *mass);

/* The largest effective mass of a row over the squared size of the row: the unit of penalties where one serves all
 * rows. x and y are scratch, m numbers each. */
double hol_max_row_mass(const HolPattern *pattern, const double *M, const double *D, double *x, double *y);

/* w_i = alpha times the caller's row weight. */
HolStatus hol_augmented_create(const HolSetup *setup, double alpha, HolAugmented **augmented);

/* Factors A for the M and D of the workspace, unless it has them already. */
HolStatus hol_augmented_factor(HolAugmented *augmented, HolWorkspace *work);

/* At most `passes` of (2), (3) until max |dx| <= tolerance (unit + max |x|), or until a small dx no longer shrinks, and
 * the rows are satisfied; the first pass always counts as not converged. Returns the number of passes, or -1 without
 * convergence. f may be NULL for zero, and lambda where a single pass is made for x alone. */
int hol_augmented_solve(HolAugmented *augmented, const HolTerms *terms, const double *f, const double *c, double unit,
                        double tolerance, int passes, double *x, double *lambda);

#endif
