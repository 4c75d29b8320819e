/* SPDX-License-Identifier: BSD-3-Clause */
/* Scaling of the rows by the stiffness of their joints, for index3-augmented-lagrangian.
 *
 *     W = L L^T,   D~ = L^T D,   c~ = L^T c,   lambda = L lambda~                      (1)
 *
 * W is the matrix of penalties without the common factor alpha: one symmetric positive definite block for each group of
 * rows, a diagonal of row weights, or the identity, with rows of angles as arcs at the lever arm. Then
 * D^T alpha W D = alpha D~^T D~ and the scaled rows have one penalty for all. Among all lambda with the same D^T lambda
 * the one that lies in the range of W D, whose lambda^T W^-1 lambda is least, is the lambda~ of minimum norm. */
#ifndef HOLON_SOLVE_ROW_SCALING_H
#define HOLON_SOLVE_ROW_SCALING_H

#include "solve/setup.h"

typedef struct HolRowScaling {
    const HolPattern *pattern;
    double *of_size; /* m: factors of rows without a weight */
    double *L;       /* dense lower triangles, one after the other in the order of the groups */
    int *start;      /* where that of each group begins */
    bool is_identity;
} HolRowScaling;

/* HOL_BAD_INPUT and a sentence if the row_stiffness of the setup is not symmetric and positive definite. */
HolStatus hol_row_scaling_create(const HolSetup *setup, HolRowScaling **scaling);

/* (1): D~ on the pattern of D; m numbers each of the others. None may be its own result. */
void hol_scale_jacobian(const HolRowScaling *scaling, const double *D, double *scaled);
void hol_scale_rows(const HolRowScaling *scaling, const double *c, double *scaled);
void hol_unscale_multipliers(const HolRowScaling *scaling, const double *scaled, double *lambda);

#endif
