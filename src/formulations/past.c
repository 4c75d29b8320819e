/* SPDX-License-Identifier: BSD-3-Clause */
#include "formulations/past.h"

#include <math.h>
#include <string.h>

HolStatus hol_past_create(HolArena *arena, int n, HolPast *past)
{
    past->n = n;
    for (int k = 0; k < HOL_PAST; ++k) {
        past->t[k] = NAN;
        past->x[k] = hol_arena_doubles(arena, (size_t)n);
    }
    return hol_arena_failed(arena) ? HOL_NO_MEMORY : HOL_OK;
}

void hol_past_keep(HolPast *past, double t, const double *x)
{
    if (!(past->t[0] >= t)) {
        double *oldest = past->x[HOL_PAST - 1];
        memmove(past->x + 1, past->x, (HOL_PAST - 1) * sizeof *past->x);
        memmove(past->t + 1, past->t, (HOL_PAST - 1) * sizeof *past->t);
        past->x[0] = oldest;
    }
    past->t[0] = t;
    memcpy(past->x[0], x, (size_t)past->n * sizeof *x);
}

int hol_past_count(const HolPast *past, double h)
{
    static const double SAME = 1e-6;
    int count = 0;
    while (count < HOL_PAST - 1 && fabs(past->t[0] - (count + 1) * h - past->t[count + 1]) <= SAME * h)
        ++count;
    return count;
}

void hol_past_extrapolate(const HolPast *past, int count, double *x)
{
    static const double c[HOL_PAST][HOL_PAST] = {{1}, {2, -1}, {3, -3, 1}, {4, -6, 4, -1}};
    for (int j = 0; j < past->n; ++j) {
        double sum = 0;
        for (int k = 0; k <= count; ++k)
            sum += c[count][k] * past->x[k][j];
        x[j] = sum;
    }
}
