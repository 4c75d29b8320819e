/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory and tolerances of a comparison. This library uses the public headers of holon only. */
#ifndef HOLON_COMPARE_SUPPORT_H
#define HOLON_COMPARE_SUPPORT_H

#include <holon/status.h>

#include <stddef.h>

/* Rounding of coordinates and energies, relative to the largest. */
#define HOL_COMPARE_ROUNDING 1e-12
/* Two times are the same, relative to the whole run. */
#define HOL_COMPARE_SAME_TIME 1e-9
/* A step may be longer than asked for by this part of itself. */
#define HOL_COMPARE_SAME_STEP 1e-6

/* Memory that is freed all at once. An empty pool is all zero. */
typedef struct HolPool {
    struct HolPoolBlock *first;
} HolPool;

void *hol_pool_alloc(HolPool *pool, size_t size); /* zeroed; NULL when out of memory */
double *hol_pool_doubles(HolPool *pool, size_t count);
void hol_pool_clear(HolPool *pool);

#define HOL_TRY(call)                                                                                                  \
    do {                                                                                                               \
        HolStatus hol_try_status = (call);                                                                             \
        if (hol_try_status != HOL_OK)                                                                                  \
            return hol_try_status;                                                                                     \
    } while (0)

#endif
