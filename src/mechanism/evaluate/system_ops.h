/* SPDX-License-Identifier: BSD-3-Clause */
/* A mechanism as a system of equations: the functions that its HolSystemSpec names. self is the const HolMechanism *,
 * which must be filled before the first evaluation, the pattern included.
 *
 * Block i of v is body i. In space q = (r, e) and v = (rdot, w in body axes) of each body; in the plane
 * q = (x, y, phi), v = qdot; in natural coordinates see natural.c. */
#ifndef HOLON_MECHANISM_EVALUATE_SYSTEM_OPS_H
#define HOLON_MECHANISM_EVALUATE_SYSTEM_OPS_H

#include "mechanism/mechanism.h"

enum { HOL_PLANAR_NQ = 3, HOL_PLANAR_NV = 3, HOL_SPATIAL_NQ = 7, HOL_SPATIAL_NV = 6 }; /* of one body */

extern const HolSystemOps hol_planar_ops;
extern const HolSystemOps hol_spatial_ops;
extern const HolSystemOps hol_natural_ops;

/* What HolSystemSpec.scratch_size must be: frames, and in the plane also poses and angles. Needs planar and
 * body_count. */
int hol_mechanism_scratch_size(const HolMechanism *mechanism);

#endif
