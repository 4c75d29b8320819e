/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers rows and blocks and creates the system of a mechanism.
 *
 * Block i of v is body i. The order of groups: holonomic rows of each joint, rows that keep bodies rigid in natural
 * coordinates, rows that keep initial positions, nonholonomic rows of each joint, rows that keep initial velocities.
 * Inside a joint: coincidences, general rows, contact rows. */
#include "base/message.h"
#include "mechanism/compile/compile.h"
#include "mechanism/evaluate/system_ops.h"

#include <stdlib.h>
#include <string.h>

/* What is counted, then passed to hol_system_create(). */
typedef struct Plan {
    HolMechanism *m;
    HolArena *arena; /* of the plan alone */
    int dimension;   /* 2 or 3 */
    int *block_sizes, *group_sizes;
    const char **group_names;
    bool *own_groups, *impulsive_groups;
    HolPair *pairs, *couplings;
    HolPair *mass_pairs;
    int group_count, pair_count, coupling_count, mass_pair_count, row;
    bool *pure, *pure_velocity; /* of q, of v */
    int *seen;                  /* per body: the last group that touched it, + 1 */
} Plan;

static void system_touch(Plan *plan, int body)
{
    if (body == 0 || plan->seen[body] == plan->group_count)
        return;
    plan->seen[body] = plan->group_count;
    plan->pairs[plan->pair_count++] = (HolPair){plan->group_count - 1, body - 1};
}

static void touch_both(Plan *plan, const int body[2])
{
    system_touch(plan, body[0]);
    system_touch(plan, body[1]);
}

/* Opens a group whose rows are numbered from plan->row on. */
static int open_group(Plan *plan, const char *name)
{
    plan->group_names[plan->group_count] = name;
    return plan->group_count++;
}

static void close_group(Plan *plan, int first_row)
{
    plan->group_sizes[plan->group_count - 1] = plan->row - first_row;
}

static void number_joint(Plan *plan, HolJoint *joint)
{
    HolMechanism *m = plan->m;
    int first = plan->row, k = 0;
    if (joint->row_count == joint->nonholonomic_count)
        return;
    joint->group = open_group(plan, joint->name);
    plan->impulsive_groups[joint->group] = joint->is_impulsive;
    for (int i = 0; i < joint->coincidence_count; ++i) {
        HolCoincidence *c = &m->coincidences[joint->first_coincidence + i];
        c->row = plan->row;
        plan->row += plan->dimension;
        touch_both(plan, c->body);
    }
    for (int i = 0; i < joint->general_count; ++i) {
        HolRow *row = &m->rows[joint->first_row + i];
        row->at = plan->row++;
        for (int j = 0; j < row->measure_count; ++j)
            touch_both(plan, m->measures[row->measure[j]].body);
    }
    for (int i = 0; i < joint->rolling_count; ++i) {
        HolRolling *rolling = &m->rollings[joint->first_rolling + i];
        rolling->row = rolling->shape == HOL_DISC_ON_PLANE ? plan->row++ : -1;
        rolling->contact_group = joint->group;
        touch_both(plan, rolling->body);
    }
    for (int row = first; row < plan->row; ++row)
        joint->rows[k++] = row;
    close_group(plan, first);
}

static void number_velocity_row(Plan *plan, HolVelocityRow *row, int group)
{
    row->row = plan->row++;
    row->group = group;
    for (int i = 0; i < row->speed_count; ++i)
        touch_both(plan, plan->m->speeds[row->first_speed + i].body);
}

static void number_velocities(Plan *plan, HolJoint *joint)
{
    int first = plan->row, k = joint->row_count - joint->nonholonomic_count;
    if (joint->nonholonomic_count == 0)
        return;
    joint->velocity_group = open_group(plan, joint->name);
    plan->impulsive_groups[joint->velocity_group] = joint->is_impulsive;
    for (int i = 0; i < joint->rolling_count; ++i) {
        HolRolling *rolling = &plan->m->rollings[joint->first_rolling + i];
        rolling->velocity_row = plan->row;
        rolling->velocity_group = joint->velocity_group;
        for (int slip = 0; slip < 2; ++slip)
            joint->rows[k++] = plan->row++;
        touch_both(plan, rolling->body);
    }
    for (int i = 0; i < joint->velocity_row_count; ++i) {
        HolVelocityRow *row = &plan->m->velocity_rows[joint->first_velocity_row + i];
        number_velocity_row(plan, row, joint->velocity_group);
        joint->rows[k++] = row->row;
    }
    close_group(plan, first);
}

/* Numbers the rows that keep initial positions, or velocities; those of a body make one group. */
static void number_holds(Plan *plan, bool velocities)
{
    HolMechanism *m = plan->m;
    int body = 0, first = plan->row;
    for (int i = 0; i < m->hold_row_count; ++i) {
        HolHoldRow *hold = &m->hold_rows[i];
        if ((hold->type == HOL_HOLD_VELOCITY || hold->type == HOL_HOLD_TURNING) != velocities)
            continue;
        if (hold->body != body) {
            body = hold->body;
            first = plan->row;
            open_group(plan, hold->name);
            system_touch(plan, body);
        }
        hold->group = plan->group_count - 1;
        hold->row = plan->row++;
        close_group(plan, first);
    }
}

/* Numbers the rows that keep bodies rigid in natural coordinates. */
static void number_rigidity(Plan *plan)
{
    HolMechanism *m = plan->m;
    for (int i = 0; i < m->body_count && m->natural; ++i) {
        int first = plan->row;
        m->bodies[i].rigid_row = -1;
        if (m->bodies[i].form == HOL_PARTICLE)
            continue;
        plan->own_groups[open_group(plan, m->bodies[i].name)] = true;
        system_touch(plan, i + 1);
        m->bodies[i].rigid_row = first;
        plan->row += m->planar || m->bodies[i].form == HOL_DIRECTION ? 1 : HOL_RIGID_ROWS;
        close_group(plan, first);
    }
}

/* Forces that act between two bodies couple them in K and C. */
static void couple_forces(Plan *plan)
{
    for (int i = 0; i < plan->m->force_count; ++i) {
        int a = plan->m->forces[i].body[0] - 1, b = plan->m->forces[i].body[1] - 1;
        if (a >= 0 && b >= 0 && a != b)
            plan->couplings[plan->coupling_count++] = (HolPair){a > b ? a : b, a > b ? b : a};
    }
}

static int compare_pairs(const void *a, const void *b)
{
    const HolPair *p = a, *q = b;
    return p->row != q->row ? p->row - q->row : p->column - q->column;
}

static int list_rods(Plan *plan)
{
    const HolMechanism *m = plan->m;
    int count = 0;
    for (int i = 0; i < m->rod_count && m->natural; ++i) {
        const int *body = m->measures[m->rods[i].measure].body;
        int a = body[0] - 1, b = body[1] - 1;
        if (a >= 0 && b >= 0 && a != b)
            plan->mass_pairs[count++] = (HolPair){a > b ? a : b, a > b ? b : a};
    }
    return count;
}

static int list_elements(Plan *plan, int count)
{
    const HolMechanism *m = plan->m;
    for (int k = 0; k < m->beam_element_count; ++k)
        for (int i = 0; i < m->beam_elements[k].node_count; ++i)
            for (int j = 0; j < i; ++j)
                plan->mass_pairs[count++] =
                    (HolPair){m->beam_elements[k].body - 1 + i, m->beam_elements[k].body - 1 + j};
    return count;
}

/* Rods with mass and elements of beams couple two bodies in M, by one block however many there are. */
static void couple_masses(Plan *plan)
{
    int count = list_elements(plan, list_rods(plan)), kept = 0;
    qsort(plan->mass_pairs, (size_t)count, sizeof *plan->mass_pairs, compare_pairs);
    for (int i = 0; i < count; ++i)
        if (i == 0 || compare_pairs(&plan->mass_pairs[i], &plan->mass_pairs[i - 1]) != 0)
            plan->mass_pairs[kept++] = plan->mass_pairs[i];
    plan->mass_pair_count = kept;
}

enum { NODE_PAIRS = HOL_BEAM_NODES * (HOL_BEAM_NODES - 1) / 2 };

static HolStatus system_make_room(Plan *plan)
{
    const HolMechanism *m = plan->m;
    size_t groups = 2 * (size_t)m->joint_count + (size_t)m->hold_row_count + (size_t)m->body_count;
    size_t pairs = 2 * ((size_t)m->coincidence_count + 2 * (size_t)m->row_count + 2 * (size_t)m->rolling_count +
                        (size_t)m->speed_count) +
                   (size_t)m->hold_row_count + (size_t)m->body_count;
    plan->block_sizes = hol_arena_ints(plan->arena, (size_t)m->body_count);
    plan->group_sizes = hol_arena_ints(plan->arena, groups);
    plan->group_names = hol_arena_alloc(plan->arena, groups * sizeof *plan->group_names);
    plan->own_groups = hol_arena_alloc(plan->arena, groups * sizeof *plan->own_groups);
    plan->impulsive_groups = hol_arena_alloc(plan->arena, groups * sizeof *plan->impulsive_groups);
    plan->pairs = hol_arena_alloc(plan->arena, pairs * sizeof *plan->pairs);
    plan->couplings = hol_arena_alloc(plan->arena, (size_t)m->force_count * sizeof *plan->couplings);
    size_t masses = (size_t)m->rod_count + NODE_PAIRS * (size_t)m->beam_element_count;
    plan->mass_pairs = hol_arena_alloc(plan->arena, masses * sizeof *plan->mass_pairs);
    plan->seen = hol_arena_ints(plan->arena, (size_t)m->body_count + 1);
    plan->pure = hol_arena_alloc(plan->arena, HOL_WIDE * (size_t)m->body_count * sizeof *plan->pure);
    plan->pure_velocity = hol_arena_alloc(plan->arena, HOL_WIDE * (size_t)m->body_count * sizeof *plan->pure_velocity);
    return hol_arena_failed(plan->arena) ? HOL_NO_MEMORY : HOL_OK;
}

static bool is_scleronomic(const HolMechanism *m)
{
    for (int i = 0; i < m->row_count; ++i)
        if (m->rows[i].f.expression)
            return false;
    for (int i = 0; i < m->velocity_row_count; ++i)
        if (m->velocity_rows[i].f.expression || m->velocity_rows[i].f.constant != 0)
            return false;
    return m->hold_row_count == 0;
}

static int root_of(int *up, int i)
{
    while (up[i] != i)
        i = up[i] = up[up[i]];
    return i;
}

/* Whether joints connect bodies and the ground without a loop. */
static bool is_tree(Plan *plan, int *up)
{
    int pair = 0;
    for (int i = 0; i <= plan->m->body_count; ++i)
        up[i] = i;
    for (int g = 0; g < plan->group_count; ++g) {
        int first = pair;
        while (pair < plan->pair_count && plan->pairs[pair].row == g)
            ++pair;
        if (plan->own_groups[g])
            continue;
        if (pair == first || pair > first + 2)
            return false;
        int a = root_of(up, plan->pairs[first].column + 1);
        int b = pair == first + 2 ? root_of(up, plan->pairs[first + 1].column + 1) : root_of(up, 0);
        if (a == b)
            return false;
        up[a] = b;
    }
    return true;
}

/* Lengths come before angles and directions in the coordinates of a body. */
static void system_count_coordinates(Plan *plan, HolSystemSpec *spec)
{
    for (int i = 0; i < plan->m->body_count; ++i) {
        int nq = plan->m->bodies[i].layout->nq, nv = plan->m->bodies[i].layout->nv;
        plan->block_sizes[i] = nv;
        for (int k = plan->m->bodies[i].layout->lengths; k < nq; ++k)
            plan->pure[spec->nq + k] = true;
        for (int k = plan->m->bodies[i].layout->lengths; k < nv; ++k)
            plan->pure_velocity[spec->nv + k] = true;
        spec->nq += nq;
        spec->nv += nv;
    }
}

static void system_list_functions(const HolMechanism *m, HolSystemSpec *spec)
{
    spec->input_count = m->input_count;
    spec->input_names = m->input_names;
    spec->angle_count = m->angle_count;
    spec->inputs = m->inputs;
    spec->event_count = m->event_count;
    spec->event_names = m->event_names;
    spec->time_function_count = m->time_function_count;
    spec->time_function_names = m->time_function_names;
    spec->velocity_functions = m->velocity_functions;
    spec->state_function_count = m->state_function_count;
    spec->state_functions = m->state_functions;
}

static HolStatus system_create(Plan *plan, int holonomic, HolMessage *message)
{
    HolMechanism *m = plan->m;
    HolSystemSpec spec = hol_system_spec();
    system_count_coordinates(plan, &spec);
    spec.name = m->name;
    spec.ops = m->natural ? &hol_natural_ops : m->planar ? &hol_planar_ops : &hol_spatial_ops;
    spec.self = m;
    spec.memory = hol_arena_limit(m->arena);
    spec.fingerprint = m->fingerprint;
    spec.nh = holonomic;
    spec.length = m->length;
    spec.arm = m->arm;
    spec.pure = plan->pure;
    spec.pure_velocity = plan->pure_velocity;
    spec.nn = plan->row - holonomic;
    spec.constant_mass = true;
    /* Only weights act; spatial bodies in reference-point coordinates have gyroscopic moments. */
    spec.constant_force = m->natural && m->force_count == 0 && m->beam_element_count == 0;
    spec.scleronomic = is_scleronomic(m);
    spec.scratch_size = hol_mechanism_scratch_size(m);
    system_list_functions(m, &spec);
    spec.block_count = m->body_count;
    spec.block_sizes = plan->block_sizes;
    spec.group_count = plan->group_count;
    spec.group_sizes = plan->group_sizes;
    spec.group_names = plan->group_names;
    spec.own_groups = plan->own_groups;
    spec.impulsive_groups = plan->impulsive_groups;
    spec.no_loops = is_tree(plan, plan->seen);
    spec.pair_count = plan->pair_count;
    spec.pairs = plan->pairs;
    spec.mass_pair_count = plan->mass_pair_count;
    spec.mass_pairs = plan->mass_pairs;
    spec.coupling_count = plan->coupling_count;
    spec.couplings = plan->couplings;
    HOL_TRY(hol_system_create(&spec, &m->system, message));
    m->pattern = hol_system_pattern(m->system);
    return HOL_OK;
}

static HolStatus system_number(Plan *plan, HolMessage *message)
{
    HolMechanism *m = plan->m;
    HOL_TRY(system_make_room(plan));
    for (int i = 0; i < m->joint_count; ++i)
        number_joint(plan, &m->joints[i]);
    number_rigidity(plan);
    number_holds(plan, false);
    int holonomic = plan->row;
    for (int i = 0; i < m->joint_count; ++i)
        number_velocities(plan, &m->joints[i]);
    number_holds(plan, true);
    couple_forces(plan);
    couple_masses(plan);
    return system_create(plan, holonomic, message);
}

static const HolLayout *layout_of(const HolMechanism *m, const HolBody *body)
{
    if (m->natural && body->form != HOL_RIGID)
        return &(body->form == HOL_PARTICLE ? hol_particle_layouts : hol_direction_layouts)[m->planar ? 0 : 1];
    if (m->natural)
        return m->planar ? &hol_natural_planar_layout : &hol_natural_layout;
    return m->planar ? &hol_planar_layout : &hol_spatial_layout;
}

HolStatus hol_compile_system(HolMechanism *mechanism, HolMessage *message)
{
    for (int i = 0; i < mechanism->body_count; ++i)
        mechanism->bodies[i].layout = layout_of(mechanism, &mechanism->bodies[i]);
    Plan plan = {.m = mechanism,
                 .arena = hol_arena_create_within(hol_arena_limit(mechanism->arena)),
                 .dimension = mechanism->planar ? 2 : 3};
    HolStatus status = plan.arena ? system_number(&plan, message) : HOL_NO_MEMORY;
    hol_arena_destroy(plan.arena);
    if (status == HOL_OK)
        hol_compile_offsets(mechanism);
    return status;
}
