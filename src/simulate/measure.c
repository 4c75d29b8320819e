/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/message.h"
#include "linalg/block/blocks.h"
#include "simulate/simulation.h"

#include <math.h>
#include <string.h>

HolMeasures hol_measure(HolSimulation *s, const double *y)
{
    const HolPattern *p = s->work->pattern;
    const HolTerms *terms = s->work->terms;
    HolMeasures measures = {.kinetic = s->rates->kinetic,
                            .potential = terms->potential,
                            .work = y[s->rates->size - 1],
                            .off_manifold_energy = s->rates->off_manifold_energy,
                            .sigma_min = NAN};
    measures.drift = measures.kinetic + measures.potential - measures.work - s->energy_initial;
    measures.position = hol_max_norm(p->nh, terms->Phi);
    measures.position_sq = hol_inner_product(p->nh, terms->Phi, terms->Phi);
    measures.velocity = hol_workspace_velocity_residual(s->work, s->residual);
    measures.displacement = measures.position;
    measures.displacement_rate = measures.velocity;
    if (p->unit) { /* else all rows count alike */
        measures.displacement = hol_max_displacement(p, p->nh, terms->D, terms->Phi);
        measures.displacement_rate = hol_max_displacement(p, p->m, terms->D, s->residual);
    }
    measures.velocity_sq = hol_inner_product(p->m, s->residual, s->residual);
    hol_jacobian_times(p, terms->D, s->rates->vdot, s->residual);
    hol_add_scaled(p->m, -1, terms->gamma, s->residual);
    measures.acceleration = hol_max_norm(p->m, s->residual);
    measures.acceleration_sq = hol_inner_product(p->m, s->residual, s->residual);
    return measures;
}

HolStatus hol_check_measures(HolSimulation *s, double t, const HolMeasures *m, const double *ydot)
{
    double power = ydot[s->rates->size - 1];
    if (isfinite(power) && isfinite(m->drift) && isfinite(m->position_sq) && isfinite(m->velocity_sq) &&
        isfinite(m->acceleration))
        return HOL_OK;
    return hol_fail(&s->rates->message, HOL_NOT_FINITE,
                    "energy, work or a violation is no longer finite at t = %.9g (drift %g, Phi^T Phi %g)", t, m->drift,
                    m->position_sq);
}

void hol_state_fill(const HolRates *rates, double t, const double *y, HolState *state)
{
    state->t = t;
    memcpy(state->q, y, (size_t)rates->nq * sizeof *y);
    memcpy(state->v, hol_rates_v(rates, y), (size_t)rates->nv * sizeof *y);
    memcpy(state->vdot, rates->vdot, (size_t)rates->nv * sizeof *y);
    memcpy(state->lambda, rates->lambda, (size_t)rates->m * sizeof *y);
    state->q_before = hol_rates_q_before(rates, t);
}
