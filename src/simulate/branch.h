/* SPDX-License-Identifier: BSD-3-Clause */
/* What is done at a singular configuration so that the motion goes on as it came (docs/methods/
 * singular-configurations.md). A motion is predicted from the last two good states, 0 and 1, of which v and vdot are
 * known, tau = t - t_1, d = t_1 - t_0:
 *
 *     v(tau) = v_1 + tau vdot_1 + tau^2 A + tau^3 B                                                              (1)
 *     B = (2 e_1 - e_2) / d,  A = 3 e_1 - e_2,  e_1 = (v_0 - v_1 + d vdot_1) / d^2,  e_2 = (vdot_1 - vdot_0) / d
 *
 * A state may be accepted so near to the singular configuration that its accelerations are lost: a position that is
 * wrong by rounding eps turns the direction of motion by eps / s^2, s being the size of the smallest pivot, and changes
 * vdot by eps v^2 / s^3. That shows against the polynomial through both states before it and its own v,
 *
 *     vdot = v'(tau) + 2 (1 / tau + 1 / (tau + d)) (v - v(tau))                                                  (2)
 *
 * which has an error of order h^4. Such a state is not built upon: the next step makes a detour, from the state before
 * it in two steps that end elsewhere.
 *
 * A step behind which the motion has turned into another one, or the energy has jumped, is replaced by a crossing: (1)
 * from the two states before the nearest one, the position pulled onto the rows, the velocity too, and scaled so that
 * the energy balance is what it was before.                                                                      (3) */
#ifndef HOLON_SIMULATE_BRANCH_H
#define HOLON_SIMULATE_BRANCH_H

#include "simulate/internal.h"

/* Whether the next step should make a detour: to the target from y_old, with a halt at *halt. */
bool hol_branch_needs_detour(const HolSimulation *s, double target, double *halt);

/* The state in y_new, where the workspace stands, becomes the trial of the watch. */
void hol_branch_look(HolSimulation *s, double t);

/* The same, and does what the options say if it has lost its branch or is about to. HOL_SINGULAR and a sentence if they
 * say stop. *gave_up: it should have been crossed, but could not be; y_new is spoilt. */
HolStatus hol_branch_keep(HolSimulation *s, double t, bool *gave_up);

#endif
