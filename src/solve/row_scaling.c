/* SPDX-License-Identifier: BSD-3-Clause */
#include "solve/row_scaling.h"

#include "base/message.h"
#include "base/tolerances.h"
#include "linalg/block/blocks.h"

#include <math.h>
#include <string.h>

/* Cholesky in place; the part above the diagonal becomes zero. */
static bool make_triangle(int n, double *A)
{
    for (int j = 0; j < n; ++j) {
        for (int i = 0; i < n; ++i)
            for (int k = 0; k < j && i >= j; ++k)
                A[i * n + j] -= A[i * n + k] * A[j * n + k];
        if (!(A[j * n + j] > 0) || !isfinite(A[j * n + j]))
            return false;
        A[j * n + j] = sqrt(A[j * n + j]);
        for (int i = 0; i < n; ++i)
            A[i * n + j] = i < j ? 0 : i > j ? A[i * n + j] / A[j * n + j] : A[i * n + j];
    }
    return true;
}

static bool row_scaling_is_symmetric(int n, const double *A)
{
    static const double ROUNDING = HOL_TOL_AMPLIFIED;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < i; ++j)
            if (!(fabs(A[i * n + j] - A[j * n + i]) <= ROUNDING * (fabs(A[i * n + j]) + fabs(A[j * n + i]))))
                return false;
    return true;
}

static HolStatus set_group(const HolSetup *setup, HolRowScaling *s, int g)
{
    int first = s->pattern->group_start[g], n = hol_part_size(s->pattern->group_start, g);
    double *L = s->L + s->start[g];
    const double *stiffness = setup->row_stiffness ? setup->row_stiffness + s->start[g] : NULL;
    for (int i = 0; i < n && !stiffness; ++i)
        L[i * (n + 1)] = setup->row_weights ? sqrt(setup->row_weights[first + i]) : s->of_size[first + i];
    if (!stiffness)
        return HOL_OK;
    memcpy(L, stiffness, (size_t)(n * n) * sizeof *L);
    if (row_scaling_is_symmetric(n, stiffness) && make_triangle(n, L))
        return HOL_OK;
    return hol_fail(setup->message, HOL_BAD_INPUT, "the row_stiffness of '%s' is not symmetric and positive definite",
                    hol_system_group_name(setup->system, g));
}

/* Rows of angles count as arcs, or one penalty would not suit all: 1, but the lever arm for such a row. */
static void measure_sizes(const HolSetup *setup, HolRowScaling *s)
{
    if (s->pattern->unit)
        hol_jacobian_row_lengths(s->pattern, setup->work->terms->D, s->of_size);
    for (int i = 0; i < s->pattern->m; ++i)
        s->of_size[i] = s->of_size[i] > 0 ? 1 / hol_magnitude(s->of_size[i]) : 1;
}

HolStatus hol_row_scaling_create(const HolSetup *setup, HolRowScaling **scaling)
{
    const HolPattern *p = hol_system_pattern(setup->system);
    HolRowScaling *s = hol_arena_alloc(setup->arena, sizeof *s);
    HOL_TRY(hol_arena_status(setup->arena));
    *scaling = s;
    s->pattern = p;
    s->is_identity = !setup->row_weights && !setup->row_stiffness && !p->unit;
    s->start = hol_arena_ints(setup->arena, (size_t)p->group_count + 1);
    for (int g = 0; s->start && g < p->group_count; ++g) {
        int n = hol_part_size(p->group_start, g);
        s->start[g + 1] = s->start[g] + n * n;
    }
    s->of_size = hol_arena_doubles(setup->arena, (size_t)p->m);
    s->L = s->start ? hol_arena_doubles(setup->arena, (size_t)s->start[p->group_count]) : NULL;
    HOL_TRY(hol_arena_status(setup->arena));
    measure_sizes(setup, s);
    for (int g = 0; g < p->group_count; ++g)
        HOL_TRY(set_group(setup, s, g));
    return HOL_OK;
}

/* Copies and returns true if the scaling is the identity. */
static bool copied(const HolRowScaling *scaling, int n, const double *from, double *to)
{
    if (scaling->is_identity)
        memcpy(to, from, (size_t)n * sizeof *to);
    return scaling->is_identity;
}

/* y = L^T x, both n x columns */
static void times_transposed(int n, int columns, const double *L, const double *x, double *y)
{
    memset(y, 0, (size_t)(n * columns) * sizeof *y);
    for (int i = 0; i < n; ++i)
        for (int k = 0; k <= i; ++k) {
            double l = L[i * n + k];
            for (int j = 0; j < columns && l != 0; ++j)
                y[k * columns + j] += l * x[i * columns + j];
        }
}

void hol_scale_jacobian(const HolRowScaling *scaling, const double *D, double *scaled)
{
    const HolPattern *p = scaling->pattern;
    if (copied(scaling, p->pair_start[p->pair_count], D, scaled))
        return;
    for (int i = 0; i < p->pair_count; ++i) {
        int g = p->pairs[i].row, columns = hol_part_size(p->block_start, p->pairs[i].column);
        times_transposed(hol_part_size(p->group_start, g), columns, scaling->L + scaling->start[g],
                         D + p->pair_start[i], scaled + p->pair_start[i]);
    }
}

void hol_scale_rows(const HolRowScaling *scaling, const double *c, double *scaled)
{
    const HolPattern *p = scaling->pattern;
    if (copied(scaling, p->m, c, scaled))
        return;
    for (int g = 0; g < p->group_count; ++g)
        times_transposed(hol_part_size(p->group_start, g), 1, scaling->L + scaling->start[g], c + p->group_start[g],
                         scaled + p->group_start[g]);
}

void hol_unscale_multipliers(const HolRowScaling *scaling, const double *scaled, double *lambda)
{
    const HolPattern *p = scaling->pattern;
    if (copied(scaling, p->m, scaled, lambda))
        return;
    for (int g = 0; g < p->group_count; ++g) {
        int first = p->group_start[g], n = hol_part_size(p->group_start, g);
        const double *L = scaling->L + scaling->start[g];
        for (int i = 0; i < n; ++i) {
            lambda[first + i] = 0;
            for (int k = 0; k <= i; ++k)
                lambda[first + i] += L[i * n + k] * scaled[first + k];
        }
    }
}
