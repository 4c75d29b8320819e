/* SPDX-License-Identifier: BSD-3-Clause */
#include "simulate/least_gap.h"

#include "base/message.h"
#include "linalg/blocks.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { TERMS = HOL_WANT_MASS | HOL_WANT_PHI | HOL_WANT_JACOBIAN };
/* Iterations of one search, more to tell its least gap well, and attempts at one of them. */
enum { MOST_ITERATIONS = 1000, MORE_ITERATIONS = 200, MOST_ATTEMPTS = 12 };
/* A descent ends when so many iterations lower F by no more than a part: coarsely while there are other ways to try. */
enum { WINDOW = 10 };
static const double COARSE = 1e-2, FINE = 1e-7;
/* Descents in a row that lead to nothing better; the first of them begin beside the best point. */
enum { MOST_IN_VAIN = 8, BESIDE_BEST = 2 };
static const double BETTER = 0.9;
/* A step is taken if F falls by this part of what D foretells; what more means for mu. */
static const double ACCEPTED = 0.25, GOOD = 0.4, VERY_GOOD = 0.75;
static const double FIRST_MU = 1, LEAST_MU = 1e-11; /* against the most mobile row */
static const double LEAST_MASS = 1e-6;              /* of the largest, for coordinates without mass */
static const double LEVEL = 1e-9;                   /* a slope that counts as none, a cosine */

struct HolLeastGap {
    HolWorkspace *work;
    const HolPattern *pattern;
    HolPrimal *primal;
    double t;
    const double *v;
    double *q, *q_try, *q_best;
    double *M, *D, *Phi;    /* at q; M with a little mass everywhere */
    double *size, *w;       /* m */
    double *dq, *nv, *rows; /* nv, and scratch of nv and of m */
    double F, gap;          /* at q: (1), and max |Phi_i| / s_i */
    double reach;           /* no row is farther from being closed than this */
    double mobility;        /* largest D_i M^-1 D_i^T / s_i^2 */
    double mu, rise;
    double small;      /* the gap that is aimed at */
    bool equal_masses; /* of all blocks */
    uint64_t random;
    long iterations, most_iterations;
};

HolStatus hol_least_gap_create(HolArena *arena, HolWorkspace *work, HolLeastGap **search)
{
    const HolPattern *p = work->pattern;
    HolLeastGap *s = hol_arena_alloc(arena, sizeof *s);
    if (!s)
        return HOL_NO_MEMORY;
    s->work = work;
    s->pattern = p;
    double **of_nq[] = {&s->q, &s->q_try, &s->q_best}, **of_m[] = {&s->Phi, &s->size, &s->w, &s->rows};
    for (size_t i = 0; i < sizeof of_nq / sizeof *of_nq; ++i)
        *of_nq[i] = hol_arena_doubles(arena, (size_t)p->nq);
    for (size_t i = 0; i < sizeof of_m / sizeof *of_m; ++i)
        *of_m[i] = hol_arena_doubles(arena, (size_t)p->m);
    s->dq = hol_arena_doubles(arena, (size_t)p->nv);
    s->nv = hol_arena_doubles(arena, (size_t)p->nv);
    s->M = hol_arena_doubles(arena, (size_t)p->mass_start[p->mass_pair_count]);
    s->D = hol_arena_doubles(arena, (size_t)p->pair_start[p->pair_count]);
    if (hol_arena_failed(arena))
        return HOL_NO_MEMORY;
    *search = s;
    return hol_primal_create(arena, p, &s->primal);
}

long hol_least_gap_iterations(const HolLeastGap *search)
{
    return search->iterations;
}

/* A number on the diagonal of M. */
static double *mass_of(const HolLeastGap *s, int block, int i)
{
    int n = hol_part_size(s->pattern->block_start, block);
    return &s->M[s->pattern->mass_start[block] + i * (n + 1)];
}

static double largest_mass(const HolLeastGap *s, int block)
{
    double largest = 0;
    for (int i = 0; i < hol_part_size(s->pattern->block_start, block); ++i)
        largest = fmax(largest, *mass_of(s, block, i));
    return largest;
}

/* M <- S M S with S such that the largest mass of every block is one. */
static void equalize_masses(HolLeastGap *s)
{
    const HolPattern *p = s->pattern;
    for (int b = 0; b < p->block_count; ++b)
        s->nv[b] = 1 / sqrt(largest_mass(s, b));
    for (int k = 0; k < p->mass_pair_count; ++k) {
        double factor = s->nv[p->mass_pairs[k].row] * s->nv[p->mass_pairs[k].column];
        for (int i = p->mass_start[k]; i < p->mass_start[k + 1]; ++i)
            s->M[i] *= factor;
    }
}

static void copy_mass(HolLeastGap *s)
{
    const HolPattern *p = s->pattern;
    double largest = 0;
    memcpy(s->M, s->work->terms->M, (size_t)p->mass_start[p->mass_pair_count] * sizeof *s->M);
    for (int b = 0; b < p->block_count; ++b)
        largest = fmax(largest, largest_mass(s, b));
    double least = largest > 0 ? LEAST_MASS * largest : 1;
    for (int b = 0; b < p->block_count; ++b)
        for (int i = 0; i < hol_part_size(p->block_start, b); ++i)
            *mass_of(s, b, i) = fmax(*mass_of(s, b, i), least);
    if (s->equal_masses)
        equalize_masses(s);
}

/* A row that D says to be farther from closing than everything reaches is singular here: its size shows elsewhere. */
static void grow_sizes(HolLeastGap *s)
{
    const HolPattern *p = s->pattern;
    hol_jacobian_row_sizes(p, s->D, s->rows);
    for (int i = 0; i < p->m; ++i) {
        double least = i < p->nh ? fabs(s->Phi[i]) / s->reach : 0;
        s->size[i] = fmax(s->size[i], fmax(s->rows[i], least));
    }
}

static double size_of(const HolLeastGap *s, int row)
{
    return s->size[row] > 0 ? s->size[row] : 1;
}

static void measure_mobility(HolLeastGap *s)
{
    const HolPattern *p = s->pattern;
    memset(s->rows, 0, (size_t)p->m * sizeof *s->rows);
    for (int k = 0; k < p->pair_count; ++k) {
        int row = p->group_start[p->pairs[k].row], b = p->pairs[k].column, n = hol_part_size(p->block_start, b);
        const double *D = s->D + p->pair_start[k];
        for (int i = 0; i < p->pair_start[k + 1] - p->pair_start[k]; ++i)
            s->rows[row + i / n] += D[i] * D[i] / *mass_of(s, b, i % n);
    }
    s->mobility = 0;
    for (int i = 0; i < p->m; ++i)
        s->mobility = fmax(s->mobility, s->rows[i] / (size_of(s, i) * size_of(s, i)));
}

/* (1) */
static double sum_of_squares(const HolLeastGap *s, const double *Phi, double *largest)
{
    double sum = 0;
    *largest = 0;
    for (int i = 0; i < s->pattern->nh; ++i) {
        double distance = Phi[i] / size_of(s, i);
        sum += distance * distance;
        *largest = fmax(*largest, fabs(distance));
    }
    return sum / 2;
}

/* Takes the terms of the workspace, which stands at q, for those of the search. */
static void arrive(HolLeastGap *s)
{
    const HolPattern *p = s->pattern;
    const HolTerms *terms = s->work->terms;
    copy_mass(s);
    memcpy(s->D, terms->D, (size_t)p->pair_start[p->pair_count] * sizeof *s->D);
    memcpy(s->Phi, terms->Phi, (size_t)p->nh * sizeof *s->Phi);
    grow_sizes(s);
    measure_mobility(s);
    s->F = sum_of_squares(s, s->Phi, &s->gap);
}

static HolStatus evaluate(HolLeastGap *s, const double *q)
{
    hol_workspace_move(s->work, s->t, q, s->v);
    return hol_workspace_need(s->work, TERMS);
}

/* y = D^T diag(w) Phi */
static void pull(const HolLeastGap *s, double *y)
{
    const HolPattern *p = s->pattern;
    for (int i = 0; i < p->m; ++i)
        s->rows[i] = i < p->nh ? s->w[i] * s->Phi[i] : 0;
    memset(y, 0, (size_t)p->nv * sizeof *y);
    hol_jacobian_add_transposed(p, s->D, s->rows, y);
}

static void set_weights(HolLeastGap *s)
{
    double least = LEAST_MU * s->mobility;
    s->mu = fmax(s->mu, least);
    for (int i = 0; i < s->pattern->m; ++i)
        s->w[i] = 1 / ((i < s->pattern->nh ? s->mu : least) * size_of(s, i) * size_of(s, i));
}

/* The largest cosine between the open rows and what one coordinate does to them: zero where F is level. */
static double slope(HolLeastGap *s)
{
    const HolPattern *p = s->pattern;
    double largest = 0;
    for (int i = 0; i < p->m; ++i)
        s->w[i] = 1 / (size_of(s, i) * size_of(s, i));
    pull(s, s->dq);
    memset(s->nv, 0, (size_t)p->nv * sizeof *s->nv);
    for (int k = 0; k < p->pair_count; ++k) {
        int row = p->group_start[p->pairs[k].row], b = p->pairs[k].column, n = hol_part_size(p->block_start, b);
        const double *D = s->D + p->pair_start[k];
        for (int i = 0; i < p->pair_start[k + 1] - p->pair_start[k]; ++i)
            s->nv[p->block_start[b] + i % n] += D[i] * D[i] * s->w[row + i / n];
    }
    for (int j = 0; j < p->nv; ++j)
        if (s->nv[j] > 0)
            largest = fmax(largest, fabs(s->dq[j]) / sqrt(s->nv[j] * 2 * s->F));
    return largest;
}

/* (2), and by how much F falls if the rows are linear. */
static HolStatus step(HolLeastGap *s, double *foretold)
{
    const HolPattern *p = s->pattern;
    double largest;
    set_weights(s);
    HOL_TRY(hol_primal_factor(s->primal, s->M, s->D, s->w));
    pull(s, s->dq);
    hol_primal_solve(s->primal, s->dq);
    for (int j = 0; j < p->nv; ++j)
        s->dq[j] = -s->dq[j];
    hol_jacobian_times(p, s->D, s->dq, s->rows);
    for (int i = 0; i < p->nh; ++i)
        s->rows[i] += s->Phi[i];
    *foretold = s->F - sum_of_squares(s, s->rows, &largest);
    return HOL_OK;
}

/* What part of what was foretold F falls by on the way to q_try; at most zero where the system is not defined. */
static HolStatus try_step(HolLeastGap *s, double foretold, double *gain)
{
    double largest;
    hol_system_retract(s->work->system, s->q, s->dq, s->q_try);
    HOL_TRY(evaluate(s, s->q_try));
    *gain = (s->F - sum_of_squares(s, s->work->terms->Phi, &largest)) / foretold;
    return HOL_OK;
}

static void accept(HolLeastGap *s, double gain)
{
    double *other = s->q;
    s->q = s->q_try;
    s->q_try = other;
    arrive(s);
    s->mu *= gain > VERY_GOOD ? 0.1 : gain > GOOD ? 0.3 : 1;
    s->rise = 4;
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
        if (status != HOL_OK && status != HOL_SINGULAR && status != HOL_NOT_FINITE)
            return status;
        s->mu *= s->rise;
        s->rise *= 2;
    }
    return HOL_NO_CONVERGENCE;
}

/* Down from q, where the workspace stands, until the gap is small or F falls no longer. */
static HolStatus descend(HolLeastGap *s, double progress)
{
    memset(s->size, 0, (size_t)s->pattern->m * sizeof *s->size);
    arrive(s);
    s->mu = FIRST_MU * s->mobility;
    s->rise = 4;
    double before = s->F;
    for (int i = 1; isfinite(s->F) && s->gap > s->small; ++i) {
        if (s->iterations == s->most_iterations || !(s->mobility > 0) || slope(s) <= LEVEL)
            return HOL_NO_CONVERGENCE;
        HOL_TRY(iterate(s));
        if (i % WINDOW == 0 && s->F > (1 - progress) * before)
            return HOL_NO_CONVERGENCE;
        before = i % WINDOW == 0 ? s->F : before;
    }
    return isfinite(s->F) ? HOL_OK : HOL_NOT_FINITE;
}

static double number(HolLeastGap *s)
{
    s->random = s->random * 6364136223846793005u + 1442695040888963407u;
    return (double)(s->random >> 11) / 4503599627370496.0 - 1;
}

/* Moves q, whose terms the search has, at random so far that some row changes by `distance`; heavy bodies move least.
 * Where no row changes at all there is nothing to tell how far, and q stays. */
static void shake(HolLeastGap *s, double distance)
{
    const HolPattern *p = s->pattern;
    double largest;
    for (int b = 0; b < p->block_count; ++b)
        for (int i = 0; i < hol_part_size(p->block_start, b); ++i)
            s->dq[p->block_start[b] + i] = number(s) / sqrt(*mass_of(s, b, i));
    hol_jacobian_times(p, s->D, s->dq, s->rows);
    sum_of_squares(s, s->rows, &largest);
    double factor = largest > 0 ? fmin(distance / largest, s->reach / hol_max_norm(p->nv, s->dq)) : 0;
    for (int j = 0; j < p->nv; ++j)
        s->dq[j] *= factor;
    hol_system_retract(s->work->system, s->q, s->dq, s->q);
}

/* Lets q be the given point, with its terms. */
static HolStatus stand(HolLeastGap *s, const double *q)
{
    memcpy(s->q, q, (size_t)s->pattern->nq * sizeof *q);
    HOL_TRY(evaluate(s, s->q));
    memset(s->size, 0, (size_t)s->pattern->m * sizeof *s->size);
    arrive(s);
    return HOL_OK;
}

/* A descent from beside the point. */
static HolStatus descend_beside(HolLeastGap *s, const double *q, double distance)
{
    HOL_TRY(stand(s, q));
    shake(s, distance);
    HOL_TRY(evaluate(s, s->q));
    return descend(s, COARSE);
}

static bool is_final(HolStatus status)
{
    return status != HOL_NO_CONVERGENCE && status != HOL_SINGULAR && status != HOL_NOT_FINITE;
}

/* Descents from elsewhere as long as they lead to something better now and then. The best point goes to q_best. */
static HolStatus search_on(HolLeastGap *s, const double *start, double first)
{
    double F = s->F, gap = s->gap;
    memcpy(s->q_best, s->q, (size_t)s->pattern->nq * sizeof *s->q);
    for (int in_vain = 0; in_vain < MOST_IN_VAIN && s->iterations < s->most_iterations; ++in_vain) {
        s->equal_masses = in_vain >= BESIDE_BEST;
        HolStatus status = in_vain < BESIDE_BEST ? descend_beside(s, s->q_best, in_vain == 0 ? 0.1 * gap : gap)
                                                 : descend_beside(s, start, first);
        if (is_final(status))
            return status;
        if (status != HOL_NO_CONVERGENCE || s->F >= F)
            continue;
        in_vain = s->F < BETTER * F ? -1 : in_vain;
        F = s->F;
        gap = s->gap;
        memcpy(s->q_best, s->q, (size_t)s->pattern->nq * sizeof *s->q);
    }
    return HOL_NO_CONVERGENCE;
}

/* The best point's own least gap, with the sizes that rows have there. */
static HolStatus settle(HolLeastGap *s)
{
    s->most_iterations = s->iterations + MORE_ITERATIONS;
    HOL_TRY(stand(s, s->q_best));
    return descend(s, FINE);
}

static HolStatus find(HolLeastGap *s, const double *start)
{
    HOL_TRY(stand(s, start));
    double first = s->gap;
    HolStatus status = descend(s, COARSE);
    if (status == HOL_NO_CONVERGENCE)
        status = search_on(s, start, first);
    return status == HOL_NO_CONVERGENCE ? settle(s) : status;
}

HolStatus hol_least_gap_find(HolLeastGap *search, double small, double t, double *q, const double *v)
{
    HolLeastGap *s = search;
    s->t = t;
    s->v = v;
    s->small = small;
    s->reach = 1 + hol_max_norm(s->pattern->nq, q);
    s->random = 1;
    s->equal_masses = false;
    s->most_iterations = s->iterations + MOST_ITERATIONS;
    HolStatus status = find(s, q);
    if (status == HOL_OK || status == HOL_NO_CONVERGENCE)
        memcpy(q, s->q, (size_t)s->pattern->nq * sizeof *q);
    HolStatus there = evaluate(s, q);
    return there == HOL_OK ? status : there;
}
