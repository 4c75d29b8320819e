/* SPDX-License-Identifier: BSD-3-Clause */
#include "linalg/rank/left_null_space.h"

#include "base/message.h"
#include "base/tolerances.h"
#include "linalg/block/blocks.h"

#include <string.h>

static const double ROUNDING = HOL_TOL_PIVOT;
/* Below this the rows kept are about to depend on each other; pivots are squares. */
static const double LEAST_PIVOT = HOL_TOL_RANK_STILL * HOL_TOL_RANK_STILL;
/* Solutions with D D^T lose twice the digits that D loses; each refinement wins them back. */
enum { REFINEMENTS = 2 };

struct HolLeftNullSpace {
    const HolPattern *pattern;
    const double *D;
    double *scaled; /* D in units, if the lever arm is not 1 */
    const unsigned char *left_out;
    HolSchur *schur;                           /* D D^T of the rows kept */
    double *d, *x, *part;                      /* nv */
    double *lambda, *residual, *trial, *image; /* m */
};

HolStatus hol_left_null_create(HolArena *arena, const HolPattern *pattern, HolLeftNullSpace **space)
{
    HolLeftNullSpace *s = hol_arena_alloc(arena, sizeof *s);
    HOL_TRY(hol_arena_status(arena));
    s->pattern = pattern;
    HOL_DOUBLES(arena, pattern->nv, &s->d, &s->x, &s->part);
    HOL_DOUBLES(arena, pattern->m, &s->lambda, &s->residual, &s->trial, &s->image);
    if (pattern->unit)
        s->scaled = hol_arena_doubles(arena, (size_t)pattern->pair_start[pattern->pair_count]);
    HOL_TRY(hol_arena_status(arena));
    *space = s;
    return hol_schur_create(arena, pattern, true, &s->schur);
}

HolStatus hol_left_null_factor(HolLeftNullSpace *space, const double *D, const unsigned char *left_out)
{
    int kept = 0;
    space->D = D = hol_jacobian_in_units(space->pattern, D, space->scaled);
    space->left_out = left_out;
    for (int i = 0; i < space->pattern->m; ++i)
        kept += !left_out[i];
    HOL_TRY(hol_schur_factor(space->schur, D, ROUNDING, left_out));
    bool is_sound = kept == 0 || hol_schur_pivot(space->schur) > LEAST_PIVOT;
    return hol_schur_rank(space->schur) == kept && is_sound ? HOL_OK : HOL_SINGULAR;
}

/* With the right side (d, 0) the solver returns lambda = -(D_K D_K^T)^-1 D_K d, the combination of the rows kept that
 * is nearest to -d. What is then left of d = D^T n is treated in the same way. */
void hol_left_null_times(HolLeftNullSpace *space, const double *z, double *n)
{
    const HolPattern *p = space->pattern;
    for (int i = 0; i < p->m; ++i)
        n[i] = space->left_out[i] ? z[i] : 0;
    memset(space->residual, 0, (size_t)p->m * sizeof *space->residual);
    for (int k = 0; k <= REFINEMENTS; ++k) {
        memset(space->d, 0, (size_t)p->nv * sizeof *space->d);
        hol_jacobian_add_transposed(p, space->D, n, space->d);
        hol_schur_solve(space->schur, space->d, space->residual, space->part, space->lambda);
        for (int i = 0; i < p->m; ++i)
            n[i] += space->left_out[i] ? 0 : space->lambda[i];
    }
}

/* X y_K = D_R x with the shortest x that has D_K x = y_K. */
void hol_left_null_transposed(HolLeftNullSpace *space, const double *y, double *z)
{
    const HolPattern *p = space->pattern;
    memset(space->x, 0, (size_t)p->nv * sizeof *space->x);
    memset(space->image, 0, (size_t)p->m * sizeof *space->image);
    for (int k = 0; k <= REFINEMENTS; ++k) {
        for (int i = 0; i < p->m; ++i)
            space->residual[i] = space->left_out[i] ? 0 : y[i] - space->image[i];
        hol_schur_solve(space->schur, NULL, space->residual, space->part, space->lambda);
        hol_add_scaled(p->nv, 1, space->part, space->x);
        hol_jacobian_times(p, space->D, space->x, space->image);
    }
    for (int i = 0; i < p->m; ++i)
        z[i] = space->left_out[i] ? y[i] - space->image[i] : 0;
}

double hol_left_null_defect(HolLeftNullSpace *space)
{
    const HolPattern *p = space->pattern;
    for (int i = 0; i < p->m; ++i)
        space->image[i] = space->left_out[i] ? 1 + 0.1 * (i * 7 % 11) : 0; /* no simple ratios */
    memset(space->d, 0, (size_t)p->nv * sizeof *space->d);
    hol_jacobian_add_transposed(p, space->D, space->image, space->d);
    double size = hol_max_norm(p->nv, space->d);
    hol_left_null_times(space, space->image, space->trial);
    memset(space->d, 0, (size_t)p->nv * sizeof *space->d);
    hol_jacobian_add_transposed(p, space->D, space->trial, space->d);
    return size > 0 ? hol_max_norm(p->nv, space->d) / size : 0;
}
