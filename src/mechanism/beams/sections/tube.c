/* SPDX-License-Identifier: BSD-3-Clause */
/* A circular tube. With m the ratio of the radii, its shear factor is Cowper's for nu = 0,
 *
 *     6 (1 + m^2)^2 / (7 (1 + m^2)^2 + 20 m^2)                                                              (1) */
#include "mechanism/beams/sections/section.h"

#include <math.h>

typedef struct Values {
    HolMaterial material;
    HolNumbers tube;
} Values;

static bool tube_check(HolBuilder *builder, const HolPart *part, void *values)
{
    Values *v = values;
    if (v->tube.count != 2)
        return hol_reader_error(builder->reader, hol_part_place(part, "tube"),
                                "'tube' must be [outer radius, wall], not %d numbers", v->tube.count);
    if (!(v->tube.x[1] <= v->tube.x[0]))
        return hol_reader_error(builder->reader, hol_part_place(part, "tube"),
                                "the wall (%g m) of the tube is thicker than its outer radius (%g m)", v->tube.x[1],
                                v->tube.x[0]);
    return hol_material_check(builder, part, &v->material);
}

static void tube_measure(const void *values, double s, HolCrossSection *section)
{
    (void)s;
    const Values *v = values;
    double outer = v->tube.x[0], inner = outer - v->tube.x[1], m = inner / outer * inner / outer;
    double I = M_PI * (pow(outer, 4) - pow(inner, 4)) / 4, shear = 6 * (1 + m) * (1 + m);
    HolArea area = {.A = M_PI * (outer * outer - inner * inner), .I = {I, I}, .torsion = 2 * I};
    area.shear[0] = area.shear[1] = shear / (7 * (1 + m) * (1 + m) + 20 * m); /* (1) */
    hol_material_measure(&v->material, &area, section);
}

static bool tube_draw(const void *values, double size[2])
{
    size[0] = size[1] = 2 * ((const Values *)values)->tube.x[0];
    return true;
}

static const HolField fields[] = {
    {"tube", HOL_FIELD_NUMBERS, offsetof(Values, tube), .needed = true, .unit = "m", .rule = HOL_POSITIVE,
     .help = "[outer radius, wall]"},
    HOL_MATERIAL_FIELDS,
};

static const HolSample samples[] = {
    {"{tube: [10 mm, 2 mm], E: 1 MPa, nu: 0.4, density: 1100}", HOL_IN_SPACE, 0, 0},
};

const HolSectionKind hol_tube = {
    .kind = {"tube", "a circular tube", "[outer radius, wall]", HOL_IN_SPACE, HOL_FIELDS(fields, Values),
             HOL_SAMPLES(samples), .natural = true},
    .check = tube_check,
    .measure = tube_measure,
    .draw = tube_draw,
};
