/* SPDX-License-Identifier: BSD-3-Clause */
/* Times at which prescribed motions jump: in position, or in velocity where the model asks for no impulse. */
#ifndef HOLON_MECHANISM_EVALUATE_JUMPS_H
#define HOLON_MECHANISM_EVALUATE_JUMPS_H

#include "mechanism/mechanism.h"

/* The first jump of a joint or driver after t and before `until`; needs the pattern and the initial state. Jumps below
 * 1e-6 of the size of the model, or of the velocities, are none. False also where a bounded search does not find it. */
bool hol_joint_next_jump(const HolMechanism *mechanism, const HolJoint *joint, double t, double until, HolJump *jump);

/* HolSystemOps.next_jump */
bool hol_mechanism_next_jump(const void *self, double t, double until, HolJump *jump);

#endif
