/* SPDX-License-Identifier: BSD-3-Clause */
/* Particles without mass: their constraints alone must determine their motion. */
#ifndef HOLON_SIMULATE_ASSEMBLY_MASSLESS_H
#define HOLON_SIMULATE_ASSEMBLY_MASSLESS_H

#include "mechanism/mechanism.h"

/* HOL_SINGULAR and a message if the constraints of a massless particle leave it a degree of freedom initially. */
HolStatus hol_massless_check(const HolMechanism *mechanism, HolMessage *message);

#endif
