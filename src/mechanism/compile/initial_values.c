/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the start section: given values are written into q and v, and assembly keeps them. */
#include "base/message.h"
#include "base/tolerances.h"
#include "mechanism/beams/build.h"
#include "mechanism/compile/compile.h"
#include "mechanism/kinematics/rotation.h"

#include <math.h>
#include <string.h>

typedef struct Values {
    const HolNode *position, *velocity, *orientation;
    double angle, angular_velocity, turning[3];
} Values;

enum { POSITION, VELOCITY, PARTICLE_FIELD_COUNT, ANGLE = PARTICLE_FIELD_COUNT, SPIN, FIELD_COUNT };

/* The only initial values of a particle. */
#define CENTRE_FIELDS                                                                                                  \
    HOL_FIELD("position", NODE, Values, position, .help = "of the centre of mass; an entry may be free"),              \
        HOL_FIELD("velocity", NODE, Values, velocity, .help = "of the centre of mass; an entry may be free")

static const HolField planar_fields[FIELD_COUNT] = {
    CENTRE_FIELDS,
    {"angle", HOL_FIELD_NUMBER, offsetof(Values, angle), .unit = "rad", .help = "of the body x axis"},
    {"angular_velocity", HOL_FIELD_NUMBER, offsetof(Values, angular_velocity), .unit = "rad/s", .help = "about z"},
};

static const HolField spatial_fields[FIELD_COUNT] = {
    CENTRE_FIELDS,
    {"orientation", HOL_FIELD_NODE, offsetof(Values, orientation), .help = "as for bodies"},
    {"angular_velocity", HOL_FIELD_VECTOR, offsetof(Values, turning), .unit = "rad/s", .help = "in global axes"},
};

/* A direction has no position. */
typedef struct DirectionValues {
    double rate[3], angular_velocity, turning[3];
} DirectionValues;

enum { RATE, TURNING, DIRECTION_FIELD_COUNT };

static const HolField planar_direction_fields[DIRECTION_FIELD_COUNT] = {
    {"velocity", HOL_FIELD_VECTOR, offsetof(DirectionValues, rate), .unit = "1/s", .help = "normal to it"},
    {"angular_velocity", HOL_FIELD_NUMBER, offsetof(DirectionValues, angular_velocity), .unit = "rad/s",
     .help = "about z"},
};

static const HolField spatial_direction_fields[DIRECTION_FIELD_COUNT] = {
    {"velocity", HOL_FIELD_VECTOR, offsetof(DirectionValues, rate), .unit = "1/s", .help = "normal to it"},
    {"angular_velocity", HOL_FIELD_VECTOR, offsetof(DirectionValues, turning), .unit = "rad/s",
     .help = "in global axes"},
};

/* Reads a vector; entries that are `free` keep their value. */
static void read_free_vector(HolReader *reader, const HolNode *node, const char *unit, double *x, bool *held)
{
    reader->field = node->key;
    const HolNode *entry = hol_read_components(reader, node) ? node->first : NULL;
    for (int i = 0; entry; ++i, entry = entry->next)
        if (entry->type != HOL_SCALAR || strcmp(entry->text, "free") != 0)
            held[i] = hol_read_number(reader, entry, unit, &x[i]);
    reader->field = NULL;
}

/* Sets q and v of a body as drawn, at rest. */
static void start_begin(const HolMechanism *m, int body, double *q)
{
    const HolBody *b = &m->bodies[body];
    if (m->planar) {
        const double drawn[3] = {b->r[0], b->r[1], b->phi};
        memcpy(q, drawn, sizeof drawn);
    } else {
        memcpy(q, b->r, sizeof b->r);
        memcpy(q + 3, b->e, sizeof b->e);
    }
}

/* Reads the first `count` fields; writes position and velocity, and returns what was given. */
static uint64_t read_centre(HolReader *reader, const HolNode *node, int count, Values *values, HolHold *hold, double *q,
                            double *v)
{
    uint64_t given = hol_read_fields(reader, node, reader->planar ? planar_fields : spatial_fields, count, values);
    if (given >> POSITION & 1)
        read_free_vector(reader, values->position, "m", q, hold->position);
    if (given >> VELOCITY & 1)
        read_free_vector(reader, values->velocity, "m/s", v, hold->velocity);
    hold->angular_velocity = given >> SPIN & 1;
    return given;
}

static void read_planar(HolReader *reader, const HolNode *node, HolHold *hold, double *q, double *v)
{
    Values values = {0};
    uint64_t given = read_centre(reader, node, FIELD_COUNT, &values, hold, q, v);
    hold->orientation = given >> ANGLE & 1;
    if (hold->orientation)
        q[2] = values.angle;
    if (hold->angular_velocity)
        v[2] = values.angular_velocity;
}

/* The angular velocity that moves the unit vector u with the velocity udot: w = u x udot. */
static bool find_turning(HolReader *reader, const HolNode *node, const double *u, const double *udot, double *w)
{
    double along = hol_dot3(u, udot), speed = sqrt(hol_dot3(udot, udot));
    hol_cross3(u, udot, w);
    if (fabs(along) <= HOL_TOL_PARALLEL * speed)
        return true;
    return hol_reader_error(
        reader, hol_node_find(node, "velocity")->place,
        "'velocity' must be normal to the direction, which keeps its length; its part along it is %g 1/s", along);
}

/* Kept as the angular velocity of a body with this x axis. */
static void read_direction(HolReader *reader, const HolNode *node, bool planar, HolHold *hold, const double *q,
                           double *v)
{
    DirectionValues values = {0};
    HolFrame frame = {0};
    const HolField *fields = planar ? planar_direction_fields : spatial_direction_fields;
    uint64_t given = hol_read_fields(reader, node, fields, DIRECTION_FIELD_COUNT, &values);
    if ((given >> RATE & 1) && (given >> TURNING & 1)) {
        hol_reader_error(reader, hol_node_find(node, "angular_velocity")->key_place,
                         "'velocity' and 'angular_velocity' are both given; one is enough");
        return;
    }
    if (!planar)
        hol_frame_place(&frame, q, q + 3);
    const double u[3] = {planar ? cos(q[2]) : frame.R[0][0], planar ? sin(q[2]) : frame.R[1][0],
                         planar ? 0 : frame.R[2][0]};
    double *w = hold->turning;
    memcpy(w, values.turning, sizeof values.turning);
    if (planar)
        w[2] = values.angular_velocity;
    hold->angular_velocity = given >> TURNING & 1;
    if (given >> RATE & 1)
        hold->angular_velocity = find_turning(reader, node, u, values.rate, w);
    if (planar)
        v[2] = w[2];
    else
        hol_turn_back(&frame, w, v + 3);
}

static void read_spatial(HolReader *reader, const HolNode *node, HolHold *hold, double *q, double *v)
{
    Values values = {0};
    double phi;
    uint64_t given = read_centre(reader, node, FIELD_COUNT, &values, hold, q, v);
    if (given >> ANGLE & 1)
        hold->orientation = hol_read_orientation(reader, values.orientation, q + 3, &phi);
    if (!hold->angular_velocity)
        return;
    HolFrame frame;
    hol_frame_place(&frame, q, q + 3);
    hol_turn_back(&frame, values.turning, v + 3);
    memcpy(hold->turning, values.turning, sizeof hold->turning);
}

static void report_unknown_body(HolReader *reader, const HolNode *node)
{
    if (hol_names_count(reader->bodies) == 0 || hol_model_has_reported(reader->model, node->key_place))
        return; /* already reported */
    const char *near = hol_names_nearest(reader->bodies, node->key);
    hol_reader_enter(reader, "start", NULL);
    if (strcmp(node->key, "ground") == 0)
        hol_reader_error(reader, node->key_place, "the ground does not move; name a body");
    else if (hol_names_find(reader->joints, node->key) >= 0)
        hol_reader_error(reader, node->key_place, "'%s' is a joint; start values are those of bodies", node->key);
    else if (near)
        hol_reader_error(reader, node->key_place, "body '%s' is unknown (did you mean '%s'?)", node->key, near);
    else
        hol_reader_error(reader, node->key_place, "body '%s' is unknown", node->key);
}

static void start_read_entry(HolBuilder *builder, const HolNode *node)
{
    HolMechanism *m = builder->mechanism;
    HolReader *reader = builder->reader;
    int body = hol_names_find(reader->bodies, node->key);
    const HolBeam *beam = hol_beam_find(m, node->key, strlen(node->key));
    if (beam) {
        hol_reader_enter(reader, "start of", node->key);
        hol_beam_read_start(builder, node, beam);
        return;
    }
    if (body < 0) {
        report_unknown_body(reader, node);
        return;
    }
    hol_reader_enter(reader, "start of", node->key);
    HolHold *hold = &m->holds[m->hold_count++];
    hold->body = body;
    double *q = m->q + (m->planar ? 3 : 7) * body, *v = m->v + (m->planar ? 3 : 6) * body;
    if (m->bodies[body].form == HOL_PARTICLE)
        read_centre(reader, node, PARTICLE_FIELD_COUNT, &(Values){0}, hold, q, v);
    else if (m->bodies[body].form == HOL_DIRECTION)
        read_direction(reader, node, m->planar, hold, q, v);
    else if (m->planar)
        read_planar(reader, node, hold, q, v);
    else
        read_spatial(reader, node, hold, q, v);
}

HolStatus hol_compile_initial_values(HolBuilder *builder)
{
    HolMechanism *m = builder->mechanism;
    const HolNode *section = hol_reader_section(builder->reader, "start");
    size_t nq = m->planar ? 3 : 7, nv = m->planar ? 3 : 6, bodies = (size_t)m->body_count;
    m->q = hol_arena_doubles(builder->arena, nq * bodies);
    m->v = hol_arena_doubles(builder->arena, nv * bodies);
    size_t holds = section ? (size_t)section->count + bodies : 0; /* values of a beam are those of all its nodes */
    m->holds = hol_arena_alloc(builder->arena, holds * sizeof *m->holds);
    if (!m->q || !m->v || !m->holds)
        return HOL_NO_MEMORY;
    for (int i = 0; i < m->body_count; ++i)
        start_begin(m, i, m->q + (size_t)i * nq);
    for (const HolNode *node = section ? section->first : NULL; node; node = node->next)
        start_read_entry(builder, node);
    hol_reader_leave(builder->reader);
    return HOL_OK;
}
