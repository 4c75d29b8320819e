/* SPDX-License-Identifier: BSD-3-Clause */
/* The two motions that are possible at a singular configuration q*. There, to first order, D leaves one direction z
 * more free than elsewhere: y^T D = 0 for some y, and z is what D moves least. Of the velocities w that D leaves free,
 * those can be continued for which some vdot satisfies D vdot = gamma(w), so that
 *
 *     y^T gamma(w) = 0                                                                                           (1)
 *
 * gamma is a quadratic form of w but for what moving rows add. The motion tau that the run came with is one solution;
 * the other one in the plane of tau and z is
 *
 *     w = z - b(z, z) / (2 b(tau, z)) tau,     b(w, w) = y^T (gamma(w) - gamma(0))                               (2)
 *
 * A run that starts next to q* may come with a tau that cannot be continued. Both solutions in that plane are
 *
 *     tau - g / k z,   z - b(z, z) / k tau,   k = b(tau, z) +- sqrt(b(tau, z)^2 - b(z, z) g)                     (3)
 *
 * with g = y^T gamma(tau) and the sign of b(tau, z), of which (2) is the case g = 0. */
#ifndef HOLON_SIMULATE_WAYS_H
#define HOLON_SIMULATE_WAYS_H

#include "linalg/smallest_singular.h"
#include "simulate/watch.h"

/* Fills sigma_min, group and blocks of the passage, and its ways if there are two. q* is predicted from a sample and
 * the one before it, or NULL (branch.h). The workspace is left standing where it stood, with all terms up to date. */
void hol_ways_find(HolWatch *watch, HolWorkspace *work, const HolWatchSample *one, const HolWatchSample *zero,
                   HolPassage *passage);

/* The group of the rows that are nearest to dependence, -1: not known. */
int hol_ways_group(HolWatch *watch, const HolTerms *terms);

/* Which of them v follows: the 0th, the 1st, or -1 for neither or where it cannot be told. */
int hol_ways_taken(HolWatch *watch, const HolTerms *terms, const double *v);

#endif
