/* SPDX-License-Identifier: BSD-3-Clause */
/* The null space of D^T without a matrix for it. With the rows K kept and the rows R left out, which depend on them,
 *
 *     D_R = X D_K,   N = [ -X^T on K; I on R ],   D^T N = 0                                           (1)
 *
 * so that multipliers lambda and lambda + N z cause the same motion. X is never formed: each product costs a few
 * solutions with D_K D_K^T, in time proportional to the system. */
#ifndef HOLON_LINALG_RANK_LEFT_NULL_SPACE_H
#define HOLON_LINALG_RANK_LEFT_NULL_SPACE_H

#include "linalg/schur/schur.h"

typedef struct HolLeftNullSpace HolLeftNullSpace;

HolStatus hol_left_null_create(HolArena *arena, const HolPattern *pattern, HolLeftNullSpace **space);

/* D and left_out (m flags) are used until the next call. HOL_SINGULAR if the rows kept depend on each other too. */
HolStatus hol_left_null_factor(HolLeftNullSpace *space, const double *D, const unsigned char *left_out);

/* n = N z; m numbers each, of z only those of the rows left out count. n may not be z. */
void hol_left_null_times(HolLeftNullSpace *space, const double *z, double *n);

/* z = N^T y; zero on the rows kept. z may not be y. */
void hol_left_null_transposed(HolLeftNullSpace *space, const double *y, double *z);

/* How far the rows left out are from depending on the others: max |D^T N z| / max |D_R^T z| for some z. */
double hol_left_null_defect(HolLeftNullSpace *space);

#endif
