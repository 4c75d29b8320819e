/* SPDX-License-Identifier: BSD-3-Clause */
/* A point mass, or a basic point that rods share; it has no axes and is described by its position alone. */
#include "mechanism/bodies/body.h"

#include <string.h>

typedef struct Values {
    HolBodyValues body;
    double place[3];
} Values;

static bool particle_measure(HolBuilder *builder, const HolPart *part, const void *values, HolShape *shape)
{
    (void)builder, (void)part;
    memcpy(shape->centre, ((const Values *)values)->place, sizeof shape->centre);
    return true;
}

static const HolField fields[] = {
    {"particle", HOL_FIELD_POINT, offsetof(Values, place), .needed = true, .unit = "m", .help = "its position"},
    {"mass", HOL_FIELD_NUMBER, offsetof(HolBodyValues, mass), .unit = "kg", .rule = HOL_NOT_NEGATIVE, .fallback = "0",
     .help = "its own mass; rods that end in it add theirs"},
};

static const HolSample samples[] = {
    {"{particle: P, mass: 2}", HOL_EVERYWHERE, 0, 0},
};

const HolBodyKind hol_particle = {
    .kind = {"particle", "a point mass, or a point that rods share (natural coordinates)", "point", HOL_EVERYWHERE,
             HOL_FIELDS(fields, Values), HOL_SAMPLES(samples), .natural = true},
    .form = HOL_PARTICLE,
    .measure = particle_measure,
};
