/* SPDX-License-Identifier: BSD-3-Clause */
/* General rows, (1) of mechanism.h with a factor c for their scale:
 *
 *     Phi = c (sum k_i mu_i - f)      D = c sum k_i g_i      nu = c f'      gamma = c (f'' - sum k_i bias_i)
 *
 * and f = L^2 / (2 scale) where the row sets a squared length. Most rows equal a number and have one measure; of these
 * the dot products of two directions, which all joints of space have, are written out:
 *
 *     mu = x_0 . x_1,   g_0 = (0, s_0 x y_0),   g_1 = (0, s_1 x y_1),   y_0 = R_0^T x_1,  y_1 = R_1^T x_0
 *     bias = y_0 . w_0 x (w_0 x s_0) + y_1 . w_1 x (w_1 x s_1) + 2 xdot_0 . xdot_1 */
#include "math/kernels.h"
#include "mechanism/evaluate.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

/* f, f', f'' */
static inline HolJet target(const HolMechanism *mechanism, const HolRow *row, double t)
{
    HolJet L = hol_function_at(&row->f, t);
    if (!row->squares)
        return L;
    double scale = mechanism->measures[row->measure[0]].scale;
    return (HolJet){L.f * L.f / (2 * scale), L.f * L.d / scale, (L.d * L.d + L.f * L.dd) / scale};
}

/* To (-pi, pi]. */
static double wrap(double angle)
{
    return angle - 2 * PI * ceil((angle - PI) / (2 * PI));
}

/* D += factor g */
static inline void add_gradient(bool planar, double factor, const double *g, double *D)
{
    if (planar) {
        D[0] += factor * g[0];
        D[1] += factor * g[1];
        D[2] += factor * g[5];
        return;
    }
    for (int i = 0; i < 6; ++i)
        D[i] += factor * g[i];
}

/* Measures of one row may share a body: first the row is cleared, then they are added. */
static void write_jacobian(const HolMotion *motion, const HolRow *row, const HolGauge *gauges)
{
    bool planar = motion->mechanism->planar;
    size_t size = (size_t)(planar ? HOL_PLANAR_NV : HOL_SPATIAL_NV) * sizeof(double);
    double *D = motion->terms->D;
    for (int i = 0; i < 2 * row->measure_count; ++i)
        if (row->D[i / 2][i % 2] >= 0)
            memset(D + row->D[i / 2][i % 2], 0, size);
    for (int i = 0; i < 2 * row->measure_count; ++i)
        if (row->D[i / 2][i % 2] >= 0)
            add_gradient(planar, row->factor * row->k[i / 2], gauges[i / 2].g[i % 2], D + row->D[i / 2][i % 2]);
}

static void evaluate_row(const HolMotion *motion, const HolRow *row, unsigned want)
{
    HolTerms *terms = motion->terms;
    HolGauge gauges[HOL_ROW_MEASURES];
    HolJet f = target(motion->mechanism, row, motion->t);
    double value = -f.f, bias = 0;
    for (int i = 0; i < row->measure_count && (want & HOL_WANT_GEOMETRY); ++i) {
        const HolMeasure *measure = &motion->mechanism->measures[row->measure[i]];
        gauges[i].bias = 0;
        hol_measure_read(measure, motion->frames, motion->phi, want & HOL_WANT_GAMMA, &gauges[i]);
        value += row->k[i] * gauges[i].value;
        bias += row->k[i] * gauges[i].bias;
    }
    if (want & HOL_WANT_PHI)
        terms->Phi[row->at] = row->factor * (row->wraps ? wrap(value) : value);
    if (want & HOL_WANT_JACOBIAN)
        write_jacobian(motion, row, gauges);
    if (want & HOL_WANT_NU)
        terms->nu[row->at] = row->factor * f.d;
    if (want & HOL_WANT_GAMMA)
        terms->gamma[row->at] = row->factor * (f.dd - bias);
}

/* ---- One dot product that equals a number ---- */

/* y . w x (w x s) = (w.s) (w.y) - w^2 s.y */
static inline double inward_along(const double *w, const double *s, const double *y)
{
    return hol_dot3(w, s) * hol_dot3(w, y) - hol_dot3(w, w) * hol_dot3(s, y);
}

static inline double dot_bias(const HolFrame *f0, const HolFrame *f1, const double *s0, const double *s1,
                              const double *y0, const double *y1)
{
    double turning0[3], turning1[3], rate0[3], rate1[3];
    hol_cross3(f0->w, s0, turning0);
    hol_cross3(f1->w, s1, turning1);
    hol_turn(f0, turning0, rate0);
    hol_turn(f1, turning1, rate1);
    return inward_along(f0->w, s0, y0) + inward_along(f1->w, s1, y1) + 2 * hol_dot3(rate0, rate1);
}

/* The velocities' part of the row stays zero. */
static inline void dot_jacobian(double factor, const double *s, const double *y, double *D)
{
    double g[3];
    hol_cross3(s, y, g);
    for (int i = 0; i < 3; ++i)
        D[3 + i] = factor * g[i];
}

static inline void evaluate_dot(const HolMeasure *measure, const HolFrame *frames, const HolRow *row, unsigned want,
                                HolTerms *terms)
{
    const HolFrame *f0 = &frames[measure->body[0]], *f1 = &frames[measure->body[1]];
    const double *s0 = measure->mark[0].s, *s1 = measure->mark[1].s;
    double x0[3], x1[3], y0[3], y1[3], factor = row->factor * row->k[0];
    hol_turn(f0, s0, x0);
    hol_turn(f1, s1, x1);
    hol_turn_back(f0, x1, y0);
    hol_turn_back(f1, x0, y1);
    if (want & HOL_WANT_PHI)
        terms->Phi[row->at] = factor * hol_dot3(x0, x1) - row->factor * row->f.constant;
    if ((want & HOL_WANT_JACOBIAN) && row->D[0][0] >= 0)
        dot_jacobian(factor, s0, y0, terms->D + row->D[0][0]);
    if ((want & HOL_WANT_JACOBIAN) && row->D[0][1] >= 0)
        dot_jacobian(factor, s1, y1, terms->D + row->D[0][1]);
    if (want & HOL_WANT_GAMMA)
        terms->gamma[row->at] = -factor * dot_bias(f0, f1, s0, s1, y0, y1);
}

static inline bool is_plain_dot(const HolMechanism *mechanism, const HolRow *row)
{
    return row->measure_count == 1 && mechanism->measures[row->measure[0]].type == HOL_DOT && !row->f.expression &&
           !row->squares && !row->wraps && !mechanism->planar;
}

/* ---- All of them ---- */

HOL_CLONES void hol_rows_evaluate(const HolMotion *motion, unsigned want)
{
    const HolMechanism *mechanism = motion->mechanism;
    for (int i = 0; i < mechanism->row_count; ++i) {
        const HolRow *row = &mechanism->rows[i];
        if (!is_plain_dot(mechanism, row))
            evaluate_row(motion, row, want);
        else if (want & HOL_WANT_GEOMETRY)
            evaluate_dot(&mechanism->measures[row->measure[0]], motion->frames, row, want, motion->terms);
    }
}

static void add_measure(const HolMotion *motion, const HolMeasure *measure, double factor, const int tangent[2][2])
{
    double K[2][2][36] = {0};
    hol_measure_add_hessian(measure, motion->frames, factor, K);
    for (int a = 0; a < 2; ++a)
        for (int b = 0; b < 2; ++b)
            hol_motion_add_block(motion, motion->terms->K, tangent[a][b], K[a][b]);
}

void hol_rows_add_tangent(const HolMotion *motion, const double *lambda)
{
    const HolMechanism *mechanism = motion->mechanism;
    for (int r = 0; r < mechanism->row_count; ++r) {
        const HolRow *row = &mechanism->rows[r];
        for (int i = 0; i < row->measure_count; ++i)
            add_measure(motion, &mechanism->measures[row->measure[i]], -lambda[row->at] * row->factor * row->k[i],
                        row->tangent[i]);
    }
}
