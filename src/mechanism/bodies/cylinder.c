/* SPDX-License-Identifier: BSD-3-Clause */
/* A circular cylinder along its body z axis; in the plane a disc. */
#include "mechanism/bodies/drawing.h"

#include <math.h>

typedef struct Values {
    HolBodyValues body;
    HolNumbers sizes;
} Values;

static bool cylinder_measure(HolBuilder *builder, const HolPart *part, const void *values, HolShape *shape)
{
    const HolNumbers *sizes = &((const Values *)values)->sizes;
    if (sizes->count != 2)
        return hol_reader_error(builder->reader, hol_part_place(part, "cylinder"),
                                "'cylinder' must be [radius, length]");
    double radius = sizes->x[0], length = sizes->x[1];
    shape->volume = M_PI * radius * radius * length;
    shape->square[0] = shape->square[1] = (3 * radius * radius + length * length) / 12;
    shape->square[2] = radius * radius / 2;
    return true;
}

static void cylinder_draw(const HolDrawing *drawing, const void *values)
{
    const double *sizes = ((const Values *)values)->sizes.x;
    hol_draw_cylinder(drawing, drawing->shape->centre, sizes[0], sizes[1]);
}

static const HolField fields[] = {
    {"cylinder", HOL_FIELD_NUMBERS, offsetof(Values, sizes), .needed = true, .unit = "m", .rule = HOL_POSITIVE,
     .help = "radius and length; its axis is the body z axis"},
    HOL_BODY_FIELDS,
    HOL_BODY_AT,
};

static const HolSample samples[] = {
    {"{cylinder: [0.1, 0.4], density: 1000, at: P}", HOL_EVERYWHERE, 0, 0},
};

const HolBodyKind hol_cylinder = {
    .kind = {"cylinder", "a circular cylinder along its z axis, in the plane a disc", "[radius, length]",
             HOL_EVERYWHERE, HOL_FIELDS(fields, Values), HOL_SAMPLES(samples)},
    .measure = cylinder_measure,
    .draw = cylinder_draw,
};
