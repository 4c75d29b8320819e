/* SPDX-License-Identifier: BSD-3-Clause */
/* Newmark's schemes, implicit (docs/methods/newmark.md), for formulations that solve whole steps:
 *
 *     w   = h v_0 + h^2 ((1/2 - beta) vdot_0 + beta vdot_1),   q_1 = q_0 (+) w
 *     v_1 = v_0 + h ((1 - gamma) vdot_0 + gamma vdot_1)
 *
 * with the equations of motion and the constraints at t_1. The formulation solves, the integrator has the numbers. */
#include "base/message.h"
#include "base/options.h"
#include "integrators/integrator.h"

static HolStatus create(HolArena *arena, const HolRates *rates, const void *options, void **self)
{
    (void)rates;
    HolNewmark *scheme = hol_arena_alloc(arena, sizeof *scheme);
    if (!scheme)
        return HOL_NO_MEMORY;
    *scheme = *(const HolNewmark *)options;
    *self = scheme;
    return HOL_OK;
}

static HolStatus step(void *self, HolRates *rates, const HolStepFrom *from, double *y_new)
{
    return hol_rates_newmark(rates, self, from, y_new);
}

static const HolOption options_table[] = {
    {"beta", HOL_OPTION_REAL, offsetof(HolNewmark, beta), 0.25, 0.01, 1, NULL, "",
     "weight of the new acceleration in the positions; 1/4: trapezoidal rule"},
    {"gamma", HOL_OPTION_REAL, offsetof(HolNewmark, gamma), 0.5, 0.5, 1, NULL, "",
     "the same in the velocities; above 1/2 it damps and the order is 1"},
};

static const char *undamped(const void *options)
{
    return ((const HolNewmark *)options)->gamma > 0.5 ? "newmark with gamma = 1/2" : NULL;
}

const HolIntegratorKind hol_newmark = {
    .name = "newmark",
    .title = "Newmark's schemes, implicit, order 2",
    .page = "docs/methods/newmark.md",
    .needs = HOL_NEWMARK,
    .order = 2,
    .options_size = sizeof(HolNewmark),
    .options = options_table,
    .option_count = sizeof options_table / sizeof *options_table,
    .undamped = undamped,
    .create = create,
    .step = step,
};
