/* SPDX-License-Identifier: BSD-3-Clause */
/* Orientations as models give them, and as Euler parameters. */
#ifndef HOLON_MECHANISM_KINEMATICS_ROTATION_H
#define HOLON_MECHANISM_KINEMATICS_ROTATION_H

#include "mechanism/kinematics/frame.h"
#include "model/reader.h"

/* An orientation as unit Euler parameters, and in the plane as an angle; false after an error. */
bool hol_read_orientation(HolReader *reader, const HolNode *node, double e[4], double *phi);

/* From three orthonormal axes, axes[j] being body axis j in global axes. e0 is not negative. */
void hol_quaternion_of_axes(double axes[3][3], double e[4]);

/* The Rodrigues vector of the rotation from unit Euler parameters a to b, in body axes: 2 tan(angle/2) times the axis,
 * infinite at half a turn. hol_rotation_along() is the inverse: b = a * (1, theta/2), normalised. */
void hol_rotation_between(const double *e_a, const double *e_b, double *theta);
void hol_rotation_along(const double *e_a, const double *theta, double *e_b);

/* A frame at rest. */
void hol_frame_place(HolFrame *frame, const double *r, const double *e);

/* Orthonormal axes with this x and the y nearest to the one given; false if they are parallel. */
bool hol_axes_from(const double *x, const double *y, double axes[3][3]);

/* Completes the unit vector a to a right-handed triad (a, n1, n2). */
void hol_triad_complete(const double *a, double *n1, double *n2);

#endif
