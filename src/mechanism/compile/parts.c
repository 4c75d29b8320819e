/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies, joints, drivers, forces and points of a model. */
#include "base/format.h"
#include "base/message.h"
#include "mechanism/beams/build.h"
#include "mechanism/bodies/body.h"
#include "mechanism/compile/compile.h"
#include "mechanism/forces/force_kind.h"
#include "mechanism/joints/joint.h"
#include "mechanism/kinematics/rotation.h"
#include "mechanism/reactions/elastic.h"
#include "mechanism/reactions/row_gains.h"

#include <string.h>

static HolStatus parts_draw_frames(HolBuilder *builder)
{
    HolMechanism *m = builder->mechanism;
    size_t count = (size_t)m->body_count + 1;
    builder->frames = hol_arena_alloc(builder->arena, count * sizeof *builder->frames);
    builder->phi = hol_arena_doubles(builder->arena, count);
    if (!builder->frames || !builder->phi)
        return HOL_NO_MEMORY;
    hol_frame_place(&builder->frames[0], (double[]){0, 0, 0}, (double[]){1, 0, 0, 0});
    for (int i = 0; i < m->body_count; ++i) {
        hol_frame_place(&builder->frames[i + 1], m->bodies[i].r, m->bodies[i].e);
        builder->phi[i + 1] = m->bodies[i].phi;
    }
    return HOL_OK;
}

static void check_body_name(HolBuilder *builder, const HolNode *node)
{
    hol_builder_check_name(builder, node);
    if (strcmp(node->key, "ground") == 0)
        hol_reader_error(builder->reader, node->key_place,
                         "'ground' is the body that does not move; choose another name");
    if (hol_names_find(builder->reader->points, node->key) >= 0)
        hol_reader_error(builder->reader, node->key_place,
                         "a point has the same name, so that columns of results would be ambiguous; choose another");
}

static bool has_lost_bodies(HolReader *reader)
{
    return hol_reader_has_lost(reader, "bodies") || hol_reader_has_lost(reader, "beams") ||
           hol_reader_section(reader, "beams");
}

HolStatus hol_compile_bodies(HolBuilder *builder)
{
    HolMechanism *m = builder->mechanism;
    const HolNode *section = hol_reader_section(builder->reader, "bodies");
    HolBeamDrafts *drafts;
    int node_count;
    HOL_TRY(hol_beams_read(builder, &drafts, &node_count));
    size_t count = (size_t)(section ? section->count : 0) + (size_t)node_count;
    m->bodies = hol_arena_alloc(builder->arena, count * sizeof *m->bodies);
    if (!m->bodies)
        return HOL_NO_MEMORY;
    for (const HolNode *node = section ? section->first : NULL; node; node = node->next) {
        hol_body_build(builder, node, &m->bodies[m->body_count++]);
        check_body_name(builder, node);
        m->has_particles = m->has_particles || m->bodies[m->body_count - 1].form != HOL_RIGID;
        if (hol_names_add(builder->reader->bodies, node->key) < 0)
            return HOL_NO_MEMORY;
    }
    hol_reader_leave(builder->reader);
    HOL_TRY(hol_beams_make(builder, drafts));
    if (m->body_count == 0 && !has_lost_bodies(builder->reader))
        hol_error(builder->reader->model, (section ? section : builder->reader->model->root)->place,
                  "the model has no bodies; at least one is needed in the section 'bodies'");
    return parts_draw_frames(builder);
}

/* Reference-point coordinates do not depend on it; the mass matrix of natural coordinates becomes indefinite. */
void hol_compile_check_inertia(HolBuilder *builder)
{
    const HolMechanism *m = builder->mechanism;
    HolModel *model = builder->reader->model;
    const HolNode *section = hol_reader_section(builder->reader, "bodies");
    const HolBody *body = m->bodies;
    for (const HolNode *node = section ? section->first : NULL; node; node = node->next, ++body) {
        if (m->planar || body->form != HOL_RIGID || hol_model_error_count(model) > 0 || hol_body_is_real(body))
            continue;
        if (m->natural)
            hol_error(model, node->place,
                      "body '%s': no real body has this inertia (one moment is larger than the sum of the others), and "
                      "natural coordinates need a real one; correct it%s",
                      node->key,
                      m->has_particles || m->beam_count > 0 ? "" : ", or use 'coordinates: reference-point'");
        else
            hol_warning(model, node->place,
                        "body '%s': no real body has this inertia (one moment is larger than the sum of the others)",
                        node->key);
    }
}

/* Stores the names of the rows, and makes room for their numbers. */
static void close_joint(HolBuilder *builder, HolJoint *joint)
{
    size_t count = (size_t)builder->row_name_count;
    joint->row_count = builder->row_name_count;
    joint->nonholonomic_count = 2 * joint->rolling_count + joint->velocity_row_count;
    joint->rows = hol_arena_small(builder->arena, count * sizeof *joint->rows);
    joint->row_names = hol_arena_small(builder->arena, count * sizeof *joint->row_names);
    if (joint->rows && joint->row_names)
        memcpy(joint->row_names, builder->row_names, count * sizeof *joint->row_names);
    else
        builder->failed = true;
}

/* The unit of what a motion prescribes: that of its value, or of its rate. */
static void read_motion(HolBuilder *builder, const HolPart *part, const HolJointGiven *given)
{
    HolJoint *joint = builder->joint;
    char place[400];
    joint->part = part->what;
    joint->is_impulsive = given->impulse;
    for (int i = 0; i < part->kind->field_count; ++i)
        if (strcmp(part->kind->fields[i].name, "value") == 0)
            joint->value_unit = part->kind->fields[i].unit;
    if (!joint->value_unit)
        return;
    joint->value_place = hol_part_place(part, "value");
    hol_place_text(joint->value_place, place, sizeof place);
    joint->value_place_text = place[0] ? hol_arena_text(builder->arena, place, strlen(place)) : NULL;
}

static void build_joint(HolBuilder *builder, const HolPart *part, const HolJointKind *kind, HolJoint *joint)
{
    _Alignas(16) char values[HOL_LARGEST_VALUES] = {0};
    HolMechanism *m = builder->mechanism;
    HolReader *reader = builder->reader;
    HolPart read = *part;
    hol_reader_enter(reader, part->what, part->name);
    joint->kind = kind->kind.name;
    joint->first_coincidence = m->coincidence_count;
    joint->first_row = m->row_count;
    joint->first_rolling = m->rolling_count;
    joint->first_velocity_row = m->velocity_row_count;
    builder->joint = joint;
    builder->node = part->node;
    builder->row_name_count = 0;
    joint->is_broken = !hol_read_part(reader, &kind->kind, &read, values);
    if (joint->is_broken)
        return;
    kind->build(builder, &read, values);
    joint->is_broken = builder->row_name_count == 0;
    close_joint(builder, joint);
    if (joint->is_broken)
        return;
    hol_joint_read_elastic(builder, &read, values);
    hol_joint_read_gains(builder, &read, values);
    read_motion(builder, &read, (const HolJointGiven *)values);
}

/* Whether a kind connects joints, or may do so in what it reads by itself: those joints are read first. */
static bool is_about_joints(const HolJointKind *kind)
{
    HolFieldType type = kind->kind.fields[0].type;
    return type == HOL_FIELD_JOINT || type == HOL_FIELD_JOINTS || type == HOL_FIELD_NODE;
}

static void build_section(HolBuilder *builder, const char *name, const char *what, int first,
                          const HolKind *const *kinds, bool about_joints)
{
    const HolNode *section = hol_reader_section(builder->reader, name);
    int index = first;
    for (const HolNode *node = section ? section->first : NULL; node; node = node->next, ++index) {
        HolPart part = {.what = what, .name = node->key, .node = node};
        HolJoint *joint = &builder->mechanism->joints[index];
        if (joint->is_broken)
            continue;
        hol_reader_enter(builder->reader, what, node->key);
        const HolJointKind *kind = (const void *)hol_read_kind(builder->reader, node, what, kinds);
        joint->is_broken = !kind;
        joint->kind = kind ? kind->kind.name : NULL;
        if (kind && is_about_joints(kind) == about_joints)
            build_joint(builder, &part, kind, joint);
    }
    hol_reader_leave(builder->reader);
}

static HolStatus name_joints(HolBuilder *builder, const char *section_name, const char *what)
{
    HolMechanism *m = builder->mechanism;
    const HolNode *section = hol_reader_section(builder->reader, section_name);
    for (const HolNode *node = section ? section->first : NULL; node; node = node->next) {
        hol_reader_enter(builder->reader, what, node->key);
        hol_builder_check_name(builder, node);
        if (hol_names_find(builder->reader->joints, node->key) >= 0)
            hol_reader_error(builder->reader, node->key_place, "a joint has this name too; choose another");
        else if (hol_names_add(builder->reader->joints, node->key) < 0)
            return HOL_NO_MEMORY;
        m->joints[m->joint_count++] =
            (HolJoint){.name = node->key, .group = -1, .velocity_group = -1, .angle = -1, .displacement = -1};
    }
    hol_reader_leave(builder->reader);
    return HOL_OK;
}

HolStatus hol_compile_joints(HolBuilder *builder)
{
    HolMechanism *m = builder->mechanism;
    const HolNode *joints = hol_reader_section(builder->reader, "joints");
    const HolNode *drivers = hol_reader_section(builder->reader, "drivers");
    int driver_start = joints ? joints->count : 0;
    size_t count = (size_t)(driver_start + (drivers ? drivers->count : 0));
    m->joints = hol_arena_alloc(builder->arena, count * sizeof *m->joints);
    if (!m->joints)
        return HOL_NO_MEMORY;
    HOL_TRY(name_joints(builder, "joints", "joint"));
    builder->reader->joint_count = hol_names_count(builder->reader->joints);
    HOL_TRY(name_joints(builder, "drivers", "driver"));
    build_section(builder, "joints", "joint", 0, hol_joint_kinds, false);
    build_section(builder, "joints", "joint", 0, hol_joint_kinds, true);
    build_section(builder, "drivers", "driver", driver_start, hol_driver_kinds, false);
    build_section(builder, "drivers", "driver", driver_start, hol_driver_kinds, true);
    return HOL_OK;
}

static void build_force(HolBuilder *builder, const HolNode *node, HolForce *force)
{
    _Alignas(16) char values[HOL_LARGEST_VALUES] = {0};
    HolPart part = {.what = "force", .name = node->key, .node = node};
    HolReader *reader = builder->reader;
    hol_reader_enter(reader, part.what, part.name);
    hol_builder_check_name(builder, node);
    const HolForceKind *kind = (const void *)hol_read_kind(reader, node, "force", hol_force_kinds);
    force->name = node->key;
    force->kind = kind;
    builder->node = node;
    if (kind && hol_read_part(reader, &kind->kind, &part, values))
        kind->build(builder, &part, values, force);
}

/* Names the event functions of one force: "bump-stop 'end'". */
static int name_events(HolBuilder *builder, const HolForce *force, HolEventName *named)
{
    char title[120];
    int length = hol_format(title, sizeof title, "%s '%.60s'", force->kind->kind.name, force->name);
    const char *name = hol_arena_text(builder->arena, title, (size_t)length);
    int count = force->kind->name_events(force, named);
    for (int i = 0; i < count; ++i)
        named[i].name = name;
    return count;
}

static void list_functions(HolBuilder *builder)
{
    HolMechanism *m = builder->mechanism;
    m->state_functions = hol_arena_alloc(builder->arena, (size_t)m->force_count * sizeof *m->state_functions);
    m->state_forces = hol_arena_alloc(builder->arena, (size_t)m->force_count * sizeof *m->state_forces);
    for (int i = 0; m->state_functions && m->state_forces && i < m->force_count; ++i) {
        HolForce *force = &m->forces[i];
        if (force->kind && force->self && force->kind->function)
            force->function = force->kind->function(force, &force->time);
        if (!force->function)
            continue;
        char title[200];
        int length = hol_format(title, sizeof title, "%s '%.100s'", force->kind->kind.name, force->name);
        m->state_functions[m->state_function_count] =
            (HolStateFunction){hol_arena_text(builder->arena, title, (size_t)length), force->time == 2};
        m->state_forces[m->state_function_count++] = i;
    }
}

static bool has_events(const HolForce *force)
{
    return force->kind && force->self && force->kind->name_events;
}

static void list_events(HolBuilder *builder)
{
    HolMechanism *m = builder->mechanism;
    size_t most = 0;
    for (int i = 0; i < m->force_count; ++i)
        if (has_events(&m->forces[i]))
            most += (size_t)(m->forces[i].event_count = m->forces[i].kind->name_events(&m->forces[i], NULL));
    m->event_names = hol_arena_alloc(builder->arena, most * sizeof *m->event_names);
    for (int i = 0; m->event_names && i < m->force_count; ++i)
        if (has_events(&m->forces[i]))
            m->event_count += name_events(builder, &m->forces[i], m->event_names + m->event_count);
}

HolStatus hol_compile_forces(HolBuilder *builder)
{
    HolMechanism *m = builder->mechanism;
    const HolNode *section = hol_reader_section(builder->reader, "forces");
    m->forces = hol_arena_alloc(builder->arena, (size_t)(section ? section->count : 0) * sizeof *m->forces);
    if (!m->forces)
        return HOL_NO_MEMORY;
    for (const HolNode *node = section ? section->first : NULL; node; node = node->next)
        build_force(builder, node, &m->forces[m->force_count++]);
    hol_reader_leave(builder->reader);
    list_events(builder);
    list_functions(builder);
    return HOL_OK;
}
