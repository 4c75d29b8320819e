/* SPDX-License-Identifier: BSD-3-Clause */
/* Lagrange multipliers, then after every step the state is moved onto the constraints by the shortest way.
 * See docs/methods/direct-correction.md. */
#include "base/message.h"
#include "base/options.h"
#include "formulations/projection.h"

typedef enum Weight { MASS, IDENTITY } Weight;
static const char *const weights[] = {"mass", "identity", NULL};

typedef struct Options {
    int weight;
    double tolerance;
    int max_iterations;
} Options;

typedef struct DirectCorrection {
    HolKkt *kkt; /* first, for hol_kkt_accelerate() */
    HolProjection *projection;
} DirectCorrection;

static HolStatus create(const HolSetup *setup, const void *options, void **self)
{
    const Options *o = options;
    DirectCorrection *s = hol_arena_alloc(setup->arena, sizeof *s);
    if (!s)
        return HOL_NO_MEMORY;
    *self = s;
    HOL_TRY(hol_kkt_create(setup, &s->kkt));
    HOL_TRY(hol_projection_create(setup, s->kkt, o->weight == IDENTITY, &s->projection));
    s->projection->tolerance = o->tolerance;
    s->projection->max_iterations = o->max_iterations;
    return HOL_OK;
}

static HolStatus project(void *self, HolWorkspace *work, double t, double *q, double *v, HolStepReport *report)
{
    DirectCorrection *s = self;
    return hol_projection_apply(s->projection, work, t, q, v, report);
}

static const HolOption options_table[] = {
    {"weight", HOL_OPTION_CHOICE, offsetof(Options, weight), MASS, 0, 1, weights, "",
     "mass: heavy bodies move least; identity: all coordinates alike"},
    {"tolerance", HOL_OPTION_REAL, offsetof(Options, tolerance), 1e-14, 0, 1, NULL, "",
     "ends the position iteration: largest |Phi_i| / max_j |D_ij|"},
    {"max_iterations", HOL_OPTION_INTEGER, offsetof(Options, max_iterations), 20, 1, 1000, NULL, "",
     "position iterations per step before giving up"},
};

const HolFormulationKind hol_direct_correction = {
    .name = "direct-correction",
    .title = "Lagrange multipliers, positions and velocities corrected after every step",
    .page = "docs/methods/direct-correction.md",
    .offers = HOL_RATES | HOL_SPLIT,
    .wants = HOL_WANT_MASS | HOL_WANT_FORCE | HOL_WANT_JACOBIAN | HOL_WANT_GAMMA,
    .options_size = sizeof(Options),
    .options = options_table,
    .option_count = sizeof options_table / sizeof *options_table,
    .create = create,
    .accelerate = hol_kkt_accelerate,
    .prepare = hol_kkt_prepare,
    .project = project,
};
