/* SPDX-License-Identifier: BSD-3-Clause */
/* Refuses prescribed motions that jump before the end of the run. */
#include "mechanism/evaluate/jumps.h"

#include "base/message.h"
#include "base/tolerances.h"
#include "mechanism/compile/compile.h"
#include "mechanism/run_section.h"

/* A jump at the initial time has been passed. */
HolStatus hol_mechanism_check_jumps(HolMechanism *mechanism, HolModel *model)
{
    HolMechanism *m = mechanism;
    HOL_TRY(HOL_CHECK_FOR_MODEL(model, mechanism));
    const double start = HOL_ROUNDINGS(1000) * m->run->step, until = m->run->until;
    int count = 0;
    for (int i = 0; i < m->joint_count; ++i) {
        const HolJoint *joint = &m->joints[i];
        HolJump jump;
        HolMessage message;
        if (!hol_joint_next_jump(m, joint, start, until, &jump))
            continue;
        ++count;
        hol_jump_describe(&jump, &message);
        hol_error(model, joint->value_place, "%s '%s': %s", joint->part, joint->name, message.text);
    }
    if (count > 0)
        return HOL_BAD_INPUT;
    m->jumps_searched = until;
    return HOL_OK;
}
