/* SPDX-License-Identifier: BSD-3-Clause */
/* A section by its stiffnesses and its mass per length, functions of the arc length s. Without J2 and J3 the mass is
 * distributed as the stiffness, J = m EI / EA. */
#include "mechanism/beams/sections/section.h"

#include <string.h>

enum { EA, GA2, GA3, GJ, EI2, EI3, MASS, J2, J3, COUNT };

typedef struct Values {
    HolFunction f[COUNT];
    bool has_J[2];
} Values;

static bool stiffnesses_check(HolBuilder *builder, const HolPart *part, void *values)
{
    (void)builder;
    Values *v = values;
    v->has_J[0] = part->given >> J2 & 1;
    v->has_J[1] = part->given >> J3 & 1;
    return true;
}

static void stiffnesses_measure(const void *values, double s, HolCrossSection *section)
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

#define FUNCTION(key, at, of, meaning, ...)                                                                            \
    HOL_FIELD(key, FUNCTION, Values, f[at], meaning, .unit = of, .names = variables, __VA_ARGS__)

static const HolField fields[COUNT] = {
    FUNCTION("EA", EA, "N", "axial stiffness, a function of s", .needed = true),
    FUNCTION("GA2", GA2, "N", "shear stiffness along axis 2", .needed = true),
    FUNCTION("GA3", GA3, "N", "shear stiffness along axis 3", .needed = true),
    FUNCTION("GJ", GJ, "N*m^2", "torsional stiffness", .needed = true),
    FUNCTION("EI2", EI2, "N*m^2", "bending stiffness about axis 2", .needed = true),
    FUNCTION("EI3", EI3, "N*m^2", "bending stiffness about axis 3", .needed = true),
    FUNCTION("mass", MASS, "kg/m", "mass per length", .needed = true),
    FUNCTION("J2", J2, "kg*m", "inertia per length about axis 2", .fallback = "mass EI2/EA"),
    FUNCTION("J3", J3, "kg*m", "inertia per length about axis 3", .fallback = "mass EI3/EA"),
};

static const HolSample samples[] = {
    {"{EA: 20, GA2: 7, GA3: 6, GJ: 3, EI2: 2, EI3: 1.5, mass: 1 + s, J2: 0.1, J3: 0.2}", HOL_IN_SPACE, 0, 0},
};

const HolSectionKind hol_stiffnesses = {
    .kind = {"EA", "a section by its stiffnesses and mass per length, which may vary along the beam", "function",
             HOL_IN_SPACE, HOL_FIELDS(fields, Values), HOL_SAMPLES(samples), .natural = true},
    .check = stiffnesses_check,
    .measure = stiffnesses_measure,
};
