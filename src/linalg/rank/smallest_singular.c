/* SPDX-License-Identifier: BSD-3-Clause */
#include "linalg/rank/smallest_singular.h"

#include "base/message.h"
#include "base/tolerances.h"
#include "linalg/block/blocks.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const double ROUNDING = HOL_TOL_PIVOT; /* of a pivot of D D^T */
static const double STILL = HOL_TOL_HALF;     /* a change of y: sigma then changes by its square */
enum { MOST_ITERATIONS = 500, DIRECTIONS = 3 };

HolStatus hol_smallest_create(HolArena *arena, const HolPattern *pattern, HolSchur *schur, int redundant,
                              HolSmallest **smallest)
{
    HolSmallest *s = hol_arena_alloc(arena, sizeof *s);
    size_t m = (size_t)pattern->m, D = (size_t)pattern->pair_start[pattern->pair_count];
    if (!s)
        return HOL_NO_MEMORY;
    *s = (HolSmallest){.pattern = pattern,
                       .schur = schur,
                       .scaled = pattern->unit ? hol_arena_doubles(arena, D) : NULL,
                       .avoid = hol_arena_alloc(arena, ((size_t)redundant + 1) * sizeof *s->avoid),
                       .most_avoided = redundant + 1,
                       .dependent = hol_arena_alloc(arena, m)};
    HOL_DOUBLES(arena, m, &s->size, &s->y, &s->c, &s->q[0], &s->q[1], &s->q[2]);
    HOL_DOUBLES(arena, pattern->nv, &s->x[0], &s->x[1], &s->x[2]);
    for (int k = 0; k < s->most_avoided && s->avoid; ++k)
        s->avoid[k] = hol_arena_doubles(arena, m);
    *smallest = s;
    return hol_arena_status(arena);
}

static void smallest_singular_scale(int n, double k, double *a)
{
    for (int i = 0; i < n; ++i)
        a[i] *= k;
}

/* x[k] <- E^T q[k] */
static void smallest_singular_transpose(HolSmallest *s, const double *D, int k)
{
    for (int i = 0; i < s->pattern->m; ++i)
        s->c[i] = s->q[k][i] / s->size[i];
    memset(s->x[k], 0, (size_t)s->pattern->nv * sizeof *s->x[k]);
    hol_jacobian_add_transposed(s->pattern, D, s->c, s->x[k]);
}

/* q[k] <- (E E^T)^-1 q[0] */
static void smallest_singular_solve(HolSmallest *s, int k)
{
    for (int i = 0; i < s->pattern->m; ++i)
        s->c[i] = s->q[0][i] * s->size[i];
    hol_schur_solve(s->schur, NULL, s->c, s->x[k], s->q[k]);
    for (int i = 0; i < s->pattern->m; ++i)
        s->q[k][i] *= s->size[i];
}

/* Makes q[k] orthonormal to those before it. False if nothing is left of it. */
static bool straighten(HolSmallest *s, const double *D, int k)
{
    const int m = s->pattern->m;
    double before = sqrt(hol_inner_product(m, s->q[k], s->q[k]));
    if (!(before > 0) || !isfinite(before))
        return false;
    smallest_singular_scale(m, 1 / before, s->q[k]);
    for (int pass = 0; pass < 2; ++pass) {
        for (int l = 0; l < s->avoided; ++l)
            hol_add_scaled(m, -hol_inner_product(m, s->avoid[l], s->q[k]), s->avoid[l], s->q[k]);
        for (int l = 0; l < k; ++l)
            hol_add_scaled(m, -hol_inner_product(m, s->q[l], s->q[k]), s->q[l], s->q[k]);
    }
    double length = sqrt(hol_inner_product(m, s->q[k], s->q[k]));
    if (!(length > HOL_TOL_AMPLIFIED))
        return false;
    smallest_singular_scale(m, 1 / length, s->q[k]);
    smallest_singular_transpose(s, D, k);
    return true;
}

/* The eigenvector g of the smallest eigenvalue of a symmetric n x n matrix, by Jacobi's rotations. */
static void smallest_eigenvector(int n, double G[DIRECTIONS][DIRECTIONS], double *g)
{
    double V[DIRECTIONS][DIRECTIONS] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int sweep = 0; sweep < 12; ++sweep)
        for (int a = 0; a < n; ++a)
            for (int b = a + 1; b < n; ++b) {
                double angle = atan2(2 * G[a][b], G[b][b] - G[a][a]) / 2, c = cos(angle), sn = sin(angle);
                for (int k = 0; k < n; ++k) { /* columns */
                    double x = G[k][a], y = G[k][b], u = V[k][a], v = V[k][b];
                    G[k][a] = c * x - sn * y;
                    G[k][b] = sn * x + c * y;
                    V[k][a] = c * u - sn * v;
                    V[k][b] = sn * u + c * v;
                }
                for (int k = 0; k < n; ++k) { /* rows */
                    double x = G[a][k], y = G[b][k];
                    G[a][k] = c * x - sn * y;
                    G[b][k] = sn * x + c * y;
                }
            }
    int least = 0;
    for (int k = 1; k < n; ++k)
        if (G[k][k] < G[least][least])
            least = k;
    for (int k = 0; k < n; ++k)
        g[k] = V[k][least];
}

/* (2) with n directions; returns the change of y. */
static double smallest_singular_improve(HolSmallest *s, const double *D, int n)
{
    const int m = s->pattern->m;
    double G[DIRECTIONS][DIRECTIONS], g[DIRECTIONS] = {1, 0, 0};
    for (int a = 0; a < n; ++a)
        for (int b = 0; b < n; ++b)
            G[a][b] = hol_inner_product(s->pattern->nv, s->x[a], s->x[b]);
    smallest_eigenvector(n, G, g);
    memset(s->y, 0, (size_t)m * sizeof *s->y);
    for (int k = 1; k < n; ++k)
        hol_add_scaled(m, g[k], s->q[k], s->y);
    double change = sqrt(hol_inner_product(m, s->y, s->y));
    smallest_singular_scale(m, g[0], s->q[0]);
    hol_add_scaled(m, 1, s->y, s->q[0]);
    memcpy(s->q[2], s->y, (size_t)m * sizeof *s->y); /* p */
    straighten(s, D, 0);
    return change;
}

/* Sets y = e_i - k for a row that the factorisation left out, row i = sum k_j row j. */
static bool take_dependence(HolSmallest *s, const double *D, int row)
{
    const int m = s->pattern->m;
    memset(s->y, 0, (size_t)m * sizeof *s->y);
    memset(s->c, 0, (size_t)m * sizeof *s->c);
    memset(s->x[1], 0, (size_t)s->pattern->nv * sizeof *s->x[1]);
    s->y[row] = 1;
    hol_jacobian_add_transposed(s->pattern, D, s->y, s->x[1]);
    hol_schur_solve(s->schur, s->x[1], s->c, s->x[2], s->q[0]); /* lambda = -k */
    s->q[0][row] = 1;
    for (int i = 0; i < m; ++i)
        s->q[0][i] *= s->size[i];
    return straighten(s, D, 0);
}

/* A row that depends on others but is not redundant, or -1. */
static int dependent_row(const HolSmallest *s, const unsigned char *redundant)
{
    for (int i = 0; i < s->pattern->m; ++i)
        if (s->dependent[i] && !(redundant && redundant[i]))
            return i;
    return -1;
}

/* Iterates (2) until y converges; q[0] has been straightened. */
static double smallest_singular_iterate(HolSmallest *s, const double *D)
{
    double change = 1;
    for (s->iterations = 0; s->iterations < MOST_ITERATIONS && change > STILL; ++s->iterations) {
        smallest_singular_solve(s, 1);
        int n = straighten(s, D, 1) ? 2 : 1;
        if (n == 2 && s->iterations > 0 && straighten(s, D, 2))
            n = 3;
        change = n > 1 ? smallest_singular_improve(s, D, n) : 0;
    }
    return sqrt(hol_inner_product(s->pattern->nv, s->x[0], s->x[0]));
}

/* What q[0] has found is avoided from now on. */
static void avoid(HolSmallest *s)
{
    assert(s->avoided < s->most_avoided);
    memcpy(s->avoid[s->avoided++], s->q[0], (size_t)s->pattern->m * sizeof *s->q[0]);
}

/* Where the iteration begins: anywhere, or at a dependence that the factorisation has met. */
static bool smallest_singular_begin(HolSmallest *s, const double *D, int row)
{
    if (row >= 0)
        return take_dependence(s, D, row);
    for (int i = 0; i < s->pattern->m; ++i)
        s->q[0][i] = 1 + 0.1 * (i % 7);
    return straighten(s, D, 0);
}

/* (3) */
static void avoid_redundant(HolSmallest *s, const double *D, const unsigned char *redundant)
{
    for (int i = 0; i < s->pattern->m && redundant; ++i)
        if (redundant[i] && take_dependence(s, D, i))
            avoid(s);
}

double hol_smallest_singular(HolSmallest *s, const double *D, const unsigned char *redundant)
{
    D = hol_jacobian_in_units(s->pattern, D, s->scaled);
    hol_jacobian_row_sizes(s->pattern, D, s->size);
    for (int i = 0; i < s->pattern->m; ++i)
        s->size[i] = s->size[i] > 0 ? s->size[i] : 1;
    s->iterations = s->avoided = 0;
    if (hol_schur_factor(s->schur, D, ROUNDING, redundant) != HOL_OK)
        return NAN;
    avoid_redundant(s, D, redundant);
    hol_schur_rows_left_out(s->schur, s->dependent);
    int row = dependent_row(s, redundant);
    if (!smallest_singular_begin(s, D, row))
        return NAN;
    return row < 0 ? smallest_singular_iterate(s, D) : sqrt(hol_inner_product(s->pattern->nv, s->x[0], s->x[0]));
}

double hol_next_singular(HolSmallest *s, const double *D)
{
    D = hol_jacobian_in_units(s->pattern, D, s->scaled);
    avoid(s);
    double sigma = smallest_singular_begin(s, D, -1) ? smallest_singular_iterate(s, D) : NAN;
    memcpy(s->q[0], s->avoid[--s->avoided], (size_t)s->pattern->m * sizeof *s->q[0]);
    smallest_singular_transpose(s, D, 0);
    return sigma;
}
