/* SPDX-License-Identifier: BSD-3-Clause */
#include "linalg/sparse/lu.h"

#include "base/tolerances.h"
#include "linalg/block/blocks.h"

#include <assert.h>
#include <klu.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const double WORST_GROWTH = 0.1 * HOL_TOL_SMALL,
                    WORST_QUALITY = HOL_TOL_SAME; /* relative to the best with these pivots */
static const double ROUNDING = HOL_ROUNDINGS(16); /* a quality that means singular */

struct HolSparseLu {
    int n, *column_start, *row_index;
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric; /* NULL where the next factorisation has to choose pivots */
    double best_growth, best_quality, quality;
    long fresh_count;
};

static HolStatus lu_status_of(const klu_common *common)
{
    switch (common->status) {
    case KLU_OK: return HOL_OK;
    case KLU_SINGULAR: return HOL_SINGULAR;
    case KLU_OUT_OF_MEMORY: return HOL_NO_MEMORY;
    case KLU_TOO_LARGE: return HOL_NO_MEMORY;
    default: return HOL_BAD_INPUT;
    }
}

static HolStatus lu_analyse(HolSparseLu *lu, const int *column_start, const int *row_index)
{
    size_t columns = (size_t)lu->n, entries = (size_t)column_start[lu->n];
    lu->column_start = malloc((columns + 1) * sizeof(int));
    lu->row_index = malloc((entries + 1) * sizeof(int));
    if (!lu->column_start || !lu->row_index)
        return HOL_NO_MEMORY;
    memcpy(lu->column_start, column_start, (columns + 1) * sizeof(int));
    if (entries > 0)
        memcpy(lu->row_index, row_index, entries * sizeof(int));
    if (lu->n == 0) /* which KLU calls invalid */
        return HOL_OK;
    lu->symbolic = klu_analyze(lu->n, lu->column_start, lu->row_index, &lu->common);
    if (!lu->symbolic)
        return lu_status_of(&lu->common);
    return lu->common.structural_rank < lu->n ? HOL_SINGULAR : HOL_OK;
}

HolStatus hol_sparse_lu_create(int n, const int *column_start, const int *row_index, HolSparseLu **lu)
{
    if (n < 0 || column_start[n] < 0) /* the rest of the pattern is checked by klu_analyze */
        return HOL_BAD_INPUT;
    HolSparseLu *made = calloc(1, sizeof *made);
    if (!made)
        return HOL_NO_MEMORY;
    made->n = n;
    made->quality = 1;
    klu_defaults(&made->common);
    HolStatus status = lu_analyse(made, column_start, row_index);
    if (status == HOL_OK)
        *lu = made;
    else
        hol_sparse_lu_destroy(made);
    return status;
}

void hol_sparse_lu_destroy(HolSparseLu *lu)
{
    if (!lu)
        return;
    klu_free_numeric(&lu->numeric, &lu->common);
    klu_free_symbolic(&lu->symbolic, &lu->common);
    free(lu->column_start);
    free(lu->row_index);
    free(lu);
}

/* The largest entry of column k of A, scaled, permuted and within its block, which starts at first. */
static double lu_largest_of_column(const HolSparseLu *lu, const double *values, int first, int k)
{
    const int *place = lu->numeric->Pinv;
    const double *scale = lu->numeric->Rs;
    int j = lu->symbolic->Q[k];
    double largest = 0;
    for (int p = lu->column_start[j]; p < lu->column_start[j + 1]; p++) {
        int i = place[lu->row_index[p]];
        if (i >= first)
            largest = fmax(largest, fabs(values[p]) / scale[i]);
    }
    return largest;
}

/* (2), which KLU does not offer */
static double quality_of(const HolSparseLu *lu, const double *values)
{
    const double *U = lu->numeric->Udiag;
    const int *first = lu->symbolic->R;
    double quality = 1;
    for (int block = 0; block < lu->symbolic->nblocks; block++) {
        for (int k = first[block]; k < first[block + 1]; k++) {
            double pivot = fabs(U[k]) / lu_largest_of_column(lu, values, first[block], k);
            if (!(pivot > 0)) /* which a NaN is not */
                return 0;
            quality = fmin(quality, pivot);
        }
    }
    return quality;
}

/* Remembers the best; true if these pivots serve. */
static bool pivots_serve(HolSparseLu *lu, double *values)
{
    klu_rgrowth(lu->column_start, lu->row_index, values, lu->symbolic, lu->numeric, &lu->common);
    double growth = lu->common.rgrowth;
    lu->quality = quality_of(lu, values);
    lu->best_growth = fmax(lu->best_growth, growth);
    lu->best_quality = fmax(lu->best_quality, lu->quality);
    return growth >= WORST_GROWTH * lu->best_growth && lu->quality >= WORST_QUALITY * lu->best_quality &&
           lu->quality >= ROUNDING;
}

static HolStatus factor_afresh(HolSparseLu *lu, double *values)
{
    klu_free_numeric(&lu->numeric, &lu->common);
    lu->best_growth = lu->best_quality = 0;
    lu->fresh_count++;
    lu->numeric = klu_factor(lu->column_start, lu->row_index, values, lu->symbolic, &lu->common);
    HolStatus status = lu_status_of(&lu->common);
    if (status == HOL_OK && !pivots_serve(lu, values))
        status = HOL_SINGULAR;
    if (status != HOL_OK)
        klu_free_numeric(&lu->numeric, &lu->common);
    return status;
}

HolStatus hol_sparse_lu_factor(HolSparseLu *lu, const double *values)
{
    if (lu->n == 0)
        return HOL_OK;
    if (!hol_all_finite((size_t)lu->column_start[lu->n], values)) {
        klu_free_numeric(&lu->numeric, &lu->common);
        return HOL_NOT_FINITE;
    }
    double *unchanged = (double *)values; /* KLU reads them only, but does not say so */
    if (lu->numeric &&
        klu_refactor(lu->column_start, lu->row_index, unchanged, lu->symbolic, lu->numeric, &lu->common) &&
        lu->common.status == KLU_OK && pivots_serve(lu, unchanged))
        return HOL_OK;
    return factor_afresh(lu, unchanged);
}

void hol_sparse_lu_solve(HolSparseLu *lu, double *x)
{
    assert(lu->n == 0 || lu->numeric);
    if (lu->n > 0)
        klu_solve(lu->symbolic, lu->numeric, lu->n, 1, x, &lu->common);
}

long hol_sparse_lu_fresh_count(const HolSparseLu *lu)
{
    return lu->fresh_count;
}

double hol_sparse_lu_quality(const HolSparseLu *lu)
{
    return lu->quality;
}
