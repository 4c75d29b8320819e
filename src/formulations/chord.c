/* SPDX-License-Identifier: BSD-3-Clause */
#include "formulations/chord.h"

#include "base/message.h"
#include "linalg/blocks.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double ROUNDINGS = 64; /* that a miss may be explained by */

HolStatus hol_chord_create(const HolSetup *setup, HolChord **chord)
{
    const HolPattern *p = hol_system_pattern(setup->system);
    HolChord *c = hol_arena_alloc(setup->arena, sizeof *c);
    if (!c)
        return HOL_NO_MEMORY;
    *chord = c;
    c->pattern = p;
    c->a.Phi = hol_arena_doubles(setup->arena, (size_t)p->nh);
    c->b.Phi = hol_arena_doubles(setup->arena, (size_t)p->nh);
    c->q = hol_arena_doubles(setup->arena, (size_t)p->nq);
    c->v = hol_arena_doubles(setup->arena, (size_t)p->nv);
    c->B = hol_arena_doubles(setup->arena, (size_t)p->pair_start[p->pair_count]);
    c->Q = hol_arena_doubles(setup->arena, (size_t)p->nv);
    c->nu = hol_arena_doubles(setup->arena, (size_t)p->m);
    c->x = hol_arena_doubles(setup->arena, (size_t)p->nv);
    c->size = hol_arena_doubles(setup->arena, (size_t)p->m);
    c->along = hol_arena_doubles(setup->arena, (size_t)p->m);
    return hol_arena_failed(setup->arena) ? HOL_NO_MEMORY : HOL_OK;
}

/* Phi and V, for which the velocity does not matter. */
static HolStatus look_at_end(HolChord *c, HolWorkspace *work, const double *q, HolChordEnd *end)
{
    end->q = q;
    hol_workspace_move(work, c->t, q, c->v);
    HOL_TRY(hol_workspace_need(work, HOL_WANT_PHI | HOL_WANT_ENERGY));
    memcpy(end->Phi, work->terms->Phi, (size_t)c->pattern->nh * sizeof *end->Phi);
    end->potential = work->terms->potential;
    return HOL_OK;
}

HolStatus hol_chord_begin(HolChord *chord, HolWorkspace *work, double t, const double *q_a)
{
    chord->t = t;
    return look_at_end(chord, work, q_a, &chord->a);
}

/* (3) for the rows of one group. */
static void complete_group(HolChord *c, int g, double scale)
{
    const HolPattern *p = c->pattern;
    double square = 0;
    for (int i = p->group_pairs[g]; i < p->group_pairs[g + 1]; ++i)
        for (int k = p->block_start[p->pairs[i].column]; k < p->block_start[p->pairs[i].column + 1]; ++k)
            square += c->delta[k] * c->delta[k];
    for (int row = p->group_start[g]; row < p->group_start[g + 1] && square > 0; ++row) {
        double miss = c->b.Phi[row] - c->a.Phi[row] - c->along[row];
        if (fabs(miss) <= ROUNDINGS * DBL_EPSILON * c->size[row] * scale)
            continue;
        for (int i = p->group_pairs[g]; i < p->group_pairs[g + 1]; ++i) {
            int start = p->block_start[p->pairs[i].column], n = hol_part_size(p->block_start, p->pairs[i].column);
            double *B = c->B + p->pair_start[i] + (row - p->group_start[g]) * n;
            for (int k = 0; k < n; ++k)
                B[k] += miss / square * c->delta[start + k];
        }
    }
}

static void complete_rows(HolChord *c, const HolTerms *terms)
{
    const HolPattern *p = c->pattern;
    double scale = 1 + hol_max_norm(p->nq, c->q);
    memcpy(c->B, terms->D, (size_t)p->pair_start[p->pair_count] * sizeof *c->B);
    hol_jacobian_row_sizes(p, c->B, c->size);
    hol_jacobian_times(p, c->B, c->delta, c->along);
    for (int g = 0; g < p->group_count && p->group_start[g] < p->nh; ++g)
        complete_group(c, g, scale);
}

/* (3) for the potential; the workspace stands in the middle, with delta for the velocity. Returns -grad V . delta. */
static double complete_force(HolChord *c, const HolTerms *terms)
{
    const HolPattern *p = c->pattern;
    double V_a = c->a.potential, V_b = c->b.potential, done = -terms->power, size = fabs(V_a) + fabs(V_b), square = 0;
    for (int i = 0; i < p->nv; ++i) {
        done += terms->Q[i] * c->delta[i];
        size += fabs(terms->Q[i] * c->delta[i]);
    }
    double miss = V_b - V_a + done;
    if (fabs(miss) <= ROUNDINGS * DBL_EPSILON * size)
        return done;
    hol_mass_times(p, terms->M, c->delta, c->x);
    for (int i = 0; i < p->nv; ++i)
        square += c->x[i] * c->delta[i];
    for (int i = 0; i < p->nv && square > 0; ++i)
        c->Q[i] -= miss / square * c->x[i];
    return done;
}

HolStatus hol_chord_end(HolChord *chord, HolWorkspace *work, const double *q_b, const double *delta, const double *v)
{
    HolChord *c = chord;
    const HolPattern *p = c->pattern;
    c->delta = delta;
    HOL_TRY(look_at_end(c, work, q_b, &c->b));
    for (int i = 0; i < p->nq; ++i)
        c->q[i] = c->a.q[i] + 0.5 * delta[i];
    hol_workspace_move(work, c->t, c->q, delta);
    HOL_TRY(hol_workspace_need(work, HOL_WANT_MASS | HOL_WANT_FORCE));
    memset(c->Q, 0, (size_t)p->nv * sizeof *c->Q);
    c->work = -complete_force(c, work->terms);
    memcpy(c->v, v, (size_t)p->nv * sizeof *v);
    hol_workspace_move(work, c->t, c->q, c->v);
    HOL_TRY(hol_workspace_need(work, HOL_WANT_MASS | HOL_WANT_FORCE | HOL_WANT_JACOBIAN | HOL_WANT_NU));
    complete_rows(c, work->terms);
    for (int i = 0; i < p->nv; ++i) {
        c->Q[i] += work->terms->Q[i];
        c->work += work->terms->Q[i] * delta[i];
    }
    memcpy(c->nu, work->terms->nu, (size_t)p->m * sizeof *c->nu);
    return HOL_OK;
}

double hol_chord_work(HolChord *chord, const double *lambda)
{
    const HolPattern *p = chord->pattern;
    double sum = chord->work;
    hol_jacobian_times(p, chord->B, chord->delta, chord->along);
    for (int i = 0; i < p->m; ++i)
        if (chord->nu[i] != 0)
            sum += lambda[i] * chord->along[i];
    return sum;
}
