/* SPDX-License-Identifier: BSD-3-Clause */
/* Forward Euler, order 1 (docs/methods/euler.md):
 *
 *     y_1 = y_0 + h f(t_0, y_0)        (1)
 *
 * f(t_0, y_0) is known since y_0 was accepted, so the step itself evaluates nothing. */
#include "integrators/integrator.h"

#include <math.h>

static HolStatus euler_create(HolArena *arena, const HolRates *rates, const void *options, void **self)
{
    (void)arena, (void)rates, (void)options;
    *self = NULL;
    return HOL_OK;
}

static HolStatus euler_step(void *self, HolRates *rates, const HolStepFrom *from, double *y_new)
{
    (void)self;
    const double h = from->h;
    const double *restrict y = from->y, *restrict ydot = from->ydot;
    double *restrict y1 = y_new;
    for (int i = 0; i < rates->size; ++i)
        y1[i] = y[i] + h * ydot[i]; /* (1) */
    hol_rates_integrate_work(rates, from, y_new);
    return HOL_OK;
}

/* R(z) = 1 + z */
static double euler_amplification(double re, double im)
{
    return hypot(1 + re, im);
}

const HolIntegratorKind hol_euler = {
    .name = "euler",
    .title = "forward Euler, order 1",
    .page = "docs/methods/euler.md",
    .needs = HOL_RATES,
    .order = 1,
    .create = euler_create,
    .step = euler_step,
    .amplification = euler_amplification,
};
