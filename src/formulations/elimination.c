/* SPDX-License-Identifier: BSD-3-Clause */
/* Lagrange multipliers of independent rows, chosen at every accepted state; the others carry nothing.
 * See docs/methods/elimination.md. */
#include "base/message.h"
#include "base/options.h"
#include "base/tolerances.h"
#include "formulations/formulation.h"
#include "solve/kkt.h"

typedef struct Options {
    double rank_tolerance;
} Options;

typedef struct Elimination {
    HolKkt *kkt; /* first, for hol_kkt_accelerate() */
} Elimination;

static HolStatus elimination_create(const HolSetup *setup, const void *options, void **self)
{
    const Options *o = options;
    Elimination *s = hol_arena_alloc(setup->arena, sizeof *s);
    HOL_TRY(hol_arena_status(setup->arena));
    *self = s;
    HOL_TRY(hol_kkt_create_eliminating(setup, o->rank_tolerance, &s->kkt));
    return hol_kkt_use_all_rows(setup, o->rank_tolerance, s->kkt);
}

static const HolOption options_table[] = {
    HOL_REAL(Options, rank_tolerance, HOL_TOL_RANK_STILL, 0, 0.5, "",
             "an equation is left out if at most this part of it is independent of the others"),
};

const HolFormulationKind hol_elimination = {
    .name = "elimination",
    .title = "Lagrange multipliers of independent constraint equations, chosen at every state",
    .page = "docs/methods/elimination.md",
    .has_redundancy_rule = true,
    .omits_redundant_rows = true,
    .wants = HOL_WANT_MASS | HOL_WANT_FORCE | HOL_WANT_JACOBIAN | HOL_WANT_GAMMA,
    HOL_OPTIONS(Options, options_table),
    .create = elimination_create,
    .accelerate = hol_kkt_accelerate,
    .prepare = hol_kkt_prepare,
    .archive = hol_kkt_archive_of,
    .rates = &hol_plain_rates,
};
