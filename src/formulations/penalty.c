/* SPDX-License-Identifier: BSD-3-Clause */
/* Constraints as stiff, massive springs: (M + alpha D^T D) vdot = Q + alpha D^T c, lambda = alpha (c - D vdot), with c
 * the stabilised gamma. Works for redundant rows and at singular points. See docs/methods/penalty.md. */
#include "base/message.h"
#include "formulations/augmented.h"
#include "formulations/penalty_options.h"

typedef struct Penalty {
    HolGains gains;
    HolAugmented *augmented;
    double *c;
} Penalty;

static HolStatus create(const HolSetup *setup, const void *options, void **self)
{
    Penalty *s = hol_arena_alloc(setup->arena, sizeof *s);
    if (!s)
        return HOL_NO_MEMORY;
    *self = s;
    const HolPenaltyOptions *o = options;
    s->gains = hol_penalty_gains(o, setup->h);
    s->c = hol_arena_doubles(setup->arena, (size_t)hol_system_pattern(setup->system)->m);
    return s->c ? hol_augmented_create(setup, o->alpha, &s->augmented) : HOL_NO_MEMORY;
}

static HolStatus accelerate(void *self, HolWorkspace *work, double h, double *vdot, double *lambda,
                            HolStepReport *report)
{
    (void)h;
    Penalty *s = self;
    hol_stabilized_gamma(work, s->gains, s->c);
    HOL_TRY(hol_augmented_factor(s->augmented, work));
    hol_augmented_solve(s->augmented, work->terms, work->terms->Q, s->c, 0, 1, vdot, lambda);
    report->pivot = hol_primal_pivot(s->augmented->primal);
    return HOL_OK;
}

static const HolOption options_table[] = {HOL_PENALTY_OPTION_ROWS(10)};

const HolFormulationKind hol_penalty = {
    .name = "penalty",
    .title = "penalty: constraints as stiff, massive springs",
    .page = "docs/methods/penalty.md",
    .weighs_rows = true,
    .shares_rows = true,
    .offers = HOL_RATES | HOL_SPLIT,
    .wants = HOL_WANT_MASS | HOL_WANT_FORCE | HOL_WANT_STABILIZATION,
    .options_size = sizeof(HolPenaltyOptions),
    .options = options_table,
    .option_count = sizeof options_table / sizeof *options_table,
    .create = create,
    .accelerate = accelerate,
};
