/* SPDX-License-Identifier: BSD-3-Clause */
/* The symplectic and time-reversible step with positions and velocities on the constraints (RATTLE). See
 * docs/methods/rattle.md.
 *
 * In coordinates with qdot = v and a constant M, with v_m the velocity between the ends of the step,
 *
 *     M (v_m - v_0) = h/2 (Q(t_0, q_0, v_0) + D_0^T lambda),   q_1 = q_0 + h v_m                        (1)
 *     Phi(t_1, q_1) = 0,   D v_m - nu = 0 at (q_0 + q_1) / 2 for nonholonomic rows                      (2)
 *     M (v_1 - v_m) = h/2 (Q(t_1, q_1, v_1) + D_1^T mu),   D_1 v_1 = nu_1                               (3)
 *
 * By the accelerations of the initial state, M vdot_0 = Q_0 + D_0^T lambda_0, the iteration for (1) and (2) is
 *
 *     q = q_0 + h v_0 + h^2/2 vdot_0,   then   M x = D_0^T y,  D_0 x = -g,   q <- q + x                 (4)
 *
 * with g = Phi(t_1, q) and h (D v_m - nu) of nonholonomic rows. (3) is linear but for forces that depend on velocities
 * and rows nonlinear in them, which are iterated:
 *
 *     M a = Q(v) + D_1^T y,   D_1 a = 2/h (nu - D_1 v_m),   v <- v_m + h/2 a                            (5)
 *
 * A step back from (q_1, -v_1) is the same equations with the ends exchanged. */
#include "base/message.h"
#include "base/options.h"
#include "base/tolerances.h"
#include "formulations/formulation.h"
#include "linalg/block/blocks.h"
#include "solve/projection.h"
#include "solve/steps/anderson.h"

#include <math.h>
#include <string.h>

/* Iterations that do not even halve the error: so many are divergence; after the first, and so many more, the stored
 * differences are forgotten, because they are those of rounding or of points far away. */
enum { PATIENCE = 10, RESTART = 4 };

typedef struct Options {
    double tolerance;
    int max_iterations;
} Options;

typedef struct Rattle {
    HolKkt *kkt; /* first, for hol_kkt_accelerate() */
    HolProjection *projection;
    HolAnderson *anderson;
    Options options;
    double *D;               /* D_0, of the factors in kkt */
    double *c, *y, *size;    /* m; size is that of the rows of D_0 */
    double *v_m, *x, *v, *Q; /* nv */
    double *q_m;             /* nq */
} Rattle;

static HolStatus rattle_create(const HolSetup *setup, const void *options, void **self)
{
    const Options *o = options;
    const HolPattern *p = hol_system_pattern(setup->system);
    HOL_TRY(hol_setup_check_flat(setup, "rattle"));
    Rattle *s = hol_arena_alloc(setup->arena, sizeof *s);
    HOL_TRY(hol_arena_status(setup->arena));
    *self = s;
    s->options = *o;
    s->D = hol_arena_doubles(setup->arena, (size_t)p->pair_start[p->pair_count]);
    s->q_m = hol_arena_doubles(setup->arena, (size_t)p->nq);
    HOL_DOUBLES(setup->arena, p->m, &s->c, &s->y, &s->size);
    HOL_DOUBLES(setup->arena, p->nv, &s->v_m, &s->x, &s->v, &s->Q);
    HOL_TRY(hol_arena_status(setup->arena));
    HOL_TRY(hol_anderson_create(setup->arena, p->nv, &s->anderson));
    HOL_TRY(hol_kkt_create(setup, &s->kkt));
    HOL_TRY(hol_projection_create(setup, s->kkt, false, &s->projection));
    s->projection->tolerance = o->tolerance;
    return HOL_OK;
}

/* D_0 and its factors; usually the workspace is still at the accepted state, which has both. */
static HolStatus rattle_factor(Rattle *s, HolWorkspace *work, const HolStepFrom *from)
{
    const HolPattern *p = work->pattern;
    const HolPoint *at = &work->at;
    if (at->q != from->y || at->v != from->y + p->nq || at->t != hol_workspace_time(work, from->t))
        hol_workspace_move(work, from->t, from->y, from->y + p->nq);
    HOL_TRY(hol_kkt_factor(s->kkt, work, s->x, s->y));
    memcpy(s->D, work->terms->D, (size_t)p->pair_start[p->pair_count] * sizeof *s->D);
    hol_jacobian_row_divisors(p, s->D, s->size);
    return HOL_OK;
}

/* q from v_m, and the residuals of (2) with the opposite sign into c; finds the largest as a distance. */
static HolStatus rattle_residual(Rattle *s, HolWorkspace *work, const HolStepFrom *from, double *q, double *largest)
{
    const HolPattern *p = work->pattern;
    for (int i = 0; i < p->nv; ++i) {
        q[i] = from->y[i] + from->h * s->v_m[i];
        s->q_m[i] = from->y[i] + from->h / 2 * s->v_m[i];
    }
    if (p->nn > 0) {
        hol_workspace_move(work, from->t + from->h / 2, s->q_m, s->v_m);
        HOL_TRY(hol_workspace_need(work, HOL_WANT_JACOBIAN | HOL_WANT_NU));
        hol_workspace_velocity_residual(work, s->c);
    }
    hol_workspace_move(work, from->t + from->h, q, s->v_m);
    HOL_TRY(hol_workspace_need(work, HOL_WANT_PHI));
    *largest = 0;
    for (int i = 0; i < p->m; ++i) {
        s->c[i] = i < p->nh ? -work->terms->Phi[i] : -from->h * s->c[i];
        if (!(fabs(s->c[i]) <= *largest * s->size[i]))
            *largest = fabs(s->c[i]) / s->size[i];
    }
    return isfinite(*largest) ? HOL_OK : HOL_NOT_FINITE;
}

/* (4) for v_m instead of q, of which a difference over a short step would lose digits. */
static HolStatus rattle_positions(Rattle *s, HolWorkspace *work, const HolStepFrom *from, double *q,
                                  HolStepReport *report)
{
    const HolPattern *p = work->pattern;
    const double *v = from->y + p->nq, *vdot = from->ydot + p->nq, h = from->h;
    HolTerms initial = *work->terms;
    HolProgress progress = hol_progress_begin();
    initial.D = s->D;
    for (int i = 0; i < p->nv; ++i)
        s->v_m[i] = v[i] + h / 2 * vdot[i];
    hol_anderson_begin(s->anderson);
    for (int i = 0; i <= s->options.max_iterations && progress.since < PATIENCE; ++i) {
        double largest;
        HOL_TRY(rattle_residual(s, work, from, q, &largest));
        hol_progress_note(&progress, largest);
        if (largest <= s->options.tolerance * p->length ||
            (progress.since > 1 && largest <= HOL_TOL_STALLED * hol_position_size(p, q)))
            return HOL_OK;
        HOL_TRY(hol_kkt_solve_again(s->kkt, work, &initial, s->c, s->x, s->y));
        if (progress.since % RESTART == 1)
            hol_anderson_begin(s->anderson);
        hol_anderson_accelerate(s->anderson, s->x);
        hol_add_scaled(p->nv, 1 / h, s->x, s->v_m);
        ++report->iterations;
    }
    return HOL_NO_CONVERGENCE;
}

/* One iteration of (5) from v into s->v; the change goes to s->x. */
static HolStatus rattle_solve_velocities(Rattle *s, HolWorkspace *work, double h, const double *v,
                                         HolStepReport *report)
{
    const HolPattern *p = work->pattern;
    const HolTerms *terms = work->terms;
    HOL_TRY(hol_workspace_need(work, HOL_WANT_MASS | HOL_WANT_FORCE | HOL_WANT_JACOBIAN | HOL_WANT_NU));
    memcpy(s->Q, terms->Q, (size_t)p->nv * sizeof *s->Q);
    hol_jacobian_times(p, terms->D, s->v_m, s->c);
    for (int i = 0; i < p->m; ++i)
        s->c[i] = 2 / h * (terms->nu[i] - s->c[i]);
    HOL_TRY(hol_kkt_solve(s->kkt, work, s->Q, s->c, s->x, s->y, report));
    for (int i = 0; i < p->nv; ++i) {
        s->v[i] = s->v_m[i] + h / 2 * s->x[i];
        s->x[i] = s->v[i] - v[i];
    }
    return HOL_OK;
}

/* The forces and rows are those that the latest iteration was made with. */
static bool rattle_is_linear(const Rattle *s, const HolWorkspace *work)
{
    const int nv = work->pattern->nv;
    return work->pattern->nn == 0 && memcmp(s->Q, work->terms->Q, (size_t)nv * sizeof *s->Q) == 0;
}

/* (5), with q_1 in front of v in y_new. */
static HolStatus rattle_velocities(Rattle *s, HolWorkspace *work, const HolStepFrom *from, double *v,
                                   HolStepReport *report)
{
    const HolPattern *p = work->pattern;
    const double *vdot = from->ydot + p->nq, h = from->h;
    HolProgress progress = hol_progress_begin();
    for (int i = 0; i < p->nv; ++i)
        v[i] = s->v_m[i] + h / 2 * vdot[i];
    hol_workspace_move(work, from->t + h, v - p->nq, v);
    hol_anderson_begin(s->anderson);
    for (int i = 0; i < s->options.max_iterations && progress.since < PATIENCE; ++i) {
        HOL_TRY(rattle_solve_velocities(s, work, h, v, report));
        double change = hol_motion_norm(p, s->x), unit = hol_velocity_unit(work, s->v);
        if (!isfinite(change))
            return HOL_NOT_FINITE;
        hol_progress_note(&progress, change);
        bool is_small =
            change <= s->options.tolerance * unit || (progress.since > 1 && change <= HOL_TOL_STALLED * unit);
        hol_anderson_accelerate(s->anderson, s->x);
        for (int k = 0; k < p->nv; ++k)
            v[k] = is_small || i == 0 ? s->v[k] : v[k] + s->x[k];
        hol_workspace_new_velocity(work);
        ++report->iterations;
        HOL_TRY(is_small ? HOL_OK : hol_workspace_need(work, HOL_WANT_FORCE));
        if (is_small || (i == 0 && rattle_is_linear(s, work)))
            return HOL_OK;
    }
    return HOL_NO_CONVERGENCE;
}

static HolStatus rattle_step(void *self, HolWorkspace *work, const HolStepFrom *from, double *y_new,
                             HolStepReport *report)
{
    Rattle *s = self;
    HOL_TRY(rattle_factor(s, work, from));
    HOL_TRY(rattle_positions(s, work, from, y_new, report));
    ++report->evaluations;
    return rattle_velocities(s, work, from, y_new + work->pattern->nq, report);
}

/* The end of a step satisfies the rows already, but for rounding; a state between two steps does not. */
static HolStatus rattle_project(void *self, HolWorkspace *work, double t, double *q, double *v, HolStepReport *report)
{
    (void)t; /* the workspace is at t */
    return hol_projection_apply_here(((Rattle *)self)->projection, work, q, v, report);
}

static const HolOption options_table[] = {
    HOL_REAL(Options, tolerance, HOL_TOL_CONVERGED, HOL_TOL_PIVOT, HOL_TOL_SMALL, "",
             "ends the iterations: largest |Phi_i| / max_j |D_ij| over L, the size of the model, and change of v over "
             "L/(1000 h) + max |v|"),
    HOL_INTEGER(Options, max_iterations, 50, 1, 10000,
                "iterations per step, of positions and of velocities, before giving up"),
};

static const HolOwnStepOps own_step_ops = {.step = rattle_step, .leaves_work = true};

const HolFormulationKind hol_rattle = {
    .name = "rattle",
    .title = "symplectic and reversible steps, positions and velocities on the constraints",
    .page = "docs/methods/rattle.md",
    .advice = "take a smaller step; that of stiff springs, dampers and beams must be below 2 over their frequency",
    .integrator = "built-in",
    .wants = HOL_WANT_MASS | HOL_WANT_FORCE | HOL_WANT_JACOBIAN | HOL_WANT_GAMMA,
    HOL_OPTIONS(Options, options_table),
    .create = rattle_create,
    .accelerate = hol_kkt_accelerate,
    .prepare = hol_kkt_prepare,
    .archive = hol_kkt_archive_of,
    .project = rattle_project,
    .own_step = &own_step_ops,
};
