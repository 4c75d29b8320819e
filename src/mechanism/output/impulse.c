/* SPDX-License-Identifier: BSD-3-Clause */
#include "mechanism/mechanism.h"

#include <math.h>
#include <string.h>

static const char *impulse_unit(const char *unit)
{
    if (!unit)
        return "";
    return strncmp(unit, "rad", 3) == 0 ? "N*m*s" : "N*s";
}

/* The row of a length has the rate L Ldot / scale, so that its Lambda is not yet a force. */
static double impulse_factor(const HolMechanism *m, const HolJoint *joint, double t)
{
    for (int i = 0; i < joint->general_count; ++i) {
        const HolRow *row = &m->rows[joint->first_row + i];
        if (row->squares)
            return hol_function_at(&row->f, t).f / m->measures[row->measure[0]].scale;
    }
    return 1;
}

HolDriverImpulse hol_mechanism_impulse(const HolMechanism *mechanism, const HolImpulse *impulse)
{
    if (!mechanism || !impulse || impulse->group < 0 || impulse->group >= mechanism->pattern->group_count)
        return (HolDriverImpulse){"", "", NAN, ""};
    for (int i = 0; i < mechanism->joint_count; ++i) {
        const HolJoint *joint = &mechanism->joints[i];
        if (joint->group == impulse->group || joint->velocity_group == impulse->group)
            return (HolDriverImpulse){joint->part, joint->name,
                                      impulse->impulse * impulse_factor(mechanism, joint, impulse->t),
                                      impulse_unit(joint->value_unit)};
    }
    return (HolDriverImpulse){"group", hol_system_group_name(mechanism->system, impulse->group), impulse->impulse, ""};
}
