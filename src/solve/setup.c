/* SPDX-License-Identifier: BSD-3-Clause */
#include "solve/setup.h"

#include "base/message.h"

HolStatus hol_setup_check_dense(const HolSetup *setup, const char *name)
{
    static const double MOST_NUMBERS = 3e6; /* up to this size a step takes seconds, not minutes */
    const HolPattern *p = hol_system_pattern(setup->system);
    if ((double)p->nv * (p->nv + (double)p->m) <= MOST_NUMBERS)
        return HOL_OK;
    return hol_fail(
        setup->message, HOL_UNSUPPORTED,
        "'%s' uses dense matrices, too large for %d velocities and %d constraint equations; choose another formulation",
        name, p->nv, p->m);
}

HolStatus hol_setup_check_mean(const HolSetup *setup, const char *name)
{
    if ((hol_system_is_flat(setup->system) || hol_system_has_mean(setup->system)) &&
        hol_system_has_constant_mass(setup->system))
        return HOL_OK;
    return hol_fail(setup->message, HOL_UNSUPPORTED,
                    "'%s' requires a constant mass matrix, and coordinates with qdot = v or the functions 'displace' "
                    "and 'evaluate_mean', but '%s' lacks them",
                    name, hol_system_name(setup->system));
}

HolStatus hol_setup_check_flat(const HolSetup *setup, const char *name)
{
    if (hol_system_is_flat(setup->system) && hol_system_has_constant_mass(setup->system))
        return HOL_OK;
    return hol_fail(setup->message, HOL_UNSUPPORTED,
                    "'%s' requires a constant mass matrix and coordinates with qdot = v, but '%s' has none: choose "
                    "natural coordinates",
                    name, hol_system_name(setup->system));
}
