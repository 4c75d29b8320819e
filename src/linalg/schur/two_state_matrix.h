/* SPDX-License-Identifier: BSD-3-Clause */
/* The symmetric indefinite matrix of two unknowns f and j for each velocity:
 *
 *     A = [ m_ff M + k_ff K + c C + D^T diag(w) D     m_jf M + k_jf K                       ]
 *         [ (the same)^T                              m_jj M + K_jj - D_j^T diag(w_j) D_j   ],          (1)
 *
 * It must have nv positive and nv negative eigenvalues, as it has where ff is positive and jj negative definite. It is
 * factored as L diag(d) L^T without pivoting; the signs of d are those of the eigenvalues (Sylvester). Unknowns are
 * ordered by blocks, in each first f, then j. */
#ifndef HOLON_LINALG_SCHUR_TWO_STATE_MATRIX_H
#define HOLON_LINALG_SCHUR_TWO_STATE_MATRIX_H

#include "linalg/block/block_ldl.h"

typedef struct HolTwoStateMatrix HolTwoStateMatrix;

HolStatus hol_two_state_create(HolArena *arena, const HolPattern *pattern, HolTwoStateMatrix **matrix);

typedef struct HolTwoStateParts {
    const double *M, *K, *C, *D; /* K and C NULL: zero; of them and of K_jj only the symmetric parts are taken */
    const double *K_jj;          /* NULL: zero */
    double m_jj, m_jf, m_ff, k_jf, k_ff, c;
    const double *w;         /* m weights of the rows */
    const double *D_j, *w_j; /* NULL: no rows */
} HolTwoStateParts;

/* HOL_SINGULAR if a pivot vanishes or other than nv of them are negative. */
HolStatus hol_two_state_factor(HolTwoStateMatrix *matrix, const HolTwoStateParts *parts);

/* (x_j, x_f) <- A^-1 (x_j, x_f), nv numbers each */
void hol_two_state_solve(HolTwoStateMatrix *matrix, double *x_j, double *x_f);

#endif
