/* SPDX-License-Identifier: BSD-3-Clause */
#include "formulations/chord.h"

#include "base/message.h"
#include "linalg/blocks.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double ROUNDINGS = 16;           /* that a miss may be explained by */
static const double ROUNDING_OF_REST = 1e-13; /* along a row, in parts of its size and of 1 + |q| */

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
    c->zero = hol_arena_doubles(setup->arena, (size_t)p->nv);
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
    HOL_TRY(hol_workspace_need(work, HOL_WANT_PHI | (hol_system_has_chord(work->system) ? 0 : HOL_WANT_ENERGY)));
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

/* -grad V . delta in the middle, and how large its parts are. */
static HolStatus follow_potential(HolChord *c, HolWorkspace *work, double *done, double *size)
{
    const HolTerms *terms = work->terms;
    hol_workspace_move(work, c->t, c->q, c->delta);
    HOL_TRY(hol_workspace_need(work, HOL_WANT_MASS | HOL_WANT_FORCE));
    *done = -terms->power;
    *size = 0;
    for (int i = 0; i < c->pattern->nv; ++i) {
        *done += terms->Q[i] * c->delta[i];
        *size += fabs(terms->Q[i] * c->delta[i]);
    }
    return HOL_OK;
}

/* What (4) adds, into Q. */
static HolStatus complete_force(HolChord *c, HolWorkspace *work)
{
    const HolPattern *p = c->pattern;
    double V_a = c->a.potential, V_b = c->b.potential, done, size, square = 0;
    HOL_TRY(follow_potential(c, work, &done, &size));
    double miss = V_b - V_a + done;
    if (fabs(miss) <= ROUNDINGS * DBL_EPSILON * (size + fabs(V_a) + fabs(V_b)))
        return HOL_OK;
    hol_mass_times(p, work->terms->M, c->delta, c->x);
    for (int i = 0; i < p->nv; ++i)
        square += c->x[i] * c->delta[i];
    for (int i = 0; i < p->nv && square > 0; ++i)
        c->Q[i] = -miss / square * c->x[i];
    return HOL_OK;
}

HolStatus hol_chord_end(HolChord *chord, HolWorkspace *work, const double *q_b, const double *delta, const double *v)
{
    HolChord *c = chord;
    const HolPattern *p = c->pattern;
    const HolTerms *terms = work->terms;
    bool knows = hol_system_has_chord(work->system);
    c->delta = delta;
    HOL_TRY(look_at_end(c, work, q_b, &c->b));
    for (int i = 0; i < p->nq; ++i)
        c->q[i] = c->a.q[i] + 0.5 * delta[i];
    memset(c->Q, 0, (size_t)p->nv * sizeof *c->Q);
    if (!knows)
        HOL_TRY(complete_force(c, work));
    memcpy(c->v, v, (size_t)p->nv * sizeof *v);
    hol_workspace_move(work, c->t, c->q, c->v);
    HOL_TRY(hol_workspace_need(work, HOL_WANT_MASS | HOL_WANT_FORCE | HOL_WANT_JACOBIAN | HOL_WANT_NU));
    complete_rows(c, terms);
    memcpy(c->nu, terms->nu, (size_t)p->m * sizeof *c->nu);
    c->along_v = 0;
    for (int i = 0; i < p->nv; ++i)
        c->along_v += terms->Q[i] * delta[i];
    if (knows)
        HOL_TRY(hol_system_chord(work->system, &work->at, c->a.q, q_b, work->terms));
    for (int i = 0; i < p->nv; ++i)
        c->Q[i] += terms->Q[i];
    work->have &= ~(unsigned)(knows ? HOL_WANT_FORCE : 0);
    return HOL_OK;
}

/* vdot does not matter where M is constant. */
HolStatus hol_chord_tangent(const HolChord *chord, HolWorkspace *work, const double *lambda)
{
    HolPoint middle = {chord->t, chord->q, chord->v};
    HOL_TRY(hol_system_tangent(work->system, &middle, chord->zero, lambda, work->terms));
    return hol_system_chord_tangent(work->system, &middle, chord->a.q, chord->b.q, work->terms);
}

HolStatus hol_chord_work(HolChord *chord, HolWorkspace *work, const double *lambda, double *done)
{
    const HolPattern *p = chord->pattern;
    double potential, size;
    HOL_TRY(follow_potential(chord, work, &potential, &size));
    *done = chord->along_v - potential;
    if (fabs(*done) <= ROUNDINGS * DBL_EPSILON * size)
        *done = 0;
    hol_jacobian_times(p, chord->B, chord->delta, chord->along);
    chord->leak = 0;
    double rounding = ROUNDING_OF_REST * (1 + hol_max_norm(p->nq, chord->q));
    bool may_move = !hol_system_is_scleronomic(work->system);
    for (int i = 0; i < p->m; ++i) { /* a row that rests in the middle may move before and behind it */
        bool moves = may_move && (chord->nu[i] != 0 || fabs(chord->along[i]) > rounding * chord->size[i]);
        *(moves ? done : &chord->leak) += lambda[i] * chord->along[i];
    }
    return HOL_OK;
}
