/* SPDX-License-Identifier: BSD-3-Clause */
/* A small change of the velocities without a pattern. */
#ifndef HOLON_SIMULATE_RUN_KNOCK_H
#define HOLON_SIMULATE_RUN_KNOCK_H

#include "simulate/simulation.h"

/* The velocities dv that impulses f of all coordinates add at the accepted state, as far as the constraints allow:
 *
 *     M dv = f + D^T lambda,   D dv = 0,   f_i = M_ii times a scattered number
 *
 * Q: memory, nv. */
HolStatus hol_knock(HolSimulation *s, double *Q, double *dv);

#endif
