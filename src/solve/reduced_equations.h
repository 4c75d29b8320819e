/* SPDX-License-Identifier: BSD-3-Clause */
/* Equations of motion reduced to the admissible directions. The columns of Z (nv x dof) span these, D Z = 0:
 *
 *     vdot = x + Z z,   D x = gamma                                               (1)
 *     (Z^T M Z) z = Z^T (Q - M x)                                                 (2)
 *     D^T lambda = M vdot - Q                                                     (3)
 *
 * The caller finds Z and x, and lambda from the right side of (3), so that it handles redundant rows. M may be singular
 * in directions that the rows constrain. Dense. */
#ifndef HOLON_SOLVE_REDUCED_EQUATIONS_H
#define HOLON_SOLVE_REDUCED_EQUATIONS_H

#include "solve/setup.h"

typedef struct HolReducedEquations {
    const HolPattern *pattern;
    int dof;
    double *Z;     /* row-major nv x dof, written by the caller; memory for nv x nv */
    double *force; /* nv: M vdot - Q, written by hol_reduced_force() */
    double *reduced, *root, *column, *z, *w;
} HolReducedEquations;

HolStatus hol_reduced_create(const HolSetup *setup, HolReducedEquations **reduced);

/* Factors Z^T M Z for the present Z with dof columns. HOL_SINGULAR if a direction has no mass. */
HolStatus hol_reduced_factor(HolReducedEquations *reduced, const HolTerms *terms, int dof);

/* (2) with any force Q, NULL for none: vdot holds x, then x + Z z. */
void hol_reduced_solve(HolReducedEquations *reduced, const HolTerms *terms, const double *Q, double *vdot);

/* The right side of (3). */
void hol_reduced_force(HolReducedEquations *reduced, const HolTerms *terms, const double *Q, const double *vdot);

#endif
