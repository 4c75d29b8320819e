/* SPDX-License-Identifier: BSD-3-Clause */
#include "formulations/secant.h"

#include "base/message.h"

#include <math.h>
#include <string.h>

static const double DEPENDENT = 1e-8; /* what is left of a difference that tells nothing new */

HolStatus hol_secant_create(HolArena *arena, int n, HolSecant **secant)
{
    HolSecant *s = hol_arena_alloc(arena, sizeof *s);
    if (!s)
        return HOL_NO_MEMORY;
    *secant = s;
    s->n = n;
    for (int i = 0; i < HOL_SECANT_DEPTH; ++i) {
        s->F[i] = hol_arena_doubles(arena, (size_t)n);
        s->X[i] = hol_arena_doubles(arena, (size_t)n);
    }
    s->f = hol_arena_doubles(arena, (size_t)n);
    s->step = hol_arena_doubles(arena, (size_t)n);
    return hol_arena_failed(arena) ? HOL_NO_MEMORY : HOL_OK;
}

void hol_secant_begin(HolSecant *secant)
{
    secant->count = secant->passes = 0;
}

static double dot(int n, const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < n; ++i)
        sum += x[i] * y[i];
    return sum;
}

static void add(int n, double factor, const double *x, double *y)
{
    for (int i = 0; i < n; ++i)
        y[i] += factor * x[i];
}

/* The pair (F, X) of this pass takes the last place, orthogonal to the others: the oldest makes room for it. */
static void learn(HolSecant *s, const double *f)
{
    int n = s->n;
    if (s->count == HOL_SECANT_DEPTH) {
        double *F = s->F[0], *X = s->X[0];
        memmove(s->F, s->F + 1, (HOL_SECANT_DEPTH - 1) * sizeof *s->F);
        memmove(s->X, s->X + 1, (HOL_SECANT_DEPTH - 1) * sizeof *s->X);
        s->F[HOL_SECANT_DEPTH - 1] = F;
        s->X[HOL_SECANT_DEPTH - 1] = X;
        --s->count;
    }
    double *F = s->F[s->count], *X = s->X[s->count];
    for (int i = 0; i < n; ++i) {
        F[i] = f[i] - s->f[i];
        X[i] = s->step[i];
    }
    double size = sqrt(dot(n, F, F));
    for (int k = 0; k < s->count; ++k) {
        double along = dot(n, s->F[k], F);
        add(n, -along, s->F[k], F);
        add(n, -along, s->X[k], X);
    }
    double left = sqrt(dot(n, F, F));
    if (!(left > DEPENDENT * size))
        return;
    for (int i = 0; i < n; ++i) {
        F[i] /= left;
        X[i] /= left;
    }
    ++s->count;
}

void hol_secant_improve(HolSecant *secant, double *f)
{
    HolSecant *s = secant;
    if (s->passes++ > 0)
        learn(s, f);
    memcpy(s->f, f, (size_t)s->n * sizeof *f);
    memcpy(s->step, f, (size_t)s->n * sizeof *f);
    for (int k = 0; k < s->count; ++k) {
        double gamma = dot(s->n, s->F[k], f);
        add(s->n, -gamma, s->X[k], s->step);
        add(s->n, -gamma, s->F[k], s->step);
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
