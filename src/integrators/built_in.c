/* SPDX-License-Identifier: BSD-3-Clause */
/* Not an integrator itself: it calls the own step of the formulation (docs/methods/built-in.md). */
#include "integrators/integrator.h"

static HolStatus built_in_create(HolArena *arena, const HolRates *rates, const void *options, void **self)
{
    (void)arena, (void)rates, (void)options;
    *self = NULL;
    return HOL_OK;
}

static HolStatus built_in_step(void *self, HolRates *rates, const HolStepFrom *from, double *y_new)
{
    (void)self;
    return hol_rates_own_step(rates, from, y_new);
}

const HolIntegratorKind hol_built_in = {
    .name = "built-in",
    .title = "the own step of a formulation",
    .page = "docs/methods/built-in.md",
    .needs = HOL_OWN_STEP,
    .order = 2,
    .create = built_in_create,
    .step = built_in_step,
};
