/* SPDX-License-Identifier: BSD-3-Clause */
#include "solve/steps/velocity_jump.h"

#include "base/message.h"
#include "base/tolerances.h"
#include "linalg/block/blocks.h"

#include <math.h>
#include <string.h>

enum { MOST_ITERATIONS = 8 };

HolStatus hol_velocity_jump_create(const HolSetup *setup, HolVelocityJump **jump)
{
    const HolPattern *p = hol_system_pattern(setup->system);
    HolVelocityJump *s = hol_arena_alloc(setup->arena, sizeof *s);
    HOL_TRY(hol_arena_status(setup->arena));
    *jump = s;
    s->pattern = p;
    s->D = hol_arena_doubles(setup->arena, (size_t)p->pair_start[p->pair_count]);
    HOL_DOUBLES(setup->arena, p->nv, &s->b, &s->before);
    HOL_DOUBLES(setup->arena, p->m, &s->mu, &s->y);
    HOL_TRY(hol_arena_status(setup->arena));
    return hol_penalty_matrix_create(setup->arena, p, true, &s->matrix);
}

HolStatus hol_velocity_jump_begin(HolVelocityJump *jump, const HolTerms *terms, double c, const double *w)
{
    const HolPattern *p = jump->pattern;
    HolSlopes slopes = {terms->K, terms->K, c, 0};
    memcpy(jump->D, terms->D, (size_t)p->pair_start[p->pair_count] * sizeof *jump->D);
    memset(jump->b, 0, (size_t)p->nv * sizeof *jump->b);
    memset(jump->mu, 0, (size_t)p->m * sizeof *jump->mu);
    jump->w = w;
    return hol_penalty_matrix_factor(jump->matrix, terms->M, &slopes, jump->D, w);
}

/* (2) */
static void jump_iterate(HolVelocityJump *s, const double *f, double *b)
{
    const HolPattern *p = s->pattern;
    memcpy(b, f, (size_t)p->nv * sizeof *b);
    hol_jacobian_add_transposed(p, s->D, s->mu, b);
    hol_penalty_matrix_solve(s->matrix, b);
    hol_jacobian_times(p, s->D, b, s->y);
    for (int i = 0; i < p->m; ++i)
        s->mu[i] -= s->w[i] * s->y[i];
}

void hol_velocity_jump_solve(HolVelocityJump *jump, const double *f)
{
    static const double ENOUGH = HOL_TOL_ROUNDING;
    const int nv = jump->pattern->nv;
    double change = HUGE_VAL, size = 0;
    for (int k = 0; k < MOST_ITERATIONS && change > ENOUGH * size; ++k) {
        memcpy(jump->before, jump->b, (size_t)nv * sizeof *jump->b);
        jump_iterate(jump, f, jump->b);
        hol_add_scaled(nv, -1, jump->b, jump->before);
        change = hol_motion_norm(jump->pattern, jump->before);
        size = hol_motion_norm(jump->pattern, jump->b);
    }
}
