/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of a run share. */
#ifndef HOLON_SIMULATE_RUN_INTERNAL_H
#define HOLON_SIMULATE_RUN_INTERNAL_H

#include "simulate/simulation.h"
#include "simulate/singular/detector.h"

/* The group of the rows that are nearest to linear dependence at the present state, -1: unknown. */
int hol_dependent_group(HolSimulation *s);

/* One accepted step of at most h; ends exactly at `end` if that is reached. */
HolStatus hol_take_step(HolSimulation *s, double h, double end);

/* The same with s->next, and HOL_TOO_STIFF where steps are too long for the model: found at set-up, when a step fails,
 * or after one that has changed the energy by much, which remains as the last one. */
HolStatus hol_take_watched_step(HolSimulation *s, double end);
/* At set-up, for explicit integrators; examine: whether steps from the initial state are unstable. */
HolStatus hol_watch_create(HolSimulation *s, bool examine);

/* ydot of the present state with the present inputs, where those have changed since. On failure all is as it was. */
HolStatus hol_renew_rates(HolSimulation *s);

#endif
