/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps that keep all momenta, in which the energy of vibrations decays and that of a steady rotation does not. See
 * docs/methods/energy-momentum-decaying.md.
 *
 * Strains eps of elastic parts, with a stiffness S and their gradient B_i at the configuration i (HolSystemOps); Q and
 * B, D of rows as in energy_preserving.c; G the gradient of the strains between i and f, G delta = Delta:
 *
 *     delta = q_f - q_i,   Delta = eps_f - eps_i,   u = v_i
 *     M b = h B_i^T s + D_i^T mu,   D_i b = 0,   v_j = v_i + b                                          (1)
 *     M (v_f - v_j) / h = Q + B^T lambda - G^T sigma,   delta / h = (v_j + v_f) / 2                     (2)
 *     Phi(t_f, q_f) = 0,   D v - nu = 0 in the middle for nonholonomic rows                             (3)
 *     D_f v_f = 0 for rows at rest, by multipliers of their own in (2) (end_velocity.h, with v_j for its v_0)
 *
 *     order 2:   s = S (Delta - alpha y) / 6,   sigma = S y / 2 + s                                     (4)
 *                y = (h B_i u - Delta) / 3 + (1 + alpha) h/6 B_i b
 *     order 1:   s = -alpha/2 S h B_i (u + b),  sigma = alpha/2 S Delta                                 (5)
 *
 * (1) is an impulse at rest in q_i, (2) a step of energy_preserving.c from there: neither changes a momentum, and
 *
 *     order 2:   E_f - E_i = work - alpha/2 (|b|_M^2 + |y|_S^2)                                         (6)
 *     order 1:   E_f - E_i = work - alpha/2 (|h B_i (u + b)|_S^2 + |Delta|_S^2) - |b|_M^2 / 2           (7)
 *
 * where strains do not change, b, y, s and sigma are zero. By (4) and (5), (1) is
 *
 *     (M + c B_i^T S B_i) b = B_i^T S (a_1 Delta + a_2 h B_i u) + D_i^T mu                              (8)
 *     sigma = S (g_1 Delta + B_i (g_2 h u + g_3 h b))                                                   (9)
 *
 * so that b follows from delta, and the unknowns are delta and lambda. An iteration is that of energy_preserving.c,
 * with another factor of K: G^T sigma grows with delta, too.
 *
 * Moving rows would otherwise keep an alternating part in their velocity for ever: at the end of a step that has left
 * them at another velocity than its chord and their acceleration gamma, v_f gets an impulse of theirs,
 *
 *     M d = D_f^T rho,   D_f d = B delta / h + h/2 gamma - B v_f                                        (10)
 *
 * which is zero in a steady rotation. */
#include "base/message.h"
#include "base/options.h"
#include "base/tolerances.h"
#include "formulations/formulation.h"
#include "linalg/block/blocks.h"
#include "solve/steps/midpoint_step.h"
#include "solve/steps/velocity_jump.h"

#include <math.h>
#include <string.h>

typedef struct Options {
    HolEnergyStepOptions step;
    int order;
    double alpha;
} Options;

/* Of (8) and (9); c, a_1 and a_2 contain h. k is the factor of h^2 K in the matrix. */
typedef struct Factors {
    double c, a_1, a_2, g_1, g_2, g_3, k;
} Factors;

typedef struct MomentumDecaying {
    HolKkt *kkt;
    HolEnergyStep *energy_step;
    HolMidpointStep midpoint; /* without end_velocity where there are no rows */
    HolVelocityJump *jump;    /* (8); NULL: no strains */
    int order;
    double alpha;
    double *row;               /* m */
    double *along, *w_at_rest; /* m: D_i u and penalties, of rows that move and of the others */
    double *v_j, *q_m, *z, *f; /* nv */
} MomentumDecaying;

/* (4), (5). For order 2, k is between the slope of (2) with (4) for slow vibrations and that for fast ones. */
static Factors factors_of(const MomentumDecaying *s, double h)
{
    double alpha = s->alpha, half = 0.5 - alpha / 6;
    if (s->order == 1)
        return (Factors){alpha / 2 * h * h, 0, -alpha / 2 * h, alpha / 2, 0, 0, (1 + alpha) / 4};
    return (Factors){.c = alpha * (1 + alpha) / 36 * h * h,
                     .a_1 = (1 + alpha / 3) / 6 * h,
                     .a_2 = -alpha / 18 * h,
                     .g_1 = alpha / 18,
                     .g_2 = half / 3,
                     .g_3 = half * (1 + alpha) / 6,
                     .k = sqrt(1.0 / 6 + (1 + alpha / 3) / (4 * alpha)) / 2};
}

/* X^T S (of_change Delta + B_i z) into f, X being B_i or G */
static HolStatus strain_forces(MomentumDecaying *s, HolWorkspace *work, const HolSubstep *part, double of_change,
                               bool at_a, double *f)
{
    HolTerms *terms = work->terms;
    const int nv = work->pattern->nv;
    HolStrainPath path = {.t = part->t + part->h / 2,
                          .q_a = part->q,
                          .q_b = part->q_new,
                          .q_m = s->q_m,
                          .z = s->z,
                          .of_change = -of_change,
                          .of_z = -1,
                          .at_a = at_a};
    memset(terms->Q, 0, (size_t)nv * sizeof *terms->Q);
    HOL_TRY(hol_system_strain_forces(work->system, &path, terms));
    memcpy(f, terms->Q, (size_t)nv * sizeof *f);
    work->have &= ~(unsigned)HOL_WANT_FORCE;
    return HOL_OK;
}

/* (8) */
static HolStatus find_jump(MomentumDecaying *s, HolWorkspace *work, const HolSubstep *part)
{
    Factors of = factors_of(s, part->h);
    for (int i = 0; i < work->pattern->nv; ++i)
        s->z[i] = of.a_2 * part->h * part->v[i];
    HOL_TRY(strain_forces(s, work, part, of.a_1, true, s->f));
    hol_velocity_jump_solve(s->jump, s->f);
    for (int i = 0; i < work->pattern->nv; ++i)
        s->v_j[i] = part->v[i] + s->jump->b[i];
    return HOL_OK;
}

/* (9) */
static HolStatus add_damping(MomentumDecaying *s, HolWorkspace *work, const HolSubstep *part)
{
    Factors of = factors_of(s, part->h);
    for (int i = 0; i < work->pattern->nv; ++i)
        s->z[i] = part->h * (of.g_2 * part->v[i] + of.g_3 * s->jump->b[i]);
    HOL_TRY(strain_forces(s, work, part, of.g_1, false, s->f));
    hol_add_scaled(work->pattern->nv, -1, s->f, s->midpoint.gradient->Q);
    return HOL_OK;
}

/* What (1) and the velocities at the end take from i. Moving rows keep the velocity of the step, which differs from
 * theirs by order h^2, as that of a chord from that of an arc: a rotor that is driven would otherwise be jerked at its
 * hub. */
static HolStatus look_at_rows(MomentumDecaying *s, HolWorkspace *work, const HolSubstep *part)
{
    const HolPattern *p = work->pattern;
    hol_workspace_move(work, part->t, part->q, part->v);
    HOL_TRY(hol_workspace_need(work, HOL_WANT_MASS | HOL_WANT_JACOBIAN | HOL_WANT_NU));
    hol_jacobian_times(p, work->terms->D, part->v, s->along);
    for (int i = 0; i < p->m; ++i) {
        bool moves = work->terms->nu[i] != 0;
        s->w_at_rest[i] = moves ? 0 : s->energy_step->w[i];
        s->along[i] = moves ? s->along[i] : 0;
    }
    return s->midpoint.end_velocity ? hol_end_velocity_begin(s->midpoint.end_velocity, work, part) : HOL_OK;
}

static HolStatus momentum_decaying_begin(void *self, HolWorkspace *work, const HolSubstep *part)
{
    MomentumDecaying *s = self;
    HolTerms *terms = work->terms;
    memcpy(s->v_j, part->v, (size_t)work->pattern->nv * sizeof *s->v_j);
    for (int i = 0; i < work->pattern->nv; ++i)
        s->midpoint.delta[i] = part->h * part->v[i] + part->h * part->h / 2 * part->vdot[i];
    HOL_TRY(look_at_rows(s, work, part));
    if (s->jump) {
        HOL_TRY(hol_system_strain_stiffness(work->system, &(HolPoint){part->t + part->h / 2, part->q, part->v}, terms));
        HOL_TRY(hol_velocity_jump_begin(s->jump, terms, factors_of(s, part->h).c, s->energy_step->w));
    }
    return hol_discrete_gradient_begin(s->midpoint.gradient, work, part->t + part->h / 2, part->q);
}

/* Phi at f, and v_f */
static HolStatus evaluate_end(MomentumDecaying *s, HolWorkspace *work, const HolSubstep *part, double *Phi)
{
    HolSubstep after = *part; /* the jump */
    after.v = s->v_j;
    if (s->midpoint.end_velocity)
        return hol_end_velocity_evaluate(s->midpoint.end_velocity, work, &after, s->midpoint.delta, s->midpoint.v, Phi);
    hol_workspace_move(work, part->t + part->h, part->q_new, s->midpoint.v);
    HOL_TRY(hol_workspace_need(work, HOL_WANT_PHI));
    memcpy(Phi, work->terms->Phi, (size_t)work->pattern->nh * sizeof *Phi);
    return HOL_OK;
}

/* Q, B, b and the residuals of (3) at the present delta. */
static HolStatus momentum_decaying_evaluate(void *self, HolWorkspace *work, const HolSubstep *part)
{
    MomentumDecaying *s = self;
    const HolPattern *p = work->pattern;
    double *g = s->energy_step->residual;
    for (int i = 0; i < p->nv; ++i) {
        part->q_new[i] = part->q[i] + s->midpoint.delta[i];
        s->q_m[i] = part->q[i] + s->midpoint.delta[i] / 2;
        s->midpoint.v[i] = s->midpoint.delta[i] / part->h;
    }
    if (s->jump)
        HOL_TRY(find_jump(s, work, part));
    HOL_TRY(evaluate_end(s, work, part, g));
    HOL_TRY(hol_discrete_gradient_end(s->midpoint.gradient, work, part->q_new, s->midpoint.delta, s->midpoint.v));
    if (s->midpoint.end_velocity) {
        HolSubstep after = *part;
        after.v = s->v_j;
        hol_end_velocity_force(s->midpoint.end_velocity, work, &after, s->midpoint.gradient);
    }
    if (p->nn > 0)
        hol_workspace_velocity_residual(work, s->midpoint.y);
    for (int i = p->nh; i < p->m; ++i)
        g[i] = part->h * s->midpoint.y[i];
    return s->jump ? add_damping(s, work, part) : HOL_OK;
}

static HolStatus momentum_decaying_factor(void *self, HolWorkspace *work, const HolSubstep *part)
{
    MomentumDecaying *s = self;
    return hol_midpoint_step_factor(&s->midpoint, work, part->h, s->jump ? factors_of(s, part->h).k : 0.25);
}

static double momentum_decaying_correct(void *self, HolWorkspace *work, const HolSubstep *part)
{
    MomentumDecaying *s = self;
    return hol_midpoint_step_correct(&s->midpoint, work, part->h, s->v_j);
}

/* (10): the right-hand side into y, zero for rows at rest. v_new becomes that of the workspace, at f. */
static HolStatus find_row_jumps(MomentumDecaying *s, HolWorkspace *work, const HolSubstep *part, const double *v_new)
{
    const HolPattern *p = work->pattern;
    const HolDiscreteGradient *c = s->midpoint.gradient;
    for (int i = 0; i < p->nv; ++i)
        s->midpoint.v[i] = s->midpoint.delta[i] / part->h;
    hol_workspace_move(work, c->t, c->q, s->midpoint.v);
    HOL_TRY(hol_workspace_need(work, HOL_WANT_GAMMA));
    hol_jacobian_times(p, c->B, v_new, s->midpoint.y);
    hol_jacobian_times(p, c->B, s->midpoint.v, s->midpoint.weights);
    for (int i = 0; i < p->m; ++i)
        s->midpoint.y[i] =
            c->nu[i] != 0 ? s->midpoint.weights[i] + part->h / 2 * work->terms->gamma[i] - s->midpoint.y[i] : 0;
    hol_workspace_move(work, part->t + part->h, part->q_new, v_new);
    return hol_workspace_need(work, HOL_WANT_MASS | HOL_WANT_JACOBIAN);
}

/* (10), and the work of its impulse */
static HolStatus settle_moving_rows(MomentumDecaying *s, HolWorkspace *work, const HolSubstep *part, double *v_new,
                                    double *done)
{
    const HolPattern *p = work->pattern;
    HolStepReport report = {0};
    double *impulse = s->midpoint.weights, *along = s->row;
    HOL_TRY(find_row_jumps(s, work, part, v_new));
    hol_jacobian_times(p, work->terms->D, v_new, along);
    HOL_TRY(hol_kkt_solve(s->kkt, work, NULL, s->midpoint.y, s->midpoint.x, impulse, &report));
    for (int i = 0; i < p->m; ++i)
        *done += impulse[i] * (along[i] + s->midpoint.y[i] / 2);
    hol_add_scaled(p->nv, 1, s->midpoint.x, v_new);
    return HOL_OK;
}

/* Moving rows do the work mu . D u in the jump. */
static HolStatus momentum_decaying_end(void *self, HolWorkspace *work, const HolSubstep *part, double *v_new,
                                       double *done)
{
    MomentumDecaying *s = self;
    HolEndVelocity *end = s->midpoint.end_velocity;
    for (int i = 0; i < work->pattern->nv; ++i)
        v_new[i] = end ? end->v[i] : 2 * s->midpoint.delta[i] / part->h - s->v_j[i];
    if (end)
        hol_end_velocity_find_multipliers(end, part->h);
    HOL_TRY(hol_discrete_gradient_work(s->midpoint.gradient, work, s->energy_step->lambda, done));
    if (end && !hol_system_is_scleronomic(work->system))
        hol_end_velocity_add_work(end, part->h, done);
    for (int i = 0; i < work->pattern->m && s->jump; ++i)
        *done += s->jump->mu[i] * s->along[i];
    return hol_system_is_scleronomic(work->system) ? HOL_OK : settle_moving_rows(s, work, part, v_new, done);
}

static HolStatus check_strains(const HolSetup *setup, const MomentumDecaying *s)
{
    if (hol_system_has_strains(setup->system) || !s->energy_step->has_fast)
        return HOL_OK;
    return hol_fail(setup->message, HOL_UNSUPPORTED,
                    "'energy-momentum-decaying' cannot damp '%s', which is stiff but has no strains "
                    "(HolSystemOps.strain_forces); choose 'energy-decaying'",
                    hol_system_name(setup->system));
}

static HolStatus momentum_decaying_create(const HolSetup *setup, const void *options, void **self)
{
    static const HolEnergyStepOps ops = {momentum_decaying_begin, momentum_decaying_evaluate, momentum_decaying_factor,
                                         momentum_decaying_correct, momentum_decaying_end};
    const Options *o = options;
    const HolPattern *p = hol_system_pattern(setup->system);
    MomentumDecaying *s = hol_arena_alloc(setup->arena, sizeof *s);
    HOL_TRY(hol_arena_status(setup->arena));
    HOL_TRY(hol_setup_check_flat(setup, "energy-momentum-decaying"));
    *self = s;
    int count = p->m > 0 ? hol_end_velocity_displacements(p) : p->nv;
    HOL_TRY(hol_energy_step_create(setup, "energy-momentum-decaying", &ops, &o->step, count, s));
    HOL_TRY(check_strains(setup, s));
    s->order = o->order;
    s->alpha = o->alpha;
    HOL_DOUBLES(setup->arena, p->nv, &s->v_j, &s->q_m, &s->z, &s->f);
    HOL_DOUBLES(setup->arena, p->m, &s->row, &s->along, &s->w_at_rest);
    HOL_TRY(hol_arena_status(setup->arena));
    HOL_TRY(hol_midpoint_step_create(setup, s->energy_step, p->m > 0, &s->midpoint));
    if (p->m > 0)
        s->midpoint.end_velocity->w = s->w_at_rest;
    return hol_system_has_strains(setup->system) ? hol_velocity_jump_create(setup, &s->jump) : HOL_OK;
}

static const HolOption options_table[] = {
    HOL_INTEGER(Options, order, 2, 1, 2, "order of convergence; 1 damps more"),
    HOL_REAL(Options, alpha, 1, 0.1, 1, "", "numerical damping: 1 removes infinitely fast vibrations"),
    HOL_ENERGY_STEP_OPTION_ROWS,
};

static const char *momentum_decaying_undamped(const void *options)
{
    (void)options;
    return "energy-preserving";
}

static const HolOwnStepOps own_step_ops = {.step = hol_energy_step_take};

static const HolStateOps state_ops = {.size = hol_energy_step_state_size,
                                      .open = hol_energy_step_open,
                                      .close = hol_energy_step_close,
                                      .kinetic = hol_energy_step_kinetic};

const HolFormulationKind hol_energy_momentum_decaying = {
    .name = "energy-momentum-decaying",
    .title = "steps that damp vibrations and keep momenta and steady rotation, constraints exact",
    .page = "docs/methods/energy-momentum-decaying.md",
    .advice = "take a smaller step or a larger max_iterations",
    .integrator = "built-in",
    .wants = HOL_WANT_MASS | HOL_WANT_FORCE | HOL_WANT_JACOBIAN | HOL_WANT_GAMMA,
    HOL_OPTIONS(Options, options_table),
    .undamped = momentum_decaying_undamped,
    .create = momentum_decaying_create,
    .accelerate = hol_energy_step_accelerate,
    .prepare = hol_energy_step_prepare,
    .archive = hol_energy_step_archive,
    .own_step = &own_step_ops,
    .state = &state_ops,
};
