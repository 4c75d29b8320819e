/* SPDX-License-Identifier: BSD-3-Clause */
/* The standard method: constraints are met at the acceleration level only, so their violation grows with time.
 * See docs/methods/lagrange.md. */
#include "base/message.h"
#include "base/tolerances.h"
#include "formulations/formulation.h"
#include "solve/kkt.h"

typedef struct Lagrange {
    HolKkt *kkt; /* first, for hol_kkt_accelerate() */
} Lagrange;

static HolStatus lagrange_create(const HolSetup *setup, const void *options, void **self)
{
    (void)options;
    Lagrange *l = hol_arena_alloc(setup->arena, sizeof *l);
    HOL_TRY(hol_arena_status(setup->arena));
    *self = l;
    HOL_TRY(hol_kkt_create(setup, &l->kkt));
    return hol_kkt_use_all_rows(setup, HOL_TOL_RANK_STILL, l->kkt);
}

const HolFormulationKind hol_lagrange = {
    .name = "lagrange",
    .title = "Lagrange multipliers, accelerations only (the standard method)",
    .page = "docs/methods/lagrange.md",
    .wants = HOL_WANT_MASS | HOL_WANT_FORCE | HOL_WANT_JACOBIAN | HOL_WANT_GAMMA,
    .create = lagrange_create,
    .accelerate = hol_kkt_accelerate,
    .prepare = hol_kkt_prepare,
    .archive = hol_kkt_archive_of,
    .rates = &hol_plain_rates,
};
