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

/* Q of a body (1-based; the ground takes it in silence) += factor * g, six numbers as in HolGauge. */
static inline void hol_motion_push(const HolMotion *motion, int body, double factor, const double *g)
{
    if (body == 0)
        return;
    if (motion->mechanism->planar) {
        double *Q = motion->terms->Q + 3 * (body - 1);
        Q[0] += factor * g[0];
        Q[1] += factor * g[1];
        Q[2] += factor * g[5];
        return;
    }
    double *Q = motion->terms->Q + 6 * (body - 1);
    for (int i = 0; i < 6; ++i)
        Q[i] += factor * g[i];
}

/* A block of K or C, both bodies' entries as in HolGauge, begins at `at` (-1: nowhere): += the 6 x 6 block, of which a
 * planar model takes the entries 0, 1 and 5. */
void hol_motion_add_block(const HolMotion *motion, double *matrix, int at, const double block[36]);

#endif
