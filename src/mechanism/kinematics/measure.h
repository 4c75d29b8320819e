/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures: scalar functions of the configuration, made of few marks. Joints set measures to a value, springs act along
 * a measure, so that one set of derivatives serves constraint equations, forces and their tangents.
 *
 *     mu(x_0, ..., x_n) of marks x_i, G_i = dmu/dx_i, H_ij = d2mu/dx_i dx_j
 *     mudot  = sum G_i . xdot_i
 *     muddot = g . vdot + bias,   bias = sum G_i . bias_i + sum xdot_i . H_ij xdot_j                      (1)
 *
 * with g the gradient in v on each of the two bodies. The second derivatives of every measure have the shape
 *
 *     H_ij = a_ij I + sum_ab h_ab c_ai c_bj^T                                                          (2)
 *
 * with few a_ij, and at most two functions c_a of the marks, c_ai their gradients.
 *
 * A kind of measure is one const table that says all about it: a new one is a file in measures/, or a table in the file
 * of the joint that needs it, and no other file changes. */
#ifndef HOLON_MECHANISM_KINEMATICS_MEASURE_H
#define HOLON_MECHANISM_KINEMATICS_MEASURE_H

#include "mechanism/kinematics/frame.h"

enum { HOL_MEASURE_MARKS = 3 };

typedef struct HolMeasureKind HolMeasureKind;

typedef struct HolMeasure {
    const HolMeasureKind *kind;
    double scale; /* the kind defines it */
    int body[2];  /* 0: ground; marks belong to these two */
    HolMark mark[HOL_MEASURE_MARKS];
} HolMeasure;

typedef struct HolGauge {
    double value, rate, bias;
    double g[2][HOL_WIDE]; /* on body[0] and body[1], see layout.h */
} HolGauge;

/* Blocks of two bodies: block [i][j] has rows of twelve numbers, all used in natural coordinates, else six of six. */
typedef double HolBlocks[2][2][HOL_WIDE * HOL_WIDE];

/* a_ij of (2); i != j stands for both orders. */
typedef struct HolMarkPair {
    int i, j;
    double a;
} HolMarkPair;

/* A measure as a function of its marks: value, gradients, and (2). */
typedef struct HolMeasureForm {
    double value;
    double G[HOL_MEASURE_MARKS][3];
    int pair_count;
    HolMarkPair pair[3];
    int rank; /* the number of c_a */
    double h[2][2];
    double c[2][HOL_MEASURE_MARKS][3];
} HolMeasureForm;

/* The generalised force that is conjugate to a measure. */
typedef enum HolConjugate {
    HOL_FORCE_ALONG_LINE,      /* a force along the line between its points */
    HOL_FORCE_ALONG_DIRECTION, /* a force along its first mark, which is a direction */
    HOL_MOMENT
} HolConjugate;

typedef void HolMeasureRead(const HolMeasure *measure, const HolFrame *frames, const double *phi, bool rates,
                            HolGauge *gauge);

struct HolMeasureKind {
    const char *name;
    int mark_count;
    int side[HOL_MEASURE_MARKS];      /* which of the two bodies carries each mark */
    bool is_point[HOL_MEASURE_MARKS]; /* else a direction */
    HolConjugate conjugate;
    bool is_length; /* |x_1 - x_0|: undefined direction at zero */
    bool is_angle;  /* in radians */
    /* Writes value, G and (2); pair_count and rank are zero before. NULL for a kind with functions of its own: */
    void (*form)(const HolMeasure *measure, const double x[][3], HolMeasureForm *form);
    HolMeasureRead *read;
    HolMeasureRead *differentiate; /* without the value; NULL: read() does it */
    void (*add_hessian)(const HolMeasure *measure, const HolFrame *frames, double factor, HolBlocks K);
};

extern const HolMeasureKind hol_measure_length; /* |x_1 - x_0|; points */
extern const HolMeasureKind
    hol_measure_square; /* |x_1 - x_0|^2 / (2 scale); points, its gradient has length |d|/scale */
extern const HolMeasureKind hol_measure_offset; /* x_0 . (x_2 - x_1); a direction and a point of a, a point of b */
extern const HolMeasureKind hol_measure_dot;    /* x_0 . x_1; directions */
extern const HolMeasureKind hol_measure_angle;  /* atan2(x_1 . x_2, x_0 . x_2); two directions of a, one of b */
extern const HolMeasureKind hol_measure_turn;   /* planar: phi_1 - phi_0 - scale, not wrapped; marks only name bodies */

/* frames[0] is the ground. phi: the planar angles by body (phi[0] = 0), NULL in space. With rates false, rate and bias
 * are left out (and the velocities in frames are not read). */
void hol_measure_read(const HolMeasure *measure, const HolFrame *frames, const double *phi, bool rates,
                      HolGauge *gauge);

/* The same without the value, which is costly for angles of natural coordinates and is undefined here. */
void hol_measure_differentiate(const HolMeasure *measure, const HolFrame *frames, const double *phi, bool rates,
                               HolGauge *gauge);

/* K[i][j] += factor * d g[i] / d(body j), where body j moves as q (+) d with d in v's own axes. Blocks with the ground
 * are written too and may be ignored. */
void hol_measure_add_hessian(const HolMeasure *measure, const HolFrame *frames, double factor, HolBlocks K);

/* The two points it lies between, or its first two directions if it has none. */
void hol_measure_ends(const HolMeasure *measure, HolMark ends[2]);

#endif
