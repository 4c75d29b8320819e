/* SPDX-License-Identifier: BSD-3-Clause */
/* The classical Runge-Kutta method, order 4 (docs/methods/rk4.md):
 *
 *     k_1 = f(t_0, y_0)                                    (1)
 *     k_2 = f(t_0 + h/2, y_0 + h/2 k_1)                    (2)
 *     k_3 = f(t_0 + h/2, y_0 + h/2 k_2)                    (3)
 *     k_4 = f(t_0 + h,   y_0 + h k_3)                      (4)
 *     y_1 = y_0 + h/6 (k_1 + 2 k_2 + 2 k_3 + k_4)          (5)
 *
 * k_1 is known since y_0 was accepted: three evaluations per step. */
#include "base/message.h"
#include "integrators/integrator.h"

#include <complex.h>

typedef struct Rk4 {
    double *y; /* scratch: an evaluation may complete it in place */
    double *k2, *k3, *k4;
} Rk4;

static HolStatus rk4_create(HolArena *arena, const HolRates *rates, const void *options, void **self)
{
    (void)options;
    Rk4 *r = hol_arena_alloc(arena, sizeof *r);
    HOL_TRY(hol_arena_status(arena));
    HOL_DOUBLES(arena, rates->size, &r->y, &r->k2, &r->k3, &r->k4);
    *self = r;
    return hol_arena_status(arena);
}

/* k = f(t_0 + d, y_0 + d k_before), in (2), (3), (4) */
static HolStatus stage(Rk4 *r, HolRates *rates, const HolStepFrom *from, double d, const double *k_before, double *k)
{
    const double *restrict y0 = from->y, *restrict before = k_before;
    double *restrict y = r->y;
    for (int i = 0; i < rates->size; ++i)
        y[i] = y0[i] + d * before[i];
    return hol_rates_evaluate(rates, from->t + d, from->h, r->y, k);
}

/* (5) */
static void rk4_combine(const Rk4 *r, int n, const HolStepFrom *from, double *restrict y1)
{
    const double w = from->h / 6;
    const double *restrict y0 = from->y, *restrict k1 = from->ydot;
    const double *restrict k2 = r->k2, *restrict k3 = r->k3, *restrict k4 = r->k4;
    for (int i = 0; i < n; ++i)
        y1[i] = y0[i] + w * (k1[i] + 2 * (k2[i] + k3[i]) + k4[i]);
}

static HolStatus rk4_step(void *self, HolRates *rates, const HolStepFrom *from, double *y_new)
{
    Rk4 *r = self;
    HOL_TRY(stage(r, rates, from, from->h / 2, from->ydot, r->k2));
    HOL_TRY(stage(r, rates, from, from->h / 2, r->k2, r->k3));
    HOL_TRY(stage(r, rates, from, from->h, r->k3, r->k4));
    rk4_combine(r, rates->size, from, y_new);
    return HOL_OK;
}

/* R(z) = 1 + z + z^2/2 + z^3/6 + z^4/24 */
static double rk4_amplification(double re, double im)
{
    const double complex z = re + im * I;
    return cabs(1 + z * (1 + z / 2 * (1 + z / 3 * (1 + z / 4))));
}

const HolIntegratorKind hol_rk4 = {
    .name = "rk4",
    .title = "classical Runge-Kutta, order 4",
    .page = "docs/methods/rk4.md",
    .needs = HOL_RATES,
    .order = 4,
    .create = rk4_create,
    .step = rk4_step,
    .amplification = rk4_amplification,
};
