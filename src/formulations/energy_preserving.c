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
#include "solve/steps/midpoint_step.h"

#include <math.h>
#include <string.h>

enum { ENFORCED, CARRIED };

typedef struct Options {
    HolEnergyStepOptions step;
    int constraint_velocity;
} Options;

typedef struct Preserving {
    HolKkt *kkt;
    HolEnergyStep *energy_step;
    HolMidpointStep midpoint;
} Preserving;

/* Q, B and g of the present delta. */
static HolStatus energy_preserving_evaluate(void *self, HolWorkspace *work, const HolSubstep *part)
{
    Preserving *s = self;
    const HolPattern *p = work->pattern;
    double *g = s->energy_step->residual;
    hol_system_displace(work->system, part->q, s->midpoint.delta, part->q_new);
    for (int i = 0; i < p->nv; ++i)
        s->midpoint.v[i] = s->midpoint.delta[i] / part->h;
    if (s->midpoint.end_velocity) {
        HOL_TRY(hol_end_velocity_evaluate(s->midpoint.end_velocity, work, part, s->midpoint.delta, s->midpoint.v, g));
    } else {
        hol_workspace_move(work, part->t + part->h, part->q_new, s->midpoint.v);
        HOL_TRY(hol_workspace_need(work, HOL_WANT_PHI));
        memcpy(g, work->terms->Phi, (size_t)p->nh * sizeof *g);
    }
    HOL_TRY(hol_discrete_gradient_end(s->midpoint.gradient, work, part->q_new, s->midpoint.delta, s->midpoint.v));
    if (s->midpoint.end_velocity)
        hol_end_velocity_force(s->midpoint.end_velocity, work, part, s->midpoint.gradient);
    if (p->nn > 0)
        hol_workspace_velocity_residual(work, s->midpoint.y);
    for (int i = p->nh; i < p->m; ++i)
        g[i] = part->h * s->midpoint.y[i];
    return HOL_OK;
}

static HolStatus energy_preserving_begin(void *self, HolWorkspace *work, const HolSubstep *part)
{
    Preserving *s = self;
    for (int i = 0; i < work->pattern->nv; ++i)
        s->midpoint.delta[i] = part->h * part->v[i] + part->h * part->h / 2 * part->vdot[i];
    if (s->midpoint.end_velocity)
        HOL_TRY(hol_end_velocity_begin(s->midpoint.end_velocity, work, part));
    return hol_discrete_gradient_begin(s->midpoint.gradient, work, part->t + part->h / 2, part->q);
}

/* (3) */
static HolStatus energy_preserving_factor(void *self, HolWorkspace *work, const HolSubstep *part)
{
    return hol_midpoint_step_factor(&((Preserving *)self)->midpoint, work, part->h, 0.25);
}

/* (3), (4) */
static double energy_preserving_correct(void *self, HolWorkspace *work, const HolSubstep *part)
{
    return hol_midpoint_step_correct(&((Preserving *)self)->midpoint, work, part->h, part->v);
}

static HolStatus energy_preserving_end(void *self, HolWorkspace *work, const HolSubstep *part, double *v_new,
                                       double *done)
{
    Preserving *s = self;
    for (int i = 0; i < work->pattern->nv; ++i)
        v_new[i] =
            s->midpoint.end_velocity ? s->midpoint.end_velocity->v[i] : 2 * s->midpoint.delta[i] / part->h - part->v[i];
    if (s->midpoint.end_velocity)
        hol_end_velocity_find_multipliers(s->midpoint.end_velocity, part->h);
    HOL_TRY(hol_discrete_gradient_work(s->midpoint.gradient, work, s->energy_step->lambda, done));
    if (s->midpoint.end_velocity && !hol_system_is_scleronomic(work->system))
        hol_end_velocity_add_work(s->midpoint.end_velocity, part->h, done);
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
    HOL_TRY(hol_midpoint_step_create(setup, s->energy_step, enforces, &s->midpoint));
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
