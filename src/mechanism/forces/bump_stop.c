/* SPDX-License-Identifier: BSD-3-Clause */
/* Stops that act only where the length between two points leaves its range, compressed by d:
 *
 *     d = l - above  or  d = below - l,   f = max(0, k d^n + c ddot) while d > 0,   V = k d^(n+1) / (n+1)
 *
 * They never pull, however fast they are released. */
#include "mechanism/forces/endpoints.h"

typedef struct Values {
    HolEndpoints ends;
    double above, below, stiffness, damping, exponent;
} Values;

typedef struct BumpStop {
    HolLaw law;
    HolContact contact;
    bool has_above, has_below;
    double above, below;
} BumpStop;

static HolTension bump_stop_tension(const void *self, const HolStretch *at)
{
    const BumpStop *s = self;
    HolTension above = {0}, below = {0};
    if (s->has_above)
        above = hol_contact_force(&s->contact, at->l - s->above, at->ldot);
    if (s->has_below)
        below = hol_contact_force(&s->contact, s->below - at->l, -at->ldot);
    return (HolTension){above.f - below.f, above.V_l - below.V_l, above.f_l + below.f_l, above.f_ldot + below.f_ldot};
}

static double bump_stop_potential(const void *self, int part, double l)
{
    (void)part;
    const BumpStop *s = self;
    double above = s->has_above ? hol_contact_potential(&s->contact, l - s->above) : 0;
    double below = s->has_below ? hol_contact_potential(&s->contact, s->below - l) : 0;
    return above + below;
}

static void bump_stop_events(const void *self, const HolStretch *at, HolCrossing *crossings)
{
    const BumpStop *s = self;
    if (s->has_above)
        hol_contact_events(&s->contact, at->l - s->above, at->ldot, at->l, crossings);
    if (s->has_below)
        hol_contact_events(&s->contact, s->below - at->l, -at->ldot, at->l,
                           crossings + (s->has_above ? HOL_CONTACT_EVENTS : 0));
}

static int bump_stop_name_events(const HolForce *force, HolEventName *named)
{
    const BumpStop *s = force->self;
    int sides = s->has_above + s->has_below;
    for (int i = 0; named && i < sides; ++i)
        hol_contact_name_events(named + i * HOL_CONTACT_EVENTS);
    return sides * HOL_CONTACT_EVENTS;
}

static void bump_stop_compressed(const HolForce *force, double depth, double *stiffness, double *damping)
{
    const BumpStop *s = force->self;
    HolTension at = hol_contact_force(&s->contact, depth, 0);
    *stiffness = at.f_l;
    *damping = at.f_ldot;
}

static const HolField fields[] = {
    HOL_ENDPOINT_FIELDS("bump-stop", Values),
    {"above", HOL_FIELD_NUMBER, offsetof(Values, above), "acts where the length is above this", .unit = "m",
     .fallback = "no stop there"},
    {"below", HOL_FIELD_NUMBER, offsetof(Values, below), "acts where the length is below this", .unit = "m",
     .fallback = "no stop there"},
    {"stiffness", HOL_FIELD_NUMBER, offsetof(Values, stiffness), "force per (depth to the power of the exponent)",
     .needed = true},
    {"damping", HOL_FIELD_NUMBER, offsetof(Values, damping),
     "force per rate of compression while in contact; the stop never pulls", .unit = "N*s/m"},
    {"exponent", HOL_FIELD_NUMBER, offsetof(Values, exponent), "exponent of the depth, at least 1", .unit = "",
     .otherwise = 1, .fallback = "1"},
};

static void bump_stop_check(HolBuilder *builder, const HolPart *part, const Values *values)
{
    static const char *const sides[] = {"above", "below", NULL};
    bool has_both = hol_part_was_given(part, "above") && hol_part_was_given(part, "below");
    if (!hol_part_has_any(part, sides))
        hol_reader_error(builder->reader, part->node->place, "it has neither 'above' nor 'below' and would never act");
    if (has_both && values->above < values->below)
        hol_reader_error(builder->reader, hol_part_place(part, "above"),
                         "'above' (%g) is less than 'below' (%g): between these lengths both stops would act",
                         values->above, values->below);
    if (values->exponent < 1)
        hol_reader_error(builder->reader, hol_part_place(part, "exponent"), "'exponent' must be at least 1, not %g",
                         values->exponent);
    hol_warn_negative(builder, part, "stiffness", values->stiffness);
    hol_warn_negative(builder, part, "damping", values->damping);
}

static void bump_stop_build(HolBuilder *builder, const HolPart *part, const void *values, HolForce *force)
{
    const Values *from = values;
    BumpStop *s = hol_force_memory(builder, sizeof *s);
    bump_stop_check(builder, part, from);
    if (!s)
        return;
    int measure = hol_endpoints_measure(builder, part, &from->ends);
    if (measure < 0)
        return;
    *s = (BumpStop){.law = {.tension = bump_stop_tension, .potential = bump_stop_potential, .events = bump_stop_events},
                    .contact = {from->stiffness, from->damping, from->exponent},
                    .has_above = hol_part_was_given(part, "above"),
                    .has_below = hol_part_was_given(part, "below"),
                    .above = from->above,
                    .below = from->below};
    hol_law_attach(builder, &s->law, measure, force);
}

static const HolSample samples[] = {
    {"{bump-stop: [a, b], from: P, to: Q, above: 0.3, stiffness: 100, damping: 2}", HOL_EVERYWHERE, 0, 0},
    {"{bump-stop: [a, b], from: P, to: Q, along: [1, 0], below: 2, stiffness: 100, exponent: 1.5}", HOL_IN_PLANE, 0, 0},
    {"{bump-stop: [a, b], from: P, to: Q, along: x, below: 2, stiffness: 100, exponent: 1.5}", HOL_IN_SPACE, 0, 0},
};

const HolForceKind hol_bump_stop = {
    .kind = {"bump-stop", "stops that act where the length between two points leaves its range", "[body, body]",
             HOL_EVERYWHERE, HOL_FIELDS(fields, Values), HOL_SAMPLES(samples)},
    .build = bump_stop_build,
    HOL_LAW_OPS,
    .name_events = bump_stop_name_events,
    .events = hol_law_events,
    .compressed = bump_stop_compressed,
    .ends = hol_law_ends,
};
