/* SPDX-License-Identifier: BSD-3-Clause */
#include "linalg/block/blocks.h"

#include "math/kernels.h"

#include <math.h>
#include <stdlib.h>
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

static Block square_block(const HolPattern *p, HolPair pair, const double *values)
{
    int a = pair.row, b = pair.column;
    return (Block){hol_part_size(p->block_start, a), hol_part_size(p->block_start, b), p->block_start[a],
                   p->block_start[b], values};
}

static Block mass_block(const HolPattern *p, const double *M, int pair)
{
    return square_block(p, p->mass_pairs[pair], M + p->mass_start[pair]);
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

/* y = (two rows of four) x */
HOL_KERNEL HolTwo two_by_four(const double *A, const double *x)
{
    HolColumn a, b, c;
    hol_column_load(4, A, &a);
    hol_column_load(4, A + 4, &b);
    hol_column_load(4, x, &c);
    HolFour p = a.four * c.four, q = b.four * c.four;
    HolFour sum = __builtin_shufflevector(p, q, 0, 4, 2, 6) + __builtin_shufflevector(p, q, 1, 5, 3, 7);
    return __builtin_shufflevector(sum, sum, 0, 1) + __builtin_shufflevector(sum, sum, 2, 3);
}

/* The pairs of one group, whose blocks follow each other in D. */
typedef struct Row {
    const HolPair *begin, *end;
    const int *block_start;
} Row;

/* Of one or two rows, the most frequent ones: y = A x, with the widths of bodies in the plane known to the compiler.
 * The D of the next group is returned. */
HOL_KERNEL const double *few_times(int rows, Row row, const double *D, const double *x, double *y)
{
    HolTwo sum = {0};
    for (const HolPair *pair = row.begin; pair < row.end; ++pair) {
        int column = row.block_start[pair->column], columns = row.block_start[pair->column + 1] - column;
        if (columns == 4 && rows == 2)
            sum += two_by_four(D, x + column);
        else if (columns == 4)
            sum[0] += hol_dot(4, D, x + column);
        else if (columns == 2)
            sum += (HolTwo){hol_dot(2, D, x + column), rows == 2 ? hol_dot(2, D + 2, x + column) : 0};
        else if (columns == 3)
            sum += (HolTwo){hol_dot(3, D, x + column), rows == 2 ? hol_dot(3, D + 3, x + column) : 0};
        else
            for (int i = 0; i < rows; ++i)
                sum[i] += hol_dot(columns, D + i * columns, x + column);
        D += rows * columns;
    }
    for (int i = 0; i < rows; ++i)
        y[i] = sum[i];
    return D;
}

/* Of any number of rows. */
HOL_CLONES static const double *many_times(int rows, Row row, const double *D, const double *x, double *y)
{
    memset(y, 0, (size_t)rows * sizeof *y);
    for (const HolPair *pair = row.begin; pair < row.end; ++pair) {
        int column = row.block_start[pair->column], columns = row.block_start[pair->column + 1] - column;
        for (int i = 0; i < rows; ++i, D += columns)
            y[i] += columns == 6    ? hol_dot(6, D, x + column)
                    : columns == 12 ? hol_dot(6, D, x + column) + hol_dot(6, D + 6, x + column + 6)
                                    : hol_dot(columns, D, x + column);
    }
    return D;
}

HOL_CLONES void hol_jacobian_times(const HolPattern *pattern, const double *D, const double *x, double *y)
{
    Row row = {pattern->pairs, NULL, pattern->block_start};
    for (int g = 0; g < pattern->group_count; ++g) {
        int first = pattern->group_start[g], rows = pattern->group_start[g + 1] - first;
        row.end = pattern->pairs + pattern->group_pairs[g + 1];
        if (rows == 2)
            D = few_times(2, row, D, x, y + first);
        else if (rows == 1)
            D = few_times(1, row, D, x, y + first);
        else
            D = many_times(rows, row, D, x, y + first);
        row.begin = row.end;
    }
}

void hol_jacobian_add_transposed(const HolPattern *pattern, const double *D, const double *x, double *y)
{
    for (int i = 0; i < pattern->pair_count; ++i) {
        Block b = jacobian_block(pattern, D, i);
        if (b.columns == 2 && b.rows == 1)
            hol_add_times(2, 1, b.values, x + b.row, y + b.column);
        else
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
        if (b.columns == 2)
            enlarge_sizes(2, b.rows, b.values, size + b.row);
        else if (b.columns == 3)
            enlarge_sizes(3, b.rows, b.values, size + b.row);
        else if (b.columns == 4)
            enlarge_sizes(4, b.rows, b.values, size + b.row);
        else if (b.columns == 6)
            enlarge_sizes(6, b.rows, b.values, size + b.row);
        else
            enlarge_sizes(b.columns, b.rows, b.values, size + b.row);
    }
}

/* Of a block beside the diagonal, its mirror image too. */
HOL_KERNEL void add_mass_block(int rows, int columns, Block b, const double *x, double *y)
{
    hol_add_t_times(columns, rows, b.values, x + b.column, y + b.row);
    if (b.row != b.column)
        hol_add_times(columns, rows, b.values, x + b.row, y + b.column);
}

void hol_mass_times(const HolPattern *pattern, const double *M, const double *x, double *y)
{
    memset(y, 0, (size_t)pattern->nv * sizeof *y);
    for (int i = 0; i < pattern->mass_pair_count; ++i) {
        Block b = mass_block(pattern, M, i);
        if (b.columns == 2 && b.rows == 2)
            add_mass_block(2, 2, b, x, y);
        else
            add_mass_block(b.rows, b.columns, b, x, y);
    }
}

double hol_mass_product(const HolPattern *pattern, const double *M, const double *x, const double *y, double *scratch)
{
    hol_mass_times(pattern, M, y, scratch);
    return hol_inner_product(pattern->nv, x, scratch);
}

static void blocks_write_block(Block b, int width, double *dense)
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
        blocks_write_block(jacobian_block(pattern, D, i), pattern->nv, dense);
}

void hol_jacobian_dense_scaled(const HolPattern *pattern, const double *D, double *dense, double *size)
{
    hol_jacobian_dense(pattern, D, dense);
    hol_jacobian_row_divisors(pattern, D, size);
    for (int i = 0; i < pattern->m; ++i) {
        double inverse = 1 / size[i];
        for (int j = 0; j < pattern->nv; ++j)
            dense[i * pattern->nv + j] *= pattern->unit ? inverse * pattern->unit[j] : inverse;
    }
}

void hol_times_units(const HolPattern *pattern, int n, double *X)
{
    for (int j = 0; j < pattern->nv && pattern->unit; ++j)
        for (int k = 0; k < n; ++k)
            X[j * n + k] *= pattern->unit[j];
}

void hol_mass_dense(const HolPattern *pattern, const double *M, double *dense)
{
    memset(dense, 0, (size_t)pattern->nv * (size_t)pattern->nv * sizeof *dense);
    for (int i = 0; i < pattern->mass_pair_count; ++i) {
        Block b = mass_block(pattern, M, i);
        blocks_write_block(b, pattern->nv, dense);
        if (b.row != b.column)
            write_transposed(b, pattern->nv, dense);
    }
}

HOL_CLONES bool hol_all_finite(size_t n, const double *x)
{
    HolFour sum = {0}; /* of 0 x_i, which is 0 or NaN */
    double rest = 0;
    size_t i = 0;
    for (; i + 4 <= n; i += 4)
        sum += 0 * *(const HolFour *)(x + i);
    for (; i < n; ++i)
        rest += 0 * x[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]) + rest == 0;
}

/* As integers, numbers without their sign are in order, and a NaN is above all of them. */
static int64_t size_bits(const double *x)
{
    int64_t bits;
    memcpy(&bits, x, sizeof bits);
    return bits & INT64_MAX;
}

double hol_max_norm(int n, const double *x)
{
    int64_t largest[2] = {0, 0};
    double norm;
    int i = 0;
    for (; i + 2 <= n; i += 2) {
        int64_t a = size_bits(x + i), b = size_bits(x + i + 1);
        largest[0] = a > largest[0] ? a : largest[0];
        largest[1] = b > largest[1] ? b : largest[1];
    }
    if (i < n && size_bits(x + i) > largest[0])
        largest[0] = size_bits(x + i);
    memcpy(&norm, largest[0] > largest[1] ? &largest[0] : &largest[1], sizeof norm);
    return norm;
}

void hol_tangent_add_times(const HolPattern *pattern, const double *T, double k, const double *x, double *y)
{
    for (int t = 0; t < pattern->tangent_count; ++t) {
        int row = pattern->block_start[pattern->tangents[t].row], column = pattern->tangents[t].column;
        int rows = hol_part_size(pattern->block_start, pattern->tangents[t].row);
        int columns = hol_part_size(pattern->block_start, column);
        const double *block = T + pattern->tangent_start[t], *x_of_block = x + pattern->block_start[column];
        for (int i = 0; i < rows; ++i)
            for (int j = 0; j < columns; ++j)
                y[row + i] += k * block[i * columns + j] * x_of_block[j];
    }
}

double hol_magnitude(double x)
{
    enum { ORDINARY = 5 }; /* powers of two that count as one */
    if (!(x > 0) || !isfinite(x))
        return x;
    int power = (int)lround(log2(x));
    return abs(power) <= ORDINARY ? 1 : ldexp(1, power);
}

/* The larger one, NaN if either is. */
static double larger(double a, double b)
{
    return b <= a ? a : b;
}

double hol_scattered(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 4503599627370496.0 - 1;
}

double hol_motion_norm(const HolPattern *pattern, const double *x)
{
    double largest = 0;
    if (!pattern->unit)
        return hol_max_norm(pattern->nv, x);
    for (int i = 0; i < pattern->nv; ++i)
        largest = larger(largest, fabs(x[i]) / pattern->unit[i]);
    return largest;
}

double hol_force_norm(const HolPattern *pattern, const double *f)
{
    double largest = 0;
    if (!pattern->unit)
        return hol_max_norm(pattern->nv, f);
    for (int i = 0; i < pattern->nv; ++i)
        largest = larger(largest, fabs(f[i]) * pattern->unit[i]);
    return largest;
}

/* Of the blocks at pairs of v and v. */
static double norm_of_blocks(const HolPattern *p, int count, const HolPair *pairs, const int *start, const double *T)
{
    double largest = 0;
    if (!p->unit)
        return hol_max_norm(start[count], T);
    for (int t = 0; t < count; ++t) {
        Block b = square_block(p, pairs[t], T + start[t]);
        for (int k = 0; k < b.rows * b.columns; ++k)
            largest =
                larger(largest, fabs(b.values[k]) * p->unit[b.row + k / b.columns] * p->unit[b.column + k % b.columns]);
    }
    return largest;
}

double hol_stiffness_norm(const HolPattern *pattern, const double *K)
{
    return norm_of_blocks(pattern, pattern->tangent_count, pattern->tangents, pattern->tangent_start, K);
}

double hol_mass_norm(const HolPattern *pattern, const double *M)
{
    return norm_of_blocks(pattern, pattern->mass_pair_count, pattern->mass_pairs, pattern->mass_start, M);
}

double hol_motion_square(const HolPattern *pattern, const double *x)
{
    double sum = 0;
    if (!pattern->unit)
        return hol_inner_product(pattern->nv, x, x);
    for (int i = 0; i < pattern->nv; ++i)
        sum += x[i] / pattern->unit[i] * (x[i] / pattern->unit[i]);
    return sum;
}

const double *hol_jacobian_in_units(const HolPattern *p, const double *D, double *scaled)
{
    if (!p->unit)
        return D;
    for (int i = 0; i < p->pair_count; ++i) {
        Block b = jacobian_block(p, D, i);
        for (int k = 0; k < b.rows * b.columns; ++k)
            scaled[p->pair_start[i] + k] = b.values[k] * p->unit[b.column + k % b.columns];
    }
    return scaled;
}

/* max_j |D_ij| of row i of a group, in units */
static double row_length(const HolPattern *p, const double *D, int g, int i)
{
    double size = 0;
    for (int k = p->group_pairs[g]; k < p->group_pairs[g + 1]; ++k) {
        Block b = jacobian_block(p, D, k);
        for (int j = 0; j < b.columns; ++j)
            size = fmax(size, fabs(b.values[i * b.columns + j]) * p->unit[b.column + j]);
    }
    return size;
}

void hol_jacobian_row_lengths(const HolPattern *pattern, const double *D, double *size)
{
    if (!pattern->unit)
        hol_jacobian_row_sizes(pattern, D, size);
    else
        for (int g = 0; g < pattern->group_count; ++g)
            for (int row = pattern->group_start[g]; row < pattern->group_start[g + 1]; ++row)
                size[row] = row_length(pattern, D, g, row - pattern->group_start[g]);
}

void hol_jacobian_row_divisors(const HolPattern *pattern, const double *D, double *size)
{
    hol_jacobian_row_lengths(pattern, D, size);
    for (int i = 0; i < pattern->m; ++i)
        size[i] = size[i] > 0 ? size[i] : 1;
}

double hol_max_displacement(const HolPattern *p, int n, const double *D, const double *x)
{
    double largest = 0;
    if (!p->unit)
        return hol_max_norm(n, x);
    for (int g = 0; g < p->group_count; ++g)
        for (int row = p->group_start[g]; row < p->group_start[g + 1] && row < n; ++row) {
            double size = row_length(p, D, g, row - p->group_start[g]);
            largest = larger(largest, fabs(x[row]) / (size > 0 ? size : 1));
        }
    return largest;
}

double hol_position_size(const HolPattern *pattern, const double *q)
{
    double largest[2] = {0, 0};
    for (int i = 0; i < pattern->nq; ++i) {
        double *most = &largest[pattern->pure && pattern->pure[i]];
        *most = fabs(q[i]) <= *most ? *most : fabs(q[i]);
    }
    return pattern->length + fmax(largest[0], pattern->length * largest[1]);
}

double hol_relative_violation(const HolPattern *pattern, const double *D, const double *Phi)
{
    return hol_max_displacement(pattern, pattern->nh, D, Phi) / pattern->length;
}
