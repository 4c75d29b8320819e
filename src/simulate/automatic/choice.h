/* SPDX-License-Identifier: BSD-3-Clause */
/* The automatic choice of the integrator, its step and, where the model leaves it open, the formulation
 * (docs/methods/automatic.md). */
#ifndef HOLON_SIMULATE_AUTOMATIC_CHOICE_H
#define HOLON_SIMULATE_AUTOMATIC_CHOICE_H

#include "formulations/formulation.h"
#include "mechanism/mechanism.h"

/* Completes the run section of an assembled mechanism that names no integrator. Where the time scales cannot be found,
 * the defaults stay. */
HolStatus hol_automatic_choose(HolMechanism *mechanism);

/* Replaces the integrator `automatic` of these options by the choice for the system at `start`, which is made
 * consistent first. The step and the formulation are open where they are those of hol_simulation_options(). The texts
 * live in the arena. */
HolStatus hol_automatic_resolve(const HolSystem *system, const HolInitialState *start, HolArena *arena,
                                HolSimulationOptions *options, HolMessage *message);

/* The default integrator, or the formulation's own where that does not fit. */
const char *hol_default_integrator(const HolFormulationKind *formulation);

#endif
