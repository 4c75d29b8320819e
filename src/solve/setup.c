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
