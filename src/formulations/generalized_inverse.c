/* SPDX-License-Identifier: BSD-3-Clause */
/* The Moore-Penrose inverse of the equations of motion, with stabilisation. See docs/methods/generalized-inverse.md.
 *
 *     [vdot; lambda] = [M -D^T; D 0]^+ [Q; c],   c = gamma - 2 xi omega (D v - nu) - omega^2 Phi      (1) */
#include "base/message.h"
#include "base/options.h"
#include "base/tolerances.h"
#include "formulations/formulation.h"
#include "solve/inverse.h"
#include "solve/stabilization.h"

typedef struct Options {
    double omega, xi, rank_tolerance;
} Options;

typedef struct GeneralizedInverse {
    HolGains gains;
    HolInverse *inverse;
    double *c;
} GeneralizedInverse;

static HolStatus generalized_inverse_create(const HolSetup *setup, const void *options, void **self)
{
    const Options *o = options;
    const HolPattern *p = hol_system_pattern(setup->system);
    HOL_TRY(hol_setup_check_dense(setup, "generalized-inverse"));
    GeneralizedInverse *s = hol_arena_alloc(setup->arena, sizeof *s);
    HOL_TRY(hol_arena_status(setup->arena));
    *self = s;
    s->gains = (HolGains){.damping = 2 * o->xi * o->omega, .stiffness = o->omega * o->omega};
    s->c = hol_arena_doubles(setup->arena, (size_t)p->m);
    return s->c ? hol_inverse_create(setup, p->m, o->rank_tolerance, &s->inverse) : HOL_NO_MEMORY;
}

static HolStatus generalized_inverse_accelerate(void *self, HolWorkspace *work, double h, double *vdot, double *lambda,
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

static HolStatus generalized_inverse_prepare(void *self, HolWorkspace *work, HolStepReport *report)
{
    (void)report;
    GeneralizedInverse *s = self;
    return hol_inverse_count(s->inverse, work);
}

static void generalized_inverse_archive(void *self, HolArchive *archive)
{
    GeneralizedInverse *s = self;
    hol_inverse_archive(s->inverse, archive);
}

static const HolOption options_table[] = {
    HOL_REAL(Options, omega, 10, 0, HOL_LARGEST, "rad/s", "rate at which a violation decays"),
    HOL_REAL(Options, xi, 1, 0, HOL_LARGEST, "", "its damping ratio"),
    HOL_REAL(Options, rank_tolerance, HOL_TOL_RANK_STILL, 0, 0.5, "",
             "a direction is unconstrained if its pivot is below this fraction of the largest"),
};

const HolFormulationKind hol_generalized_inverse = {
    .name = "generalized-inverse",
    .title = "generalised inverse of the equations of motion: minimum-norm multipliers, stabilised",
    .page = "docs/methods/generalized-inverse.md",
    .has_redundancy_rule = true,
    .wants = HOL_WANT_MASS | HOL_WANT_FORCE | HOL_WANT_STABILIZATION,
    HOL_OPTIONS(Options, options_table),
    .create = generalized_inverse_create,
    .accelerate = generalized_inverse_accelerate,
    .prepare = generalized_inverse_prepare,
    .archive = generalized_inverse_archive,
    .rates = &hol_plain_rates,
};
