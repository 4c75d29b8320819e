/* SPDX-License-Identifier: BSD-3-Clause */
/* The standard method: constraints are met at the acceleration level only, so their violation grows with time.
 * See docs/methods/lagrange.md. */
#include "base/message.h"
#include "formulations/kkt.h"

typedef struct Lagrange {
    HolKkt *kkt; /* first, for hol_kkt_accelerate() */
} Lagrange;

static HolStatus create(const HolSetup *setup, const void *options, void **self)
{
    (void)options;
    Lagrange *l = hol_arena_alloc(setup->arena, sizeof *l);
    if (!l)
        return HOL_NO_MEMORY;
    *self = l;
    return hol_kkt_create(setup, &l->kkt);
}

const HolFormulationKind hol_lagrange = {
    .name = "lagrange",
    .title = "Lagrange multipliers, accelerations only (the standard method)",
    .page = "docs/methods/lagrange.md",
    .offers = HOL_RATES | HOL_SPLIT,
    .wants = HOL_WANT_MASS | HOL_WANT_FORCE | HOL_WANT_JACOBIAN | HOL_WANT_GAMMA,
    .create = create,
    .accelerate = hol_kkt_accelerate,
    .prepare = hol_kkt_prepare,
};
