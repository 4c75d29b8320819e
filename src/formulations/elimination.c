/* SPDX-License-Identifier: BSD-3-Clause */
/* Lagrange multipliers of independent rows, chosen at every accepted state; the others carry nothing.
 * See docs/methods/elimination.md. */
#include "base/message.h"
#include "base/options.h"
#include "formulations/kkt.h"

typedef struct Options {
    double rank_tolerance;
} Options;

typedef struct Elimination {
    HolKkt *kkt; /* first, for hol_kkt_accelerate() */
} Elimination;

static HolStatus create(const HolSetup *setup, const void *options, void **self)
{
    const Options *o = options;
    Elimination *s = hol_arena_alloc(setup->arena, sizeof *s);
    if (!s)
        return HOL_NO_MEMORY;
    *self = s;
    return hol_kkt_create_eliminating(setup, o->rank_tolerance, &s->kkt);
}

static const HolOption options_table[] = {
    {"rank_tolerance", HOL_OPTION_REAL, offsetof(Options, rank_tolerance), 1e-6, 0, 0.5, NULL, "",
     "a row is left out if no more of it than this part lies outside of the others"},
};

const HolFormulationKind hol_elimination = {
    .name = "elimination",
    .title = "Lagrange multipliers of independent rows, chosen at every state",
    .page = "docs/methods/elimination.md",
    .offers = HOL_RATES | HOL_SPLIT,
    .shares_rows = true,
    .leaves_rows_out = true,
    .wants = HOL_WANT_MASS | HOL_WANT_FORCE | HOL_WANT_JACOBIAN | HOL_WANT_GAMMA,
    .options_size = sizeof(Options),
    .options = options_table,
    .option_count = sizeof options_table / sizeof *options_table,
    .create = create,
    .accelerate = hol_kkt_accelerate,
    .prepare = hol_kkt_prepare,
};
