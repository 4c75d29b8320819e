/* SPDX-License-Identifier: BSD-3-Clause */
/* The trapezoidal rule, order 2, implicit (docs/methods/trapezoidal.md), y_1 = y(t_1), t_1 = t_0 + h:
 *
 *     y_1 = y_0 + h/2 (f_0 + f(t_1, y_1)),   f_0 = f(t_0, y_0)                                       (1)
 *
 * Both iterations correct an approximation y of y_1 by the residual of (1), in Newton's divided by A:
 *
 *     r = y_0 - y + h/2 (f_0 + f(t_1, y))                                                            (2)
 *     y <- y + A^-1 r,    A = I (fixed point) or I - h/2 df/dy (Newton)                              (3)
 *
 * and begin without an evaluation. Newton's, for stiff systems, with (1) linearised at y_0; the fixed point with the
 * rates of up to four equal steps, f_-k = f(t_0 - k h), which are extrapolated to f(t_1, y_1):
 *
 *     y = y_0 + A^-1 h f_0                                                                           (4)
 *     y = y_0 + h/2 (f_0 + sum_k c_k f_-k),   c = (1), (2, -1), (3, -3, 1) or (4, -6, 4, -1)         (4')
 *
 * They end when the last change of y is small,
 *
 *     max_j |change_j| / (u_j + |y_j|)  <=  tolerance,   u_j: HolRates.unit                          (5)
 *
 * W is in no rate: it stays out of A and of (5), and follows from (1). A is kept from step to step while it converges.
 *
 * Near a singular configuration f is not smooth enough for either to converge. There the step fails or, with divergence
 * = continue, ends with the iterate of least change. */
#include "base/message.h"
#include "base/options.h"
#include "base/tolerances.h"
#include "integrators/integrator.h"
#include "linalg/dense/lu.h"
#include "solve/steps/predictor.h"

#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

enum { FIXED_POINT, NEWTON };
enum { FAIL, CONTINUE };

/* Up to this many tolerances, a change that no longer shrinks is rounding, which a stiff penalty multiplies. */
static const double noise = 10;
static const double slow = 0.5; /* a Newton pass that leaves more of the change before it calls for a new A */

typedef struct Options {
    int iteration, max_iterations, divergence;
    double tolerance;
} Options;

typedef struct Trapezoidal {
    Options options;
    int size, n;        /* of y, and without W */
    const double *unit; /* of y, as in HolRates */
    double *y;          /* scratch: an evaluation may complete it in place */
    double *f, *r;
    double *best, best_change; /* iterate of least change, for divergence = continue */
    HolPredictor predictor;    /* f_0, f_-1, ... of (4') */
    double *f_near, *A;        /* Newton only, as are the following; A is n x n */
    HolLu *lu;                 /* of A */
    double h;                  /* of A; 0: there is none */
    int extra_passes;          /* beyond two per step, since A was made */
} Trapezoidal;

static HolStatus create_newton(HolArena *arena, Trapezoidal *p)
{
    p->f_near = hol_arena_doubles(arena, (size_t)p->size);
    p->A = hol_arena_doubles(arena, (size_t)p->n * (size_t)p->n);
    return hol_lu_create(arena, p->n, &p->lu);
}

static HolStatus trapezoidal_create(HolArena *arena, const HolRates *rates, const void *options, void **self)
{
    Trapezoidal *p = hol_arena_alloc(arena, sizeof *p);
    HOL_TRY(hol_arena_status(arena));
    p->options = *(const Options *)options;
    p->size = rates->size;
    p->n = rates->controlled;
    p->unit = rates->unit;
    HOL_DOUBLES(arena, p->size, &p->y, &p->f, &p->r, &p->best);
    HOL_TRY(hol_predictor_create(arena, p->size, &p->predictor));
    if (p->options.iteration == NEWTON)
        HOL_TRY(create_newton(arena, p));
    *self = p;
    return hol_arena_status(arena);
}

/* f(t, y) of a copy of y: an evaluation replaces dependent coordinates, which would then never seem to converge. */
static HolStatus trapezoidal_evaluate(Trapezoidal *p, HolRates *rates, double t, double h, const double *y, double *f)
{
    memcpy(p->y, y, (size_t)p->size * sizeof *y);
    return hol_rates_evaluate(rates, t, h, p->y, f);
}

/* Column j of df/dy by a forward difference, into A. A number that the formulation replaces has no effect: zero. */
static HolStatus trapezoidal_column(Trapezoidal *p, HolRates *rates, double t, double h, double *y, int j)
{
    const double y_j = y[j];
    y[j] += sqrt(HOL_ROUNDINGS(1)) * (p->unit[j] + fabs(y_j));
    const double delta = y[j] - y_j; /* as rounded */
    HolStatus status = trapezoidal_evaluate(p, rates, t, h, y, p->f_near);
    y[j] = y_j;
    for (int i = 0; i < p->n && status == HOL_OK; ++i)
        p->A[(size_t)i * (size_t)p->n + (size_t)j] = (i == j) - h / 2 * (p->f_near[i] - p->f[i]) / delta;
    return status;
}

/* A at (t, y), factored: n + 1 evaluations. y is as before afterwards. */
static HolStatus make_A(Trapezoidal *p, HolRates *rates, double t, double h, double *y)
{
    p->h = 0;
    HOL_TRY(trapezoidal_evaluate(p, rates, t, h, y, p->f));
    for (int j = 0; j < p->n; ++j)
        HOL_TRY(trapezoidal_column(p, rates, t, h, y, j));
    if (hol_lu_factor(p->lu, p->n, p->A) != HOL_OK)
        return hol_fail(&rates->message, HOL_SINGULAR,
                        "the Newton matrix I - h/2 df/dy is singular at t = %g with h = %g; take another step", t, h);
    p->h = h;
    p->extra_passes = 0;
    return HOL_OK;
}

/* r <- A^-1 r */
static void trapezoidal_divide(Trapezoidal *p)
{
    if (p->options.iteration == NEWTON)
        hol_lu_solve(p->lu, p->r);
}

/* (4) */
static void linearise(Trapezoidal *p, const HolStepFrom *from, double *restrict y)
{
    for (int j = 0; j < p->size; ++j)
        p->r[j] = from->h * from->ydot[j];
    trapezoidal_divide(p);
    for (int j = 0; j < p->size; ++j)
        y[j] = from->y[j] + p->r[j];
}

/* (4') with `count` previous rates */
static void extrapolate(Trapezoidal *p, const HolStepFrom *from, int count, double *restrict y)
{
    hol_predictor_extrapolate(&p->predictor, count, p->f);
    for (int j = 0; j < p->size; ++j)
        y[j] = from->y[j] + from->h / 2 * (from->ydot[j] + p->f[j]);
}

/* (5): infinite if any change is not finite */
static double change(const Trapezoidal *p, const double *y)
{
    double largest = 0;
    for (int j = 0; j < p->n; ++j) {
        double ratio = fabs(p->r[j]) / (p->unit[j] + fabs(y[j]));
        if (!isfinite(ratio))
            return INFINITY;
        largest = fmax(largest, ratio);
    }
    return largest;
}

/* (2), (3) from f at y; returns the change (5) */
static double trapezoidal_correct(Trapezoidal *p, const HolStepFrom *from, double *restrict y)
{
    const double *restrict y0 = from->y, *restrict f0 = from->ydot, *restrict f = p->f;
    double *restrict r = p->r;
    for (int j = 0; j < p->size; ++j)
        r[j] = y0[j] - y[j] + from->h / 2 * (f0[j] + f[j]);
    trapezoidal_divide(p);
    for (int j = 0; j < p->size; ++j)
        y[j] += r[j];
    return change(p, y);
}

static HolStatus no_convergence(const Trapezoidal *p, HolRates *rates, const HolStepFrom *from, const char *what,
                                double last)
{
    const bool newton = p->options.iteration == NEWTON;
    return hol_fail(
        &rates->message, HOL_NO_CONVERGENCE,
        "the %s iteration of the step from t = %g %s: its last change of y is %.3g, the tolerance %g; "
        "take a smaller step or a larger tolerance%s",
        newton ? "Newton" : "fixed-point", from->t, what, last, p->options.tolerance,
        newton ? "" : ", iteration = newton if the system is stiff, or divergence = continue past a singularity");
}

static void remember(Trapezoidal *p, const double *y, double now)
{
    if (p->options.divergence == FAIL || !(now < p->best_change))
        return;
    memcpy(p->best, y, (size_t)p->size * sizeof *y);
    p->best_change = now;
}

/* f at y, then (2), (3); after the first iteration a value that is not finite counts as an infinite change */
static HolStatus trapezoidal_pass(Trapezoidal *p, HolRates *rates, const HolStepFrom *from, double *y, double *last)
{
    HolStatus status = trapezoidal_evaluate(p, rates, from->t + from->h, from->h, y, p->f);
    ++rates->report.iterations;
    const bool blew_up = status == HOL_NOT_FINITE && isfinite(*last);
    *last = status == HOL_OK ? trapezoidal_correct(p, from, y) : INFINITY;
    remember(p, y, *last);
    return blew_up ? HOL_OK : status;
}

/* Passes until (5). The iteration is called diverging when the change grows twice in a row: once is common, on the way
 * in from a poor start. */
static HolStatus trapezoidal_iterate(Trapezoidal *p, HolRates *rates, const HolStepFrom *from, double *y)
{
    double last = INFINITY;
    int growths = 0;
    for (int k = 0; k < p->options.max_iterations; ++k) {
        const double before = last;
        HOL_TRY(trapezoidal_pass(p, rates, from, y, &last));
        if (last <= p->options.tolerance) {
            p->extra_passes += k > 1 ? k - 1 : 0;
            return HOL_OK;
        }
        growths = last > before ? growths + 1 : 0;
        if (growths == 2 && last <= noise * p->options.tolerance)
            return HOL_OK;
        if (growths == 2 || !isfinite(last))
            return no_convergence(p, rates, from, "diverges", last);
        if (p->options.iteration == NEWTON && last > slow * before)
            HOL_TRY(make_A(p, rates, from->t + from->h, from->h, y));
    }
    return no_convergence(p, rates, from, "does not converge", last);
}

/* Whether the A of earlier steps is worth a try: not when the passes it has cost would have paid for a new one. */
static bool A_serves(const Trapezoidal *p, double h)
{
    return p->h == h && p->extra_passes <= p->n;
}

static HolStatus trapezoidal_newton(Trapezoidal *p, HolRates *rates, const HolStepFrom *from, double *y_new)
{
    if (A_serves(p, from->h)) {
        linearise(p, from, y_new);
        if (trapezoidal_iterate(p, rates, from, y_new) == HOL_OK)
            return HOL_OK;
    }
    memcpy(y_new, from->y, (size_t)p->size * sizeof *y_new);
    HOL_TRY(make_A(p, rates, from->t, from->h, y_new));
    linearise(p, from, y_new);
    return trapezoidal_iterate(p, rates, from, y_new);
}

/* Extrapolation may fail where f is not smooth; then the step begins again without it. */
static HolStatus fixed_point(Trapezoidal *p, HolRates *rates, const HolStepFrom *from, double *y_new)
{
    hol_predictor_store(&p->predictor, from->t, from->ydot);
    int count = hol_predictor_count(&p->predictor, from->h);
    extrapolate(p, from, count, y_new);
    HolStatus status = trapezoidal_iterate(p, rates, from, y_new);
    if (status == HOL_OK || count == 0)
        return status;
    extrapolate(p, from, 0, y_new);
    return trapezoidal_iterate(p, rates, from, y_new);
}

static HolStatus trapezoidal_step(void *self, HolRates *rates, const HolStepFrom *from, double *y_new)
{
    static const HolNewmark as_newmark = {.beta = 0.25, .gamma = 0.5};
    Trapezoidal *p = self;
    if (!(rates->kind->rates))
        return hol_rates_newmark(rates, &as_newmark, from, y_new);
    p->best_change = INFINITY;
    HolStatus status = (p->options.iteration == NEWTON ? trapezoidal_newton : fixed_point)(p, rates, from, y_new);
    if (status != HOL_NO_CONVERGENCE || !isfinite(p->best_change))
        return status;
    memcpy(y_new, p->best, (size_t)p->size * sizeof *y_new);
    rates->report.unconverged = 1;
    return HOL_OK;
}

/* The same A has the same factors. A matrix that cannot be factored belongs to no step. */
static void trapezoidal_archive(void *self, HolArchive *archive)
{
    Trapezoidal *p = self;
    hol_predictor_archive(&p->predictor, archive);
    if (p->options.iteration != NEWTON)
        return;
    for (int i = 0; i < p->n; ++i)
        hol_archive_doubles(archive, p->A + (size_t)i * (size_t)p->n, p->n);
    HOL_ARCHIVE_EACH(archive, &p->h);
    hol_archive_int(archive, &p->extra_passes, 0, INT_MAX / 2);
    if (hol_archive_reads(archive) && p->h != 0 && hol_lu_factor(p->lu, p->n, p->A) != HOL_OK)
        p->h = 0;
}

static const char *const iterations[] = {"fixed-point", "newton", NULL};
static const char *const divergences[] = {"fail", "continue", NULL};

static const HolOption options_table[] = {
    HOL_CHOICE(Options, iteration, FIXED_POINT, iterations,
               "solution of the implicit equation; newton for stiff systems"),
    HOL_REAL(Options, tolerance, HOL_TOL_ITERATION, HOL_TOL_PIVOT, 1, "",
             "largest last change of q and v, relative to L + |q| and L/(1000 h) + |v|, L: size of the model"),
    HOL_INTEGER(Options, max_iterations, 50, 1, 10000, "iterations per step before giving up"),
    HOL_CHOICE(Options, divergence, FAIL, divergences,
               "without convergence: fail, or continue with the iterate of least change"),
};

const HolIntegratorKind hol_trapezoidal = {
    .name = "trapezoidal",
    .title = "trapezoidal rule, implicit, order 2",
    .page = "docs/methods/trapezoidal.md",
    .needs = HOL_RATES | HOL_NEWMARK,
    .order = 2,
    HOL_OPTIONS(Options, options_table),
    .options_need = HOL_RATES,
    .create = trapezoidal_create,
    .step = trapezoidal_step,
    .archive = trapezoidal_archive,
};
