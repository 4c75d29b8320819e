/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of the latest equal steps, extrapolated to the end of the next one as initial values of an iteration.
 *
 *     x(t + h) = sum_k c_k x(t - k h),   c = (1), (2, -1), (3, -3, 1) or (4, -6, 4, -1)                            (1)
 *
 * with n + 1 values and an error of h^(n+1) times the derivative of that order. */
#ifndef HOLON_SOLVE_STEPS_PREDICTOR_H
#define HOLON_SOLVE_STEPS_PREDICTOR_H

#include <holon/status.h>

#include "base/archive.h"
#include "base/arena.h"

enum { HOL_PREDICTOR_VALUES = 4 };

typedef struct HolPredictor {
    int n;
    double t[HOL_PREDICTOR_VALUES]; /* the latest first */
    double *x[HOL_PREDICTOR_VALUES];
} HolPredictor;

/* For vectors of n numbers. */
HolStatus hol_predictor_create(HolArena *arena, int n, HolPredictor *predictor);

/* Stores x(t) as the latest value; replaces the latest if that is of the same time or a later one. */
void hol_predictor_store(HolPredictor *predictor, double t, const double *x);

/* The number of values before the latest one that belong to steps of size h. */
int hol_predictor_count(const HolPredictor *predictor, double h);

/* (1) from the latest value and `count` values before it. */
void hol_predictor_extrapolate(const HolPredictor *predictor, int count, double *x);

void hol_predictor_archive(HolPredictor *predictor, HolArchive *archive);

#endif
