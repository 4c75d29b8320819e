/* SPDX-License-Identifier: BSD-3-Clause */
#include "index2.h"

#include "independent_rows.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Relative to the size of a number: the root of the rounding. F is nearly linear in v, so that the rounding of large
 * forces is the larger error there. */
static const double INCREMENT = 1.5e-8, INCREMENT_OF_V = 1e-5;

/* out += D^T x over the rows with a place, x[place[i]] being the number of row i. */
static void add_transposed(const HolIndex2 *e, const int *place, const double *x, double sign, double *out)
{
    const HolPattern *p = e->pattern;
    for (int k = 0; k < p->pair_count; ++k) {
        const double *D = e->terms->D + p->pair_start[k];
        int g = p->pairs[k].row, from = p->block_start[p->pairs[k].column];
        int width = p->block_start[p->pairs[k].column + 1] - from;
        for (int i = p->group_start[g]; i < p->group_start[g + 1]; ++i, D += width)
            for (int j = 0; place[i] >= 0 && j < width; ++j)
                out[from + j] += sign * D[j] * x[place[i]];
    }
}

/* out[place[i]] = (D v - nu)_i */
static void velocity_level(const HolIndex2 *e, const int *place, const double *v, double *out)
{
    const HolPattern *p = e->pattern;
    for (int i = 0; i < p->m; ++i)
        if (place[i] >= 0)
            out[place[i]] = -e->terms->nu[i];
    for (int k = 0; k < p->pair_count; ++k) {
        const double *D = e->terms->D + p->pair_start[k];
        int g = p->pairs[k].row, from = p->block_start[p->pairs[k].column];
        int width = p->block_start[p->pairs[k].column + 1] - from;
        for (int i = p->group_start[g]; i < p->group_start[g + 1]; ++i, D += width)
            for (int j = 0; place[i] >= 0 && j < width; ++j)
                out[place[i]] += D[j] * v[from + j];
    }
}

/* out += M a */
static void add_inertia(const HolIndex2 *e, const double *a, double *out)
{
    const HolPattern *p = e->pattern;
    for (int k = 0; k < p->mass_pair_count; ++k) {
        const double *M = e->terms->M + p->mass_start[k];
        int r = p->mass_pairs[k].row, c = p->mass_pairs[k].column;
        int row = p->block_start[r], height = p->block_start[r + 1] - row;
        int column = p->block_start[c], width = p->block_start[c + 1] - column;
        for (int i = 0; i < height; ++i)
            for (int j = 0; j < width; ++j) {
                out[row + i] += M[i * width + j] * a[column + j];
                if (r != c)
                    out[column + j] += M[i * width + j] * a[row + i];
            }
    }
}

static HolStatus index2_evaluate(HolIndex2 *e, double t, const double *y)
{
    HolPoint at = {fmin(fmax(t, e->earliest), e->latest), e->q, y + e->pattern->nq};
    ++e->evaluations;
    hol_system_retract(e->system, y, e->zero, e->q);
    for (int i = 0; i < e->n; ++i)
        if (!isfinite(y[i]))
            return HOL_NOT_FINITE;
    return hol_system_evaluate(
        e->system, &at, HOL_WANT_MASS | HOL_WANT_FORCE | HOL_WANT_PHI | HOL_WANT_JACOBIAN | HOL_WANT_NU, e->terms);
}

/* (1) from the terms. */
static void index2_combine(HolIndex2 *e, const double *y, const double *ydot, double *F)
{
    const HolPattern *p = e->pattern;
    const double *v = y + p->nq;
    memcpy(e->u, v, (size_t)p->nv * sizeof *v);
    add_transposed(e, e->mu, y, 1, e->u);
    hol_system_qdot(e->system, y, e->u, e->rate);
    for (int i = 0; i < p->nq; ++i)
        F[i] = ydot[i] - e->rate[i];
    for (int i = 0; i < p->nv; ++i)
        F[p->nq + i] = -e->terms->Q[i];
    add_inertia(e, ydot + p->nq, F + p->nq);
    add_transposed(e, e->lambda, y, -1, F + p->nq);
    velocity_level(e, e->lambda, v, F);
    for (int i = 0; i < p->nh; ++i)
        if (e->mu[i] >= 0)
            F[e->mu[i]] = e->terms->Phi[i];
}

HolStatus hol_index2_residual(HolIndex2 *e, double t, const double *y, const double *ydot, double *F)
{
    HOL_TRY(index2_evaluate(e, t, y));
    index2_combine(e, y, ydot, F);
    return HOL_OK;
}

/* F is linear in lambda and mu: their increments only have to be large. */
static double increment_of(const HolIndex2 *e, int j, const double *y)
{
    double size = fmax(fabs(y[j]), e->scale[j]);
    return j < e->pattern->nq ? INCREMENT * size : j < e->pattern->nq + e->pattern->nv ? INCREMENT_OF_V * size : size;
}

static HolStatus differentiate(HolIndex2 *e, double t, double c, int colour, double *values)
{
    bool is_linear = colour < e->linear_colours;
    for (int j = 0; j < e->n; ++j)
        if (e->colour[j] == colour) {
            double d = increment_of(e, j, e->y);
            e->y[j] += d;
            e->ydot[j] += c * d;
        }
    if (!is_linear)
        HOL_TRY(index2_evaluate(e, t, e->y));
    index2_combine(e, e->y, e->ydot, e->shifted);
    for (int j = 0; j < e->n; ++j)
        for (int k = e->start[j]; e->colour[j] == colour && k < e->start[j + 1]; ++k)
            values[k] = e->shifted[e->row[k]] - e->F[e->row[k]];
    return HOL_OK;
}

HolStatus hol_index2_jacobian(HolIndex2 *e, double t, double c, const double *y, const double *ydot, double *values)
{
    size_t size = (size_t)e->n * sizeof *y;
    HOL_TRY(hol_index2_residual(e, t, y, ydot, e->F));
    for (int colour = 0; colour < e->colours; ++colour) {
        memcpy(e->y, y, size);
        memcpy(e->ydot, ydot, size);
        HOL_TRY(differentiate(e, t, c, colour, values));
    }
    for (int j = 0; j < e->n; ++j) {
        double d = (y[j] + increment_of(e, j, y)) - y[j]; /* as rounded */
        for (int k = e->start[j]; k < e->start[j + 1]; ++k)
            values[k] /= d;
    }
    return HOL_OK;
}

HolStatus hol_index2_left_out(HolIndex2 *e, double t, const double *y, double *violation)
{
    const HolPattern *p = e->pattern;
    *violation = 0;
    HOL_TRY(index2_evaluate(e, t, y));
    for (int i = 0; i < p->nh; ++i)
        if (e->lambda[i] < 0)
            *violation = fmax(*violation, fabs(e->terms->Phi[i]));
    return HOL_OK;
}

static void index2_place_rows(HolIndex2 *e, const bool *chosen)
{
    const HolPattern *p = e->pattern;
    int n = p->nq + p->nv;
    for (int i = 0; i < p->m; ++i)
        e->lambda[i] = chosen[i] ? n++ : -1;
    e->lambda_count = n - p->nq - p->nv;
    for (int i = 0; i < p->m; ++i)
        e->mu[i] = chosen[i] && i < p->nh ? n++ : -1;
    e->n = n;
}

static HolStatus index2_choose_rows(HolPool *pool, HolIndex2 *e, const HolPoint *at)
{
    int m = e->pattern->m;
    bool *chosen = hol_pool_alloc(pool, (size_t)m + 1);
    if (!chosen)
        return HOL_NO_MEMORY;
    HOL_TRY(hol_system_evaluate(e->system, at, HOL_WANT_ALL, e->terms));
    for (int i = 0; i < m; ++i)
        chosen[i] = true;
    if (!hol_system_has_no_loops(e->system))
        HOL_TRY(hol_independent_rows(pool, e->terms, chosen));
    index2_place_rows(e, chosen);
    return HOL_OK;
}

static HolStatus index2_take_memory(HolPool *pool, HolIndex2 *e)
{
    const HolPattern *p = e->pattern;
    size_t n = (size_t)(p->nq + p->nv + p->m + p->nh) + 1;
    double **const arrays[] = {&e->q, &e->zero, &e->u, &e->rate, &e->scale, &e->y, &e->ydot, &e->F, &e->shifted};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i)
        if (!(*arrays[i] = hol_pool_doubles(pool, n)))
            return HOL_NO_MEMORY;
    e->lambda = hol_pool_alloc(pool, n * sizeof *e->lambda);
    e->mu = hol_pool_alloc(pool, n * sizeof *e->mu);
    return e->lambda && e->mu ? HOL_OK : HOL_NO_MEMORY;
}

HolStatus hol_index2_create(HolPool *pool, const HolSystem *system, HolTerms *terms, const HolPoint *at, HolIndex2 *e)
{
    *e = (HolIndex2){.system = system,
                     .pattern = hol_system_pattern(system),
                     .terms = terms,
                     .earliest = -DBL_MAX,
                     .latest = DBL_MAX};
    HOL_TRY(index2_take_memory(pool, e));
    HOL_TRY(index2_choose_rows(pool, e, at));
    return hol_index2_colour(pool, e, at->q);
}
