/* SPDX-License-Identifier: BSD-3-Clause */
/* The penalty method made exact at the acceleration level by iterating on the multipliers.
 * See docs/methods/augmented-lagrangian.md. */
#include "formulations/augmented_lagrangian.h"

#include "base/message.h"
#include "formulations/formulation.h"

const char *const hol_divergence_choices[] = {"fail", "continue", NULL};

HolStatus hol_augmented_lagrangian_create(const HolSetup *setup, const HolPenaltyOptions *options,
                                          HolAugmentedLagrangian *s)
{
    s->options = *options;
    HOL_TRY(hol_penalty_gains(setup, options, &s->gains));
    s->c = hol_arena_doubles(setup->arena, (size_t)hol_system_pattern(setup->system)->m);
    return s->c ? hol_augmented_create(setup, options->alpha, &s->augmented) : HOL_NO_MEMORY;
}

HolStatus hol_augmented_lagrangian_accelerate(HolAugmentedLagrangian *s, HolWorkspace *work, double *vdot,
                                              double *lambda, HolStepReport *report)
{
    hol_stabilized_gamma(work, s->gains, s->c);
    HOL_TRY(hol_augmented_factor(s->augmented, work));
    int passes = hol_augmented_solve(s->augmented, work->terms, work->terms->Q, s->c, work->gentle,
                                     s->options.tolerance, s->options.max_iterations, vdot, lambda);
    report->pivot = hol_penalty_matrix_pivot(s->augmented->penalty);
    report->iterations += passes > 0 ? passes : s->options.max_iterations;
    if (passes > 0)
        return HOL_OK;
    /* The equations of motion hold after every pass; only rows that D hardly sees are still open. */
    report->unconverged = 1;
    return s->options.divergence == HOL_DIVERGENCE_GOES_ON ? HOL_OK : HOL_NO_CONVERGENCE;
}

static HolStatus augmented_lagrangian_create(const HolSetup *setup, const void *options, void **self)
{
    *self = hol_arena_alloc(setup->arena, sizeof(HolAugmentedLagrangian));
    return *self ? hol_augmented_lagrangian_create(setup, options, *self) : HOL_NO_MEMORY;
}

static HolStatus augmented_lagrangian_accelerate(void *self, HolWorkspace *work, double h, double *vdot, double *lambda,
                                                 HolStepReport *report)
{
    (void)h;
    return hol_augmented_lagrangian_accelerate(self, work, vdot, lambda, report);
}

static const HolOption options_table[] = {HOL_PENALTY_OPTION_ROWS(10), HOL_AUGMENTED_OPTION_ROWS};

const HolFormulationKind hol_augmented_lagrangian = {
    .name = "augmented-lagrangian",
    .title = "index-1 augmented Lagrangian: penalties made exact by iteration",
    .page = "docs/methods/augmented-lagrangian.md",
    .advice = "raise alpha or max_iterations, or take a smaller step",
    .uses_row_weights = true,
    .uses_row_gains = true,
    .has_redundancy_rule = true,
    .wants = HOL_WANT_MASS | HOL_WANT_FORCE | HOL_WANT_STABILIZATION,
    HOL_OPTIONS(HolPenaltyOptions, options_table),
    .create = augmented_lagrangian_create,
    .accelerate = augmented_lagrangian_accelerate,
    .rates = &hol_plain_rates,
};
