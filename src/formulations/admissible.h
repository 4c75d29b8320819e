/* SPDX-License-Identifier: BSD-3-Clause */
/* Motion in the directions that the rows allow. The columns of Z (nv x freedoms) span them, D Z = 0:
 *
 *     vdot = x + Z z,   D x = gamma                                               (1)
 *     (Z^T M Z) z = Z^T (Q - M x)                                                 (2)
 *     D^T lambda = M vdot - Q                                                     (3)
 *
 * The caller finds Z and x, and lambda from the right side of (3): it decides what becomes of redundant rows. M may be
 * singular where the rows hold what it does not. Dense. */
#ifndef HOLON_FORMULATIONS_ADMISSIBLE_H
#define HOLON_FORMULATIONS_ADMISSIBLE_H

#include "formulations/formulation.h"

typedef struct HolAdmissible {
    const HolPattern *pattern;
    int freedoms;
    double *Z;     /* row-major nv x freedoms, written by the caller; memory for nv x nv */
    double *force; /* nv: M vdot - Q, written by hol_admissible_force() */
    double *reduced, *root, *column, *z, *w;
} HolAdmissible;

HolStatus hol_admissible_create(const HolSetup *setup, HolAdmissible **admissible);

/* Factors Z^T M Z for the Z at hand, which has so many columns. HOL_SINGULAR if a direction has no mass. */
HolStatus hol_admissible_factor(HolAdmissible *admissible, const HolTerms *terms, int freedoms);

/* (2) with any force Q, NULL for none: vdot holds x, then x + Z z. */
void hol_admissible_move(HolAdmissible *admissible, const HolTerms *terms, const double *Q, double *vdot);

/* The right side of (3). */
void hol_admissible_force(HolAdmissible *admissible, const HolTerms *terms, const double *Q, const double *vdot);

#endif
