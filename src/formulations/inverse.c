/* SPDX-License-Identifier: BSD-3-Clause */
#include "formulations/inverse.h"

#include "base/message.h"
#include "linalg/blocks.h"

#include <math.h>

/* A direction that the rows did not hold at the accepted state before counts only if its pivot exceeds what the present
 * violation makes of redundant rows; at accepted states this asks for no more than MOST. */
static const double PIVOT_PER_VIOLATION = 10, MOST = 1e-3;

/* The number of pivots above the tolerance, of which more are asked beyond those of the accepted state. */
static int count_pivots(const HolInverse *s, double extra)
{
    double largest = s->space->found > 0 ? hol_row_space_pivot(s->space, 0) : 0, least = s->rank_tolerance;
    int rank = 0;
    while (rank < s->space->found &&
           hol_row_space_pivot(s->space, rank) > largest * (rank < s->rank ? least : fmax(least, extra)))
        ++rank;
    return rank;
}

/* max |Phi_i| / max_j |D_ij| */
static double violation(const HolInverse *s, const HolTerms *terms)
{
    double largest = 0;
    for (int i = 0; i < s->pattern->nh; ++i)
        largest = fmax(largest, fabs(terms->Phi[i]) / s->size[i]);
    return largest;
}

static HolStatus factor_rows(HolInverse *s, const HolTerms *terms)
{
    s->stamp = -1;
    hol_jacobian_dense_scaled(s->pattern, terms->D, s->D, s->size);
    return hol_row_space_factor(s->space, s->D, s->size);
}

HolStatus hol_inverse_factor(HolInverse *inverse, HolWorkspace *work)
{
    HolInverse *s = inverse;
    if (s->stamp == work->stamp)
        return HOL_OK;
    HOL_TRY(factor_rows(s, work->terms));
    HOL_TRY(hol_row_space_set_rank(s->space, count_pivots(s, PIVOT_PER_VIOLATION * violation(s, work->terms))));
    hol_row_space_free_directions(s->space, s->admissible->Z);
    HOL_TRY(hol_admissible_factor(s->admissible, work->terms, s->pattern->nv - s->space->rank));
    s->stamp = work->stamp;
    return HOL_OK;
}

void hol_inverse_solve(HolInverse *inverse, const HolTerms *terms, const double *f, const double *c, double *x,
                       double *lambda)
{
    HolInverse *s = inverse;
    hol_row_space_solve(s->space, c, x);             /* (2) */
    hol_admissible_move(s->admissible, terms, f, x); /* (3) */
    hol_admissible_force(s->admissible, terms, f, x);
    hol_row_space_solve_transposed(s->space, s->admissible->force, lambda); /* (4) */
    for (int i = s->rows; i < s->pattern->m; ++i)
        lambda[i] = 0;
}

HolStatus hol_inverse_count(HolInverse *inverse, HolWorkspace *work)
{
    HolInverse *s = inverse;
    HOL_TRY(hol_workspace_need(work, HOL_WANT_PHI | HOL_WANT_JACOBIAN));
    if (s->stamp != work->stamp)
        HOL_TRY(factor_rows(s, work->terms));
    s->rank = count_pivots(s, fmin(MOST, PIVOT_PER_VIOLATION * violation(s, work->terms)));
    if (s->rank != s->space->rank)
        s->stamp = -1;
    return HOL_OK;
}

double hol_inverse_pivot(const HolInverse *inverse)
{
    const HolRowSpace *space = inverse->space;
    double quality = space->rank > 0 ? hol_row_space_pivot(space, space->rank - 1) / hol_row_space_pivot(space, 0) : 1;
    return quality * quality;
}

HolStatus hol_inverse_create(const HolSetup *setup, int rows, double rank_tolerance, HolInverse **inverse)
{
    const HolPattern *p = hol_system_pattern(setup->system);
    size_t m = (size_t)p->m, nv = (size_t)p->nv;
    HolInverse *s = hol_arena_alloc(setup->arena, sizeof *s);
    if (!s)
        return HOL_NO_MEMORY;
    *inverse = s;
    *s = (HolInverse){.pattern = p, .rows = rows, .rank_tolerance = rank_tolerance, .stamp = -1};
    s->D = hol_arena_doubles(setup->arena, m * nv);
    s->size = hol_arena_doubles(setup->arena, m);
    if (hol_arena_failed(setup->arena))
        return HOL_NO_MEMORY;
    HOL_TRY(hol_row_space_create(setup->arena, rows, p->nv, &s->space));
    HOL_TRY(hol_admissible_create(setup, &s->admissible));
    return hol_inverse_count(s, setup->work);
}
