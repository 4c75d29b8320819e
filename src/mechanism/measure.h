/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures: scalar functions of the configuration, made of few marks. Joints are measures that are set to a value,
 * springs are forces along a measure, so one set of derivatives serves rows, forces and their tangents.
 *
 *     mu(x_0, ..., x_n) of marks x_i, G_i = dmu/dx_i, H_ij = d2mu/dx_i dx_j
 *     mudot  = sum G_i . xdot_i
 *     muddot = g . vdot + bias,   bias = sum G_i . bias_i + sum xdot_i . H_ij xdot_j                      (1)
 *
 * with g the gradient in v on each of the two bodies. */
#ifndef HOLON_MECHANISM_MEASURE_H
#define HOLON_MECHANISM_MEASURE_H

#include "mechanism/frame.h"

typedef enum HolMeasureType {
    HOL_LENGTH, /* |x_1 - x_0|; points */
    HOL_SQUARE, /* |x_1 - x_0|^2 / (2 scale); points. Its gradient is (near x/scale) of unit length */
    HOL_OFFSET, /* x_0 . (x_2 - x_1); a direction and a point of the first body, a point of the second */
    HOL_DOT,    /* x_0 . x_1; directions */
    HOL_ANGLE,  /* atan2(x_1 . x_2, x_0 . x_2); two directions of the first body, one of the second */
    HOL_TURN    /* planar: phi_1 - phi_0 - scale, not wrapped; marks carry only the bodies */
} HolMeasureType;

enum { HOL_MEASURE_MARKS = 3 };

typedef struct HolMeasure {
    HolMeasureType type;
    double scale;
    int body[2]; /* 0: ground; marks belong to these two */
    HolMark mark[HOL_MEASURE_MARKS];
} HolMeasure;

typedef struct HolGauge {
    double value, rate, bias;
    double g[2][HOL_WIDE]; /* on body[0] and body[1], see layout.h */
} HolGauge;

/* frames[0] is the ground. phi: the planar angles by body (phi[0] = 0), NULL in space. With rates false, rate and bias
 * are left out (and the velocities in frames are not read). */
void hol_measure_read(const HolMeasure *measure, const HolFrame *frames, const double *phi, bool rates,
                      HolGauge *gauge);

/* The same where the value is not needed, and may be wrong: angles of natural coordinates are costly. */
void hol_measure_differentiate(const HolMeasure *measure, const HolFrame *frames, const double *phi, bool rates,
                               HolGauge *gauge);

/* Of two bodies: block [i][j] has rows of twelve numbers, all used in natural coordinates, else six of six. */
typedef double HolBlocks[2][2][HOL_WIDE * HOL_WIDE];

/* K[i][j] += factor * d g[i] / d(body j), where body j moves as q (+) d with d in v's own axes. Blocks with the ground
 * are written too and may be ignored. */
void hol_measure_add_hessian(const HolMeasure *measure, const HolFrame *frames, double factor, HolBlocks K);

#endif
