/* SPDX-License-Identifier: BSD-3-Clause */
/* No integrator of its own: the formulation takes whole steps by itself (docs/methods/built-in.md). */
#include "integrators/integrator.h"

static HolStatus create(HolArena *arena, const HolRates *rates, const void *options, void **self)
{
    (void)arena, (void)rates, (void)options;
    *self = NULL;
    return HOL_OK;
}

static HolStatus step(void *self, HolRates *rates, const HolStepFrom *from, double *y_new)
{
    (void)self;
    return hol_rates_own_step(rates, from, y_new);
}

const HolIntegratorKind hol_built_in = {
    .name = "built-in",
    .title = "the step that a formulation brings itself",
    .page = "docs/methods/built-in.md",
    .needs = HOL_OWN_STEP,
    .order = 2,
    .create = create,
    .step = step,
};
