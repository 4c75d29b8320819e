/* SPDX-License-Identifier: BSD-3-Clause */
#include "formulations/augmented.h"

#include "base/message.h"
#include "linalg/blocks.h"

#include <math.h>
#include <string.h>

void hol_add_seen_masses(const HolPattern *pattern, const double *M, const double *D, double *square, double *mass)
{
    const HolPattern *p = pattern;
    for (int i = 0; i < p->pair_count; ++i) {
        int b = p->pairs[i].column, row = p->group_start[p->pairs[i].row], n = hol_part_size(p->block_start, b);
        const double *D_i = D + p->pair_start[i], *M_b = M + p->mass_start[b];
        for (int k = 0; k < p->pair_start[i + 1] - p->pair_start[i]; ++k) {
            square[row + k / n] += D_i[k] * D_i[k];
            mass[row + k / n] += D_i[k] * D_i[k] * M_b[k % n * (n + 1)];
        }
    }
}

double hol_seen_mass(const HolPattern *pattern, const double *M, const double *D, double *x, double *y)
{
    const HolPattern *p = pattern;
    double largest = 0;
    memset(x, 0, (size_t)p->m * sizeof *x);
    memset(y, 0, (size_t)p->m * sizeof *y);
    hol_add_seen_masses(p, M, D, y, x);
    for (int i = 0; i < p->m; ++i)
        if (y[i] > 0)
            largest = fmax(largest, x[i] / (y[i] * y[i]));
    return largest > 0 ? largest : 1;
}

HolStatus hol_augmented_create(const HolSetup *setup, double alpha, HolAugmented **augmented)
{
    const HolPattern *p = hol_system_pattern(setup->system);
    HolAugmented *a = hol_arena_alloc(setup->arena, sizeof *a);
    if (!a)
        return HOL_NO_MEMORY;
    a->pattern = p;
    a->stamp = -1;
    a->w = hol_arena_doubles(setup->arena, (size_t)p->m);
    a->r = hol_arena_doubles(setup->arena, (size_t)p->nv);
    a->s = hol_arena_doubles(setup->arena, (size_t)p->m);
    a->z = hol_arena_doubles(setup->arena, (size_t)p->nv);
    a->row_size = hol_arena_doubles(setup->arena, (size_t)p->m);
    if (hol_arena_failed(setup->arena))
        return HOL_NO_MEMORY;
    for (int i = 0; i < p->m; ++i)
        a->w[i] = alpha * (setup->row_weights ? setup->row_weights[i] : 1);
    *augmented = a;
    return hol_primal_create(setup->arena, p, &a->primal);
}

HolStatus hol_augmented_factor(HolAugmented *augmented, HolWorkspace *work)
{
    HOL_TRY(hol_workspace_need(work, HOL_WANT_MASS | HOL_WANT_JACOBIAN));
    if (augmented->stamp == work->stamp)
        return HOL_OK;
    augmented->stamp = -1;
    HOL_TRY(hol_primal_factor(augmented->primal, work->terms->M, work->terms->D, augmented->w));
    augmented->stamp = work->stamp;
    return HOL_OK;
}

/* s = w (c - D x), and (3). Returns s^T s / w; *gap is max |c - D x|, to compare passes. */
static double take_residual(HolAugmented *a, const double *D, const double *c, const double *x, double *lambda,
                            double *gap)
{
    double sum = 0, largest = 0;
    hol_jacobian_times(a->pattern, D, x, a->s);
    for (int i = 0; i < a->pattern->m; ++i) {
        double r = c[i] - a->s[i];
        a->s[i] = a->w[i] * r;
        lambda[i] += a->s[i];
        sum += a->s[i] * r;
        largest = fabs(r) > largest ? fabs(r) : largest;
    }
    *gap = largest;
    return sum;
}

/* (2): z becomes dx. s is the residual of x. */
static void increment(HolAugmented *a, const HolTerms *terms, const double *f, const double *x, const double *lambda)
{
    const HolPattern *p = a->pattern;
    hol_mass_times(p, terms->M, x, a->r);
    for (int i = 0; i < p->nv; ++i)
        a->z[i] = f ? f[i] - a->r[i] : -a->r[i];
    for (int i = 0; i < p->m; ++i)
        a->s[i] += lambda[i];
    hol_jacobian_add_transposed(p, terms->D, a->s, a->z);
    hol_primal_solve(a->primal, a->z);
}

/* The rows are met: max |c_i - D_i x| / max_j |D_ij|, from s = w (c - D x), is small against 1 + max |x|. Without it a
 * penalty too weak to move anything would pass for one that has converged. */
static bool meets_rows(HolAugmented *a, const HolTerms *terms, double size)
{
    static const double SMALL = 1e-4;
    hol_jacobian_row_sizes(a->pattern, terms->D, a->row_size);
    for (int i = 0; i < a->pattern->m; ++i)
        if (!(fabs(a->s[i]) <= SMALL * (1 + size) * a->w[i] * a->row_size[i]))
            return false;
    return true;
}

/* A change that is small but does not shrink at all is rounding, or comes from redundant rows that contradict each
 * other by as little. Slow convergence goes on. */
static bool has_settled(double change, double before, double size, double tolerance)
{
    static const double SMALL = 1e-4, STALLED = 0.95;
    return change <= tolerance * (1 + size) || (change <= SMALL * (1 + size) && change > STALLED * before);
}

static double product(int n, const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < n; ++i)
        sum += x[i] * y[i];
    return sum;
}

/* Whether another pass would change x by less than the tolerance. From the second pass on dx = A^-1 D^T s, so that
 * |dx|_M <= |s / sqrt(w)| / 2, whatever D is: A^-1 D^T sqrt(w) has the singular values y / (1 + y^2) in the metric of
 * M. What has little mass M hardly sees: there dx shrinks with what is left of the rows. r is still M x of before. */
static bool is_last(const HolAugmented *a, const double *x, double push, double shrunk, double change, double size,
                    double tolerance)
{
    double speed = product(a->pattern->nv, a->r, x);
    return push <= 4 * tolerance * tolerance * speed && shrunk * change <= tolerance * (1 + size);
}

/* The first pass, from nothing. */
static void solve_once(HolAugmented *augmented, const HolTerms *terms, const double *f, const double *c, double *x)
{
    const HolPattern *p = augmented->pattern;
    if (f)
        memcpy(x, f, (size_t)p->nv * sizeof *x);
    else
        memset(x, 0, (size_t)p->nv * sizeof *x);
    for (int i = 0; i < p->m; ++i)
        augmented->s[i] = augmented->w[i] * c[i];
    hol_jacobian_add_transposed(p, terms->D, augmented->s, x);
    hol_primal_solve(augmented->primal, x);
}

int hol_augmented_solve(HolAugmented *augmented, const HolTerms *terms, const double *f, const double *c,
                        double tolerance, int passes, double *x, double *lambda)
{
    const HolPattern *p = augmented->pattern;
    double before = HUGE_VAL, gap_before = HUGE_VAL, gap;
    solve_once(augmented, terms, f, c, x);
    if (!lambda)
        return 1;
    memcpy(augmented->z, x, (size_t)p->nv * sizeof *x);
    memset(lambda, 0, (size_t)p->m * sizeof *lambda);
    for (int pass = 1;; ++pass) {
        double push = take_residual(augmented, terms->D, c, x, lambda, &gap);
        double change = hol_max_norm(p->nv, augmented->z), size = hol_max_norm(p->nv, x);
        augmented->change = change / (1 + size);
        bool settled = has_settled(change, before, size, tolerance) ||
                       (pass > 1 && is_last(augmented, x, push, gap / gap_before, change, size, tolerance));
        if (pass > 1 && settled && meets_rows(augmented, terms, size))
            return pass;
        if (pass == passes)
            return passes == 1 ? 1 : -1;
        before = change;
        gap_before = gap;
        increment(augmented, terms, f, x, lambda);
        for (int i = 0; i < p->nv; ++i)
            x[i] += augmented->z[i];
    }
}
