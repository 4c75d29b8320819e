/* SPDX-License-Identifier: BSD-3-Clause */
/* Dormand-Prince 5(4), adaptive (docs/methods/dopri5.md). Seven stages, the last of them at the result itself:
 *
 *     k_s  = f(t_0 + c_s h, Y_s),   Y_s = y_0 + h sum_{i<s} a_si k_i,   s = 1 ... 7,   y_1 = Y_7      (1)
 *     e    = h sum e_i k_i              difference to the embedded order 4 result                       (2)
 *     err  = max_j |e_j| / (absolute u_j + tolerance max(|y_0j|, |y_1j|)),   u_j: HolRates.unit         (3)
 *
 * The maximum, not the root mean square: a thousand bodies at rest must not hide the error of the one that moves.
 *
 *     h_new = h safety err^-(1/5 - 3/4 beta) err_before^beta     after an accepted step (PI control)     (4)
 *     h_new = h safety err^-(1/5)                                after a rejected one                    (5)
 *
 * Dense output: the cubic of y_0, k_1, y_1, k_7 misses only the last condition of order 4, on theta^4, by
 * theta^2 (1 - theta)^2. That bubble carries the correction, so the ends stay as they are:
 *
 *     b_i(theta) = theta^2 (3 - 2 theta) b_i + [i=1] theta (1-theta)^2 - [i=7] theta^2 (1-theta)
 *                  + theta^2 (1-theta)^2 d_i,        y(theta) = y_0 + h sum b_i(theta) k_i               (6)
 *
 * with sum d_i Phi_i(tree) gamma(tree) = 1 for the trees of order 4 and 0 for the smaller ones. */
#include "base/message.h"
#include "base/options.h"
#include "base/tolerances.h"
#include "integrators/integrator.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { STAGES = 7 };

static const double c[STAGES] = {0, 1. / 5, 3. / 10, 4. / 5, 8. / 9, 1, 1};

static const double a[STAGES][STAGES] = {
    {0},
    {1. / 5},
    {3. / 40, 9. / 40},
    {44. / 45, -56. / 15, 32. / 9},
    {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
    {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656},
    {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84},
};
static const double *const b = a[STAGES - 1];

static const double e[STAGES] = {
    71. / 57600, 0, -71. / 16695, 71. / 1920, -17253. / 339200, 22. / 525, -1. / 40,
};

static const double d[STAGES] = {
    -12715105075. / 11282082432,  0,
    87487479700. / 32700410799,   -10690763975. / 1880347072,
    701980252875. / 199316789632, -1453857185. / 822651844,
    69997945. / 29380423,
};

static const double beta = 0.04;
static const double least_error =
    0.1 * HOL_TOL_SMALL;             /* remembered in (4), so that one lucky step does not make the next one small */
static const double hopeless = 1e10; /* the error of a step that could not be finished */

typedef struct Options {
    double tolerance, absolute, safety, min_factor, max_factor, max_step;
} Options;

typedef struct Dopri5 {
    Options options;
    int size;
    const double *unit; /* of y, as in HolRates */
    double h, *y0, *k;  /* of the step just taken: k is k_1 ... k_7, one after the other */
    double *y;          /* scratch: an evaluation may complete it in place */
    double error_before;
    bool rejected;
} Dopri5;

static HolStatus dopri5_create(HolArena *arena, const HolRates *rates, const void *options, void **self)
{
    Dopri5 *p = hol_arena_alloc(arena, sizeof *p);
    HOL_TRY(hol_arena_status(arena));
    const size_t n = (size_t)rates->size;
    p->options = *(const Options *)options;
    if (p->options.max_step == 0)
        p->options.max_step = HOL_LARGEST;
    if (p->options.absolute == 0)
        p->options.absolute = 10 * HOL_TOL_SMALL * p->options.tolerance;
    p->unit = rates->unit;
    p->size = rates->size;
    HOL_DOUBLES(arena, n, &p->y0, &p->y);
    p->k = hol_arena_doubles(arena, STAGES * n);
    p->error_before = 1;
    *self = p;
    return hol_arena_status(arena);
}

/* y = y_0 + sum_{i<s} w_i k_i. Inlined with a constant s the inner loop unrolls and the outer one vectorises. */
static inline void combine_stages(int n, int s, const double *restrict w, const double *restrict y0,
                                  const double *restrict k, double *restrict y)
{
    for (int j = 0; j < n; ++j) {
        double sum = 0;
        for (int i = 0; i < s; ++i)
            sum += w[i] * k[(size_t)i * (size_t)n + (size_t)j];
        y[j] = y0[j] + sum;
    }
}

static void dopri5_combine(const Dopri5 *p, int s, const double *w, double *y)
{
    switch (s) {
    case 1: combine_stages(p->size, 1, w, p->y0, p->k, y); return;
    case 2: combine_stages(p->size, 2, w, p->y0, p->k, y); return;
    case 3: combine_stages(p->size, 3, w, p->y0, p->k, y); return;
    case 4: combine_stages(p->size, 4, w, p->y0, p->k, y); return;
    case 5: combine_stages(p->size, 5, w, p->y0, p->k, y); return;
    case 6: combine_stages(p->size, 6, w, p->y0, p->k, y); return;
    default: combine_stages(p->size, STAGES, w, p->y0, p->k, y); return;
    }
}

/* (1) for all stages but the first, which is ydot at y_0 */
static HolStatus stages(Dopri5 *p, HolRates *rates, const HolStepFrom *from, double *y_new)
{
    const size_t n = (size_t)p->size;
    p->h = from->h;
    memcpy(p->y0, from->y, n * sizeof *p->y0);
    memcpy(p->k, from->ydot, n * sizeof *p->k);
    for (int s = 1; s < STAGES; ++s) {
        double w[STAGES];
        for (int i = 0; i < s; ++i)
            w[i] = from->h * a[s][i];
        double *y = s == STAGES - 1 ? y_new : p->y;
        dopri5_combine(p, s, w, y);
        HOL_TRY(hol_rates_evaluate(rates, from->t + c[s] * from->h, from->h, y, p->k + (size_t)s * n));
    }
    return HOL_OK;
}

/* (2), (3) over the first `controlled` numbers; anything not finite is hopeless */
static double error_norm(const Dopri5 *p, int controlled, const double *y1)
{
    const size_t n = (size_t)p->size;
    double err = 0;
    for (int j = 0; j < controlled; ++j) {
        double sum = 0;
        for (int i = 0; i < STAGES; ++i)
            sum += e[i] * p->k[(size_t)i * n + (size_t)j];
        double scale = p->options.absolute * p->unit[j] + p->options.tolerance * fmax(fabs(p->y0[j]), fabs(y1[j]));
        double ratio = fabs(p->h * sum) / scale;
        if (!(ratio < hopeless))
            return hopeless;
        err = fmax(err, ratio);
    }
    return err;
}

/* Failures that a smaller step may cure. */
static bool dopri5_is_numerical(HolStatus status)
{
    return status == HOL_NOT_FINITE || status == HOL_SINGULAR || status == HOL_NO_CONVERGENCE;
}

/* A stage that fails is a rejection like any other: the sentence stays in rates->message, for the case that no step
 * is small enough. A first step above max_step is rejected unseen; one that rounding made larger is not. */
static HolStatus dopri5_step(void *self, HolRates *rates, const HolStepFrom *from, double *y_new)
{
    Dopri5 *p = self;
    rates->report.error = hopeless;
    if (from->h > p->options.max_step * (1 + HOL_TOL_STEP))
        return HOL_OK;
    HolStatus status = stages(p, rates, from, y_new);
    if (dopri5_is_numerical(status))
        return HOL_OK;
    HOL_TRY(status);
    rates->report.error = error_norm(p, rates->controlled, y_new);
    return HOL_OK;
}

/* (4), (5); right after a rejection the step does not grow, since it has just proved too large */
static double adapt(void *self, double h, double error, bool accepted)
{
    Dopri5 *p = self;
    const Options *o = &p->options;
    double factor = o->safety * pow(error, -0.2);
    if (accepted) {
        factor = o->safety * pow(error, -(0.2 - 0.75 * beta)) * pow(p->error_before, beta);
        p->error_before = fmax(error, least_error);
    }
    double largest = accepted && !p->rejected ? o->max_factor : 1;
    p->rejected = !accepted;
    return fmin(h * fmax(o->min_factor, fmin(factor, largest)), o->max_step);
}

static void dopri5_forget(void *self)
{
    Dopri5 *p = self;
    p->rejected = false;
}

static void dopri5_archive(void *self, HolArchive *archive)
{
    Dopri5 *p = self;
    hol_archive_doubles(archive, p->y0, p->size);
    for (int s = 0; s < STAGES; ++s)
        hol_archive_doubles(archive, p->k + (size_t)s * (size_t)p->size, p->size);
    HOL_ARCHIVE_EACH(archive, &p->h, &p->error_before);
    HOL_ARCHIVE_BOOLS(archive, &p->rejected);
}

/* (6) */
static void dopri5_interpolate(const void *self, double theta, double *y)
{
    const Dopri5 *p = self;
    const double rest = 1 - theta;
    const double end = theta * theta * (3 - 2 * theta), bubble = theta * theta * rest * rest;
    double w[STAGES];
    for (int i = 0; i < STAGES; ++i)
        w[i] = p->h * (end * b[i] + bubble * d[i]);
    w[0] += p->h * theta * rest * rest;
    w[STAGES - 1] -= p->h * theta * theta * rest;
    dopri5_combine(p, STAGES, w, y);
}

static const HolOption options_table[] = {
    HOL_REAL(Options, tolerance, HOL_TOL_HALF, HOL_TOL_CONVERGED, 1, "",
             "local error allowed per step, relative to each number of q and v"),
    HOL_REAL(Options, absolute, 0, 0, HOL_LARGEST, "",
             "local error allowed per step where q or v is near zero, relative to L and L/(1000 h), L: size of the "
             "model; 0: tolerance/100"),
    HOL_REAL(Options, safety, 0.9, 0.1, 0.99, "", "factor on the step that the error estimate would allow"),
    HOL_REAL(Options, min_factor, 0.2, 0.01, 0.9, "", "the step shrinks by no more than this factor at once"),
    HOL_REAL(Options, max_factor, 5, 1, 100, "", "the step grows by no more than this factor at once"),
    HOL_REAL(Options, max_step, 0, 0, HOL_LARGEST, "s", "largest step; 0: no limit"),
};

const HolIntegratorKind hol_dopri5 = {
    .name = "dopri5",
    .title = "Dormand-Prince 5(4), adaptive step, dense output",
    .page = "docs/methods/dopri5.md",
    .needs = HOL_RATES,
    .order = 5,
    HOL_OPTIONS(Options, options_table),
    .create = dopri5_create,
    .step = dopri5_step,
    .adapt = adapt,
    .forget = dopri5_forget,
    .archive = dopri5_archive,
    .interpolate = dopri5_interpolate,
};
