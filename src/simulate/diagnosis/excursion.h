/* SPDX-License-Identifier: BSD-3-Clause */
/* Other configurations than the initial one, that satisfy the constraints. An initial configuration is drawn with
 * parallel rods and right angles, in which a component of a reaction may happen to vanish; along the motion it does
 * not.
 *
 * Whether a component vanishes is an analytic condition: on one branch of the configurations it holds everywhere, or
 * almost nowhere. So a few configurations without symmetries decide. */
#ifndef HOLON_SIMULATE_DIAGNOSIS_EXCURSION_H
#define HOLON_SIMULATE_DIAGNOSIS_EXCURSION_H

#include "base/arena.h"
#include "system/workspace.h"

typedef struct HolExcursion HolExcursion;

/* How far displacements lead, in sizes of the system, and how many there are. */
extern const double hol_excursion_distance;
enum { HOL_EXCURSIONS = 4 };

/* At a consistent point of the workspace, its first; length: the size of the system. */
HolStatus hol_excursion_create(HolArena *arena, HolWorkspace *work, double length, HolExcursion **excursion);

/* Moves the workspace from the first point by hol_excursion_distance in all degrees of freedom, with drivers at rest;
 * the index, from 0 to HOL_EXCURSIONS - 1, selects the direction. HOL_SINGULAR: there is no such displacement. */
HolStatus hol_excursion_displace(HolExcursion *excursion, int index);

/* Moves the workspace to the configuration nearest to q that satisfies the constraints at t. */
HolStatus hol_excursion_project(HolExcursion *excursion, double t, const double *q);

/* Begins the motion of the drivers, from the first point. */
HolStatus hol_excursion_start(HolExcursion *excursion);
/* Follows it up to the time t, or less far if that takes too many steps: HOL_NO_CONVERGENCE. Velocities that drivers do
 * not prescribe remain as far as the constraints permit. */
HolStatus hol_excursion_follow(HolExcursion *excursion, double t);

#endif
