/* SPDX-License-Identifier: BSD-3-Clause */
#include "simulate/diagnosis/self_stress.h"

#include "base/message.h"
#include "base/tolerances.h"
#include "mechanism/reactions/reaction.h"

#include <math.h>
#include <string.h>

/* Relative to the largest, moments at the lever arm; at the least. */
static const double NOTHING = HOL_TOL_EQUAL;

/* What is being worked out, for one null vector after the other. */
typedef struct Search {
    const HolMechanism *m;
    const HolMotion *motion;
    double nothing;       /* what rounding of the null vectors leaves */
    HolSelfForce *forces; /* of all joints */
    int *touches;         /* how many of these forces act on each body, 0 the ground, */
    int (*at)[2];         /* and the first two of them */
} Search;

/* The largest force, or moment at the lever arm, of all reactions of a null vector, which are left in forces. */
static double read_reactions(Search *s, const double *n)
{
    double largest = 0;
    for (int j = 0; j < s->m->joint_count; ++j) {
        double *f = s->forces[j].f;
        hol_joint_reaction(s->m, &s->m->joints[j], s->motion->frames, s->motion->terms->D, n, f);
        for (int i = 0; i < 6; ++i)
            largest = fmax(largest, fabs(f[i]) / (i < 3 ? 1 : s->m->pattern->arm));
    }
    return largest;
}

/* Relative to the largest; its own largest number. */
static double scale_force(const Search *s, int joint, double largest, HolSelfForce *force)
{
    double axes[3][3], most = 0;
    *force = (HolSelfForce){.joint = joint, .is_rod = s->m->joints[joint].is_rod};
    for (int i = 0; i < 6 && largest > 0; ++i) {
        double part = s->forces[joint].f[i] / largest;
        force->f[i] = fabs(part) > s->nothing * (i < 3 ? 1 : s->m->pattern->arm) ? part : 0;
        most = fmax(most, fabs(force->f[i]));
    }
    hol_joint_axes(s->m, &s->m->joints[joint], s->motion->frames, axes);
    force->tension = force->is_rod ? -hol_dot3(axes[0], force->f) : 0;
    return most;
}

static double sign_of(const HolSelfForce *force)
{
    double x = force->tension;
    for (int i = 0; i < 6 && x == 0; ++i)
        x = force->f[i];
    return copysign(1, x);
}

/* Keeps the joints that take part; the first rod is in tension, or the first number is positive. */
static int read_forces(Search *s, const double *n)
{
    double largest = read_reactions(s, n), sign = 0;
    int count = 0;
    for (int j = 0; j < s->m->joint_count; ++j) {
        HolSelfForce force;
        if (!(scale_force(s, j, largest, &force) > 0))
            continue;
        sign = sign == 0 ? sign_of(&force) : sign;
        for (int i = 0; i < 6; ++i)
            force.f[i] = force.f[i] != 0 ? sign * force.f[i] : 0;
        force.tension *= sign;
        s->forces[count++] = force;
    }
    return count;
}

static void count_touches(Search *s, int force_count)
{
    memset(s->touches, 0, ((size_t)s->m->body_count + 1) * sizeof *s->touches);
    for (int i = 0; i < force_count; ++i)
        for (int k = 0; k < 2; ++k) {
            int body = s->m->joints[s->forces[i].joint].body[k];
            if (s->touches[body] < 2)
                s->at[body][s->touches[body]] = i;
            ++s->touches[body];
        }
}

static bool self_stress_turns(const HolSelfForce *force)
{
    return force->f[3] != 0 || force->f[4] != 0 || force->f[5] != 0;
}

/* Tension along the line between the two forces on a body; by balance they have no other direction. */
static bool is_member(const Search *s, int body, double *tension)
{
    if (s->touches[body] != 2)
        return false;
    const HolSelfForce *first = &s->forces[s->at[body][0]], *second = &s->forces[s->at[body][1]];
    const HolJoint *joint = &s->m->joints[second->joint];
    double a[3], b[3], sign = joint->body[1] == body ? 1 : -1;
    if (self_stress_turns(first) || self_stress_turns(second) || first->is_rod || second->is_rod)
        return false;
    hol_mark_value(s->motion->frames, &s->m->joints[first->joint].place, a);
    hol_mark_value(s->motion->frames, &joint->place, b);
    const double d[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    double length = sqrt(hol_dot3(d, d));
    *tension = length > 0 ? sign * hol_dot3(d, second->f) / length : 0;
    return fabs(*tension) > s->nothing;
}

static int find_members(const Search *s, HolSelfMember *members)
{
    int count = 0;
    for (int body = 1; body <= s->m->body_count; ++body) {
        double tension;
        if (!is_member(s, body, &tension))
            continue;
        if (members)
            members[count] = (HolSelfMember){.body = body - 1, .tension = tension};
        ++count;
    }
    return count;
}

static HolStatus self_stress_describe(Search *s, const double *n, HolArena *arena, HolSelfStress *stress)
{
    stress->force_count = read_forces(s, n);
    count_touches(s, stress->force_count);
    stress->member_count = find_members(s, NULL);
    HolSelfForce *forces = hol_arena_small(arena, (size_t)stress->force_count * sizeof *forces);
    HolSelfMember *members = hol_arena_small(arena, (size_t)stress->member_count * sizeof *members);
    if (!forces || !members)
        return HOL_NO_MEMORY;
    memcpy(forces, s->forces, (size_t)stress->force_count * sizeof *forces);
    find_members(s, members);
    stress->forces = forces;
    stress->members = members;
    return HOL_OK;
}

HolStatus hol_find_self_stresses(const HolMechanism *mechanism, const HolMotion *motion,
                                 const HolRedundancy *redundancy, HolArena *arena, HolDiagnosis *diagnosis)
{
    size_t bodies = (size_t)mechanism->body_count + 1, count = (size_t)redundancy->redundant_count;
    Search s = {.m = mechanism, .motion = motion};
    s.nothing = fmax(NOTHING, HOL_TOL_ROUNDING / redundancy->smallest_sine);
    s.forces = hol_arena_alloc(arena, (size_t)mechanism->joint_count * sizeof *s.forces);
    s.touches = hol_arena_ints(arena, bodies);
    s.at = hol_arena_alloc(arena, bodies * sizeof *s.at);
    HolSelfStress *stresses = hol_arena_alloc(arena, count * sizeof *stresses);
    HOL_TRY(hol_arena_status(arena));
    for (size_t k = 0; k < count; ++k)
        HOL_TRY(self_stress_describe(&s, redundancy->null_vectors[k], arena, &stresses[k]));
    diagnosis->self_stress_count = redundancy->redundant_count;
    diagnosis->self_stresses = stresses;
    return HOL_OK;
}
