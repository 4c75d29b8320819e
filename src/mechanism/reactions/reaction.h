/* SPDX-License-Identifier: BSD-3-Clause */
/* The reaction of a joint: the force and the torque on its second body at the joint, in global axes.
 *
 * The multipliers act on a body as f = D^T lambda, a force F at the centre of mass and a torque T in body axes there.
 * At the joint, at the arm s in global axes from the centre: force F, torque R T - s x F. If the second body is the
 * ground, it is the opposite of what acts on the first. The joint is a point of the second body; of a rolling body it
 * is the contact. */
#ifndef HOLON_MECHANISM_REACTIONS_REACTION_H
#define HOLON_MECHANISM_REACTIONS_REACTION_H

#include "mechanism/mechanism.h"

/* reaction: fx fy fz tx ty tz. frames[i + 1] belongs to body i; D as in HolTerms; lambda has m numbers. */
void hol_joint_reaction(const HolMechanism *mechanism, const HolJoint *joint, const HolFrame *frames, const double *D,
                        const double *lambda, double reaction[6]);

/* The force that the weight and inertia of a rod with mass add at its second end,
 *
 *     m g / 2 - m (2 a_1 + a_0) / 6
 *
 * since the multiplier acts on both bodies with the mass of the rod in them. Its ends accelerate by a_0 and a_1:
 * `rates` are the frames with vdot for v, which suffices in natural coordinates. Zero for other joints. */
void hol_joint_rod_share(const HolMechanism *mechanism, const HolJoint *joint, const HolFrame *rates, double force[3]);

/* The joint's own axes in global ones, axes[i] = axis i: x along its axis or rod, carried by the first body. */
void hol_joint_axes(const HolMechanism *mechanism, const HolJoint *joint, const HolFrame *frames, double axes[3][3]);

#endif
