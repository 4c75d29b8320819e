/* SPDX-License-Identifier: BSD-3-Clause */
/* The numbers of the Schur solver, in copies for the common sizes.
 *
 * In the functions below R x N is the size of all pairs, known to the compiler, or 0: then sizes are read. */
#include "linalg/blocks.h"
#include "linalg/kernels.h"
#include "linalg/schur_internal.h"

/* E = D T of one pair, r x n; D comes row-major, E goes by columns. */
HOL_KERNEL void weigh(const HolSchur *s, const HolSchurPair *pair, int r, int n, const double *restrict D,
                      double *restrict E)
{
    const double *restrict t = s->t + pair->column, *restrict T = s->T + pair->root;
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < r; ++i)
            E[j * r + i] = D[i * n + j] * t[j];
    for (int j = n - 1; j > 0 && !s->diagonal; --j)
        for (int p = 0; p < j; ++p)
            for (int i = 0; i < r; ++i)
                E[j * r + i] += D[i * n + p] * T[p * n + j];
}

HOL_KERNEL void weigh_all(HolSchur *s, int R, int N, const double *D)
{
    for (const HolSchurPair *p = s->pairs; p < s->pairs + s->pattern->pair_count; ++p)
        weigh(s, p, R ? R : p->rows, N ? N : p->columns, D + p->value, s->E + p->value);
}

HOL_KERNEL void form(HolSchur *s, int R, int N)
{
    double *E = s->E, *S = s->S->L;
    const HolSchurProduct *p, *end;
    for (int i = 0; i < s->fill_count; ++i)
        S[s->fill[i]] = 0;
    for (p = s->first.list, end = p + s->first.count; p < end; ++p)
        hol_set_product_t(R ? R : p->rows_i, R ? R : p->rows_j, N ? N : p->columns, E + p->i, E + p->j, S + p->target);
    for (p = s->further.list, end = p + s->further.count; p < end; ++p)
        hol_add_product_t(R ? R : p->rows_i, R ? R : p->rows_j, N ? N : p->columns, E + p->i, E + p->j, S + p->target);
}

/* y = t x, number by number */
HOL_KERNEL void scale(int n, const double *restrict t, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; ++i)
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

HOL_KERNEL void solve(HolSchur *s, int R, int N, const double *f, const double *c, double *x, double *lambda)
{
    const HolSchurPair *p, *end = s->pairs + s->pattern->pair_count;
    weigh_force(s, f);
    for (int i = 0; i < s->pattern->m; ++i)
        lambda[i] = c[i];
    for (p = s->pairs; p < end; ++p)
        hol_sub_times(R ? R : p->rows, N ? N : p->columns, s->E + p->value, s->g + p->column, lambda + p->row);
    hol_ldl_solve(s->S, lambda);
    for (p = s->pairs; p < end; ++p)
        hol_add_t_times(R ? R : p->rows, N ? N : p->columns, s->E + p->value, lambda + p->row, s->g + p->column);
    unweigh(s, x);
}

#define SIZED(R, N)                                                                                                    \
    HOL_CLONES static void weigh_##R##_##N(HolSchur *s, const double *D)                                               \
    {                                                                                                                  \
        weigh_all(s, R, N, D);                                                                                         \
    }                                                                                                                  \
    HOL_CLONES static void form_##R##_##N(HolSchur *s)                                                                 \
    {                                                                                                                  \
        form(s, R, N);                                                                                                 \
    }                                                                                                                  \
    HOL_CLONES static void solve_##R##_##N(HolSchur *s, const double *f, const double *c, double *x, double *lambda)   \
    {                                                                                                                  \
        solve(s, R, N, f, c, x, lambda);                                                                               \
    }
SIZED(0, 0)
SIZED(2, 3)
SIZED(3, 6)
SIZED(5, 6)

static const struct {
    int rows, columns;
    void (*weigh)(HolSchur *s, const double *D);
    void (*form)(HolSchur *s);
    void (*solve)(HolSchur *s, const double *f, const double *c, double *x, double *lambda);
} sized[] = {
    {2, 3, weigh_2_3, form_2_3, solve_2_3}, /* planar revolute */
    {3, 6, weigh_3_6, form_3_6, solve_3_6}, /* spatial spherical */
    {5, 6, weigh_5_6, form_5_6, solve_5_6}, /* spatial revolute */
    {0, 0, weigh_0_0, form_0_0, solve_0_0},
};

void hol_schur_choose_kernels(HolSchur *schur)
{
    int rows, columns, k = 0;
    hol_common_pair_size(schur->pattern, &rows, &columns);
    while (sized[k].rows && (sized[k].rows != rows || sized[k].columns != columns))
        ++k;
    schur->weigh = sized[k].weigh;
    schur->form = sized[k].form;
    schur->solve = sized[k].solve;
}
