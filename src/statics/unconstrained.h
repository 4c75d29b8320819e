/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds bodies without a static equilibrium: a joint translation n changes neither the constraints nor the forces,
 * however far it goes, and the forces act along it,
 *
 *     D n = 0,   Phi(q (+) L n) = Phi(q),   n^T Q(q (+) L n) = n^T Q(q) > 0                              (1)
 *
 * Translations of whole parts are examined: bodies that are coupled by constraints or forces. (1) is tested at a few
 * distances L only, so parts are skipped that springs, stops or tyres connect to the ground, and parts with follower
 * forces, which may balance after a rotation. */
#ifndef HOLON_STATICS_UNCONSTRAINED_H
#define HOLON_STATICS_UNCONSTRAINED_H

#include <holon/mechanism.h>

/* *name: one of these bodies, or the beam whose node it is; NULL if there is none. */
HolStatus hol_unconstrained_find(const HolMechanism *mechanism, double t, const double *q, const char **name);

#endif
