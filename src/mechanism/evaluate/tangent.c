/* SPDX-License-Identifier: BSD-3-Clause */
/* K = -d(Q + D^T lambda - M vdot)/dq and C = -d(...)/dv. M and gravity are constant, so that vdot does not occur: the
 * rows (their arms and measures), the gyroscopic moments and the forces contribute. */
#include "base/message.h"
#include "mechanism/beams/evaluate.h"
#include "mechanism/evaluate/evaluate.h"
#include "mechanism/forces/force_kind.h"

#include <string.h>

static void clear(HolTerms *terms)
{
    size_t size = (size_t)terms->pattern->tangent_start[terms->pattern->tangent_count] * sizeof(double);
    memset(terms->K, 0, size);
    memset(terms->C, 0, size);
}

static HolStatus tangent_add_all(const HolMotion *motion, const HolPoint *at, const double *lambda)
{
    const HolMechanism *mechanism = motion->mechanism;
    hol_coincidences_add_tangent(motion, lambda);
    hol_rows_add_tangent(motion, lambda);
    hol_held_values_add_tangent(motion, at, lambda);
    for (int i = 0; i < mechanism->force_count; ++i)
        if (mechanism->forces[i].kind->tangent)
            mechanism->forces[i].kind->tangent(&mechanism->forces[i], motion);
    HOL_TRY(hol_rolling_add_tangent(motion, lambda));
    return hol_velocity_rows_add_tangent(motion, lambda);
}

HolStatus hol_spatial_tangent(const void *self, const HolPoint *at, const double *vdot, const double *lambda,
                              HolTerms *terms)
{
    (void)vdot;
    clear(terms);
    HolMotion motion = hol_spatial_motion(self, at, true, terms);
    hol_spatial_add_gyroscopic(self, at, terms);
    return tangent_add_all(&motion, at, lambda);
}

HolStatus hol_natural_tangent(const void *self, const HolPoint *at, const double *vdot, const double *lambda,
                              HolTerms *terms)
{
    (void)vdot;
    clear(terms);
    HolMotion motion = hol_mechanism_motion(self, at, true, terms);
    hol_natural_add_rigid_tangent(&motion, lambda);
    hol_beams_add_tangent(&motion, at->q);
    return tangent_add_all(&motion, at, lambda);
}

HolStatus hol_planar_tangent(const void *self, const HolPoint *at, const double *vdot, const double *lambda,
                             HolTerms *terms)
{
    (void)vdot;
    clear(terms);
    HolMotion motion = hol_planar_motion(self, at, true, terms);
    return tangent_add_all(&motion, at, lambda);
}
