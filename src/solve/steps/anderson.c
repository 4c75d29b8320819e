/* SPDX-License-Identifier: BSD-3-Clause */
#include "solve/steps/anderson.h"

#include "base/message.h"
#include "base/tolerances.h"
#include "linalg/block/blocks.h"

#include <math.h>
#include <string.h>

static const double DEPENDENT =
    HOL_TOL_HALF; /* relative remainder of a difference that depends linearly on the others */

static void anderson_add_depth(HolArena *arena, HolAnderson *s, int depth)
{
    for (; s->depth < depth; ++s->depth) {
        HOL_DOUBLES(arena, s->n, &s->F[s->depth], &s->X[s->depth]);
    }
}

HolStatus hol_anderson_create(HolArena *arena, int n, HolAnderson **anderson)
{
    HolAnderson *s = hol_arena_alloc(arena, sizeof *s);
    HOL_TRY(hol_arena_status(arena));
    *anderson = s;
    s->n = n;
    anderson_add_depth(arena, s, HOL_ANDERSON_DEPTH);
    HOL_DOUBLES(arena, n, &s->f, &s->step);
    return hol_arena_status(arena);
}

HolStatus hol_anderson_deepen(HolArena *arena, HolAnderson *anderson)
{
    anderson_add_depth(arena, anderson, HOL_ANDERSON_DEEP);
    return hol_arena_status(arena);
}

void hol_anderson_begin(HolAnderson *anderson)
{
    anderson->count = anderson->passes = 0;
}

/* Appends the pair (F, X) of this iteration, orthogonalised against the others; the oldest is discarded. */
static void anderson_store(HolAnderson *s, const double *f)
{
    int n = s->n;
    if (s->count == s->depth) {
        double *F = s->F[0], *X = s->X[0];
        memmove(s->F, s->F + 1, ((size_t)s->depth - 1) * sizeof *s->F);
        memmove(s->X, s->X + 1, ((size_t)s->depth - 1) * sizeof *s->X);
        s->F[s->depth - 1] = F;
        s->X[s->depth - 1] = X;
        --s->count;
    }
    double *F = s->F[s->count], *X = s->X[s->count];
    for (int i = 0; i < n; ++i) {
        F[i] = f[i] - s->f[i];
        X[i] = s->step[i];
    }
    double size = sqrt(hol_inner_product(n, F, F));
    for (int k = 0; k < s->count; ++k) {
        double along = hol_inner_product(n, s->F[k], F);
        hol_add_scaled(n, -along, s->F[k], F);
        hol_add_scaled(n, -along, s->X[k], X);
    }
    double left = sqrt(hol_inner_product(n, F, F));
    if (!(left > DEPENDENT * size))
        return;
    for (int i = 0; i < n; ++i) {
        F[i] /= left;
        X[i] /= left;
    }
    ++s->count;
}

void hol_anderson_accelerate(HolAnderson *s, double *f)
{
    if (s->passes++ > 0)
        anderson_store(s, f);
    memcpy(s->f, f, (size_t)s->n * sizeof *f);
    memcpy(s->step, f, (size_t)s->n * sizeof *f);
    for (int k = 0; k < s->count; ++k) {
        double gamma = hol_inner_product(s->n, s->F[k], f);
        hol_add_scaled(s->n, -gamma, s->X[k], s->step);
        hol_add_scaled(s->n, -gamma, s->F[k], s->step);
    }
    memcpy(f, s->step, (size_t)s->n * sizeof *f);
}

HolProgress hol_progress_begin(void)
{
    return (HolProgress){HUGE_VAL, HUGE_VAL, 0};
}

void hol_progress_note(HolProgress *progress, double change)
{
    progress->change = change;
    ++progress->since;
    if (change < progress->best / 2) {
        progress->best = change;
        progress->since = 0;
    }
}
