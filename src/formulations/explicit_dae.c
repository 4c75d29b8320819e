/* SPDX-License-Identifier: BSD-3-Clause */
/* Explicit integration of constrained motion: corrections of positions, velocities and energy without iteration.
 * See docs/methods/explicit-dae.md. With x = P(f, c) the nearest to M^-1 f that meets D x = c (row_solver.h), P_h the
 * same of the holonomic rows alone, r = D v - nu, and the balance of energy
 *
 *     e = T + V - E_0 - W,   w = v - P(0, D v),   k = w^T M w                                          (1)
 *
 * correction: stages, in every evaluation, h being the step, also in a last one that is shorter:
 *
 *     qdot = N(q) (v + P_h(0, nu - D v - Phi/h))                                                       (2)
 *     vdot = P(Q, gamma - r/h) + w k^+ (-lambda^T r - e/h)                                             (3)
 *
 * correction: step, with qdot = N(q) v and vdot = P(Q, gamma), once at the end of each step:
 *
 *     q <- q (+) P_h(0, -Phi),   v <- v + P(0, -r),   v <- v - w k^+ e                                 (4)
 *
 * The last term of each is the energy correction, along the motion that the rows leave free; k^+ is 1/k but for a
 * motion so slow that it could not carry the error:
 *
 *     threshold:  1/k, 0 where k is not above the tolerance                                            (5)
 *     smooth:     k / (k^2 + (a^T M a)^2),   a = FADE h vdot, the change of velocity in some steps      (6) */
#include "base/message.h"
#include "base/options.h"
#include "base/tolerances.h"
#include "formulations/formulation.h"
#include "linalg/block/blocks.h"
#include "solve/projection.h"
#include "solve/row_solver.h"
#include "solve/stabilization.h"

#include <string.h>

typedef enum Correction { STEP, STAGES } Correction;
static const char *const corrections[] = {"step", "stages", NULL};

typedef enum Energy { OFF, SMOOTH, THRESHOLD } Energy;
static const char *const energies[] = {"off", "smooth", "threshold", NULL};

static const char *const solvers[] = {"automatic", "block", "dense", NULL};

typedef struct Options {
    int correction, energy, solver;
    double energy_tolerance;
} Options;

typedef struct ExplicitDae {
    const HolPattern *pattern;
    HolRowSolver *solver;
    Correction correction;
    Energy energy;
    double energy_tolerance;
    double h; /* of (2), (3) */
    double E_0;
    double sway, sway_latest; /* a^T M a of (6): of the latest accepted state, of the latest evaluation */
    double *c, *r, *mu, *x, *w, *p;
} ExplicitDae;

static const double FADE = 3;

/* x^T M x */
static double explicit_dae_square(ExplicitDae *s, const HolTerms *terms, const double *x)
{
    return hol_mass_product(s->pattern, terms->M, x, x, s->p);
}

/* k^+ of (5), (6); the change of velocity is that of an evaluation near by */
static double inverse_of(const ExplicitDae *s, double k, double sway)
{
    if (s->energy == THRESHOLD)
        return k > s->energy_tolerance ? 1 / k : 0;
    double size = k * k + sway * sway;
    return size > 0 ? k / size : 0;
}

/* w and k of (1), with the D and the factors at hand; returns k^+ */
static HolStatus find_free_motion(ExplicitDae *s, HolWorkspace *work, double sway, double *k_inverse)
{
    const HolPattern *p = s->pattern;
    const double *v = work->at.v;
    hol_jacobian_times(p, work->terms->D, v, s->c);
    HOL_TRY(hol_row_solver_solve(s->solver, work, HOL_ALL_ROWS, NULL, s->c, s->x, s->mu));
    for (int i = 0; i < p->nv; ++i)
        s->w[i] = v[i] - s->x[i];
    *k_inverse = inverse_of(s, explicit_dae_square(s, work->terms, s->w), sway);
    return HOL_OK;
}

/* e of (1) */
static HolStatus find_energy_error(const ExplicitDae *s, HolWorkspace *work, double *e)
{
    HOL_TRY(hol_workspace_need(work, HOL_WANT_ENERGY));
    *e = work->terms->kinetic + work->terms->potential - s->E_0 - work->W;
    return HOL_OK;
}

/* The last term of (3) */
static HolStatus correct_power(ExplicitDae *s, HolWorkspace *work, const double *lambda, double *vdot)
{
    double e = 0, k_inverse = 0;
    HOL_TRY(find_energy_error(s, work, &e));
    HOL_TRY(find_free_motion(s, work, s->sway_latest, &k_inverse));
    double power = -hol_inner_product(s->pattern->m, lambda, s->r) - e / s->h;
    for (int i = 0; i < s->pattern->nv; ++i)
        vdot[i] += s->w[i] * k_inverse * power;
    return HOL_OK;
}

static HolStatus explicit_dae_accelerate(void *self, HolWorkspace *work, double h, double *vdot, double *lambda,
                                         HolStepReport *report)
{
    ExplicitDae *s = self;
    const HolTerms *terms = work->terms;
    const int m = s->pattern->m;
    memcpy(s->c, terms->gamma, (size_t)m * sizeof *s->c);
    if (s->correction == STAGES) {
        hol_workspace_velocity_residual(work, s->r);
        for (int i = 0; i < m; ++i)
            s->c[i] -= s->r[i] / s->h;
        h = s->h;
    }
    HOL_TRY(hol_row_solver_solve(s->solver, work, HOL_ALL_ROWS, terms->Q, s->c, vdot, lambda));
    hol_row_solver_report(s->solver, report);
    if (s->energy == OFF)
        return HOL_OK;
    s->sway_latest = FADE * h * FADE * h * explicit_dae_square(s, terms, vdot);
    return s->correction == STAGES ? correct_power(s, work, lambda, vdot) : HOL_OK;
}

/* (2) */
static HolStatus explicit_dae_position_rates(void *self, HolWorkspace *work, double h, double *u)
{
    (void)h;
    ExplicitDae *s = self;
    const HolPattern *p = s->pattern;
    memcpy(u, work->at.v, (size_t)p->nv * sizeof *u);
    if (s->correction != STAGES || p->nh == 0)
        return HOL_OK;
    HOL_TRY(hol_workspace_need(work, HOL_WANT_PHI | HOL_WANT_JACOBIAN | HOL_WANT_NU));
    hol_workspace_velocity_residual(work, s->c);
    for (int i = 0; i < p->m; ++i)
        s->c[i] = i < p->nh ? -s->c[i] - work->terms->Phi[i] / s->h : 0;
    HOL_TRY(hol_row_solver_solve(s->solver, work, HOL_HOLONOMIC_ROWS, NULL, s->c, s->x, s->mu));
    hol_add_scaled(p->nv, 1, s->x, u);
    return HOL_OK;
}

/* (4), the first */
static HolStatus correct_positions(ExplicitDae *s, HolWorkspace *work, double *q, HolStepReport *report)
{
    if (s->pattern->nh == 0)
        return HOL_OK;
    HOL_TRY(hol_workspace_need(work, HOL_WANT_PHI));
    hol_position_residual(s->pattern, work->terms->Phi, s->c);
    HOL_TRY(hol_row_solver_solve(s->solver, work, HOL_HOLONOMIC_ROWS, NULL, s->c, s->x, s->mu));
    HolPoint at = work->at;
    hol_system_retract(work->system, q, s->x, q);
    hol_workspace_move(work, at.t, q, at.v);
    hol_count_position_iteration(report, 1);
    return HOL_OK;
}

/* (4), the second. Leaves D as it was for the v before. */
static HolStatus explicit_dae_correct_velocities(ExplicitDae *s, HolWorkspace *work, double *v)
{
    const HolPattern *p = s->pattern;
    HOL_TRY(hol_workspace_need(work, HOL_WANT_MASS | HOL_WANT_PHI | HOL_WANT_JACOBIAN | HOL_WANT_NU));
    hol_workspace_velocity_residual(work, s->c);
    for (int i = 0; i < p->m; ++i)
        s->c[i] = -s->c[i];
    HOL_TRY(hol_row_solver_solve(s->solver, work, HOL_ALL_ROWS, NULL, s->c, s->x, s->mu));
    hol_add_scaled(p->nv, 1, s->x, v);
    return HOL_OK;
}

/* (4), the last, with the D and the factors of the second */
static HolStatus correct_energy(ExplicitDae *s, HolWorkspace *work, double *v)
{
    double e = 0, k_inverse = 0;
    HOL_TRY(find_free_motion(s, work, s->sway, &k_inverse));
    hol_workspace_new_velocity(work);
    HOL_TRY(find_energy_error(s, work, &e));
    for (int i = 0; i < s->pattern->nv; ++i)
        v[i] -= s->w[i] * k_inverse * e;
    return HOL_OK;
}

static HolStatus explicit_dae_project(void *self, HolWorkspace *work, double t, double *q, double *v,
                                      HolStepReport *report)
{
    (void)t;
    ExplicitDae *s = self;
    if (s->correction != STEP)
        return HOL_OK;
    HOL_TRY(correct_positions(s, work, q, report));
    HOL_TRY(explicit_dae_correct_velocities(s, work, v));
    if (s->energy != OFF)
        HOL_TRY(correct_energy(s, work, v));
    hol_workspace_new_velocity(work);
    return HOL_OK;
}

static HolStatus explicit_dae_prepare(void *self, HolWorkspace *work, HolStepReport *report)
{
    (void)report;
    ExplicitDae *s = self;
    s->sway = s->sway_latest;
    return hol_row_solver_prepare(s->solver, work);
}

static HolStatus explicit_dae_take_memory(HolArena *arena, ExplicitDae *s)
{
    size_t m = (size_t)s->pattern->m, nv = (size_t)s->pattern->nv;
    HOL_DOUBLES(arena, m, &s->c, &s->r, &s->mu);
    HOL_DOUBLES(arena, nv, &s->x, &s->w, &s->p);
    return hol_arena_status(arena);
}

static HolStatus explicit_dae_create(const HolSetup *setup, const void *options, void **self)
{
    const Options *o = options;
    const HolTerms *terms = setup->work->terms;
    if (o->correction == STAGES && setup->adaptive)
        return hol_fail(setup->message, HOL_UNSUPPORTED,
                        "'explicit-dae' with correction 'stages' divides by the step and needs steps of equal size, "
                        "but '%s' changes them; take correction 'step'",
                        setup->adaptive);
    ExplicitDae *s = hol_arena_alloc(setup->arena, sizeof *s);
    HOL_TRY(hol_arena_status(setup->arena));
    *self = s;
    s->pattern = hol_system_pattern(setup->system);
    s->correction = (Correction)o->correction;
    s->energy = (Energy)o->energy;
    s->energy_tolerance = o->energy_tolerance;
    s->h = setup->h;
    s->E_0 = terms->kinetic + terms->potential;
    HOL_TRY(explicit_dae_take_memory(setup->arena, s));
    return hol_row_solver_create(setup, "explicit-dae", (HolRowSolverChoice)o->solver, &s->solver);
}

static void explicit_dae_archive(void *self, HolArchive *archive)
{
    ExplicitDae *s = self;
    HOL_ARCHIVE_EACH(archive, &s->sway, &s->sway_latest);
    hol_row_solver_archive(s->solver, archive);
}

static const HolOption options_table[] = {
    HOL_CHOICE(Options, correction, STEP, corrections,
               "step: once at the end of each step; stages: in every evaluation, divided by the step"),
    HOL_CHOICE(Options, energy, OFF, energies,
               "correction of the energy balance; smooth: fades out where motion is slow; threshold: off there"),
    HOL_REAL(Options, energy_tolerance, HOL_TOL_SAME, 0, HOL_LARGEST, "J",
             "threshold: no energy correction up to this value of twice the kinetic energy of the free motion"),
    HOL_CHOICE(
        Options, solver, HOL_SOLVER_AUTOMATIC, solvers,
        "block: independent constraint equations; dense: any; automatic: block if they are independent initially"),
};

static const HolRatesOps rates_ops = {.position_rates = explicit_dae_position_rates};

const HolFormulationKind hol_explicit_dae = {
    .name = "explicit-dae",
    .title = "explicit corrections of positions, velocities and energy, without iteration",
    .page = "docs/methods/explicit-dae.md",
    .wants = HOL_WANT_MASS | HOL_WANT_FORCE | HOL_WANT_STABILIZATION,
    HOL_OPTIONS(Options, options_table),
    .create = explicit_dae_create,
    .accelerate = explicit_dae_accelerate,
    .prepare = explicit_dae_prepare,
    .archive = explicit_dae_archive,
    .project = explicit_dae_project,
    .rates = &rates_ops,
};
