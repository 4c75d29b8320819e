/* SPDX-License-Identifier: BSD-3-Clause */
/* The tangent of an equilibrium, on the pattern of a system, factored by KLU:
 *
 *     [ K + s M   -D^T ] [   x    ]   [ f ]
 *     [    D        0  ] [ lambda ] = [ c ]                                                             (1)
 *
 * K need not be symmetric and M may be singular, as long as K + s M is regular where D x = 0. Rows that are left out
 * have lambda = 0. For set-up and studies: creation allocates, and so does a factorisation (sparse/lu.h). */
#ifndef HOLON_LINALG_SPARSE_SADDLE_H
#define HOLON_LINALG_SPARSE_SADDLE_H

#include <holon/system.h>

#include "base/arena.h"

typedef struct HolSaddle HolSaddle;

/* On failure *saddle may still have to be destroyed; NULL is allowed there. */
HolStatus hol_saddle_create(HolArena *arena, const HolPattern *pattern, HolSaddle **saddle);
void hol_saddle_destroy(HolSaddle *saddle); /* what does not belong to the arena */

/* left_out: m flags. HOL_SINGULAR if there is nothing to solve with, HOL_NOT_FINITE, HOL_NO_MEMORY. */
HolStatus hol_saddle_factor(HolSaddle *saddle, const double *K, double s, const double *M, const double *D,
                            const unsigned char *left_out);

/* (1); f has nv numbers, c m of them. Either may be NULL: zeros. x and lambda may be f and c. */
void hol_saddle_solve(HolSaddle *saddle, const double *f, const double *c, double *x, double *lambda);

/* S = (T + T^T) / 2 of a K or C on the tangent pattern; returns max |T - S|. */
double hol_tangent_symmetric_part(const HolPattern *pattern, const double *T, double *S);

#endif
