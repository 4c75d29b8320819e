/* SPDX-License-Identifier: BSD-3-Clause */
#include "simulate/diagnosis/excursion.h"

#include "base/message.h"
#include "base/tolerances.h"
#include "linalg/block/blocks.h"
#include "solve/projection.h"

#include <math.h>
#include <string.h>

/* Of one displacement, and of the whole motion of the drivers at the most. */
enum { STEPS = 5, MOST_STEPS = 2000 };
const double hol_excursion_distance = HOL_SINE_SMALL;

struct HolExcursion {
    const HolPattern *pattern;
    HolWorkspace *work;
    HolKkt *kkt;
    HolProjection *projection;
    double distance;              /* of a displacement */
    double t, *q_first, *v_first; /* the first point */
    double *q, *v;                /* the present one */
    int steps;                    /* of the motion of the drivers */
    double *w, *f, *c, *x, *lambda;
};

enum { EXCURSION_TERMS = HOL_WANT_MASS | HOL_WANT_JACOBIAN | HOL_WANT_PHI | HOL_WANT_NU };

HolStatus hol_excursion_create(HolArena *arena, HolWorkspace *work, double length, HolExcursion **excursion)
{
    const HolPattern *p = work->pattern;
    HolSetup setup = {.system = work->system, .arena = arena, .work = work};
    HolExcursion *e = hol_arena_alloc(arena, sizeof *e);
    HOL_TRY(hol_arena_status(arena));
    *e = (HolExcursion){.pattern = p, .work = work, .t = work->at.t};
    e->distance = hol_excursion_distance * (length > 0 ? length : p->length);
    HOL_TRY(hol_workspace_need(work, EXCURSION_TERMS));
    HOL_TRY(hol_kkt_create(&setup, &e->kkt));
    HOL_TRY(hol_projection_create(&setup, e->kkt, false, &e->projection));
    HOL_DOUBLES(arena, p->nv, &e->w, &e->f, &e->x, &e->v, &e->v_first);
    HOL_DOUBLES(arena, p->m, &e->c, &e->lambda);
    HOL_DOUBLES(arena, p->nq, &e->q, &e->q_first);
    HOL_TRY(hol_arena_status(arena));
    memcpy(e->q_first, work->at.q, (size_t)p->nq * sizeof *e->q);
    memcpy(e->v_first, work->at.v, (size_t)p->nv * sizeof *e->v);
    *excursion = e;
    return HOL_OK;
}

/* To the configuration q; rows are chosen there. */
static HolStatus excursion_move(HolExcursion *e, double t, const double *q, const double *v)
{
    HolStepReport report = {.rank = -1};
    memmove(e->q, q, (size_t)e->pattern->nq * sizeof *q);
    memmove(e->v, v, (size_t)e->pattern->nv * sizeof *v);
    hol_workspace_move(e->work, t, e->q, e->v);
    HOL_TRY(hol_workspace_need(e->work, EXCURSION_TERMS));
    return hol_kkt_review(e->kkt, e->work, &report);
}

static HolStatus excursion_correct(HolExcursion *e, double t)
{
    HolStepReport report = {.rank = -1};
    HOL_TRY(hol_projection_apply(e->projection, e->work, t, e->q, e->v, &report));
    HOL_TRY(hol_workspace_need(e->work, EXCURSION_TERMS));
    return hol_kkt_review(e->kkt, e->work, &report);
}

HolStatus hol_excursion_project(HolExcursion *e, double t, const double *q)
{
    HOL_TRY(excursion_move(e, t, q, e->v_first));
    return excursion_correct(e, t);
}

/* One step along the admissible displacement nearest to w. */
static HolStatus excursion_step(HolExcursion *e)
{
    const HolPattern *p = e->pattern;
    HolStepReport report = {.rank = -1};
    hol_mass_times(p, e->work->terms->M, e->w, e->f);
    memset(e->c, 0, (size_t)p->m * sizeof *e->c);
    HOL_TRY(hol_kkt_solve(e->kkt, e->work, e->f, e->c, e->x, e->lambda, &report));
    double size = hol_motion_norm(p, e->x), factor = size > 0 ? e->distance / (STEPS * size) : 0;
    if (!(size > HOL_TOL_RANK_STILL * hol_motion_norm(p, e->w)))
        return HOL_SINGULAR;
    for (int i = 0; i < p->nv; ++i)
        e->x[i] *= factor;
    hol_system_retract(e->work->system, e->q, e->x, e->q);
    return excursion_correct(e, e->work->at.t);
}

/* Directions come in pairs, forth and back. */
HolStatus hol_excursion_displace(HolExcursion *e, int index)
{
    const HolPattern *p = e->pattern;
    uint64_t seed = (uint64_t)(1 + index / 2);
    for (int i = 0; i < p->nv; ++i)
        e->w[i] = (index % 2 ? -1 : 1) * hol_scattered(&seed) * (p->unit ? p->unit[i] : 1);
    HolStatus status = excursion_move(e, e->t, e->q_first, e->v_first);
    for (int i = 0; i < STEPS && status == HOL_OK; ++i)
        status = excursion_step(e);
    return status;
}

HolStatus hol_excursion_start(HolExcursion *e)
{
    e->steps = 0;
    return excursion_move(e, e->t, e->q_first, e->v_first);
}

/* At least STEPS steps, in each of which no body moves by more than a displacement of above. */
HolStatus hol_excursion_follow(HolExcursion *e, double t)
{
    const HolPattern *p = e->pattern;
    const double longest = (t - e->work->at.t) / STEPS;
    while (e->work->at.t < t) {
        double now = e->work->at.t, speed = hol_motion_norm(p, e->v), rest = t - now;
        double h = fmin(fmin(rest, longest), speed > 0 ? e->distance / speed : rest);
        if (++e->steps > MOST_STEPS || now + h == now)
            return HOL_NO_CONVERGENCE;
        for (int i = 0; i < p->nv; ++i)
            e->x[i] = h * e->v[i];
        hol_system_retract(e->work->system, e->q, e->x, e->q);
        HOL_TRY(excursion_correct(e, h < rest ? now + h : t));
    }
    return HOL_OK;
}
