/* SPDX-License-Identifier: BSD-3-Clause */
/* The numeric code of the Schur solver, in copies for the common sizes.
 *
 * In the functions below R x N is the size of all pairs, known to the compiler, or 0: then sizes are read.
 *
 * The blocks of a column of S are formed right before its elimination: the processor then works on the next groups
 * while it waits for the pivots of this one, each of which depends on the one before. */
#include "linalg/block/block_ldl_kernels.h"
#include "linalg/block/blocks.h"
#include "linalg/schur/internal.h"
#include "linalg/schur/weigh.h"

#include <string.h>

HOL_KERNEL void form_group_fixed(const HolSchurGroup *group, int R, int N, const HolSchurTask *task, bool solve)
{
    HolSchurSums sums;
    hol_schur_clear(R, &sums);
    if (solve)
        hol_column_load(R, task->c + group->row, &sums.r);
    for (const HolSchurPair *pair = group->pairs; pair < group->end; ++pair) {
        HolSchurWeighing with = {.t = pair->t, .E = pair->E, .r = solve};
        with.D = task->D + pair->value;
        with.f = solve ? task->f + pair->column : NULL;
        hol_schur_weigh(R, N, &with, &sums);
    }
    HOL_UNROLL
    for (int j = 0; j < R; ++j) {
        hol_column_store(R, &sums.S[j], group->S + j * R);
        group->reference[j] = hol_column_get(R, &sums.S[j], j);
    }
    if (solve)
        hol_column_store(R, &sums.r, task->lambda + group->row);
}

/* The same for any T and any size. */
HOL_KERNEL void weigh(const HolSchurPair *pair, int r, int n, const double *D)
{
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < r; ++i) {
            double sum = D[i * n + j] * pair->t[j];
            for (int p = 0; p < j; ++p)
                sum += D[i * n + p] * pair->T[p * n + j];
            pair->E[j * r + i] = sum;
        }
}

/* The same where many entries of D are zero, as in merged blocks: row p of T has a part in few rows of E. */
HOL_KERNEL void weigh_sparse(const HolSchurPair *pair, int r, int n, bool diagonal, const double *D)
{
    for (int i = 0; i < r; ++i)
        for (int j = 0; j < n; ++j)
            pair->E[j * r + i] = D[i * n + j] * pair->t[j];
    for (int i = 0; i < r && !diagonal; ++i)
        for (int p = 0; p < n; ++p) {
            double d = D[i * n + p];
            for (int j = p + 1; j < n && d != 0; ++j)
                pair->E[j * r + i] += d * pair->T[p * n + j];
        }
}

/* S += E E^T below the diagonal, for any number of rows: four of a column at once, in registers until they are done. */
HOL_KERNEL void add_square(int r, int n, const double *E, double *S)
{
    for (int j = 0; j < r; ++j) {
        int i = j;
        for (; i + 4 <= r; i += 4) {
            HolColumn sum, e;
            hol_column_load(4, S + j * r + i, &sum);
            for (int p = 0; p < n; ++p) {
                hol_column_load(4, E + p * r + i, &e);
                hol_column_add(4, &e, E[p * r + j], &sum);
            }
            hol_column_store(4, &sum, S + j * r + i);
        }
        for (; i < r; ++i) {
            double sum = S[j * r + i];
            for (int p = 0; p < n; ++p)
                sum += E[p * r + i] * E[p * r + j];
            S[j * r + i] = sum;
        }
    }
}

HOL_KERNEL void form_group_any(const HolSchurGroup *group, int R, int N, bool diagonal, const HolSchurTask *task,
                               bool solve)
{
    int r = R ? R : group->rows;
    for (int i = 0; i < r * r; ++i)
        group->S[i] = 0;
    for (int i = group->row; i < group->row + r && solve; ++i)
        task->lambda[i] = task->c[i];
    for (const HolSchurPair *pair = group->pairs; pair < group->end; ++pair) {
        int n = N ? N : pair->columns;
        if (R) {
            weigh(pair, r, n, task->D + pair->value);
            hol_add_product_t(r, r, n, pair->E, pair->E, group->S);
        } else {
            weigh_sparse(pair, r, n, diagonal, task->D + pair->value);
            add_square(r, n, pair->E, group->S);
        }
        if (solve)
            hol_sub_times(r, n, pair->E, pair->g, task->lambda + group->row);
    }
    hol_remember_diagonal(r, group->S, group->reference);
}

HOL_KERNEL void form_group(const HolSchurGroup *group, int R, int N, bool diagonal, const HolSchurTask *task,
                           bool solve)
{
    if (R && diagonal)
        form_group_fixed(group, R, N, task, solve);
    else
        form_group_any(group, R, N, diagonal, task, solve);
    if (task->taken)
        hol_add_taken(R ? R : group->rows, task->taken + group->row, group->reference);
    if (task->left_out)
        hol_leave_out(R ? R : group->rows, task->left_out + group->row, group->reference);
}

HOL_KERNEL void form_block(const HolSchurBlock *block, int R, int N)
{
    int rows = R ? R : block->rows, columns = R ? R : block->columns;
    const HolSchurProduct *p = block->products;
    if (p == block->end) {
        for (int i = 0; i < rows * columns; ++i)
            block->S[i] = 0;
        return;
    }
    hol_set_product_t(rows, columns, N ? N : p->columns, p->i, p->j, block->S);
    while (++p < block->end)
        hol_add_product_t(rows, columns, N ? N : p->columns, p->i, p->j, block->S);
}

/* Forms and factors S; with `solve` lambda becomes L^-1 (c - E g) on the way. */
HOL_KERNEL void factor(HolSchur *s, int R, int N, const HolSchurTask *task, bool solve)
{
    HolBlockLdl *ldl = s->S;
    HolPivots pivots = hol_pivots_begin(task->tolerance);
    const HolSchurGroup *group = s->groups;
    const HolSchurBlock *block = s->blocks;
    const HolSchurStage *stage = s->stages;
    double *const *target = ldl->target;
    for (const HolLdlColumn *c = ldl->columns; c < ldl->columns + ldl->count; ++c, ++stage) {
        for (; group < stage->groups; ++group)
            form_group(group, R, N, s->diagonal, task, solve);
        for (; block < stage->blocks; ++block)
            form_block(block, R, N);
        target = hol_eliminate(ldl, c, R, &pivots, target);
        if (solve)
            hol_forward(c, R, task->lambda);
    }
    hol_pivots_end(&pivots, ldl);
}

/* y = t x, number by number */
HOL_KERNEL void scale(int n, const double *t, const double *x, double *y)
{
    HolColumn a, b;
    int i = 0;
    for (; i + 4 <= n; i += 4) {
        hol_column_load(4, t + i, &a);
        hol_column_load(4, x + i, &b);
        hol_column_scale(4, &a, &b, &b);
        hol_column_store(4, &b, y + i);
    }
    for (; i < n; ++i)
        y[i] = t[i] * x[i];
}

/* g = T^T f */
HOL_KERNEL void weigh_force(HolSchur *s, const double *f)
{
    const HolPattern *p = s->pattern;
    for (int i = 0; i < p->nv && !f; ++i)
        s->g[i] = 0;
    if (!f)
        return;
    scale(p->nv, s->t, f, s->g);
    for (int b = 0; b < p->block_count && !s->diagonal; ++b) {
        int n = hol_part_size(p->block_start, b), start = p->block_start[b];
        const double *T = s->T + p->mass_start[b];
        for (int i = 0; i < n; ++i)
            for (int j = i + 1; j < n; ++j)
                s->g[start + j] += T[i * n + j] * f[start + i];
    }
}

/* x = T g */
HOL_KERNEL void unweigh(const HolSchur *s, double *x)
{
    const HolPattern *p = s->pattern;
    scale(p->nv, s->t, s->g, x);
    for (int b = 0; b < p->block_count && !s->diagonal; ++b) {
        int n = hol_part_size(p->block_start, b), start = p->block_start[b];
        const double *T = s->T + p->mass_start[b];
        for (int i = 0; i < n; ++i)
            for (int j = i + 1; j < n; ++j)
                x[start + i] += T[i * n + j] * s->g[start + j];
    }
}

/* Whether a pair belongs to a group whose rows are all left out, whose multipliers are zero. */
HOL_KERNEL bool pair_is_left_out(const HolSchur *s, int R, const HolSchurPair *pair)
{
    return hol_is_left_out(R ? R : pair->rows, s->S->d_inverse + pair->row);
}

HOL_KERNEL void solve(HolSchur *s, int R, int N, const HolSchurTask *task)
{
    const HolSchurPair *p, *end = s->pairs + s->pattern->pair_count;
    double *lambda = task->lambda;
    weigh_force(s, task->f);
    for (int i = 0; i < s->pattern->m; ++i)
        lambda[i] = task->c[i];
    for (p = s->pairs; p < end; ++p)
        if (!pair_is_left_out(s, R, p))
            hol_sub_times(R ? R : p->rows, N ? N : p->columns, p->E, p->g, lambda + p->row);
    hol_ldl_solve(s->S, lambda);
    for (p = s->pairs; p < end; ++p)
        if (!pair_is_left_out(s, R, p))
            hol_add_t_times(R ? R : p->rows, N ? N : p->columns, p->E, lambda + p->row, p->g);
    unweigh(s, task->x);
}

/* x = T T^T (f + D^T lambda), which is (2) again: with D row-major at hand it needs no sums across a column. */
HOL_KERNEL void accelerate(HolSchur *s, int R, int N, const HolSchurTask *task)
{
    double *x = task->x;
    memcpy(x, task->f, (size_t)s->pattern->nv * sizeof *x);
    for (const HolSchurPair *p = s->pairs; p < s->pairs + s->pattern->pair_count; ++p)
        hol_add_times(N ? N : p->columns, R ? R : p->rows, task->D + p->value, task->lambda + p->row, x + p->column);
    if (s->diagonal) {
        scale(s->pattern->nv, s->w, x, x);
        return;
    }
    weigh_force(s, x);
    unweigh(s, x);
}

/* f as in the task, but not NULL */
HOL_KERNEL void factor_solve(HolSchur *s, int R, int N, const HolSchurTask *task)
{
    if (!(R && s->diagonal))
        weigh_force(s, task->f);
    factor(s, R, N, task, true);
    hol_backward(s->S, R, task->lambda);
    accelerate(s, R, N, task);
}

#define SIZED(R, N)                                                                                                    \
    HOL_CLONES static void factor_##R##_##N(HolSchur *s, const HolSchurTask *task)                                     \
    {                                                                                                                  \
        factor(s, R, N, task, false);                                                                                  \
    }                                                                                                                  \
    HOL_CLONES static void solve_##R##_##N(HolSchur *s, const HolSchurTask *task)                                      \
    {                                                                                                                  \
        solve(s, R, N, task);                                                                                          \
    }                                                                                                                  \
    HOL_CLONES static void factor_solve_##R##_##N(HolSchur *s, const HolSchurTask *task)                               \
    {                                                                                                                  \
        factor_solve(s, R, N, task);                                                                                   \
    }
SIZED(0, 0)
SIZED(2, 3)
SIZED(3, 3)
SIZED(3, 4)
SIZED(3, 6)
SIZED(5, 6)
SIZED(6, 6)
SIZED(6, 12)

static const struct {
    int rows, columns;
    void (*factor)(HolSchur *s, const HolSchurTask *task);
    void (*solve)(HolSchur *s, const HolSchurTask *task);
    void (*factor_solve)(HolSchur *s, const HolSchurTask *task);
} sized[] = {
    {2, 3, factor_2_3, solve_2_3, factor_solve_2_3},     /* planar revolute */
    {3, 3, factor_3_3, solve_3_3, factor_solve_3_3},     /* planar fixed joint */
    {3, 4, factor_3_4, solve_3_4, factor_solve_3_4},     /* three rods on two points, merged */
    {3, 6, factor_3_6, solve_3_6, factor_solve_3_6},     /* spatial spherical */
    {5, 6, factor_5_6, solve_5_6, factor_solve_5_6},     /* spatial revolute */
    {6, 6, factor_6_6, solve_6_6, factor_solve_6_6},     /* spatial fixed joint */
    {6, 12, factor_6_12, solve_6_12, factor_solve_6_12}, /* natural coordinates in space */
    {0, 0, factor_0_0, solve_0_0, factor_solve_0_0},
};

void hol_schur_choose_kernels(HolSchur *schur)
{
    int rows, columns, k = 0;
    hol_common_pair_size(schur->pattern, &rows, &columns);
    while (sized[k].rows && (sized[k].rows != rows || sized[k].columns != columns))
        ++k;
    schur->factor = sized[k].factor;
    schur->solve = sized[k].solve;
    schur->factor_solve = sized[k].factor_solve;
}

int hol_schur_sized_rows(int rows, int columns)
{
    int k = 0;
    if (columns == 4) /* whose one copy is for rows that were merged to this number */
        return 0;
    while (sized[k].rows && (sized[k].rows < rows || sized[k].columns != columns))
        ++k;
    return sized[k].rows;
}
