/* SPDX-License-Identifier: BSD-3-Clause */
#include "solve/steps/accelerations.h"

#include "base/message.h"
#include "base/tolerances.h"
#include "linalg/block/blocks.h"

#include <math.h>
#include <string.h>

HolStatus hol_accelerations_create(const HolSetup *setup, HolAccelerations *s)
{
    const HolPattern *p = hol_system_pattern(setup->system);
    *s = (HolAccelerations){.nq = p->nq, .nv = p->nv, .part = 1};
    HOL_DOUBLES(setup->arena, p->nv, &s->a, &s->vdot, &s->a_0, &s->filter, &s->w, &s->near);
    s->y = hol_arena_doubles(setup->arena, (size_t)(p->nq + p->nv));
    return hol_arena_status(setup->arena);
}

/* Whether a belongs to the state that the step begins with, and to its size. */
static bool accelerations_continue(const HolAccelerations *s, const HolStepFrom *from)
{
    const double *vdot_0 = from->ydot + s->nq;
    return fabs(from->h - s->h) <= HOL_TOL_STEP * from->h &&
           memcmp(s->vdot, vdot_0, (size_t)s->nv * sizeof *vdot_0) == 0;
}

/* vdot of the second term of (2) into s->near. */
static HolStatus accelerations_find_near(HolAccelerations *s, HolWorkspace *work, const HolStepFrom *from, double ahead,
                                         HolFindAccelerations find, void *self, HolStepReport *report)
{
    const double *v_0 = from->y + s->nq, *vdot_0 = from->ydot + s->nq;
    for (int i = 0; i < s->nv; ++i) {
        s->w[i] = ahead * (v_0[i] + ahead / 2 * vdot_0[i]);
        s->y[s->nq + i] = v_0[i] + ahead * vdot_0[i];
    }
    hol_system_retract(work->system, from->y, s->w, s->y);
    hol_workspace_move(work, from->t + ahead, s->y, s->y + s->nq);
    HOL_TRY(find(self, work, s->near, report));
    ++report->evaluations;
    return hol_all_finite((size_t)s->nv, s->near) ? HOL_OK : HOL_NOT_FINITE;
}

/* (2). Where there are no accelerations so near to the state, the sequence begins with those of the state, too. */
static void accelerations_start(HolAccelerations *s, HolWorkspace *work, const HolStepFrom *from, double ahead,
                                HolFindAccelerations find, void *self, HolStepReport *report)
{
    const HolPattern *p = work->pattern;
    const double *v_0 = from->y + s->nq, *vdot_0 = from->ydot + s->nq;
    memcpy(s->a_0, vdot_0, (size_t)s->nv * sizeof *vdot_0);
    if (!(ahead > 0) || accelerations_find_near(s, work, from, ahead, find, self, report) != HOL_OK)
        return;
    for (int i = 0; i < s->nv; ++i)
        s->w[i] = s->near[i] - vdot_0[i];
    double most = hol_velocity_unit(work, v_0) + from->h * hol_motion_norm(p, vdot_0);
    if (from->h * hol_motion_norm(p, s->w) <= most)
        hol_add_scaled(s->nv, -1, s->w, s->a_0);
}

void hol_accelerations_begin(HolAccelerations *s, HolWorkspace *work, const HolNewmark *scheme, const HolStepFrom *from,
                             HolFindAccelerations find, void *self, HolStepReport *report)
{
    const double alpha_m = scheme->alpha_m, alpha_f = scheme->alpha_f, *vdot_0 = from->ydot + s->nq;
    if (accelerations_continue(s, from) && (alpha_m != 0 || alpha_f != 0))
        memcpy(s->a_0, s->a, (size_t)s->nv * sizeof *s->a);
    else
        accelerations_start(s, work, from, (alpha_f - alpha_m) * from->h, find, self, report);
    s->part = (1 - alpha_f) / (1 - alpha_m);
    for (int i = 0; i < s->nv; ++i)
        s->filter[i] = (alpha_f * vdot_0[i] - alpha_m * s->a_0[i]) / (1 - alpha_m);
    s->h_step = from->h;
    s->is_stepping = true;
}

void hol_accelerations_accept(HolAccelerations *s, const double *vdot)
{
    for (int i = 0; i < s->nv; ++i)
        s->a[i] = s->part * vdot[i] + s->filter[i];
    memcpy(s->vdot, vdot, (size_t)s->nv * sizeof *vdot);
    s->h = s->is_stepping ? s->h_step : 0;
    s->is_stepping = false;
}

void hol_accelerations_archive(HolAccelerations *s, HolArchive *archive)
{
    double *const vectors[] = {s->a, s->vdot, s->filter};
    for (int i = 0; i < 3; ++i)
        hol_archive_doubles(archive, vectors[i], s->nv);
    HOL_ARCHIVE_EACH(archive, &s->h, &s->part, &s->h_step);
    HOL_ARCHIVE_BOOLS(archive, &s->is_stepping);
}
