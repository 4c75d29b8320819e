/* SPDX-License-Identifier: BSD-3-Clause */
#include <holon/system.h>

#include "base/message.h"

void hol_jump_describe(const HolJump *jump, HolMessage *message)
{
    if (!jump) {
        hol_fail(message, HOL_OK, "%s", "");
        return;
    }
    hol_fail(message, HOL_OK, "the prescribed %s jumps by %.4g%s%s at t = %.9g s, which takes an infinite force; %s",
             jump->of_velocity ? "velocity" : "position", jump->size, jump->unit ? " " : "",
             jump->unit ? jump->unit : "", jump->t,
             jump->of_velocity ? "use a ramp or a cubic table, or 'impulse: true' for an impulse"
                               : "use a ramp or a cubic table");
}
