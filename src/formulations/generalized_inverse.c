/* SPDX-License-Identifier: BSD-3-Clause */
/* The Moore-Penrose inverse of the equations of motion, with stabilisation. See docs/methods/generalized-inverse.md.
 *
 *     [vdot; lambda] = [M -D^T; D 0]^+ [Q; c],   c = gamma - 2 xi omega (D v - nu) - omega^2 Phi      (1) */
#include "base/message.h"
#include "base/options.h"
#include "formulations/inverse.h"
#include "formulations/stabilization.h"

typedef struct Options {
    double omega, xi, rank_tolerance;
} Options;

typedef struct GeneralizedInverse {
    HolGains gains;
    HolInverse *inverse;
    double *c;
} GeneralizedInverse;

static HolStatus create(const HolSetup *setup, const void *options, void **self)
{
    const Options *o = options;
    const HolPattern *p = hol_system_pattern(setup->system);
    HOL_TRY(hol_formulation_check_dense(setup, "generalized-inverse"));
    GeneralizedInverse *s = hol_arena_alloc(setup->arena, sizeof *s);
    if (!s)
        return HOL_NO_MEMORY;
    *self = s;
    s->gains = (HolGains){.damping = 2 * o->xi * o->omega, .stiffness = o->omega * o->omega};
    s->c = hol_arena_doubles(setup->arena, (size_t)p->m);
    return s->c ? hol_inverse_create(setup, p->m, o->rank_tolerance, &s->inverse) : HOL_NO_MEMORY;
}

static HolStatus accelerate(void *self, HolWorkspace *work, double h, double *vdot, double *lambda,
                            HolStepReport *report)
{
    (void)h;
    GeneralizedInverse *s = self;
    hol_stabilized_gamma(work, s->gains, s->c);
    HOL_TRY(hol_inverse_factor(s->inverse, work));
    hol_inverse_solve(s->inverse, work->terms, work->terms->Q, s->c, vdot, lambda); /* (1) */
    report->rank = s->inverse->space->rank;
    report->pivot = hol_inverse_pivot(s->inverse);
    return HOL_OK;
}

static HolStatus prepare(void *self, HolWorkspace *work, HolStepReport *report)
{
    (void)report;
    GeneralizedInverse *s = self;
    return hol_inverse_count(s->inverse, work);
}

static const HolOption options_table[] = {
    {"omega", HOL_OPTION_REAL, offsetof(Options, omega), 10, 0, HOL_LARGEST, NULL, "rad/s",
     "rate at which a violation dies out"},
    {"xi", HOL_OPTION_REAL, offsetof(Options, xi), 1, 0, HOL_LARGEST, NULL, "", "its damping ratio"},
    {"rank_tolerance", HOL_OPTION_REAL, offsetof(Options, rank_tolerance), 1e-6, 0, 0.5, NULL, "",
     "rows hold no direction whose pivot is smaller than this part of the largest"},
};

const HolFormulationKind hol_generalized_inverse = {
    .name = "generalized-inverse",
    .title = "generalised inverse of the equations of motion: the shortest multipliers, stabilised",
    .page = "docs/methods/generalized-inverse.md",
    .offers = HOL_RATES | HOL_SPLIT,
    .shares_rows = true,
    .wants = HOL_WANT_MASS | HOL_WANT_FORCE | HOL_WANT_STABILIZATION,
    .options_size = sizeof(Options),
    .options = options_table,
    .option_count = sizeof options_table / sizeof *options_table,
    .create = create,
    .accelerate = accelerate,
    .prepare = prepare,
};
