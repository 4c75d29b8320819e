/* SPDX-License-Identifier: BSD-3-Clause */
/* The search goes through the breakpoints of each prescribed motion and compares the two sides. All motions together
 * have a bounded number of breakpoints and intervals, so that a motor with a million kinks costs less than 0.1 s. */
#include "mechanism/evaluate/jumps.h"

#include "base/tolerances.h"
#include "linalg/block/blocks.h"
#include "mechanism/run_section.h"

#include <math.h>
#include <string.h>

/* Of all motions together, and of one at least. */
enum { MOST_BREAKPOINTS = 1000, LEAST_BREAKPOINTS = 10, MOST_INTERVALS = 40000, LEAST_INTERVALS = 400 };

/* A motion that a row prescribes. */
typedef struct Motion {
    const HolMechanism *mechanism;
    const HolJoint *joint;
    const HolExpression *expression;
    bool is_velocity, wraps; /* wraps: an angle modulo 2 pi */
    int breakpoints, intervals;
} Motion;

static bool motion_switches(const HolFunction *f)
{
    return f->expression && hol_expression_has_breakpoints(f->expression, 0);
}

/* The prescribed motion of a joint or driver, which has one at most; false if it has none with breakpoints. */
static bool motion_of(const HolMechanism *m, const HolJoint *joint, Motion *motion)
{
    *motion = (Motion){.mechanism = m, .joint = joint};
    for (int i = 0; i < joint->general_count; ++i) {
        const HolRow *row = &m->rows[joint->first_row + i];
        if (motion_switches(&row->f)) {
            motion->expression = row->f.expression;
            motion->wraps = row->wraps;
        }
    }
    for (int i = 0; i < joint->velocity_row_count; ++i) {
        const HolVelocityRow *row = &m->velocity_rows[joint->first_velocity_row + i];
        if (motion_switches(&row->f)) {
            motion->expression = row->f.expression;
            motion->is_velocity = true;
        }
    }
    return motion->expression;
}

static int count_motions(const HolMechanism *m)
{
    Motion motion;
    int count = 0;
    for (int i = 0; i < m->joint_count; ++i)
        count += motion_of(m, &m->joints[i], &motion);
    return count;
}

/* What a displacement or velocity is divided by to get that of an angle: the lever arm, where it counts. */
static double motion_arm(const Motion *motion)
{
    const HolPattern *p = motion->mechanism->pattern;
    const char *unit = motion->joint->value_unit;
    return p->unit && unit && strncmp(unit, "rad", 3) == 0 ? p->arm : 1;
}

static bool jumps_in_position(const Motion *motion, double jump)
{
    const HolInitialState start = hol_mechanism_initial_state(motion->mechanism);
    return fabs(jump) * motion_arm(motion) > HOL_TOL_SAME * hol_position_size(motion->mechanism->pattern, start.q);
}

/* Velocities are compared with the initial ones, with the size of the model per thousand steps, and with themselves. */
static bool jumps_in_velocity(const Motion *motion, double before, double after)
{
    const HolMechanism *m = motion->mechanism;
    double given = hol_motion_norm(m->pattern, hol_mechanism_initial_state(m).v);
    double slow = m->pattern->length * HOL_TOL_SMALL / m->run->step;
    double unit = fmax(fmax(given, slow) / motion_arm(motion), fmax(fabs(before), fabs(after)));
    return fabs(after - before) > HOL_TOL_SAME * unit;
}

/* Of a velocity that jumps; NULL: unknown. */
static const char *velocity_unit(const Motion *motion)
{
    const char *unit = motion->joint->value_unit;
    if (motion->is_velocity || !unit)
        return unit;
    return strcmp(unit, "rad") == 0 ? "rad/s" : "m/s";
}

/* Whether it jumps at a breakpoint; fills all of the jump. */
static bool motion_jumps(const Motion *motion, double t, double side, HolJump *jump)
{
    static const double TURN = 6.28318530717958647693;
    HolJet at[2] = {{t - side, 1, 0}, {t + side, 1, 0}};
    HolJet before = hol_expression_jet(motion->expression, &at[0]),
           after = hol_expression_jet(motion->expression, &at[1]);
    double step = motion->wraps ? remainder(after.f - before.f, TURN) : after.f - before.f;
    *jump = (HolJump){.t = t,
                      .name = motion->joint->name,
                      .place = motion->joint->value_place_text,
                      .size = step,
                      .unit = motion->joint->value_unit};
    if (!motion->is_velocity && jumps_in_position(motion, step))
        return true;
    double rates[2] = {motion->is_velocity ? before.f : before.d, motion->is_velocity ? after.f : after.d};
    jump->of_velocity = true;
    jump->size = rates[1] - rates[0];
    jump->unit = velocity_unit(motion);
    return !motion->joint->is_impulsive && jumps_in_velocity(motion, rates[0], rates[1]);
}

/* A breakpoint at t has been passed, and one at `until` is not reached. */
static bool motion_next_jump(Motion *motion, double t, double until, HolJump *jump)
{
    until -= HOL_ROUNDINGS(8) * fabs(until);
    while (motion->breakpoints-- > 0 && motion->intervals > 0) {
        double next = hol_expression_find_breakpoint(motion->expression, 0, t, until, &motion->intervals);
        double side = HOL_ROUNDINGS(8) * fabs(next);
        if (!(next < until))
            return false;
        if (motion_jumps(motion, next, side, jump))
            return true;
        t = next + side;
    }
    return false;
}

bool hol_joint_next_jump(const HolMechanism *m, const HolJoint *joint, double t, double until, HolJump *jump)
{
    Motion motion;
    if (!motion_of(m, joint, &motion))
        return false;
    int count = count_motions(m);
    motion.breakpoints = MOST_BREAKPOINTS / count + LEAST_BREAKPOINTS;
    motion.intervals = MOST_INTERVALS / count + LEAST_INTERVALS;
    return motion_next_jump(&motion, t, until, jump);
}

bool hol_mechanism_next_jump(const void *self, double t, double until, HolJump *jump)
{
    const HolMechanism *m = self;
    HolJump found;
    bool is_found = false;
    if (until <= m->jumps_searched && t >= 0)
        return false;
    for (int i = 0; i < m->joint_count; ++i) {
        if (!hol_joint_next_jump(m, &m->joints[i], t, is_found ? jump->t : until, &found))
            continue;
        *jump = found;
        is_found = true;
    }
    return is_found;
}
