/* SPDX-License-Identifier: BSD-3-Clause */
/* A state at which a mechanism is evaluated: the frames of its bodies, and the terms that forces add to. */
#ifndef HOLON_MECHANISM_MOTION_H
#define HOLON_MECHANISM_MOTION_H

#include "mechanism/mechanism.h"

typedef struct HolMotion {
    const HolMechanism *mechanism;
    double t;
    const HolFrame *frames; /* [0]: ground, [i + 1]: body i */
    const double *phi;      /* planar angles by the same index; NULL in space */
    bool is_mean;           /* of two configurations in reference-point coordinates (evaluate/mean.c) */
    HolTerms *terms;
} HolMotion;

/* Two configurations and their midpoint, or their mean in reference-point coordinates in space. Only the midpoint has
 * velocities, and forces add to its terms. */
typedef struct HolDiscreteGradientMotion {
    HolMotion a, b, middle;
    const double *q_a, *q_b;
} HolDiscreteGradientMotion;

/* A HolStrainPath of a mechanism. Of the configurations only a has velocities, those of z; without a middle, forces act
 * at a. They add to the Q of the terms of a and of the middle, which are the same. */
typedef struct HolStrainMotion {
    HolDiscreteGradientMotion between;
    const HolStrainPath *path;
} HolStrainMotion;

/* A potential of one length (or angle) l between two configurations. */
typedef struct HolDiscreteGradientLaw {
    int body[2];
    bool is_length; /* between two points, whose coordinates are linear in those of the bodies or in the mean */
    bool is_angle;  /* known modulo 2 pi only */
    double l_a, l_b;
    double mean;    /* slope: f (l_b - l_a) = V_b - V_a */
    double applied; /* V' in the force -V' g that acts in the middle */
    const HolGauge *middle;
} HolDiscreteGradientLaw;

/* The mean slope of V between l_a and l_b; if these differ by rounding only, the slope in the middle. */
double hol_mean_slope(double l_a, double l_b, double V_a, double V_b, double in_middle);

/* Adds to Q the correction that makes the work of a potential exact between two configurations,
 *
 *     -f g' + V'_m g,   g' . delta = l_b - l_a,
 *
 * with delta the displacement from a to b, and g' = 2 l_m g / (l_a + l_b) of a length, else g and the rest along delta
 * of the two bodies. */
void hol_discrete_gradient_push(const HolDiscreteGradientMotion *motion, const HolDiscreteGradientLaw *law);

/* Q of a body (1-based; ignored for the ground) += factor * g, as in HolGauge. */
static inline void hol_motion_push(const HolMotion *motion, int body, double factor, const double *g)
{
    if (body > 0)
        hol_layout_add(motion->mechanism->bodies[body - 1].layout, factor, g,
                       motion->terms->Q + motion->terms->pattern->block_start[body - 1]);
}

/* The block of K or C of two bodies (1-based) begins at `at` (-1: nowhere): += block, of rows of twelve numbers. */
void hol_motion_add_block(const HolMotion *motion, double *matrix, int at, int row_body, int column_body,
                          const double *block);
/* The same for the four blocks of K of a pair of bodies, without those of the ground. */
void hol_motion_add_blocks(const HolMotion *motion, const int body[2], HolBlocks blocks);

/* The index of (row, column) in pairs[low ... high - 1], sorted by row, then by column; -1 if it is not there. */
int hol_pair_find(const HolPair *pairs, int low, int high, int row, int column);
/* Where a block begins in D or in K and C, -1 if the pattern has none. */
int hol_place_in_D(const HolPattern *pattern, int group, int block);
int hol_place_in_tangent(const HolPattern *pattern, int row, int column);

#endif
