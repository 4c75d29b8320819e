/* SPDX-License-Identifier: BSD-3-Clause */
/* A unit vector by itself, described by its components: the axis of something whose place and spin do not matter. */
#include "mechanism/bodies/body.h"
#include "mechanism/kinematics/rotation.h"

#include <math.h>
#include <string.h>

typedef struct Values {
    HolBodyValues body;
    double direction[3], inertia;
} Values;

/* Its first axis is the vector. */
static bool direction_measure(HolBuilder *builder, const HolPart *part, const void *values, HolShape *shape)
{
    (void)builder, (void)part;
    const Values *v = values;
    double other[3], third[3];
    hol_triad_complete(v->direction, other, third);
    hol_axes_from(v->direction, other, shape->axes);
    shape->phi = atan2(v->direction[1], v->direction[0]);
    shape->square[0] = shape->square[1] = shape->square[2] = v->inertia;
    return true;
}

static const HolField fields[] = {
    {"direction", HOL_FIELD_DIRECTION, offsetof(Values, direction), .needed = true, .help = "as drawn"},
    {"inertia", HOL_FIELD_NUMBER, offsetof(Values, inertia), .needed = true, .unit = "kg*m^2", .rule = HOL_POSITIVE,
     .help = "moment of inertia, the same about all axes normal to it"},
};

static const HolSample samples[] = {
    {"{direction: [0.6, 0.8], inertia: 0.4}", HOL_IN_PLANE, 0, 0},
    {"{direction: [0.6, 0, 0.8], inertia: 0.4}", HOL_IN_SPACE, 0, 0},
};

const HolBodyKind hol_direction = {
    .kind = {"direction", "a unit vector by itself (natural coordinates)", "direction", HOL_EVERYWHERE,
             HOL_FIELDS(fields, Values), HOL_SAMPLES(samples), .natural = true},
    .form = HOL_DIRECTION,
    .measure = direction_measure,
};
