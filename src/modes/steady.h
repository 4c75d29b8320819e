/* SPDX-License-Identifier: BSD-3-Clause */
/* The steady motion near a state whose stresses are known as means of a step only (HolState.q_before). In a frame
 * that turns with Omega, P x = Omega x x for all vectors x of the coordinates, it is a place where
 *
 *     Q(t, q, v) + D^T lambda = M P v,   v = P q,   Phi(t, q) = 0,   D v = nu                           (1)
 *
 * found by passes of
 *
 *     [ K + tau M   -D^T ] [   w    ]   [ Q - M P v ]
 *     [     D         0  ] [ lambda ] = [   -Phi    ]      q <- q + w                                   (2)
 *
 * tau ~ Omega^2 regularises motions that are slower than the rotation or unconstrained. The part of K due to P v, which
 * is of that size, is neglected. */
#ifndef HOLON_MODES_STEADY_H
#define HOLON_MODES_STEADY_H

#include <holon/modes.h>

#include "base/arena.h"

/* In coordinates that are vectors, nq = nv, so that turning.turn() turns q too. `steady` is filled from the arena.
 * HOL_NO_CONVERGENCE where the state does not turn with the frame, or no steady motion is found near it. */
HolStatus hol_steady_find(const HolSystem *system, const HolTurning *turning, const HolState *at, HolArena *arena,
                          HolState *steady);

#endif
