/* SPDX-License-Identifier: BSD-3-Clause */
#include "integrators/embedded.h"

#include "base/message.h"
#include "base/options.h"
#include "base/tolerances.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { MOST = HOL_EMBEDDED_STAGES };

static const double beta = 0.04;
static const double least_error =
    0.1 * HOL_TOL_SMALL;             /* remembered in (5), so that one lucky step does not make the next one small */
static const double hopeless = 1e10; /* the error of a step that could not be finished */

/* The numbers of a row that are not zero. */
typedef struct Row {
    int count, stage[MOST];
    double weight[MOST];
} Row;

typedef struct HolEmbedded {
    const HolEmbeddedScheme *scheme;
    HolEmbeddedOptions options;
    Row a[MOST], e, e_low;
    int size;
    const double *unit;   /* of y, as in HolRates */
    double t, h, *y0, *k; /* of the step just taken: k is k_1 ... k_s, one after the other */
    int known;            /* number of these stages that have been evaluated */
    double *y;            /* scratch: an evaluation may complete it in place */
    double error_before;
    bool rejected;
} HolEmbedded;

static Row row_of(const double *weights, int count)
{
    Row row = {0};
    for (int i = 0; i < count; ++i)
        if (weights[i] != 0) {
            row.stage[row.count] = i;
            row.weight[row.count++] = weights[i];
        }
    return row;
}

HolStatus hol_embedded_create(HolArena *arena, const HolRates *rates, const HolEmbeddedScheme *scheme,
                              const HolEmbeddedOptions *options, void **self)
{
    HolEmbedded *p = hol_arena_alloc(arena, sizeof *p);
    HOL_TRY(hol_arena_status(arena));
    const size_t n = (size_t)rates->size;
    p->scheme = scheme;
    p->options = *options;
    if (p->options.max_step == 0)
        p->options.max_step = HOL_LARGEST;
    if (p->options.absolute == 0)
        p->options.absolute = 10 * HOL_TOL_SMALL * p->options.tolerance;
    for (int s = 0; s < scheme->dense_stages; ++s)
        p->a[s] = row_of(scheme->a + s * scheme->dense_stages, s);
    p->e = row_of(scheme->e, scheme->stages);
    if (scheme->e_low)
        p->e_low = row_of(scheme->e_low, scheme->stages);
    p->unit = rates->unit;
    p->size = rates->size;
    HOL_DOUBLES(arena, n, &p->y0, &p->y);
    p->k = hol_arena_doubles(arena, (size_t)scheme->dense_stages * n);
    p->error_before = 1;
    *self = p;
    return hol_arena_status(arena);
}

/* y = y_0 + h sum w_i k_i over the first `count` numbers of a row. Inlined with a constant the inner loop unrolls and
 * the outer one vectorises. */
static inline void combine(const HolEmbedded *p, int count, const Row *row, double *restrict y)
{
    const double *k[MOST];
    double w[MOST];
    for (int i = 0; i < count; ++i) {
        k[i] = p->k + (size_t)row->stage[i] * (size_t)p->size;
        w[i] = p->h * row->weight[i];
    }
    for (int j = 0; j < p->size; ++j) {
        double sum = 0;
        for (int i = 0; i < count; ++i)
            sum += w[i] * k[i][j];
        y[j] = p->y0[j] + sum;
    }
}

static void embedded_combine(const HolEmbedded *p, const Row *row, double *y)
{
    switch (row->count) {
    case 1: combine(p, 1, row, y); return;
    case 2: combine(p, 2, row, y); return;
    case 3: combine(p, 3, row, y); return;
    case 4: combine(p, 4, row, y); return;
    case 5: combine(p, 5, row, y); return;
    case 6: combine(p, 6, row, y); return;
    case 7: combine(p, 7, row, y); return;
    case 8: combine(p, 8, row, y); return;
    case 9: combine(p, 9, row, y); return;
    default: combine(p, row->count, row, y); return;
    }
}

/* (1) for the stages from p->known up to `count`; `y_new`, if any, becomes the result. */
static HolStatus embedded_evaluate(HolEmbedded *p, HolRates *rates, int count, double *y_new)
{
    for (; p->known < count; ++p->known) {
        const int s = p->known;
        double *y = s == p->scheme->result && y_new ? y_new : p->y;
        embedded_combine(p, &p->a[s], y);
        HOL_TRY(hol_rates_evaluate(rates, p->t + p->scheme->c[s] * p->h, p->h, y, p->k + (size_t)(s * p->size)));
    }
    return HOL_OK;
}

/* (1), (2); the first stage is ydot at y_0 */
static HolStatus embedded_stages(HolEmbedded *p, HolRates *rates, const HolStepFrom *from, double *y_new)
{
    const size_t n = (size_t)p->size;
    p->t = from->t;
    p->h = from->h;
    p->known = 1;
    memcpy(p->y0, from->y, n * sizeof *p->y0);
    memcpy(p->k, from->ydot, n * sizeof *p->k);
    HOL_TRY(embedded_evaluate(p, rates, p->scheme->stages, y_new));
    if (p->scheme->result >= p->scheme->stages)
        embedded_combine(p, &p->a[p->scheme->result], y_new);
    return HOL_OK;
}

/* (3) with these weights, relative to what is allowed, over the first `controlled` numbers; anything not finite is
 * hopeless */
static double embedded_norm(const HolEmbedded *p, const Row *e, int controlled, const double *y1)
{
    double err = 0;
    for (int j = 0; j < controlled; ++j) {
        double sum = 0;
        for (int i = 0; i < e->count; ++i)
            sum += e->weight[i] * p->k[(size_t)(e->stage[i] * p->size + j)];
        double before = fabs(p->y0[j]), after = fabs(y1[j]), largest = before > after ? before : after;
        double ratio = fabs(p->h * sum) / (p->options.absolute * p->unit[j] + p->options.tolerance * largest);
        if (!(ratio < hopeless))
            return hopeless;
        err = ratio > err ? ratio : err; /* calls of fmax() would be felt in each step */
    }
    return err;
}

/* (4), so that squares of tiny errors do not vanish. */
static double embedded_error(const HolEmbedded *p, int controlled, const double *y1)
{
    double err = embedded_norm(p, &p->e, controlled, y1);
    if (!p->scheme->e_low || err == 0 || err == hopeless)
        return err;
    double low = embedded_norm(p, &p->e_low, controlled, y1) / err;
    return err / sqrt(1 + 0.01 * low * low);
}

/* Failures that a smaller step may cure. */
static bool embedded_is_numerical(HolStatus status)
{
    return status == HOL_NOT_FINITE || status == HOL_SINGULAR || status == HOL_NO_CONVERGENCE;
}

/* A stage that fails is a rejection like any other: the sentence stays in rates->message, for the case that no step
 * is small enough. A first step above max_step is rejected unseen; one that rounding made larger is not. */
HolStatus hol_embedded_step(void *self, HolRates *rates, const HolStepFrom *from, double *y_new)
{
    HolEmbedded *p = self;
    rates->report.error = hopeless;
    if (from->h > p->options.max_step * (1 + HOL_TOL_STEP))
        return HOL_OK;
    HolStatus status = embedded_stages(p, rates, from, y_new);
    if (embedded_is_numerical(status))
        return HOL_OK;
    HOL_TRY(status);
    rates->report.error = embedded_error(p, rates->controlled, y_new);
    return HOL_OK;
}

/* (5), (6); right after a rejection the step does not grow, since it has just proved too large */
double hol_embedded_adapt(void *self, double h, double error, bool accepted)
{
    HolEmbedded *p = self;
    const HolEmbeddedOptions *o = &p->options;
    const double power = p->scheme->power;
    double factor = o->safety * pow(error, -power);
    if (accepted) {
        factor = o->safety * pow(error, -(power - 0.75 * beta)) * pow(p->error_before, beta);
        p->error_before = fmax(error, least_error);
    }
    double largest = accepted && !p->rejected ? o->max_factor : 1;
    p->rejected = !accepted;
    return fmin(h * fmax(o->min_factor, fmin(factor, largest)), o->max_step);
}

void hol_embedded_forget(void *self)
{
    HolEmbedded *p = self;
    p->rejected = false;
}

/* Stages that are not known have no meaning, but their number is that of the bytes. */
void hol_embedded_archive(void *self, HolArchive *archive)
{
    HolEmbedded *p = self;
    hol_archive_doubles(archive, p->y0, p->size);
    for (int s = 0; s < p->scheme->dense_stages; ++s)
        hol_archive_doubles(archive, p->k + (size_t)s * (size_t)p->size, p->size);
    hol_archive_int(archive, &p->known, 0, p->scheme->dense_stages);
    HOL_ARCHIVE_EACH(archive, &p->t, &p->h, &p->error_before);
    HOL_ARCHIVE_BOOLS(archive, &p->rejected);
}

/* (7) */
HolStatus hol_embedded_interpolate(void *self, HolRates *rates, double theta, double *y)
{
    HolEmbedded *p = self;
    double b[MOST];
    HOL_TRY(embedded_evaluate(p, rates, p->scheme->dense_stages, NULL));
    p->scheme->weights(theta, b);
    Row row = row_of(b, p->scheme->dense_stages);
    embedded_combine(p, &row, y);
    return HOL_OK;
}

const HolOption hol_embedded_options[HOL_EMBEDDED_OPTION_COUNT] = {
    HOL_REAL(HolEmbeddedOptions, tolerance, HOL_TOL_HALF, HOL_TOL_CONVERGED, 1, "",
             "local error allowed per step, relative to each number of q and v"),
    HOL_REAL(HolEmbeddedOptions, absolute, 0, 0, HOL_LARGEST, "",
             "local error allowed per step where q or v is near zero, relative to L and L/(1000 h), L: size of the "
             "model; 0: tolerance/100"),
    HOL_REAL(HolEmbeddedOptions, safety, 0.9, 0.1, 0.99, "", "factor on the step that the error estimate would allow"),
    HOL_REAL(HolEmbeddedOptions, min_factor, 0.2, 0.01, 0.9, "",
             "the step shrinks by no more than this factor at once"),
    HOL_REAL(HolEmbeddedOptions, max_factor, 5, 1, 100, "", "the step grows by no more than this factor at once"),
    HOL_REAL(HolEmbeddedOptions, max_step, 0, 0, HOL_LARGEST, "s", "largest step; 0: no limit"),
};
