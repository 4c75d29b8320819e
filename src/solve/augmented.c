/* SPDX-License-Identifier: BSD-3-Clause */
#include "solve/augmented.h"

#include "base/message.h"
#include "base/tolerances.h"
#include "linalg/block/blocks.h"

#include <math.h>
#include <string.h>

void hol_add_row_masses(const HolPattern *p, const double *M, const double *D, double *square, double *mass)
{
    for (int i = 0; i < p->pair_count; ++i) {
        int b = p->pairs[i].column, row = p->group_start[p->pairs[i].row], n = hol_part_size(p->block_start, b);
        const double *D_i = D + p->pair_start[i], *M_b = M + p->mass_start[b];
        for (int k = 0; k < p->pair_start[i + 1] - p->pair_start[i]; ++k) {
            double unit = p->unit ? p->unit[p->block_start[b] + k % n] : 1, d = D_i[k] * unit;
            square[row + k / n] += d * d;
            mass[row + k / n] += d * d * (M_b[k % n * (n + 1)] * unit * unit);
        }
    }
}

double hol_max_row_mass(const HolPattern *p, const double *M, const double *D, double *x, double *y)
{
    double largest = 0;
    memset(x, 0, (size_t)p->m * sizeof *x);
    memset(y, 0, (size_t)p->m * sizeof *y);
    hol_add_row_masses(p, M, D, y, x);
    for (int i = 0; i < p->m; ++i)
        if (y[i] > 0)
            largest = fmax(largest, x[i] / (y[i] * y[i]));
    return largest > 0 ? largest : 1;
}

HolStatus hol_augmented_create(const HolSetup *setup, double alpha, HolAugmented **augmented)
{
    const HolPattern *p = hol_system_pattern(setup->system);
    HolAugmented *a = hol_arena_alloc(setup->arena, sizeof *a);
    HOL_TRY(hol_arena_status(setup->arena));
    a->pattern = p;
    a->stamp = -1;
    HOL_DOUBLES(setup->arena, p->m, &a->w, &a->s, &a->row_size);
    HOL_DOUBLES(setup->arena, p->nv, &a->r, &a->z);
    HOL_TRY(hol_arena_status(setup->arena));
    for (int i = 0; i < p->m; ++i)
        a->w[i] = alpha * (setup->row_weights ? setup->row_weights[i] : 1);
    *augmented = a;
    return hol_penalty_matrix_create(setup->arena, p, false, &a->penalty);
}

HolStatus hol_augmented_factor(HolAugmented *augmented, HolWorkspace *work)
{
    HOL_TRY(hol_workspace_need(work, HOL_WANT_MASS | HOL_WANT_JACOBIAN));
    if (augmented->stamp == work->stamp)
        return HOL_OK;
    augmented->stamp = -1;
    HOL_TRY(hol_penalty_matrix_factor(augmented->penalty, work->terms->M, NULL, work->terms->D, augmented->w));
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
    hol_add_scaled(p->m, 1, lambda, a->s);
    hol_jacobian_add_transposed(p, terms->D, a->s, a->z);
    hol_penalty_matrix_solve(a->penalty, a->z);
}

/* The rows are satisfied: max |c_i - D_i x| / max_j |D_ij|, from s = w (c - D x), is small against unit + max |x|.
 * Without it a penalty too weak to move anything would pass for one that has converged. */
static bool satisfies_rows(HolAugmented *a, const HolTerms *terms, double size)
{
    static const double SMALL = 0.1 * HOL_TOL_SMALL;
    hol_jacobian_row_lengths(a->pattern, terms->D, a->row_size);
    for (int i = 0; i < a->pattern->m; ++i)
        if (!(fabs(a->s[i]) <= SMALL * size * a->w[i] * a->row_size[i]))
            return false;
    return true;
}

/* A small change that does not decrease is rounding, or comes from redundant rows that are inconsistent to that extent.
 * Slow convergence continues. */
static bool augmented_has_converged(double change, double before, double size, double tolerance)
{
    static const double SMALL = 0.1 * HOL_TOL_SMALL;
    return change <= tolerance * size || (change <= SMALL * size && change > HOL_PART_STALLED * before);
}

/* Whether another pass would change x by less than the tolerance. From the second pass on dx = A^-1 D^T s, so that
 * |dx|_M <= |s / sqrt(w)| / 2, whatever D is: A^-1 D^T sqrt(w) has the singular values y / (1 + y^2) in the metric of
 * M. Coordinates of little mass hardly count in that norm: their dx decreases with the residual of the rows. r is still
 * M x of before. */
static bool is_last(const HolAugmented *a, const double *x, double push, double shrunk, double change, double size,
                    double tolerance)
{
    double speed = hol_inner_product(a->pattern->nv, a->r, x);
    return push <= 4 * tolerance * tolerance * speed && shrunk * change <= tolerance * size;
}

/* The first pass, from x = 0 and lambda = 0. */
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
    hol_penalty_matrix_solve(augmented->penalty, x);
}

int hol_augmented_solve(HolAugmented *augmented, const HolTerms *terms, const double *f, const double *c, double unit,
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
        double change = hol_motion_norm(p, augmented->z), size = unit + hol_motion_norm(p, x);
        augmented->change = change / size;
        bool converged = augmented_has_converged(change, before, size, tolerance) ||
                         (pass > 1 && is_last(augmented, x, push, gap / gap_before, change, size, tolerance));
        if (pass > 1 && converged && satisfies_rows(augmented, terms, size))
            return pass;
        if (pass == passes)
            return passes == 1 ? 1 : -1;
        before = change;
        gap_before = gap;
        increment(augmented, terms, f, x, lambda);
        hol_add_scaled(p->nv, 1, augmented->z, x);
    }
}
