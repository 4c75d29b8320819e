/* SPDX-License-Identifier: BSD-3-Clause */
/* The smallest singular value of D in units (blocks.h) with every row divided by its size, max_j |D_ij|:
 *
 *     E = S D,   sigma = min |E^T y|,   |y| = 1                                                                  (1)
 *
 * by the iteration of the smallest eigenvalue of E E^T in the space of y, of w = (E E^T)^-1 y, and of the direction of
 * the latest change, p:
 *
 *     y <- the combination of y, w and p with the smallest |E^T y|                                               (2)
 *
 * which converges fast whether sigma is alone or next to others. E E^T is only used to find directions: sigma itself
 * comes from (1), without squaring, and keeps its digits down to rounding.
 *
 * Redundant rows have y with E^T y = 0 everywhere: one for each of them, e_i - k with row i = sum k_j row j over the
 * others. They are found first, and y is kept normal to them throughout, so that sigma does not depend on which of
 * several dependent rows counts as redundant.                                                                    (3) */
#ifndef HOLON_LINALG_RANK_SMALLEST_SINGULAR_H
#define HOLON_LINALG_RANK_SMALLEST_SINGULAR_H

#include "linalg/schur/schur.h"

typedef struct HolSmallest {
    const HolPattern *pattern;
    HolSchur *schur;     /* D D^T, the caller's */
    double *scaled;      /* D in units (hol_jacobian_in_units()), if the lever arm is not 1 */
    double *size;        /* of its rows */
    double *q[3], *x[3]; /* y, w, p of (2), orthonormal, and E^T of each */
    double *y, *c;
    double **avoid; /* what y is kept normal to, (3) and the smallest while the next is sought */
    int avoided, most_avoided;
    unsigned char *dependent; /* rows to the factorisation */
    int iterations;           /* of the latest */
} HolSmallest;

/* schur: with the unit matrix for M. redundant: how many rows may be, at most. */
HolStatus hol_smallest_create(HolArena *arena, const HolPattern *pattern, HolSchur *schur, int redundant,
                              HolSmallest **smallest);

/* sigma, with y in smallest->q[0] and E^T y in smallest->x[0]. redundant: flags of the rows, or NULL. NAN where D is
 * not finite or all rows are redundant. Factors D D^T. */
double hol_smallest_singular(HolSmallest *smallest, const double *D, const unsigned char *redundant);

/* The next larger one, right after it; leaves y and E^T y of the smallest where they are. */
double hol_next_singular(HolSmallest *smallest, const double *D);

#endif
