/* SPDX-License-Identifier: BSD-3-Clause */
#include "linalg/dense/qr.h"

#include "base/message.h"
#include "base/tolerances.h"
#include "linalg/block/blocks.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static int min_int(int a, int b)
{
    return a < b ? a : b;
}

static double *qr_column(const HolQr *qr, int j)
{
    return qr->a + (size_t)j * (size_t)qr->rows;
}

static double *complete_row(const HolQr *qr, int i)
{
    return qr->t + (size_t)i * (size_t)qr->cols;
}

/* Four sums hide the latency of the addition, which the compiler must not do by itself. */
static double qr_dot(int n, const double *x, const double *y)
{
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    int i = 0;
    for (; i + 3 < n; i += 4) {
        s0 += x[i] * y[i];
        s1 += x[i + 1] * y[i + 1];
        s2 += x[i + 2] * y[i + 2];
        s3 += x[i + 3] * y[i + 3];
    }
    for (; i < n; i++)
        s0 += x[i] * y[i];
    return (s0 + s1) + (s2 + s3);
}

static void subtract_multiple(int n, double s, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; i++)
        y[i] -= s * x[i];
}

/* Squares overflow and underflow only outside of these bounds; there the entries are scaled first. */
static double length_of(int n, const double *x)
{
    double square = qr_dot(n, x, x);
    if (square > 1e-280 && square < 1e280)
        return sqrt(square);
    double largest = 0, sum = 0;
    for (int i = 0; i < n; i++)
        largest = fmax(largest, fabs(x[i]));
    for (int i = 0; i < n && largest > 0; i++)
        sum += (x[i] / largest) * (x[i] / largest);
    return largest * sqrt(sum);
}

/* The reflection H = I - tau (1, v) (1, v)^T with H (head, tail) = (-sign(head) length, 0). The tail becomes v, the
 * head its image; returns tau. A zero tail is no special case, so that H is continuous there. */
static double make_reflection(int n, double length, double *head, double *tail)
{
    if (!(length > 0))
        return 0;
    double image = -copysign(length, *head);
    double pivot = *head - image;
    for (int i = 0; i < n; i++)
        tail[i] /= pivot;
    *head = image;
    return -pivot / image;
}

static void qr_reflect(int n, const double *v, double tau, double *head, double *tail)
{
    double s = tau * (*head + qr_dot(n, v, tail));
    *head -= s;
    subtract_multiple(n, s, v, tail);
}

HolStatus hol_qr_create(HolArena *arena, int max_rows, int max_cols, HolQr **qr)
{
    assert(max_rows >= 0 && max_cols >= 0);
    size_t m = (size_t)max_rows, n = (size_t)max_cols, least = (size_t)min_int(max_rows, max_cols);
    HolQr *made = hol_arena_alloc(arena, sizeof *made);
    double *a = hol_arena_doubles(arena, m * n); /* first: the most likely to fail */
    if (!made || !a)
        return HOL_NO_MEMORY;
    *made = (HolQr){
        .max_rows = max_rows,
        .max_cols = max_cols,
        .is_finite = true,
        .pivot = hol_arena_ints(arena, n),
        .a = a,
        .t = hol_arena_doubles(arena, least * n),
        .work = hol_arena_doubles(arena, m > n ? m : n),
    };
    HOL_DOUBLES(arena, least, &made->tau, &made->tau_t);
    HOL_DOUBLES(arena, n, &made->left, &made->known);
    HOL_TRY(hol_arena_status(arena));
    *qr = made;
    return HOL_OK;
}

static void start(HolQr *qr, int rows, int cols)
{
    assert(rows >= 0 && rows <= qr->max_rows && cols >= 0 && cols <= qr->max_cols);
    qr->rows = rows;
    qr->cols = cols;
    qr->rank = 0;
    qr->is_complete = false;
    for (int j = 0; j < cols; j++)
        qr->pivot[j] = j;
}

static void load(HolQr *qr, int rows, int cols, const double *A)
{
    start(qr, rows, cols);
    qr->is_finite = hol_all_finite((size_t)rows * (size_t)cols, A);
    for (int i = 0; i < rows; i++, A += cols) {
        for (int j = 0; j < cols; j++)
            qr_column(qr, j)[i] = A[j];
    }
}

static void load_transposed(HolQr *qr, int rows, int cols, const double *A)
{
    size_t count = (size_t)rows * (size_t)cols;
    start(qr, cols, rows);
    qr->is_finite = hol_all_finite(count, A);
    if (count > 0)
        memcpy(qr->a, A, count * sizeof *A);
}

/* The column of greatest remaining length; the first among equals. */
static int longest_column(const HolQr *qr, int k)
{
    int best = k;
    for (int j = k + 1; j < qr->cols; j++) {
        if (qr->left[j] > qr->left[best])
            best = j;
    }
    return best;
}

static void swap_doubles(int n, double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; i++) {
        double old = x[i];
        x[i] = y[i];
        y[i] = old;
    }
}

static void swap_columns(HolQr *qr, int j, int k)
{
    if (j == k)
        return;
    swap_doubles(qr->rows, qr_column(qr, j), qr_column(qr, k));
    swap_doubles(1, &qr->left[j], &qr->left[k]);
    swap_doubles(1, &qr->known[j], &qr->known[k]);
    int old = qr->pivot[j];
    qr->pivot[j] = qr->pivot[k];
    qr->pivot[k] = old;
}

/* H_k from what is left of column k, applied to the columns behind it. */
static void qr_eliminate(HolQr *qr, int k, double length)
{
    int n = qr->rows - k - 1;
    double *v = qr_column(qr, k) + k;
    qr->tau[k] = make_reflection(n, length, v, v + 1);
    for (int j = k + 1; j < qr->cols; j++) {
        double *x = qr_column(qr, j) + k;
        qr_reflect(n, v + 1, qr->tau[k], x, x + 1);
    }
}

/* left_j^2 <- left_j^2 - R_kj^2. The subtraction loses the digits that left_j has lost against its last fresh value
 * known_j: with half of them gone the length is computed afresh. Or always, for steady work. */
static void shorten(HolQr *qr, int k)
{
    const double half_of_digits = sqrt(HOL_ROUNDINGS(1));
    for (int j = k + 1; j < qr->cols; j++) {
        if (qr->steady) {
            qr->left[j] = length_of(qr->rows - k - 1, qr_column(qr, j) + k + 1);
            continue;
        }
        if (qr->left[j] == 0)
            continue;
        double share = qr_column(qr, j)[k] / qr->left[j], drop = qr->left[j] / qr->known[j];
        double kept = fmax(0, 1 - share * share);
        if (kept * drop * drop > half_of_digits)
            qr->left[j] *= sqrt(kept);
        else
            qr->left[j] = qr->known[j] = length_of(qr->rows - k - 1, qr_column(qr, j) + k + 1);
    }
}

static int factor_pivoted(HolQr *qr, double tolerance)
{
    assert(tolerance >= 0 && tolerance < 1);
    if (!qr->is_finite)
        return -1;
    for (int j = 0; j < qr->cols; j++)
        qr->left[j] = qr->known[j] = length_of(qr->rows, qr_column(qr, j));
    double threshold = 0;
    bool is_zero = false;
    for (int k = 0; k < min_int(qr->rows, qr->cols); k++) {
        swap_columns(qr, k, longest_column(qr, k));
        double length = length_of(qr->rows - k, qr_column(qr, k) + k);
        is_zero = is_zero || !(length > threshold);
        if (is_zero && !qr->steady)
            break;
        if (k == 0)
            threshold = tolerance * length;
        qr_eliminate(qr, k, length);
        shorten(qr, k);
        qr->rank += !is_zero;
    }
    return qr->rank;
}

int hol_qr_factor(HolQr *qr, int rows, int cols, const double *A, double tolerance)
{
    load(qr, rows, cols, A);
    return factor_pivoted(qr, tolerance);
}

int hol_qr_factor_transposed(HolQr *qr, int rows, int cols, const double *A, double tolerance)
{
    load_transposed(qr, rows, cols, A);
    return factor_pivoted(qr, tolerance);
}

static void factor_in_order(HolQr *qr)
{
    qr->rank = min_int(qr->rows, qr->cols);
    for (int k = 0; k < qr->rank; k++)
        qr_eliminate(qr, k, length_of(qr->rows - k, qr_column(qr, k) + k));
}

void hol_qr_factor_fixed(HolQr *qr, int rows, int cols, const double *A)
{
    load(qr, rows, cols, A);
    factor_in_order(qr);
}

double hol_qr_pivot(const HolQr *qr, int k)
{
    return fabs(qr_column(qr, k)[k]);
}

double hol_qr_quality(const HolQr *qr)
{
    if (!qr->is_finite)
        return 0;
    if (qr->rank == 0)
        return 1;
    double least = INFINITY, most = 0;
    for (int k = 0; k < qr->rank; k++) {
        double size = hol_qr_pivot(qr, k);
        least = fmin(least, size);
        most = fmax(most, size);
    }
    return least > 0 ? least / most : 0;
}

void hol_qr_apply_qt(const HolQr *qr, double *x)
{
    for (int k = 0; k < qr->rank; k++)
        qr_reflect(qr->rows - k - 1, qr_column(qr, k) + k + 1, qr->tau[k], x + k, x + k + 1);
}

void hol_qr_apply_q(const HolQr *qr, double *x)
{
    for (int k = qr->rank - 1; k >= 0; k--)
        qr_reflect(qr->rows - k - 1, qr_column(qr, k) + k + 1, qr->tau[k], x + k, x + k + 1);
}

/* Rows k.. of Z <- H_k times these rows. */
static void reflect_rows(const HolQr *qr, int k, int nz, double *Z)
{
    const double *v = qr_column(qr, k);
    double *head = Z + (size_t)k * (size_t)nz, *row = head, *sum = qr->work;
    for (int j = 0; j < nz; j++)
        sum[j] = qr->tau[k] * head[j];
    for (int i = k + 1; i < qr->rows; i++)
        subtract_multiple(nz, -qr->tau[k] * v[i], row += nz, sum);
    subtract_multiple(nz, 1, sum, head);
    row = head;
    for (int i = k + 1; i < qr->rows; i++)
        subtract_multiple(nz, v[i], sum, row += nz);
}

void hol_qr_apply_q_to_rows(const HolQr *qr, int columns, double *Z)
{
    for (int k = qr->rank - 1; k >= 0; k--)
        reflect_rows(qr, k, columns, Z);
}

void hol_qr_null_space(const HolQr *qr, double *Z)
{
    int nz = qr->rows - qr->rank;
    if (nz == 0)
        return;
    memset(Z, 0, (size_t)qr->rows * (size_t)nz * sizeof *Z);
    for (int j = 0; j < nz; j++)
        Z[(size_t)(qr->rank + j) * (size_t)nz + (size_t)j] = 1;
    hol_qr_apply_q_to_rows(qr, nz, Z);
}

/* work <- the first rank places of Q^T b, and zeros up to cols. */
static double *qr_project(const HolQr *qr, const double *b)
{
    if (qr->rows > 0)
        memcpy(qr->work, b, (size_t)qr->rows * sizeof *b);
    hol_qr_apply_qt(qr, qr->work);
    memset(qr->work + qr->rank, 0, (size_t)(qr->cols - qr->rank) * sizeof *b);
    return qr->work;
}

static void unpivot(const HolQr *qr, const double *ordered, double *x)
{
    for (int j = 0; j < qr->cols; j++)
        x[qr->pivot[j]] = ordered[j];
}

void hol_qr_least_squares(HolQr *qr, const double *b, double *x)
{
    double *w = qr_project(qr, b);
    for (int k = qr->rank - 1; k >= 0; k--) {
        w[k] /= qr_column(qr, k)[k];
        subtract_multiple(k, w[k], qr_column(qr, k), w);
    }
    unpivot(qr, w, x);
}

/* (2): row by row from below; the reflection of row k works on the columns k and rank.. only, so T stays triangular. */
static void qr_complete(HolQr *qr)
{
    int rank = qr->rank, n = qr->cols - rank;
    for (int i = 0; i < rank; i++) {
        for (int j = i; j < qr->cols; j++)
            complete_row(qr, i)[j] = qr_column(qr, j)[i];
    }
    for (int k = rank - 1; k >= 0; k--) {
        double *row = complete_row(qr, k), *v = row + rank;
        qr->tau_t[k] = make_reflection(n, hypot(row[k], length_of(n, v)), row + k, v);
        for (int i = 0; i < k; i++)
            qr_reflect(n, v, qr->tau_t[k], complete_row(qr, i) + k, complete_row(qr, i) + rank);
    }
    qr->is_complete = true;
}

void hol_qr_min_norm(HolQr *qr, const double *b, double *x)
{
    int rank = qr->rank;
    if (rank == qr->cols) {
        hol_qr_least_squares(qr, b, x);
        return;
    }
    if (!qr->is_complete)
        qr_complete(qr);
    double *w = qr_project(qr, b);
    for (int k = rank - 1; k >= 0; k--) {
        const double *row = complete_row(qr, k);
        w[k] = (w[k] - qr_dot(rank - k - 1, row + k + 1, w + k + 1)) / row[k];
    }
    for (int k = 0; k < rank; k++)
        qr_reflect(qr->cols - rank, complete_row(qr, k) + rank, qr->tau_t[k], w + k, w + rank);
    unpivot(qr, w, x);
}

void hol_qr_solve_transposed(HolQr *qr, const double *c, double *y)
{
    double *w = qr->work;
    for (int k = 0; k < qr->rank; k++)
        w[k] = (c[qr->pivot[k]] - qr_dot(k, qr_column(qr, k), w)) / qr_column(qr, k)[k];
    memset(w + qr->rank, 0, (size_t)(qr->rows - qr->rank) * sizeof *w);
    hol_qr_apply_q(qr, w);
    if (qr->rows > 0)
        memcpy(y, w, (size_t)qr->rows * sizeof *w);
}
