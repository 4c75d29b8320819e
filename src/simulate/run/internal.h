/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of a run share. */
#ifndef HOLON_SIMULATE_RUN_INTERNAL_H
#define HOLON_SIMULATE_RUN_INTERNAL_H

#include "simulate/simulation.h"
#include "simulate/singular/detector.h"

/* The group of the rows that are nearest to linear dependence at the present state, -1: unknown. */
int hol_dependent_group(HolSimulation *s);

/* Tries a step from `from` to the time t; the result is in y_new, ydot_new and measures_new. An adaptive step with an
 * error above largest_error is abandoned. */
HolStatus hol_step_advance(HolSimulation *s, HolStepFrom from, double t, double largest_error);
void hol_swap_vectors(double **a, double **b);
/* After a failure with this status: the cause in the rates' message if prescribed motions contradict each other within
 * the next steps. */
void hol_find_conflict(HolSimulation *s, HolStatus *status);

/* HOL_BAD_INPUT and a sentence where steps of this size are lost in the rounding of the time t, called `what`. */
HolStatus hol_check_advance(const char *what, double t, double step, HolMessage *message);

/* One accepted step of at most h; ends exactly at `end` if that is reached. */
HolStatus hol_take_step(HolSimulation *s, double h, double end);

/* One end of a step. */
typedef struct HolEnd {
    const double *y, *ydot;
} HolEnd;

/* Cubic Hermite interpolation of y at the part theta of a step of size h. */
void hol_interpolate(int size, double h, HolEnd from, HolEnd to, double theta, double *y);

/* Tries a step of the size h that ends at t and leaves its result in y_new. */
HolStatus hol_step_trial(HolSimulation *s, double h, double t);
/* The same with s->next, and HOL_TOO_STIFF where steps are too long for the model: found at set-up, when a step fails,
 * or after one that has changed the energy by much, which remains as the last one. */
HolStatus hol_take_watched_step(HolSimulation *s, double end);
/* At set-up, for explicit integrators; examine: whether steps from the initial state are unstable. */
HolStatus hol_watch_create(HolSimulation *s, bool examine);

/* Adds the time since the last call, or since the run began, to the summary. */
void hol_run_count_time(HolSimulation *s);
/* HOL_BAD_INPUT and a sentence while a run is under way, whose record or progress function has called `function`. */
HolStatus hol_run_check_ended(HolSimulation *s, const char *function);

/* Lists all that changes along a run (base/archive.h). */
void hol_simulation_archive(HolSimulation *s, HolArchive *archive);

/* Sets what a saved simulation must agree with, at the end of set-up: the options of the formulation and of the
 * integrator are behind the pointers. */
void hol_identity_set(HolSimulation *s, const HolInitialState *start, const HolSimulationOptions *options,
                      const void *formulation_options, const void *integrator_options);

/* ydot of the present state with the present inputs, where those have changed since. On failure all is as it was. */
HolStatus hol_renew_rates(HolSimulation *s);
/* The same for vdot, lambda and the measures that users see. After a failure they still belong to the old inputs. */
void hol_renew_state(HolSimulation *s);

#endif
