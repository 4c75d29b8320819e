/* SPDX-License-Identifier: BSD-3-Clause */
/* Any rigid body: its centre of mass is given, mass and inertia must be. */
#include "mechanism/body.h"

#include <string.h>

typedef struct Values {
    HolBodyValues body;
    double centre[3];
} Values;

static bool measure(HolBuilder *builder, const HolPart *part, const void *values, HolShape *shape)
{
    (void)builder, (void)part;
    memcpy(shape->centre, ((const Values *)values)->centre, sizeof shape->centre);
    return true;
}

static const HolField fields[] = {
    {"rigid", HOL_FIELD_POINT, offsetof(Values, centre), .needed = true, .unit = "m", .help = "its centre of mass"},
    {"mass", HOL_FIELD_NUMBER, offsetof(HolBodyValues, mass), .needed = true, .unit = "kg", .rule = HOL_POSITIVE,
     .help = "of the whole body"},
    {"inertia", HOL_FIELD_NUMBERS, offsetof(HolBodyValues, inertia), .needed = true, .unit = "kg*m^2",
     .help = "about the centre of mass in body axes: Jz, [Jx, Jy, Jz] or 6 entries"},
    {"orientation", HOL_FIELD_NODE, offsetof(HolBodyValues, orientation), .fallback = "global axes",
     .help = "angle in the plane; [e0, e1, e2, e3], {axis: , angle: } or {x: , y: } in space"},
};

const HolBodyKind hol_rigid = {
    .kind = {"rigid", "any rigid body, by its centre of mass", "point", HOL_EVERYWHERE, HOL_FIELDS(fields, Values)},
    .measure = measure,
};
