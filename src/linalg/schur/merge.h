/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks merged for the Schur complement of masses that are not block diagonal, or not invertible.
 *
 * Blocks that masses couple become one, with a dense mass. A mass that is singular is shifted by some rows:
 *
 *     M' = M + D_s^T diag(w) D_s,     M' x = f + D^T mu,    D x = c                                        (1)
 *     lambda = mu - diag(w) D x  in the rows s:             M x = f + D^T lambda                           (2)
 *
 * with the x of the equations as they were, whatever w > 0. The rows s are those that depend on a singular block alone,
 * such as the rigidity of a body in natural coordinates; if these do not make it regular, all that touch it, and the
 * blocks that they touch become one with it. */
#ifndef HOLON_LINALG_SCHUR_MERGE_H
#define HOLON_LINALG_SCHUR_MERGE_H

#include "linalg/schur/internal.h"

/* Which blocks are merged; found in merge_plan.c. */
typedef struct HolMergePlan {
    int count;
    int *of;                /* of each block, the merged block that it belongs to, numbered by their first blocks */
    unsigned char *shifted; /* of each group, whether its rows shift the mass; it then depends on one merged block */
    bool shifts;
} HolMergePlan;

/* Merges blocks that masses couple. HOL_UNSUPPORTED if a merged block would become too large. */
HolStatus hol_merge_plan(HolArena *arena, const HolPattern *pattern, HolMergePlan *plan);
/* The same, and finds the groups that shift a singular M at this D. HOL_SINGULAR if all of them do not suffice. */
HolStatus hol_merge_plan_shifts(HolArena *arena, const HolPattern *pattern, const double *M, const double *D,
                                HolMergePlan *plan);

/* M and D determine the weights of (1); they may be NULL if the plan has no shifts. */
HolStatus hol_merge_create(HolArena *arena, const HolPattern *pattern, const HolMergePlan *plan, const double *M,
                           const double *D, HolSchurMerge **merge);

/* Flags the merged blocks that have no inverse, shifted by the D given before, and counts them. */
int hol_merge_find_singular(HolSchurMerge *merge, const double *M, unsigned char *singular);

#endif
