/* SPDX-License-Identifier: BSD-3-Clause */
#include "simulate/diagnosis/neighbour.h"

#include "base/message.h"
#include "base/tolerances.h"
#include "linalg/block/blocks.h"
#include "solve/projection.h"

#include <string.h>

enum { STEPS = 5 };
/* Of the size of the system, in all steps together. */
static const double DISTANCE = HOL_SINE_SMALL;

/* What the steps share. */
typedef struct Walk {
    const HolPattern *pattern;
    HolWorkspace *work;
    HolKkt *kkt;
    HolProjection *projection;
    double *w, *f, *c, *x, *lambda;
} Walk;

static HolStatus walk_create(HolArena *arena, HolWorkspace *work, Walk *walk)
{
    const HolPattern *p = work->pattern;
    HolSetup setup = {.system = work->system, .arena = arena, .work = work};
    *walk = (Walk){.pattern = p, .work = work};
    HOL_TRY(hol_workspace_need(work, HOL_WANT_MASS | HOL_WANT_JACOBIAN | HOL_WANT_PHI));
    HOL_TRY(hol_kkt_create(&setup, &walk->kkt));
    HOL_TRY(hol_projection_create(&setup, walk->kkt, false, &walk->projection));
    HOL_DOUBLES(arena, p->nv, &walk->w, &walk->f, &walk->x);
    HOL_DOUBLES(arena, p->m, &walk->c, &walk->lambda);
    HOL_TRY(hol_arena_status(arena));
    uint64_t seed = 1;
    for (int i = 0; i < p->nv; ++i)
        walk->w[i] = hol_scattered(&seed) * (p->unit ? p->unit[i] : 1);
    return HOL_OK;
}

/* One step along the admissible displacement nearest to w. */
static HolStatus walk_step(Walk *walk, double *q, double *v)
{
    const HolPattern *p = walk->pattern;
    HolStepReport report = {.rank = -1};
    hol_mass_times(p, walk->work->terms->M, walk->w, walk->f);
    HOL_TRY(hol_kkt_solve(walk->kkt, walk->work, walk->f, walk->c, walk->x, walk->lambda, &report));
    double size = hol_motion_norm(p, walk->x), factor = size > 0 ? DISTANCE * p->length / (STEPS * size) : 0;
    if (!(size > HOL_TOL_RANK_STILL * hol_motion_norm(p, walk->w)))
        return HOL_SINGULAR;
    for (int i = 0; i < p->nv; ++i)
        walk->x[i] *= factor;
    hol_system_retract(walk->work->system, q, walk->x, q);
    HOL_TRY(hol_projection_apply(walk->projection, walk->work, walk->work->at.t, q, v, &report));
    HOL_TRY(hol_workspace_need(walk->work, HOL_WANT_MASS | HOL_WANT_JACOBIAN | HOL_WANT_PHI | HOL_WANT_NU));
    return hol_kkt_review(walk->kkt, walk->work, &report);
}

bool hol_find_neighbour(HolArena *arena, HolWorkspace *work, double *q, double *v)
{
    Walk walk;
    HolStatus status = walk_create(arena, work, &walk);
    memcpy(q, work->at.q, (size_t)work->pattern->nq * sizeof *q);
    memcpy(v, work->at.v, (size_t)work->pattern->nv * sizeof *v);
    for (int i = 0; i < STEPS && status == HOL_OK; ++i)
        status = walk_step(&walk, q, v);
    return status == HOL_OK;
}
