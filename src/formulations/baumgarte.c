/* SPDX-License-Identifier: BSD-3-Clause */
/* Lagrange multipliers with a feedback of the violation: D vdot = gamma - 2 a (D v - nu) - b^2 Phi.
 * See docs/methods/baumgarte.md. */
#include "base/message.h"
#include "base/options.h"
#include "base/tolerances.h"
#include "formulations/formulation.h"
#include "solve/kkt.h"
#include "solve/stabilization.h"

typedef struct Options {
    double a, b;
    int gains;
} Options;

typedef struct Baumgarte {
    HolGains gains;
    HolKkt *kkt;
    double *c;
} Baumgarte;

static HolStatus baumgarte_create(const HolSetup *setup, const void *options, void **self)
{
    Baumgarte *s = hol_arena_alloc(setup->arena, sizeof *s);
    HOL_TRY(hol_arena_status(setup->arena));
    *self = s;
    const Options *o = options;
    s->gains = (HolGains){.damping = 2 * o->a, .stiffness = o->b * o->b};
    if (o->gains == HOL_GAINS_AUTOMATIC)
        s->gains = hol_gains_automatic(setup->h);
    s->c = hol_arena_doubles(setup->arena, (size_t)hol_system_pattern(setup->system)->m);
    HOL_TRY(hol_arena_status(setup->arena));
    HOL_TRY(hol_kkt_create(setup, &s->kkt));
    return hol_kkt_use_all_rows(setup, HOL_TOL_RANK_STILL, s->kkt);
}

static HolStatus baumgarte_accelerate(void *self, HolWorkspace *work, double h, double *vdot, double *lambda,
                                      HolStepReport *report)
{
    (void)h;
    Baumgarte *s = self;
    hol_stabilized_gamma(work, s->gains, s->c);
    return hol_kkt_solve(s->kkt, work, work->terms->Q, s->c, vdot, lambda, report);
}

static HolStatus baumgarte_prepare(void *self, HolWorkspace *work, HolStepReport *report)
{
    Baumgarte *s = self;
    return hol_kkt_review(s->kkt, work, report);
}

static void baumgarte_archive(void *self, HolArchive *archive)
{
    Baumgarte *s = self;
    hol_kkt_archive(s->kkt, archive);
}

static const HolOption options_table[] = {
    HOL_REAL(Options, a, 5, 0, HOL_LARGEST, "1/s", "gain of the velocity violation"),
    HOL_REAL(Options, b, 5, 0, HOL_LARGEST, "1/s", "gain of the position violation"),
    HOL_CHOICE(Options, gains, HOL_GAINS_FIXED, hol_gain_choices,
               "fixed: a and b as given; automatic: a = 1/h, b = sqrt(2)/h with the nominal step h"),
};

const HolFormulationKind hol_baumgarte = {
    .name = "baumgarte",
    .title = "Lagrange multipliers with Baumgarte stabilisation",
    .page = "docs/methods/baumgarte.md",
    .wants = HOL_WANT_MASS | HOL_WANT_FORCE | HOL_WANT_STABILIZATION,
    HOL_OPTIONS(Options, options_table),
    .create = baumgarte_create,
    .accelerate = baumgarte_accelerate,
    .prepare = baumgarte_prepare,
    .archive = baumgarte_archive,
    .rates = &hol_plain_rates,
};
