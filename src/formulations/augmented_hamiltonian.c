/* SPDX-License-Identifier: BSD-3-Clause */
/* Momenta instead of velocities, and multipliers of the velocity rows, so that no acceleration is needed to move. See
 * docs/methods/augmented-hamiltonian.md.
 *
 *     M v = p + D^T sigma,   D v = c = nu - 2 xi omega Phi - omega^2 J                                             (1)
 *     qdot = N(q) v,   pdot = Q + d/dtau [M v - D^T sigma],   Jdot = Phi                                           (2)
 *
 * with d/dtau along the motion, t + tau and q (+) tau v, while v and sigma stand still. (1) is solved by penalties made
 * exact by iteration (augmented.h), from the sigma of the step before: it lasts. dsigma/dt is lambda, which acts as
 * +D^T lambda; textbooks have the opposite sign of both.
 *
 * The bracket of (2) by the tangent K = -d(Q + D^T lambda)/dq, where M is constant and nothing depends on time,
 *
 *     d/dtau [-D^T sigma] = (K(lambda = sigma) - K(lambda = 0)) v                                                  (3)
 *
 * else by differences over four points behind, which miss it by the fourth power of their distance. */
#include "base/message.h"
#include "base/options.h"
#include "formulations/augmented.h"
#include "linalg/blocks.h"

#include <string.h>

enum { TERMS = HOL_WANT_MASS | HOL_WANT_PHI | HOL_WANT_JACOBIAN | HOL_WANT_NU };

typedef struct Options {
    double alpha, omega, xi, tolerance;
    int max_iterations;
} Options;

typedef struct Hamiltonian {
    Options options;
    HolAugmented *augmented;
    double *sigma, *lambda;         /* of the accepted state */
    double *latest, *lambda_latest; /* the same of the one looked at */
    double *f, *c, *change;         /* right sides of (1), and what the iteration adds to sigma */
    double *none;                   /* zeros, nv or m of them */
    bool by_tangent;                /* (3) */
    double *q, *displacement;       /* a point behind the present one */
    double *momentum;               /* D^T sigma or M v there */
} Hamiltonian;

/* ---- Set-up ---- */

static void take_memory(const HolSetup *setup, Hamiltonian *s)
{
    const HolPattern *p = hol_system_pattern(setup->system);
    double **of_velocity[] = {&s->f, &s->displacement, &s->momentum};
    double **of_rows[] = {&s->sigma, &s->lambda, &s->latest, &s->lambda_latest, &s->c, &s->change};
    for (size_t i = 0; i < sizeof of_velocity / sizeof *of_velocity; ++i)
        *of_velocity[i] = hol_arena_doubles(setup->arena, (size_t)p->nv);
    for (size_t i = 0; i < sizeof of_rows / sizeof *of_rows; ++i)
        *of_rows[i] = hol_arena_doubles(setup->arena, (size_t)p->m);
    s->none = hol_arena_doubles(setup->arena, (size_t)(p->nv > p->m ? p->nv : p->m));
    s->q = hol_arena_doubles(setup->arena, (size_t)p->nq);
}

static HolStatus create(const HolSetup *setup, const void *options, void **self)
{
    const HolPattern *p = hol_system_pattern(setup->system);
    if (p->nn > 0)
        return hol_fail(setup->message, HOL_UNSUPPORTED,
                        "'augmented-hamiltonian' is for holonomic rows: '%s' of '%s' constrains velocities; take "
                        "another formulation, 'augmented-lagrangian' is the nearest",
                        hol_system_group_name(setup->system, p->group_count - 1), hol_system_name(setup->system));
    Hamiltonian *s = hol_arena_alloc(setup->arena, sizeof *s);
    if (!s)
        return HOL_NO_MEMORY;
    *self = s;
    s->options = *(const Options *)options;
    s->by_tangent = hol_system_has_tangent(setup->system) && hol_system_is_scleronomic(setup->system) &&
                    hol_system_has_constant_mass(setup->system);
    take_memory(setup, s);
    if (hol_arena_failed(setup->arena))
        return HOL_NO_MEMORY;
    return hol_augmented_create(setup, s->options.alpha, &s->augmented);
}

/* ---- The state: x = (p, J) ---- */

static int own_size(const HolPattern *pattern)
{
    return pattern->nv + pattern->nh;
}

static void open(void *self, HolWorkspace *work, double *x)
{
    (void)self;
    const HolPattern *p = work->pattern;
    hol_mass_times(p, work->terms->M, work->at.v, x); /* sigma and J begin as zero */
    memset(x + p->nv, 0, (size_t)p->nh * sizeof *x);
}

static HolStatus solve(Hamiltonian *s, HolWorkspace *work, const double *f, const double *c, double *x, double *lambda,
                       HolStepReport *report)
{
    const Options *o = &s->options;
    HOL_TRY(hol_augmented_factor(s->augmented, work));
    int passes = hol_augmented_solve(s->augmented, work->terms, f, c, o->tolerance, o->max_iterations, x, lambda);
    report->pivot = hol_primal_pivot(s->augmented->primal);
    report->iterations += passes > 0 ? passes : o->max_iterations;
    return passes > 0 ? HOL_OK : HOL_NO_CONVERGENCE;
}

/* (1) */
static HolStatus close(void *self, HolWorkspace *work, double t, const double *y, double *v, HolStepReport *report)
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
    HOL_TRY(solve(s, work, s->f, s->c, v, s->change, report));
    for (int i = 0; i < p->m; ++i)
        s->latest[i] = s->sigma[i] + s->change[i];
    hol_workspace_new_velocity(work);
    return HOL_OK;
}

/* The momentum of the accepted state has found its sigma, and the next step begins with it. */
static HolStatus prepare(void *self, HolWorkspace *work, HolStepReport *report)
{
    (void)report;
    Hamiltonian *s = self;
    memcpy(s->sigma, s->latest, (size_t)work->pattern->m * sizeof *s->sigma);
    memcpy(s->lambda, s->lambda_latest, (size_t)work->pattern->m * sizeof *s->lambda);
    return HOL_OK;
}

/* ---- Rates: (2) ---- */

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
    for (int i = 0; i < p->nv; ++i)
        pdot[i] -= k * s->momentum[i];
    if (hol_system_has_constant_mass(work->system))
        return HOL_OK;
    hol_mass_times(p, work->terms->M, here->v, s->momentum);
    for (int i = 0; i < p->nv; ++i)
        pdot[i] += k * s->momentum[i];
    return HOL_OK;
}

/* The present point and four behind it, tau = 0, -d, ... -4d: nobody knows whether the system is defined ahead. d is
 * such that d^4 / 5 is below the rounding of ten numbers over d. */
static HolStatus add_by_differences(Hamiltonian *s, HolWorkspace *work, double *pdot)
{
    static const double WEIGHTS[] = {25. / 12, -4, 3, -4. / 3, 1. / 4};
    const double d = 1e-3 / (1 + hol_max_norm(work->pattern->nv, work->at.v));
    const HolPoint here = work->at;
    HolStatus status = HOL_OK;
    for (int i = 0; i <= 4 && status == HOL_OK; ++i)
        status = add_momentum(s, work, &here, -i * d, WEIGHTS[i] / d, pdot);
    hol_workspace_move(work, here.t, here.q, here.v);
    return status;
}

static HolStatus own_rates(void *self, HolWorkspace *work, double *xdot)
{
    Hamiltonian *s = self;
    const HolPattern *p = work->pattern;
    memset(xdot, 0, (size_t)p->nv * sizeof *xdot);
    HOL_TRY(s->by_tangent ? add_by_tangent(s, work, xdot) : add_by_differences(s, work, xdot));
    HOL_TRY(hol_workspace_need(work, HOL_WANT_FORCE | HOL_WANT_PHI));
    for (int i = 0; i < p->nv; ++i)
        xdot[i] += work->terms->Q[i];
    memcpy(xdot + p->nv, work->terms->Phi, (size_t)p->nh * sizeof *xdot);
    return HOL_OK;
}

/* For those who look: the accelerations and reactions that belong to q and v, by the same penalties. Nothing moves by
 * them. So where D is all but singular and the passes do not suffice, what they have found will do: the equations of
 * motion hold after each of them, and the rows up to what the measures tell. What D cannot tell of lambda there, the
 * state before knows. */
static HolStatus accelerate(void *self, HolWorkspace *work, double h, double *vdot, double *lambda,
                            HolStepReport *report)
{
    (void)h;
    Hamiltonian *s = self;
    const HolPattern *p = work->pattern;
    const HolTerms *terms = work->terms;
    HolStatus status = solve(s, work, terms->Q, terms->gamma, vdot, lambda, report);
    if (status == HOL_NO_CONVERGENCE) {
        memcpy(s->f, terms->Q, (size_t)p->nv * sizeof *s->f);
        hol_jacobian_add_transposed(p, terms->D, s->lambda, s->f);
        status = solve(s, work, s->f, terms->gamma, vdot, lambda, report);
        for (int i = 0; i < p->m; ++i)
            lambda[i] += s->lambda[i];
    }
    memcpy(s->lambda_latest, lambda, (size_t)p->m * sizeof *lambda);
    report->unsettled |= status == HOL_NO_CONVERGENCE;
    return status == HOL_NO_CONVERGENCE ? HOL_OK : status;
}

static const HolOption options_table[] = {
    {"alpha", HOL_OPTION_REAL, offsetof(Options, alpha), 1e9, HOL_SMALLEST, 1e15, NULL, "",
     "penalty, times the row weight"},
    {"omega", HOL_OPTION_REAL, offsetof(Options, omega), 0.1, 0, HOL_LARGEST, NULL, "rad/s",
     "weighs the integral of a violation by its square"},
    {"xi", HOL_OPTION_REAL, offsetof(Options, xi), 1000, 0, HOL_LARGEST, NULL, "",
     "a violation dies out with the rate 2 xi omega"},
    {"tolerance", HOL_OPTION_REAL, offsetof(Options, tolerance), 1e-10, 1e-15, 1, NULL, "",
     "ends the iteration: change of v relative to 1 + max |v|"},
    {"max_iterations", HOL_OPTION_INTEGER, offsetof(Options, max_iterations), 50, 2, 1000, NULL, "",
     "iterations per evaluation before giving up"},
};

const HolFormulationKind hol_augmented_hamiltonian = {
    .name = "augmented-hamiltonian",
    .title = "augmented Hamiltonian: momenta, with multipliers that last",
    .page = "docs/methods/augmented-hamiltonian.md",
    .advice = "raise alpha or max_iterations, or take a smaller step",
    .weighs_rows = true,
    .offers = HOL_RATES,
    .wants = HOL_WANT_MASS | HOL_WANT_FORCE | HOL_WANT_JACOBIAN | HOL_WANT_GAMMA,
    .options_size = sizeof(Options),
    .options = options_table,
    .option_count = sizeof options_table / sizeof *options_table,
    .create = create,
    .accelerate = accelerate,
    .prepare = prepare,
    .own_size = own_size,
    .open = open,
    .close = close,
    .own_rates = own_rates,
};
