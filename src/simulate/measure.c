/* SPDX-License-Identifier: BSD-3-Clause */
#include "linalg/blocks.h"
#include "simulate/internal.h"

#include <math.h>
#include <string.h>

static double squared(int n, const double *x)
{
    double sum = 0;
    for (int i = 0; i < n; ++i)
        sum += x[i] * x[i];
    return sum;
}

HolMeasures hol_measure(HolSimulation *s, const double *y, const HolState *state)
{
    const HolPattern *p = s->work->pattern;
    const HolTerms *terms = s->work->terms;
    HolMeasures measures = {.kinetic = terms->kinetic, .potential = terms->potential, .work = y[p->nq + p->nv]};
    measures.drift = measures.kinetic + measures.potential - measures.work - s->energy_initial;
    measures.position = hol_max_norm(p->nh, terms->Phi);
    measures.position_sq = squared(p->nh, terms->Phi);
    measures.velocity = hol_workspace_velocity_residual(s->work, s->residual);
    measures.velocity_sq = squared(p->m, s->residual);
    hol_jacobian_times(p, terms->D, state->vdot, s->residual);
    for (int i = 0; i < p->m; ++i)
        s->residual[i] -= terms->gamma[i];
    measures.acceleration = hol_max_norm(p->m, s->residual);
    return measures;
}

void hol_state_fill(const HolRates *rates, double t, const double *y, HolState *state)
{
    state->t = t;
    memcpy(state->q, y, (size_t)rates->nq * sizeof *y);
    memcpy(state->v, y + rates->nq, (size_t)rates->nv * sizeof *y);
    memcpy(state->vdot, rates->vdot, (size_t)rates->nv * sizeof *y);
    memcpy(state->lambda, rates->lambda, (size_t)rates->m * sizeof *y);
}
