/* SPDX-License-Identifier: BSD-3-Clause */
/* The symmetric matrix of two unknowns for each velocity, f and j, of which one is held positive, one negative:
 *
 *     A = [ m_ff M + k_ff K + c C + D^T diag(w) D     m_jf M + k_jf K                       ]
 *         [ (the same)^T                              m_jj M + K_jj - D_j^T diag(w_j) D_j   ],          (1)
 *
 * with nv positive and nv negative eigenvalues: so where the block ff is positive and jj negative definite, and still
 * where jj has slopes of ff in it that f gives way to. The factorisation L diag(d) L^T is made without pivoting; the
 * signs of d tell whether the eigenvalues are so. Unknowns are ordered by blocks, in each first f, then j. */
#ifndef HOLON_LINALG_TWOFOLD_H
#define HOLON_LINALG_TWOFOLD_H

#include "linalg/block_ldl.h"

typedef struct HolTwofold HolTwofold;

HolStatus hol_twofold_create(HolArena *arena, const HolPattern *pattern, HolTwofold **twofold);

typedef struct HolTwofoldParts {
    const double *M, *K, *C, *D; /* K and C NULL: zero; of them and of K_jj only the symmetric parts are taken */
    const double *K_jj;          /* NULL: zero */
    double m_jj, m_jf, m_ff, k_jf, k_ff, c;
    const double *w;         /* m weights of the rows */
    const double *D_j, *w_j; /* NULL: no rows */
} HolTwofoldParts;

/* HOL_SINGULAR if a pivot vanishes or other than nv of them are negative. */
HolStatus hol_twofold_factor(HolTwofold *twofold, const HolTwofoldParts *parts);

/* (x_j, x_f) <- A^-1 (x_j, x_f), nv numbers each */
void hol_twofold_solve(HolTwofold *twofold, double *x_j, double *x_f);

#endif
