/* SPDX-License-Identifier: BSD-3-Clause */
/* The inverse of one small symmetric positive definite block, such as the mass of a body. */
#ifndef HOLON_LINALG_SPD_BLOCK_H
#define HOLON_LINALG_SPD_BLOCK_H

#include <holon/status.h>

/* Row-major n x n, may not overlap. HOL_SINGULAR unless A is safely positive definite. */
HolStatus hol_spd_invert(int n, const double *A, double *inverse);

#endif
