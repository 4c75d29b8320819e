/* SPDX-License-Identifier: BSD-3-Clause */
#include "linalg/schur/two_state_matrix.h"

#include "base/message.h"
#include "base/tolerances.h"
#include "linalg/block/block_ldl_kernels.h"
#include "linalg/block/blocks.h"
#include "linalg/schur/targets.h"

#include <string.h>

static const double SMALLEST_PIVOT = HOL_TOL_PIVOT;

struct HolTwoStateMatrix {
    const HolPattern *pattern;
    HolBlockLdl *A;
    HolTargets targets;
    double *x;
};

HolStatus hol_two_state_create(HolArena *arena, const HolPattern *p, HolTwoStateMatrix **matrix)
{
    HolTwoStateMatrix *s = hol_arena_alloc(arena, sizeof *s);
    HOL_TRY(hol_arena_status(arena));
    s->pattern = p;
    s->x = hol_arena_doubles(arena, 2 * (size_t)p->nv);
    HOL_TRY(hol_targets_create(arena, p, 2, true, &s->targets, &s->A));
    *matrix = s;
    return HOL_OK;
}

/* How a block of M, K or C enters (1). */
typedef struct Factors {
    double jj, jf, ff;
} Factors;

/* Adds factor times block (rows x columns, row-major) at (row, column) of the doubled block. */
static void two_state_add_part(double *L, int leading, int row, int column, int rows, int columns, double factor,
                               const double *block, bool turned)
{
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j) {
            double x = factor * block[i * columns + j];
            if (turned)
                L[(row + i) * leading + column + j] += x;
            else
                L[(column + j) * leading + row + i] += x;
        }
}

/* Into all four quarters of the doubled block, of size 2 rows x 2 columns, or turned. */
static void two_state_add_block(HolTwoStateMatrix *s, HolTarget target, int rows, int columns, const Factors *f,
                                double half, const double *block, bool turned)
{
    double *L = s->A->L + target.value;
    int leading = 2 * (turned ? columns : rows);
    if (f->ff != 0)
        two_state_add_part(L, leading, 0, 0, rows, columns, half * f->ff, block, turned);
    if (f->jf != 0) {
        two_state_add_part(L, leading, 0, columns, rows, columns, half * f->jf, block, turned);
        two_state_add_part(L, leading, rows, 0, rows, columns, half * f->jf, block, turned);
    }
    if (f->jj != 0)
        two_state_add_part(L, leading, rows, columns, rows, columns, half * f->jj, block, turned);
}

static void two_state_add_mass(HolTwoStateMatrix *s, const double *M, const Factors *f)
{
    const HolPattern *p = s->pattern;
    for (int k = 0; k < p->mass_pair_count; ++k) {
        HolPair pair = p->mass_pairs[k];
        two_state_add_block(s, s->targets.masses[k], hol_part_size(p->block_start, pair.row),
                            hol_part_size(p->block_start, pair.column), f, 1, M + p->mass_start[k],
                            s->targets.masses[k].turned);
    }
}

/* Adds the symmetric part (T + T^T) / 2. Off the diagonal the pattern has the transposed block as well. */
static void two_state_add_slopes(HolTwoStateMatrix *s, const double *T, const Factors *f)
{
    const HolPattern *p = s->pattern;
    for (int k = 0; k < p->tangent_count; ++k) {
        HolPair pair = p->tangents[k];
        int rows = hol_part_size(p->block_start, pair.row), columns = hol_part_size(p->block_start, pair.column);
        bool diagonal = pair.row == pair.column, turned = s->targets.tangents[k].turned;
        if (diagonal)
            two_state_add_block(s, s->targets.tangents[k], rows, columns, f, 0.5, T + p->tangent_start[k], false);
        two_state_add_block(s, s->targets.tangents[k], rows, columns, f, 0.5, T + p->tangent_start[k],
                            diagonal || turned);
    }
}

static bool two_state_has_penalty(int rows, const double *w)
{
    for (int i = 0; i < rows; ++i)
        if (w[i] != 0)
            return true;
    return false;
}

/* sign D_i^T diag(w) D_k, into ff or jj alone: the first or second part of the doubled blocks */
static void add_penalties(HolTwoStateMatrix *s, double sign, const double *D, const double *w, int part)
{
    const HolPattern *p = s->pattern;
    for (const HolLink *link = s->targets.links; link < s->targets.links + s->targets.link_count; ++link) {
        HolPair i = p->pairs[link->i], j = p->pairs[link->j];
        int r = hol_part_size(p->group_start, i.row), n = hol_part_size(p->block_start, i.column);
        int k = hol_part_size(p->block_start, j.column), leading = 2 * (link->target.turned ? k : n);
        const double *D_i = D + p->pair_start[link->i], *D_k = D + p->pair_start[link->j];
        const double *w_g = w + p->group_start[i.row];
        double *L = s->A->L + link->target.value;
        if (!two_state_has_penalty(r, w_g))
            continue;
        for (int a = 0; a < n; ++a)
            for (int b = 0; b < k; ++b) {
                int row = part * n + a, column = part * k + b;
                double sum = 0;
                for (int x = 0; x < r; ++x)
                    sum += w_g[x] * D_i[x * n + a] * D_k[x * k + b];
                L[link->target.turned ? row * leading + column : column * leading + row] += sign * sum;
            }
    }
}

/* A diagonal block; adds how many pivots are negative. False if one vanishes. */
static bool factor_diagonal(int r, double *A, const double *reference, double *d_inverse, int *negative)
{
    for (int j = 0; j < r; ++j) {
        double d = A[j * r + j];
        if (!(fabs(d) > SMALLEST_PIVOT * fabs(reference[j])) || !isfinite(d))
            return false;
        *negative += d < 0;
        d_inverse[j] = 1 / d;
        for (int k = j + 1; k < r; ++k) {
            double l = A[j * r + k] * d_inverse[j];
            for (int i = k; i < r; ++i)
                A[k * r + i] -= l * A[j * r + i];
        }
        for (int i = j; i < r; ++i)
            A[j * r + i] *= d_inverse[j];
    }
    return true;
}

/* By Sylvester's law of inertia the number of negative pivots does not depend on the order. */
static HolStatus two_state_eliminate(HolBlockLdl *ldl, int expected)
{
    const HolLdlColumn *c, *end = ldl->columns + ldl->count;
    double *const *target = ldl->target;
    int negative = 0;
    for (c = ldl->columns; c < end; ++c)
        hol_remember_diagonal(c->size, c->L, c->reference);
    for (c = ldl->columns; c < end; ++c) {
        double *Y = ldl->scratch;
        if (!factor_diagonal(c->size, c->L, c->reference, c->d_inverse, &negative))
            return HOL_SINGULAR;
        for (const HolLdlEntry *e = c->below; e < c->below_end; ++e) {
            hol_factor_entry(e->size, c->size, c->L, c->d_inverse, e->L, Y);
            Y += e->size * c->size;
        }
        target = hol_update(ldl, c, 0, target);
    }
    return negative == expected ? HOL_OK : HOL_SINGULAR;
}

HolStatus hol_two_state_factor(HolTwoStateMatrix *s, const HolTwoStateParts *parts)
{
    memset(s->A->L, 0, (size_t)s->A->values * sizeof *s->A->L);
    two_state_add_mass(s, parts->M, &(Factors){parts->m_jj, parts->m_jf, parts->m_ff});
    if (parts->K)
        two_state_add_slopes(s, parts->K, &(Factors){0, parts->k_jf, parts->k_ff});
    if (parts->K_jj)
        two_state_add_slopes(s, parts->K_jj, &(Factors){1, 0, 0});
    if (parts->C)
        two_state_add_slopes(s, parts->C, &(Factors){0, 0, parts->c});
    add_penalties(s, 1, parts->D, parts->w, 0);
    if (parts->w_j)
        add_penalties(s, -1, parts->D_j, parts->w_j, 1);
    return two_state_eliminate(s->A, s->pattern->nv);
}

void hol_two_state_solve(HolTwoStateMatrix *s, double *x_j, double *x_f)
{
    const HolPattern *p = s->pattern;
    for (int b = 0; b < p->block_count; ++b) {
        int start = p->block_start[b], n = hol_part_size(p->block_start, b);
        memcpy(s->x + 2 * start, x_f + start, (size_t)n * sizeof *x_f);
        memcpy(s->x + 2 * start + n, x_j + start, (size_t)n * sizeof *x_j);
    }
    hol_ldl_solve(s->A, s->x);
    for (int b = 0; b < p->block_count; ++b) {
        int start = p->block_start[b], n = hol_part_size(p->block_start, b);
        memcpy(x_f + start, s->x + 2 * start, (size_t)n * sizeof *x_f);
        memcpy(x_j + start, s->x + 2 * start + n, (size_t)n * sizeof *x_j);
    }
}
