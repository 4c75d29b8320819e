/* SPDX-License-Identifier: BSD-3-Clause */
/* The names and options that the run section of a model gives, checked against the formulations and integrators. */
#ifndef HOLON_SIMULATE_ASSEMBLY_RUN_SECTION_H
#define HOLON_SIMULATE_ASSEMBLY_RUN_SECTION_H

#include "mechanism/run_section.h"

/* Fills in the formulation and the integrator where the section names none; mistakes go to the model. Scratch memory
 * comes from the arena of the mechanism. */
void hol_run_section_complete(HolModel *model, HolMechanism *mechanism);

#endif
