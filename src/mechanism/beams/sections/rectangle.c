/* SPDX-License-Identifier: BSD-3-Clause */
/* A solid rectangle of edges a >= b. Torsion after Saint-Venant:
 *
 *     J = a b^3 / 3 (1 - 192 b / (pi^5 a) sum over odd n of tanh(n pi a / 2 b) / n^5)                       (1) */
#include "mechanism/beams/sections/section.h"

#include <math.h>

typedef struct Values {
    HolMaterial material;
    HolNumbers edges;
} Values;

/* (1); the remainder after n = 19 is below 1e-7 of the sum. */
static double torsion_of(double a, double b)
{
    double sum = 0;
    for (int n = 1; n < 20; n += 2)
        sum += tanh(n * M_PI * a / (2 * b)) / pow(n, 5);
    return a * b * b * b / 3 * (1 - 192 * b / (pow(M_PI, 5) * a) * sum);
}

static bool rectangle_check(HolBuilder *builder, const HolPart *part, void *values)
{
    Values *v = values;
    if (v->edges.count != 2)
        return hol_reader_error(builder->reader, hol_part_place(part, "rectangle"),
                                "'rectangle' must be [width, height] along axes 2 and 3, not %d numbers",
                                v->edges.count);
    return hol_material_check(builder, part, &v->material);
}

static void rectangle_measure(const void *values, double s, HolCrossSection *section)
{
    (void)s;
    const Values *v = values;
    double b = v->edges.x[0], c = v->edges.x[1];
    HolArea area = {
        .A = b * c, .I = {b * c * c * c / 12, c * b * b * b / 12}, .torsion = torsion_of(fmax(b, c), fmin(b, c))};
    area.shear[0] = area.shear[1] = 5.0 / 6;
    hol_material_measure(&v->material, &area, section);
}

static bool rectangle_draw(const void *values, double size[2])
{
    const double *edges = ((const Values *)values)->edges.x;
    size[0] = edges[0];
    size[1] = edges[1];
    return false;
}

static const HolField fields[] = {
    {"rectangle", HOL_FIELD_NUMBERS, offsetof(Values, edges), .needed = true, .unit = "m", .rule = HOL_POSITIVE,
     .help = "[width, height] along axes 2 and 3"},
    HOL_MATERIAL_FIELDS,
};

static const HolSample samples[] = {
    {"{rectangle: [10 mm, 20 mm], E: 1 MPa, nu: 0.4, density: 1100}", HOL_IN_SPACE, 0, 0},
};

const HolSectionKind hol_rectangle = {
    .kind = {"rectangle", "a solid rectangle", "[width, height]", HOL_IN_SPACE, HOL_FIELDS(fields, Values),
             HOL_SAMPLES(samples), .natural = true},
    .check = rectangle_check,
    .measure = rectangle_measure,
    .draw = rectangle_draw,
};
