/* SPDX-License-Identifier: BSD-3-Clause */
#include "mechanism/builder/builder.h"

#include "base/tolerances.h"
#include "mechanism/kinematics/rotation.h"
#include "model/model.h"

#include <math.h>
#include <string.h>

/* Returns the array with room for one more entry. Its room doubles; the old array stays in the arena. */
static void *builder_grow(HolBuilder *builder, void *array, int count, int *room, size_t size)
{
    if (count < *room)
        return array;
    int wanted = *room ? 2 * *room : 16;
    void *larger = hol_arena_alloc(builder->arena, (size_t)wanted * size);
    if (!larger) {
        builder->failed = true;
        return NULL;
    }
    if (count > 0)
        memcpy(larger, array, (size_t)count * size);
    *room = wanted;
    return larger;
}

/* A particle has only its own point and a direction only its own axis. Reported once for each part. */
static void check_particle(const HolBuilder *builder, int body, bool asks_point, const double *s)
{
    HolBodyForm form = body > 0 ? builder->mechanism->bodies[body - 1].form : HOL_RIGID;
    const char *name = body > 0 ? builder->mechanism->bodies[body - 1].name : "";
    if (form == HOL_RIGID || !builder->node || hol_model_has_reported(builder->reader->model, builder->node->place))
        return;
    HolReader *reader = builder->reader;
    HolPlace place = builder->node->place;
    const double *r = builder->mechanism->bodies[body - 1].r;
    if (form == HOL_PARTICLE && !asks_point)
        hol_reader_error(reader, place, "'%s' is a particle: it has no axes", name);
    else if (form == HOL_PARTICLE && sqrt(hol_dot3(s, s)) > HOL_TOL_EQUAL * (reader->largest + sqrt(hol_dot3(r, r))))
        hol_reader_error(reader, place, "'%s' is a particle: it has no other point than its own", name);
    else if (form == HOL_DIRECTION && asks_point)
        hol_reader_error(reader, place, "'%s' is a direction: it has no points", name);
    else if (form == HOL_DIRECTION && s[1] * s[1] + s[2] * s[2] > HOL_TOL_EQUAL * HOL_TOL_EQUAL)
        hol_reader_error(reader, place, "'%s' is a direction: it has no other axis than its own", name);
}

static HolMark point_of(const HolBuilder *builder, int body, const double *x)
{
    const HolFrame *frame = &builder->frames[body];
    HolMark mark = {.body = body, .is_point = true};
    double d[3] = {x[0] - frame->r[0], x[1] - frame->r[1], x[2] - frame->r[2]};
    hol_turn_back(frame, d, mark.s);
    return mark;
}

HolMark hol_mark_point(const HolBuilder *builder, int body, const double *x)
{
    HolMark mark = point_of(builder, body, x);
    check_particle(builder, body, true, mark.s);
    return mark;
}

static HolMark builder_direction_of(const HolBuilder *builder, int body, const double *a)
{
    HolMark mark = {.body = body};
    hol_turn_back(&builder->frames[body], a, mark.s);
    return mark;
}

HolMark hol_mark_direction(const HolBuilder *builder, int body, const double *a)
{
    HolMark mark = builder_direction_of(builder, body, a);
    check_particle(builder, body, false, mark.s);
    return mark;
}

bool hol_builder_has_axes(const HolBuilder *builder, int body)
{
    return body == 0 || builder->mechanism->bodies[body - 1].form != HOL_PARTICLE;
}

/* Beyond these limits products of several values overflow or underflow. */
static const double LEAST_STIFFNESS = 1e-20, MOST_STIFFNESS = 1e30;

double hol_read_inverse(HolReader *reader, HolPlace place, const char *key, double k)
{
    if (k >= LEAST_STIFFNESS && k <= MOST_STIFFNESS)
        return 1 / k;
    hol_reader_error(reader, place, "'%s' must be from %g to %g, not %g; leave it out for a rigid joint", key,
                     LEAST_STIFFNESS, MOST_STIFFNESS, k);
    return 0;
}

void hol_builder_check_name(HolBuilder *builder, const HolNode *node)
{
    HolReader *reader = builder->reader;
    static const char *const words[] = {"t",      "all",       "bodies",   "points", "reactions",
                                        "energy", "violation", "singular", NULL};
    if (strchr(node->key, '$'))
        hol_reader_error(reader, node->key_place, "'$' is not allowed here; it numbers parts inside 'repeat'");
    else if (node->key[strcspn(node->key, ".,\"' \t\r\n")] != '\0')
        hol_reader_error(reader, node->key_place,
                         "a name cannot contain blanks, commas, dots or quotes, which separate names in lists and "
                         "paths; choose another");
    for (int i = 0; words[i]; ++i)
        if (strcmp(words[i], node->key) == 0)
            hol_reader_error(reader, node->key_place, "this name is a keyword in record lists; choose another");
}

static int builder_add_measure(HolBuilder *builder, HolMeasure measure)
{
    HolMechanism *m = builder->mechanism;
    HolMeasure *measures = builder_grow(builder, m->measures, m->measure_count, &builder->measure_room, sizeof measure);
    if (!measures)
        return 0;
    m->measures = measures;
    measures[m->measure_count] = measure;
    return m->measure_count++;
}

int hol_measure_add(HolBuilder *builder, const HolMeasureKind *kind, int a, int b, double scale, const double *const *x)
{
    HolMeasure measure = {.kind = kind, .scale = scale, .body = {a, b}};
    for (int i = 0; i < kind->mark_count; ++i) {
        int body = measure.body[kind->side[i]];
        measure.mark[i] =
            kind->is_point[i] ? hol_mark_point(builder, body, x[i]) : hol_mark_direction(builder, body, x[i]);
    }
    return builder_add_measure(builder, measure);
}

int hol_measure_add_length(HolBuilder *builder, int a, int b, const double *from, const double *to)
{
    return hol_measure_add(builder, &hol_measure_length, a, b, 0, (const double *[]){from, to});
}

int hol_measure_add_square(HolBuilder *builder, int a, int b, const double *from, const double *to, double scale)
{
    return hol_measure_add(builder, &hol_measure_square, a, b, scale, (const double *[]){from, to});
}

int hol_measure_add_offset(HolBuilder *builder, int a, int b, const double *direction, const double *from,
                           const double *to)
{
    return hol_measure_add(builder, &hol_measure_offset, a, b, 0, (const double *[]){direction, from, to});
}

int hol_measure_add_dot(HolBuilder *builder, int a, int b, const double *direction_a, const double *direction_b)
{
    return hol_measure_add(builder, &hol_measure_dot, a, b, 0, (const double *[]){direction_a, direction_b});
}

int hol_measure_add_angle(HolBuilder *builder, int a, int b, const double *axis)
{
    static const double own[3] = {1, 0, 0};
    double n1[3], n2[3];
    check_particle(builder, a, false, own);
    check_particle(builder, b, false, own);
    if (builder->mechanism->planar)
        return builder_add_measure(builder, (HolMeasure){.kind = &hol_measure_turn,
                                                         .scale = builder->phi[b] - builder->phi[a],
                                                         .body = {a, b},
                                                         .mark = {{.body = a}, {.body = b}}});
    hol_triad_complete(axis, n1, n2);
    return hol_measure_add(builder, &hol_measure_angle, a, b, 0, (const double *[]){n1, n2, n1});
}

bool hol_builder_angles_wrap(const HolBuilder *builder)
{
    return !builder->mechanism->planar || builder->mechanism->natural;
}

double hol_builder_measure_value(const HolBuilder *builder, int measure)
{
    HolGauge gauge;
    const double *phi = builder->mechanism->planar ? builder->phi : NULL;
    if (builder->failed) /* there may be no such measure */
        return 0;
    hol_measure_read(&builder->mechanism->measures[measure], builder->frames, phi, false, &gauge);
    return gauge.value;
}

static void builder_name_row(HolBuilder *builder, const char *name)
{
    if (builder->row_name_count < HOL_JOINT_ROWS)
        builder->row_names[builder->row_name_count++] = name;
}

void hol_row_coincide(HolBuilder *builder, int a, int b, const double *at)
{
    static const char *const names[] = {"x of the point", "y of the point", "z of the point"};
    HolMechanism *m = builder->mechanism;
    HolCoincidence *all =
        builder_grow(builder, m->coincidences, m->coincidence_count, &builder->coincidence_room, sizeof *all);
    if (!all)
        return;
    m->coincidences = all;
    HolCoincidence *coincidence = &all[m->coincidence_count++];
    HolMark on_a = hol_mark_point(builder, a, at), on_b = hol_mark_point(builder, b, at);
    *coincidence = (HolCoincidence){.body = {a, b}};
    memcpy(coincidence->s[0], on_a.s, sizeof on_a.s);
    memcpy(coincidence->s[1], on_b.s, sizeof on_b.s);
    ++builder->joint->coincidence_count;
    for (int i = 0; i < (m->planar ? 2 : 3); ++i)
        builder_name_row(builder, names[i]);
}

static void builder_add_row(HolBuilder *builder, HolRow row, const char *name)
{
    HolMechanism *m = builder->mechanism;
    HolRow *rows = builder_grow(builder, m->rows, m->row_count, &builder->row_room, sizeof row);
    if (!rows)
        return;
    m->rows = rows;
    rows[m->row_count++] = row;
    ++builder->joint->general_count;
    builder_name_row(builder, name);
}

void hol_row_equals(HolBuilder *builder, int measure, double value, const char *name)
{
    hol_row_follows(builder, measure, &(HolFunction){.constant = value}, false, name);
}

void hol_row_follows(HolBuilder *builder, int measure, const HolFunction *f, bool wraps, const char *name)
{
    HolRow row = {.measure = {measure}, .k = {1}, .measure_count = 1, .f = *f, .wraps = wraps, .factor = 1};
    builder_add_row(builder, row, name);
}

void hol_row_couples(HolBuilder *builder, const int measure[2], const double k[2], bool wraps, double factor,
                     const char *name)
{
    double drawn =
        k[0] * hol_builder_measure_value(builder, measure[0]) + k[1] * hol_builder_measure_value(builder, measure[1]);
    HolRow row = {.measure = {measure[0], measure[1]},
                  .k = {k[0], k[1]},
                  .measure_count = 2,
                  .f = {.constant = drawn},
                  .wraps = wraps,
                  .factor = factor};
    builder_add_row(builder, row, name);
}

void hol_row_length(HolBuilder *builder, int measure, const HolFunction *length, const char *name)
{
    HolRow row = {.measure = {measure}, .k = {1}, .measure_count = 1, .f = *length, .squares = true, .factor = 1};
    builder_add_row(builder, row, name);
}

void hol_rod_add(HolBuilder *builder, int measure, double mass)
{
    HolMechanism *m = builder->mechanism;
    HolRod *rods = builder_grow(builder, m->rods, m->rod_count, &builder->rod_room, sizeof *rods);
    if (!rods)
        return;
    m->rods = rods;
    rods[m->rod_count++] = (HolRod){measure, mass, -1};
    builder->joint->rod_mass = mass;
}

void hol_row_rolls(HolBuilder *builder, const HolRolling *rolling)
{
    HolMechanism *m = builder->mechanism;
    HolRolling *all = builder_grow(builder, m->rollings, m->rolling_count, &builder->rolling_room, sizeof *all);
    if (!all)
        return;
    m->rollings = all;
    all[m->rolling_count++] = *rolling;
    ++builder->joint->rolling_count;
    if (rolling->shape == HOL_DISC_ON_PLANE)
        builder_name_row(builder, "contact");
    builder_name_row(builder, "slip 1");
    builder_name_row(builder, "slip 2");
}

/* A relative velocity needs a body with axes: particles and directions have no angular velocity. Reported once for each
 * part. */
static void check_turning(const HolBuilder *builder, int body)
{
    HolBodyForm form = body > 0 ? builder->mechanism->bodies[body - 1].form : HOL_RIGID;
    HolReader *reader = builder->reader;
    if (form == HOL_RIGID || hol_model_has_reported(reader->model, builder->node->place))
        return;
    hol_reader_error(reader, builder->node->place, "'%s' is a %s and has no angular velocity",
                     builder->mechanism->bodies[body - 1].name, form == HOL_PARTICLE ? "particle" : "direction");
}

HolSpeed hol_speed_of_point(const HolBuilder *builder, int a, int b, int carrier, const double *along, const double *at)
{
    check_turning(builder, a);
    return (HolSpeed){.type = HOL_SPEED_POINT,
                      .k = 1,
                      .body = {a, b},
                      .along = hol_mark_direction(builder, carrier, along),
                      .point = hol_mark_point(builder, b, at)};
}

HolSpeed hol_speed_of_turning(const HolBuilder *builder, int a, int b, int carrier, const double *axis)
{
    check_turning(builder, a);
    check_turning(builder, b);
    return (HolSpeed){
        .type = HOL_SPEED_TURNING, .k = 1, .body = {a, b}, .along = hol_mark_direction(builder, carrier, axis)};
}

HolSpeed hol_speed_sideways(const HolBuilder *builder, int a, int b, const double *edge, const double *normal,
                            const double *at)
{
    check_turning(builder, a);
    return (HolSpeed){.type = HOL_SPEED_SIDEWAYS,
                      .k = 1,
                      .body = {a, b},
                      .along = hol_mark_direction(builder, b, edge),
                      .normal = hol_mark_direction(builder, a, normal),
                      .point = hol_mark_point(builder, b, at)};
}

HolSpeed hol_speed_of_measure(const HolBuilder *builder, int measure)
{
    const int *body = builder->mechanism->measures[measure].body;
    return (HolSpeed){.type = HOL_SPEED_MEASURE, .k = 1, .body = {body[0], body[1]}, .measure = measure};
}

void hol_row_velocity(HolBuilder *builder, const HolSpeed *speeds, int count, const HolFunction *f, const char *name)
{
    HolMechanism *m = builder->mechanism;
    int first = m->speed_count;
    for (int i = 0; i < count; ++i) {
        HolSpeed *all = builder_grow(builder, m->speeds, m->speed_count, &builder->speed_room, sizeof *all);
        if (!all)
            return;
        m->speeds = all;
        all[m->speed_count++] = speeds[i];
    }
    HolVelocityRow *rows =
        builder_grow(builder, m->velocity_rows, m->velocity_row_count, &builder->velocity_row_room, sizeof *rows);
    if (!rows)
        return;
    m->velocity_rows = rows;
    rows[m->velocity_row_count++] = (HolVelocityRow){.first_speed = first, .speed_count = count, .f = *f};
    ++builder->joint->velocity_row_count;
    builder_name_row(builder, name);
}

static bool is_rigid(const HolBuilder *builder, int body)
{
    return body == 0 || builder->mechanism->bodies[body - 1].form == HOL_RIGID;
}

/* Sets x and y of the joint's axes as directions of the first of two bodies that is rigid, else of the ground. */
static void builder_set_axes(HolBuilder *builder, int first, int second, const double *axis, const double *side)
{
    HolJoint *joint = builder->joint;
    int carrier = is_rigid(builder, first) ? first : is_rigid(builder, second) ? second : 0;
    joint->axis = builder_direction_of(builder, carrier, axis);
    joint->side = builder_direction_of(builder, carrier, side);
}

void hol_joint_connects(HolBuilder *builder, int a, int b, const double *at)
{
    HolJoint *joint = builder->joint;
    joint->body[0] = a;
    joint->body[1] = b;
    joint->place = point_of(builder, b, at);
    builder_set_axes(builder, a, b, (double[]){1, 0, 0}, (double[]){0, 1, 0});
}

static void put_axis(HolBuilder *builder, int first, int second, const double *axis)
{
    double side[3] = {-axis[1], axis[0], 0}, last[3];
    if (!builder->mechanism->planar)
        hol_triad_complete(axis, side, last);
    builder->joint->has_axis = true;
    builder_set_axes(builder, first, second, axis, side);
}

void hol_joint_axis(HolBuilder *builder, const double *axis)
{
    put_axis(builder, builder->joint->body[0], builder->joint->body[1], axis);
}

void hol_joint_axis_of_second(HolBuilder *builder, const double *axis)
{
    put_axis(builder, builder->joint->body[1], builder->joint->body[0], axis);
}

void hol_joint_rod(HolBuilder *builder, const double *from)
{
    builder->joint->is_rod = builder->joint->has_axis = true;
    builder->joint->from = point_of(builder, builder->joint->body[0], from);
}

void hol_joint_measures(HolBuilder *builder, int angle, int displacement)
{
    builder->joint->angle = angle;
    builder->joint->displacement = displacement;
}
