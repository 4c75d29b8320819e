/* SPDX-License-Identifier: BSD-3-Clause */
#include "linalg/blocks.h"

#include "math/kernels.h"

#include <math.h>
#include <string.h>

/* Row-major, as the system wrote it: to the kernels, which go by columns, it is the transposed block. */
typedef struct Block {
    int rows, columns, row, column; /* sizes and first row and column in the whole matrix */
    const double *values;
} Block;

static Block jacobian_block(const HolPattern *p, const double *D, int pair)
{
    int g = p->pairs[pair].row, b = p->pairs[pair].column;
    return (Block){hol_part_size(p->group_start, g), hol_part_size(p->block_start, b), p->group_start[g],
                   p->block_start[b], D + p->pair_start[pair]};
}

static Block mass_block(const HolPattern *p, const double *M, int pair)
{
    int a = p->mass_pairs[pair].row, b = p->mass_pairs[pair].column;
    return (Block){hol_part_size(p->block_start, a), hol_part_size(p->block_start, b), p->block_start[a],
                   p->block_start[b], M + p->mass_start[pair]};
}

void hol_common_pair_size(const HolPattern *pattern, int *rows, int *columns)
{
    *rows = *columns = 0;
    for (int i = 0; i < pattern->pair_count; ++i) {
        int r = hol_part_size(pattern->group_start, pattern->pairs[i].row);
        int n = hol_part_size(pattern->block_start, pattern->pairs[i].column);
        if (i > 0 && (r != *rows || n != *columns)) {
            *rows = *columns = 0;
            return;
        }
        *rows = r;
        *columns = n;
    }
}

/* The widths of bodies in the plane and in space are known to the compiler. */
HOL_CLONES void hol_jacobian_times(const HolPattern *pattern, const double *D, const double *x, double *y)
{
    memset(y, 0, (size_t)pattern->m * sizeof *y);
    for (int i = 0; i < pattern->pair_count; ++i) {
        Block b = jacobian_block(pattern, D, i);
        if (b.columns == 3)
            hol_add_t_times(3, b.rows, b.values, x + b.column, y + b.row);
        else if (b.columns == 6)
            hol_add_t_times(6, b.rows, b.values, x + b.column, y + b.row);
        else
            hol_add_t_times(b.columns, b.rows, b.values, x + b.column, y + b.row);
    }
}

void hol_jacobian_add_transposed(const HolPattern *pattern, const double *D, const double *x, double *y)
{
    for (int i = 0; i < pattern->pair_count; ++i) {
        Block b = jacobian_block(pattern, D, i);
        hol_add_times(b.columns, b.rows, b.values, x + b.row, y + b.column);
    }
}

HOL_KERNEL void enlarge_sizes(int m, int n, const double *A, double *size)
{
    for (int j = 0; j < n; ++j) {
        double largest = size[j];
        HOL_UNROLL
        for (int k = 0; k < m; ++k)
            largest = fabs(A[j * m + k]) > largest ? fabs(A[j * m + k]) : largest;
        size[j] = largest;
    }
}

HOL_CLONES void hol_jacobian_row_sizes(const HolPattern *pattern, const double *D, double *size)
{
    memset(size, 0, (size_t)pattern->m * sizeof *size);
    for (int i = 0; i < pattern->pair_count; ++i) {
        Block b = jacobian_block(pattern, D, i);
        if (b.columns == 6)
            enlarge_sizes(6, b.rows, b.values, size + b.row);
        else
            enlarge_sizes(b.columns, b.rows, b.values, size + b.row);
    }
}

void hol_mass_times(const HolPattern *pattern, const double *M, const double *x, double *y)
{
    memset(y, 0, (size_t)pattern->nv * sizeof *y);
    for (int i = 0; i < pattern->mass_pair_count; ++i) {
        Block b = mass_block(pattern, M, i);
        hol_add_t_times(b.columns, b.rows, b.values, x + b.column, y + b.row);
        if (b.row != b.column)
            hol_add_times(b.columns, b.rows, b.values, x + b.row, y + b.column);
    }
}

static void write_block(Block b, int width, double *dense)
{
    for (int i = 0; i < b.rows; ++i)
        for (int j = 0; j < b.columns; ++j)
            dense[(b.row + i) * width + b.column + j] = b.values[i * b.columns + j];
}

static void write_transposed(Block b, int width, double *dense)
{
    for (int i = 0; i < b.rows; ++i)
        for (int j = 0; j < b.columns; ++j)
            dense[(b.column + j) * width + b.row + i] = b.values[i * b.columns + j];
}

void hol_jacobian_dense(const HolPattern *pattern, const double *D, double *dense)
{
    memset(dense, 0, (size_t)pattern->m * (size_t)pattern->nv * sizeof *dense);
    for (int i = 0; i < pattern->pair_count; ++i)
        write_block(jacobian_block(pattern, D, i), pattern->nv, dense);
}

void hol_jacobian_dense_scaled(const HolPattern *pattern, const double *D, double *dense, double *size)
{
    hol_jacobian_dense(pattern, D, dense);
    hol_jacobian_row_sizes(pattern, D, size);
    for (int i = 0; i < pattern->m; ++i) {
        size[i] = size[i] > 0 ? size[i] : 1;
        double inverse = 1 / size[i];
        for (int j = 0; j < pattern->nv; ++j)
            dense[i * pattern->nv + j] *= inverse;
    }
}

void hol_mass_dense(const HolPattern *pattern, const double *M, double *dense)
{
    memset(dense, 0, (size_t)pattern->nv * (size_t)pattern->nv * sizeof *dense);
    for (int i = 0; i < pattern->mass_pair_count; ++i) {
        Block b = mass_block(pattern, M, i);
        write_block(b, pattern->nv, dense);
        if (b.row != b.column)
            write_transposed(b, pattern->nv, dense);
    }
}

double hol_max_norm(int n, const double *x)
{
    double largest = 0;
    for (int i = 0; i < n; ++i) {
        if (fabs(x[i]) <= largest)
            continue;
        if (isnan(x[i]))
            return x[i];
        largest = fabs(x[i]);
    }
    return largest;
}
