/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of the state (HolSystemOps.arguments, state_bounds) for the run. */
#ifndef HOLON_SYSTEM_STATE_FUNCTIONS_H
#define HOLON_SYSTEM_STATE_FUNCTIONS_H

#include <holon/system.h>

int hol_system_state_function_count(const HolSystem *system);
HolStateFunction hol_system_state_function(const HolSystem *system, int function);
/* Two numbers for each function. */
void hol_system_arguments(const HolSystem *system, const HolPoint *at, HolTerms *terms, double *arguments);
HolStateBounds hol_system_state_bounds(const HolSystem *system, int function, const HolStepEnds *ends,
                                       const HolTerms *terms, double a, double b);

#endif
