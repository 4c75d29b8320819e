/* SPDX-License-Identifier: BSD-3-Clause */
/* Index-1 augmented Lagrangian accelerations, with and without projections after the step. */
#ifndef HOLON_FORMULATIONS_AUGMENTED_LAGRANGIAN_H
#define HOLON_FORMULATIONS_AUGMENTED_LAGRANGIAN_H

#include "solve/augmented.h"
#include "solve/penalty_options.h"

typedef struct HolAugmentedLagrangian {
    HolPenaltyOptions options;
    HolGains gains;
    HolAugmented *augmented;
    double *c;
} HolAugmentedLagrangian;

HolStatus hol_augmented_lagrangian_create(const HolSetup *setup, const HolPenaltyOptions *options,
                                          HolAugmentedLagrangian *s);
HolStatus hol_augmented_lagrangian_accelerate(HolAugmentedLagrangian *s, HolWorkspace *work, double *vdot,
                                              double *lambda, HolStepReport *report);

#endif
