/* SPDX-License-Identifier: BSD-3-Clause */
/* The symmetric matrix of two unknowns for each velocity, j and f, of which one is held positive, one negative:
 *
 *     A = [ m_jj M + k_jj K      m_jf M + k_jf K                       ]
 *         [ (the same)^T         m_ff M + k_ff K + c C + D^T diag(w) D ],                              (1)
 *
 * quasi-definite where the block jj is negative and ff positive definite. Such a matrix has a factorisation
 * L diag(d) L^T in any order, with signs of d that are known beforehand. Unknowns are ordered by blocks, in each first
 * j, then f. */
#ifndef HOLON_LINALG_TWOFOLD_H
#define HOLON_LINALG_TWOFOLD_H

#include "linalg/block_ldl.h"

typedef struct HolTwofold HolTwofold;

HolStatus hol_twofold_create(HolArena *arena, const HolPattern *pattern, HolTwofold **twofold);

typedef struct HolTwofoldParts {
    const double *M, *K, *C, *D; /* K and C NULL: zero; of them only the symmetric parts are taken */
    double m_jj, m_jf, m_ff, k_jj, k_jf, k_ff, c;
    const double *w; /* m weights of the rows */
} HolTwofoldParts;

/* HOL_SINGULAR if a pivot vanishes or has the wrong sign. */
HolStatus hol_twofold_factor(HolTwofold *twofold, const HolTwofoldParts *parts);

/* (x_j, x_f) <- A^-1 (x_j, x_f), nv numbers each */
void hol_twofold_solve(HolTwofold *twofold, double *x_j, double *x_f);

#endif
