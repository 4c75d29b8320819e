/* SPDX-License-Identifier: BSD-3-Clause */
/* A solid circle. */
#include "mechanism/beams/sections/section.h"

#include <math.h>

typedef struct Values {
    HolMaterial material;
    double radius;
} Values;

static bool circle_check(HolBuilder *builder, const HolPart *part, void *values)
{
    return hol_material_check(builder, part, &((Values *)values)->material);
}

static void circle_measure(const void *values, double s, HolCrossSection *section)
{
    (void)s;
    const Values *v = values;
    double square = v->radius * v->radius, I = M_PI * square * square / 4;
    HolArea area = {.A = M_PI * square, .I = {I, I}, .torsion = 2 * I, .shear = {6.0 / 7, 6.0 / 7}};
    hol_material_measure(&v->material, &area, section);
}

static bool circle_draw(const void *values, double size[2])
{
    size[0] = size[1] = 2 * ((const Values *)values)->radius;
    return true;
}

static const HolField fields[] = {
    {"circle", HOL_FIELD_NUMBER, offsetof(Values, radius), .needed = true, .unit = "m", .rule = HOL_POSITIVE,
     .help = "its radius"},
    HOL_MATERIAL_FIELDS,
};

static const HolSample samples[] = {
    {"{circle: 10 mm, E: 1 MPa, nu: 0.4, density: 1100}", HOL_IN_SPACE, 0, 0},
};

const HolSectionKind hol_circle = {
    .kind = {"circle", "a solid circle", "radius", HOL_IN_SPACE, HOL_FIELDS(fields, Values), HOL_SAMPLES(samples),
             .natural = true},
    .check = circle_check,
    .measure = circle_measure,
    .draw = circle_draw,
};
