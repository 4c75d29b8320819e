/* SPDX-License-Identifier: BSD-3-Clause */
/* Constraints as stiff, massive springs: (M + alpha D^T D) vdot = Q + alpha D^T c, lambda = alpha (c - D vdot), with c
 * the stabilised gamma. Works for redundant rows and at singular points. See docs/methods/penalty.md. */
#include "base/message.h"
#include "formulations/formulation.h"
#include "solve/augmented.h"
#include "solve/penalty_options.h"

typedef struct Penalty {
    HolGains gains;
    HolAugmented *augmented;
    double *c;
} Penalty;

static HolStatus penalty_create(const HolSetup *setup, const void *options, void **self)
{
    Penalty *s = hol_arena_alloc(setup->arena, sizeof *s);
    HOL_TRY(hol_arena_status(setup->arena));
    *self = s;
    const HolPenaltyOptions *o = options;
    HOL_TRY(hol_penalty_gains(setup, o, &s->gains));
    s->c = hol_arena_doubles(setup->arena, (size_t)hol_system_pattern(setup->system)->m);
    return s->c ? hol_augmented_create(setup, o->alpha, &s->augmented) : HOL_NO_MEMORY;
}

static HolStatus penalty_accelerate(void *self, HolWorkspace *work, double h, double *vdot, double *lambda,
                                    HolStepReport *report)
{
    (void)h;
    Penalty *s = self;
    hol_stabilized_gamma(work, s->gains, s->c);
    HOL_TRY(hol_augmented_factor(s->augmented, work));
    hol_augmented_solve(s->augmented, work->terms, work->terms->Q, s->c, 0, 0, 1, vdot, lambda);
    report->pivot = hol_penalty_matrix_pivot(s->augmented->penalty);
    return HOL_OK;
}

static const HolOption options_table[] = {HOL_PENALTY_OPTION_ROWS(10)};

const HolFormulationKind hol_penalty = {
    .name = "penalty",
    .title = "penalty: constraints as stiff, massive springs",
    .page = "docs/methods/penalty.md",
    .uses_row_weights = true,
    .uses_row_gains = true,
    .has_redundancy_rule = true,
    .wants = HOL_WANT_MASS | HOL_WANT_FORCE | HOL_WANT_STABILIZATION,
    HOL_OPTIONS(HolPenaltyOptions, options_table),
    .create = penalty_create,
    .accelerate = penalty_accelerate,
    .rates = &hol_plain_rates,
};
