/* SPDX-License-Identifier: BSD-3-Clause */
/* Lagrange multipliers, then after every step the state is moved onto the constraints by the shortest way.
 * See docs/methods/direct-correction.md. */
#include "base/message.h"
#include "base/options.h"
#include "base/tolerances.h"
#include "formulations/formulation.h"
#include "solve/projection.h"

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

static HolStatus direct_correction_create(const HolSetup *setup, const void *options, void **self)
{
    const Options *o = options;
    DirectCorrection *s = hol_arena_alloc(setup->arena, sizeof *s);
    HOL_TRY(hol_arena_status(setup->arena));
    *self = s;
    HOL_TRY(hol_kkt_create(setup, &s->kkt));
    HOL_TRY(hol_projection_create(setup, s->kkt, o->weight == IDENTITY, &s->projection));
    s->projection->tolerance = o->tolerance;
    s->projection->max_iterations = o->max_iterations;
    return HOL_OK;
}

static HolStatus direct_correction_project(void *self, HolWorkspace *work, double t, double *q, double *v,
                                           HolStepReport *report)
{
    DirectCorrection *s = self;
    return hol_projection_apply(s->projection, work, t, q, v, report);
}

static const HolOption options_table[] = {
    HOL_CHOICE(Options, weight, MASS, weights,
               "metric of the correction; mass: heavy bodies move least; identity: all coordinates alike"),
    HOL_REAL(Options, tolerance, HOL_TOL_CONVERGED, 0, 1, "",
             "ends the position iteration: largest |Phi_i| / max_j |D_ij|, relative to the size of the model"),
    HOL_INTEGER(Options, max_iterations, 20, 1, 1000, "position iterations per step before giving up"),
};

const HolFormulationKind hol_direct_correction = {
    .name = "direct-correction",
    .title = "Lagrange multipliers, positions and velocities corrected after every step",
    .page = "docs/methods/direct-correction.md",
    .wants = HOL_WANT_MASS | HOL_WANT_FORCE | HOL_WANT_JACOBIAN | HOL_WANT_GAMMA,
    HOL_OPTIONS(Options, options_table),
    .create = direct_correction_create,
    .accelerate = hol_kkt_accelerate,
    .prepare = hol_kkt_prepare,
    .archive = hol_kkt_archive_of,
    .project = direct_correction_project,
    .rates = &hol_plain_rates,
};
