/* SPDX-License-Identifier: BSD-3-Clause */
/* What the joints of a mechanism can do to each other: the null vectors of D^T as forces. */
#ifndef HOLON_SIMULATE_SELF_STRESS_H
#define HOLON_SIMULATE_SELF_STRESS_H

#include "mechanism/motion.h"
#include "simulate/redundancy.h"

/* One pattern for each null vector, into the diagnosis, of memory of the arena. motion stands where the null vectors
 * were found, D being evaluated. */
HolStatus hol_find_self_stresses(const HolMechanism *mechanism, const HolMotion *motion,
                                 const HolRedundancy *redundancy, HolArena *arena, HolDiagnosis *diagnosis);

#endif
