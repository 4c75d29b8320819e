/* SPDX-License-Identifier: BSD-3-Clause */
/* Which rows repeat what others say, and how: rank and null space of D^T at one point.
 *
 * A redundant row r is a combination of the rows K that are kept,
 *
 *     D_r = sum_K x_i D_i,                                                                          (1)
 *
 * so n_r = (x on K, -1 at r) has D^T n_r = 0. These vectors are a basis of the null space: multipliers lambda and
 * lambda + n_r move the system alike. Rows are chosen as in linalg/rank/independent_rows.h; which of several dependent
 * ones counts as redundant is the choice of that elimination. */
#ifndef HOLON_SIMULATE_DIAGNOSIS_REDUNDANCY_H
#define HOLON_SIMULATE_DIAGNOSIS_REDUNDANCY_H

#include "base/arena.h"
#include "system/workspace.h"

typedef struct HolRedundancy {
    int rank, redundant_count;
    double smallest_sine;              /* of a row kept, against the others; 1 where none is suspicious */
    int smallest_row;                  /* that row, or -1 */
    const int *redundant;              /* the redundant rows, ascending */
    const double *const *null_vectors; /* n_r of each, m numbers; NULL if there would be more than 5e7 in all */
} HolRedundancy;

/* At the point of the workspace, which should be consistent, with D evaluated. Each vector costs time in
 * proportion to the system. */
HolStatus hol_redundancy_create(HolArena *arena, HolWorkspace *work, HolRedundancy **redundancy);

/* The rank of D at the point of the workspace; D must be evaluated. */
HolStatus hol_count_rank(HolWorkspace *work, int *rank);

/* The highest rank found in configurations near the point of the workspace, of rank `rank`, that satisfy constraints:
 * a singular configuration has a lower one. D is evaluated again at the same point. */
int hol_count_neighbour_rank(HolWorkspace *work, int rank);

#endif
