/* SPDX-License-Identifier: BSD-3-Clause */
/* The compliance of joints. It changes no motion; it determines the reactions that the motion leaves undetermined.
 *
 * A joint with the reaction w = B lambda, force and torque in its own axes, deforms by C w with the compliances
 * C = diag(axial, radial, radial, turning, turning, turning), so that its rows open by
 *
 *     G lambda,   G = B^T C B                                                                             (1)
 *
 * or by the compliance of each row where those are given. An elastic bar adds half of its compliance at each end, along
 * itself. Misfits of rows add to the deformation. Joints without stiffness are rigid: G = 0. */
#ifndef HOLON_MECHANISM_REACTIONS_ELASTIC_H
#define HOLON_MECHANISM_REACTIONS_ELASTIC_H

#include "mechanism/joints/joint.h"

/* Its constraint equations for a sentence: "x of the point, y of the point". Gives the text. */
const char *hol_joint_list_rows(const HolJoint *joint, char *text, size_t size);

/* Reads the elasticity of a joint whose rows are built; mistakes go to the builder's reader. */
void hol_joint_read_elastic(HolBuilder *builder, const HolPart *part, const void *values);

/* (1) at a state: G has row_count^2 numbers in the order of joint->rows; unit has m zeros, before and after. */
void hol_joint_compliance(const HolMechanism *mechanism, const HolJoint *joint, const HolFrame *frames, const double *D,
                          double *unit, double *G);

/* Whether it is at the end of an elastic bar. */
bool hol_joint_is_at_bar(const HolJoint *joint);

/* Whether rows keep bodies rigid, in natural coordinates. A formulation that shares reactions among rows gives these
 * a share too, though bodies do not deform. */
bool hol_mechanism_has_rigidity_rows(const HolMechanism *mechanism);

/* Computes row_stiffness, row_weights and preload of the mechanism in its initial state, for penalty formulations. */
HolStatus hol_mechanism_set_row_stiffness(HolMechanism *mechanism);

#endif
