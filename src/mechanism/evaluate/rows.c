/* SPDX-License-Identifier: BSD-3-Clause */
/* General rows, (1) of parts/constraint.h, with their factor c:
 *
 *     Phi = c (sum k_i mu_i - f)      D = c sum k_i g_i      nu = c f'      gamma = c (f'' - sum k_i bias_i)
 *
 * and f = L^2 / (2 scale) where the row sets a squared length.
 *
 * Most rows in space are dot products of two directions, mu = x_0 . x_1, that equal a constant. Those of one joint
 * follow each other and often share x_0, so they are computed in the axes of body 1, where x_0 is u:
 *
 *     A = R_1^T R_0     u = A s_0     mu = s_1 . u     g_0 = (0, s_0 x A^T s_1)     g_1 = (0, s_1 x u)
 *     bias = s_1 . b,   b = A (w_0 x (w_0 x s_0)) + 2 (A (w_0 x s_0)) x w_1 + w_1 x (w_1 x u)              (2)
 *
 * A, u and b serve all rows in sequence that have the same bodies and the same x_0. */
#include "math/kernels.h"
#include "mechanism/evaluate/evaluate.h"

#include <math.h>
#include <string.h>

/* f, f', f'' */
static inline HolJet target(const HolMechanism *mechanism, const HolRow *row, double t)
{
    HolJet L = hol_function_at(&row->f, t);
    if (!row->squares)
        return L;
    double scale = mechanism->measures[row->measure[0]].scale;
    return (HolJet){L.f * L.f / (2 * scale), L.f * L.d / scale, (L.d * L.d + L.f * L.dd) / scale};
}

/* D = factor g, or D += factor g */
static inline void put_gradient(const HolBody *body, bool adds, double factor, const double *g, double *D)
{
    for (int i = 0; i < body->layout->nv && !adds; ++i)
        D[i] = 0;
    hol_layout_add(body->layout, factor, g, D);
}

/* Two measures of one row may share a body: the first writes its part, the second adds to it. */
static void write_jacobian(const HolMotion *motion, const HolRow *row, const HolGauge *gauges)
{
    const HolMechanism *m = motion->mechanism;
    for (int i = 0; i < 2 * row->measure_count; ++i) {
        int place = row->D[i / 2][i % 2], body = m->measures[row->measure[i / 2]].body[i % 2];
        bool adds = i > 1 && (place == row->D[0][0] || place == row->D[0][1]);
        if (place >= 0)
            put_gradient(&m->bodies[body - 1], adds, row->factor * row->k[i / 2], gauges[i / 2].g[i % 2],
                         motion->terms->D + place);
    }
}

/* Writes all but D, from sum k_i mu_i - f and sum k_i bias_i; a row that wraps is brought into (-pi, pi]. */
static inline void rows_put(const HolRow *row, HolJet f, double value, double bias, unsigned want, HolTerms *terms)
{
    static const double PI = 3.14159265358979323846;
    if ((want & HOL_WANT_PHI) && row->wraps)
        value -= 2 * PI * ceil((value - PI) / (2 * PI));
    if (want & HOL_WANT_PHI)
        terms->Phi[row->at] = row->factor * value;
    if (want & HOL_WANT_NU)
        terms->nu[row->at] = row->factor * f.d;
    if (want & HOL_WANT_GAMMA)
        terms->gamma[row->at] = row->factor * (f.dd - bias);
}

static void rows_evaluate_row(const HolMotion *motion, const HolRow *row, unsigned want)
{
    HolTerms *terms = motion->terms;
    HolGauge gauges[HOL_ROW_MEASURES];
    HolJet f = target(motion->mechanism, row, motion->t);
    double value = -f.f, bias = 0;
    for (int i = 0; i < row->measure_count && (want & HOL_WANT_GEOMETRY); ++i) {
        const HolMeasure *measure = &motion->mechanism->measures[row->measure[i]];
        gauges[i].bias = 0;
        if (want & HOL_WANT_PHI)
            hol_measure_read(measure, motion->frames, motion->phi, want & HOL_WANT_GAMMA, &gauges[i]);
        else
            hol_measure_differentiate(measure, motion->frames, motion->phi, want & HOL_WANT_GAMMA, &gauges[i]);
        value += row->k[i] * gauges[i].value;
        bias += row->k[i] * gauges[i].bias;
    }
    if (want & HOL_WANT_JACOBIAN)
        write_jacobian(motion, row, gauges);
    rows_put(row, f, value, bias, want, terms);
}

/* x_0 as seen from body 1, (2). */
typedef struct Axis {
    double A[3][3], u[3], b[3];
} Axis;

HOL_KERNEL bool is_plain_dot(const HolMechanism *mechanism, const HolRow *row)
{
    return mechanism->measures[row->measure[0]].kind == &hol_measure_dot && row->measure_count == 1 &&
           !row->f.expression && !row->squares && !row->wraps && !mechanism->planar && !mechanism->natural;
}

HOL_KERNEL void times(double A[3][3], const double *x, double *y)
{
    for (int i = 0; i < 3; ++i)
        y[i] = hol_dot3(A[i], x);
}

HOL_KERNEL void axis_bias(Axis *axis, const double *s, const double *w0, const double *w1)
{
    double turning[3], inward[3], rate[3], own[3], dragged[3], owner[3];
    hol_cross3(w0, s, turning);
    hol_cross3(w0, turning, inward);
    times(axis->A, inward, axis->b);
    times(axis->A, turning, rate);
    hol_cross3(rate, w1, dragged);
    hol_cross3(w1, axis->u, own);
    hol_cross3(w1, own, owner);
    for (int i = 0; i < 3; ++i)
        axis->b[i] += 2 * dragged[i] + owner[i];
}

HOL_KERNEL bool same_axis(const HolMeasure *a, const HolMeasure *b)
{
    const double *s = a->mark[0].s, *r = b->mark[0].s;
    return a->body[0] == b->body[0] && a->body[1] == b->body[1] && s[0] == r[0] && s[1] == r[1] && s[2] == r[2];
}

HOL_KERNEL void see_axis(const HolMeasure *measure, const HolFrame *frames, unsigned want, Axis *axis)
{
    const HolFrame *f0 = &frames[measure->body[0]], *f1 = &frames[measure->body[1]];
    const double *s = measure->mark[0].s;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            axis->A[i][j] = f1->R[0][i] * f0->R[0][j] + f1->R[1][i] * f0->R[1][j] + f1->R[2][i] * f0->R[2][j];
    times(axis->A, s, axis->u);
    if (want & HOL_WANT_GAMMA)
        axis_bias(axis, s, f0->w, f1->w);
}

/* D of the angular velocity, factor s x y; that of the velocity stays zero. */
HOL_KERNEL void dot_jacobian(double factor, const double *s, const double *y, double *D)
{
    double g[3];
    hol_cross3(s, y, g);
    for (int i = 0; i < 3; ++i)
        D[3 + i] = factor * g[i];
}

HOL_KERNEL void evaluate_dot(const HolMeasure *measure, Axis *axis, const HolRow *row, unsigned want, HolTerms *terms)
{
    const double *s = measure->mark[1].s;
    double factor = row->factor * row->k[0], y[3];
    if (want & HOL_WANT_PHI)
        terms->Phi[row->at] = factor * hol_dot3(s, axis->u) - row->factor * row->f.constant;
    if ((want & HOL_WANT_JACOBIAN) && row->D[0][0] >= 0) {
        for (int j = 0; j < 3; ++j)
            y[j] = axis->A[0][j] * s[0] + axis->A[1][j] * s[1] + axis->A[2][j] * s[2];
        dot_jacobian(factor, measure->mark[0].s, y, terms->D + row->D[0][0]);
    }
    if ((want & HOL_WANT_JACOBIAN) && row->D[0][1] >= 0)
        dot_jacobian(factor, s, axis->u, terms->D + row->D[0][1]);
    if (want & HOL_WANT_GAMMA)
        terms->gamma[row->at] = -factor * hol_dot3(s, axis->b);
}

/* Evaluates the rows from i on that have the same axis, and returns the index of the next. */
HOL_KERNEL int evaluate_dots(const HolMotion *motion, int i, unsigned want)
{
    const HolMechanism *mechanism = motion->mechanism;
    const HolRow *row = &mechanism->rows[i];
    const HolMeasure *measure = &mechanism->measures[row->measure[0]], *first = measure;
    Axis axis;
    see_axis(first, motion->frames, want, &axis);
    do {
        evaluate_dot(measure, &axis, row, want, motion->terms);
        if (++i == mechanism->row_count)
            break;
        measure = &mechanism->measures[(++row)->measure[0]];
    } while (is_plain_dot(mechanism, row) && same_axis(first, measure));
    return i;
}

HOL_CLONES void hol_rows_evaluate(const HolMotion *motion, unsigned want)
{
    const HolMechanism *mechanism = motion->mechanism;
    for (int i = 0; i < mechanism->row_count;) {
        const HolRow *row = &mechanism->rows[i];
        if (is_plain_dot(mechanism, row) && (want & HOL_WANT_GEOMETRY) && !motion->is_mean)
            i = evaluate_dots(motion, i, want);
        else if (mechanism->natural && hol_particle_row(motion, row, want))
            ++i;
        else
            rows_evaluate_row(motion, &mechanism->rows[i++], want);
    }
}

static void rows_add_measure(const HolMotion *motion, const HolMeasure *measure, double factor, const int tangent[2][2])
{
    HolBlocks K = {0};
    hol_measure_add_hessian(measure, motion->frames, factor, K);
    for (int a = 0; a < 2; ++a)
        for (int b = 0; b < 2; ++b)
            hol_motion_add_block(motion, motion->terms->K, tangent[a][b], measure->body[a], measure->body[b], K[a][b]);
}

void hol_rows_add_tangent(const HolMotion *motion, const double *lambda)
{
    const HolMechanism *mechanism = motion->mechanism;
    for (int r = 0; r < mechanism->row_count; ++r) {
        const HolRow *row = &mechanism->rows[r];
        double factor = -lambda[row->at] * row->factor;
        if (factor == 0 || (mechanism->natural && hol_particle_add_tangent(motion, row, factor)))
            continue;
        for (int i = 0; i < row->measure_count; ++i)
            rows_add_measure(motion, &mechanism->measures[row->measure[i]], factor * row->k[i], row->tangent[i]);
    }
}
