/* SPDX-License-Identifier: BSD-3-Clause */
#include "mechanism/reactions/reaction.h"

#include "mechanism/kinematics/rotation.h"
#include "mechanism/motion.h"

#include <math.h>
#include <string.h>

/* f += D_group^T lambda on a body, in its own coordinates */
static void add_group(const HolMechanism *m, int group, int body, const double *D, const double *lambda, double *f)
{
    const HolPattern *p = m->pattern;
    int start = group < 0 ? -1 : hol_place_in_D(p, group, body - 1), n = m->bodies[body - 1].layout->nv;
    if (start < 0)
        return;
    for (int row = p->group_start[group]; row < p->group_start[group + 1]; ++row, start += n)
        for (int i = 0; i < n; ++i)
            f[i] += D[start + i] * lambda[row];
}

/* Force and torque about r, in global axes, of the generalised force f on a body. In natural coordinates f_j acts on
 * a_j, with the torque sum a_j x f_j. */
static void resultant(const HolLayout *layout, const HolFrame *frame, const double *f, double *force, double *torque)
{
    double wide[HOL_WIDE] = {0};
    for (int k = 0; k < layout->nv; ++k)
        wide[layout->at[k].entry] = f[k];
    memcpy(force, wide, 3 * sizeof *force);
    if (!frame->is_natural) {
        hol_turn(frame, wide + 3, torque);
        return;
    }
    torque[0] = torque[1] = torque[2] = 0;
    for (int j = 0; j < 3; ++j) {
        const double a[3] = {frame->R[0][j], frame->R[1][j], frame->R[2][j]};
        double turning[3];
        hol_cross3(a, wide + 3 + 3 * j, turning);
        for (int i = 0; i < 3; ++i)
            torque[i] += turning[i];
    }
}

/* Moves p from the centre of a rolling body to its contact. */
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
    double sign = joint->body[1] > 0 ? 1 : -1, f[HOL_WIDE] = {0}, force[3], torque[3], arm[3], moment[3], place[3];
    add_group(mechanism, joint->group, body, D, lambda, f);
    add_group(mechanism, joint->velocity_group, body, D, lambda, f);
    resultant(mechanism->bodies[body - 1].layout, &frames[body], f, force, torque);
    hol_mark_value(frames, &joint->place, place);
    if (joint->radius > 0)
        find_contact(mechanism, joint, frames, place);
    for (int i = 0; i < 3; ++i)
        arm[i] = place[i] - frames[body].r[i];
    hol_cross3(arm, force, moment);
    for (int i = 0; i < 3; ++i) {
        reaction[i] = sign * force[i];
        reaction[3 + i] = sign * (torque[i] - moment[i]);
    }
}

void hol_joint_rod_share(const HolMechanism *mechanism, const HolJoint *joint, const HolFrame *rates, double force[3])
{
    double a[2][3];
    hol_mark_velocity(rates, &joint->from, a[0]);
    hol_mark_velocity(rates, &joint->place, a[1]);
    for (int i = 0; i < 3; ++i)
        force[i] = joint->rod_mass * (mechanism->gravity[i] / 2 - (2 * a[1][i] + a[0][i]) / 6);
}

/* x along the rod, y and z across it */
static void rod_axes(bool planar, const double *from, const double *to, double axes[3][3])
{
    double d[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]}, length = sqrt(hol_dot3(d, d));
    for (int i = 0; i < 3; ++i)
        axes[0][i] = length > 0 ? d[i] / length : i == 0;
    if (!planar) {
        hol_triad_complete(axes[0], axes[1], axes[2]);
        return;
    }
    axes[1][0] = -axes[0][1];
    axes[1][1] = axes[0][0];
    axes[1][2] = 0;
    hol_cross3(axes[0], axes[1], axes[2]);
}

void hol_joint_axes(const HolMechanism *mechanism, const HolJoint *joint, const HolFrame *frames, double axes[3][3])
{
    if (joint->is_rod) {
        double from[3], to[3];
        hol_mark_value(frames, &joint->from, from);
        hol_mark_value(frames, &joint->place, to);
        rod_axes(mechanism->planar, from, to, axes);
        return;
    }
    hol_mark_value(frames, &joint->axis, axes[0]);
    hol_mark_value(frames, &joint->side, axes[1]);
    hol_cross3(axes[0], axes[1], axes[2]);
}
