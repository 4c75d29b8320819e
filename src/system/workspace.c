/* SPDX-License-Identifier: BSD-3-Clause */
#include "system/workspace.h"

#include "base/message.h"
#include "base/tolerances.h"
#include "linalg/block/blocks.h"

#include <math.h>

enum {
    MATRICES = HOL_WANT_MASS | HOL_WANT_JACOBIAN,
    OF_VELOCITY = HOL_WANT_FORCE | HOL_WANT_NU | HOL_WANT_GAMMA | HOL_WANT_ENERGY
};

HolStatus hol_workspace_create(const HolSystem *system, HolArena *arena, HolWorkspace **work)
{
    HolWorkspace *made = hol_arena_alloc(arena, sizeof *made);
    if (!made)
        return HOL_NO_MEMORY;
    made->system = system;
    made->pattern = hol_system_pattern(system);
    made->stage_t = NAN;
    made->t_first = -HUGE_VAL;
    made->t_last = HUGE_VAL;
    made->time = 1;
    made->slow = made->gentle = made->pattern->length;
    HOL_TRY(hol_terms_create(system, &made->terms));
    *work = made;
    return HOL_OK;
}

void hol_workspace_destroy(HolWorkspace *work)
{
    if (work)
        hol_terms_destroy(work->terms);
}

void hol_workspace_set_step(HolWorkspace *work, double h)
{
    work->time = hol_magnitude(h / HOL_TOL_SMALL);
    work->slow = work->pattern->length / work->time;
    work->gentle = work->slow / work->time;
}

void hol_workspace_move(HolWorkspace *work, double t, const double *q, const double *v)
{
    work->at = (HolPoint){hol_workspace_time(work, t), q, v};
    work->have = 0;
}

void hol_workspace_new_velocity(HolWorkspace *work)
{
    work->have &= ~(unsigned)OF_VELOCITY;
    if (work->pattern->nn > 0) /* the D of a nonlinear row depends on v */
        work->have &= ~(unsigned)HOL_WANT_JACOBIAN;
}

HolStatus hol_workspace_evaluate(HolWorkspace *work, unsigned missing)
{
    HolStatus status = hol_system_update(work->system, &work->at, missing, work->terms);
    work->is_undefined = status != HOL_OK;
    HOL_TRY(status);
    work->have |= missing;
    if (missing & MATRICES)
        ++work->stamp;
    return HOL_OK;
}

HolStatus hol_workspace_evaluate_mean(HolWorkspace *work, const double *q_a, const double *q_b, unsigned want)
{
    HolStatus status = hol_system_evaluate_mean(work->system, &work->at, q_a, q_b, want, work->terms);
    work->is_undefined = status != HOL_OK;
    HOL_TRY(status);
    work->have |= want;
    if (want & MATRICES)
        ++work->stamp;
    return HOL_OK;
}

double hol_workspace_velocity_residual(const HolWorkspace *work, double *r)
{
    const HolPattern *p = work->pattern;
    hol_jacobian_times(p, work->terms->D, work->at.v, r);
    for (int i = 0; i < p->m; ++i)
        r[i] -= work->terms->nu[i];
    return hol_max_norm(p->m, r);
}

double hol_velocity_unit(const HolWorkspace *work, const double *v)
{
    return fmax(hol_magnitude(hol_motion_norm(work->pattern, v)), work->slow);
}

double hol_workspace_relative_violation(const HolWorkspace *work, double *r)
{
    const HolPattern *p = work->pattern;
    hol_workspace_velocity_residual(work, r);
    double residual = hol_max_displacement(p, p->m, work->terms->D, r);
    return fmax(hol_relative_violation(p, work->terms->D, work->terms->Phi),
                residual / hol_velocity_unit(work, work->at.v));
}
