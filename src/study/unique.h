/* SPDX-License-Identifier: BSD-3-Clause */
/* Which reactions can be compared: those that every set of multipliers gives alike, all the time.
 *
 * Reactions are told in global axes, which turn in the joint: a force that is unique along one of them at the start is
 * not later, if another component is not. So a joint's force counts only if all of it is unique, and so does its
 * torque; and they must be so at several states of the run, since rows become redundant on the way. */
#ifndef HOLON_STUDY_UNIQUE_H
#define HOLON_STUDY_UNIQUE_H

#include "study/samples.h"

/* One for each column of reactions, at the start and at a few of these states. */
HolStatus hol_unique_reactions(HolArena *arena, const HolMechanism *mechanism, const HolSamples *samples,
                               const bool **is_unique);

#endif
