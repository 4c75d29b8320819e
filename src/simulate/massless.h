/* SPDX-License-Identifier: BSD-3-Clause */
/* Particles without mass: what they do is for their rows alone to say. */
#ifndef HOLON_SIMULATE_MASSLESS_H
#define HOLON_SIMULATE_MASSLESS_H

#include "mechanism/mechanism.h"

/* At the start, HOL_SINGULAR with a sentence if the rows of a particle without mass leave it a direction. */
HolStatus hol_massless_check(const HolMechanism *mechanism, HolMessage *message);

#endif
