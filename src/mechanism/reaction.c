/* SPDX-License-Identifier: BSD-3-Clause */
#include "mechanism/reaction.h"

#include "mechanism/system_ops.h"

/* f += D_group^T lambda on a body, as six numbers. */
static void add_group(const HolMechanism *m, int group, int body, const double *D, const double *lambda, double *f)
{
    static const int planar_entries[3] = {0, 1, 5};
    const HolPattern *p = m->pattern;
    int start = group < 0 ? -1 : hol_place_in_D(p, group, body - 1), n = m->planar ? 3 : 6;
    if (start < 0)
        return;
    for (int row = p->group_start[group]; row < p->group_start[group + 1]; ++row, start += n)
        for (int i = 0; i < n; ++i)
            f[m->planar ? planar_entries[i] : i] += D[start + i] * lambda[row];
}

void hol_joint_reaction(const HolMechanism *mechanism, const HolJoint *joint, const HolFrame *frames, const double *D,
                        const double *lambda, double reaction[6])
{
    int body = joint->body[1] > 0 ? joint->body[1] : joint->body[0];
    double sign = joint->body[1] > 0 ? 1 : -1, f[6] = {0}, torque[3], arm[3], moment[3];
    add_group(mechanism, joint->group, body, D, lambda, f);
    add_group(mechanism, joint->velocity_group, body, D, lambda, f);
    hol_turn(&frames[body], f + 3, torque);
    hol_turn(&frames[body], joint->place.s, arm);
    hol_cross3(arm, f, moment);
    for (int i = 0; i < 3; ++i) {
        reaction[i] = sign * f[i];
        reaction[3 + i] = sign * (torque[i] - moment[i]);
    }
}
