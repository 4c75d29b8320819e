/* SPDX-License-Identifier: BSD-3-Clause */
#include "study/descent.h"

#include "base/message.h"
#include "linalg/blocks.h"
#include "study/linear.h"

#include <math.h>
#include <string.h>

enum { PLAIN = 50 }; /* steps that are not corrected */
enum { TERMS = HOL_WANT_MASS | HOL_WANT_FORCE | HOL_WANT_PHI | HOL_WANT_JACOBIAN, MOST_TRIES = 40 };
static const double DEPENDENT = 1e-9;      /* rows */
static const double CLOSED = 1e-11;        /* Phi, in parts of 1 + |q| */
static const double STANDS = 1e-13;        /* a step that is only rounding, in parts of 1 + |q| */
static const double SHORT = 1e-9;          /* a step so short that rounding may be all that its error tells */
static const double GOOD = 0.2, BAD = 0.6; /* how far a step may be from what was expected of it */
static const double FAR = 1e6;             /* times its size at the start: q has run away */
static const double FAR_IF_STIFF = 1e-4;   /* of that, where a step's rounding hides forces: */
static const double HIDDEN = 1e-13;        /* in parts of K |q| */
static const double ROUNDING = 1e-15;      /* of forces, in parts of K (1 + |q|) */
static const double LITTLE = 1e-3;         /* of the forces */
static const double RESISTED = 0.5;        /* share of syrup in what a step costs: the rest is stiffness */
static const double UNRESISTED = 0.99;
static const double LEAST = 1e-12; /* tau where K is singular, in parts of K / M */

HolStatus hol_descent_create(const HolSystem *system, double t, const double *q, HolArena *arena, HolDescentWay *way)
{
    const HolPattern *p = hol_system_pattern(system);
    *way = (HolDescentWay){
        .system = system, .pattern = p, .arena = arena, .t = t, .load = 1, .runaway = -1, .redundant_at_start = -1};
    double **of_nq[] = {&way->q, &way->q_new}, **of_m[] = {&way->lambda, &way->lambda_new, &way->c, &way->mu};
    double **of_nv[] = {&way->v, &way->f, &way->f_0, &way->w, &way->more, &way->r, &way->y, &way->x};
    for (size_t i = 0; i < sizeof of_nq / sizeof *of_nq; ++i)
        *of_nq[i] = hol_arena_doubles(arena, (size_t)p->nq);
    for (size_t i = 0; i < sizeof of_m / sizeof *of_m; ++i)
        *of_m[i] = hol_arena_doubles(arena, (size_t)p->m);
    for (size_t i = 0; i < sizeof of_nv / sizeof *of_nv; ++i)
        *of_nv[i] = hol_arena_doubles(arena, (size_t)p->nv);
    way->left_out = hol_arena_alloc(arena, (size_t)p->m);
    if (hol_arena_failed(arena))
        return HOL_NO_MEMORY;
    hol_system_retract(system, q, way->v, way->q); /* v is zero */
    way->reach = FAR * (1 + hol_max_norm(p->nq, way->q));
    HOL_TRY(hol_terms_create(system, &way->terms));
    if (p->m > 0)
        HOL_TRY(hol_rows_create(arena, p, &way->rows));
    return hol_saddle_create(arena, p, &way->saddle);
}

void hol_descent_destroy(HolDescentWay *way)
{
    hol_saddle_destroy(way->saddle);
    hol_terms_destroy(way->terms);
}

/* Terms and f at q. */
static HolStatus evaluate(HolDescentWay *d, const double *q)
{
    d->terms->load = d->load;
    HOL_TRY(hol_system_evaluate(d->system, &(HolPoint){d->t, q, d->v}, TERMS, d->terms));
    for (int j = 0; j < d->pattern->nv; ++j)
        d->f[j] = d->terms->Q[j] - (1 - d->load) * d->f_0[j];
    bool finite = isfinite(hol_max_norm(d->pattern->nv, d->f)) && isfinite(hol_max_norm(d->pattern->nh, d->terms->Phi));
    return finite ? HOL_OK : HOL_NOT_FINITE;
}

/* Rows that always depend on each other do so only where all of them are met: a little off, one of them too many would
 * hold the mechanism fast. */
static HolStatus choose_rows(HolDescentWay *d)
{
    if (d->pattern->m == 0)
        return HOL_OK;
    if (d->is_redundant && hol_assemble_positions(d->system, d->t, d->q, NULL) == HOL_OK)
        HOL_TRY(evaluate(d, d->q));
    return hol_rows_choose(d->rows, d->terms->D, DEPENDENT, d->left_out, &d->left_out_count);
}

/* r = f + D^T lambda; how large the forces are that balance each other in it. */
static double find_residual(HolDescentWay *d, const double *lambda)
{
    int nv = d->pattern->nv;
    memset(d->y, 0, (size_t)nv * sizeof *d->y);
    hol_jacobian_add_transposed(d->pattern, d->terms->D, lambda, d->y);
    for (int j = 0; j < nv; ++j)
        d->r[j] = d->f[j] + d->y[j];
    return fmax(hol_max_norm(nv, d->f), fmax(hol_max_norm(nv, d->y), hol_max_norm(nv, d->terms->Q)));
}

static double in_mass(HolDescentWay *d, const double *x)
{
    hol_mass_times(d->pattern, d->terms->M, x, d->y);
    return hol_inner(d->pattern->nv, x, d->y);
}

/* The right-hand side of rows that are met: those of velocities ask for nothing. */
static void ask_rows(HolDescentWay *d)
{
    for (int i = 0; i < d->pattern->m; ++i)
        d->c[i] = i < d->pattern->nh ? -d->terms->Phi[i] : 0;
}

/* lambda of a system that starts to move: (2) with K = 0. It makes a K of its own. */
static HolStatus first_multipliers(HolDescentWay *d)
{
    HOL_TRY(hol_saddle_factor(d->saddle, NULL, 1, d->terms->M, d->terms->D, d->left_out));
    hol_saddle_solve(d->saddle, d->f, NULL, d->w, d->lambda);
    return HOL_OK;
}

static HolStatus factor(HolDescentWay *d)
{
    HolStatus status = hol_saddle_factor(d->saddle, d->terms->K, d->tau, d->terms->M, d->terms->D, d->left_out);
    for (int i = 0; i < MOST_TRIES && status == HOL_SINGULAR; ++i) {
        d->tau_least = LEAST * d->tau_unit;
        d->tau = fmax(10 * d->tau, d->tau_least);
        status = hol_saddle_factor(d->saddle, d->terms->K, d->tau, d->terms->M, d->terms->D, d->left_out);
    }
    return status;
}

/* (2), downhill: w^T (K + tau M) w > 0. */
static HolStatus find_step(HolDescentWay *d, double *work)
{
    int nv = d->pattern->nv;
    ask_rows(d);
    for (int i = 0; i < MOST_TRIES; ++i) {
        HOL_TRY(factor(d));
        hol_saddle_solve(d->saddle, d->f, d->c, d->w, d->lambda_new);
        find_residual(d, d->lambda_new);
        *work = hol_inner(nv, d->r, d->w);
        if (*work >= 0)
            return HOL_OK;
        double mass = in_mass(d, d->w);
        d->tau += mass > 0 ? 2 * fabs(*work) / mass + d->tau : d->tau_unit;
    }
    return HOL_NO_CONVERGENCE;
}

/* Steps to q (+) w, closes the rows once by the same factors, and compares what is left of the forces along w with what
 * was expected, tau w^T M w: 0 is as expected, 1 is no better than before. Closing must not be a long way, and it must
 * close: a body that hardly resists turning may have been turned many times. */
static HolStatus try_step(HolDescentWay *d, double work, double *error)
{
    int nv = d->pattern->nv;
    double mass = in_mass(d, d->w), open = hol_max_norm(d->pattern->nh, d->terms->Phi);
    hol_system_retract(d->system, d->q, d->w, d->q_new);
    HOL_TRY(evaluate(d, d->q_new));
    open = fmax(open, hol_max_norm(d->pattern->nh, d->terms->Phi));
    ask_rows(d);
    hol_saddle_solve(d->saddle, NULL, d->c, d->more, d->mu);
    double correction = in_mass(d, d->more);
    hol_system_retract(d->system, d->q_new, d->more, d->q_new);
    HOL_TRY(evaluate(d, d->q_new));
    find_residual(d, d->lambda_new);
    double left = hol_inner(nv, d->r, d->w);
    d->syrup = work > 0 ? d->tau * mass / work : 0;
    *error = work > 0 ? fabs(left - d->tau * mass) / work : 0;
    if (mass > 0)
        *error = fmax(*error, 2 * sqrt(correction / mass));
    double closed = CLOSED * (1 + hol_max_norm(d->pattern->nq, d->q));
    if (open > closed)
        *error = fmax(*error, hol_max_norm(d->pattern->nh, d->terms->Phi) / open);
    return HOL_OK;
}

/* A pass of Newton's on (3) from q_new, where terms are up to date. */
static HolStatus pass(HolDescentWay *d)
{
    int nv = d->pattern->nv;
    HOL_TRY(hol_system_tangent(d->system, &(HolPoint){d->t, d->q_new, d->v}, d->v, d->lambda_new, d->terms));
    HOL_TRY(hol_saddle_factor(d->saddle, d->terms->K, d->tau, d->terms->M, d->terms->D, d->left_out));
    hol_mass_times(d->pattern, d->terms->M, d->x, d->y);
    for (int j = 0; j < nv; ++j)
        d->r[j] = d->f[j] - d->tau * d->y[j];
    ask_rows(d);
    hol_saddle_solve(d->saddle, d->r, d->c, d->more, d->lambda_new);
    hol_system_retract(d->system, d->q_new, d->more, d->q_new);
    for (int j = 0; j < nv; ++j)
        d->x[j] += d->more[j];
    ++d->iterations;
    return evaluate(d, d->q_new);
}

/* (3), from where try_step() has come; q_new is of no use unless HOL_OK. The share of syrup is that of its way: what
 * met a stop came less far. */
static HolStatus correct(HolDescentWay *d)
{
    enum { MOST_PASSES = 30 };
    static const double done = 1e-6, much = 10; /* in parts of x, of w */
    double first = in_mass(d, d->w);
    for (int j = 0; j < d->pattern->nv; ++j)
        d->x[j] = d->w[j] + d->more[j];
    for (int i = 0; i < MOST_PASSES; ++i) {
        HOL_TRY(pass(d));
        double size = in_mass(d, d->more), all = in_mass(d, d->x);
        if (!(all <= much * much * first))
            return HOL_NO_CONVERGENCE;
        if (size <= done * done * all) {
            d->syrup = fmin(d->syrup * sqrt(all / first), UNRESISTED);
            return HOL_OK;
        }
    }
    return HOL_NO_CONVERGENCE;
}

static bool is_shorter(const HolDescentWay *d, double length)
{
    return hol_max_norm(d->pattern->nv, d->w) <= length * (1 + hol_max_norm(d->pattern->nq, d->q));
}

static HolStatus find_tangent(HolDescentWay *d)
{
    return hol_system_tangent(d->system, &(HolPoint){d->t, d->q, d->v}, d->v, d->lambda, d->terms);
}

/* w as it is, or corrected. HOL_NOT_FINITE: with a larger tau it may be better. */
static HolStatus attempt(HolDescentWay *d, double work, double *error)
{
    HOL_TRY(try_step(d, work, error));
    if (is_shorter(d, SHORT))
        *error = fmin(*error, GOOD);
    if (*error <= BAD)
        return HOL_OK;
    HolStatus status = d->corrects ? correct(d) : HOL_NO_CONVERGENCE;
    *error = GOOD;
    return status == HOL_NO_CONVERGENCE || status == HOL_SINGULAR ? HOL_NOT_FINITE : status;
}

/* One accepted step; *stands if there was nothing to do. */
static HolStatus step(HolDescentWay *d, bool *stands)
{
    double error = HUGE_VAL, work;
    HOL_TRY(evaluate(d, d->q));
    HOL_TRY(choose_rows(d));
    HOL_TRY(find_tangent(d));
    for (int i = 0; i < MOST_TRIES; ++i) {
        HOL_TRY(find_step(d, &work));
        *stands = is_shorter(d, STANDS);
        HolStatus status = attempt(d, work, &error);
        if (status == HOL_OK)
            break;
        if (status != HOL_NOT_FINITE)
            return status;
        d->tau = d->corrects ? fmax(10 * d->tau, 1e-10 * d->tau_unit) : fmax(4 * d->tau, 1e-3 * d->tau_unit);
        HOL_TRY(evaluate(d, d->q));
        if (d->corrects)
            HOL_TRY(find_tangent(d)); /* that of q_new was there */
        error = HUGE_VAL;
    }
    if (!(error <= BAD))
        return HOL_NO_CONVERGENCE;
    memcpy(d->q, d->q_new, (size_t)d->pattern->nq * sizeof *d->q);
    memcpy(d->lambda, d->lambda_new, (size_t)d->pattern->m * sizeof *d->lambda);
    if (error <= GOOD)
        d->tau = d->tau / 10 > d->tau_least ? d->tau / 10 : d->tau_least;
    if (d->tau < 1e-14 * d->tau_unit)
        d->tau = 0;
    return HOL_OK;
}

static int most_moved(const HolDescentWay *d)
{
    int block = -1;
    double most = 0;
    for (int b = 0; b < d->pattern->block_count; ++b) {
        int start = d->pattern->block_start[b];
        double size = hol_max_norm(d->pattern->block_start[b + 1] - start, d->w + start);
        if (size > most) {
            most = size;
            block = b;
        }
    }
    return block;
}

/* K / M, what tau is compared with, and a first tau, by which the first step is no longer than 1; w are the
 * accelerations of a start from rest. */
static HolStatus find_unit(HolDescentWay *d)
{
    const HolPattern *p = d->pattern;
    HOL_TRY(find_tangent(d));
    double K = hol_max_norm(p->tangent_start[p->tangent_count], d->terms->K);
    double M = hol_max_norm(p->mass_start[p->mass_pair_count], d->terms->M);
    double first = hol_max_norm(p->nv, d->w);
    d->tau_unit = K > 0 && M > 0 ? K / M : 1;
    d->tau = d->tau > 0 ? d->tau : fmax(1e-3 * d->tau_unit, first);
    return HOL_OK;
}

/* Whether (1) holds at q, but for this force; terms are up to date there. */
static bool is_met_to(HolDescentWay *d, double force)
{
    d->imbalance = hol_max_norm(d->pattern->nv, d->r);
    d->violation = hol_max_norm(d->pattern->nh, d->terms->Phi);
    return d->imbalance <= force && d->violation <= CLOSED * (1 + hol_max_norm(d->pattern->nq, d->q));
}

static bool is_met(HolDescentWay *d, double tolerance)
{
    double size = find_residual(d, d->lambda);
    return is_met_to(d, tolerance * size);
}

/* What rounding of q leaves of stiff forces. The stiffness of multipliers has no part in it: theirs is rounding of
 * reactions, which tolerances see, and multipliers that grow without end would hide all forces. */
static double rounding_of(HolDescentWay *d)
{
    const HolPattern *p = d->pattern;
    memset(d->mu, 0, (size_t)p->m * sizeof *d->mu);
    if (hol_system_tangent(d->system, &(HolPoint){d->t, d->q, d->v}, d->v, d->mu, d->terms) != HOL_OK)
        return 0;
    double K = hol_max_norm(p->tangent_start[p->tangent_count], d->terms->K);
    return ROUNDING * K * (1 + hol_max_norm(p->nq, d->q));
}

/* The same but for rounding. Where stiffness resists the latest step, rest is as near as that step is short; what
 * only syrup holds back may go on and on, and must have lost most of what was unbalanced at first. */
static bool is_met_to_rounding(HolDescentWay *d, double tolerance)
{
    double size = find_residual(d, d->lambda), rounding = rounding_of(d);
    if (d->syrup > RESISTED)
        rounding = fmin(rounding, d->little);
    return is_met_to(d, fmax(tolerance * size, rounding));
}

/* No step brings more: what is left has not halved for some steps. */
static bool has_stalled(HolDescentWay *d, double tolerance, double *best, int *count)
{
    enum { PATIENCE = 5 };
    *count = d->imbalance > *best / 2 ? *count + 1 : 0;
    *best = fmin(*best, d->imbalance);
    return *count >= PATIENCE && is_met_to_rounding(d, tolerance);
}

/* One step of Newton's, taken as it is; *length is its size, *work that of the forces left along it. */
static HolStatus newton_step(HolDescentWay *d, double *length, double *work)
{
    HOL_TRY(find_tangent(d));
    HOL_TRY(hol_saddle_factor(d->saddle, d->terms->K, 0, d->terms->M, d->terms->D, d->left_out));
    ask_rows(d);
    hol_saddle_solve(d->saddle, d->f, d->c, d->w, d->lambda);
    find_residual(d, d->lambda);
    *work = hol_inner(d->pattern->nv, d->r, d->w);
    *length = hol_max_norm(d->pattern->nv, d->w);
    d->syrup = 0;
    hol_system_retract(d->system, d->q, d->w, d->q);
    HOL_TRY(evaluate(d, d->q));
    return choose_rows(d);
}

HolStatus hol_descent_follow(HolDescentWay *way, double tolerance)
{
    enum { MOST = 20 };
    double first = 0, sum = 0, best = HUGE_VAL;
    int count = 0;
    if (way->tau_least > 0)
        return HOL_SINGULAR;
    HOL_TRY(evaluate(way, way->q));
    HOL_TRY(choose_rows(way));
    for (int i = 0; i < MOST && sum <= first; ++i) {
        double length, work;
        HOL_TRY(newton_step(way, &length, &work));
        ++way->iterations;
        if (i == 0 && !(work >= 0))
            return HOL_NO_CONVERGENCE;
        *(i == 0 ? &first : &sum) += length;
        if (is_met(way, tolerance) || (is_shorter(way, STANDS) && is_met_to_rounding(way, tolerance)) ||
            has_stalled(way, tolerance, &best, &count))
            return sum <= first ? HOL_OK : HOL_NO_CONVERGENCE;
    }
    return HOL_NO_CONVERGENCE;
}

/* Of a block, in all its directions. */
static double stiffness_of(const HolDescentWay *d, int block)
{
    const HolPattern *p = d->pattern;
    double most = 0;
    for (int k = 0; k < p->tangent_count; ++k) {
        int start = p->tangent_start[k];
        if (p->tangents[k].row == block)
            most = fmax(most, hol_max_norm(p->tangent_start[k + 1] - start, d->terms->K + start));
    }
    return most;
}

/* So far away that rounding hides the forces on what moves most, while no stiffness resists it. */
static bool is_lost(HolDescentWay *d)
{
    double q = hol_max_norm(d->pattern->nq, d->q);
    bool is_hidden = q > FAR_IF_STIFF * d->reach && d->syrup > UNRESISTED && d->runaway >= 0 &&
                     HIDDEN * stiffness_of(d, d->runaway) * q > LITTLE * find_residual(d, d->lambda);
    d->is_lost = !(q <= d->reach) || is_hidden;
    return d->is_lost;
}

HolStatus hol_descent_go(HolDescentWay *way, double tolerance, int most_iterations)
{
    bool stands = false;
    double best = HUGE_VAL;
    int count = 0;
    memset(way->w, 0, (size_t)way->pattern->nv * sizeof *way->w);
    HOL_TRY(evaluate(way, way->q));
    HOL_TRY(choose_rows(way));
    if (way->redundant_at_start < 0)
        way->redundant_at_start = way->left_out_count;
    way->is_redundant = way->is_redundant || way->left_out_count > 0;
    if (way->tau_unit == 0)
        HOL_TRY(first_multipliers(way));
    if (is_met(way, tolerance))
        return HOL_OK;
    HOL_TRY(find_unit(way));
    way->little = LITTLE * way->imbalance;
    for (int i = 0, before = way->iterations; way->iterations - before < most_iterations; ++i) {
        way->corrects = i >= PLAIN;
        HOL_TRY(step(way, &stands));
        ++way->iterations;
        if (is_met(way, tolerance) || (stands && is_met_to_rounding(way, tolerance)) ||
            has_stalled(way, tolerance, &best, &count))
            return choose_rows(way);
        way->runaway = most_moved(way);
        if (is_lost(way))
            return HOL_NO_CONVERGENCE;
    }
    return HOL_NO_CONVERGENCE;
}
