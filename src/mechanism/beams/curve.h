/* SPDX-License-Identifier: BSD-3-Clause */
/* The line of a beam as drawn: straight, or an arc of a circle; and the section's axes along it. */
#ifndef HOLON_MECHANISM_BEAMS_CURVE_H
#define HOLON_MECHANISM_BEAMS_CURVE_H

#include "mechanism/builder/builder.h"

typedef struct HolCurve {
    double from[3], axes[3][3]; /* at its first end; axes[0] along it */
    double length;
    double centre[3], normal[3], angle; /* of an arc; angle 0: straight */
    double twist;                       /* of the section from end to end about axis 1 */
} HolCurve;

/* Returns the key at fault ("to" or "through") and why, or NULL without an error. through may be NULL. */
typedef struct HolCurveFault {
    const char *key, *why;
} HolCurveFault;
HolCurveFault hol_curve_draw(const double *from, const double *to, const double *through, double shortest,
                             HolCurve *curve);
/* Rotates the section so that axis 2 is nearest to this direction at the first end; false if it is along the beam. */
bool hol_curve_orient(HolCurve *curve, const double *axis2);

/* Place and axes at a part x, 0 ... 1, of its length. */
void hol_curve_at(const HolCurve *curve, double x, double *r, double axes[3][3]);

#endif
