/* SPDX-License-Identifier: BSD-3-Clause */
/* Lagrange multipliers with a feedback of the violation: D vdot = gamma - 2 a (D v - nu) - b^2 Phi.
 * See docs/methods/baumgarte.md. */
#include "base/message.h"
#include "base/options.h"
#include "formulations/kkt.h"
#include "formulations/stabilization.h"

typedef struct Options {
    double a, b;
    int gains;
} Options;

typedef struct Baumgarte {
    HolGains gains;
    HolKkt *kkt;
    double *c;
} Baumgarte;

static HolStatus create(const HolSetup *setup, const void *options, void **self)
{
    Baumgarte *s = hol_arena_alloc(setup->arena, sizeof *s);
    if (!s)
        return HOL_NO_MEMORY;
    *self = s;
    const Options *o = options;
    s->gains = (HolGains){2 * o->a, o->b * o->b};
    if (o->gains == HOL_GAINS_AUTOMATIC)
        s->gains = hol_gains_automatic(setup->h);
    s->c = hol_arena_doubles(setup->arena, (size_t)hol_system_pattern(setup->system)->m);
    return s->c ? hol_kkt_create(setup, &s->kkt) : HOL_NO_MEMORY;
}

static HolStatus accelerate(void *self, HolWorkspace *work, double h, double *vdot, double *lambda,
                            HolStepReport *report)
{
    (void)h;
    Baumgarte *s = self;
    hol_stabilized_gamma(work, s->gains, s->c);
    return hol_kkt_solve(s->kkt, work, work->terms->Q, s->c, vdot, lambda, report);
}

static HolStatus prepare(void *self, HolWorkspace *work, HolStepReport *report)
{
    Baumgarte *s = self;
    return hol_kkt_review(s->kkt, work, report);
}

static const HolOption options_table[] = {
    {"a", HOL_OPTION_REAL, offsetof(Options, a), 5, 0, HOL_LARGEST, NULL, "1/s", "gain of the velocity violation"},
    {"b", HOL_OPTION_REAL, offsetof(Options, b), 5, 0, HOL_LARGEST, NULL, "1/s", "gain of the position violation"},
    {"gains", HOL_OPTION_CHOICE, offsetof(Options, gains), HOL_GAINS_FIXED, 0, 1, hol_gain_choices, "",
     "fixed: a and b as given; automatic: a = 1/h, b = sqrt(2)/h with the nominal step h"},
};

const HolFormulationKind hol_baumgarte = {
    .name = "baumgarte",
    .title = "Lagrange multipliers with Baumgarte stabilisation",
    .page = "docs/methods/baumgarte.md",
    .offers = HOL_RATES | HOL_SPLIT,
    .wants = HOL_WANT_MASS | HOL_WANT_FORCE | HOL_WANT_STABILIZATION,
    .options_size = sizeof(Options),
    .options = options_table,
    .option_count = sizeof options_table / sizeof *options_table,
    .create = create,
    .accelerate = accelerate,
    .prepare = prepare,
};
