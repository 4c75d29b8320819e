/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers of the latest equal steps, extrapolated to the end of the next one: where an iteration may begin.
 *
 *     x(t + h) = sum_k c_k x(t - k h),   c = (1), (2, -1), (3, -3, 1) or (4, -6, 4, -1)                            (1)
 *
 * which of n + 1 values misses x by h^(n+1) times its derivative of that order. */
#ifndef HOLON_FORMULATIONS_PAST_H
#define HOLON_FORMULATIONS_PAST_H

#include <holon/status.h>

#include "base/arena.h"

enum { HOL_PAST = 4 };

typedef struct HolPast {
    int n;
    double t[HOL_PAST]; /* the latest first */
    double *x[HOL_PAST];
} HolPast;

/* Of n numbers each. */
HolStatus hol_past_create(HolArena *arena, int n, HolPast *past);

/* Puts x(t) before the others, or in place of the latest if that is of the same time or a later one. */
void hol_past_keep(HolPast *past, double t, const double *x);

/* How many values before the latest one belong to steps of the size h. */
int hol_past_count(const HolPast *past, double h);

/* (1) from the latest value and that many before it. */
void hol_past_extrapolate(const HolPast *past, int count, double *x);

#endif
