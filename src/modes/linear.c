/* SPDX-License-Identifier: BSD-3-Clause */
/* The terms of a system at a state, and which of its rows are independent there. */
#include "modes/linear.h"

#include "base/message.h"
#include "base/tolerances.h"
#include "linalg/block/blocks.h"
#include "linalg/rank/independent_rows.h"
#include "linalg/sparse/saddle.h"

#include <math.h>
#include <string.h>

/* What may be left of accelerations or forces, relative to the largest; and of forces, relative to K (size + |q|),
 * where they balance each other in Q and only rounding is left of it. */
static const double STEADY = HOL_TOL_SAME, ROUNDING = HOL_TOL_ROUNDING;

static const double *linear_copy(HolArena *arena, int n, const double *x)
{
    double *y = hol_arena_doubles(arena, (size_t)n);
    if (y && x)
        memcpy(y, x, (size_t)n * sizeof *y);
    return y;
}

/* Q + D^T lambda - M vdot; y has D^T lambda. */
static double linear_imbalance(const HolLinear *l, double *x, const double *y)
{
    const HolPattern *p = l->pattern;
    hol_mass_times(p, l->terms->M, l->vdot, x);
    for (int j = 0; j < p->nv; ++j)
        x[j] = l->terms->Q[j] + y[j] - x[j];
    return hol_force_norm(p, x);
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
        for (int j = 0; j < p->nv; ++j)
            x[j] = l->terms->Q[j] + y[j];
        left = hol_force_norm(p, x);
        size = hol_force_norm(p, l->terms->Q) + hol_force_norm(p, y);
        double K = hol_stiffness_norm(p, l->terms->K);
        bool is_steady = left <= fmax(STEADY * size, ROUNDING * K * hol_position_size(p, l->q));
        /* What is left at an equilibrium belongs to its inaccuracy; far from one it accelerates the system. */
        l->uncertainty = ROUNDING * (K + size / p->arm) + (is_steady ? left : linear_imbalance(l, x, y)) / p->arm;
        return is_steady;
    } else {
        if (l->turning.turn)
            l->turning.turn(l->turning.self, l->v, x, y);
        for (int j = 0; j < p->nv; ++j)
            x[j] = l->vdot[j] - y[j];
        left = hol_motion_norm(p, x);
        size = hol_motion_norm(p, l->v) + hol_motion_norm(p, l->vdot) + hol_motion_norm(p, y);
    }
    return left <= STEADY * size;
}

/* Whether the means of a step balance at the state, Q + D^T lambda = M vdot, as for slow motion. */
static bool has_own_means(const HolLinear *l, double *x, double *y)
{
    const HolPattern *p = l->pattern;
    hol_mass_times(p, l->terms->M, l->vdot, x);
    memset(y, 0, (size_t)p->nv * sizeof *y);
    hol_jacobian_add_transposed(p, l->terms->D, l->lambda, y);
    double size = hol_force_norm(p, x) + hol_force_norm(p, y), K = hol_stiffness_norm(p, l->terms->K);
    return linear_imbalance(l, x, y) <= STEADY * size + ROUNDING * K * hol_position_size(p, l->q);
}

static HolStatus copy_state(HolLinear *l, const HolState *at)
{
    const HolPattern *p = l->pattern;
    l->t = at->t;
    l->q = linear_copy(l->arena, p->nq, at->q);
    l->v = linear_copy(l->arena, p->nv, at->v);
    l->vdot = linear_copy(l->arena, p->nv, at->vdot);
    l->lambda = linear_copy(l->arena, p->m, at->lambda);
    l->left_out = hol_arena_alloc(l->arena, (size_t)p->m);
    l->K_symmetric = hol_arena_doubles(l->arena, (size_t)p->tangent_start[p->tangent_count]);
    return hol_arena_status(l->arena);
}

static HolStatus linear_evaluate(HolLinear *l, const HolState *at, HolMessage *message)
{
    const HolPattern *p = l->pattern;
    const HolPoint point = {l->t, l->q, l->v};
    double *x = hol_arena_doubles(l->arena, (size_t)p->nv), *y = hol_arena_doubles(l->arena, (size_t)p->nv);
    if (!x || !y)
        return HOL_NO_MEMORY;
    HOL_TRY(hol_terms_create(l->system, &l->terms));
    HOL_TRY(hol_system_evaluate(l->system, &point, HOL_WANT_MASS | HOL_WANT_FORCE | HOL_WANT_JACOBIAN, l->terms));
    HOL_TRY(hol_system_tangent(l->system, &point, l->vdot, l->lambda, l->terms));
    l->is_at_rest = hol_max_norm(p->nv, l->v) == 0;
    l->is_steady = find_steady(l, x, y);
    if (at->q_before && !has_own_means(l, x, y))
        return hol_fail(
            message, HOL_UNSUPPORTED,
            "modes of '%s' at t = %g s need the stresses there, but steps of '%s' report means of a step; give "
            "the angular velocity of the frame in which the motion is steady, or run with generalized-alpha",
            hol_system_name(l->system), l->t, at->formulation ? at->formulation : "its formulation");
    hol_tangent_symmetric_part(p, l->terms->K, l->K_symmetric);
    if (p->m == 0)
        return HOL_OK;
    return hol_rows_choose_once(p, l->terms->D, HOL_TOL_RANK, l->left_out, &l->left_out_count);
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
        return hol_fail(message, HOL_UNSUPPORTED, "'%s' has no tangent: static equilibrium and modes need one", name);
    if (!at->q || (!at->lambda && linear->pattern->m > 0))
        return hol_fail(message, HOL_BAD_INPUT, "modes of '%s' need q and lambda of a state", name);
    HOL_TRY(copy_state(linear, at));
    HolStatus status = linear_evaluate(linear, at, message);
    if (status == HOL_NO_MEMORY || status == HOL_OK || status == HOL_UNSUPPORTED)
        return status;
    return hol_fail(message, status, "'%s' cannot be linearised at t = %g s: %s", name, at->t,
                    hol_status_cause(status));
}

void hol_linear_destroy(HolLinear *linear)
{
    hol_terms_destroy(linear->terms);
}
