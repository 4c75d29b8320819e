/* SPDX-License-Identifier: BSD-3-Clause */
/* One point at which a mechanism is evaluated: the frames of its bodies, and where forces put their results. */
#ifndef HOLON_MECHANISM_MOTION_H
#define HOLON_MECHANISM_MOTION_H

#include "mechanism/mechanism.h"

typedef struct HolMotion {
    const HolMechanism *mechanism;
    double t;
    const HolFrame *frames; /* [0]: ground, [i + 1]: body i */
    const double *phi;      /* planar angles by the same index; NULL in space */
    HolTerms *terms;
} HolMotion;

/* Two configurations and the one between them, in coordinates that move as qdot = v; velocities only in the middle, and
 * forces put their results there. */
typedef struct HolChordMotion {
    HolMotion a, b, middle;
    const double *q_a, *q_b;
} HolChordMotion;

/* A potential of one length (or angle) l along a chord. */
typedef struct HolChordLaw {
    int body[2];
    bool is_length; /* between two points, in natural coordinates: its square is quadratic */
    bool is_angle;  /* known modulo a turn only */
    double l_a, l_b;
    double mean;    /* slope: f (l_b - l_a) = V_b - V_a */
    double applied; /* V' in the force -V' g that acts in the middle */
    const HolGauge *middle;
} HolChordLaw;

/* The mean slope of V between l_a and l_b; where its values are equal but for rounding, that in the middle. */
double hol_mean_slope(double l_a, double l_b, double V_a, double V_b, double in_middle);

/* Adds to Q what the force of a potential lacks along a chord,
 *
 *     -f g' + V'_m g,   g' . (q_b - q_a) = l_b - l_a,
 *
 * with g' = 2 l_m g / (l_a + l_b) of a length, else g and the rest along q_b - q_a of the two bodies. */
void hol_chord_push(const HolChordMotion *chord, const HolChordLaw *law);

/* Q of a body (1-based; the ground takes it in silence) += factor * g, as in HolGauge. */
static inline void hol_motion_push(const HolMotion *motion, int body, double factor, const double *g)
{
    if (body > 0)
        hol_layout_add(motion->mechanism->bodies[body - 1].layout, factor, g,
                       motion->terms->Q + motion->terms->pattern->block_start[body - 1]);
}

/* The block of K or C of two bodies (1-based) begins at `at` (-1: nowhere): += block, of rows of twelve numbers. */
void hol_motion_add_block(const HolMotion *motion, double *matrix, int at, int row_body, int column_body,
                          const double *block);

#endif
