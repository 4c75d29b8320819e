/* SPDX-License-Identifier: BSD-3-Clause */
/* How joints give way. It changes no motion; it tells which of the reactions that the motion leaves open are true.
 *
 * A joint whose reaction is w = B lambda, force and torque in its own axes, gives way by C w with the compliances
 * C = diag(axial, radial, radial, turning, turning, turning), so that its rows open by
 *
 *     G lambda,   G = B^T C B                                                                             (1)
 *
 * or by the compliance of each row where those are given. A bar that yields does so by half at each of its ends, along
 * itself. What a row is too long by as built adds to that. Where
 * nothing is given, G is zero: rigid. */
#ifndef HOLON_MECHANISM_ELASTIC_H
#define HOLON_MECHANISM_ELASTIC_H

#include "mechanism/joint.h"

/* Reads what a joint says of it, once its rows are built; errors go to the builder's reader. */
void hol_joint_read_elastic(HolBuilder *builder, const HolPart *part, const void *values);

/* 1 / k of a stiffness that is positive; 0 after an error, where it is too small or too large to be reckoned with. */
double hol_read_inverse(HolReader *reader, HolPlace place, const char *key, double k);

/* (1) at a state: G has row_count^2 numbers in the order of joint->rows; unit has m zeros, and has them again. */
void hol_joint_compliance(const HolMechanism *mechanism, const HolJoint *joint, const HolFrame *frames, const double *D,
                          double *unit, double *G);

/* Whether it is at the end of a bar that yields. */
bool hol_joint_is_at_bar(const HolJoint *joint);

/* Whether there are rows that keep bodies rigid, in natural coordinates. A formulation that shares forces among rows
 * gives some to these as well, which bodies do not yield to. */
bool hol_mechanism_has_rows_of_bodies(const HolMechanism *mechanism);

/* What formulations with penalties are told: row_stiffness, row_weights and preload of the mechanism, at its start. */
HolStatus hol_mechanism_weigh(HolMechanism *mechanism);

#endif
