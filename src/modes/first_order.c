/* SPDX-License-Identifier: BSD-3-Clause */
/* F x = s E x with x = (p, r), where s = 0 may be multiple and defective: an unconstrained mass drifts, so its zero
 * is double with one shape. Rounding would split such zeros by the root of its size, so they are deflated first.
 * With F N = 0, V = [N, N'] orthogonal and Q orthogonal with its first columns spanning E N,
 *
 *     Q^T F V = [ 0  F12 ]    Q^T E V = [ E11  E12 ]
 *               [ 0  F22 ]              [  0   E22 ]                                                    (1)
 *
 * the rest of s are those of (F22, E22), to which (1) is applied until no zero is left. A vector z of the rest
 * belongs to
 *
 *     x = N c + N' z,   c = E11^-1 (F12 z / s - E12 z)                                                  (2)
 *
 * The shapes of s = 0 are the N of the first time; what comes later are motions that grow with the time, not more. */
#include "base/message.h"
#include "linalg/block/blocks.h"
#include "linalg/dense/eigenvalues.h"
#include "linalg/dense/qr.h"
#include "modes/linear.h"

#include <math.h>
#include <string.h>

static const double INFINITE = 1e10; /* s relative to the unit: of directions without mass */

/* One application of (1). */
typedef struct Stage Stage;
struct Stage {
    Stage *before;
    int n, k;                /* size, zeros */
    double *V;               /* n vectors of n numbers, those of N first */
    double *F12, *E11, *E12; /* k rows each */
};

typedef struct Solver {
    HolArena *arena;
    const HolPattern *pattern;
    HolModesBox *box;
    const double *Z;
    int a, size; /* of p, of x */
    double unit; /* of s */
    double tolerance;
    double *x[2][2]; /* real and imaginary part, twice */
} Solver;

static double largest_in(const double *A, int n, int row, int column, int rows, int columns)
{
    double largest = 0;
    for (int i = row; i < row + rows; ++i)
        largest = fmax(largest, hol_max_norm(columns, A + i * n + column));
    return largest;
}

static void first_order_scale(double *A, int n, int row, int column, int rows, int columns, double factor)
{
    for (int i = row; i < row + rows; ++i)
        for (int j = column; j < column + columns; ++j)
            A[i * n + j] *= factor;
}

/* Measures s in a unit, r in that unit too, and masses in the largest, so that numbers can be compared with each other:
 * stiffness becomes 1 as mass is, or less where the frame rotates faster than springs vibrate. Returns the unit. */
static double balance(const HolFirstOrder *f)
{
    int a = f->a, b = f->b, n = a + b;
    double mass = largest_in(f->E, n, a, a, b, b), stiffness = largest_in(f->F, n, a, 0, b, a);
    double damping = largest_in(f->F, n, a, a, b, b), rotation = largest_in(f->F, n, 0, 0, a, a), unit = 1;
    mass = mass > 0 ? mass : 1;
    if (stiffness > 0)
        unit = fmax(sqrt(stiffness / mass), rotation);
    else if (damping > 0)
        unit = fmax(damping / mass, rotation);
    first_order_scale(f->F, n, 0, 0, a, a, 1 / unit);
    first_order_scale(f->F, n, a, 0, b, a, 1 / (mass * unit * unit));
    first_order_scale(f->F, n, a, a, b, b, 1 / (mass * unit));
    first_order_scale(f->E, n, a, 0, b, a, 1 / (mass * unit));
    first_order_scale(f->E, n, a, a, b, b, 1 / mass);
    return unit;
}

/* All of Q: vectors of `rows` numbers, the last `last` of them first. */
static void take_q(const HolQr *qr, int rows, int last, double *Q)
{
    memset(Q, 0, (size_t)rows * (size_t)rows * sizeof *Q);
    for (int k = 0; k < rows; ++k) {
        int column = k < last ? rows - last + k : k - last;
        Q[k * rows + column] = 1;
        hol_qr_apply_q(qr, Q + k * rows);
    }
}

/* B = X^T A V of vectors X and V; C is scratch. */
static void transform(int n, const double *X, const double *A, const double *V, double *C, double *B)
{
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
            C[j * n + i] = hol_inner_product(n, A + i * n, V + j * n);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            B[i * n + j] = hol_inner_product(n, X + i * n, C + j * n);
}

static void first_order_take(const double *A, int n, int row, int column, int rows, int columns, double *to)
{
    for (int i = 0; i < rows; ++i)
        memcpy(to + i * columns, A + (row + i) * n + column, (size_t)columns * sizeof *to);
}

/* Q of (1), from the QR of E N. */
static HolStatus left_vectors(const Solver *s, const Stage *g, const double *E, double *Q)
{
    int n = g->n, k = g->k;
    HolQr *qr;
    double *EN = hol_arena_doubles(s->arena, (size_t)n * (size_t)k);
    HOL_TRY(hol_qr_create(s->arena, n, k, &qr));
    if (!EN)
        return HOL_NO_MEMORY;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < k; ++j)
            EN[i * k + j] = hol_inner_product(n, E + i * n, g->V + j * n);
    hol_qr_factor_fixed(qr, n, k, EN);
    take_q(qr, n, 0, Q);
    return hol_qr_quality(qr) > s->tolerance ? HOL_OK : HOL_SINGULAR;
}

/* (1) once; F and E become F22 and E22, n their size. *stage stays as it was if F is regular. */
static HolStatus take_off_zeros(const Solver *s, int *n, double *F, double *E, Stage **stage)
{
    HolQr *qr;
    size_t size = (size_t)*n * (size_t)*n;
    HOL_TRY(hol_qr_create(s->arena, *n, *n, &qr));
    if (hol_qr_factor_transposed(qr, *n, *n, F, s->tolerance) < 0)
        return HOL_NOT_FINITE;
    if (qr->rank == *n)
        return HOL_OK;
    Stage *g = hol_arena_alloc(s->arena, sizeof *g);
    double *Q = hol_arena_doubles(s->arena, size), *C = hol_arena_doubles(s->arena, size);
    double *B = hol_arena_doubles(s->arena, size);
    HOL_TRY(hol_arena_status(s->arena));
    *g = (Stage){.before = *stage, .n = *n, .k = *n - qr->rank, .V = hol_arena_doubles(s->arena, size)};
    int k = g->k, rest = *n - k;
    HOL_DOUBLES(s->arena, (size_t)k * (size_t)rest, &g->F12, &g->E12);
    g->E11 = hol_arena_doubles(s->arena, (size_t)k * (size_t)k);
    HOL_TRY(hol_arena_status(s->arena));
    take_q(qr, *n, k, g->V);
    HOL_TRY(left_vectors(s, g, E, Q));
    transform(*n, Q, F, g->V, C, B);
    first_order_take(B, *n, 0, k, k, rest, g->F12);
    first_order_take(B, *n, k, k, rest, rest, F);
    transform(*n, Q, E, g->V, C, B);
    first_order_take(B, *n, 0, 0, k, k, g->E11);
    first_order_take(B, *n, 0, k, k, rest, g->E12);
    first_order_take(B, *n, k, k, rest, rest, E);
    *n = rest;
    *stage = g;
    return HOL_OK;
}

/* c <- E11^-1 c, E11 upper triangular */
static void first_order_divide(const Stage *g, double *c)
{
    for (int i = g->k - 1; i >= 0; --i) {
        for (int j = i + 1; j < g->k; ++j)
            c[i] -= g->E11[i * g->k + j] * c[j];
        c[i] /= g->E11[i * g->k + i];
    }
}

/* (2): z (re, im) of the remaining problem becomes x of the stage. */
static void first_order_go_back(const Stage *g, double re, double im, double *const z[2], double *const x[2])
{
    int rest = g->n - g->k;
    double square = re * re + im * im, over_re = re / square, over_im = -im / square;
    double c[2][g->k];
    for (int i = 0; i < g->k; ++i) {
        double f_re = hol_inner_product(rest, g->F12 + i * rest, z[0]),
               f_im = hol_inner_product(rest, g->F12 + i * rest, z[1]);
        c[0][i] = f_re * over_re - f_im * over_im - hol_inner_product(rest, g->E12 + i * rest, z[0]);
        c[1][i] = f_re * over_im + f_im * over_re - hol_inner_product(rest, g->E12 + i * rest, z[1]);
    }
    for (int part = 0; part < 2; ++part) {
        first_order_divide(g, c[part]);
        memset(x[part], 0, (size_t)g->n * sizeof *x[part]);
        for (int k = 0; k < g->n; ++k) {
            double factor = k < g->k ? c[part][k] : z[part][k - g->k];
            for (int j = 0; j < g->n; ++j)
                x[part][j] += factor * g->V[k * g->n + j];
        }
    }
}

static HolStatus first_order_add(Solver *s, const Stage *stage, int n, double re, double im, const double *z_re,
                                 const double *z_im)
{
    int now = 0;
    memcpy(s->x[0][0], z_re, (size_t)n * sizeof *z_re);
    memcpy(s->x[0][1], z_im, (size_t)n * sizeof *z_im);
    for (const Stage *g = stage; g; g = g->before, now = !now)
        first_order_go_back(g, re, im, s->x[now], s->x[!now]);
    HolEigen eigen = {.re = s->unit * re, .im = s->unit * im, .p_re = s->x[now][0], .p_im = s->x[now][1]};
    return hol_modes_add(s->box, s->pattern, s->a, s->Z, &eigen);
}

static HolStatus add_rest(Solver *s, const Stage *stage, int n, double *F, double *E)
{
    size_t size = (size_t)n * (size_t)n;
    HolPencil pencil = {hol_arena_doubles(s->arena, (size_t)n), hol_arena_doubles(s->arena, (size_t)n),
                        hol_arena_doubles(s->arena, (size_t)n), hol_arena_doubles(s->arena, size),
                        hol_arena_doubles(s->arena, size)};
    HOL_TRY(hol_arena_status(s->arena));
    HOL_TRY(hol_eigen_pencil(n, F, E, &pencil));
    for (int k = 0; k < n; ++k) {
        double beta = pencil.beta[k], re = pencil.alpha_re[k], im = pencil.alpha_im[k];
        if (im < 0 || hypot(re, im) >= INFINITE * fabs(beta))
            continue;
        HOL_TRY(first_order_add(s, stage, n, re / beta, im / beta, pencil.x_re + k * n, pencil.x_im + k * n));
    }
    return HOL_OK;
}

static HolStatus add_zeros(const Solver *s, const Stage *stage)
{
    while (stage && stage->before)
        stage = stage->before;
    for (int k = 0; stage && k < stage->k; ++k) {
        HolEigen eigen = {.is_zero = true, .p_re = stage->V + k * stage->n};
        if (hol_max_norm(s->a, eigen.p_re) > s->tolerance)
            HOL_TRY(hol_modes_add(s->box, s->pattern, s->a, s->Z, &eigen));
    }
    return HOL_OK;
}

/* Relative to the largest number of F, however large the part is that is measured: less than 1. */
static double tolerance_of(const HolFirstOrder *f, int n)
{
    double share = largest_in(f->F, n, 0, 0, f->a, f->a) / largest_in(f->F, n, 0, 0, n, n);
    return fmax(f->tolerance, f->measured * share);
}

HolStatus hol_modes_first_order(HolModesBox *box, const HolLinear *linear, const double *Z, HolFirstOrder *problem)
{
    int n = problem->a + problem->b, before = -1;
    Solver s = {.arena = linear->arena, .pattern = linear->pattern, .box = box, .Z = Z, .a = problem->a, .size = n};
    Stage *stage = NULL;
    for (int i = 0; i < 4; ++i)
        s.x[i / 2][i % 2] = hol_arena_doubles(s.arena, (size_t)n);
    HOL_TRY(hol_arena_status(s.arena));
    s.unit = balance(problem);
    s.tolerance = tolerance_of(problem, n);
    while (n > 0 && n != before) {
        before = n;
        HOL_TRY(take_off_zeros(&s, &n, problem->F, problem->E, &stage));
    }
    HOL_TRY(add_zeros(&s, stage));
    return add_rest(&s, stage, n, problem->F, problem->E);
}
