/* SPDX-License-Identifier: BSD-3-Clause */
/* Prescribed velocities that jump (docs/methods/events.md): refused, or an impulse Lambda of the constraints,
 *
 *     M dv = D^T Lambda,   D dv = nu_after - nu_before                                              (1)
 *     T_after - T_before = dv^T M (v + dv/2) = Lambda^T (nu_before + nu_after) / 2                  (2)
 *
 * The last equality holds where D v = nu. A violation D v - nu is the same before and after. */
#ifndef HOLON_SIMULATE_RUN_IMPULSES_H
#define HOLON_SIMULATE_RUN_IMPULSES_H

#include "simulate/simulation.h"

/* At the initial state, with M, D and Phi evaluated. */
HolStatus hol_impulses_create(HolSimulation *s, const HolSetup *setup);

/* At a breakpoint that has been passed, with b->nu the velocities before it: whether any of a group with impulses
 * jumps. dnu then has the jump of all. The workspace is after the breakpoint, with nu evaluated. */
bool hol_impulses_find(HolSimulation *s);

/* Changes the velocities and the work of the present state by (1) and (2), and keeps the impulses. */
HolStatus hol_impulses_apply(HolSimulation *s);

/* HOL_BAD_INPUT, with the sentence. */
HolStatus hol_jump_refuse(HolSimulation *s, const HolJump *jump);

/* HOL_BAD_INPUT and a message if a prescribed motion jumps between the present time and `until`, as far as a bounded
 * search shows. */
HolStatus hol_jumps_check(HolSimulation *s, double until);

#endif
