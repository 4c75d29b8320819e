/* SPDX-License-Identifier: BSD-3-Clause */
#include "solve/steps/end_velocity.h"

#include "base/message.h"
#include "base/tolerances.h"
#include "linalg/block/blocks.h"

#include <math.h>
#include <string.h>

int hol_end_velocity_displacements(const HolPattern *pattern)
{
    return 2 * pattern->nv + pattern->m;
}

/* There are two unstable directions next to a singular configuration instead of one, and what couples them. */
HolStatus hol_end_velocity_create(const HolSetup *setup, HolEnergyStep *step, HolEndVelocity **end)
{
    const HolPattern *p = hol_system_pattern(setup->system);
    HolEndVelocity *s = hol_arena_alloc(setup->arena, sizeof *s);
    HOL_TRY(hol_arena_status(setup->arena));
    *end = s;
    s->pattern = p;
    s->step = step;
    s->w = step->w;
    HOL_DOUBLES(setup->arena, p->pair_start[p->pair_count], &s->D_0, &s->D_1, &s->D);
    s->q = hol_arena_doubles(setup->arena, (size_t)p->nq);
    HOL_DOUBLES(setup->arena, p->nv, &s->x, &s->v, &s->f, &s->B_eta, &s->y);
    HOL_DOUBLES(setup->arena, p->m, &s->eta, &s->residual, &s->D_0v, &s->D_1v, &s->z);
    HOL_TRY(hol_arena_status(setup->arena));
    HOL_TRY(hol_anderson_deepen(setup->arena, step->anderson));
    return hol_penalty_matrix_create(setup->arena, p, false, &s->matrix);
}

/* The workspace is often at q_0 already, with D evaluated. */
HolStatus hol_end_velocity_begin(HolEndVelocity *s, HolWorkspace *work, const HolSubstep *part)
{
    const HolPattern *p = s->pattern;
    if (p->nn > 0 || work->at.q != part->q || work->at.t != hol_workspace_time(work, part->t))
        hol_workspace_move(work, part->t, part->q, part->v);
    HOL_TRY(hol_workspace_need(work, HOL_WANT_JACOBIAN));
    memcpy(s->D_0, work->terms->D, (size_t)p->pair_start[p->pair_count] * sizeof *s->D_0);
    hol_jacobian_times(p, s->D_0, part->v, s->D_0v);
    memset(s->x, 0, (size_t)p->nv * sizeof *s->x);
    memset(s->eta, 0, (size_t)p->m * sizeof *s->eta);
    return HOL_OK;
}

/* f += k D^T eta */
static void end_velocity_add_force(HolEndVelocity *s, double k, const double *D)
{
    for (int i = 0; i < s->pattern->m; ++i)
        s->z[i] = k * s->eta[i];
    hol_jacobian_add_transposed(s->pattern, D, s->z, s->f);
}

/* The last two terms of f but for D_m, where qdot = v. */
static HolStatus end_velocity_evaluate_middle(HolEndVelocity *s, HolWorkspace *work, const HolSubstep *part,
                                              const double *delta, const double *v)
{
    for (int i = 0; i < s->pattern->nv; ++i)
        s->q[i] = part->q[i] + (delta[i] + s->x[i]) / 2;
    hol_workspace_move(work, part->t + part->h / 2, s->q, v);
    HOL_TRY(hol_workspace_need(work, HOL_WANT_JACOBIAN));
    end_velocity_add_force(s, -1, work->terms->D);
    return HOL_OK;
}

HolStatus hol_end_velocity_evaluate(HolEndVelocity *s, HolWorkspace *work, const HolSubstep *part, const double *delta,
                                    const double *v, double *Phi)
{
    const HolPattern *p = s->pattern;
    const HolTerms *terms = work->terms;
    for (int i = 0; i < p->nv; ++i)
        s->v[i] = 2 * (delta[i] - s->x[i]) / part->h - part->v[i];
    hol_workspace_move(work, part->t + part->h, part->q_new, s->v);
    HOL_TRY(hol_workspace_need(work, HOL_WANT_PHI | HOL_WANT_JACOBIAN | HOL_WANT_NU));
    memcpy(Phi, terms->Phi, (size_t)p->nh * sizeof *Phi);
    memcpy(s->D_1, terms->D, (size_t)p->pair_start[p->pair_count] * sizeof *s->D_1);
    hol_jacobian_times(p, terms->D, s->v, s->D_1v);
    for (int i = 0; i < p->m; ++i)
        s->residual[i] = part->h / 2 * (s->D_1v[i] - terms->nu[i]);
    memset(s->f, 0, (size_t)p->nv * sizeof *s->f);
    end_velocity_add_force(s, 0.5, terms->D);
    end_velocity_add_force(s, -0.5, s->D_0);
    return hol_system_is_flat(work->system) ? end_velocity_evaluate_middle(s, work, part, delta, v) : HOL_OK;
}

/* Next to a singular configuration x would follow residuals of the size of rounding far, and eta where rows are
 * redundant. */
static void end_velocity_ignore_rounding(HolEndVelocity *s, const HolSubstep *part, const HolDiscreteGradient *gradient)
{
    static const double ROUNDING = HOL_ROUNDINGS(1);
    const HolPattern *p = s->pattern;
    double way = hol_motion_norm(p, gradient->delta) + part->h * hol_motion_norm(p, part->v);
    for (int i = 0; i < p->m; ++i)
        if (fabs(s->residual[i]) <= ROUNDING * way * gradient->size[i])
            s->residual[i] = 0;
}

/* (6) by a multiple of M delta, where rows are not quadratic in q. */
static void end_velocity_complete(HolEndVelocity *s, const HolTerms *terms, const HolSubstep *part, const double *delta)
{
    const HolPattern *p = s->pattern;
    double missing = -hol_inner_product(p->nv, s->f, delta);
    for (int i = 0; i < p->m; ++i)
        missing += part->h / 2 * s->eta[i] * (s->D_1v[i] - s->D_0v[i]);
    for (int i = 0; i < p->nv; ++i)
        missing -= part->h / 2 * s->B_eta[i] * (s->v[i] - part->v[i]);
    double square = hol_mass_product(p, terms->M, delta, delta, s->y);
    if (square > 0)
        hol_add_scaled(p->nv, missing / square, s->y, s->f);
}

void hol_end_velocity_force(HolEndVelocity *s, const HolWorkspace *work, const HolSubstep *part,
                            const HolDiscreteGradient *gradient)
{
    if (hol_system_is_flat(work->system))
        end_velocity_add_force(s, 1, work->terms->D);
    memset(s->B_eta, 0, (size_t)s->pattern->nv * sizeof *s->B_eta);
    hol_jacobian_add_transposed(s->pattern, gradient->B, s->eta, s->B_eta);
    end_velocity_complete(s, work->terms, part, gradient->delta);
    end_velocity_ignore_rounding(s, part, gradient);
}

HolStatus hol_end_velocity_factor(HolEndVelocity *s, const HolTerms *terms)
{
    memcpy(s->D, s->D_1, (size_t)s->pattern->pair_start[s->pattern->pair_count] * sizeof *s->D);
    return hol_penalty_matrix_factor(s->matrix, terms->M, NULL, s->D, s->w);
}

double hol_end_velocity_correct(HolEndVelocity *s, const HolTerms *terms)
{
    const HolPattern *p = s->pattern;
    const double *d = s->step->change, *w = s->w;
    double *dx = s->step->change + p->nv, *deta = dx + p->nv;
    hol_mass_times(p, terms->M, s->x, s->y);
    for (int i = 0; i < p->nv; ++i)
        dx[i] = s->B_eta[i] - s->y[i];
    hol_jacobian_times(p, s->D, d, s->z);
    for (int i = 0; i < p->m; ++i)
        s->z[i] = w[i] * (s->residual[i] + s->z[i]);
    hol_jacobian_add_transposed(p, s->D, s->z, dx);
    hol_penalty_matrix_solve(s->matrix, dx);
    hol_jacobian_times(p, s->D, dx, deta);
    for (int i = 0; i < p->m; ++i)
        deta[i] = (s->z[i] - w[i] * deta[i]) / s->step->force[i];
    return hol_motion_norm(p, dx);
}

void hol_end_velocity_update(HolEndVelocity *s)
{
    const HolPattern *p = s->pattern;
    const double *dx = s->step->change + p->nv, *deta = dx + p->nv;
    hol_add_scaled(p->nv, 1, dx, s->x);
    for (int i = 0; i < p->m; ++i)
        s->eta[i] += s->step->force[i] * deta[i];
}

void hol_end_velocity_find_multipliers(HolEndVelocity *s, double h)
{
    hol_add_scaled(s->pattern->m, -2 / (h * h), s->eta, s->step->lambda);
}

void hol_end_velocity_add_work(const HolEndVelocity *s, double h, double *work)
{
    for (int i = 0; i < s->pattern->m; ++i)
        *work -= s->eta[i] / h * (s->D_1v[i] - s->D_0v[i]);
}
