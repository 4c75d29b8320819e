/* SPDX-License-Identifier: BSD-3-Clause */
/* The entries of a gradient that belong to the coordinates of a body.
 *
 * Gradients and blocks are computed alike for all bodies: in (rdot, w) or, in natural coordinates, in (r, a_1, a_2,
 * a_3). A layout selects from them the derivatives with respect to the body's coordinates: coordinate k takes `entry`
 * and, if two entries depend on it, also `sign` times `other`. */
#ifndef HOLON_MECHANISM_KINEMATICS_LAYOUT_H
#define HOLON_MECHANISM_KINEMATICS_LAYOUT_H

#include "mechanism/kinematics/frame.h"

typedef struct HolLayout {
    int nq, nv;  /* of one body */
    int lengths; /* how many of q are lengths: the first ones */
    struct {
        int entry, other; /* other -1: none */
        double sign;
    } at[HOL_WIDE];
} HolLayout;

extern const HolLayout hol_planar_layout;         /* x, y, phi */
extern const HolLayout hol_spatial_layout;        /* r, e; rdot, w */
extern const HolLayout hol_natural_planar_layout; /* x, y, c, s with a_1 = (c, s), a_2 = (-s, c) */
extern const HolLayout hol_natural_layout;        /* r, a_1, a_2, a_3 */
extern const HolLayout hol_particle_layouts[2];   /* r; in the plane first */
extern const HolLayout hol_direction_layouts[2];  /* a_1 */

/* to (nv numbers) += factor times the body's part of g */
static inline void hol_layout_add(const HolLayout *layout, double factor, const double *g, double *to)
{
    for (int k = 0; k < layout->nv; ++k) {
        to[k] += factor * g[layout->at[k].entry];
        if (layout->at[k].other >= 0)
            to[k] += factor * layout->at[k].sign * g[layout->at[k].other];
    }
}

/* to (nv x nv, row-major) += the bodies' part of a block (rows of twelve numbers) */
void hol_layout_add_block(const HolLayout *rows, const HolLayout *columns, const double *block, double *to);

#endif
