/* SPDX-License-Identifier: BSD-3-Clause */
/* General rows (evaluate_rows.c) on rigid bodies of the plane in natural coordinates, for the two measures that most of
 * them are made of. They are read from q = (x, y, c, s) itself, without frames:
 *
 *     turn     phi_1 - phi_0 - scale   with  phi = atan2(s, c),   dphi = (-s, c) / (c^2 + s^2)             (1)
 *     offset   u . d,   d = x_2 - x_1  with  u = A s_0,   x = r + A s,   A s = s_1 (c, s) + s_2 (-s, c)    (2)
 *
 * A s is linear in q. Where its gradient is G, that by (c, s) is (G . s, G . (-s_2, s_1)). */
#include "math/kernels.h"
#include "mechanism/evaluate.h"

#include <math.h>

static const double PI = 3.14159265358979323846;
static const double ORIGIN[4] = {0, 0, 1, 0}, REST[4] = {0};

/* A measure: g on each of its bodies. */
typedef struct Reading {
    double value, bias;
    HolFour g[2];
} Reading;

HOL_KERNEL const double *of_body(int body, const double *x, const double *ground)
{
    return body ? x + 4 * (body - 1) : ground;
}

/* (x, y) turned by a quarter */
HOL_KERNEL HolTwo across(HolTwo a)
{
    return (HolTwo){-a[1], a[0]};
}

HOL_KERNEL double dot(HolTwo a, HolTwo b)
{
    HolTwo product = a * b;
    return product[0] + product[1];
}

/* ---- (1) ---- */

/* Known modulo a turn only: between -pi and pi. */
static double turn_between(const double *q0, const double *q1, double scale)
{
    double angle = atan2(q0[2] * q1[3] - q0[3] * q1[2], q0[2] * q1[2] + q0[3] * q1[3]) - scale;
    return fabs(angle) <= PI ? angle : remainder(angle, 2 * PI);
}

HOL_KERNEL void turn_one(const double *q, const double *v, double sign, bool rates, HolFour *g, double *bias)
{
    HolTwo a = hol_two_at(q + 2);
    double inverse = sign / dot(a, a);
    HolTwo turning = across(a) * inverse;
    *g = __builtin_shufflevector((HolTwo){0}, turning, 0, 1, 2, 3);
    if (rates)
        *bias -= 2 * dot(turning, hol_two_at(v + 2)) * dot(a, hol_two_at(v + 2)) * (inverse * sign);
}

HOL_KERNEL void read_turn(const HolMeasure *measure, const HolPoint *at, unsigned want, Reading *reading)
{
    int b0 = measure->body[0], b1 = measure->body[1];
    const double *q0 = of_body(b0, at->q, ORIGIN), *q1 = of_body(b1, at->q, ORIGIN);
    bool rates = want & HOL_WANT_GAMMA;
    reading->bias = 0;
    reading->value = want & HOL_WANT_PHI ? turn_between(q0, q1, measure->scale) : 0;
    if (b0)
        turn_one(q0, of_body(b0, at->v, REST), -1, rates, &reading->g[0], &reading->bias);
    if (b1)
        turn_one(q1, of_body(b1, at->v, REST), 1, rates, &reading->g[1], &reading->bias);
}

/* ---- (2) ---- */

/* A s of the last two of four numbers */
HOL_KERNEL HolTwo arm(const double *q, HolTwo s)
{
    HolTwo a = hol_two_at(q + 2);
    return a * s[0] + across(a) * s[1];
}

HOL_KERNEL HolTwo gradient(HolTwo G, HolTwo s)
{
    return (HolTwo){dot(G, s), dot(G, across(s))};
}

HOL_KERNEL void read_offset(const HolMeasure *measure, const HolPoint *at, unsigned want, Reading *reading)
{
    HolTwo s0 = hol_two_at(measure->mark[0].s), s1 = hol_two_at(measure->mark[1].s);
    HolTwo s2 = hol_two_at(measure->mark[2].s);
    const double *q0 = of_body(measure->body[0], at->q, ORIGIN), *q1 = of_body(measure->body[1], at->q, ORIGIN);
    HolTwo u = arm(q0, s0), d = (hol_two_at(q1) + arm(q1, s2)) - (hol_two_at(q0) + arm(q0, s1));
    reading->value = dot(u, d);
    reading->bias = 0;
    reading->g[0] = __builtin_shufflevector(-u, gradient(d, s0) - gradient(u, s1), 0, 1, 2, 3);
    reading->g[1] = __builtin_shufflevector(u, gradient(u, s2), 0, 1, 2, 3);
    if (!(want & HOL_WANT_GAMMA))
        return;
    const double *v0 = of_body(measure->body[0], at->v, REST), *v1 = of_body(measure->body[1], at->v, REST);
    HolTwo ddot = (hol_two_at(v1) + arm(v1, s2)) - (hol_two_at(v0) + arm(v0, s1));
    reading->bias = 2 * dot(arm(v0, s0), ddot);
}

/* ---- Rows ---- */

bool hol_natural_row_is_plain(const HolMechanism *mechanism, const HolRow *row)
{
    bool plain = mechanism->planar && !row->squares;
    for (int i = 0; i < row->measure_count; ++i) {
        HolMeasureType type = mechanism->measures[row->measure[i]].type;
        plain = plain && (type == HOL_TURN || type == HOL_OFFSET);
    }
    return plain;
}

/* Two measures of one row may share a body: the first writes its part, the second adds to it. */
HOL_KERNEL void put_jacobian(const HolRow *row, int i, const Reading *reading, double *D)
{
    double factor = row->factor * row->k[i];
    for (int side = 0; side < 2; ++side) {
        int place = row->D[i][side];
        bool adds = i > 0 && (place == row->D[0][0] || place == row->D[0][1]);
        HolFour g = reading->g[side] * factor;
        if (place >= 0)
            hol_put_four(adds ? hol_four_at(D + place) + g : g, D + place);
    }
}

HOL_KERNEL void evaluate_row(const HolMechanism *mechanism, const HolRow *row, const HolPoint *at, unsigned want,
                             HolTerms *terms)
{
    HolJet f = hol_function_at(&row->f, at->t);
    double value = -f.f, bias = 0;
    Reading reading;
    for (int i = 0; i < row->measure_count && (want & HOL_WANT_GEOMETRY); ++i) {
        const HolMeasure *measure = &mechanism->measures[row->measure[i]];
        if (measure->type == HOL_TURN)
            read_turn(measure, at, want, &reading);
        else
            read_offset(measure, at, want, &reading);
        value += row->k[i] * reading.value;
        bias += row->k[i] * reading.bias;
        if (want & HOL_WANT_JACOBIAN)
            put_jacobian(row, i, &reading, terms->D);
    }
    hol_row_put(row, f, value, bias, want, terms);
}

HOL_CLONES void hol_natural_rows(const HolMechanism *mechanism, const HolPoint *at, unsigned want, HolTerms *terms)
{
    for (const HolRow *row = mechanism->rows; row < mechanism->rows + mechanism->row_count; ++row)
        evaluate_row(mechanism, row, at, want, terms);
}
