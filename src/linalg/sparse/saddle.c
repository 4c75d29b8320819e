/* SPDX-License-Identifier: BSD-3-Clause */
#include "linalg/sparse/saddle.h"

#include "base/message.h"
#include "linalg/block/blocks.h"
#include "linalg/sparse/lu.h"

#include <math.h>
#include <string.h>

struct HolSaddle {
    double stiffness; /* by which the rows of the constraints are multiplied */
    const HolPattern *pattern;
    HolSparseLu *lu;
    double *values, *work;
    int nonzeros;
    int *start, *index;         /* columns */
    int *K, *M, *M_t, *D, *D_t; /* where each stored number goes in values */
    int *diagonal;              /* of each row of D */
    unsigned char *left_out;
};

/* The index of the tangent block in this position, of those sorted by row and column; -1: none. */
static int find_block(const HolPattern *p, int row, int column)
{
    int low = 0, high = p->tangent_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        HolPair pair = p->tangents[middle];
        if (pair.row < row || (pair.row == row && pair.column < column))
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < p->tangent_count && p->tangents[low].row == row && p->tangents[low].column == column;
    return found ? low : -1;
}

/* Calls visit with the place of each number of a block matrix: its row, its column, its index. */
typedef void Visit(HolSaddle *s, int row, int column, int entry);

static void visit_block(HolSaddle *s, const int *row_start, HolPair pair, int first, Visit *visit)
{
    const int *columns = s->pattern->block_start;
    int rows = hol_part_size(row_start, pair.row), width = hol_part_size(columns, pair.column);
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < width; ++j)
            visit(s, row_start[pair.row] + i, columns[pair.column] + j, first + i * width + j);
}

static void visit_tangents(HolSaddle *s, Visit *visit)
{
    const HolPattern *p = s->pattern;
    for (int k = 0; k < p->tangent_count; ++k)
        visit_block(s, p->block_start, p->tangents[k], p->tangent_start[k], visit);
}

static void visit_jacobian(HolSaddle *s, Visit *visit)
{
    const HolPattern *p = s->pattern;
    for (int k = 0; k < p->pair_count; ++k)
        visit_block(s, p->group_start, p->pairs[k], p->pair_start[k], visit);
}

static void count_tangent(HolSaddle *s, int row, int column, int entry)
{
    (void)row;
    (void)entry;
    ++s->start[column + 1];
}

static void count_jacobian(HolSaddle *s, int row, int column, int entry)
{
    (void)entry;
    ++s->start[column + 1];
    ++s->start[s->pattern->nv + row + 1];
}

/* start[column] moves on as the column fills. */
static int saddle_put(HolSaddle *s, int row, int column)
{
    s->index[s->start[column]] = row;
    return s->start[column]++;
}

static void put_tangent(HolSaddle *s, int row, int column, int entry)
{
    s->K[entry] = saddle_put(s, row, column);
}

static void put_jacobian(HolSaddle *s, int row, int column, int entry)
{
    s->D[entry] = saddle_put(s, s->pattern->nv + row, column);
    s->D_t[entry] = saddle_put(s, column, s->pattern->nv + row);
}

/* M has the positions of K; of its off-diagonal blocks only those below the diagonal are stored. */
static void place_mass(HolSaddle *s)
{
    const HolPattern *p = s->pattern;
    for (int k = 0; k < p->mass_pair_count; ++k) {
        HolPair pair = p->mass_pairs[k];
        int rows = hol_part_size(p->block_start, pair.row), width = hol_part_size(p->block_start, pair.column);
        int at = p->tangent_start[find_block(p, pair.row, pair.column)];
        int mirrored = p->tangent_start[find_block(p, pair.column, pair.row)];
        for (int i = 0; i < rows; ++i) {
            for (int j = 0; j < width; ++j) {
                int entry = p->mass_start[k] + i * width + j;
                s->M[entry] = s->K[at + i * width + j];
                s->M_t[entry] = pair.row == pair.column ? -1 : s->K[mirrored + j * rows + i];
            }
        }
    }
}

static HolStatus place_all(HolSaddle *s)
{
    int n = s->pattern->nv + s->pattern->m;
    visit_tangents(s, count_tangent);
    visit_jacobian(s, count_jacobian);
    for (int i = 0; i < s->pattern->m; ++i)
        ++s->start[s->pattern->nv + i + 1];
    for (int j = 0; j < n; ++j)
        s->start[j + 1] += s->start[j];
    visit_tangents(s, put_tangent);
    visit_jacobian(s, put_jacobian);
    for (int i = 0; i < s->pattern->m; ++i)
        s->diagonal[i] = saddle_put(s, s->pattern->nv + i, s->pattern->nv + i);
    memmove(s->start + 1, s->start, (size_t)n * sizeof *s->start);
    s->start[0] = 0;
    place_mass(s);
    return hol_sparse_lu_create(n, s->start, s->index, &s->lu);
}

HolStatus hol_saddle_create(HolArena *arena, const HolPattern *pattern, HolSaddle **saddle)
{
    HolSaddle *s = hol_arena_alloc(arena, sizeof *s);
    HOL_TRY(hol_arena_status(arena));
    size_t tangent = (size_t)pattern->tangent_start[pattern->tangent_count];
    size_t jacobian = (size_t)pattern->pair_start[pattern->pair_count];
    size_t mass = (size_t)pattern->mass_start[pattern->mass_pair_count];
    size_t m = (size_t)pattern->m, n = (size_t)pattern->nv + m;
    s->pattern = pattern;
    s->nonzeros = (int)(tangent + 2 * jacobian + m);
    s->values = hol_arena_doubles(arena, (size_t)s->nonzeros);
    s->work = hol_arena_doubles(arena, n);
    s->start = hol_arena_ints(arena, n + 1);
    s->index = hol_arena_ints(arena, (size_t)s->nonzeros);
    s->K = hol_arena_ints(arena, tangent);
    HOL_INTS(arena, mass, &s->M, &s->M_t);
    HOL_INTS(arena, jacobian, &s->D, &s->D_t);
    s->diagonal = hol_arena_ints(arena, m);
    s->left_out = hol_arena_alloc(arena, m);
    HOL_TRY(hol_arena_status(arena));
    *saddle = s;
    return place_all(s);
}

void hol_saddle_destroy(HolSaddle *saddle)
{
    if (saddle)
        hol_sparse_lu_destroy(saddle->lu);
}

static void saddle_add_mass(HolSaddle *s, double factor, const double *M)
{
    const HolPattern *p = s->pattern;
    for (int e = 0; e < p->mass_start[p->mass_pair_count]; ++e) {
        s->values[s->M[e]] += factor * M[e];
        if (s->M_t[e] >= 0)
            s->values[s->M_t[e]] += factor * M[e];
    }
}

static void set_rows(HolSaddle *s, const double *D)
{
    const HolPattern *p = s->pattern;
    for (int k = 0; k < p->pair_count; ++k) {
        int rows = hol_part_size(p->group_start, p->pairs[k].row);
        int width = hol_part_size(p->block_start, p->pairs[k].column);
        for (int i = 0; i < rows; ++i) {
            bool keep = !s->left_out[p->group_start[p->pairs[k].row] + i];
            for (int e = p->pair_start[k] + i * width, end = e + width; e < end; ++e) {
                s->values[s->D[e]] = keep ? D[e] : 0;
                s->values[s->D_t[e]] = keep ? -D[e] : 0;
            }
        }
    }
    for (int i = 0; i < p->m; ++i)
        s->values[s->diagonal[i]] = s->left_out[i] ? 1 : 0;
}

/* Unless the lever arm is 1: columns and rows of v in units, and those of the constraints times the order of magnitude
 * of the stiffnesses, so that pivots can be compared. */
static void saddle_scale(HolSaddle *s)
{
    const HolPattern *p = s->pattern;
    double largest = 0;
    s->stiffness = 1;
    if (!p->unit)
        return;
    for (int k = 0; k < p->tangent_count; ++k) {
        const double *by_row = p->unit + p->block_start[p->tangents[k].row];
        const double *by_column = p->unit + p->block_start[p->tangents[k].column];
        int width = hol_part_size(p->block_start, p->tangents[k].column), start = p->tangent_start[k];
        for (int e = start; e < p->tangent_start[k + 1]; ++e) {
            s->values[s->K[e]] *= by_row[(e - start) / width] * by_column[(e - start) % width];
            largest = fmax(largest, fabs(s->values[s->K[e]]));
        }
    }
    s->stiffness = largest > 0 && isfinite(largest) ? hol_magnitude(largest) : 1;
    for (int k = 0; k < p->pair_count; ++k) {
        const double *unit = p->unit + p->block_start[p->pairs[k].column];
        int width = hol_part_size(p->block_start, p->pairs[k].column);
        for (int e = p->pair_start[k]; e < p->pair_start[k + 1]; ++e) {
            s->values[s->D[e]] *= s->stiffness * unit[(e - p->pair_start[k]) % width];
            s->values[s->D_t[e]] *= s->stiffness * unit[(e - p->pair_start[k]) % width];
        }
    }
}

HolStatus hol_saddle_factor(HolSaddle *saddle, const double *K, double s, const double *M, const double *D,
                            const unsigned char *left_out)
{
    const HolPattern *p = saddle->pattern;
    memcpy(saddle->left_out, left_out, (size_t)p->m);
    for (int e = 0; e < p->tangent_start[p->tangent_count]; ++e)
        saddle->values[saddle->K[e]] = K ? K[e] : 0;
    if (s != 0)
        saddle_add_mass(saddle, s, M);
    set_rows(saddle, D);
    saddle_scale(saddle);
    return hol_sparse_lu_factor(saddle->lu, saddle->values);
}

void hol_saddle_solve(HolSaddle *saddle, const double *f, const double *c, double *x, double *lambda)
{
    size_t nv = (size_t)saddle->pattern->nv, m = (size_t)saddle->pattern->m;
    double *y = saddle->work;
    for (size_t j = 0; j < nv; ++j)
        y[j] = f ? f[j] : 0;
    hol_times_units(saddle->pattern, 1, y);
    for (size_t i = 0; i < m; ++i)
        y[nv + i] = c && !saddle->left_out[i] ? saddle->stiffness * c[i] : 0;
    hol_sparse_lu_solve(saddle->lu, y);
    hol_times_units(saddle->pattern, 1, y);
    memcpy(x, y, nv * sizeof *x);
    for (size_t i = 0; i < m; ++i)
        lambda[i] = saddle->stiffness * y[nv + i];
}

double hol_tangent_symmetric_part(const HolPattern *pattern, const double *T, double *S)
{
    double largest = 0;
    for (int k = 0; k < pattern->tangent_count; ++k) {
        HolPair pair = pattern->tangents[k];
        int rows = hol_part_size(pattern->block_start, pair.row);
        int width = hol_part_size(pattern->block_start, pair.column);
        int at = pattern->tangent_start[k];
        int mirrored = pattern->tangent_start[find_block(pattern, pair.column, pair.row)];
        for (int i = 0; i < rows; ++i) {
            for (int j = 0; j < width; ++j) {
                double here = T[at + i * width + j], there = T[mirrored + j * rows + i];
                S[at + i * width + j] = (here + there) / 2;
                largest = fmax(largest, fabs(here - there) / 2);
            }
        }
    }
    return largest;
}
