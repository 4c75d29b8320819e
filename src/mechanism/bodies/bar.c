/* SPDX-License-Identifier: BSD-3-Clause */
/* A straight bar between two points: slender, of rectangular or of round section. */
#include "base/tolerances.h"
#include "mechanism/bodies/drawing.h"
#include "mechanism/kinematics/rotation.h"

#include <math.h>
#include <string.h>

typedef struct Values {
    HolBodyValues body;
    double ends[2][3];
    HolNumbers section;
    double stiffness;
} Values;

enum { SECTION = 1, STIFFNESS = 2 };

/* A slender bar in space needs some inertia about itself. */
static const double SLENDER_AXIAL = 1e-3;

/* Inertia per mass and volume from the section. */
static bool measure_section(HolBuilder *builder, const HolPart *part, const HolNumbers *section, double length,
                            HolShape *shape)
{
    double square = length * length / 12;
    const double *s = section->x;
    if (!(part->given >> SECTION & 1)) {
        shape->square[0] = SLENDER_AXIAL * square;
        shape->square[1] = shape->square[2] = square;
        return true;
    }
    if (section->count == 1) {
        shape->volume = M_PI * s[0] * s[0] * length;
        shape->square[0] = s[0] * s[0] / 2;
        shape->square[1] = shape->square[2] = square + s[0] * s[0] / 4;
        return true;
    }
    if (section->count != 2)
        return hol_reader_error(builder->reader, hol_part_place(part, "section"),
                                "'section' must be [width, height] or a radius, not %d numbers", section->count);
    shape->volume = s[0] * s[1] * length;
    shape->square[0] = (s[0] * s[0] + s[1] * s[1]) / 12;
    shape->square[1] = square + s[1] * s[1] / 12;
    shape->square[2] = square + s[0] * s[0] / 12;
    return true;
}

/* x along the bar, y horizontal where possible. */
static void bar_choose_axes(const double *x, HolShape *shape)
{
    double y[3] = {-x[1], x[0], 0};
    double horizontal = sqrt(hol_dot3(y, y));
    for (int i = 0; i < 3; ++i)
        y[i] = horizontal > HOL_TOL_PARALLEL ? y[i] / horizontal : (i == 1);
    hol_axes_from(x, y, shape->axes);
    shape->phi = atan2(x[1], x[0]);
}

static bool bar_measure(HolBuilder *builder, const HolPart *part, const void *values, HolShape *shape)
{
    const Values *v = values;
    double x[3];
    for (int i = 0; i < 3; ++i)
        x[i] = v->ends[1][i] - v->ends[0][i];
    double length = sqrt(hol_dot3(x, x));
    if (hol_is_same_place(builder->reader, v->ends[0], v->ends[1]))
        return hol_reader_error(builder->reader, hol_part_place(part, "bar"),
                                "its two ends are at the same place; a bar needs a length");
    for (int i = 0; i < 3; ++i) {
        x[i] /= length;
        shape->centre[i] = (v->ends[0][i] + v->ends[1][i]) / 2;
    }
    bar_choose_axes(x, shape);
    memcpy(shape->ends, v->ends, sizeof shape->ends);
    if (part->given >> STIFFNESS & 1)
        shape->compliance =
            hol_read_inverse(builder->reader, hol_part_place(part, "stiffness"), "stiffness", v->stiffness);
    return measure_section(builder, part, &v->section, length, shape);
}

static void bar_draw(const HolDrawing *drawing, const void *values)
{
    const Values *v = values;
    const double *s = v->section.x, (*ends)[3] = v->ends;
    double length[3] = {ends[1][0] - ends[0][0], ends[1][1] - ends[0][1], ends[1][2] - ends[0][2]};
    bool has_section = drawing->part->given >> SECTION & 1;
    if (has_section && v->section.count == 2)
        hol_draw_box(drawing, drawing->shape->centre, (double[]){sqrt(hol_dot3(length, length)), s[0], s[1]},
                     drawing->shape->axes[0]);
    else
        hol_draw_bar(drawing, ends, has_section ? s[0] : 0);
}

static const HolField fields[] = {
    {"bar", HOL_FIELD_POINTS, offsetof(Values, ends), .needed = true, .unit = "m", .help = "its two ends"},
    {"section", HOL_FIELD_NUMBERS, offsetof(Values, section), .unit = "m", .rule = HOL_POSITIVE, .fallback = "slender",
     .help = "[width, height] along body y and z, or a radius"},
    {"stiffness", HOL_FIELD_NUMBER, offsetof(Values, stiffness), .unit = "N/m", .rule = HOL_POSITIVE,
     .fallback = "rigid", .help = "axial stiffness, for reactions that are not unique"},
    HOL_BODY_FIELDS,
};

static const HolSample samples[] = {
    {"{bar: [O, P], mass: 2}", HOL_EVERYWHERE, 0, 0},
    {"{bar: [O, P], section: [0.1, 0.2], density: 1000}", HOL_EVERYWHERE, 0, 0},
    {"{bar: [O, P], section: 0.1, density: 1000}", HOL_EVERYWHERE, 0, 0},
};

const HolBodyKind hol_bar = {
    .kind = {"bar", "a straight bar between two points", "[point, point]", HOL_EVERYWHERE, HOL_FIELDS(fields, Values),
             HOL_SAMPLES(samples)},
    .measure = bar_measure,
    .draw = bar_draw,
};
