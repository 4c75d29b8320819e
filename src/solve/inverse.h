/* SPDX-License-Identifier: BSD-3-Clause */
/* The Moore-Penrose inverse of the equations of motion, of all rows or of the holonomic ones alone:
 *
 *     [x; lambda] = [M -D^T; D 0]^+ [f; c]                                                            (1)
 *
 * x is the nearest to M^-1 f, in the norm of M, of those that minimise |D x - c|; lambda has minimum norm. With f = 0
 * and M = R^T R this is x = R^-1 C^+ c, C = D R^-1. Where the rows and M leave no direction free, it separates into
 * steps that never add a force to a length, and for which M need not be invertible:
 *
 *     x = U y,   y minimises |D U y - c|,   U the r constrained directions                            (2)
 *     x <- x + Z z,   (Z^T M Z) z = Z^T (f - M x),   Z the other directions                           (3)
 *     lambda = the minimum-norm solution of U^T D^T lambda = U^T (M x - f)                                (4)
 *
 * U and Z are those of linalg/rank/row_space.h. Dense. With space->qr->steady the work depends on the sizes and r, not
 * on the numbers. */
#ifndef HOLON_SOLVE_INVERSE_H
#define HOLON_SOLVE_INVERSE_H

#include "base/archive.h"
#include "linalg/rank/row_space.h"
#include "solve/reduced_equations.h"

typedef struct HolInverse {
    const HolPattern *pattern;
    int rows; /* how many of the first rows of D are used */
    double rank_tolerance;
    int rank; /* at the latest accepted state */
    int most; /* of the rank; a caller that knows it may lower it, and sets stamp to -1 */
    HolRowSpace *space;
    HolReducedEquations *reduced; /* whose Z is Z */
    long stamp;
    double *D, *size; /* D with rows scaled, and what by */
    double *one, *c;  /* NULL unless the rows count by their scaled form, see hol_inverse_scale_rows() */
} HolInverse;

/* rows: m, or nh for the holonomic ones alone. A direction is unconstrained if its pivot is below this part of the
 * largest; the rank is determined at the point of the workspace, the consistent initial state. */
HolStatus hol_inverse_create(const HolSetup *setup, int rows, double rank_tolerance, HolInverse **inverse);

/* From now on |D x - c| and |lambda| are those of rows divided by their size: a factor on a row has no effect. */
HolStatus hol_inverse_scale_rows(const HolSetup *setup, HolInverse *inverse);

/* U and Z for the M and D of the workspace, which must hold Phi too; returns at once if they are up to date. */
HolStatus hol_inverse_factor(HolInverse *inverse, HolWorkspace *work);

/* (2)-(4) with the factors at hand; f may be NULL for zero. c has `rows` numbers; lambda has m, zero behind them. */
void hol_inverse_solve(HolInverse *inverse, const HolTerms *terms, const double *f, const double *c, double *x,
                       double *lambda);

/* Counts the constrained directions at an accepted state. */
HolStatus hol_inverse_count(HolInverse *inverse, HolWorkspace *work);

/* The smallest pivot relative to the largest, as a square, like those of D M^-1 D^T. */
double hol_inverse_pivot(const HolInverse *inverse);

void hol_inverse_archive(HolInverse *inverse, HolArchive *archive); /* inverse may be NULL */

#endif
