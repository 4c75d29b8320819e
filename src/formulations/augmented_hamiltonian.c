/* SPDX-License-Identifier: BSD-3-Clause */
/* Momenta instead of velocities, and multipliers of the velocity equations: the rates need no accelerations. See
 * docs/methods/augmented-hamiltonian.md.
 *
 *     M v = p + D^T sigma,   D v = c = nu - 2 xi omega Phi - omega^2 J                                             (1)
 *     qdot = N(q) v,   pdot = Q + d/dtau [M v - D^T sigma],   Jdot = Phi                                           (2)
 *
 * with d/dtau along the motion, t + tau and q (+) tau v, at constant v and sigma. (1) is solved by penalties made exact
 * by iteration (augmented.h), from the sigma of the previous step. dsigma/dt is lambda, which acts as +D^T lambda;
 * textbooks have the opposite sign of both.
 *
 * The bracket of (2) by the tangent K = -d(Q + D^T lambda)/dq, where M is constant and nothing depends on time,
 *
 *     d/dtau [-D^T sigma] = (K(lambda = sigma) - K(lambda = 0)) v                                                  (3)
 *
 * else by backward differences over four points, with an error of fourth order in their distance. */
#include "base/message.h"
#include "base/options.h"
#include "base/tolerances.h"
#include "formulations/formulation.h"
#include "linalg/block/blocks.h"
#include "solve/augmented.h"

#include <string.h>

enum { REPORT_ITERATIONS = 50 }; /* accelerations are output only, and a single update does not satisfy their rows */
enum { TERMS = HOL_WANT_MASS | HOL_WANT_PHI | HOL_WANT_JACOBIAN | HOL_WANT_NU };

typedef struct Options {
    double alpha, omega, xi, tolerance;
    int max_iterations;
} Options;

typedef struct Hamiltonian {
    Options options;
    HolAugmented *augmented;
    double *sigma, *lambda;         /* of the accepted state */
    double *latest, *lambda_latest; /* of the latest evaluation */
    double *f, *c, *change;         /* right sides of (1), and the increment of sigma */
    double *none;                   /* zeros, nv or m of them */
    bool by_tangent;                /* (3) */
    double *q, *displacement;       /* an earlier point */
    double *momentum;               /* D^T sigma or M v there */
} Hamiltonian;

static void hamiltonian_take_memory(const HolSetup *setup, Hamiltonian *s)
{
    const HolPattern *p = hol_system_pattern(setup->system);
    HOL_DOUBLES(setup->arena, p->nv, &s->f, &s->displacement, &s->momentum);
    HOL_DOUBLES(setup->arena, p->m, &s->sigma, &s->lambda, &s->latest, &s->lambda_latest, &s->c, &s->change);
    s->none = hol_arena_doubles(setup->arena, (size_t)(p->nv > p->m ? p->nv : p->m));
    s->q = hol_arena_doubles(setup->arena, (size_t)p->nq);
}

static HolStatus hamiltonian_create(const HolSetup *setup, const void *options, void **self)
{
    const HolPattern *p = hol_system_pattern(setup->system);
    if (p->nn > 0)
        return hol_fail(setup->message, HOL_UNSUPPORTED,
                        "'augmented-hamiltonian' requires holonomic constraints, but '%s' of '%s' constrains "
                        "velocities; choose another formulation, such as 'augmented-lagrangian'",
                        hol_system_group_name(setup->system, p->group_count - 1), hol_system_name(setup->system));
    Hamiltonian *s = hol_arena_alloc(setup->arena, sizeof *s);
    HOL_TRY(hol_arena_status(setup->arena));
    *self = s;
    s->options = *(const Options *)options;
    s->by_tangent = hol_system_has_tangent(setup->system) && hol_system_is_scleronomic(setup->system) &&
                    hol_system_has_constant_mass(setup->system);
    hamiltonian_take_memory(setup, s);
    HOL_TRY(hol_arena_status(setup->arena));
    return hol_augmented_create(setup, s->options.alpha, &s->augmented);
}

static int hamiltonian_state_size(const HolPattern *pattern)
{
    return pattern->nv + pattern->nh;
}

static void hamiltonian_open(void *self, HolWorkspace *work, double *x)
{
    (void)self;
    const HolPattern *p = work->pattern;
    hol_mass_times(p, work->terms->M, work->at.v, x); /* sigma and J begin as zero */
    memset(x + p->nv, 0, (size_t)p->nh * sizeof *x);
}

static HolStatus hamiltonian_solve(Hamiltonian *s, HolWorkspace *work, const double *f, const double *c, double unit,
                                   int most, double *x, double *lambda, HolStepReport *report)
{
    HOL_TRY(hol_augmented_factor(s->augmented, work));
    int passes = hol_augmented_solve(s->augmented, work->terms, f, c, unit, s->options.tolerance, most, x, lambda);
    report->pivot = hol_penalty_matrix_pivot(s->augmented->penalty);
    report->iterations += passes > 0 ? passes : most;
    return passes > 0 ? HOL_OK : HOL_NO_CONVERGENCE;
}

/* (1) */
static HolStatus hamiltonian_close(void *self, HolWorkspace *work, double t, const double *y, double *v,
                                   HolStepReport *report)
{
    Hamiltonian *s = self;
    const HolPattern *p = work->pattern;
    const double *momenta = y + p->nq, *J = momenta + p->nv, omega = s->options.omega;
    hol_workspace_move(work, t, y, v);
    HOL_TRY(hol_workspace_need(work, TERMS));
    for (int i = 0; i < p->m; ++i)
        s->c[i] = work->terms->nu[i] - 2 * s->options.xi * omega * work->terms->Phi[i] - omega * omega * J[i];
    memcpy(s->f, momenta, (size_t)p->nv * sizeof *s->f);
    hol_jacobian_add_transposed(p, work->terms->D, s->sigma, s->f);
    HOL_TRY(hamiltonian_solve(s, work, s->f, s->c, work->slow, s->options.max_iterations, v, s->change, report));
    for (int i = 0; i < p->m; ++i)
        s->latest[i] = s->sigma[i] + s->change[i];
    hol_workspace_new_velocity(work);
    return HOL_OK;
}

/* The next step begins with the sigma of the accepted state. */
static HolStatus hamiltonian_prepare(void *self, HolWorkspace *work, HolStepReport *report)
{
    (void)report;
    Hamiltonian *s = self;
    memcpy(s->sigma, s->latest, (size_t)work->pattern->m * sizeof *s->sigma);
    memcpy(s->lambda, s->lambda_latest, (size_t)work->pattern->m * sizeof *s->lambda);
    return HOL_OK;
}

/* (3) */
static HolStatus add_by_tangent(Hamiltonian *s, HolWorkspace *work, double *pdot)
{
    HolTerms *terms = work->terms;
    HOL_TRY(hol_system_tangent(work->system, &work->at, s->none, s->latest, terms));
    hol_tangent_add_times(work->pattern, terms->K, 1, work->at.v, pdot);
    if (hol_system_has_constant_force(work->system)) /* then K(lambda = 0) is zero */
        return HOL_OK;
    HOL_TRY(hol_system_tangent(work->system, &work->at, s->none, s->none, terms));
    hol_tangent_add_times(work->pattern, terms->K, -1, work->at.v, pdot);
    return HOL_OK;
}

/* pdot += k (M v - D^T sigma) at tau */
static HolStatus add_momentum(Hamiltonian *s, HolWorkspace *work, const HolPoint *here, double tau, double k,
                              double *pdot)
{
    const HolPattern *p = work->pattern;
    for (int i = 0; i < p->nv; ++i)
        s->displacement[i] = tau * here->v[i];
    hol_system_retract(work->system, here->q, s->displacement, s->q);
    if (tau != 0)
        hol_workspace_move(work, here->t + tau, s->q, here->v);
    HOL_TRY(hol_workspace_need(work, HOL_WANT_MASS | HOL_WANT_JACOBIAN));
    memset(s->momentum, 0, (size_t)p->nv * sizeof *s->momentum);
    hol_jacobian_add_transposed(p, work->terms->D, s->latest, s->momentum);
    hol_add_scaled(p->nv, -k, s->momentum, pdot);
    if (hol_system_has_constant_mass(work->system))
        return HOL_OK;
    hol_mass_times(p, work->terms->M, here->v, s->momentum);
    hol_add_scaled(p->nv, k, s->momentum, pdot);
    return HOL_OK;
}

/* The present point and four before it, tau = 0, -d, ... -4d: the system may not be defined later. d is such that
 * d^4 / 5 is below the rounding of ten numbers over d. */
static HolStatus add_by_differences(Hamiltonian *s, HolWorkspace *work, double *pdot)
{
    static const double WEIGHTS[] = {25. / 12, -4, 3, -4. / 3, 1. / 4};
    const HolPattern *p = work->pattern;
    const double d = HOL_DIFFERENCE_STEP / (1 / work->time + hol_motion_norm(p, work->at.v) / p->length);
    const HolPoint here = work->at;
    HolStatus status = HOL_OK;
    for (int i = 0; i <= 4 && status == HOL_OK; ++i)
        status = add_momentum(s, work, &here, -i * d, WEIGHTS[i] / d, pdot);
    hol_workspace_move(work, here.t, here.q, here.v);
    return status;
}

static HolStatus hamiltonian_rates(void *self, HolWorkspace *work, double *xdot)
{
    Hamiltonian *s = self;
    const HolPattern *p = work->pattern;
    memset(xdot, 0, (size_t)p->nv * sizeof *xdot);
    HOL_TRY(s->by_tangent ? add_by_tangent(s, work, xdot) : add_by_differences(s, work, xdot));
    HOL_TRY(hol_workspace_need(work, HOL_WANT_FORCE | HOL_WANT_PHI));
    hol_add_scaled(p->nv, 1, work->terms->Q, xdot);
    memcpy(xdot + p->nv, work->terms->Phi, (size_t)p->nh * sizeof *xdot);
    return HOL_OK;
}

/* Accelerations and reactions of q and v, by the same penalties, for output only: the motion does not depend on them.
 * Where D is nearly singular and the iteration does not converge, its last iterate is used: it satisfies the equations
 * of motion, and the rows up to the reported violation. Components of lambda that D does not determine there are those
 * of the previous state. */
static HolStatus hamiltonian_accelerate(void *self, HolWorkspace *work, double h, double *vdot, double *lambda,
                                        HolStepReport *report)
{
    (void)h;
    Hamiltonian *s = self;
    const HolPattern *p = work->pattern;
    const HolTerms *terms = work->terms;
    const int most = s->options.max_iterations > 1 ? s->options.max_iterations : REPORT_ITERATIONS;
    HolStatus status = hamiltonian_solve(s, work, terms->Q, terms->gamma, work->gentle, most, vdot, lambda, report);
    if (status == HOL_NO_CONVERGENCE) {
        memcpy(s->f, terms->Q, (size_t)p->nv * sizeof *s->f);
        hol_jacobian_add_transposed(p, terms->D, s->lambda, s->f);
        status = hamiltonian_solve(s, work, s->f, terms->gamma, work->gentle, most, vdot, lambda, report);
        hol_add_scaled(p->m, 1, s->lambda, lambda);
    }
    memcpy(s->lambda_latest, lambda, (size_t)p->m * sizeof *lambda);
    report->unconverged |= status == HOL_NO_CONVERGENCE;
    return status == HOL_NO_CONVERGENCE ? HOL_OK : status;
}

static void hamiltonian_archive(void *self, HolArchive *archive)
{
    Hamiltonian *s = self;
    double *const lists[] = {s->sigma, s->lambda, s->latest, s->lambda_latest};
    for (int i = 0; i < 4; ++i)
        hol_archive_doubles(archive, lists[i], s->augmented->pattern->m);
}

static const HolOption options_table[] = {
    HOL_REAL(Options, alpha, 1e9, HOL_SMALLEST, 1e15, "", "penalty, times the row weight"),
    HOL_REAL(Options, omega, 0.1, 0, HOL_LARGEST, "rad/s", "its square multiplies the integral of a violation"),
    HOL_REAL(Options, xi, 1000, 0, HOL_LARGEST, "", "a violation decays at the rate 2 xi omega"),
    HOL_REAL(Options, tolerance, HOL_TOL_ITERATION, HOL_TOL_PIVOT, 1, "",
             "ends the iteration: change of v relative to L/(1000 h) + max |v|, L: size of the model"),
    HOL_INTEGER(Options, max_iterations, 50, 1, 1000,
                "iterations per evaluation before giving up; 1: one update of the multipliers, without a test"),
};

static const HolStateOps state_ops = {
    .size = hamiltonian_state_size, .open = hamiltonian_open, .close = hamiltonian_close, .rates = hamiltonian_rates};

const HolFormulationKind hol_augmented_hamiltonian = {
    .name = "augmented-hamiltonian",
    .title = "augmented Hamiltonian: momenta and persistent multipliers",
    .page = "docs/methods/augmented-hamiltonian.md",
    .advice = "raise alpha or max_iterations, or take a smaller step",
    .uses_row_weights = true,
    .wants = HOL_WANT_MASS | HOL_WANT_FORCE | HOL_WANT_JACOBIAN | HOL_WANT_GAMMA,
    HOL_OPTIONS(Options, options_table),
    .create = hamiltonian_create,
    .accelerate = hamiltonian_accelerate,
    .prepare = hamiltonian_prepare,
    .archive = hamiltonian_archive,
    .rates = &hol_plain_rates,
    .state = &state_ops,
};
