/* SPDX-License-Identifier: BSD-3-Clause */
/* The equations of motion in stabilised form of index 2, as F(t, y, ydot) = 0 for a solver of such equations.
 *
 *     y = (q, v, lambda, mu)
 *     F = (qdot - N(q) (v + D_h^T mu),        nq    kinematics
 *          M vdot - Q - D^T lambda,           nv    motion
 *          D v - nu,                          velocity level
 *          Phi)                               position level                                             (1)
 *
 * mu keeps the positions on the constraints and is zero in the exact solution. Only a largest set of independent rows
 * of D takes part: the others follow from them as long as the rank does not change. N(q) is linear in the numbers of
 * q, and all terms are evaluated at the point of the manifold next to q, so that the norm of Euler parameters has no
 * influence.
 *
 * The Jacobian dF/dy + c dF/dydot is taken by finite differences, many columns at once that have no row in common. What
 * is proportional to mu is left out. */
#ifndef HOLON_COMPARE_INDEX2_H
#define HOLON_COMPARE_INDEX2_H

#include <holon/system.h>

#include "support.h"

typedef struct HolIndex2 {
    const HolSystem *system;
    const HolPattern *pattern;
    HolTerms *terms;
    double earliest, latest; /* times at which terms are evaluated: strictly between two breakpoints */
    int *lambda, *mu;        /* of each row of D: where its numbers are in y and F; -1: it takes no part */
    int lambda_count, n;     /* n: size of y */
    double *q, *zero, *u, *rate;
    long evaluations;
    /* The Jacobian by columns: the rows of column j are row[start[j]] ... row[start[j + 1] - 1]. */
    int *start, *row;
    int *colour;                    /* of each column; those of lambda and mu come first */
    int linear_colours, colours;    /* of lambda and mu; of all */
    double *scale;                  /* n: the size of each number */
    double *y, *ydot, *F, *shifted; /* n */
} HolIndex2;

/* The rows are chosen at this state. Arrays live in the pool; terms stay the caller's. */
HolStatus hol_index2_create(HolPool *pool, const HolSystem *system, HolTerms *terms, const HolPoint *at,
                            HolIndex2 *index2);
HolStatus hol_index2_residual(HolIndex2 *index2, double t, const double *y, const double *ydot, double *F);
/* values: in the order of row. */
HolStatus hol_index2_jacobian(HolIndex2 *index2, double t, double c, const double *y, const double *ydot,
                              double *values);
/* The largest |Phi_i| of rows that take no part. */
HolStatus hol_index2_left_out(HolIndex2 *index2, double t, const double *y, double *violation);

/* sparsity.c: start, row and colour, from a configuration. */
HolStatus hol_index2_colour(HolPool *pool, HolIndex2 *index2, const double *q);

#endif
