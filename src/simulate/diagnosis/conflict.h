/* SPDX-License-Identifier: BSD-3-Clause */
/* Prescribed motions that contradict each other.
 *
 * Where rows depend on each other, D^T n = 0, velocities with D v = nu exist only if n^T nu = 0. Otherwise every
 * formulation has its own compromise, or none: the run must end, whatever the formulation. The test needs only D and nu
 * of the state. In consistent motions n^T nu is about the violation of the state, relative to the parts of the sum.
 *
 * It runs only where a row that takes part in a dependence has a nu other than zero. */
#ifndef HOLON_SIMULATE_DIAGNOSIS_CONFLICT_H
#define HOLON_SIMULATE_DIAGNOSIS_CONFLICT_H

#include "base/arena.h"
#include "system/workspace.h"

typedef struct HolConflict HolConflict;

/* At the initial state, with D evaluated. NULL if there is nothing to test: no redundant rows, or no prescribed
 * motion. */
HolStatus hol_conflict_create(HolArena *arena, HolWorkspace *work, int redundant_count, HolConflict **conflict);

/* HOL_BAD_INPUT and a sentence that names the contradicting groups, if there are any at the point of the workspace.
 * conflict may be NULL. */
HolStatus hol_conflict_check(HolConflict *conflict, HolWorkspace *work, HolMessage *message);
/* The same at a predicted state, after an iteration has failed: positions may contradict each other there by more than
 * the prediction is wrong, however little that is beside the motion. */
HolStatus hol_conflict_check_ahead(HolConflict *conflict, HolWorkspace *work, HolMessage *message);

#endif
