/* SPDX-License-Identifier: BSD-3-Clause */
#include "mechanism/reaction.h"

#include "mechanism/system_ops.h"

#include <math.h>

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

/* Where a body that rolls touches, from its centre p. */
static void find_contact(const HolMechanism *m, const HolJoint *joint, const HolFrame *frames, double *p)
{
    double n[3], a[3], through[3];
    const HolRolling *rolling = joint->rolling_count > 0 ? &m->rollings[joint->first_rolling] : NULL;
    hol_mark_value(frames, rolling ? &rolling->normal : &joint->normal, n);
    if (rolling && rolling->shape == HOL_DISC_ON_PLANE) {
        hol_mark_value(frames, &rolling->axis, a);
        double along = hol_dot3(n, a);
        for (int i = 0; i < 3; ++i)
            n[i] -= along * a[i];
    }
    if (rolling && rolling->shape == HOL_BALL_IN_SPHERE) {
        hol_mark_value(frames, &rolling->through, through);
        for (int i = 0; i < 3; ++i)
            n[i] = through[i] - p[i];
    }
    double length = sqrt(hol_dot3(n, n));
    for (int i = 0; i < 3 && length > 0; ++i)
        p[i] -= joint->radius * n[i] / length;
}

void hol_joint_reaction(const HolMechanism *mechanism, const HolJoint *joint, const HolFrame *frames, const double *D,
                        const double *lambda, double reaction[6])
{
    int body = joint->body[1] > 0 ? joint->body[1] : joint->body[0];
    double sign = joint->body[1] > 0 ? 1 : -1, f[6] = {0}, torque[3], arm[3], moment[3], place[3];
    add_group(mechanism, joint->group, body, D, lambda, f);
    add_group(mechanism, joint->velocity_group, body, D, lambda, f);
    hol_turn(&frames[body], f + 3, torque);
    hol_mark_value(frames, &joint->place, place);
    if (joint->radius > 0)
        find_contact(mechanism, joint, frames, place);
    for (int i = 0; i < 3; ++i)
        arm[i] = place[i] - frames[body].r[i];
    hol_cross3(arm, f, moment);
    for (int i = 0; i < 3; ++i) {
        reaction[i] = sign * f[i];
        reaction[3 + i] = sign * (torque[i] - moment[i]);
    }
}
