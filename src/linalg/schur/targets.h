/* SPDX-License-Identifier: BSD-3-Clause */
/* The places of M, K, C and D^T diag(w) D in a block LDL^T over the graph of blocks. */
#ifndef HOLON_LINALG_SCHUR_TARGETS_H
#define HOLON_LINALG_SCHUR_TARGETS_H

#include "linalg/block/block_ldl.h"

/* The position of a block in L, and whether it is stored transposed. */
typedef struct HolTarget {
    int value;
    bool turned;
} HolTarget;

/* Two D blocks i, j of one group, with the place of D_i^T diag(w) D_j. */
typedef struct HolLink {
    int i, j;
    HolTarget target;
} HolLink;

typedef struct HolTargets {
    HolLink *links;
    int link_count;
    HolTarget *masses;   /* of each mass block */
    HolTarget *tangents; /* of each block of K and C, NULL without them */
} HolTargets;

/* Creates the matrix, in which each block of the pattern has its size times `states`, and finds the places. */
HolStatus hol_targets_create(HolArena *arena, const HolPattern *pattern, int states, bool with_tangents,
                             HolTargets *targets, HolBlockLdl **matrix);

#endif
