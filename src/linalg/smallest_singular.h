/* SPDX-License-Identifier: BSD-3-Clause */
/* The smallest singular value of D with every row divided by its size, max_j |D_ij|:
 *
 *     E = S D,   sigma = min |E^T y|,   |y| = 1                                                                  (1)
 *
 * by the iteration of the smallest eigenvalue of E E^T in the space of y, of w = (E E^T)^-1 y, and of the direction of
 * the latest change, p:
 *
 *     y <- the combination of y, w and p with the smallest |E^T y|                                               (2)
 *
 * which converges fast whether sigma is alone or next to others. E E^T is only used to find directions: sigma itself
 * comes from (1), without squaring, and keeps its digits down to rounding. */
#ifndef HOLON_LINALG_SMALLEST_SINGULAR_H
#define HOLON_LINALG_SMALLEST_SINGULAR_H

#include "linalg/schur.h"

typedef struct HolSmallest {
    const HolPattern *pattern;
    HolSchur *schur;     /* D D^T, the caller's */
    double *size;        /* of the rows */
    double *q[3], *x[3]; /* y, w, p of (2), orthonormal, and E^T of each */
    double *y, *c;
    double *avoid;            /* y of the smallest, while the next is sought */
    unsigned char *dependent; /* rows to the factorisation */
    bool is_next;
    int iterations; /* of the latest */
} HolSmallest;

/* schur: with the unit matrix for M. */
HolStatus hol_smallest_create(HolArena *arena, const HolPattern *pattern, HolSchur *schur, HolSmallest **smallest);

/* sigma of the rows that are not left out (NULL: all), y in smallest->q[0], zero for those left out, and E^T y in
 * smallest->x[0]. NAN where D is not finite or there are no rows. Factors D D^T anew. */
double hol_smallest_singular(HolSmallest *smallest, const double *D, const unsigned char *left_out);

/* The next larger one, right after it; leaves y and E^T y of the smallest where they are. */
double hol_next_singular(HolSmallest *smallest, const double *D, const unsigned char *left_out);

#endif
