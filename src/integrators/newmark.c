/* SPDX-License-Identifier: BSD-3-Clause */
/* Newmark's schemes, implicit (docs/methods/newmark.md), for formulations with Newmark-type steps:
 *
 *     w   = h v_0 + h^2 ((1/2 - beta) vdot_0 + beta vdot_1),   q_1 = q_0 (+) w
 *     v_1 = v_0 + h ((1 - gamma) vdot_0 + gamma vdot_1)
 *
 * with the equations of motion and the constraints at t_1. The formulation solves the step; the integrator supplies the
 * coefficients. */
#include "base/message.h"
#include "base/options.h"
#include "integrators/integrator.h"

static HolStatus newmark_create(HolArena *arena, const HolRates *rates, const void *options, void **self)
{
    (void)rates;
    HolNewmark *scheme = hol_arena_alloc(arena, sizeof *scheme);
    HOL_TRY(hol_arena_status(arena));
    *scheme = *(const HolNewmark *)options;
    *self = scheme;
    return HOL_OK;
}

HolStatus hol_newmark_step(void *self, HolRates *rates, const HolStepFrom *from, double *y_new)
{
    return hol_rates_newmark(rates, self, from, y_new);
}

static const HolOption options_table[] = {
    HOL_REAL(HolNewmark, beta, 0.25, 0.01, 1, "",
             "weight of the new acceleration in the positions; 1/4: trapezoidal rule"),
    HOL_REAL(HolNewmark, gamma, 0.5, 0.5, 1, "",
             "weight of the new acceleration in the velocities; above 1/2: numerical damping, order 1"),
};

static const char *newmark_undamped(const void *options)
{
    return ((const HolNewmark *)options)->gamma > 0.5 ? "newmark with gamma = 1/2" : NULL;
}

const HolIntegratorKind hol_newmark = {
    .name = "newmark",
    .title = "Newmark's schemes, implicit, order 2",
    .page = "docs/methods/newmark.md",
    .needs = HOL_NEWMARK,
    .order = 2,
    HOL_OPTIONS(HolNewmark, options_table),
    .undamped = newmark_undamped,
    .create = newmark_create,
    .step = hol_newmark_step,
};
