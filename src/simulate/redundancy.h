/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HOLON_SIMULATE_REDUNDANCY_H
#define HOLON_SIMULATE_REDUNDANCY_H
#include "system/workspace.h"
typedef struct HolRedundancy {
    int rank, redundant_count;
    const int *redundant;
    double **null_vectors;
} HolRedundancy;
HolStatus hol_redundancy_create(HolArena *arena, HolWorkspace *work, HolRedundancy **redundancy);
#endif
