/* SPDX-License-Identifier: BSD-3-Clause */
/* A solid sphere. */
#include "mechanism/bodies/drawing.h"

#include <math.h>

typedef struct Values {
    HolBodyValues body;
    double radius;
} Values;

static bool sphere_measure(HolBuilder *builder, const HolPart *part, const void *values, HolShape *shape)
{
    (void)builder, (void)part;
    double radius = ((const Values *)values)->radius;
    shape->volume = 4 * M_PI / 3 * radius * radius * radius;
    for (int i = 0; i < 3; ++i)
        shape->square[i] = 0.4 * radius * radius;
    return true;
}

static void sphere_draw(const HolDrawing *drawing, const void *values)
{
    hol_draw_sphere(drawing, drawing->shape->centre, ((const Values *)values)->radius);
}

static const HolField fields[] = {
    {"sphere", HOL_FIELD_NUMBER, offsetof(Values, radius), .needed = true, .unit = "m", .rule = HOL_POSITIVE,
     .help = "its radius"},
    HOL_BODY_FIELDS,
    HOL_BODY_AT,
};

static const HolSample samples[] = {
    {"{sphere: 0.2, density: 1000, at: P}", HOL_EVERYWHERE, 0, 0},
};

const HolBodyKind hol_sphere = {
    .kind = {"sphere", "a solid sphere", "radius", HOL_EVERYWHERE, HOL_FIELDS(fields, Values), HOL_SAMPLES(samples)},
    .measure = sphere_measure,
    .draw = sphere_draw,
};
