/* SPDX-License-Identifier: BSD-3-Clause */
/* Equilibria and small vibrations of flexible mechanisms in natural coordinates, from the terms of the system alone: an
 * independent way to look at what simulations run through.
 *
 *     Q + D^T lambda + F = 0,   Phi = 0                  Newton with K of the system                        (1)
 *     F = Omega^2 M P q                                  centrifugal, in axes that turn about global z      (2)
 *     Z^T (K - Omega^2 M P) Z x = omega^2 Z^T M Z x      D Z = 0                                            (3)
 *
 * M is a number for each pair of vectors of q, so that turning all vectors commutes with it: in turning axes nothing
 * but (2) and the Coriolis forces is new, and the latter are left out of (3). P takes x and y of each vector.
 *
 *     Flexible *f = flexible_open(text);                 as drawn
 *     flexible_load(f, 10);                              (1) at t = 0.1, 0.2, ..., 1: loads that grow with t
 *     flexible_node(f, "b.end")[2]
 *     flexible_modes(f, 3, omega, shares);               (3) there
 *     flexible_close(f); */
#ifndef TESTS_UNIT_FLEXIBLE_H
#define TESTS_UNIT_FLEXIBLE_H

#include <holon/mechanism.h>

#include "check.h"
#include "linalg/block/blocks.h"
#include "linalg/sparse/lu.h"

#include <lapacke.h>
#include <stdlib.h>

typedef struct Flexible {
    HolModel *model;
    HolMechanism *mechanism;
    const HolSystem *system;
    const HolPattern *pattern;
    HolTerms *terms;
    double *q, *v, *lambda; /* v stays zero */
    double Omega;
} Flexible;

static inline void flexible_close(Flexible *f)
{
    if (!f)
        return;
    hol_terms_destroy(f->terms);
    hol_mechanism_destroy(f->mechanism);
    hol_model_destroy(f->model);
    free(f->q);
    free(f->v);
    free(f->lambda);
    free(f);
}

/* NULL after a failed check, which shows the sentences. */
static inline Flexible *flexible_open(const char *text)
{
    Flexible *f = calloc(1, sizeof *f);
    f->model = hol_model_create();
    bool ok = CHECK_OK(hol_model_parse(f->model, text, "flexible")) &&
              CHECK_OK(hol_mechanism_create(f->model, &f->mechanism));
    for (int i = 0; i < hol_model_error_count(f->model); ++i)
        printf("    %s\n", hol_model_error(f->model, i));
    if (!ok) {
        flexible_close(f);
        return NULL;
    }
    f->system = hol_mechanism_system(f->mechanism);
    f->pattern = hol_system_pattern(f->system);
    f->q = calloc((size_t)f->pattern->nq, sizeof(double));
    f->v = calloc((size_t)f->pattern->nv, sizeof(double));
    f->lambda = calloc((size_t)f->pattern->m + 1, sizeof(double));
    memcpy(f->q, hol_mechanism_initial_state(f->mechanism).q, (size_t)f->pattern->nq * sizeof(double));
    CHECK_OK(hol_terms_create(f->system, &f->terms));
    return f;
}

/* r, a_1, a_2, a_3 of a body or node. */
static inline const double *flexible_node(const Flexible *f, const char *name)
{
    for (int i = 0; i < hol_mechanism_body_count(f->mechanism); ++i)
        if (strcmp(hol_mechanism_body(f->mechanism, i), name) == 0)
            return f->q + f->pattern->block_start[i];
    CHECK_CONTEXT("no body '%s'", name);
    CHECK(false);
    return f->q;
}

/* ---- The matrix of (1) ---- */

/* By columns; places of the entries in the order of flexible_visit(). */
typedef struct FlexibleStep {
    int n, count;
    int *start, *rows, *place;
    double *values, *b;
    HolSparseLu *lu;
} FlexibleStep;

typedef void FlexibleVisit(FlexibleStep *step, int row, int column, double value, int index);

/* Whether a coordinate is the x or y of a vector: all are of vectors in space. */
static inline bool flexible_turns(int coordinate)
{
    return coordinate % 3 < 2;
}

static inline void flexible_visit(const Flexible *f, FlexibleStep *step, FlexibleVisit *visit)
{
    const HolPattern *p = f->pattern;
    int index = 0;
    for (int k = 0; k < p->tangent_count; ++k) {
        int columns = hol_part_size(p->block_start, p->tangents[k].column);
        for (int i = 0; i < p->tangent_start[k + 1] - p->tangent_start[k]; ++i)
            visit(step, p->block_start[p->tangents[k].row] + i / columns,
                  p->block_start[p->tangents[k].column] + i % columns, f->terms->K[p->tangent_start[k] + i], index++);
    }
    for (int k = 0; k < p->pair_count; ++k) {
        int columns = hol_part_size(p->block_start, p->pairs[k].column);
        for (int i = 0; i < p->pair_start[k + 1] - p->pair_start[k]; ++i) {
            int row = p->nv + p->group_start[p->pairs[k].row] + i / columns;
            int column = p->block_start[p->pairs[k].column] + i % columns;
            double d = f->terms->D[p->pair_start[k] + i];
            visit(step, row, column, d, index++);
            visit(step, column, row, -d, index++);
        }
    }
}

static inline void flexible_count(FlexibleStep *step, int row, int column, double value, int index)
{
    (void)row, (void)value;
    ++step->start[column + 2];
    step->count = index + 1;
}

static inline void flexible_place(FlexibleStep *step, int row, int column, double value, int index)
{
    (void)value;
    step->place[index] = step->start[column + 1]++;
    step->rows[step->place[index]] = row;
}

static inline void flexible_write(FlexibleStep *step, int row, int column, double value, int index)
{
    (void)row, (void)column;
    step->values[step->place[index]] = value;
}

static inline FlexibleStep flexible_step_open(const Flexible *f)
{
    FlexibleStep step = {.n = f->pattern->nv + f->pattern->m};
    step.start = calloc((size_t)step.n + 2, sizeof(int));
    flexible_visit(f, &step, flexible_count);
    for (int j = 0; j < step.n; ++j)
        step.start[j + 2] += step.start[j + 1];
    step.rows = calloc((size_t)step.count, sizeof(int));
    step.place = calloc((size_t)step.count, sizeof(int));
    step.values = calloc((size_t)step.count, sizeof(double));
    step.b = calloc((size_t)step.n, sizeof(double));
    flexible_visit(f, &step, flexible_place);
    CHECK_OK(hol_sparse_lu_create(step.n, step.start, step.rows, &step.lu));
    return step;
}

static inline void flexible_step_close(FlexibleStep *step)
{
    hol_sparse_lu_destroy(step->lu);
    free(step->start);
    free(step->rows);
    free(step->place);
    free(step->values);
    free(step->b);
}

/* K <- K - Omega^2 M P */
static inline void flexible_soften(const Flexible *f, HolPair pair, const double *M, bool transposed)
{
    const HolPattern *p = f->pattern;
    int row = transposed ? pair.column : pair.row, column = transposed ? pair.row : pair.column, t = 0;
    while (p->tangents[t].row != row || p->tangents[t].column != column)
        ++t;
    int rows = hol_part_size(p->block_start, row), columns = hol_part_size(p->block_start, column);
    double *K = f->terms->K + p->tangent_start[t];
    for (int i = 0; i < rows * columns; ++i) {
        int r = i / columns, c = i % columns;
        double m = transposed ? M[c * rows + r] : M[i];
        K[i] -= flexible_turns(p->block_start[column] + c) ? f->Omega * f->Omega * m : 0;
    }
}

static inline void flexible_evaluate(Flexible *f, double t)
{
    const HolPattern *p = f->pattern;
    HolPoint at = {t, f->q, f->v};
    CHECK_OK(hol_system_evaluate(f->system, &at, HOL_WANT_ALL, f->terms));
    CHECK_OK(hol_system_tangent(f->system, &at, f->v, f->lambda, f->terms));
    for (int k = 0; k < p->mass_pair_count && f->Omega != 0; ++k) {
        flexible_soften(f, p->mass_pairs[k], f->terms->M + p->mass_start[k], false);
        if (p->mass_pairs[k].row != p->mass_pairs[k].column)
            flexible_soften(f, p->mass_pairs[k], f->terms->M + p->mass_start[k], true);
    }
}

/* (2) */
static inline void flexible_centrifugal(const Flexible *f, double *F)
{
    double *x = calloc((size_t)f->pattern->nv, sizeof *x);
    for (int i = 0; i < f->pattern->nv; ++i)
        x[i] = flexible_turns(i) ? f->Omega * f->Omega * f->q[i] : 0;
    hol_mass_times(f->pattern, f->terms->M, x, F);
    free(x);
}

/* ---- (1) ---- */

enum { FLEXIBLE_ITERATIONS = 60 };

/* K dq - D^T lambda_new = Q + F,   D dq = -Phi */
static inline bool flexible_iterate(Flexible *f, FlexibleStep *step, double t, double *change)
{
    const HolPattern *p = f->pattern;
    flexible_evaluate(f, t);
    flexible_visit(f, step, flexible_write);
    flexible_centrifugal(f, step->b);
    for (int i = 0; i < p->nv; ++i)
        step->b[i] += f->terms->Q[i];
    for (int i = 0; i < p->m; ++i)
        step->b[p->nv + i] = -f->terms->Phi[i];
    if (hol_sparse_lu_factor(step->lu, step->values) != HOL_OK)
        return false;
    hol_sparse_lu_solve(step->lu, step->b);
    *change = 0;
    for (int i = 0; i < p->nv; ++i) {
        f->q[i] += step->b[i];
        *change = fmax(*change, fabs(step->b[i]) / (1 + fabs(f->q[i])));
    }
    memcpy(f->lambda, step->b + p->nv, (size_t)p->m * sizeof *step->b);
    return isfinite(*change);
}

/* At the time t, from where it stands: the number of iterations, -1 if they do not converge. */
static inline int flexible_settle(Flexible *f, double t)
{
    int count = 0;
    double change = HUGE_VAL;
    FlexibleStep step = flexible_step_open(f);
    while (change > 1e-11 && count < FLEXIBLE_ITERATIONS && flexible_iterate(f, &step, t, &change))
        ++count;
    flexible_step_close(&step);
    flexible_evaluate(f, t);
    return change <= 1e-11 ? count : -1;
}

static inline int flexible_load(Flexible *f, int count)
{
    int sum = 0;
    for (int i = 1; i <= count && sum >= 0; ++i) {
        int spent = flexible_settle(f, (double)i / count);
        sum = spent < 0 ? -1 : sum + spent;
    }
    return sum;
}

/* ---- (3) ---- */

static inline double *flexible_square(int n)
{
    return calloc((size_t)n * (size_t)n + 1, sizeof(double));
}

/* Z^T from row m on: V^T of D = U S V^T */
static inline double *flexible_null_space(const Flexible *f)
{
    int n = f->pattern->nv, m = f->pattern->m;
    double *D = calloc((size_t)(n * m) + 1, sizeof *D), *V = flexible_square(n), unused[1];
    double *s = calloc((size_t)n, sizeof *s), *rest = calloc((size_t)n, sizeof *rest);
    hol_jacobian_dense(f->pattern, f->terms->D, D);
    CHECK(LAPACKE_dgesvd(LAPACK_ROW_MAJOR, 'N', 'A', m, n, D, n, s, unused, 1, V, n, rest) == 0);
    CHECK(s[m - 1] > 1e-9 * s[0]);
    free(D);
    free(s);
    free(rest);
    return V;
}

/* Z^T A Z, d x d */
static inline double *flexible_reduce(int n, int d, const double *Z, const double *A)
{
    double *AZ = calloc((size_t)(n * d), sizeof *AZ), *B = flexible_square(d);
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < d; ++k)
            for (int j = 0; j < n; ++j)
                AZ[i * d + k] += A[i * n + j] * Z[k * n + j];
    for (int i = 0; i < d; ++i)
        for (int j = 0; j < n; ++j)
            for (int k = 0; k < d; ++k)
                B[i * d + k] += Z[i * n + j] * AZ[j * d + k];
    free(AZ);
    return B;
}

/* How much of x^T M x, x = Z times a mode, belongs to each axis. */
static inline void flexible_share(int n, int d, const double *Z, const double *M, const double *mode, double *share)
{
    double *x = calloc((size_t)n, sizeof *x), sum = 0;
    for (int k = 0; k < d; ++k)
        for (int i = 0; i < n; ++i)
            x[i] += mode[k * d] * Z[k * n + i];
    share[0] = share[1] = share[2] = 0;
    for (int i = 0; i < n * n; ++i) {
        share[i / n % 3] += x[i / n] * M[i] * x[i % n];
        sum += x[i / n] * M[i] * x[i % n];
    }
    for (int i = 0; i < 3; ++i)
        share[i] /= sum;
    free(x);
}

/* The lowest omega, and the part of each axis in the kinetic energy of the mode (NULL: not wanted). False if stiffness
 * or mass are not positive. */
static inline bool flexible_modes(Flexible *f, int count, double *omega, double (*share)[3])
{
    const HolPattern *p = f->pattern;
    int n = p->nv, d = n - p->m;
    double *M = flexible_square(n), *K = flexible_square(n), *squares = calloc((size_t)d, sizeof *squares);
    double *V = flexible_null_space(f);
    const double *Z = V + p->m * n;
    hol_mass_dense(p, f->terms->M, M);
    for (int t = 0; t < p->tangent_count; ++t) {
        int columns = hol_part_size(p->block_start, p->tangents[t].column);
        for (int i = 0; i < p->tangent_start[t + 1] - p->tangent_start[t]; ++i)
            K[(p->block_start[p->tangents[t].row] + i / columns) * n + p->block_start[p->tangents[t].column] +
              i % columns] = f->terms->K[p->tangent_start[t] + i];
    }
    double *k = flexible_reduce(n, d, Z, K), *m = flexible_reduce(n, d, Z, M);
    bool ok = LAPACKE_dsygv(LAPACK_ROW_MAJOR, 1, 'V', 'L', d, k, d, m, d, squares) == 0;
    for (int i = 0; i < count && ok; ++i) {
        ok = squares[i] > 0;
        omega[i] = sqrt(fmax(squares[i], 0));
        if (share)
            flexible_share(n, d, Z, M, k + i, share[i]);
    }
    double *const all[] = {M, K, squares, V, k, m};
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
        free(all[i]);
    return ok;
}

#endif
