/* SPDX-License-Identifier: BSD-3-Clause */
/* Newmark's schemes with a filter on the accelerations, order 2, implicit (docs/methods/generalized-alpha.md). A mode
 * far faster than the step is multiplied by rho in every step:
 *
 *     generalized-alpha:  alpha_m = (2 rho - 1) / (rho + 1),   alpha_f = rho / (rho + 1)             (1)
 *     hht:                alpha_m = 0,   alpha_f = (1 - rho) / (1 + rho),   rho >= 1/2               (2)
 *
 *     gamma = 1/2 + alpha_f - alpha_m,   beta = (1/2 + gamma)^2 / 4                                  (3)
 */
#include "base/message.h"
#include "base/options.h"
#include "integrators/integrator.h"

enum { GENERALIZED_ALPHA, HHT };

typedef struct Options {
    int scheme;
    double rho;
} Options;

static HolNewmark coefficients(const Options *o)
{
    HolNewmark c = {.alpha_m = (2 * o->rho - 1) / (o->rho + 1), .alpha_f = o->rho / (o->rho + 1)}; /* (1) */
    if (o->scheme == HHT)
        c = (HolNewmark){.alpha_f = (1 - o->rho) / (1 + o->rho)}; /* (2) */
    c.gamma = 0.5 + c.alpha_f - c.alpha_m;                        /* (3) */
    c.beta = 0.25 * (0.5 + c.gamma) * (0.5 + c.gamma);
    return c;
}

static HolStatus generalized_alpha_check(const void *options, HolMessage *message)
{
    const Options *o = options;
    if (o->scheme != HHT || o->rho >= 0.5)
        return HOL_OK;
    return hol_fail(message, HOL_BAD_INPUT,
                    "'generalized-alpha': option 'rho' must lie between 0.5 and 1 with scheme hht, not %g", o->rho);
}

static HolStatus generalized_alpha_create(HolArena *arena, const HolRates *rates, const void *options, void **self)
{
    (void)rates;
    HolNewmark *scheme = hol_arena_alloc(arena, sizeof *scheme);
    HOL_TRY(hol_arena_status(arena));
    *scheme = coefficients(options);
    *self = scheme;
    return HOL_OK;
}

static const char *const schemes[] = {"generalized-alpha", "hht", NULL};

static const HolOption options_table[] = {
    HOL_CHOICE(Options, scheme, GENERALIZED_ALPHA, schemes, "generalized-alpha, or hht of Hilber, Hughes and Taylor"),
    HOL_REAL(Options, rho, 0.8, 0, 1, "", "factor per step on a very fast mode; 1: no damping; hht: at least 1/2"),
};

static const char *generalized_alpha_undamped(const void *options)
{
    return ((const Options *)options)->rho < 1 ? "newmark" : NULL;
}

const HolIntegratorKind hol_generalized_alpha = {
    .name = "generalized-alpha",
    .title = "generalised-alpha and HHT, implicit, order 2, with numerical damping",
    .page = "docs/methods/generalized-alpha.md",
    .needs = HOL_NEWMARK,
    .order = 2,
    HOL_OPTIONS(Options, options_table),
    .check = generalized_alpha_check,
    .undamped = generalized_alpha_undamped,
    .create = generalized_alpha_create,
    .step = hol_newmark_step,
};
