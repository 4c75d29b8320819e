/* SPDX-License-Identifier: BSD-3-Clause */
/* The terms of a system at a state, and which of its rows are independent there. */
#include "study/linear.h"

#include "base/message.h"
#include "linalg/blocks.h"
#include "linalg/independent_rows.h"
#include "linalg/saddle.h"

#include <math.h>
#include <string.h>

static const double DEPENDENT = 1e-9; /* a row whose sine to the others is less */
/* What may be left of accelerations or forces, in parts of the largest; and of forces, in parts of K (1 + |q|), where
 * they balance each other in Q and only rounding is left of it. */
static const double STEADY = 1e-6, ROUNDING = 1e-13;

static const double *copy(HolArena *arena, int n, const double *x)
{
    double *y = hol_arena_doubles(arena, (size_t)n);
    if (y && x)
        memcpy(y, x, (size_t)n * sizeof *y);
    return y;
}

static bool is_zero(int n, const double *x)
{
    return hol_max_norm(n, x) == 0;
}

static HolStatus choose_rows(HolLinear *l)
{
    const HolPattern *p = l->pattern;
    HolRowChoice *rows;
    if (p->m == 0)
        return HOL_OK;
    HolArena *scratch = hol_arena_create();
    HolStatus status = scratch ? hol_rows_create(scratch, p, &rows) : HOL_NO_MEMORY;
    if (status == HOL_OK)
        status = hol_rows_choose(rows, l->terms->D, DEPENDENT, l->left_out, &l->left_out_count);
    hol_arena_destroy(scratch);
    return status;
}

/* Seen from the turning frame velocities stay: vdot = W v. At rest forces are balanced: Q + D^T lambda = 0. */
static bool find_steady(HolLinear *l, double *x, double *y)
{
    const HolPattern *p = l->pattern;
    double left = 0, size = 0;
    memset(x, 0, (size_t)p->nv * sizeof *x);
    memset(y, 0, (size_t)p->nv * sizeof *y);
    if (l->is_at_rest) {
        hol_jacobian_add_transposed(p, l->terms->D, l->lambda, y);
        memcpy(x, l->terms->Q, (size_t)p->nv * sizeof *x);
        for (int j = 0; j < p->nv; ++j)
            left = fmax(left, fabs(x[j] + y[j]));
        size = hol_max_norm(p->nv, x) + hol_max_norm(p->nv, y);
        double K = hol_max_norm(p->tangent_start[p->tangent_count], l->terms->K);
        l->doubt = ROUNDING * (K + size) + left;
        if (left <= ROUNDING * K * (1 + hol_max_norm(p->nq, l->q)))
            return true;
    } else {
        if (l->turning.turn)
            l->turning.turn(l->turning.self, l->v, x, y);
        for (int j = 0; j < p->nv; ++j)
            left = fmax(left, fabs(l->vdot[j] - y[j]));
        size = hol_max_norm(p->nv, l->v) + hol_max_norm(p->nv, l->vdot) + hol_max_norm(p->nv, y);
    }
    return left <= STEADY * size;
}

/* The means of a step that the state tells are its own, Q + D^T lambda = M vdot, as those of slow motion are. */
static bool has_own_means(const HolLinear *l, double *x, double *y)
{
    const HolPattern *p = l->pattern;
    double left = 0;
    hol_mass_times(p, l->terms->M, l->vdot, x);
    memset(y, 0, (size_t)p->nv * sizeof *y);
    hol_jacobian_add_transposed(p, l->terms->D, l->lambda, y);
    for (int j = 0; j < p->nv; ++j)
        left = fmax(left, fabs(l->terms->Q[j] + y[j] - x[j]));
    double size = hol_max_norm(p->nv, x) + hol_max_norm(p->nv, y);
    double K = hol_max_norm(p->tangent_start[p->tangent_count], l->terms->K);
    return left <= STEADY * size + ROUNDING * K * (1 + hol_max_norm(p->nq, l->q));
}

static HolStatus copy_state(HolLinear *l, const HolState *at)
{
    const HolPattern *p = l->pattern;
    l->t = at->t;
    l->q = copy(l->arena, p->nq, at->q);
    l->v = copy(l->arena, p->nv, at->v);
    l->vdot = copy(l->arena, p->nv, at->vdot);
    l->lambda = copy(l->arena, p->m, at->lambda);
    l->left_out = hol_arena_alloc(l->arena, (size_t)p->m);
    l->K_symmetric = hol_arena_doubles(l->arena, (size_t)p->tangent_start[p->tangent_count]);
    return hol_arena_failed(l->arena) ? HOL_NO_MEMORY : HOL_OK;
}

static HolStatus evaluate(HolLinear *l, const HolState *at, HolMessage *message)
{
    const HolPattern *p = l->pattern;
    const HolPoint point = {l->t, l->q, l->v};
    double *x = hol_arena_doubles(l->arena, (size_t)p->nv), *y = hol_arena_doubles(l->arena, (size_t)p->nv);
    if (!x || !y)
        return HOL_NO_MEMORY;
    HOL_TRY(hol_terms_create(l->system, &l->terms));
    HOL_TRY(hol_system_evaluate(l->system, &point, HOL_WANT_MASS | HOL_WANT_FORCE | HOL_WANT_JACOBIAN, l->terms));
    HOL_TRY(hol_system_tangent(l->system, &point, l->vdot, l->lambda, l->terms));
    l->is_at_rest = is_zero(p->nv, l->v);
    l->is_steady = find_steady(l, x, y);
    if (at->q_before && !has_own_means(l, x, y))
        return hol_fail(
            message, HOL_UNSUPPORTED,
            "modes of '%s' at t = %g s need the stresses there, but steps of '%s' tell means: give the angular "
            "velocity of the frame in which the motion is steady, or run with generalized-alpha",
            hol_system_name(l->system), l->t, at->formulation ? at->formulation : "its formulation");
    hol_tangent_symmetric_part(p, l->terms->K, l->K_symmetric);
    return choose_rows(l);
}

HolStatus hol_linear_create(const HolSystem *system, const HolState *at, const HolModesOptions *options,
                            HolArena *arena, HolLinear *linear, HolMessage *message)
{
    const char *name = hol_system_name(system);
    *linear = (HolLinear){.system = system,
                          .pattern = hol_system_pattern(system),
                          .arena = arena,
                          .turning = options->turning,
                          .turns = options->turning.turn != NULL};
    if (!hol_system_has_tangent(system))
        return hol_fail(message, HOL_UNSUPPORTED, "'%s' has no tangent, which modes and equilibria are found by", name);
    if (!at->q || (!at->lambda && linear->pattern->m > 0))
        return hol_fail(message, HOL_BAD_INPUT, "modes of '%s' need q and lambda of a state", name);
    HOL_TRY(copy_state(linear, at));
    HolStatus status = evaluate(linear, at, message);
    if (status == HOL_NO_MEMORY || status == HOL_OK || status == HOL_UNSUPPORTED)
        return status;
    return hol_fail(message, status, "'%s' cannot be linearised at t = %g s: %s", name, at->t, hol_status_name(status));
}

void hol_linear_destroy(HolLinear *linear)
{
    hol_terms_destroy(linear->terms);
}
