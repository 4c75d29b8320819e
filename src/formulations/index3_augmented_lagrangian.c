/* SPDX-License-Identifier: BSD-3-Clause */
/* Positions as the unknowns of an implicit step, constraints by penalties made exact by iteration (ALi3). See
 * docs/methods/index3-augmented-lagrangian.md.
 *
 * Rows are scaled by the ratios of their penalties (row_scaling.h), which leaves one alpha for all; a preload acts like
 * one more force, so that lambda = preload + L lambda~. With a_1 the unknown of a Newmark scheme (formulation.h) and
 *
 *     k = beta h^2 (1 - alpha_f) / (1 - alpha_m) = dw/dvdot_1,   c = k gamma / (beta h) = k dv_1/dw               (1)
 *     g = (Phi, (D v - nu) / (gamma / (beta h)))       gaps of all rows as displacements                         (2)
 *     r = Q + D^T lambda - M vdot_1                                                                               (3)
 *
 * one pass at the present point of t_1 is
 *
 *     (M + c C + k K + k alpha D~^T D~) dw = k r - k alpha D~^T g~                                                (4)
 *     lambda~ <- lambda~ - alpha (g~ + D~ dw),   a_1 <- a_1 + dw / (beta h^2)                                     (5)
 *
 * lambda acts as +D^T lambda, so that the penalty pushes back with -alpha g~. Each pass ends with what the linearised
 * rows still miss moved into lambda~: at the end g = 0 and r = 0, whatever alpha. M, C, K and the D~ in (4) and (5) are
 * those of the first point of the step, or of a later one where the passes become slow.
 *
 * The form of the papers (multipliers = carried) makes the matrix anew in each pass, starts without extrapolation, and
 * moves the violation at the new point into lambda~, which the next step begins with:
 *
 *     a_1 <- a_1 + dw / (beta h^2),   lambda~ <- lambda~ - alpha g~(q_1)                                          (5')
 *
 * By default, at the accepted state the rows of velocity and acceleration are met by the same penalties, in the metric
 * of M:
 *
 *     M dv = D~^T mu,  D~ dv = L^T (nu - D v);      M vdot = Q + D^T lambda,  D~ vdot = L^T gamma                 (6)
 *
 * whose lambda~, the shortest there is, begins the next step. So lambda does not remember how it came about. */
#include "base/message.h"
#include "base/options.h"
#include "base/tolerances.h"
#include "formulations/index3.h"
#include "linalg/block/blocks.h"
#include "solve/projection.h"

#include <math.h>
#include <string.h>

enum { TERMS = HOL_WANT_MASS | HOL_WANT_FORCE | HOL_WANT_PHI | HOL_WANT_JACOBIAN | HOL_WANT_NU };
enum { GROWTHS = 5 };
enum { FAIL, CONTINUE };

/* Penalty against the mass that a row sees: how much one pass gains. At a state less, because what redundant rows
 * contradict each other by, if only by rounding, reaches lambda multiplied by it. */
static const double DOMINANCE_IN_STEP = 1e9, DOMINANCE_AT_STATE = 1e5;
static const double ROUNDING =
    HOL_TOL_AMPLIFIED; /* of positions; below it a change that no longer shrinks counts as none */

/* The present step: its initial state, its unknowns, and (1). */
typedef struct Trial {
    const HolNewmark *scheme;
    const HolStepFrom *from;
    const double *v_0;
    double *q, *v;
    double k, c, alpha;
} Trial;

static void index3_take_memory(const HolSetup *setup, HolIndex3 *s)
{
    const HolPattern *p = hol_system_pattern(setup->system);
    size_t D = (size_t)p->pair_start[p->pair_count];
    HOL_DOUBLES(setup->arena, p->nv, &s->a, &s->w, &s->vdot, &s->force, &s->dw, &s->x);
    HOL_DOUBLES(setup->arena, p->m, &s->weights, &s->lambda, &s->g, &s->scaled, &s->size, &s->multipliers);
    s->latest.vdot = hol_arena_doubles(setup->arena, (size_t)(p->nv + p->m));
    s->latest.lambda = s->latest.vdot ? s->latest.vdot + p->nv : NULL;
    s->guess = hol_arena_doubles(setup->arena, (size_t)(p->nv + p->m));
    HOL_DOUBLES(setup->arena, D, &s->D_at_state, &s->D_at_trial);
    s->preload = setup->preload ? hol_arena_doubles(setup->arena, (size_t)p->m) : NULL;
}

static HolStatus index3_create(const HolSetup *setup, const void *options, void **self)
{
    const HolPattern *p = hol_system_pattern(setup->system);
    HolIndex3 *s = hol_arena_alloc(setup->arena, sizeof *s);
    HOL_TRY(hol_arena_status(setup->arena));
    *self = s;
    s->options = *(const HolIndex3Options *)options;
    s->has_tangent = hol_system_has_tangent(setup->system);
    index3_take_memory(setup, s);
    HOL_TRY(hol_arena_status(setup->arena));
    if (s->preload)
        memcpy(s->preload, setup->preload, (size_t)p->m * sizeof *s->preload);
    HOL_TRY(hol_accelerations_create(setup, &s->accelerations));
    HOL_TRY(hol_predictor_create(setup->arena, p->nv + p->m, &s->predictor));
    HOL_TRY(hol_row_scaling_create(setup, &s->rows));
    HolSetup plain = *setup;
    plain.row_weights = NULL; /* they are in the scaling */
    hol_scale_jacobian(s->rows, setup->work->terms->D, s->D_at_state);
    s->seen_mass = hol_max_row_mass(p, setup->work->terms->M, s->D_at_state, s->g, s->scaled);
    HOL_TRY(hol_augmented_create(&plain, DOMINANCE_AT_STATE * s->seen_mass, &s->augmented));
    return hol_penalty_matrix_create(setup->arena, p, true, &s->tangent);
}

static Trial index3_begin(HolIndex3 *s, const HolNewmark *scheme, const HolStepFrom *from, int nq, double *y_new)
{
    double h = from->h, rest = (1 - scheme->alpha_f) / (1 - scheme->alpha_m);
    Trial trial = {.scheme = scheme, .from = from, .q = y_new, .v = y_new + nq};
    trial.v_0 = from->y + nq;
    trial.k = scheme->beta * h * h * rest; /* (1) */
    trial.c = scheme->gamma * h * rest;
    trial.alpha = s->options.alpha > 0 ? s->options.alpha : DOMINANCE_IN_STEP * s->seen_mass / trial.k;
    s->end = (HolIndex3End){from->t + h, trial.k, trial.c, trial.alpha};
    return trial;
}

/* All that depends on a_1 by the scheme. */
static void index3_move(HolIndex3 *s, HolWorkspace *work, const Trial *trial)
{
    const HolNewmark *scheme = trial->scheme;
    const HolAccelerations *accelerations = &s->accelerations;
    double h = trial->from->h, beta = scheme->beta, gamma = scheme->gamma;
    for (int i = 0; i < work->pattern->nv; ++i) {
        double a_0 = accelerations->a_0[i], a_1 = s->a[i];
        s->w[i] = h * trial->v_0[i] + h * h * ((0.5 - beta) * a_0 + beta * a_1);
        trial->v[i] = trial->v_0[i] + h * ((1 - gamma) * a_0 + gamma * a_1);
        s->vdot[i] = (a_1 - accelerations->filter[i]) / accelerations->part;
    }
    hol_system_retract(work->system, trial->from->y, s->w, trial->q);
    hol_workspace_move(work, trial->from->t + h, trial->q, trial->v);
}

/* Initial iterate: accelerations and multipliers of the initial state, extrapolated over `count` previous states. */
static void predict(HolIndex3 *s, int count, int nv, int m)
{
    hol_predictor_extrapolate(&s->predictor, count, s->guess);
    for (int i = 0; i < nv; ++i)
        s->a[i] = s->accelerations.part * s->guess[i] + s->accelerations.filter[i];
    memcpy(s->lambda, s->guess + nv, (size_t)m * sizeof *s->lambda);
}

/* (2), and the largest residual relative to the size of its row */
static double find_gaps(HolIndex3 *s, const HolWorkspace *work, const Trial *trial)
{
    const HolPattern *p = work->pattern;
    double per_velocity = trial->k / trial->c, largest = 0;
    if (p->nn > 0)
        hol_workspace_velocity_residual(work, s->g);
    memcpy(s->g, work->terms->Phi, (size_t)p->nh * sizeof *s->g);
    for (int i = p->nh; i < p->m; ++i)
        s->g[i] *= per_velocity;
    for (int i = 0; i < p->m; ++i)
        if (!(fabs(s->g[i]) <= largest * s->size[i]))
            largest = fabs(s->g[i]) / s->size[i];
    return largest;
}

static bool is_carried(const HolIndex3 *s)
{
    return s->options.multipliers == HOL_MULTIPLIERS_CARRIED;
}

/* (5'), after the move */
static void index3_update_carried(HolIndex3 *s, int m, double alpha)
{
    hol_scale_rows(s->rows, s->g, s->scaled);
    hol_add_scaled(m, -alpha, s->scaled, s->lambda);
}

/* (3), (4), (5) without the move; returns max |dw| */
static double index3_correct(HolIndex3 *s, const HolWorkspace *work, const Trial *trial)
{
    const HolPattern *p = work->pattern;
    const HolTerms *terms = work->terms;
    memcpy(s->force, terms->Q, (size_t)p->nv * sizeof *s->force);
    hol_index3_unscale(s, s->lambda, s->multipliers);
    hol_jacobian_add_transposed(p, terms->D, s->multipliers, s->force);
    hol_mass_times(p, terms->M, s->vdot, s->x);
    for (int i = 0; i < p->nv; ++i)
        s->dw[i] = trial->k * (s->force[i] - s->x[i]);
    hol_scale_rows(s->rows, s->g, s->scaled);
    for (int i = 0; i < p->m; ++i)
        s->multipliers[i] = -trial->k * trial->alpha * s->scaled[i];
    hol_jacobian_add_transposed(p, s->D_at_trial, s->multipliers, s->dw);
    for (int i = 0; i < p->nv; ++i)
        s->dw[i] /= s->mass_factor;
    hol_penalty_matrix_solve(s->tangent, s->dw);
    hol_jacobian_times(p, s->D_at_trial, s->dw, s->multipliers);
    for (int i = 0; i < p->m && !is_carried(s); ++i)
        s->lambda[i] -= trial->alpha * (s->scaled[i] + s->multipliers[i]);
    double per_step = 1 / (trial->scheme->beta * trial->from->h * trial->from->h);
    hol_add_scaled(p->nv, per_step, s->dw, s->a);
    return hol_motion_norm(p, s->dw);
}

/* What the changes of the positions, a geometric series, still have to come is small against h, so that it is small for
 * the velocities, too, and the rows are met; or both have come down to rounding. */
static bool index3_has_converged(const HolIndex3 *s, const HolWorkspace *work, const Trial *trial, double change,
                                 double before, double gap)
{
    const HolPattern *p = work->pattern;
    if (s->options.absolute_tolerance > 0)
        return change < s->options.absolute_tolerance;
    double rounding = ROUNDING * hol_position_size(p, trial->q);
    double goal = s->options.tolerance * (HOL_TOL_SMALL * p->length + trial->from->h * hol_motion_norm(p, trial->v));
    double ratio = change / before; /* zero after the first iteration, which gives no estimate */
    double left = ratio > 0 && ratio < 0.5 ? ratio / (1 - ratio) * change : change;
    bool stalled = change <= rounding && ratio > 0.5;
    return (left <= goal || stalled) && gap <= fmax(s->options.tolerance * p->length, rounding);
}

/* The matrix of an earlier iterate serves while it reduces the change enough; the papers make a new one each time. */
static bool index3_needs_matrix(const HolIndex3 *s, int iteration, double change, double before)
{
    return iteration == 0 || is_carried(s) || (iteration > 1 && change > HOL_PART_SLOW * before);
}

/* Iterates until index3_has_converged(). Changes that keep growing mean divergence; a few may, at first. */
static HolStatus index3_iterate(HolIndex3 *s, HolWorkspace *work, const Trial *trial, HolStepReport *report)
{
    double change = HUGE_VAL, before = HUGE_VAL;
    int growths = 0;
    for (int i = 0;; ++i) {
        index3_move(s, work, trial);
        HOL_TRY(hol_workspace_need(work, TERMS));
        ++report->evaluations;
        if (i == 0)
            hol_jacobian_row_divisors(work->pattern, work->terms->D, s->size);
        double gap = find_gaps(s, work, trial);
        if (!isfinite(gap) || isnan(change))
            return HOL_NOT_FINITE;
        if (i > 0 && is_carried(s))
            index3_update_carried(s, work->pattern->m, trial->alpha);
        if (i > 0 && index3_has_converged(s, work, trial, change, before, gap))
            return HOL_OK;
        growths = change > before ? growths + 1 : 0;
        if (growths == GROWTHS || i == s->options.max_iterations)
            return HOL_NO_CONVERGENCE;
        if (index3_needs_matrix(s, i, change, before))
            HOL_TRY(hol_index3_factor_tangent(s, work, &s->end, s->lambda));
        before = change;
        change = index3_correct(s, work, trial);
        ++report->iterations;
    }
}

/* Near the initial state, for the start of the scheme. The latest solution remains that of the state. */
static HolStatus index3_find_accelerations(void *self, HolWorkspace *work, double *vdot, HolStepReport *report)
{
    HolIndex3 *s = self;
    const HolIndex3Solution latest = s->latest;
    s->latest = (HolIndex3Solution){s->guess, s->guess + work->pattern->nv};
    HolStatus status = hol_workspace_need(work, TERMS | HOL_WANT_GAMMA);
    if (status == HOL_OK)
        status = hol_index3_accelerate(self, work, 0, vdot, s->multipliers, report);
    s->latest = latest;
    return status;
}

static HolStatus index3_step(void *self, HolWorkspace *work, const HolNewmark *scheme, const HolStepFrom *from,
                             double *y_new, HolStepReport *report)
{
    HolIndex3 *s = self;
    const HolPattern *p = work->pattern;
    hol_accelerations_begin(&s->accelerations, work, scheme, from, index3_find_accelerations, s, report);
    Trial trial = index3_begin(s, scheme, from, p->nq, y_new);
    int count = is_carried(s) ? 0 : hol_predictor_count(&s->predictor, from->h);
    predict(s, count, p->nv, p->m);
    HolStatus status = index3_iterate(s, work, &trial, report);
    if (status != HOL_OK && count > 0) {
        predict(s, 0, p->nv, p->m); /* extrapolation may fail where the motion is not smooth */
        status = index3_iterate(s, work, &trial, report);
    }
    if (status == HOL_NO_CONVERGENCE && s->options.divergence == CONTINUE) {
        report->unconverged = 1; /* the last iterate is the end of the step */
        status = HOL_OK;
    }
    s->accelerations.is_stepping = status == HOL_OK;
    return status;
}

/* The latest state is accepted: the next step begins with its multipliers, and a follows its vdot by the scheme. */
static HolStatus index3_prepare(void *self, HolWorkspace *work, HolStepReport *report)
{
    (void)report;
    HolIndex3 *s = self;
    hol_accelerations_accept(&s->accelerations, s->latest.vdot);
    hol_predictor_store(&s->predictor, work->at.t, s->latest.vdot);
    return HOL_OK;
}

static void index3_archive(void *self, HolArchive *archive)
{
    HolIndex3 *s = self;
    const int nv = s->rows->pattern->nv, m = s->rows->pattern->m;
    hol_archive_doubles(archive, s->latest.vdot, nv + m);
    hol_accelerations_archive(&s->accelerations, archive);
    hol_archive_doubles(archive, s->vdot, nv);
    hol_archive_doubles(archive, s->lambda, m);
    HOL_ARCHIVE_EACH(archive, &s->end.t, &s->end.k, &s->end.c, &s->end.alpha);
    hol_predictor_archive(&s->predictor, archive);
}

static const char *const multiplier_choices[] = {"state", "carried", NULL};
static const char *const projection_choices[] = {"mass", "tangent", NULL};
static const char *const divergence_choices[] = {"fail", "continue", NULL};

static const HolOption options_table[] = {
    HOL_REAL(HolIndex3Options, alpha, 0, 0, 1e15, "", "penalty, times the row weight; 0: derived from masses and step"),
    HOL_REAL(
        HolIndex3Options, tolerance, HOL_TOL_ITERATION, HOL_TOL_PIVOT, 1, "",
        "ends the iteration: remaining change of q over L/1000 + h max |v|, and largest |Phi_i| / max_j |D_ij| over L, "
        "the size of the model"),
    HOL_REAL(HolIndex3Options, absolute_tolerance, 0, 0, HOL_LARGEST, "m",
             "ends the iteration in the place of tolerance: largest change of q; 0: tolerance applies"),
    HOL_INTEGER(HolIndex3Options, max_iterations, 100, 1, 10000, "iterations per step before giving up"),
    HOL_CHOICE(HolIndex3Options, divergence, FAIL, divergence_choices,
               "without convergence: fail, or continue with the last iterate"),
    HOL_CHOICE(HolIndex3Options, multipliers, HOL_MULTIPLIERS_OF_STATE, multiplier_choices,
               "state: solved anew at each accepted state; carried: those of the iteration, from step to step"),
    HOL_CHOICE(
        HolIndex3Options, projection, HOL_PROJECTION_BY_MASS, projection_choices,
        "of velocities and accelerations, in the metric of the mass until they are exact, or of the tangent, once"),
};

static const HolNewmarkOps newmark_ops = {.step = index3_step};

const HolFormulationKind hol_index3_augmented_lagrangian = {
    .name = "index3-augmented-lagrangian",
    .title = "index-3 augmented Lagrangian: implicit steps for the positions, with projections",
    .page = "docs/methods/index3-augmented-lagrangian.md",
    .advice = "take a smaller step, more max_iterations or, with an alpha of your own, a larger one",
    .integrator = "newmark",
    .uses_row_weights = true,
    .has_redundancy_rule = true,
    .uses_row_stiffness = true,
    .wants = HOL_WANT_MASS | HOL_WANT_FORCE | HOL_WANT_JACOBIAN | HOL_WANT_GAMMA,
    HOL_OPTIONS(HolIndex3Options, options_table),
    .create = index3_create,
    .accelerate = hol_index3_accelerate,
    .prepare = index3_prepare,
    .archive = index3_archive,
    .project = hol_index3_project,
    .newmark = &newmark_ops,
};
