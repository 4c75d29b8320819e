/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps a run on its branch at a singular configuration (docs/methods/singular-configurations.md). The motion is
 * predicted from v and vdot of the last two good states, 0 and 1; tau = t - t_1, d = t_1 - t_0:
 *
 *     v(tau) = v_1 + tau vdot_1 + tau^2 A + tau^3 B                                                              (1)
 *     B = (2 e_1 - e_2) / d,  A = 3 e_1 - e_2,  e_1 = (v_0 - v_1 + d vdot_1) / d^2,  e_2 = (vdot_1 - vdot_0) / d
 *
 * A state may be accepted so near to the singular configuration that rounding spoils its accelerations: a position
 * error eps changes the direction of motion by eps / s^2, with s the sine of detector.h, and vdot by eps v^2 / s^3.
 * This shows against the polynomial through the two states before it and its own v,
 *
 *     vdot = v'(tau) + 2 (1 / tau + 1 / (tau + d)) (v - v(tau))                                                  (2)
 *
 * which has an error of order h^4. Nearer still the energy jumps, or no iteration converges. The next step does not use
 * such a state: it restarts from the state before, in two steps that end at other times.
 *
 * A step that changes the branch, or lets the energy jump, is replaced by a crossing: (1) from the two states before
 * the nearest one, position and velocity projected onto the constraints, the velocity scaled to the energy balance
 * before.                                                                                                        (3) */
#ifndef HOLON_SIMULATE_SINGULAR_BRANCH_H
#define HOLON_SIMULATE_SINGULAR_BRANCH_H

#include "simulate/simulation.h"
#include "simulate/singular/detector.h"

/* Whether the next step should restart from y_old, in two steps that join at *middle. */
bool hol_branch_needs_restart(const HolSimulation *s, double target, double *middle);

/* Whether the motion turns next to a singular configuration, too sharply for the next step of h (critical.h). */
bool hol_branch_turns(HolSimulation *s, double h);

/* The size of a step from (t, y) that follows such a turn; the workspace is there, with its accelerations. */
double hol_branch_turn_step(HolSimulation *s, double t, const double *y);

/* Inside such a turn, the least size of a step; 0 elsewhere. Rounding may let the error control ask for less. */
double hol_branch_shortest_step(const HolSimulation *s);

/* Whether the motion reaches a singular configuration at about time t, in place of turning next to it. */
bool hol_branch_crosses(HolSimulation *s, double t);

/* Makes the state in y_new, where the workspace is, the trial of the detector. */
void hol_branch_sample(HolSimulation *s, double t);

/* The same, and applies the branch policy if the trial has changed its branch or is about to. HOL_SINGULAR and a
 * message if the policy is to stop. *failed: a crossing was needed and impossible; y_new is then invalid. */
HolStatus hol_branch_check(HolSimulation *s, double t, bool *failed);

/* After a step to time t has failed: whether it or one of its stages ends next to a singular configuration, so that
 * rounding is the cause. Then y_new is the state that (1) predicts there, which is only recorded. */
bool hol_branch_leads_past(HolSimulation *s, double t);

#endif
