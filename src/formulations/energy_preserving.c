/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps that preserve the energy and satisfy the constraints exactly (EP). See docs/methods/energy-preserving.md.
 *
 * From i to f, with delta = q_f - q_i, in coordinates that move as qdot = v with a constant M:
 *
 *     M (v_f - v_i) / h = Q + B^T lambda,   delta / h = (v_f + v_i) / 2                                 (1)
 *     Phi(t_f, q_f) = 0,   D v - nu = 0 in the middle for nonholonomic rows                             (2)
 *
 * Q and B are the discrete gradients from q_i to q_f (discrete_gradient.h). Multiplied by delta, (1) reads T_f - T_i =
 * V_i - V_f + work: the energy changes by the work alone, for any h. The unknowns are delta and lambda; an iteration
 * with the tangent at the midpoint is
 *
 *     (M + h^2/4 K + h/2 C + k w D^T D) d = k (Q + B^T lambda) - M (delta - h v_i) - k w B^T g           (3)
 *     delta <- delta + d,   lambda <- lambda - w (g + B d),   k = h^2/2                                  (4)
 *
 * with g = Phi(t_f, q_f) and h (D v - nu), as in index3_augmented_lagrangian.c: its limit satisfies (1) and (2)
 * for any w. These steps carry velocities that satisfy the rows at the midpoint of steps, not at their ends
 * (constraint_velocity: carried). By default a second set of multipliers makes them satisfy the rows at the ends,
 * too: solve/steps/end_velocity.h has its equations, of which (1) with one more force is a part. Redundant rows are
 * then left out: D at the midpoint depends linearly on other rows only up to order h^2, so that multipliers in balance
 * at the ends would move something there. */
#include "base/message.h"
#include "base/options.h"
#include "base/tolerances.h"
#include "formulations/formulation.h"
#include "linalg/block/blocks.h"
#include "solve/steps/discrete_gradient.h"
#include "solve/steps/end_velocity.h"
#include "solve/steps/energy_step.h"

#include <math.h>
#include <string.h>

static const double MAX_MASS_FACTOR = 1e12; /* largest factor on the mass to make the matrix positive definite */

enum { ENFORCED, CARRIED };

typedef struct Options {
    HolEnergyStepOptions step;
    int constraint_velocity;
} Options;

typedef struct Preserving {
    HolKkt *kkt;
    HolEnergyStep *energy_step;
    HolEndVelocity *end_velocity; /* NULL: carried */
    HolDiscreteGradient *gradient;
    HolPenaltyMatrix *tangent; /* (3), divided by mass_factor */
    double mass_factor;        /* 1 where (3) is positive definite */
    bool has_tangent;
    double *weights, *y;   /* m */
    double *delta, *v, *x; /* nv */
} Preserving;

/* Q, B and g of the present delta. */
static HolStatus energy_preserving_evaluate(void *self, HolWorkspace *work, const HolSubstep *part)
{
    Preserving *s = self;
    const HolPattern *p = work->pattern;
    double *g = s->energy_step->residual;
    hol_system_displace(work->system, part->q, s->delta, part->q_new);
    for (int i = 0; i < p->nv; ++i)
        s->v[i] = s->delta[i] / part->h;
    if (s->end_velocity) {
        HOL_TRY(hol_end_velocity_evaluate(s->end_velocity, work, part, s->delta, s->v, g));
    } else {
        hol_workspace_move(work, part->t + part->h, part->q_new, s->v);
        HOL_TRY(hol_workspace_need(work, HOL_WANT_PHI));
        memcpy(g, work->terms->Phi, (size_t)p->nh * sizeof *g);
    }
    HOL_TRY(hol_discrete_gradient_end(s->gradient, work, part->q_new, s->delta, s->v));
    if (s->end_velocity)
        hol_end_velocity_force(s->end_velocity, work, part, s->gradient);
    if (p->nn > 0)
        hol_workspace_velocity_residual(work, s->y);
    for (int i = p->nh; i < p->m; ++i)
        g[i] = part->h * s->y[i];
    return HOL_OK;
}

static HolStatus energy_preserving_begin(void *self, HolWorkspace *work, const HolSubstep *part)
{
    Preserving *s = self;
    for (int i = 0; i < work->pattern->nv; ++i)
        s->delta[i] = part->h * part->v[i] + part->h * part->h / 2 * part->vdot[i];
    if (s->end_velocity)
        HOL_TRY(hol_end_velocity_begin(s->end_velocity, work, part));
    return hol_discrete_gradient_begin(s->gradient, work, part->t + part->h / 2, part->q);
}

static HolStatus energy_preserving_factor_with_mass(Preserving *s, const HolTerms *terms, const HolSlopes *slopes,
                                                    double mass_factor)
{
    HolSlopes lighter = {terms->K, terms->C, slopes->k / mass_factor, slopes->c / mass_factor};
    s->mass_factor = mass_factor;
    for (int i = 0; i < terms->pattern->m; ++i)
        s->weights[i] = s->energy_step->w[i] / mass_factor;
    return hol_penalty_matrix_factor(s->tangent, terms->M, s->has_tangent ? &lighter : NULL, s->energy_step->D,
                                     s->weights);
}

/* (3) at the point of the workspace. Mass is added to an indefinite matrix. */
static HolStatus energy_preserving_factor(void *self, HolWorkspace *work, const HolSubstep *part)
{
    Preserving *s = self;
    HolTerms *terms = work->terms;
    HolSlopes slopes = {terms->K, terms->C, part->h * part->h / 4, part->h / 2};
    HolStatus status = HOL_SINGULAR;
    memcpy(s->energy_step->D, terms->D,
           (size_t)work->pattern->pair_start[work->pattern->pair_count] * sizeof *terms->D);
    if (s->end_velocity)
        HOL_TRY(hol_end_velocity_factor(s->end_velocity, terms));
    if (s->has_tangent)
        HOL_TRY(hol_discrete_gradient_tangent(s->gradient, work, s->energy_step->lambda));
    for (double mass_factor = 1; mass_factor <= MAX_MASS_FACTOR && status == HOL_SINGULAR; mass_factor *= 10)
        status = energy_preserving_factor_with_mass(s, terms, &slopes, mass_factor);
    return status;
}

/* (3), (4) */
static double energy_preserving_correct(void *self, HolWorkspace *work, const HolSubstep *part)
{
    Preserving *s = self;
    const HolPattern *p = work->pattern;
    const HolDiscreteGradient *c = s->gradient;
    double *d = s->energy_step->change, k = part->h * part->h / 2;
    memcpy(d, c->Q, (size_t)p->nv * sizeof *d);
    hol_jacobian_add_transposed(p, c->B, s->energy_step->lambda, d);
    for (int i = 0; i < p->nv; ++i) {
        d[i] = k * d[i] - (s->end_velocity ? s->end_velocity->f[i] : 0);
        s->v[i] = s->delta[i] - part->h * part->v[i];
    }
    hol_mass_times(p, work->terms->M, s->v, s->x);
    for (int i = 0; i < p->m; ++i)
        s->y[i] = -s->energy_step->w[i] * s->energy_step->residual[i];
    hol_jacobian_add_transposed(p, s->energy_step->D, s->y, d);
    for (int i = 0; i < p->nv; ++i)
        d[i] = (d[i] - s->x[i]) / s->mass_factor;
    hol_penalty_matrix_solve(s->tangent, d);
    hol_jacobian_times(p, s->energy_step->D, d, s->y);
    double change = hol_motion_norm(p, d);
    if (s->end_velocity)
        change = fmax(change, hol_end_velocity_correct(s->end_velocity, work->terms));
    hol_energy_step_update(s->energy_step, k, s->y);
    hol_add_scaled(p->nv, 1, d, s->delta);
    if (s->end_velocity)
        hol_end_velocity_update(s->end_velocity);
    return change;
}

static HolStatus energy_preserving_end(void *self, HolWorkspace *work, const HolSubstep *part, double *v_new,
                                       double *done)
{
    Preserving *s = self;
    for (int i = 0; i < work->pattern->nv; ++i)
        v_new[i] = s->end_velocity ? s->end_velocity->v[i] : 2 * s->delta[i] / part->h - part->v[i];
    if (s->end_velocity)
        hol_end_velocity_find_multipliers(s->end_velocity, part->h);
    HOL_TRY(hol_discrete_gradient_work(s->gradient, work, s->energy_step->lambda, done));
    if (s->end_velocity && !hol_system_is_scleronomic(work->system))
        hol_end_velocity_add_work(s->end_velocity, part->h, done);
    return HOL_OK;
}

static HolStatus energy_preserving_create(const HolSetup *setup, const void *options, void **self)
{
    static const HolEnergyStepOps ops = {energy_preserving_begin, energy_preserving_evaluate, energy_preserving_factor,
                                         energy_preserving_correct, energy_preserving_end};
    const HolPattern *p = hol_system_pattern(setup->system);
    const Options *o = options;
    const bool enforces = o->constraint_velocity == ENFORCED;
    Preserving *s = hol_arena_alloc(setup->arena, sizeof *s);
    HOL_TRY(hol_arena_status(setup->arena));
    *self = s;
    HOL_TRY(hol_energy_step_create(setup, "energy-preserving", &ops, &o->step,
                                   enforces ? hol_end_velocity_displacements(p) : p->nv, s));
    s->has_tangent = hol_system_has_tangent(setup->system);
    HOL_DOUBLES(setup->arena, p->nv, &s->delta, &s->v, &s->x);
    HOL_DOUBLES(setup->arena, p->m, &s->weights, &s->y);
    HOL_TRY(hol_arena_status(setup->arena));
    HOL_TRY(hol_discrete_gradient_create(setup, &s->gradient));
    s->energy_step->size = s->gradient->size;
    if (enforces)
        HOL_TRY(hol_end_velocity_create(setup, s->energy_step, &s->end_velocity));
    HOL_TRY(hol_penalty_matrix_create(setup->arena, p, true, &s->tangent));
    return enforces ? hol_energy_step_omit_redundant(setup, s) : HOL_OK;
}

static const char *const constraint_velocities[] = {"enforced", "carried", NULL};

static const HolOption options_table[] = {
    HOL_CHOICE(Options, constraint_velocity, ENFORCED, constraint_velocities,
               "velocities at the ends of steps: constraints enforced, or carried, which satisfies them at midpoints"),
    HOL_ENERGY_STEP_OPTION_ROWS,
};

static const HolOwnStepOps own_step_ops = {.step = hol_energy_step_take,
                                           .midpoint_multipliers = hol_energy_step_midpoint_multipliers};

static const HolStateOps state_ops = {.size = hol_energy_step_state_size,
                                      .open = hol_energy_step_open,
                                      .close = hol_energy_step_close,
                                      .kinetic = hol_energy_step_kinetic};

const HolFormulationKind hol_energy_preserving = {
    .name = "energy-preserving",
    .title = "energy-preserving steps: mid-point form with discrete gradients, constraints exact",
    .page = "docs/methods/energy-preserving.md",
    .advice = "take a smaller step or a larger max_iterations",
    .integrator = "built-in",
    .wants = HOL_WANT_MASS | HOL_WANT_FORCE | HOL_WANT_JACOBIAN | HOL_WANT_GAMMA,
    HOL_OPTIONS(Options, options_table),
    .create = energy_preserving_create,
    .accelerate = hol_energy_step_accelerate,
    .prepare = hol_energy_step_prepare,
    .archive = hol_energy_step_archive,
    .own_step = &own_step_ops,
    .state = &state_ops,
};
