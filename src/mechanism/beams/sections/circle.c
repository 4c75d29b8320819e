/* SPDX-License-Identifier: BSD-3-Clause */
/* A full circle. */
#include "mechanism/beams/section.h"

#include <math.h>

typedef struct Values {
    HolMaterial material;
    double radius;
} Values;

static bool check(HolBuilder *builder, const HolPart *part, void *values)
{
    return hol_material_check(builder, part, &((Values *)values)->material);
}

static void measure(const void *values, double s, HolCrossSection *section)
{
    (void)s;
    const Values *v = values;
    double square = v->radius * v->radius, I = M_PI * square * square / 4;
    HolArea area = {.A = M_PI * square, .I = {I, I}, .torsion = 2 * I, .shear = {6.0 / 7, 6.0 / 7}};
    hol_material_measure(&v->material, &area, section);
}

static bool draw(const void *values, double size[2])
{
    size[0] = size[1] = 2 * ((const Values *)values)->radius;
    return true;
}

static const HolField fields[] = {
    {"circle", HOL_FIELD_NUMBER, offsetof(Values, radius), .needed = true, .unit = "m", .rule = HOL_POSITIVE,
     .help = "its radius"},
    HOL_MATERIAL_FIELDS,
};

const HolSectionKind hol_circle = {
    .kind = {"circle", "a full circle", "radius", HOL_IN_SPACE, HOL_FIELDS(fields, Values)},
    .check = check,
    .measure = measure,
    .draw = draw,
};
