/* SPDX-License-Identifier: BSD-3-Clause */
#include "simulate/least_gap.h"

#include "base/message.h"
#include "linalg/blocks.h"
#include "linalg/primal.h"
#include "simulate/open_rows.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* Iterations of one search, of which each descent may take half of those left, more to settle the least gap, and
 * attempts at one iteration. */
enum { MOST_ITERATIONS = 2000, MORE_ITERATIONS = 200, MOST_ATTEMPTS = 12 };
/* Sizes are measured so often at most where the gap is least, and are the same if F is to this part. */
enum { MOST_SIZINGS = 20 };
static const double SAME = 1e-6;
/* A descent ends when so many iterations lower F by no more than a part: a small one where there is no other way. */
enum { WINDOW = 10 };
static const double COARSE = 1e-2, FINE = 1e-7;
/* Descents in a row that lead to nothing better; the first of them begin beside the best point. */
enum { MOST_IN_VAIN = 8, BESIDE_BEST = 2 };
static const double BETTER = 0.9;
/* A step is taken if F falls by this part of what D foretells; what more means for mu. */
static const double ACCEPTED = 0.25, GOOD = 0.4, VERY_GOOD = 0.75;
static const double FIRST_MU = 1, LEAST_MU = 1e-11; /* against the most mobile row */
static const double LEVEL = 1e-9;                   /* a slope that counts as none, a cosine */

struct HolLeastGap {
    HolWorkspace *work;
    const HolPattern *pattern;
    HolPrimal *primal;
    HolOpenRows *rows; /* at q */
    double t;
    const double *v;
    double *q, *q_try, *q_best;
    double *dq, *column; /* nv */
    double *w, *c;       /* m */
    double mu, rise;
    double small; /* the distance that is aimed at */
    uint64_t random;
    long iterations, most_iterations;
};

HolStatus hol_least_gap_create(HolArena *arena, HolWorkspace *work, HolLeastGap **search)
{
    const HolPattern *p = work->pattern;
    HolLeastGap *s = hol_arena_alloc(arena, sizeof *s);
    if (!s)
        return HOL_NO_MEMORY;
    *search = s;
    s->work = work;
    s->pattern = p;
    s->q = hol_arena_doubles(arena, (size_t)p->nq);
    s->q_try = hol_arena_doubles(arena, (size_t)p->nq);
    s->q_best = hol_arena_doubles(arena, (size_t)p->nq);
    s->dq = hol_arena_doubles(arena, (size_t)p->nv);
    s->column = hol_arena_doubles(arena, (size_t)p->nv);
    s->w = hol_arena_doubles(arena, (size_t)p->m);
    s->c = hol_arena_doubles(arena, (size_t)p->m);
    if (hol_arena_failed(arena))
        return HOL_NO_MEMORY;
    HOL_TRY(hol_open_rows_create(arena, p, &s->rows));
    return hol_primal_create(arena, p, &s->primal);
}

long hol_least_gap_iterations(const HolLeastGap *search)
{
    return search->iterations;
}

static HolStatus evaluate(HolLeastGap *s, const double *q)
{
    hol_workspace_move(s->work, s->t, q, s->v);
    return hol_workspace_need(s->work, HOL_WANT_MASS | HOL_WANT_PHI | HOL_WANT_JACOBIAN);
}

/* ---- One descent ---- */

/* mu of holonomic rows is the present one, of the others the least. */
static void set_weights(HolLeastGap *s)
{
    double least = LEAST_MU * s->rows->mobility;
    s->mu = fmax(s->mu, least);
    for (int i = 0; i < s->pattern->m; ++i)
        s->w[i] = 1 / ((i < s->pattern->nh ? s->mu : least) * s->rows->size[i] * s->rows->size[i]);
}

/* dq = -D^T diag(w) Phi */
static void pull(HolLeastGap *s)
{
    const HolPattern *p = s->pattern;
    for (int i = 0; i < p->m; ++i)
        s->c[i] = i < p->nh ? -s->w[i] * s->rows->Phi[i] : 0;
    memset(s->dq, 0, (size_t)p->nv * sizeof *s->dq);
    hol_jacobian_add_transposed(p, s->rows->D, s->c, s->dq);
}

/* (1), and by how much F falls if the rows are linear. */
static HolStatus step(HolLeastGap *s, double *foretold)
{
    set_weights(s);
    HOL_TRY(hol_primal_factor(s->primal, s->rows->M, s->rows->D, s->w));
    pull(s);
    hol_primal_solve(s->primal, s->dq);
    hol_jacobian_times(s->pattern, s->rows->D, s->dq, s->c);
    for (int i = 0; i < s->pattern->nh; ++i)
        s->c[i] += s->rows->Phi[i];
    *foretold = s->rows->F - hol_open_rows_sum(s->rows, s->c);
    return HOL_OK;
}

/* By what part of what was foretold F falls on the way to q_try. */
static HolStatus try_step(HolLeastGap *s, double foretold, double *gain)
{
    hol_system_retract(s->work->system, s->q, s->dq, s->q_try);
    HOL_TRY(evaluate(s, s->q_try));
    *gain = (s->rows->F - hol_open_rows_sum(s->rows, s->work->terms->Phi)) / foretold;
    return HOL_OK;
}

static void accept(HolLeastGap *s, double gain)
{
    double *other = s->q;
    s->q = s->q_try;
    s->q_try = other;
    hol_open_rows_read(s->rows, s->work->terms, false);
    s->mu *= gain > VERY_GOOD ? 0.1 : gain > GOOD ? 0.3 : 1;
    s->rise = 4;
}

/* Something that another step or another way may avoid. */
static bool is_local(HolStatus status)
{
    return status == HOL_NO_CONVERGENCE || status == HOL_SINGULAR || status == HOL_NOT_FINITE;
}

/* One step that lowers F; HOL_NO_CONVERGENCE if there is none. */
static HolStatus iterate(HolLeastGap *s)
{
    ++s->iterations;
    for (int i = 0; i < MOST_ATTEMPTS; ++i) {
        double foretold, gain = 0;
        HolStatus status = step(s, &foretold);
        if (status == HOL_OK && !(foretold > 0))
            return HOL_NO_CONVERGENCE;
        if (status == HOL_OK)
            status = try_step(s, foretold, &gain);
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

/* The largest cosine between the open rows and what one coordinate does to them: zero where F is level. */
static double slope(HolLeastGap *s)
{
    const HolPattern *p = s->pattern;
    const HolOpenRows *r = s->rows;
    double largest = 0;
    for (int i = 0; i < p->m; ++i)
        s->w[i] = 1 / (r->size[i] * r->size[i]);
    pull(s);
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

/* Reads the rows at q afresh. */
static HolStatus begin(HolLeastGap *s)
{
    HOL_TRY(evaluate(s, s->q));
    hol_open_rows_read(s->rows, s->work->terms, true);
    s->mu = FIRST_MU * s->rows->mobility;
    s->rise = 4;
    return isfinite(s->rows->F) ? HOL_OK : HOL_NOT_FINITE;
}

/* Down from q, whose rows have been read, until the distance is small or F falls no longer. */
static HolStatus descend(HolLeastGap *s, double progress, long most_iterations)
{
    double before = s->rows->F;
    for (long i = 1; s->rows->distance > s->small; ++i) {
        if (i > most_iterations || !(s->rows->mobility > 0) || slope(s) <= LEVEL)
            return HOL_NO_CONVERGENCE;
        HOL_TRY(iterate(s));
        if (i % WINDOW)
            continue;
        if (s->rows->F > (1 - progress) * before)
            return HOL_NO_CONVERGENCE;
        before = s->rows->F;
    }
    return HOL_OK;
}

/* ---- Several ---- */

static double number(HolLeastGap *s)
{
    s->random = s->random * 6364136223846793005u + 1442695040888963407u;
    return (double)(s->random >> 11) / 4503599627370496.0 - 1;
}

/* Moves q, whose rows have been read, at random and so far that some |Phi_i| / s_i changes by `amount`; heavy bodies
 * move least. Where no row changes at all there is nothing to tell how far, and q stays. */
static void shake(HolLeastGap *s, double amount)
{
    const HolPattern *p = s->pattern;
    double largest = 0;
    for (int b = 0; b < p->block_count; ++b)
        for (int i = 0; i < hol_part_size(p->block_start, b); ++i)
            s->dq[p->block_start[b] + i] = number(s) / sqrt(*hol_open_rows_mass(s->rows, b, i));
    hol_jacobian_times(p, s->rows->D, s->dq, s->c);
    for (int i = 0; i < p->nh; ++i)
        largest = fmax(largest, fabs(s->c[i]) / s->rows->size[i]);
    double factor = largest > 0 ? fmin(amount / largest, s->rows->reach / hol_max_norm(p->nv, s->dq)) : 0;
    for (int j = 0; j < p->nv; ++j)
        s->dq[j] *= factor;
    hol_system_retract(s->work->system, s->q, s->dq, s->q);
}

static void copy(const HolLeastGap *s, const double *from, double *to)
{
    memcpy(to, from, (size_t)s->pattern->nq * sizeof *to);
}

static long half_of_those_left(const HolLeastGap *s)
{
    return (s->most_iterations - s->iterations + 1) / 2;
}

/* From beside a point; the move is a part of how far it is open. */
static HolStatus descend_beside(HolLeastGap *s, const double *q, double part)
{
    copy(s, q, s->q);
    HOL_TRY(begin(s));
    shake(s, part * s->rows->open);
    HOL_TRY(begin(s));
    return descend(s, COARSE, half_of_those_left(s));
}

/* After a descent that failed: others, as long as they lead to something better now and then. q_best becomes the best
 * point of all. */
static HolStatus search_on(HolLeastGap *s, const double *start)
{
    double score = s->rows->score;
    copy(s, s->q, s->q_best);
    for (int in_vain = 0; in_vain < MOST_IN_VAIN && s->iterations < s->most_iterations; ++in_vain) {
        bool beside_best = in_vain < BESIDE_BEST;
        s->rows->equal_masses = !beside_best;
        HolStatus status = descend_beside(s, beside_best ? s->q_best : start, in_vain == 0 ? 0.1 : 1);
        if (!is_local(status))
            return status;
        if (status != HOL_NO_CONVERGENCE || !(s->rows->score < score))
            continue;
        in_vain = s->rows->score < BETTER * score ? -1 : in_vain;
        score = s->rows->score;
        copy(s, s->q, s->q_best);
    }
    return HOL_NO_CONVERGENCE;
}

/* From the best point to the least gap beside it, in the rows' own units. Sizes are measured again there until that
 * changes nothing. */
static HolStatus settle(HolLeastGap *s)
{
    HolStatus status = HOL_NO_CONVERGENCE;
    s->rows->equal_masses = false;
    s->rows->own_units = true;
    copy(s, s->q_best, s->q);
    HOL_TRY(begin(s));
    for (int i = 0; i < MOST_SIZINGS; ++i) {
        status = descend(s, FINE, MORE_ITERATIONS);
        double F = s->rows->F;
        if (status != HOL_NO_CONVERGENCE)
            return status;
        HOL_TRY(begin(s));
        if (fabs(s->rows->F - F) <= SAME * F)
            return status;
    }
    return status;
}

static HolStatus find(HolLeastGap *s, const double *start)
{
    copy(s, start, s->q);
    HOL_TRY(begin(s));
    HolStatus status = descend(s, COARSE, half_of_those_left(s));
    if (status == HOL_NO_CONVERGENCE)
        status = search_on(s, start);
    return status == HOL_NO_CONVERGENCE ? settle(s) : status;
}

HolStatus hol_least_gap_find(HolLeastGap *search, double small, double t, double *q, const double *v)
{
    HolLeastGap *s = search;
    s->t = t;
    s->v = v;
    s->small = small;
    s->random = 1;
    s->most_iterations = s->iterations + MOST_ITERATIONS;
    hol_open_rows_reset(s->rows, 1 + hol_max_norm(s->pattern->nq, q));
    HolStatus status = find(s, q);
    if (status == HOL_OK || status == HOL_NO_CONVERGENCE)
        copy(s, s->q, q);
    HolStatus there = evaluate(s, q);
    return there == HOL_OK ? status : there;
}
