/* SPDX-License-Identifier: BSD-3-Clause */
/* A section by its stiffnesses and its mass per length, functions of the place s along the beam. Without J2 and J3 the
 * mass lies as the stiffness does, J = m EI / EA. */
#include "mechanism/beams/section.h"

#include <string.h>

enum { EA, GA2, GA3, GJ, EI2, EI3, MASS, J2, J3, COUNT };

typedef struct Values {
    HolFunction f[COUNT];
    bool has_J[2];
} Values;

static bool check(HolBuilder *builder, const HolPart *part, void *values)
{
    (void)builder;
    Values *v = values;
    v->has_J[0] = part->given >> J2 & 1;
    v->has_J[1] = part->given >> J3 & 1;
    return true;
}

static void measure(const void *values, double s, HolCrossSection *section)
{
    const Values *v = values;
    double x[COUNT];
    for (int i = 0; i < COUNT; ++i)
        x[i] = hol_function_value(&v->f[i], &s);
    memset(section, 0, sizeof *section);
    for (int i = 0; i < HOL_STRAINS; ++i)
        section->S[i][i] = x[EA + i];
    section->mu[0][0] = x[MASS];
    for (int i = 0; i < 2; ++i) /* J2 is int X_3^2 dm */
        section->mu[2 - i][2 - i] = v->has_J[i] ? x[J2 + i] : x[MASS] * x[EI2 + i] / x[EA];
}

static const char *const variables[] = {"s", NULL};

static const HolField fields[COUNT] = {
    {"EA", HOL_FIELD_FUNCTION, offsetof(Values, f[EA]), "against stretching, a function of s", .needed = true,
     .unit = "N", .names = variables},
    {"GA2", HOL_FIELD_FUNCTION, offsetof(Values, f[GA2]), "against shear along axis 2", .needed = true, .unit = "N",
     .names = variables},
    {"GA3", HOL_FIELD_FUNCTION, offsetof(Values, f[GA3]), "against shear along axis 3", .needed = true, .unit = "N",
     .names = variables},
    {"GJ", HOL_FIELD_FUNCTION, offsetof(Values, f[GJ]), "against twisting", .needed = true, .unit = "N*m^2",
     .names = variables},
    {"EI2", HOL_FIELD_FUNCTION, offsetof(Values, f[EI2]), "against bending about axis 2", .needed = true,
     .unit = "N*m^2", .names = variables},
    {"EI3", HOL_FIELD_FUNCTION, offsetof(Values, f[EI3]), "against bending about axis 3", .needed = true,
     .unit = "N*m^2", .names = variables},
    {"mass", HOL_FIELD_FUNCTION, offsetof(Values, f[MASS]), "per length", .needed = true, .unit = "kg/m",
     .names = variables},
    {"J2", HOL_FIELD_FUNCTION, offsetof(Values, f[J2]), "inertia per length about axis 2", .unit = "kg*m",
     .fallback = "mass EI2/EA", .names = variables},
    {"J3", HOL_FIELD_FUNCTION, offsetof(Values, f[J3]), "inertia per length about axis 3", .unit = "kg*m",
     .fallback = "mass EI3/EA", .names = variables},
};

const HolSectionKind hol_stiffnesses = {
    .kind = {"EA", "a section by its stiffnesses and mass per length, which may vary along the beam", "function",
             HOL_IN_SPACE, HOL_FIELDS(fields, Values)},
    .check = check,
    .measure = measure,
};
