/* SPDX-License-Identifier: BSD-3-Clause */
#include "support.h"

#include <stdlib.h>

struct HolPoolBlock {
    struct HolPoolBlock *next;
    max_align_t data[];
};

void *hol_pool_alloc(HolPool *pool, size_t size)
{
    struct HolPoolBlock *block = calloc(1, sizeof *block + size);
    if (!block)
        return NULL;
    block->next = pool->first;
    pool->first = block;
    return block->data;
}

double *hol_pool_doubles(HolPool *pool, size_t count)
{
    return hol_pool_alloc(pool, count * sizeof(double));
}

void hol_pool_clear(HolPool *pool)
{
    while (pool->first) {
        struct HolPoolBlock *next = pool->first->next;
        free(pool->first);
        pool->first = next;
    }
}
