/* SPDX-License-Identifier: BSD-3-Clause */
/* The equations of motion by the dual Schur complement:
 *
 *     [ M  -D^T ] [ x      ]   [ f ]
 *     [ D    0  ] [ lambda ] = [ c ]
 *
 *     M^-1 = T T^T,   E = D T,   S = E E^T,                       (1)
 *     g = T^T f,   S lambda = c - E g,   x = T (g + E^T lambda)   (2)
 *
 * S couples two groups only if they share a block, so it is factored by the static block LDL over the graph of groups.
 * Rows that depend on others are left out (block_ldl.h). Chains and single loops have code of their own, in
 * path.c. Groups of different sizes are made alike where that is faster, in padding.c. Where every block has a row
 * of its own, those are eliminated first, in own_rows.c. All of that is for a block-diagonal invertible M; blocks that
 * masses couple are merged before, and a singular M is shifted by rows of D, in merge.c. */
#ifndef HOLON_LINALG_SCHUR_SCHUR_H
#define HOLON_LINALG_SCHUR_SCHUR_H

#include "linalg/block/block_ldl.h"

typedef struct HolSchur HolSchur;

/* With `identity` M is replaced by the unit matrix throughout. HOL_UNSUPPORTED where masses couple too many blocks. */
HolStatus hol_schur_create(HolArena *arena, const HolPattern *pattern, bool identity, HolSchur **schur);

/* For an M that may be singular while M + D^T D is not: the given M and D decide which rows shift it. Sets the mass M,
 * too. HOL_UNSUPPORTED where too many blocks would be coupled; HOL_SINGULAR if no rows suffice. */
HolStatus hol_schur_create_for(HolArena *arena, const HolPattern *pattern, const double *M, const double *D,
                               HolSchur **schur);

/* Computes T of (1), once for a constant M. HOL_SINGULAR if a block is not positive definite and no rows were
 * found to shift it. */
HolStatus hol_schur_set_mass(HolSchur *schur, const double *M);

/* Forms and factors S; tolerance and left_out as in hol_ldl_factor(). HOL_SINGULAR if the shifted M is singular. */
HolStatus hol_schur_factor(HolSchur *schur, const double *D, double tolerance, const unsigned char *left_out);

/* (2); f may be NULL for zero. Only the rows kept are met. */
void hol_schur_solve(HolSchur *schur, const double *f, const double *c, double *x, double *lambda);

/* Both in one, which saves passes over the memory: the rows of D are still in the cache when they are needed again. */
HolStatus hol_schur_factor_solve(HolSchur *schur, const double *D, double tolerance, const unsigned char *left_out,
                                 const double *f, const double *c, double *x, double *lambda);

/* Flags the rows that the latest factorisation left out. */
void hol_schur_rows_left_out(const HolSchur *schur, unsigned char *left_out);
int hol_schur_rank(const HolSchur *schur);
double hol_schur_pivot(const HolSchur *schur);

#endif
