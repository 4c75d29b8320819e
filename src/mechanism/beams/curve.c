/* SPDX-License-Identifier: BSD-3-Clause */
#include "mechanism/beams/curve.h"

#include "base/tolerances.h"
#include "mechanism/kinematics/rotation.h"

#include <math.h>
#include <string.h>

static double curve_subtract(const double *a, const double *b, double *d)
{
    for (int i = 0; i < 3; ++i)
        d[i] = a[i] - b[i];
    return sqrt(hol_dot3(d, d));
}

/* x turned about a unit vector: x c + (n x x) s + n (n.x)(1 - c) */
static void curve_turn(const double *n, double angle, double *x)
{
    double c = cos(angle), s = sin(angle), along = hol_dot3(n, x), across[3];
    hol_cross3(n, x, across);
    for (int i = 0; i < 3; ++i)
        x[i] = c * x[i] + s * across[i] + (1 - c) * along * n[i];
}

/* Axis 2 is horizontal where possible, as for bars. */
static void curve_choose_axes(HolCurve *curve)
{
    double y[3] = {-curve->axes[0][1], curve->axes[0][0], 0};
    double horizontal = sqrt(hol_dot3(y, y));
    for (int i = 0; i < 3; ++i)
        y[i] = horizontal > HOL_TOL_PARALLEL ? y[i] / horizontal : (i == 1);
    hol_curve_orient(curve, y);
}

/* The circle through three points: with b and c from the first to the others and n = b x c, its centre is at
 * (|b|^2 c - |c|^2 b) x n / 2 |n|^2 from the first. */
static bool draw_arc(const double *from, const double *to, const double *through, HolCurve *curve)
{
    double b[3], c[3], n[3], radius[3], u[3];
    double bb = curve_subtract(through, from, b), cc = curve_subtract(to, from, c);
    hol_cross3(b, c, n);
    double nn = hol_dot3(n, n);
    if (!(nn > HOL_TOL_EQUAL * HOL_TOL_EQUAL * bb * bb * cc * cc))
        return false;
    for (int i = 0; i < 3; ++i)
        u[i] = bb * bb * c[i] - cc * cc * b[i];
    hol_cross3(u, n, radius); /* from the first end to the centre, times 2 nn */
    for (int i = 0; i < 3; ++i) {
        curve->centre[i] = from[i] + radius[i] / (2 * nn);
        curve->normal[i] = n[i] / sqrt(nn);
    }
    double first[3], last[3], side[3];
    double R = curve_subtract(from, curve->centre, first);
    curve_subtract(to, curve->centre, last);
    hol_cross3(curve->normal, first, side);
    curve->angle = atan2(hol_dot3(last, side), hol_dot3(last, first));
    curve->angle += curve->angle <= 0 ? 2 * M_PI : 0; /* `through` comes on the way: n was chosen so */
    curve->length = R * curve->angle;
    for (int i = 0; i < 3; ++i)
        curve->axes[0][i] = side[i] / R;
    return true;
}

HolCurveFault hol_curve_draw(const double *from, const double *to, const double *through, double shortest,
                             HolCurve *curve)
{
    memset(curve, 0, sizeof *curve);
    memcpy(curve->from, from, sizeof curve->from);
    curve->length = curve_subtract(to, from, curve->axes[0]);
    if (!(curve->length > shortest))
        return (HolCurveFault){"to", "'from' and 'to' are at the same place; a beam needs a length"};
    if (!(curve->length < 1e100)) /* squares and cubes of it must be finite */
        return (HolCurveFault){"to", "'to' is too far from 'from'; a beam must be shorter than 1e100 m"};
    for (int i = 0; i < 3; ++i)
        curve->axes[0][i] /= curve->length;
    if (through && !draw_arc(from, to, through, curve))
        return (HolCurveFault){"through", "'from', 'through' and 'to' lie on one line; an arc needs three points"};
    curve_choose_axes(curve);
    return (HolCurveFault){NULL, NULL};
}

bool hol_curve_orient(HolCurve *curve, const double *axis2)
{
    double tangent[3], axes[3][3];
    memcpy(tangent, curve->axes[0], sizeof tangent);
    if (!hol_axes_from(tangent, axis2, axes))
        return false;
    memcpy(curve->axes, axes, sizeof axes);
    return true;
}

void hol_curve_at(const HolCurve *curve, double x, double *r, double axes[3][3])
{
    memcpy(axes, curve->axes, sizeof curve->axes);
    for (int i = 0; i < 3; ++i)
        r[i] = curve->angle > 0 ? curve->from[i] - curve->centre[i]
                                : curve->from[i] + x * curve->length * curve->axes[0][i];
    if (curve->angle > 0) {
        curve_turn(curve->normal, x * curve->angle, r);
        for (int k = 0; k < 3; ++k)
            curve_turn(curve->normal, x * curve->angle, axes[k]);
        for (int i = 0; i < 3; ++i)
            r[i] += curve->centre[i];
    }
    for (int k = 1; k < 3 && curve->twist != 0; ++k)
        curve_turn(axes[0], x * curve->twist, axes[k]);
}
