/* SPDX-License-Identifier: BSD-3-Clause */
/* The time scales of any system; those of a mechanism are public. */
#ifndef HOLON_SIMULATE_AUTOMATIC_TIME_SCALES_H
#define HOLON_SIMULATE_AUTOMATIC_TIME_SCALES_H

#include "mechanism/mechanism.h"

/* The mechanism whose system it is; NULL: it is supplied as functions. */
const HolMechanism *hol_mechanism_of(const HolSystem *system);

/* At a consistent state, for steps of h. Rotations and stops are known of mechanisms only. */
HolStatus hol_time_scales(const HolSystem *system, const HolInitialState *start, double h, HolTimeScales *scales);

#endif
