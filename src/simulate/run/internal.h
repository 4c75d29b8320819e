/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of a run share. */
#ifndef HOLON_SIMULATE_RUN_INTERNAL_H
#define HOLON_SIMULATE_RUN_INTERNAL_H

#include "simulate/simulation.h"
#include "simulate/singular/detector.h"

/* The group of the rows that are nearest to linear dependence at the present state, -1: unknown. */
int hol_dependent_group(HolSimulation *s);

/* After a failure with this status: the cause in the rates' message if prescribed motions contradict each other within
 * the next steps. */
void hol_find_conflict(HolSimulation *s, HolStatus *status);

/* One accepted step of at most h; ends exactly at `end` if that is reached. */
HolStatus hol_take_step(HolSimulation *s, double h, double end);

/* ydot of the present state with the present inputs, where those have changed since. On failure all is as it was. */
HolStatus hol_renew_rates(HolSimulation *s);

#endif
