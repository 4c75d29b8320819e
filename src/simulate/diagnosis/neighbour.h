/* SPDX-License-Identifier: BSD-3-Clause */
/* A configuration near the initial one, without its symmetries. An initial configuration is drawn with parallel rods
 * and right angles, in which a component of a reaction may happen to vanish; along the motion it does not. */
#ifndef HOLON_SIMULATE_DIAGNOSIS_NEIGHBOUR_H
#define HOLON_SIMULATE_DIAGNOSIS_NEIGHBOUR_H

#include "base/arena.h"
#include "system/workspace.h"

/* Moves the workspace from its consistent configuration by a tenth of the size of the system in all degrees of
 * freedom, with drivers at rest; q and v are its new point. Returns false if there is none. */
bool hol_find_neighbour(HolArena *arena, HolWorkspace *work, double *q, double *v);

#endif
