/* SPDX-License-Identifier: BSD-3-Clause */
#include "solve/steps/predictor.h"

#include "base/message.h"
#include "base/tolerances.h"

#include <math.h>
#include <string.h>

HolStatus hol_predictor_create(HolArena *arena, int n, HolPredictor *predictor)
{
    predictor->n = n;
    for (int k = 0; k < HOL_PREDICTOR_VALUES; ++k) {
        predictor->t[k] = NAN;
        predictor->x[k] = hol_arena_doubles(arena, (size_t)n);
    }
    return hol_arena_status(arena);
}

void hol_predictor_store(HolPredictor *predictor, double t, const double *x)
{
    if (!(predictor->t[0] >= t)) {
        double *oldest = predictor->x[HOL_PREDICTOR_VALUES - 1];
        memmove(predictor->x + 1, predictor->x, (HOL_PREDICTOR_VALUES - 1) * sizeof *predictor->x);
        memmove(predictor->t + 1, predictor->t, (HOL_PREDICTOR_VALUES - 1) * sizeof *predictor->t);
        predictor->x[0] = oldest;
    }
    predictor->t[0] = t;
    memcpy(predictor->x[0], x, (size_t)predictor->n * sizeof *x);
}

int hol_predictor_count(const HolPredictor *predictor, double h)
{
    static const double SAME = HOL_TOL_STEP;
    int count = 0;
    while (count < HOL_PREDICTOR_VALUES - 1 &&
           fabs(predictor->t[0] - (count + 1) * h - predictor->t[count + 1]) <= SAME * h)
        ++count;
    return count;
}

void hol_predictor_extrapolate(const HolPredictor *predictor, int count, double *x)
{
    static const double c[HOL_PREDICTOR_VALUES][HOL_PREDICTOR_VALUES] = {{1}, {2, -1}, {3, -3, 1}, {4, -6, 4, -1}};
    for (int j = 0; j < predictor->n; ++j) {
        double sum = 0;
        for (int k = 0; k <= count; ++k)
            sum += c[count][k] * predictor->x[k][j];
        x[j] = sum;
    }
}

void hol_predictor_archive(HolPredictor *predictor, HolArchive *archive)
{
    hol_archive_doubles(archive, predictor->t, HOL_PREDICTOR_VALUES);
    for (int k = 0; k < HOL_PREDICTOR_VALUES; ++k)
        hol_archive_doubles(archive, predictor->x[k], predictor->n);
}
