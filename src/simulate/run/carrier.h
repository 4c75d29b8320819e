/* SPDX-License-Identifier: BSD-3-Clause */
/* The equations of motion at states beside the motion of a run with redundant constraint equations.
 *
 * The row choice of the run must not see such states, and beside the constraints redundant rows contradict each other.
 * So the carrier has a choice of its own: the rows that are independent at a state of the run. A state beside it is put
 * onto these by the shortest way, and there the others are satisfied, too. */
#ifndef HOLON_SIMULATE_RUN_CARRIER_H
#define HOLON_SIMULATE_RUN_CARRIER_H

#include "simulate/simulation.h"

typedef struct HolCarrier HolCarrier;

/* At the initial state, to which it moves the workspace. */
HolStatus hol_carrier_create(HolSimulation *s, HolCarrier **carrier);

/* Chooses the rows at x = (q, v), a state of the run. */
HolStatus hol_carrier_prepare(HolCarrier *carrier, HolWorkspace *work, double t, const double *x);

/* vdot at x */
HolStatus hol_carrier_accelerate(HolCarrier *carrier, HolWorkspace *work, double t, const double *x, double *vdot);

/* x on the constraints */
HolStatus hol_carrier_project(HolCarrier *carrier, HolWorkspace *work, double t, double *x);

void hol_carrier_archive(HolCarrier *carrier, HolArchive *archive);

#endif
