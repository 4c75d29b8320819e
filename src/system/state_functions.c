/* SPDX-License-Identifier: BSD-3-Clause */
#include "system/state_functions.h"

#include "system/internal.h"

int hol_system_state_function_count(const HolSystem *system)
{
    return system->state_function_count;
}

HolStateFunction hol_system_state_function(const HolSystem *system, int function)
{
    return system->state_functions[function];
}

void hol_system_arguments(const HolSystem *system, const HolPoint *at, HolTerms *terms, double *arguments)
{
    if (system->state_function_count > 0)
        system->ops.arguments(system->self, at, terms, arguments);
}

HolStateBounds hol_system_state_bounds(const HolSystem *system, int function, const HolStepEnds *ends,
                                       const HolTerms *terms, double a, double b)
{
    return system->ops.state_bounds(system->self, function, ends, terms, a, b);
}
