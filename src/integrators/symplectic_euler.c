/* SPDX-License-Identifier: BSD-3-Clause */
/* Symplectic (semi-implicit) Euler, order 1 (docs/methods/symplectic-euler.md): velocities first, then positions with
 * the new velocities.
 *
 *     v_1 = v_0 + h vdot(t_0, q_0, v_0)        (1)
 *     q_1 = q_0 + h N(q_0) v_1                 (2)
 *     W_1 = W_0 + h/2 (Wdot_0 + Wdot_1)         (3) */
#include "base/message.h"
#include "integrators/integrator.h"

#include <math.h>
#include <string.h>

typedef struct Symplectic {
    double *qdot; /* nq: N(q_0) v_1 */
} Symplectic;

static HolStatus symplectic_euler_create(HolArena *arena, const HolRates *rates, const void *options, void **self)
{
    (void)options;
    Symplectic *s = hol_arena_alloc(arena, sizeof *s);
    HOL_TRY(hol_arena_status(arena));
    s->qdot = hol_arena_doubles(arena, (size_t)rates->nq);
    *self = s;
    return s->qdot ? HOL_OK : HOL_NO_MEMORY;
}

/* y_1 = y_0 + h ydot over n numbers */
static void symplectic_euler_advance(int n, double h, const double *restrict y, const double *restrict ydot,
                                     double *restrict y1)
{
    for (int i = 0; i < n; ++i)
        y1[i] = y[i] + h * ydot[i];
}

static HolStatus symplectic_euler_step(void *self, HolRates *rates, const HolStepFrom *from, double *y_new)
{
    Symplectic *s = self;
    const int nq = rates->nq;
    symplectic_euler_advance(rates->size - nq, from->h, from->y + nq, from->ydot + nq,
                             y_new + nq); /* (1): all behind q */
    memcpy(y_new, from->y, (size_t)nq * sizeof *y_new);
    HOL_TRY(hol_rates_positions(rates, from->t, from->h, y_new, s->qdot)); /* at (q_0, v_1) */
    symplectic_euler_advance(nq, from->h, from->y, s->qdot, y_new);        /* (2) */
    hol_rates_integrate_work(rates, from, y_new);
    return HOL_OK;
}

/* The larger root of R^2 - (2 - c - k) R + 1 - c = 0: one step of x'' + c x' + k x = 0 with h = 1. A real z is a motion
 * without k. */
static double symplectic_euler_amplification(double re, double im)
{
    const double k = im != 0 ? re * re + im * im : 0, c = im != 0 ? -2 * re : -re;
    const double half = 1 - (c + k) / 2, product = 1 - c, square = half * half - product;
    return square < 0 ? sqrt(product) : fabs(half) + sqrt(square);
}

const HolIntegratorKind hol_symplectic_euler = {
    .name = "symplectic-euler",
    .title = "semi-implicit Euler, order 1, bounded energy error",
    .page = "docs/methods/symplectic-euler.md",
    .needs = HOL_SPLIT,
    .order = 1,
    .create = symplectic_euler_create,
    .step = symplectic_euler_step,
    .amplification = symplectic_euler_amplification,
};
