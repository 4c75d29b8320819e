/* SPDX-License-Identifier: BSD-3-Clause */
/* The reaction of a joint: the force and the torque on its second body at the joint, in global axes.
 *
 * The multipliers act on a body as f = D^T lambda, a force F at the centre of mass and a torque T in body axes there.
 * At the joint, an arm s in global axes away from the centre: force F, torque R T - s x F. Where the second body is the
 * ground, it is the opposite of what acts on the first. The joint is a place of the second body; where a body rolls, it
 * is the contact. */
#ifndef HOLON_MECHANISM_REACTION_H
#define HOLON_MECHANISM_REACTION_H

#include "mechanism/mechanism.h"

/* reaction: fx fy fz tx ty tz. frames[i + 1] belongs to body i; D as in HolTerms; lambda has m numbers. */
void hol_joint_reaction(const HolMechanism *mechanism, const HolJoint *joint, const HolFrame *frames, const double *D,
                        const double *lambda, double reaction[6]);

/* The joint's own axes in global ones, axes[i] = axis i: x along its axis or rod, carried by the first body. */
void hol_joint_axes(const HolMechanism *mechanism, const HolJoint *joint, const HolFrame *frames, double axes[3][3]);

#endif
