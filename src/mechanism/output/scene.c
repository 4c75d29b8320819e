/* SPDX-License-Identifier: BSD-3-Clause */
/* Creates the scene of a mechanism: the geometry of all parts, as drawn in the model. */
#include <holon/scene.h>

#include "base/tolerances.h"
#include "mechanism/beams/shape.h"
#include "mechanism/forces/force_kind.h"
#include "mechanism/kinematics/rotation.h"

#include <math.h>
#include <string.h>

/* Points of a body where joints and forces act. */
typedef struct Marks {
    double (*x)[3];
    int count, room;
} Marks;

/* The public part is the first member, so that a pointer to it is a pointer to the whole. */
typedef struct Scene {
    HolScene shown;
    HolArena *arena;
    const HolMechanism *mechanism;
    HolFrame *frames; /* as drawn; [0]: ground */
    Marks *marks;     /* by the same index */
} Scene;

static void *allocate(Scene *s, int count, size_t size)
{
    return hol_arena_alloc(s->arena, (size_t)count * size);
}

static void add_mark(Scene *s, const HolMark *mark)
{
    const double near = HOL_TOL_EQUAL * s->mechanism->length;
    Marks *marks = &s->marks[mark->body];
    if (!mark->is_point)
        return;
    for (int i = 0; i < marks->count; ++i) {
        const double *x = marks->x[i];
        if (fabs(x[0] - mark->s[0]) + fabs(x[1] - mark->s[1]) + fabs(x[2] - mark->s[2]) <= near)
            return;
    }
    if (marks->count == marks->room) {
        int room = marks->room ? 2 * marks->room : 4;
        double(*larger)[3] = allocate(s, room, sizeof *larger);
        if (!larger)
            return; /* hol_arena_failed() reports it */
        if (marks->count > 0)
            memcpy(larger, marks->x, (size_t)marks->count * sizeof *larger);
        marks->x = larger;
        marks->room = room;
    }
    memcpy(marks->x[marks->count++], mark->s, sizeof mark->s);
}

/* Points of rows, springs and stops are marks of measures and coincidences; other forces give their ends. */
static void find_marks(Scene *s)
{
    const HolMechanism *m = s->mechanism;
    for (int i = 0; i < m->coincidence_count; ++i)
        for (int k = 0; k < 2; ++k) {
            const double *x = m->coincidences[i].s[k];
            HolMark mark = {.body = m->coincidences[i].body[k], .is_point = true, .s = {x[0], x[1], x[2]}};
            add_mark(s, &mark);
        }
    for (int i = 0; i < m->measure_count; ++i)
        for (int k = 0; k < HOL_MEASURE_MARKS; ++k)
            add_mark(s, &m->measures[i].mark[k]);
    for (int i = 0; i < m->rolling_count; ++i)
        add_mark(s, &m->rollings[i].centre);
    for (int i = 0; i < m->speed_count; ++i)
        add_mark(s, &m->speeds[i].point);
    for (int i = 0; i < m->force_count; ++i) {
        HolMark ends[2];
        int count = m->forces[i].kind->ends ? m->forces[i].kind->ends(&m->forces[i], m, ends) : 0;
        for (int k = 0; k < count; ++k)
            add_mark(s, &ends[k]);
    }
}

static HolSceneForm form_of(const HolBody *body)
{
    return body->form == HOL_PARTICLE    ? HOL_SCENE_PARTICLE
           : body->form == HOL_DIRECTION ? HOL_SCENE_DIRECTION
                                         : HOL_SCENE_RIGID;
}

static void show_bodies(Scene *s, HolSceneBody *bodies)
{
    const HolMechanism *m = s->mechanism;
    for (int i = 0; i < m->body_count; ++i)
        bodies[i] = (HolSceneBody){.name = m->bodies[i].name,
                                   .form = form_of(&m->bodies[i]),
                                   .node_of = -1,
                                   .shape_count = m->bodies[i].drawn ? 1 : 0,
                                   .shapes = m->bodies[i].drawn,
                                   .mark_count = s->marks[i + 1].count,
                                   .marks = (const double(*)[3])s->marks[i + 1].x};
    for (int b = 0; b < m->beam_count; ++b)
        for (int i = 0; i < m->beams[b].node_count; ++i)
            bodies[m->beams[b].first_node - 1 + i].node_of = b;
}

static void show_beam(Scene *s, const HolBeam *beam, HolSceneBeam *shown)
{
    double *at = hol_arena_doubles(s->arena, (size_t)beam->node_count);
    *shown = (HolSceneBeam){.name = beam->name,
                            .order = beam->order,
                            .first_node = beam->first_node - 1,
                            .node_count = beam->node_count,
                            .s = at,
                            .round = beam->is_round,
                            .width = beam->width,
                            .height = beam->height};
    for (int i = 0; at && i < beam->node_count; ++i) {
        double within = (1 + hol_shape_nodes(beam->order + 1)[i % beam->order]) / 2;
        at[i] = (i / beam->order + within) / beam->element_count;
    }
}

static HolScenePlace scene_place_of(const HolMark *mark)
{
    return (HolScenePlace){.body = mark->body - 1, .at = {mark->s[0], mark->s[1], mark->s[2]}};
}

/* A mark in the axes of another body, as drawn. */
static HolMark seen_from(const Scene *s, const HolMark *mark, int body)
{
    const HolFrame *frame = &s->frames[body];
    HolMark seen = {.body = body, .is_point = mark->is_point};
    double x[3];
    hol_mark_value(s->frames, mark, x);
    for (int i = 0; i < 3 && mark->is_point; ++i)
        x[i] -= frame->r[i];
    hol_turn_back(frame, x, seen.s);
    return seen;
}

/* The axis of a joint that rolls is fixed to the surface; the scene shows that of the rolling body. */
static void show_rolling(const HolRolling *rolling, HolSceneJoint *shown)
{
    shown->has_axis = rolling->shape == HOL_DISC_ON_PLANE;
    if (shown->has_axis)
        memcpy(shown->axis, rolling->axis.s, sizeof shown->axis);
}

static HolSceneJoint scene_joint_of(const Scene *s, const HolJoint *joint)
{
    int body =
        joint->body[1] > 0 || joint->is_rod ? joint->body[1] : joint->body[0]; /* the end of a rod stays on its body */
    HolMark place = seen_from(s, &joint->place, body), axis = seen_from(s, &joint->axis, body);
    HolSceneJoint shown = {.name = joint->name,
                           .kind = joint->kind,
                           .first = joint->body[0] - 1,
                           .second = joint->body[1] - 1,
                           .place = scene_place_of(&place),
                           .has_axis = joint->has_axis && !joint->is_rod,
                           .is_rod = joint->is_rod,
                           .radius = joint->radius};
    memcpy(shown.axis, axis.s, sizeof shown.axis);
    if (joint->rolling_count > 0)
        show_rolling(&s->mechanism->rollings[joint->first_rolling], &shown);
    if (joint->is_rod)
        shown.from = scene_place_of(&joint->from);
    return shown;
}

static HolSceneForce scene_force_of(const Scene *s, const HolForce *force)
{
    HolMark ends[2];
    HolSceneForce shown = {.name = force->name, .kind = force->kind->kind.name};
    int count = force->kind->ends ? force->kind->ends(force, s->mechanism, ends) : 0;
    if (count == 2) {
        shown.end_count = 2;
        shown.ends[0] = scene_place_of(&ends[0]);
        shown.ends[1] = scene_place_of(&ends[1]);
    }
    return shown;
}

static void scene_draw_frames(Scene *s)
{
    const HolMechanism *m = s->mechanism;
    hol_frame_place(&s->frames[0], (double[]){0, 0, 0}, (double[]){1, 0, 0, 0});
    for (int i = 0; i < m->body_count; ++i)
        hol_frame_place(&s->frames[i + 1], m->bodies[i].r, m->bodies[i].e);
}

static void scene_fill(Scene *s)
{
    const HolMechanism *m = s->mechanism;
    HolSceneBody *bodies = allocate(s, m->body_count, sizeof *bodies);
    HolSceneBeam *beams = allocate(s, m->beam_count, sizeof *beams);
    HolSceneJoint *joints = allocate(s, m->joint_count, sizeof *joints);
    HolSceneForce *forces = allocate(s, m->force_count, sizeof *forces);
    const char **points = allocate(s, m->point_count, sizeof *points);
    HolScenePlace *places = allocate(s, m->point_count, sizeof *places);
    s->frames = allocate(s, m->body_count + 1, sizeof *s->frames);
    s->marks = allocate(s, m->body_count + 1, sizeof *s->marks);
    if (hol_arena_failed(s->arena))
        return;
    scene_draw_frames(s);
    find_marks(s);
    show_bodies(s, bodies);
    for (int i = 0; i < m->beam_count; ++i)
        show_beam(s, &m->beams[i], &beams[i]);
    for (int i = 0; i < m->joint_count; ++i)
        joints[i] = scene_joint_of(s, &m->joints[i]);
    for (int i = 0; i < m->force_count; ++i)
        forces[i] = scene_force_of(s, &m->forces[i]);
    for (int i = 0; i < m->point_count; ++i) {
        points[i] = m->points[i].name;
        places[i] = scene_place_of(&m->points[i].mark);
    }
    s->shown = (HolScene){.planar = m->planar,
                          .gravity = {m->gravity[0], m->gravity[1], m->gravity[2]},
                          .body_count = m->body_count,
                          .beam_count = m->beam_count,
                          .joint_count = m->joint_count,
                          .force_count = m->force_count,
                          .point_count = m->point_count,
                          .bodies = bodies,
                          .joints = joints,
                          .beams = beams,
                          .forces = forces,
                          .points = points,
                          .point_places = places,
                          .ground_mark_count = s->marks[0].count,
                          .ground_marks = (const double(*)[3])s->marks[0].x};
}

HolStatus hol_scene_create(const HolMechanism *mechanism, HolScene **scene)
{
    if (scene)
        *scene = NULL;
    if (!mechanism || !scene)
        return HOL_BAD_INPUT;
    HolArena *arena = hol_arena_create();
    Scene *s = arena ? hol_arena_alloc(arena, sizeof *s) : NULL;
    if (s) {
        s->arena = arena;
        s->mechanism = mechanism;
        scene_fill(s);
    }
    if (!s || hol_arena_failed(arena)) {
        hol_arena_destroy(arena);
        return HOL_NO_MEMORY;
    }
    *scene = &s->shown;
    return HOL_OK;
}

void hol_scene_destroy(HolScene *scene)
{
    if (scene)
        hol_arena_destroy(((Scene *)scene)->arena);
}
