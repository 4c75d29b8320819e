/* SPDX-License-Identifier: BSD-3-Clause */
/* With (2) of measure.h
 *
 *     sum xdot_i . H_ij xdot_j = sum a_ij xdot_i . xdot_j + sum h_ab cdot_a cdot_b                     (3)
 *
 * In v the mark x_i moves by dx_i = P_i d, P_i = ([I], -R s~), and the gradient of (4) in frame.h turns with the body,
 * by (5) there. Hence the Hessian in v is
 *
 *     sum a_ij P_i^T P_j + sum h_ab (P^T c_a) (P^T c_b)^T + sum s_i~ (R_i^T G_i)~                      (4) */
#include "mechanism/kinematics/measure.h"

#include "math/kernels.h"

#include <string.h>

/* Marks with their motion. */
typedef struct Marks {
    double x[HOL_MEASURE_MARKS][3], rate[HOL_MEASURE_MARKS][3], bias[HOL_MEASURE_MARKS][3];
} Marks;

HOL_KERNEL void read_form(const HolMeasure *measure, const HolFrame *frames, Marks *marks, HolMeasureForm *form)
{
    const HolMeasureKind *kind = measure->kind;
    for (int i = 0; i < kind->mark_count; ++i)
        hol_mark_value(frames, &measure->mark[i], marks->x[i]);
    form->pair_count = form->rank = 0;
    kind->form(measure, (const double(*)[3])marks->x, form);
}

/* (3) */
HOL_KERNEL double curvature(const HolMeasureForm *f, int count, const double rate[][3])
{
    double sum = 0, c[2] = {0, 0};
    for (int p = 0; p < f->pair_count; ++p) {
        const HolMarkPair *pair = &f->pair[p];
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
HOL_KERNEL void read_rates(const HolMeasure *measure, const HolFrame *frames, const HolMeasureForm *form, Marks *marks,
                           HolGauge *gauge)
{
    int count = measure->kind->mark_count;
    gauge->rate = gauge->bias = 0;
    for (int i = 0; i < count; ++i) {
        hol_mark_velocity(frames, &measure->mark[i], marks->rate[i]);
        hol_mark_bias(frames, &measure->mark[i], marks->bias[i]);
        gauge->rate += hol_dot3(form->G[i], marks->rate[i]);
        gauge->bias += hol_dot3(form->G[i], marks->bias[i]);
    }
    gauge->bias += curvature(form, count, (const double(*)[3])marks->rate);
}

HOL_CLONES void hol_measure_read(const HolMeasure *measure, const HolFrame *frames, const double *phi, bool rates,
                                 HolGauge *gauge)
{
    if (!measure->kind->form) {
        measure->kind->read(measure, frames, phi, rates, gauge);
        return;
    }
    int last = measure->kind->mark_count - 1;
    Marks marks;
    HolMeasureForm form;
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
    if (measure->kind->differentiate)
        measure->kind->differentiate(measure, frames, phi, rates, gauge);
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
static void measure_add_product(double a, double A[3][HOL_WIDE], double B[3][HOL_WIDE], double *K)
{
    for (int k = 0; k < 3; ++k)
        for (int i = 0; i < HOL_WIDE; ++i)
            for (int j = 0; j < HOL_WIDE && A[k][i] != 0; ++j)
                K[HOL_WIDE * i + j] += a * A[k][i] * B[k][j];
}

static void add_pairs(const HolMeasureForm *f, const int *side, double factor, double P[][3][HOL_WIDE], HolBlocks K)
{
    for (int p = 0; p < f->pair_count; ++p) {
        int i = f->pair[p].i, j = f->pair[p].j;
        measure_add_product(factor * f->pair[p].a, P[i], P[j], K[side[i]][side[j]]);
        if (i != j)
            measure_add_product(factor * f->pair[p].a, P[j], P[i], K[side[j]][side[i]]);
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

static void add_ranks(const HolMeasure *measure, const HolFrame *frames, const HolMeasureForm *f, double factor,
                      HolBlocks K)
{
    const HolMeasureKind *kind = measure->kind;
    if (f->rank == 0)
        return;
    double c[2][2][HOL_WIDE] = {0};
    for (int a = 0; a < f->rank; ++a)
        for (int i = 0; i < kind->mark_count; ++i)
            hol_mark_spread(frames, &measure->mark[i], 1, f->c[a][i], c[a][kind->side[i]]);
    for (int a = 0; a < f->rank; ++a)
        for (int b = 0; b < f->rank; ++b)
            add_outer(factor * f->h[a][b], c[a], c[b], K);
}

/* (4) */
void hol_measure_add_hessian(const HolMeasure *measure, const HolFrame *frames, double factor, HolBlocks K)
{
    const HolMeasureKind *kind = measure->kind;
    if (!kind->form) {
        kind->add_hessian(measure, frames, factor, K);
        return;
    }
    double P[HOL_MEASURE_MARKS][3][HOL_WIDE];
    Marks marks;
    HolMeasureForm form;
    read_form(measure, frames, &marks, &form);
    for (int i = 0; i < kind->mark_count; ++i) {
        const HolMark *mark = &measure->mark[i];
        motion_of(frames, mark, P[i]);
        hol_mark_add_turning(frames, mark, factor, form.G[i], K[kind->side[i]][kind->side[i]]);
    }
    add_pairs(&form, kind->side, factor, P, K);
    add_ranks(measure, frames, &form, factor, K);
}

void hol_measure_ends(const HolMeasure *measure, HolMark ends[2])
{
    const bool *is_point = measure->kind->is_point;
    int first = is_point[1] && !is_point[0] ? 1 : 0;
    ends[0] = measure->mark[first];
    ends[1] = measure->mark[first + 1];
}
