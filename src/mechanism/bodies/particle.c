/* SPDX-License-Identifier: BSD-3-Clause */
/* A point with mass, or a basic point that rods share; it has no axes, and is described by its place alone. */
#include "mechanism/body.h"

#include <string.h>

typedef struct Values {
    HolBodyValues body;
    double place[3];
} Values;

static bool measure(HolBuilder *builder, const HolPart *part, const void *values, HolShape *shape)
{
    (void)builder, (void)part;
    memcpy(shape->centre, ((const Values *)values)->place, sizeof shape->centre);
    return true;
}

static const HolField fields[] = {
    {"particle", HOL_FIELD_POINT, offsetof(Values, place), .needed = true, .unit = "m", .help = "where it is"},
    {"mass", HOL_FIELD_NUMBER, offsetof(HolBodyValues, mass), .unit = "kg", .rule = HOL_NOT_NEGATIVE, .fallback = "0",
     .help = "of its own; rods that end in it add theirs"},
};

const HolBodyKind hol_particle = {
    .kind = {"particle", "a point with mass, or one that rods share (natural coordinates)", "point", HOL_EVERYWHERE,
             HOL_FIELDS(fields, Values)},
    .form = HOL_PARTICLE,
    .measure = measure,
};
