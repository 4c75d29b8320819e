/* SPDX-License-Identifier: BSD-3-Clause */
/* A general rigid body, given by its centre of mass, mass and inertia. */
#include "mechanism/bodies/drawing.h"

#include <string.h>

typedef struct Values {
    HolBodyValues body;
    double centre[3];
    const HolNode *outline;
} Values;

enum { OUTLINE = 4, MOST_CORNERS = 100 };

static bool rigid_measure(HolBuilder *builder, const HolPart *part, const void *values, HolShape *shape)
{
    (void)builder, (void)part;
    memcpy(shape->centre, ((const Values *)values)->centre, sizeof shape->centre);
    return true;
}

/* The corners of the plate, or an error. */
static void rigid_draw(const HolDrawing *drawing, const void *values)
{
    HolReader *reader = drawing->builder->reader;
    const HolNode *outline = ((const Values *)values)->outline;
    double corners[MOST_CORNERS][3];
    int count = 0;
    if (!(drawing->part->given >> OUTLINE & 1))
        return;
    if (outline->type != HOL_LIST || outline->count < 3 || outline->count > MOST_CORNERS) {
        hol_reader_error(reader, outline->place, "'outline' must be a list of 3 to %d points", MOST_CORNERS);
        return;
    }
    reader->field = "outline";
    for (const HolNode *corner = outline->first; corner; corner = corner->next)
        count += hol_read_point(reader, corner, corners[count]);
    reader->field = NULL;
    if (count == outline->count)
        hol_draw_plate(drawing, (const double(*)[3])corners, count);
}

static const HolField fields[] = {
    {"rigid", HOL_FIELD_POINT, offsetof(Values, centre), .needed = true, .unit = "m", .help = "its centre of mass"},
    {"mass", HOL_FIELD_NUMBER, offsetof(HolBodyValues, mass), .needed = true, .unit = "kg", .rule = HOL_POSITIVE,
     .help = "mass of the body"},
    {"inertia", HOL_FIELD_NUMBERS, offsetof(HolBodyValues, inertia), .needed = true, .unit = "kg*m^2",
     .help = "about the centre of mass in body axes: Jz, [Jx, Jy, Jz] or 6 entries"},
    {"orientation", HOL_FIELD_NODE, offsetof(HolBodyValues, orientation), .fallback = "global axes",
     .help = "angle in the plane; [e0, e1, e2, e3], {axis: , angle: } or {x: , y: } in space"},
    {"outline", HOL_FIELD_NODE, offsetof(Values, outline), .fallback = "none",
     .help = "3 or more points [A, B, C], drawn as a plate; it only affects pictures"},
};

static const HolSample samples[] = {
    {"{rigid: P, mass: 2, inertia: 0.3, orientation: 20 deg}", HOL_IN_PLANE, 0, 0},
    {"{rigid: P, mass: 2, inertia: [0.3, 0.4, 0.5], orientation: {axis: [1, 2, 3], angle: 40 deg}}", HOL_IN_SPACE, 0,
     0},
};

const HolBodyKind hol_rigid = {
    .kind = {"rigid", "a general rigid body, given by its centre of mass", "point", HOL_EVERYWHERE,
             HOL_FIELDS(fields, Values), HOL_SAMPLES(samples)},
    .measure = rigid_measure,
    .draw = rigid_draw,
};
