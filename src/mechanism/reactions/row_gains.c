/* SPDX-License-Identifier: BSD-3-Clause */
#include "mechanism/reactions/row_gains.h"

#include "base/message.h"
#include "mechanism/reactions/elastic.h"

#include <math.h>

/* Whether there is one number for all rows or one for each; reports an error if not. */
static bool gains_fit(HolBuilder *builder, const HolPart *part, const char *key, const HolNumbers *given)
{
    const HolJoint *joint = builder->joint;
    char rows[300];
    if (given->count == 1 || given->count == joint->row_count)
        return true;
    if (joint->row_count == 1)
        hol_reader_error(builder->reader, hol_part_place(part, key),
                         "'%s' must be one number, for its constraint equation (%s)", key, joint->row_names[0]);
    else
        hol_reader_error(builder->reader, hol_part_place(part, key),
                         "'%s' must be one number, or a list of %d numbers, one for each constraint equation (%s)", key,
                         joint->row_count, hol_joint_list_rows(joint, rows, sizeof rows));
    return false;
}

void hol_joint_read_gains(HolBuilder *builder, const HolPart *part, const void *values)
{
    const HolJointGiven *given = values;
    if (!given->penalty_omega.x && !given->penalty_xi.x)
        return;
    HolJointGains *gains = hol_arena_small(builder->arena, sizeof *gains);
    if (!gains)
        return;
    gains->place = hol_part_place(part, given->penalty_omega.x ? "penalty_omega" : "penalty_xi");
    if (given->penalty_omega.x && gains_fit(builder, part, "penalty_omega", &given->penalty_omega))
        gains->omega = given->penalty_omega.x, gains->omega_count = given->penalty_omega.count;
    if (given->penalty_xi.x && gains_fit(builder, part, "penalty_xi", &given->penalty_xi))
        gains->xi = given->penalty_xi.x, gains->xi_count = given->penalty_xi.count;
    builder->joint->gains = gains;
}

/* Gives the rows of a joint its numbers. */
static void gains_fill(const HolJoint *joint, const double *x, int count, double *of_rows)
{
    for (int i = 0; x && i < joint->row_count; ++i)
        of_rows[joint->rows[i]] = x[count > 1 ? i : 0];
}

HolStatus hol_mechanism_set_row_gains(HolMechanism *mechanism)
{
    const int m = mechanism->pattern->m;
    bool has_gains = false;
    for (int j = 0; j < mechanism->joint_count; ++j)
        has_gains = has_gains || mechanism->joints[j].gains;
    if (!has_gains)
        return HOL_OK;
    mechanism->row_omega = hol_arena_doubles(mechanism->arena, (size_t)m);
    mechanism->row_xi = hol_arena_doubles(mechanism->arena, (size_t)m);
    if (hol_arena_failed(mechanism->arena))
        return HOL_NO_MEMORY;
    for (int i = 0; i < m; ++i)
        mechanism->row_omega[i] = mechanism->row_xi[i] = NAN;
    for (int j = 0; j < mechanism->joint_count; ++j) {
        const HolJoint *joint = &mechanism->joints[j];
        if (!joint->gains)
            continue;
        gains_fill(joint, joint->gains->omega, joint->gains->omega_count, mechanism->row_omega);
        gains_fill(joint, joint->gains->xi, joint->gains->xi_count, mechanism->row_xi);
    }
    return HOL_OK;
}
