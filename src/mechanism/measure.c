/* SPDX-License-Identifier: BSD-3-Clause */
/* The second derivatives of every measure have the shape
 *
 *     H_ij = a_ij I + sum_ab h_ab c_ai c_bj^T                                                          (2)
 *
 * with few a_ij, and at most two functions c_a of the marks, c_ai their gradients. So
 *
 *     sum xdot_i . H_ij xdot_j = sum a_ij xdot_i . xdot_j + sum h_ab cdot_a cdot_b                     (3)
 *
 * In v the mark x_i moves by dx_i = P_i d, P_i = ([I], -R s~), and the gradient of (4) in frame.h turns with the body,
 * by (5) there. Hence the Hessian in v is
 *
 *     sum a_ij P_i^T P_j + sum h_ab (P^T c_a) (P^T c_b)^T + sum s_i~ (R_i^T G_i)~                      (4) */
#include "mechanism/measure.h"

#include "math/kernels.h"

#include <math.h>
#include <string.h>

typedef struct Pair {
    int i, j; /* i != j stands for both orders */
    double a;
} Pair;

/* A measure as a function of its marks: value, gradients, and (2). */
typedef struct Form {
    double value;
    double G[HOL_MEASURE_MARKS][3];
    int pair_count;
    Pair pair[3];
    int rank; /* how many c_a there are */
    double h[2][2];
    double c[2][HOL_MEASURE_MARKS][3];
} Form;

/* Marks with their motion. */
typedef struct Marks {
    double x[HOL_MEASURE_MARKS][3], rate[HOL_MEASURE_MARKS][3], bias[HOL_MEASURE_MARKS][3];
} Marks;

/* y = a x */
static void scale3(double a, const double *x, double *y)
{
    for (int i = 0; i < 3; ++i)
        y[i] = a * x[i];
}

/* Both kinds of distance: G_1 = a (x_1 - x_0) = -G_0. */
static void distance(double a, const double *d, Form *f)
{
    scale3(a, d, f->G[1]);
    scale3(-a, d, f->G[0]);
    f->pair_count = 3;
    f->pair[0] = (Pair){0, 0, a};
    f->pair[1] = (Pair){1, 1, a};
    f->pair[2] = (Pair){0, 1, -a};
}

static void square(const HolMeasure *measure, const double x[][3], Form *f)
{
    const double d[3] = {x[1][0] - x[0][0], x[1][1] - x[0][1], x[1][2] - x[0][2]};
    f->value = hol_dot3(d, d) / (2 * measure->scale);
    distance(1 / measure->scale, d, f);
}

/* Points that coincide have no direction between them: the gradient is then taken as zero. */
static void length(const HolMeasure *measure, const double x[][3], Form *f)
{
    (void)measure;
    const double d[3] = {x[1][0] - x[0][0], x[1][1] - x[0][1], x[1][2] - x[0][2]};
    f->value = sqrt(hol_dot3(d, d));
    double a = f->value > 0 ? 1 / f->value : 0;
    distance(a, d, f);
    f->rank = 1;
    f->h[0][0] = -a;
    memcpy(f->c[0], f->G, 2 * sizeof f->G[0]);
}

static void offset(const HolMeasure *measure, const double x[][3], Form *f)
{
    (void)measure;
    for (int i = 0; i < 3; ++i)
        f->G[0][i] = x[2][i] - x[1][i];
    scale3(-1, x[0], f->G[1]);
    scale3(1, x[0], f->G[2]);
    f->value = hol_dot3(x[0], f->G[0]);
    f->pair_count = 2;
    f->pair[0] = (Pair){0, 1, -1};
    f->pair[1] = (Pair){0, 2, 1};
}

static void dot(const HolMeasure *measure, const double x[][3], Form *f)
{
    (void)measure;
    scale3(1, x[1], f->G[0]);
    scale3(1, x[0], f->G[1]);
    f->value = hol_dot3(x[0], x[1]);
    f->pair_count = 1;
    f->pair[0] = (Pair){0, 1, 1};
}

/* atan2(c_1, c_0) with c_0 = x_0 . x_2, c_1 = x_1 . x_2; where both vanish the gradient is taken as zero. */
static void angle(const HolMeasure *measure, const double x[][3], Form *f)
{
    (void)measure;
    double c0 = hol_dot3(x[0], x[2]), c1 = hol_dot3(x[1], x[2]), square = c0 * c0 + c1 * c1;
    double inverse = square > 0 ? 1 / square : 0, a0 = -c1 * inverse, a1 = c0 * inverse;
    f->value = atan2(c1, c0);
    scale3(a0, x[2], f->G[0]);
    scale3(a1, x[2], f->G[1]);
    for (int i = 0; i < 3; ++i)
        f->G[2][i] = a0 * x[0][i] + a1 * x[1][i];
    f->pair_count = 2;
    f->pair[0] = (Pair){0, 2, a0};
    f->pair[1] = (Pair){1, 2, a1};
    f->rank = 2;
    f->h[0][0] = -2 * a0 * a1;
    f->h[1][1] = 2 * a0 * a1;
    f->h[0][1] = f->h[1][0] = a0 * a0 - a1 * a1;
    memset(f->c, 0, sizeof f->c);
    memcpy(f->c[0][0], x[2], sizeof x[2]);
    memcpy(f->c[0][2], x[0], sizeof x[0]);
    memcpy(f->c[1][1], x[2], sizeof x[2]);
    memcpy(f->c[1][2], x[1], sizeof x[1]);
}

/* How many marks a type has, and on which of its two bodies each is. */
static const struct Layout {
    int count;
    int side[HOL_MEASURE_MARKS];
    void (*form)(const HolMeasure *measure, const double x[][3], Form *f);
} layouts[] = {
    [HOL_LENGTH] = {2, {0, 1}, length}, [HOL_SQUARE] = {2, {0, 1}, square},  [HOL_OFFSET] = {3, {0, 0, 1}, offset},
    [HOL_DOT] = {2, {0, 1}, dot},       [HOL_ANGLE] = {3, {0, 0, 1}, angle},
};

HOL_KERNEL void read_form(const HolMeasure *measure, const HolFrame *frames, Marks *marks, Form *form)
{
    const struct Layout *layout = &layouts[measure->type];
    for (int i = 0; i < layout->count; ++i)
        hol_mark_value(frames, &measure->mark[i], marks->x[i]);
    form->pair_count = form->rank = 0;
    layout->form(measure, (const double(*)[3])marks->x, form);
}

/* (3) */
HOL_KERNEL double curvature(const Form *f, int count, const double rate[][3])
{
    double sum = 0, c[2] = {0, 0};
    for (int p = 0; p < f->pair_count; ++p) {
        const Pair *pair = &f->pair[p];
        sum += (pair->i == pair->j ? 1 : 2) * pair->a * hol_dot3(rate[pair->i], rate[pair->j]);
    }
    for (int a = 0; a < f->rank; ++a)
        for (int i = 0; i < count; ++i)
            c[a] += hol_dot3(f->c[a][i], rate[i]);
    for (int a = 0; a < f->rank; ++a)
        for (int b = 0; b < f->rank; ++b)
            sum += f->h[a][b] * c[a] * c[b];
    return sum;
}

/* (1) of measure.h */
HOL_KERNEL void read_rates(const HolMeasure *measure, const HolFrame *frames, const Form *form, Marks *marks,
                           HolGauge *gauge)
{
    int count = layouts[measure->type].count;
    gauge->rate = gauge->bias = 0;
    for (int i = 0; i < count; ++i) {
        hol_mark_velocity(frames, &measure->mark[i], marks->rate[i]);
        hol_mark_bias(frames, &measure->mark[i], marks->bias[i]);
        gauge->rate += hol_dot3(form->G[i], marks->rate[i]);
        gauge->bias += hol_dot3(form->G[i], marks->bias[i]);
    }
    gauge->bias += curvature(form, count, (const double(*)[3])marks->rate);
}

/* phi = atan2(s, c) of one body in natural coordinates, sign times: gradient, rate and bias. */
static void add_natural_turn(const HolFrame *f, double sign, bool rates, double *g, HolGauge *gauge)
{
    double c = f->R[0][0], s = f->R[1][0], n = c * c + s * s;
    g[3] = -sign * s / n;
    g[4] = sign * c / n;
    if (!rates || !f->is_natural)
        return;
    double cdot = f->Rdot[0][0], sdot = f->Rdot[1][0], rate = (c * sdot - s * cdot) / n;
    gauge->rate += sign * rate;
    gauge->bias -= sign * 2 * rate * (c * cdot + s * sdot) / n;
}

static void differentiate_natural_turn(const HolMeasure *measure, const HolFrame *frames, bool rates, HolGauge *gauge)
{
    gauge->value = gauge->rate = gauge->bias = 0;
    memset(gauge->g, 0, sizeof gauge->g);
    add_natural_turn(&frames[measure->body[0]], -1, rates, gauge->g[0], gauge);
    add_natural_turn(&frames[measure->body[1]], 1, rates, gauge->g[1], gauge);
}

/* Angles are known modulo a turn only: the value is between -pi and pi. */
static void read_natural_turn(const HolMeasure *measure, const HolFrame *frames, bool rates, HolGauge *gauge)
{
    const HolFrame *a = &frames[measure->body[0]], *b = &frames[measure->body[1]];
    double turn = atan2(b->R[1][0], b->R[0][0]) - atan2(a->R[1][0], a->R[0][0]) - measure->scale;
    differentiate_natural_turn(measure, frames, rates, gauge);
    gauge->value = remainder(turn, 2 * M_PI);
}

static void read_turn(const HolMeasure *measure, const HolFrame *frames, const double *phi, bool rates, HolGauge *gauge)
{
    int a = measure->body[0], b = measure->body[1];
    if (frames[a].is_natural || frames[b].is_natural) {
        read_natural_turn(measure, frames, rates, gauge);
        return;
    }
    gauge->value = phi[b] - phi[a] - measure->scale;
    for (int i = 0; i < 5; ++i)
        gauge->g[0][i] = gauge->g[1][i] = 0;
    gauge->g[0][5] = -1;
    gauge->g[1][5] = 1;
    if (!rates)
        return;
    gauge->rate = frames[b].w[2] - frames[a].w[2];
    gauge->bias = 0;
}

HOL_CLONES void hol_measure_read(const HolMeasure *measure, const HolFrame *frames, const double *phi, bool rates,
                                 HolGauge *gauge)
{
    if (measure->type == HOL_TURN) {
        read_turn(measure, frames, phi, rates, gauge);
        return;
    }
    int last = layouts[measure->type].count - 1;
    Marks marks;
    Form form;
    read_form(measure, frames, &marks, &form);
    gauge->value = form.value;
    hol_mark_gradient(frames, &measure->mark[0], form.G[0], gauge->g[0]);
    hol_mark_gradient(frames, &measure->mark[last], form.G[last], gauge->g[1]);
    if (last == 2)
        hol_mark_spread(frames, &measure->mark[1], 1, form.G[1], gauge->g[0]);
    if (rates)
        read_rates(measure, frames, &form, &marks, gauge);
}

void hol_measure_differentiate(const HolMeasure *measure, const HolFrame *frames, const double *phi, bool rates,
                               HolGauge *gauge)
{
    bool is_natural = frames[measure->body[0]].is_natural || frames[measure->body[1]].is_natural;
    if (measure->type == HOL_TURN && is_natural)
        differentiate_natural_turn(measure, frames, rates, gauge);
    else
        hol_measure_read(measure, frames, phi, rates, gauge);
}

/* P of a mark: dx = P d. Column 3 + j is R (e_j x s); in natural coordinates columns 3 + 3 j ... are s_j I. */
static void motion_of(const HolFrame *frames, const HolMark *mark, double P[3][HOL_WIDE])
{
    const HolFrame *f = &frames[mark->body];
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < HOL_WIDE; ++j)
            P[i][j] = j == i && mark->is_point ? 1 : 0;
        for (int j = 0; j < 3 && f->is_natural; ++j)
            P[i][3 + 3 * j + i] = mark->s[j];
        if (!f->is_natural)
            hol_cross3(mark->s, f->R[i], P[i] + 3);
    }
}

/* K += a A^T B */
static void add_product(double a, double A[3][HOL_WIDE], double B[3][HOL_WIDE], double *K)
{
    for (int k = 0; k < 3; ++k)
        for (int i = 0; i < HOL_WIDE; ++i)
            for (int j = 0; j < HOL_WIDE && A[k][i] != 0; ++j)
                K[HOL_WIDE * i + j] += a * A[k][i] * B[k][j];
}

static void add_pairs(const Form *f, const int *side, double factor, double P[][3][HOL_WIDE], HolBlocks K)
{
    for (int p = 0; p < f->pair_count; ++p) {
        int i = f->pair[p].i, j = f->pair[p].j;
        add_product(factor * f->pair[p].a, P[i], P[j], K[side[i]][side[j]]);
        if (i != j)
            add_product(factor * f->pair[p].a, P[j], P[i], K[side[j]][side[i]]);
    }
}

/* K += factor c d^T, of both bodies */
static void add_outer(double factor, double c[2][HOL_WIDE], double d[2][HOL_WIDE], HolBlocks K)
{
    for (int a = 0; a < 2; ++a)
        for (int b = 0; b < 2; ++b)
            for (int i = 0; i < HOL_WIDE; ++i)
                for (int j = 0; j < HOL_WIDE; ++j)
                    K[a][b][HOL_WIDE * i + j] += factor * c[a][i] * d[b][j];
}

static void add_ranks(const HolMeasure *measure, const HolFrame *frames, const Form *f, double factor, HolBlocks K)
{
    const struct Layout *layout = &layouts[measure->type];
    if (f->rank == 0)
        return;
    double c[2][2][HOL_WIDE] = {0};
    for (int a = 0; a < f->rank; ++a)
        for (int i = 0; i < layout->count; ++i)
            hol_mark_spread(frames, &measure->mark[i], 1, f->c[a][i], c[a][layout->side[i]]);
    for (int a = 0; a < f->rank; ++a)
        for (int b = 0; b < f->rank; ++b)
            add_outer(factor * f->h[a][b], c[a], c[b], K);
}

/* The second derivatives of phi = atan2(s, c) of one body. */
static void add_turning(const HolFrame *f, double factor, double *K)
{
    double c = f->R[0][0], s = f->R[1][0], n = c * c + s * s, a = factor / (n * n);
    if (!f->is_natural)
        return;
    K[HOL_WIDE * 3 + 3] += a * 2 * c * s;
    K[HOL_WIDE * 4 + 4] -= a * 2 * c * s;
    K[HOL_WIDE * 3 + 4] += a * (s * s - c * c);
    K[HOL_WIDE * 4 + 3] += a * (s * s - c * c);
}

/* (4) */
void hol_measure_add_hessian(const HolMeasure *measure, const HolFrame *frames, double factor, HolBlocks K)
{
    if (measure->type == HOL_TURN) {
        add_turning(&frames[measure->body[0]], -factor, K[0][0]);
        add_turning(&frames[measure->body[1]], factor, K[1][1]);
        return;
    }
    const struct Layout *layout = &layouts[measure->type];
    double P[HOL_MEASURE_MARKS][3][HOL_WIDE];
    Marks marks;
    Form form;
    read_form(measure, frames, &marks, &form);
    for (int i = 0; i < layout->count; ++i) {
        const HolMark *mark = &measure->mark[i];
        motion_of(frames, mark, P[i]);
        hol_mark_add_turning(frames, mark, factor, form.G[i], K[layout->side[i]][layout->side[i]]);
    }
    add_pairs(&form, layout->side, factor, P, K);
    add_ranks(measure, frames, &form, factor, K);
}
