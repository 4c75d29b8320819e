/* SPDX-License-Identifier: BSD-3-Clause */
/* Attraction of two points:
 *
 *     f = k / l^2,   V = -k / l                                                                            (1) */
#include "mechanism/forces/endpoints.h"

typedef struct Values {
    HolEndpoints ends;
    double strength;
} Values;

typedef struct Attraction {
    HolLaw law;
    double k;
} Attraction;

static HolTension attraction_tension(const void *self, const HolStretch *at)
{
    double f = ((const Attraction *)self)->k / (at->l * at->l);
    return (HolTension){.f = f, .V_l = f, .f_l = -2 * f / at->l};
}

static double attraction_potential(const void *self, int part, double l)
{
    (void)part;
    return -((const Attraction *)self)->k / l;
}

static const HolField fields[] = {
    HOL_ENDPOINT_FIELDS("attraction", Values),
    {"strength", HOL_FIELD_NUMBER, offsetof(Values, strength), "force times square of the distance", .unit = "N*m^2",
     .needed = true},
};

static void attraction_build(HolBuilder *builder, const HolPart *part, const void *values, HolForce *force)
{
    const Values *from = values;
    Attraction *s = hol_force_memory(builder, sizeof *s);
    int measure = s ? hol_endpoints_measure(builder, part, &from->ends) : -1;
    if (measure < 0)
        return;
    *s = (Attraction){.law = {.tension = attraction_tension, .potential = attraction_potential}, .k = from->strength};
    hol_law_attach(builder, &s->law, measure, force);
}

static const HolSample samples[] = {
    {"{attraction: [a, b], from: P, to: Q, strength: 3}", HOL_EVERYWHERE, 0, 0},
};

const HolForceKind hol_attraction = {
    .kind = {"attraction", "two points attract each other by the inverse square of their distance", "[body, body]",
             HOL_EVERYWHERE, HOL_FIELDS(fields, Values), HOL_SAMPLES(samples)},
    .build = attraction_build,
    HOL_LAW_OPS,
    .ends = hol_law_ends,
};
