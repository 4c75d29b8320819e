/* SPDX-License-Identifier: BSD-3-Clause */
/* Which reactions can be compared: those that are unique during the whole run.
 *
 * Reactions have global axes, with respect to which joints rotate: a component that is unique initially need not be so
 * later if another one is not. So a joint's force counts only if all of it is unique, and so does its torque; and they
 * must be unique in configurations along the whole run. */
#ifndef HOLON_COMPARE_UNIQUE_REACTIONS_H
#define HOLON_COMPARE_UNIQUE_REACTIONS_H

#include "samples.h"

/* One flag for each column of reactions, from up to 17 of these states, the initial one included. */
HolStatus hol_unique_reactions(HolPool *pool, const HolMechanism *mechanism, const HolSamples *samples,
                               const bool **is_unique);

#endif
