/* SPDX-License-Identifier: BSD-3-Clause */
/* The automatic choice of the integrator, its step and, where the model leaves it open, the formulation
 * (docs/methods/automatic.md). */
#ifndef HOLON_SIMULATE_AUTOMATIC_CHOICE_H
#define HOLON_SIMULATE_AUTOMATIC_CHOICE_H

#include "mechanism/mechanism.h"

/* Completes the run section of an assembled mechanism that names no integrator. Where the time scales cannot be found,
 * the defaults stay. */
HolStatus hol_automatic_choose(HolMechanism *mechanism);

#endif
