/* SPDX-License-Identifier: BSD-3-Clause */
#include "simulate/redundancy.h"

#include "simulate/internal.h"
HolStatus hol_redundancy_create(HolArena *arena, HolWorkspace *work, HolRedundancy **redundancy)
{
    HolRedundancy *r = hol_arena_alloc(arena, sizeof *r);
    HolStatus status = r ? hol_count_rank(work, &r->rank) : HOL_NO_MEMORY;
    if (r)
        r->redundant_count = 0;
    *redundancy = r;
    return status;
}
