/* SPDX-License-Identifier: BSD-3-Clause */
#include "solve/steps/discrete_gradient.h"

#include "base/message.h"
#include "base/tolerances.h"
#include "linalg/block/blocks.h"

#include <math.h>
#include <string.h>

static const double ROUNDINGS = 16;                      /* below which a residual is rounding */
static const double ROUNDING_OF_REST = HOL_TOL_ROUNDING; /* along a row, relative to its size and of 1 + |q| */

HolStatus hol_discrete_gradient_create(const HolSetup *setup, HolDiscreteGradient **gradient)
{
    const HolPattern *p = hol_system_pattern(setup->system);
    HolDiscreteGradient *c = hol_arena_alloc(setup->arena, sizeof *c);
    HOL_TRY(hol_arena_status(setup->arena));
    *gradient = c;
    c->pattern = p;
    HOL_DOUBLES(setup->arena, p->nh, &c->a.Phi, &c->b.Phi);
    c->q = hol_arena_doubles(setup->arena, (size_t)p->nq);
    HOL_DOUBLES(setup->arena, p->nv, &c->v, &c->Q, &c->zero, &c->x);
    c->B = hol_arena_doubles(setup->arena, (size_t)p->pair_start[p->pair_count]);
    HOL_DOUBLES(setup->arena, p->m, &c->nu, &c->size, &c->along);
    return hol_arena_status(setup->arena);
}

/* Between both ends with the velocity v, at their midpoint, or at their mean where the system has one. */
static HolStatus evaluate_middle(const HolDiscreteGradient *c, HolWorkspace *work, const double *v, unsigned want)
{
    hol_workspace_move(work, c->t, c->q, v);
    if (!hol_system_has_mean(work->system))
        return hol_workspace_need(work, want);
    HOL_TRY(hol_workspace_evaluate_mean(work, c->a.q, c->b.q, want & ~(unsigned)HOL_WANT_MASS));
    return hol_workspace_need(work, want & HOL_WANT_MASS);
}

/* c->q, between both ends. */
static void find_middle(HolDiscreteGradient *c, const HolWorkspace *work)
{
    if (hol_system_has_mean(work->system)) {
        for (int i = 0; i < c->pattern->nv; ++i)
            c->x[i] = 0.5 * c->delta[i];
        hol_system_displace(work->system, c->a.q, c->x, c->q);
        return;
    }
    for (int i = 0; i < c->pattern->nq; ++i)
        c->q[i] = c->a.q[i] + 0.5 * c->delta[i];
}

/* Phi and V, which do not depend on the velocity. */
static HolStatus evaluate_end(HolDiscreteGradient *c, HolWorkspace *work, const double *q, HolDiscreteGradientEnd *end)
{
    end->q = q;
    hol_workspace_move(work, c->t, q, c->v);
    HOL_TRY(hol_workspace_need(work,
                               HOL_WANT_PHI | (hol_system_has_discrete_gradient(work->system) ? 0 : HOL_WANT_ENERGY)));
    memcpy(end->Phi, work->terms->Phi, (size_t)c->pattern->nh * sizeof *end->Phi);
    end->potential = work->terms->potential;
    return HOL_OK;
}

HolStatus hol_discrete_gradient_begin(HolDiscreteGradient *gradient, HolWorkspace *work, double t, const double *q_a)
{
    gradient->t = t;
    return evaluate_end(gradient, work, q_a, &gradient->a);
}

/* (3) for the rows of one group. */
static void complete_group(HolDiscreteGradient *c, int g, double scale)
{
    const HolPattern *p = c->pattern;
    double square = 0;
    for (int i = p->group_pairs[g]; i < p->group_pairs[g + 1]; ++i)
        for (int k = p->block_start[p->pairs[i].column]; k < p->block_start[p->pairs[i].column + 1]; ++k)
            square += c->delta[k] * c->delta[k];
    for (int row = p->group_start[g]; row < p->group_start[g + 1] && square > 0; ++row) {
        double residual = c->b.Phi[row] - c->a.Phi[row] - c->along[row];
        if (fabs(residual) <= HOL_ROUNDINGS(ROUNDINGS) * c->size[row] * scale)
            continue;
        for (int i = p->group_pairs[g]; i < p->group_pairs[g + 1]; ++i) {
            int start = p->block_start[p->pairs[i].column], n = hol_part_size(p->block_start, p->pairs[i].column);
            double *B = c->B + p->pair_start[i] + (row - p->group_start[g]) * n;
            for (int k = 0; k < n; ++k)
                B[k] += residual / square * c->delta[start + k];
        }
    }
}

static void complete_rows(HolDiscreteGradient *c, const HolTerms *terms)
{
    const HolPattern *p = c->pattern;
    double scale = hol_position_size(p, c->q);
    memcpy(c->B, terms->D, (size_t)p->pair_start[p->pair_count] * sizeof *c->B);
    hol_jacobian_row_lengths(p, c->B, c->size);
    hol_jacobian_times(p, c->B, c->delta, c->along);
    for (int g = 0; g < p->group_count && p->group_start[g] < p->nh; ++g)
        complete_group(c, g, scale);
}

/* -grad V . delta at the midpoint, and the sum of the magnitudes of its terms. */
static HolStatus follow_potential(HolDiscreteGradient *c, HolWorkspace *work, double *done, double *size)
{
    const HolTerms *terms = work->terms;
    HOL_TRY(evaluate_middle(c, work, c->delta, HOL_WANT_MASS | HOL_WANT_FORCE));
    *done = -terms->power;
    *size = 0;
    for (int i = 0; i < c->pattern->nv; ++i) {
        *done += terms->Q[i] * c->delta[i];
        *size += fabs(terms->Q[i] * c->delta[i]);
    }
    return HOL_OK;
}

/* The correction of (4), into Q. */
static HolStatus complete_force(HolDiscreteGradient *c, HolWorkspace *work)
{
    const HolPattern *p = c->pattern;
    double V_a = c->a.potential, V_b = c->b.potential, done, size;
    HOL_TRY(follow_potential(c, work, &done, &size));
    double residual = V_b - V_a + done;
    if (fabs(residual) <= HOL_ROUNDINGS(ROUNDINGS) * (size + fabs(V_a) + fabs(V_b)))
        return HOL_OK;
    double square = hol_mass_product(p, work->terms->M, c->delta, c->delta, c->x);
    for (int i = 0; i < p->nv && square > 0; ++i)
        c->Q[i] = -residual / square * c->x[i];
    return HOL_OK;
}

HolStatus hol_discrete_gradient_end(HolDiscreteGradient *c, HolWorkspace *work, const double *q_b, const double *delta,
                                    const double *v)
{
    const HolPattern *p = c->pattern;
    const HolTerms *terms = work->terms;
    bool is_exact = hol_system_has_discrete_gradient(work->system);
    c->delta = delta;
    HOL_TRY(evaluate_end(c, work, q_b, &c->b));
    find_middle(c, work);
    memset(c->Q, 0, (size_t)p->nv * sizeof *c->Q);
    if (!is_exact)
        HOL_TRY(complete_force(c, work));
    memcpy(c->v, v, (size_t)p->nv * sizeof *v);
    HOL_TRY(evaluate_middle(c, work, c->v, HOL_WANT_MASS | HOL_WANT_FORCE | HOL_WANT_JACOBIAN | HOL_WANT_NU));
    complete_rows(c, terms);
    memcpy(c->nu, terms->nu, (size_t)p->m * sizeof *c->nu);
    c->along_v = 0;
    for (int i = 0; i < p->nv; ++i)
        c->along_v += terms->Q[i] * delta[i];
    if (is_exact)
        HOL_TRY(hol_system_discrete_gradient(work->system, &work->at, c->a.q, q_b, work->terms));
    hol_add_scaled(p->nv, 1, terms->Q, c->Q);
    work->have &= ~(unsigned)(is_exact ? HOL_WANT_FORCE : 0);
    return HOL_OK;
}

/* K does not depend on vdot where M is constant. */
HolStatus hol_discrete_gradient_tangent(const HolDiscreteGradient *gradient, HolWorkspace *work, const double *lambda)
{
    HolPoint middle = {gradient->t, gradient->q, gradient->v};
    HOL_TRY(hol_system_tangent(work->system, &middle, gradient->zero, lambda, work->terms));
    return hol_system_discrete_gradient_tangent(work->system, &middle, gradient->a.q, gradient->b.q, work->terms);
}

HolStatus hol_discrete_gradient_work(HolDiscreteGradient *gradient, HolWorkspace *work, const double *lambda,
                                     double *done)
{
    const HolPattern *p = gradient->pattern;
    double potential, size;
    HOL_TRY(follow_potential(gradient, work, &potential, &size));
    *done = gradient->along_v - potential;
    if (fabs(*done) <= HOL_ROUNDINGS(ROUNDINGS) * size)
        *done = 0;
    hol_jacobian_times(p, gradient->B, gradient->delta, gradient->along);
    double rounding = ROUNDING_OF_REST * hol_position_size(p, gradient->q);
    bool may_move = !hol_system_is_scleronomic(work->system);
    for (int i = 0; i < p->m && may_move; ++i) /* a row at rest at the midpoint may move before and after it */
        if (gradient->nu[i] != 0 || fabs(gradient->along[i]) > rounding * gradient->size[i])
            *done += lambda[i] * gradient->along[i];
    return HOL_OK;
}
