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
