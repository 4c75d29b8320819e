/* SPDX-License-Identifier: BSD-3-Clause */
/* A box; in the plane a rectangle, which needs a mass. */
#include "mechanism/bodies/drawing.h"

typedef struct Values {
    HolBodyValues body;
    HolNumbers edges;
} Values;

static bool box_measure(HolBuilder *builder, const HolPart *part, const void *values, HolShape *shape)
{
    const HolNumbers *edges = &((const Values *)values)->edges;
    bool planar = builder->mechanism->planar;
    if (edges->count != 3 && !(planar && edges->count == 2))
        return hol_reader_error(builder->reader, hol_part_place(part, "box"), "'box' needs %s, not %d",
                                planar ? "2 edge lengths, or 3 where it has a density," : "3 edge lengths",
                                edges->count);
    double a = edges->x[0], b = edges->x[1], c = edges->count == 3 ? edges->x[2] : 0;
    shape->volume = a * b * c;
    shape->square[0] = (b * b + c * c) / 12;
    shape->square[1] = (a * a + c * c) / 12;
    shape->square[2] = (a * a + b * b) / 12;
    return true;
}

static void box_draw(const HolDrawing *drawing, const void *values)
{
    const HolNumbers *edges = &((const Values *)values)->edges;
    double axes[3][3];
    hol_drawing_axes(drawing, axes);
    hol_draw_box(drawing, drawing->shape->centre,
                 (double[]){edges->x[0], edges->x[1], edges->count == 3 ? edges->x[2] : 0}, axes[0]);
}

static const HolField fields[] = {
    {"box", HOL_FIELD_NUMBERS, offsetof(Values, edges), .needed = true, .unit = "m", .rule = HOL_POSITIVE,
     .help = "edge lengths along the body axes"},
    HOL_BODY_FIELDS,
    HOL_BODY_AT,
};

static const HolSample samples[] = {
    {"{box: [0.4, 0.2], mass: 2, at: P}", HOL_IN_PLANE, 0, 0},
    {"{box: [0.4, 0.2, 0.1], density: 1000, at: P}", HOL_EVERYWHERE, 0, 0},
};

const HolBodyKind hol_box = {
    .kind = {"box", "a box, in the plane a rectangle", "[length, width, height]", HOL_EVERYWHERE,
             HOL_FIELDS(fields, Values), HOL_SAMPLES(samples)},
    .measure = box_measure,
    .draw = box_draw,
};
