/* SPDX-License-Identifier: BSD-3-Clause */
#include "simulate/assembly/minimum_residual.h"

#include "base/message.h"
#include "base/tolerances.h"
#include "linalg/block/blocks.h"
#include "linalg/schur/penalty_matrix.h"
#include "simulate/assembly/row_residual.h"

#include <math.h>
#include <string.h>

/* Iterations of one search, of which each descent may take half of the rest; further ones for the final minimum; and
 * attempts at one iteration. */
enum { MOST_ITERATIONS = 2000, MORE_ITERATIONS = 200, MOST_ATTEMPTS = 12 };
/* How often sizes are measured again at the minimum at most; they have converged if F changes by no more than this. */
enum { MOST_SIZINGS = 20 };
static const double SAME = HOL_TOL_SAME;
/* A descent ends when this many iterations lower F by less than a fraction; the last descents use the fine one. */
enum { WINDOW = 10 };
static const double COARSE = 10 * HOL_TOL_SMALL, FINE = 0.1 * HOL_TOL_SAME;
/* Successive descents without improvement; the first of them begin near the best point. */
enum { MOST_IN_VAIN = 8, NEAR_BEST = 2 };
/* A step is accepted if F falls by this part of the prediction; the others control mu. */
static const double ACCEPTED = 0.25, GOOD = 0.4, VERY_GOOD = 0.75;
static const double FIRST_MU = 1, LEAST_MU = 10 * HOL_TOL_AMPLIFIED; /* relative to the most mobile row */
static const double LEVEL = HOL_TOL_EQUAL;                           /* cosine below which F is stationary */

struct HolMinimumResidual {
    HolWorkspace *work;
    const HolPattern *pattern;
    HolPenaltyMatrix *penalty;
    HolRowResidual *rows; /* at q */
    double t;
    const double *v;
    double *q, *q_try, *q_best;
    double *dq, *column; /* nv */
    double *w, *c;       /* m */
    double mu, rise;
    double small; /* the accepted violation */
    uint64_t random;
    long iterations, max_iterations;
};

HolStatus hol_minimum_residual_create(HolArena *arena, HolWorkspace *work, HolMinimumResidual **search)
{
    const HolPattern *p = work->pattern;
    HolMinimumResidual *s = hol_arena_alloc(arena, sizeof *s);
    HOL_TRY(hol_arena_status(arena));
    *search = s;
    s->work = work;
    s->pattern = p;
    HOL_DOUBLES(arena, p->nq, &s->q, &s->q_try, &s->q_best);
    HOL_DOUBLES(arena, p->nv, &s->dq, &s->column);
    HOL_DOUBLES(arena, p->m, &s->w, &s->c);
    HOL_TRY(hol_arena_status(arena));
    HOL_TRY(hol_row_residual_create(arena, p, &s->rows));
    return hol_penalty_matrix_create(arena, p, false, &s->penalty);
}

static HolStatus search_evaluate(HolMinimumResidual *s, const double *q)
{
    hol_workspace_move(s->work, s->t, q, s->v);
    return hol_workspace_need(s->work, HOL_WANT_MASS | HOL_WANT_PHI | HOL_WANT_JACOBIAN);
}

/* Holonomic rows have the present mu, the others the smallest. */
static void search_set_weights(HolMinimumResidual *s)
{
    double least = LEAST_MU * s->rows->mobility;
    s->mu = fmax(s->mu, least);
    for (int i = 0; i < s->pattern->m; ++i)
        s->w[i] = 1 / ((i < s->pattern->nh ? s->mu : least) * s->rows->size[i] * s->rows->size[i]);
}

/* dq = -D^T diag(w) Phi */
static void search_pull(HolMinimumResidual *s)
{
    const HolPattern *p = s->pattern;
    for (int i = 0; i < p->m; ++i)
        s->c[i] = i < p->nh ? -s->w[i] * s->rows->Phi[i] : 0;
    memset(s->dq, 0, (size_t)p->nv * sizeof *s->dq);
    hol_jacobian_add_transposed(p, s->rows->D, s->c, s->dq);
}

/* One step (1), and the decrease of F that linear rows predict. */
static HolStatus search_step(HolMinimumResidual *s, double *predicted)
{
    search_set_weights(s);
    HOL_TRY(hol_penalty_matrix_factor(s->penalty, s->rows->M, NULL, s->rows->D, s->w));
    search_pull(s);
    hol_penalty_matrix_solve(s->penalty, s->dq);
    hol_jacobian_times(s->pattern, s->rows->D, s->dq, s->c);
    hol_add_scaled(s->pattern->nh, 1, s->rows->Phi, s->c);
    *predicted = s->rows->F - hol_row_residual_sum(s->rows, s->c);
    return HOL_OK;
}

/* The decrease of F at q_try relative to the prediction. */
static HolStatus search_try_step(HolMinimumResidual *s, double predicted, double *gain)
{
    hol_system_retract(s->work->system, s->q, s->dq, s->q_try);
    HOL_TRY(search_evaluate(s, s->q_try));
    *gain = (s->rows->F - hol_row_residual_sum(s->rows, s->work->terms->Phi)) / predicted;
    return HOL_OK;
}

static void accept(HolMinimumResidual *s, double gain)
{
    double *other = s->q;
    s->q = s->q_try;
    s->q_try = other;
    hol_row_residual_read(s->rows, s->work->terms, false);
    s->mu *= gain > VERY_GOOD ? 0.1 : gain > GOOD ? 0.3 : 1;
    s->rise = 4;
}

/* Whether another step may avoid the failure. */
static bool is_local(HolStatus status)
{
    return status == HOL_NO_CONVERGENCE || status == HOL_SINGULAR || status == HOL_NOT_FINITE;
}

/* One step that lowers F; HOL_NO_CONVERGENCE if there is none. */
static HolStatus search_iterate(HolMinimumResidual *s)
{
    ++s->iterations;
    for (int i = 0; i < MOST_ATTEMPTS; ++i) {
        double predicted, gain = 0;
        HolStatus status = search_step(s, &predicted);
        if (status == HOL_OK && !(predicted > 0))
            return HOL_NO_CONVERGENCE;
        if (status == HOL_OK)
            status = search_try_step(s, predicted, &gain);
        if (status == HOL_OK && gain > ACCEPTED) {
            accept(s, gain);
            return HOL_OK;
        }
        if (status != HOL_OK && !is_local(status))
            return status;
        s->mu *= s->rise;
        s->rise *= 2;
    }
    return HOL_NO_CONVERGENCE;
}

/* The largest cosine between the violation and its change with one coordinate: zero where F is stationary. */
static double search_slope(HolMinimumResidual *s)
{
    const HolPattern *p = s->pattern;
    const HolRowResidual *r = s->rows;
    double largest = 0;
    for (int i = 0; i < p->m; ++i)
        s->w[i] = 1 / (r->size[i] * r->size[i]);
    search_pull(s);
    memset(s->column, 0, (size_t)p->nv * sizeof *s->column);
    for (int k = 0; k < p->pair_count; ++k) {
        int row = p->group_start[p->pairs[k].row], column = p->block_start[p->pairs[k].column];
        int n = hol_part_size(p->block_start, p->pairs[k].column), from = p->pair_start[k];
        for (int i = from; i < p->pair_start[k + 1]; ++i)
            s->column[column + (i - from) % n] += r->D[i] * r->D[i] * s->w[row + (i - from) / n];
    }
    for (int j = 0; j < p->nv; ++j)
        if (s->column[j] > 0)
            largest = fmax(largest, fabs(s->dq[j]) / sqrt(s->column[j] * 2 * r->F));
    return largest;
}

/* Reads the rows at q anew. */
static HolStatus search_begin(HolMinimumResidual *s)
{
    HOL_TRY(search_evaluate(s, s->q));
    hol_row_residual_read(s->rows, s->work->terms, true);
    s->mu = FIRST_MU * s->rows->mobility;
    s->rise = 4;
    return isfinite(s->rows->F) ? HOL_OK : HOL_NOT_FINITE;
}

/* Descends from q, whose rows have been read, until the violation is small or F stagnates. */
static HolStatus descend(HolMinimumResidual *s, double progress, long max_iterations)
{
    double before = s->rows->F;
    for (long i = 1; s->rows->distance > s->small; ++i) {
        if (i > max_iterations || !(s->rows->mobility > 0) || search_slope(s) <= LEVEL)
            return HOL_NO_CONVERGENCE;
        HOL_TRY(search_iterate(s));
        if (i % WINDOW)
            continue;
        if (s->rows->F > (1 - progress) * before)
            return HOL_NO_CONVERGENCE;
        before = s->rows->F;
    }
    return HOL_OK;
}

/* Moves q, whose rows have been read, at random and so far that some |Phi_i| / s_i changes by `amount`; heavy bodies
 * move least. Where no row changes, q stays. */
static void shake(HolMinimumResidual *s, double amount)
{
    const HolPattern *p = s->pattern;
    double largest = 0;
    for (int b = 0; b < p->block_count; ++b)
        for (int i = 0; i < hol_part_size(p->block_start, b); ++i)
            s->dq[p->block_start[b] + i] = hol_scattered(&s->random) / sqrt(*hol_row_residual_mass(s->rows, b, i));
    hol_jacobian_times(p, s->rows->D, s->dq, s->c);
    for (int i = 0; i < p->nh; ++i)
        largest = fmax(largest, fabs(s->c[i]) / s->rows->size[i]);
    double factor = largest > 0 ? fmin(amount / largest, s->rows->reach / hol_max_norm(p->nv, s->dq)) : 0;
    for (int j = 0; j < p->nv; ++j)
        s->dq[j] *= factor;
    hol_system_retract(s->work->system, s->q, s->dq, s->q);
}

static void search_copy(const HolMinimumResidual *s, const double *from, double *to)
{
    memcpy(to, from, (size_t)s->pattern->nq * sizeof *to);
}

static long half_of_those_left(const HolMinimumResidual *s)
{
    return (s->max_iterations - s->iterations + 1) / 2;
}

/* Descends from near a point; the displacement is a fraction of its violation. */
static HolStatus descend_near(HolMinimumResidual *s, const double *q, double part)
{
    search_copy(s, q, s->q);
    HOL_TRY(search_begin(s));
    shake(s, part * s->rows->open);
    HOL_TRY(search_begin(s));
    return descend(s, COARSE, half_of_those_left(s));
}

/* Repeats failed descents from other points as long as some of them improve the result. q_best becomes the best
 * point. */
static HolStatus search_repeat(HolMinimumResidual *s, const double *start)
{
    double score = s->rows->score;
    search_copy(s, s->q, s->q_best);
    for (int in_vain = 0; in_vain < MOST_IN_VAIN && s->iterations < s->max_iterations; ++in_vain) {
        bool near_best = in_vain < NEAR_BEST;
        s->rows->equal_masses = !near_best;
        HolStatus status = descend_near(s, near_best ? s->q_best : start, in_vain == 0 ? 0.1 : 1);
        if (!is_local(status))
            return status;
        if (status != HOL_NO_CONVERGENCE || !(s->rows->score < score))
            continue;
        in_vain = s->rows->score < HOL_PART_BETTER * score ? -1 : in_vain;
        score = s->rows->score;
        search_copy(s, s->q, s->q_best);
    }
    return HOL_NO_CONVERGENCE;
}

/* Minimises the violation from the best point in the units of the rows. Sizes are measured again there until they have
 * converged. */
static HolStatus search_minimise(HolMinimumResidual *s)
{
    HolStatus status = HOL_NO_CONVERGENCE;
    s->rows->equal_masses = false;
    s->rows->own_units = true;
    search_copy(s, s->q_best, s->q);
    HOL_TRY(search_begin(s));
    for (int i = 0; i < MOST_SIZINGS; ++i) {
        status = descend(s, FINE, MORE_ITERATIONS);
        double F = s->rows->F;
        if (status != HOL_NO_CONVERGENCE)
            return status;
        HOL_TRY(search_begin(s));
        if (fabs(s->rows->F - F) <= SAME * F)
            return status;
    }
    return status;
}

static HolStatus search_find(HolMinimumResidual *s, const double *start)
{
    search_copy(s, start, s->q);
    HOL_TRY(search_begin(s));
    HolStatus status = descend(s, COARSE, half_of_those_left(s));
    if (status == HOL_NO_CONVERGENCE)
        status = search_repeat(s, start);
    return status == HOL_NO_CONVERGENCE ? search_minimise(s) : status;
}

HolStatus hol_minimum_residual_find(HolMinimumResidual *s, double small, double t, double *q, const double *v)
{
    s->t = t;
    s->v = v;
    s->small = small;
    s->random = 1;
    s->max_iterations = s->iterations + MOST_ITERATIONS;
    hol_row_residual_reset(s->rows, hol_position_size(s->pattern, q));
    HolStatus status = search_find(s, q);
    if (status == HOL_OK || status == HOL_NO_CONVERGENCE)
        search_copy(s, s->q, q);
    HolStatus there = search_evaluate(s, q);
    return there == HOL_OK ? status : there;
}
