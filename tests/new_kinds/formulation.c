/* SPDX-License-Identifier: BSD-3-Clause */
/* Lagrange multipliers with critically damped violations: D vdot = gamma - 2 w (D v - nu) - w^2 Phi. */
#include "formulations/formulation.h"

#include "base/message.h"
#include "base/options.h"
#include "solve/kkt.h"
#include "solve/stabilization.h"

typedef struct Options {
    double rate;
} Options;

typedef struct CriticalDamping {
    HolKkt *kkt;
    HolGains gains;
    double *c;
} CriticalDamping;

static HolStatus critical_damping_create(const HolSetup *setup, const void *options, void **self)
{
    double w = ((const Options *)options)->rate;
    CriticalDamping *s = hol_arena_alloc(setup->arena, sizeof *s);
    if (!s)
        return HOL_NO_MEMORY;
    *self = s;
    s->gains = (HolGains){.damping = 2 * w, .stiffness = w * w};
    s->c = hol_arena_doubles(setup->arena, (size_t)hol_system_pattern(setup->system)->m);
    return s->c ? hol_kkt_create(setup, &s->kkt) : HOL_NO_MEMORY;
}

static HolStatus critical_damping_accelerate(void *self, HolWorkspace *work, double h, double *vdot, double *lambda,
                                             HolStepReport *report)
{
    (void)h;
    CriticalDamping *s = self;
    hol_stabilized_gamma(work, s->gains, s->c);
    return hol_kkt_solve(s->kkt, work, work->terms->Q, s->c, vdot, lambda, report);
}

static const HolOption options_table[] = {
    {"rate", HOL_OPTION_REAL, offsetof(Options, rate), 5, 0, HOL_LARGEST, NULL, "1/s", "at which violations decay"},
};

const HolFormulationKind hol_critical_damping = {
    .name = "critical-damping",
    .title = "Lagrange multipliers with critically damped violations",
    .page = "docs/methods/critical-damping.md",
    .wants = HOL_WANT_MASS | HOL_WANT_FORCE | HOL_WANT_STABILIZATION,
    .options_size = sizeof(Options),
    .options = options_table,
    .option_count = sizeof options_table / sizeof *options_table,
    .create = critical_damping_create,
    .accelerate = critical_damping_accelerate,
    .prepare = hol_kkt_prepare,
    .rates = &hol_plain_rates,
};
