/* SPDX-License-Identifier: BSD-3-Clause */
#ifdef HOLON_IDA

#include "vectors.h"

#include <stdbool.h>
#include <stdlib.h>

/* What the functions of serial vectors know comes first. */
typedef struct Content {
    struct _N_VectorContent_Serial serial;
    HolSpares *spares;
} Content;

N_Vector hol_spares_take(HolSpares *spares)
{
    return spares->count > 0 ? spares->list[--spares->count] : NULL;
}

static N_Vector clone_from_spares(N_Vector vector)
{
    return hol_spares_take(((Content *)vector->content)->spares);
}

static N_Vector vector_create(HolSpares *spares, int n, SUNContext context)
{
    N_Vector vector = N_VNewEmpty_Serial(n, context);
    Content *content = calloc(1, sizeof *content);
    double *data = calloc((size_t)n + 1, sizeof *data);
    if (!vector || !content || !data) {
        free(content);
        free(data);
        N_VDestroy(vector);
        return NULL;
    }
    *content = (Content){{n, SUNTRUE, data}, spares};
    free(vector->content);
    vector->content = content;
    vector->ops->nvclone = clone_from_spares;
    return vector;
}

bool hol_spares_create(HolSpares *spares, int n, SUNContext context)
{
    spares->count = 0;
    while (spares->count < HOL_SPARE_VECTORS) {
        N_Vector vector = vector_create(spares, n, context);
        if (!vector)
            return false;
        spares->list[spares->count++] = vector;
    }
    return true;
}

void hol_spares_free(HolSpares *spares)
{
    while (spares->count > 0)
        N_VDestroy(spares->list[--spares->count]);
}

#else
typedef int HolNothing; /* a translation unit is not empty */
#endif
