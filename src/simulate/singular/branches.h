/* SPDX-License-Identifier: BSD-3-Clause */
/* The two branches of the motion at a singular configuration q*. There D leaves one more direction z free, to first
 * order, than elsewhere: y^T D = 0 for some y, and z is the direction along which D z is smallest. A velocity w in the
 * null space of D can be continued if some vdot satisfies D vdot = gamma(w), so that
 *
 *     y^T gamma(w) = 0                                                                                           (1)
 *
 * gamma is a quadratic form of w but for what driven constraints add. The velocity tau of the run is one solution; the
 * other one in the plane of tau and z is
 *
 *     w = z - b(z, z) / (2 b(tau, z)) tau,     b(w, w) = y^T (gamma(w) - gamma(0))                               (2)
 *
 * A run that begins next to q* may have a tau that cannot be continued. Both solutions in that plane are
 *
 *     tau - g / k z,   z - b(z, z) / k tau,   k = b(tau, z) +- sqrt(b(tau, z)^2 - b(z, z) g)                     (3)
 *
 * with g = y^T gamma(tau) and the sign of b(tau, z), of which (2) is the case g = 0. */
#ifndef HOLON_SIMULATE_SINGULAR_BRANCHES_H
#define HOLON_SIMULATE_SINGULAR_BRANCHES_H

#include "linalg/rank/smallest_singular.h"
#include "simulate/singular/detector.h"

/* Fills sigma_min, group and blocks of the passage, and the branches of the detector if there are two. q* is predicted
 * from a sample and the previous one, or NULL (branch.h). The workspace returns to its point, all terms up to date. */
void hol_branches_find(HolDetector *detector, HolWorkspace *work, const HolDetectorSample *one,
                       const HolDetectorSample *zero, HolPassage *passage);

/* The group of the rows that are nearest to linear dependence, -1: unknown. */
int hol_branches_group(HolDetector *detector, const HolTerms *terms);

/* Which branch v follows: 0, 1, or -1 for neither or unknown. */
int hol_branches_taken(HolDetector *detector, const HolTerms *terms, const double *v);

/* For critical.h, with y and z of the latest hol_detector_sigma_min(), and tau and z in detector->branches. */

/* y^T x of m numbers, with y of rows divided by their size. */
double hol_branches_along_y(const HolDetector *detector, const double *x);

/* Puts z, scaled to the norm of tau, into detector->branches. False if one of them is zero. */
bool hol_branches_take_z(HolDetector *detector, const HolTerms *terms);

/* The cosine between two velocities in the metric of M; 0 where one is zero. */
double hol_branches_cosine(HolDetector *detector, const HolTerms *terms, const double *a, const double *b);

typedef struct HolBranchForm {
    double still, tt, tz, zz; /* y^T gamma(0), y^T gamma(tau), b(tau, z), b(z, z) */
} HolBranchForm;

/* Moves the workspace. */
HolStatus hol_branches_form(HolDetector *detector, HolWorkspace *work, double t, HolBranchForm *form);

/* Whether D leaves more than one additional direction free; sigma: the smallest singular value. */
bool hol_branches_are_many(HolDetector *detector, const HolTerms *terms, double sigma);

#endif
