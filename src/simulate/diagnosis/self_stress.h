/* SPDX-License-Identifier: BSD-3-Clause */
/* What the joints of a mechanism can do to each other: the null vectors of D^T as forces. */
#ifndef HOLON_SIMULATE_DIAGNOSIS_SELF_STRESS_H
#define HOLON_SIMULATE_DIAGNOSIS_SELF_STRESS_H

#include "mechanism/motion.h"
#include "simulate/diagnosis/redundancy.h"

/* Stores one pattern for each null vector in the diagnosis, in memory of the arena. motion is at the point where the
 * null vectors were found, with D evaluated. */
HolStatus hol_find_self_stresses(const HolMechanism *mechanism, const HolMotion *motion,
                                 const HolRedundancy *redundancy, HolArena *arena, HolDiagnosis *diagnosis);

#endif
