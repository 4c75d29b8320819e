/* SPDX-License-Identifier: BSD-3-Clause */
#include "solve/inverse.h"

#include "base/message.h"
#include "linalg/block/blocks.h"
#include "linalg/rank/rank.h"

#include <math.h>

/* A direction that was unconstrained at the previous accepted state counts only if its pivot exceeds what the present
 * violation causes in redundant rows; at accepted states this requires at most MOST. */
static const double PIVOT_PER_VIOLATION = 0.1 * HOL_TOL_RANK_PER_VIOLATION, MOST = HOL_TOL_RANK_MOST;

/* The number of pivots above the tolerance; those beyond the rank of the accepted state must exceed it by more. */
static int count_pivots(const HolInverse *s, double extra)
{
    double largest = s->space->found > 0 ? hol_row_space_pivot(s->space, 0) : 0, least = s->rank_tolerance;
    int rank = 0;
    while (rank < s->space->found && rank < s->most &&
           hol_row_space_pivot(s->space, rank) > largest * (rank < s->rank ? least : fmax(least, extra)))
        ++rank;
    return rank;
}

static HolStatus factor_rows(HolInverse *s, const HolTerms *terms)
{
    s->stamp = -1;
    hol_jacobian_dense_scaled(s->pattern, terms->D, s->D, s->size);
    return hol_row_space_factor(s->space, s->D, s->one ? s->one : s->size);
}

HolStatus hol_inverse_factor(HolInverse *s, HolWorkspace *work)
{
    if (s->stamp == work->stamp)
        return HOL_OK;
    HOL_TRY(factor_rows(s, work->terms));
    HOL_TRY(hol_row_space_set_rank(
        s->space,
        count_pivots(s, PIVOT_PER_VIOLATION * hol_relative_violation(s->pattern, work->terms->D, work->terms->Phi))));
    hol_row_space_free_directions(s->space, s->reduced->Z);
    hol_times_units(s->pattern, s->pattern->nv - s->space->rank, s->reduced->Z);
    HOL_TRY(hol_reduced_factor(s->reduced, work->terms, s->pattern->nv - s->space->rank));
    s->stamp = work->stamp;
    return HOL_OK;
}

void hol_inverse_solve(HolInverse *s, const HolTerms *terms, const double *f, const double *c, double *x,
                       double *lambda)
{
    for (int i = 0; s->one && i < s->rows; ++i)
        s->c[i] = c[i] / s->size[i];
    hol_row_space_solve(s->space, s->one ? s->c : c, x); /* (2) */
    hol_times_units(s->pattern, 1, x);
    hol_reduced_solve(s->reduced, terms, f, x); /* (3) */
    hol_reduced_force(s->reduced, terms, f, x);
    hol_times_units(s->pattern, 1, s->reduced->force);
    hol_row_space_solve_transposed(s->space, s->reduced->force, lambda); /* (4) */
    for (int i = 0; s->one && i < s->rows; ++i)
        lambda[i] /= s->size[i];
    for (int i = s->rows; i < s->pattern->m; ++i)
        lambda[i] = 0;
}

HolStatus hol_inverse_count(HolInverse *s, HolWorkspace *work)
{
    HOL_TRY(hol_workspace_need(work, HOL_WANT_PHI | HOL_WANT_JACOBIAN));
    if (s->stamp != work->stamp)
        HOL_TRY(factor_rows(s, work->terms));
    s->rank = count_pivots(
        s, fmin(MOST, PIVOT_PER_VIOLATION * hol_relative_violation(s->pattern, work->terms->D, work->terms->Phi)));
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
    HOL_TRY(hol_arena_status(setup->arena));
    *inverse = s;
    *s = (HolInverse){.pattern = p, .rows = rows, .most = rows, .rank_tolerance = rank_tolerance, .stamp = -1};
    s->D = hol_arena_doubles(setup->arena, m * nv);
    s->size = hol_arena_doubles(setup->arena, m);
    HOL_TRY(hol_arena_status(setup->arena));
    HOL_TRY(hol_row_space_create(setup->arena, rows, p->nv, &s->space));
    HOL_TRY(hol_reduced_create(setup, &s->reduced));
    return hol_inverse_count(s, setup->work);
}

HolStatus hol_inverse_scale_rows(const HolSetup *setup, HolInverse *inverse)
{
    HOL_DOUBLES(setup->arena, inverse->rows, &inverse->one, &inverse->c);
    HOL_TRY(hol_arena_status(setup->arena));
    for (int i = 0; i < inverse->rows; ++i)
        inverse->one[i] = 1;
    inverse->stamp = -1;
    return HOL_OK;
}

void hol_inverse_archive(HolInverse *s, HolArchive *archive)
{
    if (!s)
        return;
    hol_archive_int(archive, &s->rank, 0, s->rows);
    hol_archive_int(archive, &s->most, 0, s->rows);
}
