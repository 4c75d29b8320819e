/* SPDX-License-Identifier: BSD-3-Clause */
#include "solve/steps/midpoint_step.h"

#include "base/message.h"
#include "linalg/block/blocks.h"

#include <math.h>
#include <string.h>

static const double MAX_MASS_FACTOR = 1e12; /* largest factor on the mass to make the matrix positive definite */

HolStatus hol_midpoint_step_create(const HolSetup *setup, HolEnergyStep *step, bool enforces, HolMidpointStep *s)
{
    const HolPattern *p = hol_system_pattern(setup->system);
    s->step = step;
    s->has_tangent = hol_system_has_tangent(setup->system);
    HOL_DOUBLES(setup->arena, p->nv, &s->delta, &s->v, &s->x);
    HOL_DOUBLES(setup->arena, p->m, &s->weights, &s->y);
    HOL_TRY(hol_arena_status(setup->arena));
    HOL_TRY(hol_discrete_gradient_create(setup, &s->gradient));
    step->size = s->gradient->size;
    if (enforces)
        HOL_TRY(hol_end_velocity_create(setup, step, &s->end_velocity));
    return hol_penalty_matrix_create(setup->arena, p, true, &s->tangent);
}

static HolStatus factor_with_mass(HolMidpointStep *s, const HolTerms *terms, const HolSlopes *slopes,
                                  double mass_factor)
{
    HolSlopes lighter = {terms->K, terms->C, slopes->k / mass_factor, slopes->c / mass_factor};
    s->mass_factor = mass_factor;
    for (int i = 0; i < terms->pattern->m; ++i)
        s->weights[i] = s->step->w[i] / mass_factor;
    return hol_penalty_matrix_factor(s->tangent, terms->M, s->has_tangent ? &lighter : NULL, s->step->D, s->weights);
}

HolStatus hol_midpoint_step_factor(HolMidpointStep *s, HolWorkspace *work, double h, double c)
{
    HolTerms *terms = work->terms;
    HolSlopes slopes = {terms->K, terms->C, h * h * c, h / 2};
    HolStatus status = HOL_SINGULAR;
    memcpy(s->step->D, terms->D, (size_t)work->pattern->pair_start[work->pattern->pair_count] * sizeof *terms->D);
    if (s->end_velocity)
        HOL_TRY(hol_end_velocity_factor(s->end_velocity, terms));
    if (s->has_tangent)
        HOL_TRY(hol_discrete_gradient_tangent(s->gradient, work, s->step->lambda));
    for (double mass_factor = 1; mass_factor <= MAX_MASS_FACTOR && status == HOL_SINGULAR; mass_factor *= 10)
        status = factor_with_mass(s, terms, &slopes, mass_factor);
    return status;
}

/* The right-hand side of (2), over mass_factor, into d. */
static void find_residual(HolMidpointStep *s, const HolWorkspace *work, double h, const double *v_0, double *d)
{
    const HolPattern *p = work->pattern;
    const double k = h * h / 2;
    memcpy(d, s->gradient->Q, (size_t)p->nv * sizeof *d);
    hol_jacobian_add_transposed(p, s->gradient->B, s->step->lambda, d);
    for (int i = 0; i < p->nv; ++i) {
        d[i] = k * d[i] - (s->end_velocity ? s->end_velocity->f[i] : 0);
        s->v[i] = s->delta[i] - h * v_0[i];
    }
    hol_mass_times(p, work->terms->M, s->v, s->x);
    for (int i = 0; i < p->m; ++i)
        s->y[i] = -s->step->w[i] * s->step->residual[i];
    hol_jacobian_add_transposed(p, s->step->D, s->y, d);
    for (int i = 0; i < p->nv; ++i)
        d[i] = (d[i] - s->x[i]) / s->mass_factor;
}

double hol_midpoint_step_correct(HolMidpointStep *s, const HolWorkspace *work, double h, const double *v_0)
{
    const HolPattern *p = work->pattern;
    double *d = s->step->change;
    find_residual(s, work, h, v_0, d);
    hol_penalty_matrix_solve(s->tangent, d);
    hol_jacobian_times(p, s->step->D, d, s->y);
    double change = hol_motion_norm(p, d);
    if (s->end_velocity)
        change = fmax(change, hol_end_velocity_correct(s->end_velocity, work->terms));
    hol_energy_step_update(s->step, h * h / 2, s->y);
    hol_add_scaled(p->nv, 1, d, s->delta);
    if (s->end_velocity)
        hol_end_velocity_update(s->end_velocity);
    return change;
}
