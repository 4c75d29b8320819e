/* SPDX-License-Identifier: BSD-3-Clause */
/* The penalty matrix A = M + D^T diag(w) D with positive weights w, factored by the static block LDL over the graph of
 * blocks. It is positive definite wherever M is on the null space of D, whatever the rank of D. */
#ifndef HOLON_LINALG_PRIMAL_H
#define HOLON_LINALG_PRIMAL_H

#include "linalg/block_ldl.h"

typedef struct HolPrimal HolPrimal;

HolStatus hol_primal_create(HolArena *arena, const HolPattern *pattern, HolPrimal **primal);

/* The same with room for slopes: its graph is that of the tangents K and C. */
HolStatus hol_primal_create_tangent(HolArena *arena, const HolPattern *pattern, HolPrimal **primal);

/* What an implicit step adds to the mass, M + k K + c C. Only the symmetric parts of K and C are taken. */
typedef struct HolSlopes {
    const double *K, *C;
    double k, c;
} HolSlopes;

/* w has m numbers. HOL_SINGULAR if some coordinate is held neither by M nor by D. */
HolStatus hol_primal_factor(HolPrimal *primal, const double *M, const double *D, const double *w);

/* The same of M + k K + c C + D^T diag(w) D, if made for tangents. HOL_SINGULAR unless it is positive definite. */
HolStatus hol_primal_factor_tangent(HolPrimal *primal, const double *M, const HolSlopes *slopes, const double *D,
                                    const double *w);

/* x <- A^-1 x */
void hol_primal_solve(const HolPrimal *primal, double *x);

double hol_primal_pivot(const HolPrimal *primal);

#endif
