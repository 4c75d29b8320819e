/* SPDX-License-Identifier: BSD-3-Clause */
#include "statics/newton.h"

#include "base/message.h"
#include "base/tolerances.h"
#include "linalg/block/blocks.h"
#include "modes/linear.h"

#include <math.h>
#include <string.h>

enum { PLAIN = 50 }; /* steps before the corrector (3) is used */
enum { TERMS = HOL_WANT_MASS | HOL_WANT_FORCE | HOL_WANT_PHI | HOL_WANT_JACOBIAN, MOST_TRIES = 40 };
static const double CLOSED = 10 * HOL_TOL_AMPLIFIED;  /* Phi, relative to size + |q| */
static const double STEP_ROUNDING = HOL_TOL_ROUNDING; /* a step that is only rounding, relative to size + |q| */
static const double SHORT = HOL_TOL_EQUAL;            /* a step so short that its error may be rounding */
static const double GOOD = 0.2, BAD = 0.6;            /* largest deviation of a step from its prediction */
static const double MAX_GROWTH = 1e6; /* of |q| relative to its initial size; beyond it the search diverges */
static const double MAX_GROWTH_IF_STIFF =
    0.1 * HOL_TOL_SMALL;                                  /* fraction of that, where rounding of q hides the forces */
static const double POSITION_ROUNDING = HOL_TOL_ROUNDING; /* of q, relative to |q|; times K, it hides smaller forces */
static const double ROUNDING = HOL_TOL_PIVOT;             /* of forces, relative to K (size + |q|) */
static const double LITTLE = HOL_TOL_SMALL;               /* of the forces */
static const double RESISTED = 0.5;                       /* damping_share of a step that stiffness resists, */
static const double MIN_TAU = HOL_TOL_AMPLIFIED;          /* tau where K is singular, relative to K / M */

HolStatus hol_newton_create(const HolSystem *system, double t, const double *q, HolArena *arena, HolNewton *s)
{
    const HolPattern *p = hol_system_pattern(system);
    *s = (HolNewton){.system = system,
                     .pattern = p,
                     .arena = arena,
                     .t = t,
                     .load = 1,
                     .fastest_block = -1,
                     .initial_redundant_count = -1};
    HOL_DOUBLES(arena, p->nq, &s->q, &s->q_new);
    HOL_DOUBLES(arena, p->m, &s->lambda, &s->lambda_new, &s->c, &s->mu);
    HOL_DOUBLES(arena, p->nv, &s->v, &s->f, &s->f_0, &s->w, &s->dw, &s->r, &s->y, &s->x);
    s->left_out = hol_arena_alloc(arena, (size_t)p->m);
    HOL_TRY(hol_arena_status(arena));
    hol_system_retract(system, q, s->v, s->q); /* v is zero */
    s->max_size = MAX_GROWTH * hol_position_size(p, s->q);
    HOL_TRY(hol_terms_create(system, &s->terms));
    if (p->m > 0)
        HOL_TRY(hol_rows_create(arena, p, &s->rows));
    return hol_saddle_create(arena, p, &s->saddle);
}

void hol_newton_destroy(HolNewton *s)
{
    hol_saddle_destroy(s->saddle);
    hol_terms_destroy(s->terms);
}

/* Terms and f of (1) at q. */
static HolStatus newton_evaluate(HolNewton *s, const double *q)
{
    s->terms->load = s->load;
    HOL_TRY(hol_system_evaluate(s->system, &(HolPoint){s->t, q, s->v}, TERMS, s->terms));
    for (int j = 0; j < s->pattern->nv; ++j)
        s->f[j] = s->terms->Q[j] - (1 - s->load) * s->f_0[j];
    bool finite = isfinite(hol_max_norm(s->pattern->nv, s->f)) && isfinite(hol_max_norm(s->pattern->nh, s->terms->Phi));
    return finite ? HOL_OK : HOL_NOT_FINITE;
}

/* Redundant rows are linearly dependent only where all of them are satisfied: slightly off, one row too many would lock
 * the mechanism. So positions are assembled first. */
static HolStatus newton_choose_rows(HolNewton *s)
{
    if (s->pattern->m == 0)
        return HOL_OK;
    if (s->is_redundant && hol_assemble_positions(s->system, s->t, s->q, NULL) == HOL_OK)
        HOL_TRY(newton_evaluate(s, s->q));
    return hol_rows_choose(s->rows, s->terms->D, HOL_TOL_RANK, s->left_out, &s->left_out_count);
}

/* r = f + D^T lambda. Returns the largest of the forces that balance each other in it. */
static double newton_residual(HolNewton *s, const double *lambda)
{
    const HolPattern *p = s->pattern;
    memset(s->y, 0, (size_t)p->nv * sizeof *s->y);
    hol_jacobian_add_transposed(p, s->terms->D, lambda, s->y);
    for (int j = 0; j < p->nv; ++j)
        s->r[j] = s->f[j] + s->y[j];
    return fmax(hol_force_norm(p, s->f), fmax(hol_force_norm(p, s->y), hol_force_norm(p, s->terms->Q)));
}

static double newton_mass_norm_sq(HolNewton *s, const double *x)
{
    return hol_mass_product(s->pattern, s->terms->M, x, x, s->y);
}

/* lambda of a system released from rest: (2) with K = 0 and tau = 1. w is then its acceleration. */
static HolStatus newton_initial_multipliers(HolNewton *s)
{
    HOL_TRY(hol_saddle_factor(s->saddle, NULL, 1, s->terms->M, s->terms->D, s->left_out));
    hol_saddle_solve(s->saddle, s->f, NULL, s->w, s->lambda);
    return HOL_OK;
}

static HolStatus newton_factor(HolNewton *s)
{
    HolStatus status = hol_saddle_factor(s->saddle, s->terms->K, s->tau, s->terms->M, s->terms->D, s->left_out);
    for (int i = 0; i < MOST_TRIES && status == HOL_SINGULAR; ++i) {
        s->tau_least = MIN_TAU * s->tau_unit;
        s->tau = fmax(10 * s->tau, s->tau_least);
        status = hol_saddle_factor(s->saddle, s->terms->K, s->tau, s->terms->M, s->terms->D, s->left_out);
    }
    return status;
}

/* (2) with a tau that makes the step a descent: *work = w^T (K + tau M) w >= 0. */
static HolStatus newton_descent_step(HolNewton *s, double *work)
{
    int nv = s->pattern->nv;
    hol_position_residual(s->pattern, s->terms->Phi, s->c);
    for (int i = 0; i < MOST_TRIES; ++i) {
        HOL_TRY(newton_factor(s));
        hol_saddle_solve(s->saddle, s->f, s->c, s->w, s->lambda_new);
        newton_residual(s, s->lambda_new);
        *work = hol_inner_product(nv, s->r, s->w);
        if (*work >= 0)
            return HOL_OK;
        double mass = newton_mass_norm_sq(s, s->w);
        s->tau += mass > 0 ? 2 * fabs(*work) / mass + s->tau : s->tau_unit;
    }
    return HOL_NO_CONVERGENCE;
}

/* max |Phi| as a length */
static double newton_gap(const HolNewton *s)
{
    return hol_max_displacement(s->pattern, s->pattern->nh, s->terms->D, s->terms->Phi);
}

/* Steps to q (+) w and corrects the constraints once with the same factors. *error compares the residual along w with
 * the one expected, tau w^T M w: 0 is as expected, 1 is no better than before. It also grows with the length of the
 * correction and with what remains of Phi, since a body that hardly resists rotation may have turned many times. */
static HolStatus newton_try_step(HolNewton *s, double work, double *error)
{
    int nv = s->pattern->nv;
    double mass = newton_mass_norm_sq(s, s->w), open = newton_gap(s);
    hol_system_retract(s->system, s->q, s->w, s->q_new);
    HOL_TRY(newton_evaluate(s, s->q_new));
    open = fmax(open, newton_gap(s));
    hol_position_residual(s->pattern, s->terms->Phi, s->c);
    hol_saddle_solve(s->saddle, NULL, s->c, s->dw, s->mu);
    double correction = newton_mass_norm_sq(s, s->dw);
    hol_system_retract(s->system, s->q_new, s->dw, s->q_new);
    HOL_TRY(newton_evaluate(s, s->q_new));
    newton_residual(s, s->lambda_new);
    double left = hol_inner_product(nv, s->r, s->w);
    s->damping_share = work > 0 ? s->tau * mass / work : 0;
    *error = work > 0 ? fabs(left - s->tau * mass) / work : 0;
    if (mass > 0)
        *error = fmax(*error, 2 * sqrt(correction / mass));
    double closed = CLOSED * hol_position_size(s->pattern, s->q);
    if (open > closed)
        *error = fmax(*error, newton_gap(s) / open);
    return HOL_OK;
}

/* One Newton iteration on (3) from q_new, where the terms are up to date. */
static HolStatus newton_corrector_iteration(HolNewton *s)
{
    int nv = s->pattern->nv;
    HOL_TRY(hol_system_tangent(s->system, &(HolPoint){s->t, s->q_new, s->v}, s->v, s->lambda_new, s->terms));
    HOL_TRY(hol_saddle_factor(s->saddle, s->terms->K, s->tau, s->terms->M, s->terms->D, s->left_out));
    hol_mass_times(s->pattern, s->terms->M, s->x, s->y);
    for (int j = 0; j < nv; ++j)
        s->r[j] = s->f[j] - s->tau * s->y[j];
    hol_position_residual(s->pattern, s->terms->Phi, s->c);
    hol_saddle_solve(s->saddle, s->r, s->c, s->dw, s->lambda_new);
    hol_system_retract(s->system, s->q_new, s->dw, s->q_new);
    hol_add_scaled(nv, 1, s->dw, s->x);
    ++s->iterations;
    return newton_evaluate(s, s->q_new);
}

/* Solves (3) from the point that newton_try_step() reached; q_new is valid only if HOL_OK. damping_share is scaled with
 * the length of the step: one that a stop has shortened was resisted. */
static HolStatus newton_correct(HolNewton *s)
{
    enum { MOST_PASSES = 30 };
    static const double done = HOL_TOL_SAME, much = 10; /* relative to x, of w */
    double first = newton_mass_norm_sq(s, s->w);
    for (int j = 0; j < s->pattern->nv; ++j)
        s->x[j] = s->w[j] + s->dw[j];
    for (int i = 0; i < MOST_PASSES; ++i) {
        HOL_TRY(newton_corrector_iteration(s));
        double size = newton_mass_norm_sq(s, s->dw), all = newton_mass_norm_sq(s, s->x);
        if (!(all <= much * much * first))
            return HOL_NO_CONVERGENCE;
        if (size <= done * done * all) {
            s->damping_share = fmin(s->damping_share * sqrt(all / first), HOL_PART_UNRESISTED);
            return HOL_OK;
        }
    }
    return HOL_NO_CONVERGENCE;
}

static bool newton_step_is_shorter(const HolNewton *s, double length)
{
    return hol_motion_norm(s->pattern, s->w) <= length * hol_position_size(s->pattern, s->q);
}

static HolStatus newton_tangent(HolNewton *s)
{
    return hol_system_tangent(s->system, &(HolPoint){s->t, s->q, s->v}, s->v, s->lambda, s->terms);
}

/* Takes the step w, corrected by (3) if need be. HOL_NOT_FINITE: a larger tau may succeed. */
static HolStatus newton_attempt(HolNewton *s, double work, double *error)
{
    HOL_TRY(newton_try_step(s, work, error));
    if (newton_step_is_shorter(s, SHORT))
        *error = fmin(*error, GOOD);
    if (*error <= BAD)
        return HOL_OK;
    HolStatus status = s->uses_corrector ? newton_correct(s) : HOL_NO_CONVERGENCE;
    *error = GOOD;
    return status == HOL_NO_CONVERGENCE || status == HOL_SINGULAR ? HOL_NOT_FINITE : status;
}

/* One accepted step; *is_rounding if it is no longer than rounding. */
static HolStatus newton_step(HolNewton *s, bool *is_rounding)
{
    double error = HUGE_VAL, work;
    HOL_TRY(newton_evaluate(s, s->q));
    HOL_TRY(newton_choose_rows(s));
    HOL_TRY(newton_tangent(s));
    for (int i = 0; i < MOST_TRIES; ++i) {
        HOL_TRY(newton_descent_step(s, &work));
        *is_rounding = newton_step_is_shorter(s, STEP_ROUNDING);
        HolStatus status = newton_attempt(s, work, &error);
        if (status == HOL_OK)
            break;
        if (status != HOL_NOT_FINITE)
            return status;
        s->tau = s->uses_corrector ? fmax(10 * s->tau, HOL_TOL_ITERATION * s->tau_unit)
                                   : fmax(4 * s->tau, HOL_TOL_SMALL * s->tau_unit);
        HOL_TRY(newton_evaluate(s, s->q));
        if (s->uses_corrector)
            HOL_TRY(newton_tangent(s)); /* the corrector left that of q_new */
        error = HUGE_VAL;
    }
    if (!(error <= BAD))
        return HOL_NO_CONVERGENCE;
    memcpy(s->q, s->q_new, (size_t)s->pattern->nq * sizeof *s->q);
    memcpy(s->lambda, s->lambda_new, (size_t)s->pattern->m * sizeof *s->lambda);
    if (error <= GOOD)
        s->tau = s->tau / 10 > s->tau_least ? s->tau / 10 : s->tau_least;
    if (s->tau < HOL_TOL_CONVERGED * s->tau_unit)
        s->tau = 0;
    return HOL_OK;
}

static int newton_fastest_block(const HolNewton *s)
{
    int block = -1;
    double most = 0;
    for (int b = 0; b < s->pattern->block_count; ++b) {
        int start = s->pattern->block_start[b];
        double size = hol_max_norm(s->pattern->block_start[b + 1] - start, s->w + start);
        if (size > most) {
            most = size;
            block = b;
        }
    }
    return block;
}

/* tau_unit = K / M, and a first tau that keeps the first step below 1; w is the acceleration from rest. */
static HolStatus newton_choose_regularisation(HolNewton *s)
{
    const HolPattern *p = s->pattern;
    HOL_TRY(newton_tangent(s));
    double K = hol_stiffness_norm(p, s->terms->K);
    double M = hol_mass_norm(p, s->terms->M);
    double first = hol_motion_norm(p, s->w) / p->length;
    s->tau_unit = K > 0 && M > 0 ? K / M : 1;
    s->tau = s->tau > 0 ? s->tau : fmax(HOL_TOL_SMALL * s->tau_unit, first);
    return HOL_OK;
}

/* Whether (1) holds at q to within this force; the terms are up to date there. */
static bool newton_is_balanced_to(HolNewton *s, double force)
{
    s->imbalance = hol_force_norm(s->pattern, s->r);
    s->violation = newton_gap(s);
    return s->imbalance <= force && s->violation <= CLOSED * hol_position_size(s->pattern, s->q);
}

static bool newton_has_converged(HolNewton *s, double tolerance)
{
    double size = newton_residual(s, s->lambda);
    return newton_is_balanced_to(s, tolerance * size);
}

/* The rounding of forces due to that of q. K is taken without the multipliers: the tolerance already covers the
 * rounding of reactions, and multipliers that grow without bound would hide all forces. */
static double newton_force_rounding(HolNewton *s)
{
    const HolPattern *p = s->pattern;
    memset(s->mu, 0, (size_t)p->m * sizeof *s->mu);
    if (hol_system_tangent(s->system, &(HolPoint){s->t, s->q, s->v}, s->v, s->mu, s->terms) != HOL_OK)
        return 0;
    double K = hol_stiffness_norm(p, s->terms->K);
    return ROUNDING * K * hol_position_size(p, s->q);
}

/* The same to within rounding. Where stiffness resists the latest step, the equilibrium is as near as that step is
 * short. A motion that only damping resists may continue for ever: it must have lost most of its initial residual. */
static bool newton_has_converged_to_rounding(HolNewton *s, double tolerance)
{
    double size = newton_residual(s, s->lambda), rounding = newton_force_rounding(s);
    if (s->damping_share > RESISTED)
        rounding = fmin(rounding, s->small_imbalance);
    return newton_is_balanced_to(s, fmax(tolerance * size, rounding));
}

/* Whether the residual has not halved for some steps and is within rounding. */
static bool newton_has_stalled(HolNewton *s, double tolerance, double *best, int *count)
{
    enum { PATIENCE = 5 };
    *count = s->imbalance > *best / 2 ? *count + 1 : 0;
    *best = fmin(*best, s->imbalance);
    return *count >= PATIENCE && newton_has_converged_to_rounding(s, tolerance);
}

/* One Newton step without regularisation; *length is its size, *work that of the residual along it. */
static HolStatus newton_full_step(HolNewton *s, double *length, double *work)
{
    HOL_TRY(newton_tangent(s));
    HOL_TRY(hol_saddle_factor(s->saddle, s->terms->K, 0, s->terms->M, s->terms->D, s->left_out));
    hol_position_residual(s->pattern, s->terms->Phi, s->c);
    hol_saddle_solve(s->saddle, s->f, s->c, s->w, s->lambda);
    newton_residual(s, s->lambda);
    *work = hol_inner_product(s->pattern->nv, s->r, s->w);
    *length = hol_motion_norm(s->pattern, s->w);
    s->damping_share = 0;
    hol_system_retract(s->system, s->q, s->w, s->q);
    HOL_TRY(newton_evaluate(s, s->q));
    return newton_choose_rows(s);
}

HolStatus hol_newton_continue(HolNewton *s, double tolerance)
{
    enum { MOST = 20 };
    double first = 0, sum = 0, best = HUGE_VAL;
    int count = 0;
    if (s->tau_least > 0)
        return HOL_SINGULAR;
    HOL_TRY(newton_evaluate(s, s->q));
    HOL_TRY(newton_choose_rows(s));
    for (int i = 0; i < MOST && sum <= first; ++i) {
        double length, work;
        HOL_TRY(newton_full_step(s, &length, &work));
        ++s->iterations;
        if (i == 0 && !(work >= 0))
            return HOL_NO_CONVERGENCE;
        *(i == 0 ? &first : &sum) += length;
        if (newton_has_converged(s, tolerance) ||
            (newton_step_is_shorter(s, STEP_ROUNDING) && newton_has_converged_to_rounding(s, tolerance)) ||
            newton_has_stalled(s, tolerance, &best, &count))
            return sum <= first ? HOL_OK : HOL_NO_CONVERGENCE;
    }
    return HOL_NO_CONVERGENCE;
}

/* The largest stiffness in the rows of K of one block. */
static double block_stiffness(const HolNewton *s, int block)
{
    const HolPattern *p = s->pattern;
    double most = 0;
    for (int k = 0; k < p->tangent_count; ++k) {
        int start = p->tangent_start[k];
        if (p->tangents[k].row == block)
            most = fmax(most, hol_max_norm(p->tangent_start[k + 1] - start, s->terms->K + start));
    }
    return most;
}

/* Whether q is so large that rounding hides the forces on the fastest block, while no stiffness resists its motion. */
static bool newton_has_diverged(HolNewton *s)
{
    double q = hol_position_size(s->pattern, s->q) - s->pattern->length;
    bool is_hidden =
        q > MAX_GROWTH_IF_STIFF * s->max_size && s->damping_share > HOL_PART_UNRESISTED && s->fastest_block >= 0 &&
        POSITION_ROUNDING * block_stiffness(s, s->fastest_block) * q > LITTLE * newton_residual(s, s->lambda);
    s->has_diverged = !(q <= s->max_size) || is_hidden;
    return s->has_diverged;
}

HolStatus hol_newton_descend(HolNewton *s, double tolerance, int max_iterations)
{
    bool is_rounding = false;
    double best = HUGE_VAL;
    int count = 0;
    memset(s->w, 0, (size_t)s->pattern->nv * sizeof *s->w);
    HOL_TRY(newton_evaluate(s, s->q));
    HOL_TRY(newton_choose_rows(s));
    if (s->initial_redundant_count < 0)
        s->initial_redundant_count = s->left_out_count;
    s->is_redundant = s->is_redundant || s->left_out_count > 0;
    if (s->tau_unit == 0)
        HOL_TRY(newton_initial_multipliers(s));
    if (newton_has_converged(s, tolerance))
        return HOL_OK;
    HOL_TRY(newton_choose_regularisation(s));
    s->small_imbalance = LITTLE * s->imbalance;
    for (int i = 0, before = s->iterations; s->iterations - before < max_iterations; ++i) {
        s->uses_corrector = i >= PLAIN;
        HOL_TRY(newton_step(s, &is_rounding));
        ++s->iterations;
        if (newton_has_converged(s, tolerance) || (is_rounding && newton_has_converged_to_rounding(s, tolerance)) ||
            newton_has_stalled(s, tolerance, &best, &count))
            return newton_choose_rows(s);
        s->fastest_block = newton_fastest_block(s);
        if (newton_has_diverged(s))
            return HOL_NO_CONVERGENCE;
    }
    return HOL_NO_CONVERGENCE;
}
