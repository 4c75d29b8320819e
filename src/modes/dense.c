/* SPDX-License-Identifier: BSD-3-Clause */
/* All modes, by dense matrices on the null spaces of the rows. With y = Z_h p, Z_h spanning the displacements that the
 * holonomic rows allow, and u = Z r + U p, Z spanning the velocities that all rows allow, (2) of docs/methods/modes.md
 * becomes
 *
 *     p'                       = Z_h^T (U - P Z_h) p + Z_h^T Z r                                        (1)
 *     Z^T M Z r' + Z^T M U p'  = -Z^T (K Z_h + (C + M W) U) p - Z^T (C + M W) Z r                       (2)
 *
 * At rest with holonomic rows alone U = 0, and where C is zero and K symmetric, Z^T K Z p = omega^2 Z^T M Z p. */
#include "base/message.h"
#include "base/tolerances.h"
#include "linalg/block/blocks.h"
#include "linalg/dense/eigenvalues.h"
#include "linalg/dense/qr.h"
#include "modes/linear.h"

#include <math.h>
#include <string.h>

static const double SYMMETRIC = HOL_TOL_EQUAL; /* what is left of K - K^T, relative to the rows of K */
static const double ZERO = HOL_TOL_ROUNDING;   /* of F, where all terms are given; more where forces are unbalanced */
static const double MEASURED = HOL_TOL_EQUAL;  /* of G, which is measured by differences */
static const double LEAST_SHIFT = HOL_TOL_AMPLIFIED; /* relative to K / M */
static const double SAME = HOL_TOL_SAME;             /* neighbours, relative */

typedef struct Dense {
    HolLinear *linear;
    const HolPattern *pattern;
    HolArena *arena;
    int nv, a, b;    /* vectors of Z_h and Z */
    double *Z_h, *Z; /* a and b vectors of nv numbers */
    double *U;       /* a vectors */
    double *x, *y;   /* nv */
} Dense;

static double *vectors(const Dense *d, int count)
{
    return hol_arena_doubles(d->arena, (size_t)count * (size_t)d->nv);
}

/* An orthonormal basis of the null space of the first rows of D; qr keeps their factorisation. */
static HolStatus null_space(const Dense *d, int rows, const double *D, HolQr **qr, int *count, double **Z)
{
    HOL_TRY(hol_qr_create(d->arena, d->nv, rows, qr));
    if (hol_qr_factor_transposed(*qr, rows, d->nv, D, HOL_TOL_RANK) < 0)
        return HOL_NOT_FINITE;
    *count = d->nv - (*qr)->rank;
    double *by_rows = vectors(d, *count);
    *Z = vectors(d, *count);
    HOL_TRY(hol_arena_status(d->arena));
    hol_qr_null_space(*qr, by_rows);
    hol_times_units(d->pattern, *count, by_rows);
    for (int j = 0; j < d->nv; ++j)
        for (int k = 0; k < *count; ++k)
            (*Z)[k * d->nv + j] = by_rows[j * *count + k];
    return HOL_OK;
}

/* Psi = D v - nu at q (+) h z */
static HolStatus residual_at(const Dense *d, HolTerms *terms, double *q, const double *z, double h, double *psi)
{
    const HolLinear *l = d->linear;
    for (int j = 0; j < d->nv; ++j)
        d->x[j] = h * z[j];
    hol_system_retract(l->system, l->q, d->x, q);
    HOL_TRY(hol_system_evaluate(l->system, &(HolPoint){l->t, q, l->v}, HOL_WANT_JACOBIAN | HOL_WANT_NU, terms));
    hol_jacobian_times(d->pattern, terms->D, l->v, psi);
    hol_add_scaled(d->pattern->m, -1, terms->nu, psi);
    return HOL_OK;
}

/* g = dPsi in the direction z by differences of fourth order, whose step balances truncation and rounding. */
static HolStatus dense_differentiate(const Dense *d, HolTerms *terms, double *q, double *psi, const double *z,
                                     double *g)
{
    static const double at[4] = {1, -1, 2, -2}, weight[4] = {8, -8, -1, 1};
    double step = HOL_DIFFERENCE_STEP * d->pattern->length;
    int m = d->pattern->m;
    memset(g, 0, (size_t)m * sizeof *g);
    for (int k = 0; k < 4; ++k) {
        HOL_TRY(residual_at(d, terms, q, z, step * at[k], psi));
        for (int i = 0; i < m; ++i)
            g[i] += weight[k] * psi[i] / (12 * step);
    }
    return HOL_OK;
}

/* U: the shortest u with D u = -G Z_h. */
static HolStatus find_dependent_velocities(Dense *d, HolQr *qr, const double *size)
{
    int m = d->pattern->m;
    HolTerms *terms;
    double *q = hol_arena_doubles(d->arena, (size_t)d->pattern->nq);
    double *psi = hol_arena_doubles(d->arena, (size_t)m), *g = hol_arena_doubles(d->arena, (size_t)m);
    HOL_TRY(hol_arena_status(d->arena));
    HOL_TRY(hol_terms_create(d->linear->system, &terms));
    HolStatus status = HOL_OK;
    for (int k = 0; k < d->a && status == HOL_OK; ++k) {
        status = dense_differentiate(d, terms, q, psi, d->Z_h + k * d->nv, g);
        for (int i = 0; i < m; ++i)
            g[i] /= -size[i];
        hol_qr_solve_transposed(qr, g, d->U + k * d->nv);
        hol_times_units(d->pattern, 1, d->U + k * d->nv);
    }
    hol_terms_destroy(terms);
    return status;
}

static HolStatus dense_create(HolLinear *linear, Dense *d)
{
    const HolPattern *p = linear->pattern;
    HolQr *qr, *qr_h;
    *d = (Dense){.linear = linear, .pattern = p, .arena = linear->arena, .nv = p->nv};
    double *D = hol_arena_doubles(d->arena, (size_t)p->m * (size_t)p->nv);
    double *size = hol_arena_doubles(d->arena, (size_t)p->m);
    HOL_DOUBLES(d->arena, p->nv, &d->x, &d->y);
    HOL_TRY(hol_arena_status(d->arena));
    hol_jacobian_dense_scaled(p, linear->terms->D, D, size);
    HOL_TRY(null_space(d, p->m, D, &qr, &d->b, &d->Z));
    d->a = d->b;
    d->Z_h = d->Z;
    if (p->nn > 0)
        HOL_TRY(null_space(d, p->nh, D, &qr_h, &d->a, &d->Z_h));
    d->U = vectors(d, d->a);
    if (!d->U)
        return HOL_NO_MEMORY;
    return linear->is_at_rest ? HOL_OK : find_dependent_velocities(d, qr, size);
}

/* A_ij = X_i^T (T Y_j), T being applied by f */
typedef void Apply(const Dense *d, const double *y, double *Ty);

static void dense_project(const Dense *d, int rows, const double *X, int columns, const double *Y, Apply *f, double *A)
{
    for (int j = 0; j < columns; ++j) {
        f(d, Y + j * d->nv, d->y);
        for (int i = 0; i < rows; ++i)
            A[i * columns + j] = hol_inner_product(d->nv, X + i * d->nv, d->y);
    }
}

static void apply_mass(const Dense *d, const double *y, double *My)
{
    hol_mass_times(d->pattern, d->linear->terms->M, y, My);
}

static void apply_stiffness(const Dense *d, const double *y, double *Ky)
{
    memset(Ky, 0, (size_t)d->nv * sizeof *Ky);
    hol_tangent_add_times(d->pattern, d->linear->terms->K, 1, y, Ky);
}

/* (C + M W) y */
static void apply_damping(const Dense *d, const double *y, double *Cy)
{
    const HolLinear *l = d->linear;
    memset(Cy, 0, (size_t)d->nv * sizeof *Cy);
    if (l->turns && !l->is_at_rest) {
        double *turned = d->x;
        l->turning.turn(l->turning.self, y, Cy, turned);
        hol_mass_times(d->pattern, l->terms->M, turned, Cy);
    }
    hol_tangent_add_times(d->pattern, l->terms->C, 1, y, Cy);
}

/* The metric in which Z_h is orthonormal: of displacements in arcs. */
static void apply_metric(const Dense *d, const double *y, double *z)
{
    const double *unit = d->pattern->unit;
    for (int j = 0; j < d->nv; ++j)
        z[j] = unit ? y[j] / (unit[j] * unit[j]) : y[j];
}

/* -P y, in that metric */
static void apply_frame(const Dense *d, const double *y, double *Py)
{
    const HolLinear *l = d->linear;
    memset(Py, 0, (size_t)d->nv * sizeof *Py);
    if (!l->turns || l->is_at_rest)
        return;
    l->turning.turn(l->turning.self, y, Py, d->x);
    for (int j = 0; j < d->nv; ++j)
        Py[j] = -Py[j];
    apply_metric(d, Py, Py);
}

/* Tests entry by entry, relative to its row and column, so that stiff parts elsewhere do not hide asymmetry. */
static bool dense_is_symmetric(int n, const double *K, double uncertainty, double *rows)
{
    for (int i = 0; i < n; ++i) {
        rows[i] = 0;
        for (int j = 0; j < n; ++j)
            rows[i] = fmax(rows[i], fmax(fabs(K[i * n + j]), fabs(K[j * n + i])));
    }
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < i; ++j)
            if (fabs(K[i * n + j] - K[j * n + i]) > SYMMETRIC * sqrt(rows[i] * rows[j]) + uncertainty)
                return false;
    return true;
}

/* Frequencies without damping, ascending, and vectors p in rows of X. */
typedef struct Undamped {
    int n;
    double *omega2, *X, *scratch;
} Undamped;

static HolStatus create_undamped(const Dense *d, Undamped *u)
{
    size_t n = (size_t)d->b;
    *u = (Undamped){d->b, hol_arena_doubles(d->arena, n), hol_arena_doubles(d->arena, n * n),
                    hol_arena_doubles(d->arena, n * n)};
    return hol_arena_status(d->arena);
}

/* K p = omega^2 M p: errors of omega^2 are relative to the largest. */
static HolStatus find_fast(const double *K, const double *M, Undamped *u)
{
    size_t bytes = (size_t)u->n * (size_t)u->n * sizeof *K;
    memcpy(u->X, K, bytes);
    memcpy(u->scratch, M, bytes);
    return hol_eigen_definite(u->n, u->X, u->scratch, u->omega2);
}

/* M p = (K - sigma M) p / (omega^2 - sigma): errors are relative to the smallest. HOL_SINGULAR if sigma is not below
 * all omega^2. */
static HolStatus find_slow(const double *K, const double *M, double sigma, Undamped *u)
{
    int n = u->n;
    memcpy(u->X, M, (size_t)n * (size_t)n * sizeof *M);
    for (int k = 0; k < n * n; ++k)
        u->scratch[k] = K[k] - sigma * M[k];
    HOL_TRY(hol_eigen_definite(n, u->X, u->scratch, u->omega2));
    for (int k = 0; k < n / 2; ++k) {
        double swap = u->omega2[k];
        u->omega2[k] = u->omega2[n - 1 - k];
        u->omega2[n - 1 - k] = swap;
        for (int j = 0; j < n; ++j) {
            swap = u->X[k * n + j];
            u->X[k * n + j] = u->X[(n - 1 - k) * n + j];
            u->X[(n - 1 - k) * n + j] = swap;
        }
    }
    for (int k = 0; k < n; ++k)
        u->omega2[k] = 1 / u->omega2[k] + sigma;
    return HOL_OK;
}

/* The limit below which omega^2 of a vector is taken for zero. */
static double dense_zero_of(const Dense *d, const double *M, const double *p)
{
    double mass = 0;
    for (int i = 0; i < d->b; ++i)
        mass += p[i] * hol_inner_product(d->b, M + i * d->b, p);
    return d->linear->uncertainty * hol_inner_product(d->b, p, p) / mass;
}

/* With *sigma, the smallest shift that is below all omega^2 by more than rounding. */
static HolStatus find_slowest(const double *K, const double *M, Undamped *u, double *sigma)
{
    int n = u->n;
    double unit = hol_max_norm(n * n, K) / hol_max_norm(n * n, M);
    HolStatus status = HOL_SINGULAR;
    for (*sigma = -LEAST_SHIFT * (unit > 0 ? unit : 1); isfinite(*sigma); *sigma *= 10) {
        status = find_slow(K, M, *sigma, u);
        if (status != HOL_SINGULAR)
            return status;
    }
    return status;
}

/* From which on the fast ones are better known by find_fast(): in the middle of the orders of magnitude, and not
 * between two that are nearly the same. */
static int dense_find_seam(const Undamped *slow, const Undamped *fast, double sigma)
{
    int n = slow->n, k = 0;
    double limit = sqrt(fmax(fast->omega2[n - 1], 0) * (slow->omega2[0] - sigma));
    while (k < n &&
           (slow->omega2[k] <= limit || (k > 0 && slow->omega2[k] - slow->omega2[k - 1] < SAME * slow->omega2[k])))
        ++k;
    return k;
}

/* Nothing is held. */
static HolStatus add_free(Dense *d, HolModesBox *box)
{
    double *p = hol_arena_doubles(d->arena, (size_t)d->b);
    if (!p)
        return HOL_NO_MEMORY;
    box->shown.is_undamped = true;
    for (int k = 0; k < d->b; ++k) {
        p[k] = 1;
        HOL_TRY(hol_modes_add_undamped(box, d->pattern, d->b, d->Z, p, 0, 0));
        p[k] = 0;
    }
    return HOL_OK;
}

/* Without damping; HOL_SINGULAR if some direction has no mass. */
static HolStatus solve_undamped(Dense *d, double *K, const double *M, HolModesBox *box)
{
    int n = d->b;
    double sigma = 0;
    Undamped slow, fast;
    if (hol_max_norm(n * n, K) <= d->linear->uncertainty)
        return add_free(d, box);
    HOL_TRY(create_undamped(d, &slow));
    HOL_TRY(create_undamped(d, &fast));
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < i; ++j)
            K[i * n + j] = K[j * n + i] = (K[i * n + j] + K[j * n + i]) / 2;
    HOL_TRY(find_fast(K, M, &fast));
    HOL_TRY(n > 0 ? find_slowest(K, M, &slow, &sigma) : HOL_OK);
    int seam = n > 0 ? dense_find_seam(&slow, &fast, sigma) : 0;
    for (int k = 0; k < n; ++k) {
        const Undamped *u = k < seam ? &slow : &fast;
        const double *p = u->X + k * n;
        HOL_TRY(hol_modes_add_undamped(box, d->pattern, n, d->Z, p, u->omega2[k], dense_zero_of(d, M, p)));
    }
    box->shown.is_undamped = true;
    return HOL_OK;
}

static void dense_put(const double *block, int rows, int columns, double sign, int n, double *to)
{
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j)
            to[i * n + j] += sign * block[i * columns + j];
}

/* (1) and (2) in rows, p before r. */
static HolStatus solve_general(Dense *d, HolModesBox *box)
{
    int a = d->a, b = d->b, n = a + b;
    HolFirstOrder f = {.a = a, .b = b, .tolerance = ZERO, .measured = d->linear->is_at_rest ? 0 : MEASURED};
    size_t size = (size_t)n * (size_t)n;
    HOL_DOUBLES(d->arena, size, &f.F, &f.E);
    double *block = hol_arena_doubles(d->arena, size);
    HOL_TRY(hol_arena_status(d->arena));
    for (int i = 0; i < a; ++i)
        f.E[i * n + i] = 1;
    const struct {
        int rows, columns;
        const double *X, *Y;
        Apply *apply;
        double sign, *to;
    } parts[] = {
        {a, a, d->Z_h, d->U, apply_metric, 1, f.F},         {a, a, d->Z_h, d->Z_h, apply_frame, 1, f.F},
        {a, b, d->Z_h, d->Z, apply_metric, 1, f.F + a},     {b, a, d->Z, d->Z_h, apply_stiffness, -1, f.F + a * n},
        {b, a, d->Z, d->U, apply_damping, -1, f.F + a * n}, {b, b, d->Z, d->Z, apply_damping, -1, f.F + a * n + a},
        {b, a, d->Z, d->U, apply_mass, 1, f.E + a * n},     {b, b, d->Z, d->Z, apply_mass, 1, f.E + a * n + a},
    };
    for (size_t k = 0; k < sizeof parts / sizeof *parts; ++k) {
        dense_project(d, parts[k].rows, parts[k].X, parts[k].columns, parts[k].Y, parts[k].apply, block);
        dense_put(block, parts[k].rows, parts[k].columns, parts[k].sign, n, parts[k].to);
    }
    double stiffness = 0, uncertainty = d->linear->uncertainty;
    for (int i = a; i < n; ++i)
        stiffness = fmax(stiffness, hol_max_norm(a, f.F + i * n));
    if (stiffness > uncertainty)
        f.tolerance = fmax(ZERO, uncertainty / stiffness);
    for (int i = a; i < n && stiffness <= uncertainty; ++i)
        memset(f.F + i * n, 0, (size_t)a * sizeof *f.F);
    return hol_modes_first_order(box, d->linear, d->Z_h, &f);
}

static HolStatus dense_solve(Dense *d, HolModesBox *box)
{
    int n = d->b;
    double *K = hol_arena_doubles(d->arena, (size_t)n * (size_t)n), *rows = hol_arena_doubles(d->arena, (size_t)n);
    double *M = hol_arena_doubles(d->arena, (size_t)n * (size_t)n);
    if (!K || !M || !rows)
        return HOL_NO_MEMORY;
    box->shown.dof = d->b;
    if (d->linear->is_at_rest && d->pattern->nn == 0) {
        dense_project(d, n, d->Z, n, d->Z, apply_damping, K);
        double damping = hol_max_norm(n * n, K);
        dense_project(d, n, d->Z, n, d->Z, apply_stiffness, K);
        dense_project(d, n, d->Z, n, d->Z, apply_mass, M);
        bool symmetric = dense_is_symmetric(n, K, d->linear->uncertainty, rows);
        HolStatus status = damping == 0 && symmetric ? solve_undamped(d, K, M, box) : HOL_SINGULAR;
        if (status != HOL_SINGULAR)
            return status;
    }
    return solve_general(d, box);
}

HolStatus hol_modes_complete(HolLinear *linear, HolModesBox *box, HolMessage *message)
{
    Dense dense;
    HolStatus status = dense_create(linear, &dense);
    if (status == HOL_OK)
        status = dense_solve(&dense, box);
    box->shown.is_complete = true;
    if (status == HOL_OK || status == HOL_NO_MEMORY)
        return status;
    return hol_fail(message, status, "the modes of '%s' cannot be computed: %s", hol_system_name(linear->system),
                    hol_status_cause(status));
}
