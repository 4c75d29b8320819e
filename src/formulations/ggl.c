/* SPDX-License-Identifier: BSD-3-Clause */
/* Stabilised index 2 (Gear, Gupta, Leimkuhler): implicit steps that satisfy the rows of positions and of velocities
 * together, with two sets of multipliers. See docs/methods/ggl.md.
 *
 * With a Newmark scheme (solve/setup.h), whose v_1 and vdot_1 are functions of a_1, k = dw/dvdot_1, c = dv_1/dvdot_1,
 * and u in the range of A^-1 D^T,
 *
 *     M vdot_1 = Q + D^T lambda,   D v_1 = nu,   Phi(t_1, q_1) = 0                                            (1)
 *     q_1 = q_0 (+) (w + u),   w = h v_0 + h^2 ((1/2 - beta) a_0 + beta a_1),   A = M + c C + k K             (2)
 *
 * The unknowns are a_1, lambda and u. With the residuals as displacements
 *
 *     r = Q + D^T lambda - M vdot_1,   g = k/c (D v_1 - nu)                                                   (3)
 *
 * and penalties P of the rows, one pass is
 *
 *     (A + D^T P D) dw = k r - D^T P g,   lambda <- lambda - P/k (g + D dw),   a_1 <- a_1 + dw / (beta h^2)   (4)
 *     (A + D^T P D) x = -D^T P (Phi + D dw),   u <- u + x                                                     (5)
 *
 * with zero in the place of Phi + D dw for nonholonomic rows. M, C, K and the D in (4) and (5) are those of the first
 * point of the step, or of a later one where passes become slow. At the end the residuals vanish, whatever P. */
#include "base/message.h"
#include "base/options.h"
#include "base/tolerances.h"
#include "formulations/formulation.h"
#include "linalg/block/blocks.h"
#include "solve/projection.h"
#include "solve/steps/accelerations.h"
#include "solve/steps/predictor.h"

#include <math.h>
#include <string.h>

enum { TERMS = HOL_WANT_MASS | HOL_WANT_FORCE | HOL_WANT_PHI | HOL_WANT_JACOBIAN | HOL_WANT_NU, GROWTHS = 5 };

static const double DOMINANCE = 1e9;        /* of a penalty over the mass that its row sees: gain of a pass */
static const double MAX_MASS_FACTOR = 1e12; /* largest factor on the mass to make the matrix positive definite */

typedef struct Options {
    double tolerance;
    int max_iterations;
} Options;

typedef struct Ggl {
    HolKkt *kkt; /* first, for hol_kkt_accelerate() */
    HolProjection *projection;
    HolAccelerations accelerations;
    HolPredictor predictor; /* vdot and lambda of the accepted states */
    Options options;
    HolPenaltyMatrix *tangent; /* (4), divided by mass_factor */
    double mass_factor;        /* 1 where (4) is positive definite */
    bool has_tangent;
    double *P, *weights;                           /* m: penalties, and those over mass_factor */
    double *D;                                     /* of (4) and (5) */
    double *latest, *guess;                        /* nv + m: vdot and lambda of the latest state, and of the end */
    double *a, *u, *w, *vdot, *force, *dw, *x;     /* nv: of the present iterate */
    double *lambda, *g, *D_dw, *size, *multiplier; /* m */
} Ggl;

/* The present step: its scheme, its unknowns, and the coefficients of (3). */
typedef struct Trial {
    const HolNewmark *scheme;
    const HolStepFrom *from;
    double *q, *v;
    double k, c;
} Trial;

/* What an iterate leaves. */
typedef struct Residual {
    double gap;            /* of the rows, as a distance */
    double change, before; /* of the positions, in the latest iteration and the one before */
} Residual;

/* Each row's penalty against the mass that it sees initially, in the units of the row: a factor on a row has no effect.
 * A row of zeros, and one that sees hardly any mass, get that of the others. */
static void ggl_weigh_rows(Ggl *s, const HolTerms *terms)
{
    const HolPattern *p = terms->pattern;
    double *square = s->g, *mass = s->D_dw, largest = 0;
    memset(square, 0, (size_t)p->m * sizeof *square);
    memset(mass, 0, (size_t)p->m * sizeof *mass);
    hol_add_row_masses(p, terms->M, terms->D, square, mass);
    for (int i = 0; i < p->m; ++i)
        largest = square[i] > 0 ? fmax(largest, mass[i] / square[i]) : largest;
    for (int i = 0; i < p->m; ++i) {
        double seen = square[i] > 0 ? fmax(mass[i] / square[i], HOL_TOL_MASS * largest) : largest;
        s->P[i] = DOMINANCE * (seen > 0 ? seen : 1) / (square[i] > 0 ? square[i] : 1);
    }
}

static void ggl_take_memory(const HolSetup *setup, Ggl *s)
{
    const HolPattern *p = hol_system_pattern(setup->system);
    HOL_DOUBLES(setup->arena, p->nv, &s->a, &s->u, &s->w, &s->vdot, &s->force, &s->dw, &s->x);
    HOL_DOUBLES(setup->arena, p->m, &s->P, &s->weights, &s->lambda, &s->g, &s->D_dw, &s->size, &s->multiplier);
    HOL_DOUBLES(setup->arena, p->nv + p->m, &s->latest, &s->guess);
    s->D = hol_arena_doubles(setup->arena, (size_t)p->pair_start[p->pair_count]);
}

static HolStatus ggl_create(const HolSetup *setup, const void *options, void **self)
{
    const HolPattern *p = hol_system_pattern(setup->system);
    Ggl *s = hol_arena_alloc(setup->arena, sizeof *s);
    HOL_TRY(hol_arena_status(setup->arena));
    *self = s;
    s->options = *(const Options *)options;
    s->has_tangent = hol_system_has_tangent(setup->system);
    ggl_take_memory(setup, s);
    HOL_TRY(hol_arena_status(setup->arena));
    ggl_weigh_rows(s, setup->work->terms);
    HOL_TRY(hol_kkt_create(setup, &s->kkt));
    HOL_TRY(hol_projection_create(setup, s->kkt, false, &s->projection));
    HOL_TRY(hol_accelerations_create(setup, &s->accelerations));
    HOL_TRY(hol_predictor_create(setup->arena, p->nv + p->m, &s->predictor));
    return hol_penalty_matrix_create(setup->arena, p, true, &s->tangent);
}

static HolStatus ggl_accelerate(void *self, HolWorkspace *work, double h, double *vdot, double *lambda,
                                HolStepReport *report)
{
    Ggl *s = self;
    const HolPattern *p = work->pattern;
    HOL_TRY(hol_kkt_accelerate(self, work, h, vdot, lambda, report));
    memcpy(s->latest, vdot, (size_t)p->nv * sizeof *vdot);
    memcpy(s->latest + p->nv, lambda, (size_t)p->m * sizeof *lambda);
    return HOL_OK;
}

/* Of a state near the initial one, for the start of the scheme. */
static HolStatus ggl_find_accelerations(void *self, HolWorkspace *work, double *vdot, HolStepReport *report)
{
    Ggl *s = self;
    HOL_TRY(hol_workspace_need(work, HOL_WANT_MASS | HOL_WANT_FORCE | HOL_WANT_JACOBIAN | HOL_WANT_GAMMA));
    return hol_kkt_accelerate(self, work, 0, vdot, s->multiplier, report);
}

/* All that depends on a_1 and u: (2) and the scheme. */
static void ggl_move(Ggl *s, HolWorkspace *work, const Trial *trial)
{
    const HolNewmark *scheme = trial->scheme;
    const HolAccelerations *accelerations = &s->accelerations;
    const double *v_0 = trial->from->y + work->pattern->nq;
    const double h = trial->from->h, beta = scheme->beta, gamma = scheme->gamma;
    for (int i = 0; i < work->pattern->nv; ++i) {
        double a_0 = accelerations->a_0[i], a_1 = s->a[i];
        s->w[i] = h * v_0[i] + h * h * ((0.5 - beta) * a_0 + beta * a_1) + s->u[i];
        trial->v[i] = v_0[i] + h * ((1 - gamma) * a_0 + gamma * a_1);
        s->vdot[i] = (a_1 - accelerations->filter[i]) / accelerations->part;
    }
    hol_system_retract(work->system, trial->from->y, s->w, trial->q);
    hol_workspace_move(work, trial->from->t + h, trial->q, trial->v);
}

/* Initial iterate: accelerations and multipliers extrapolated over `count` states before the accepted one. */
static void ggl_predict(Ggl *s, int count, int nv, int m)
{
    hol_predictor_extrapolate(&s->predictor, count, s->guess);
    for (int i = 0; i < nv; ++i)
        s->a[i] = s->accelerations.part * s->guess[i] + s->accelerations.filter[i];
    memset(s->u, 0, (size_t)nv * sizeof *s->u);
    memcpy(s->lambda, s->guess + nv, (size_t)m * sizeof *s->lambda);
}

/* g of (3); returns the largest residual of positions or velocities relative to the size of its row. */
static double ggl_find_gap(Ggl *s, const HolWorkspace *work, const Trial *trial)
{
    const HolPattern *p = work->pattern;
    double largest = 0;
    hol_workspace_velocity_residual(work, s->g);
    for (int i = 0; i < p->m; ++i) {
        s->g[i] *= trial->k / trial->c;
        double gap = i < p->nh ? fmax(fabs(s->g[i]), fabs(work->terms->Phi[i])) : fabs(s->g[i]);
        if (!(gap <= largest * s->size[i]))
            largest = gap / s->size[i];
    }
    return largest;
}

static HolStatus ggl_factor_with_mass(Ggl *s, HolWorkspace *work, const HolSlopes *slopes, double mass_factor)
{
    HolSlopes lighter = {slopes->K, slopes->C, slopes->k / mass_factor, slopes->c / mass_factor};
    s->mass_factor = mass_factor;
    for (int i = 0; i < work->pattern->m; ++i)
        s->weights[i] = s->P[i] / mass_factor;
    return hol_penalty_matrix_factor(s->tangent, work->terms->M, s->has_tangent ? &lighter : NULL, s->D, s->weights);
}

/* (4). An iterate may compress a stiff spring so much that its force makes the matrix indefinite: a larger mass then
 * limits the increments in the unstable directions. */
static HolStatus ggl_factor(Ggl *s, HolWorkspace *work, const Trial *trial)
{
    HolTerms *terms = work->terms;
    HolSlopes slopes = {terms->K, terms->C, trial->k, trial->c};
    HolStatus status = HOL_SINGULAR;
    memcpy(s->D, terms->D, (size_t)work->pattern->pair_start[work->pattern->pair_count] * sizeof *s->D);
    if (s->has_tangent)
        HOL_TRY(hol_system_tangent(work->system, &work->at, s->vdot, s->lambda, terms));
    for (double mass_factor = 1; mass_factor <= MAX_MASS_FACTOR && status == HOL_SINGULAR; mass_factor *= 10)
        status = ggl_factor_with_mass(s, work, &slopes, mass_factor);
    return status;
}

/* x <- (A + D^T P D)^-1 (x - D^T P g) */
static void ggl_divide(Ggl *s, const HolPattern *p, const double *g, double *x)
{
    for (int i = 0; i < p->m; ++i)
        s->multiplier[i] = -s->P[i] * g[i];
    hol_jacobian_add_transposed(p, s->D, s->multiplier, x);
    for (int i = 0; i < p->nv; ++i)
        x[i] /= s->mass_factor;
    hol_penalty_matrix_solve(s->tangent, x);
}

/* (4) without the update of a_1 */
static void ggl_solve_motion(Ggl *s, const HolWorkspace *work, const Trial *trial)
{
    const HolPattern *p = work->pattern;
    memcpy(s->force, work->terms->Q, (size_t)p->nv * sizeof *s->force);
    hol_jacobian_add_transposed(p, work->terms->D, s->lambda, s->force);
    hol_mass_times(p, work->terms->M, s->vdot, s->x);
    for (int i = 0; i < p->nv; ++i)
        s->dw[i] = trial->k * (s->force[i] - s->x[i]);
    ggl_divide(s, p, s->g, s->dw);
    hol_jacobian_times(p, s->D, s->dw, s->D_dw);
    for (int i = 0; i < p->m; ++i)
        s->lambda[i] -= s->P[i] / trial->k * (s->g[i] + s->D_dw[i]);
}

/* (4), (5); finds the change of the positions. */
static void ggl_correct(Ggl *s, const HolWorkspace *work, const Trial *trial, Residual *residual)
{
    const HolPattern *p = work->pattern;
    const double h = trial->from->h;
    ggl_solve_motion(s, work, trial);
    for (int i = 0; i < p->m; ++i)
        s->D_dw[i] = i < p->nh ? work->terms->Phi[i] + s->D_dw[i] : 0;
    memset(s->x, 0, (size_t)p->nv * sizeof *s->x);
    ggl_divide(s, p, s->D_dw, s->x);
    residual->before = residual->change;
    residual->change = fmax(hol_motion_norm(p, s->dw), hol_motion_norm(p, s->x));
    hol_add_scaled(p->nv, 1, s->x, s->u);
    hol_add_scaled(p->nv, 1 / (trial->scheme->beta * h * h), s->dw, s->a);
}

/* What the changes of the positions, a geometric series, still have to come is small against h, so that it is small for
 * the velocities, too, and the rows are met; or both have come down to rounding. */
static bool ggl_has_converged(const Ggl *s, const HolPattern *p, const Trial *trial, const Residual *residual)
{
    double rounding = HOL_TOL_AMPLIFIED * hol_position_size(p, trial->q), ratio = residual->change / residual->before;
    double goal = s->options.tolerance * (HOL_TOL_SMALL * p->length + trial->from->h * hol_motion_norm(p, trial->v));
    double left = ratio > 0 && ratio < 0.5 ? ratio / (1 - ratio) * residual->change : residual->change;
    bool has_stalled = residual->change <= rounding && ratio > 0.5;
    return (left <= goal || has_stalled) && residual->gap <= fmax(s->options.tolerance * p->length, rounding);
}

/* Iterates until ggl_has_converged(). Changes that keep growing mean divergence; a few may, at first. */
static HolStatus ggl_iterate(Ggl *s, HolWorkspace *work, const Trial *trial, HolStepReport *report)
{
    Residual residual = {.change = HUGE_VAL, .before = HUGE_VAL};
    int growths = 0;
    for (int i = 0; i <= s->options.max_iterations; ++i) {
        ggl_move(s, work, trial);
        HOL_TRY(hol_workspace_need(work, TERMS));
        ++report->evaluations;
        if (i == 0)
            hol_jacobian_row_divisors(work->pattern, work->terms->D, s->size);
        residual.gap = ggl_find_gap(s, work, trial);
        if (!isfinite(residual.gap) || isnan(residual.change))
            return HOL_NOT_FINITE;
        if (i > 0 && ggl_has_converged(s, work->pattern, trial, &residual))
            return HOL_OK;
        growths = residual.change > residual.before ? growths + 1 : 0;
        if (growths == GROWTHS)
            return HOL_NO_CONVERGENCE;
        if (i == 0 || (i > 1 && residual.change > HOL_PART_SLOW * residual.before))
            HOL_TRY(ggl_factor(s, work, trial));
        ggl_correct(s, work, trial, &residual);
        ++report->iterations;
    }
    return HOL_NO_CONVERGENCE;
}

static HolStatus ggl_step(void *self, HolWorkspace *work, const HolNewmark *scheme, const HolStepFrom *from,
                          double *y_new, HolStepReport *report)
{
    Ggl *s = self;
    const HolPattern *p = work->pattern;
    const double h = from->h, rest = (1 - scheme->alpha_f) / (1 - scheme->alpha_m);
    Trial trial = {scheme, from, y_new, y_new + p->nq, scheme->beta * h * h * rest, scheme->gamma * h * rest};
    const int count = hol_predictor_count(&s->predictor, h);
    hol_accelerations_begin(&s->accelerations, work, scheme, from, ggl_find_accelerations, s, report);
    ggl_predict(s, count, p->nv, p->m);
    HolStatus status = ggl_iterate(s, work, &trial, report);
    if (status != HOL_OK && count > 0) {
        ggl_predict(s, 0, p->nv, p->m); /* extrapolation may fail where the motion is not smooth */
        status = ggl_iterate(s, work, &trial, report);
    }
    s->accelerations.is_stepping = status == HOL_OK;
    return status;
}

/* The end of a step satisfies the rows to the tolerance of the iteration; here they are met to rounding. */
static HolStatus ggl_project(void *self, HolWorkspace *work, double t, double *q, double *v, HolStepReport *report)
{
    (void)t; /* the workspace is at t */
    return hol_projection_apply_here(((Ggl *)self)->projection, work, q, v, report);
}

static HolStatus ggl_prepare(void *self, HolWorkspace *work, HolStepReport *report)
{
    Ggl *s = self;
    hol_accelerations_accept(&s->accelerations, s->latest);
    hol_predictor_store(&s->predictor, work->at.t, s->latest);
    return hol_kkt_prepare(self, work, report);
}

static void ggl_archive(void *self, HolArchive *archive)
{
    Ggl *s = self;
    const HolPattern *p = s->kkt->pattern;
    hol_archive_doubles(archive, s->latest, p->nv + p->m);
    hol_accelerations_archive(&s->accelerations, archive);
    hol_predictor_archive(&s->predictor, archive);
    hol_kkt_archive_of(self, archive);
}

static const HolOption options_table[] = {
    HOL_REAL(
        Options, tolerance, HOL_TOL_ITERATION, HOL_TOL_PIVOT, 1, "",
        "ends the iteration: remaining change of q over L/1000 + h max |v|, and largest |Phi_i| / max_j |D_ij| over L, "
        "the size of the model"),
    HOL_INTEGER(Options, max_iterations, 100, 1, 10000, "iterations per step before giving up"),
};

static const HolNewmarkOps newmark_ops = {.step = ggl_step};

const HolFormulationKind hol_ggl = {
    .name = "ggl",
    .title = "stabilised index 2: implicit steps with positions and velocities on the constraints",
    .page = "docs/methods/ggl.md",
    .integrator = "generalized-alpha",
    .wants = HOL_WANT_MASS | HOL_WANT_FORCE | HOL_WANT_JACOBIAN | HOL_WANT_GAMMA,
    HOL_OPTIONS(Options, options_table),
    .create = ggl_create,
    .accelerate = ggl_accelerate,
    .prepare = ggl_prepare,
    .archive = ggl_archive,
    .project = ggl_project,
    .newmark = &newmark_ops,
};
