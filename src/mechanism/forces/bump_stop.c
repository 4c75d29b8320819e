/* SPDX-License-Identifier: BSD-3-Clause */
/* Stops that act only where the length between two points leaves its range, pressed in by d:
 *
 *     d = l - above  or  d = below - l,   f = max(0, k d^n + c ddot) while d > 0,   V = k d^(n+1) / (n+1)
 *
 * They push back and never pull, however fast they are left. */
#include "mechanism/forces/ends.h"

typedef struct Values {
    HolEnds ends;
    double above, below, stiffness, damping, exponent;
} Values;

typedef struct BumpStop {
    HolLaw law;
    HolContact contact;
    bool has_above, has_below;
    double above, below;
} BumpStop;

static HolTension tension(const void *self, const HolStretch *at)
{
    const BumpStop *s = self;
    HolTension above = {0}, below = {0};
    if (s->has_above)
        above = hol_contact_force(&s->contact, at->l - s->above, at->ldot);
    if (s->has_below)
        below = hol_contact_force(&s->contact, s->below - at->l, -at->ldot);
    return (HolTension){above.f - below.f, above.V_l - below.V_l, above.f_l + below.f_l, above.f_ldot + below.f_ldot};
}

static double potential(const void *self, int part, double l)
{
    (void)part;
    const BumpStop *s = self;
    double above = s->has_above ? hol_contact_potential(&s->contact, l - s->above) : 0;
    double below = s->has_below ? hol_contact_potential(&s->contact, s->below - l) : 0;
    return above + below;
}

static const HolField fields[] = {
    HOL_ENDS_FIELDS("bump-stop", Values),
    {"above", HOL_FIELD_NUMBER, offsetof(Values, above), "acts where the length is above this", .unit = "m",
     .fallback = "no stop there"},
    {"below", HOL_FIELD_NUMBER, offsetof(Values, below), "acts where the length is below this", .unit = "m",
     .fallback = "no stop there"},
    {"stiffness", HOL_FIELD_NUMBER, offsetof(Values, stiffness), "force per (depth to the power of the exponent)",
     .needed = true},
    {"damping", HOL_FIELD_NUMBER, offsetof(Values, damping),
     "force per speed of pressing in, while it acts; it never makes the stop pull", .unit = "N*s/m"},
    {"exponent", HOL_FIELD_NUMBER, offsetof(Values, exponent), "of the depth, at least 1", .unit = "", .otherwise = 1,
     .fallback = "1"},
};

enum { FIELD_COUNT = sizeof fields / sizeof *fields };

static bool was_given(const HolPart *part, const char *name)
{
    return hol_was_given(part->given, fields, FIELD_COUNT, name);
}

static void check(HolBuilder *builder, const HolPart *part, const Values *values)
{
    static const char *const sides[] = {"above", "below", NULL};
    bool has_both = was_given(part, "above") && was_given(part, "below");
    if (!hol_part_has_any(part, fields, FIELD_COUNT, sides))
        hol_reader_error(builder->reader, part->node->place, "it has neither 'above' nor 'below' and would never act");
    if (has_both && values->above < values->below)
        hol_reader_error(builder->reader, hol_part_place(part, "above"),
                         "'above' (%g) is less than 'below' (%g), so that no length is free of both", values->above,
                         values->below);
    if (values->exponent < 1)
        hol_reader_error(builder->reader, hol_part_place(part, "exponent"), "'exponent' must be at least 1, not %g",
                         values->exponent);
    hol_warn_negative(builder, part, "stiffness", values->stiffness);
    hol_warn_negative(builder, part, "damping", values->damping);
}

static void build(HolBuilder *builder, const HolPart *part, const void *values, HolForce *force)
{
    const Values *from = values;
    BumpStop *s = hol_force_memory(builder, sizeof *s);
    check(builder, part, from);
    if (!s)
        return;
    int measure = hol_ends_measure(builder, part, &from->ends, was_given(part, "along"));
    if (measure < 0)
        return;
    *s = (BumpStop){.law = {.tension = tension, .potential = potential},
                    .contact = {from->stiffness, from->damping, from->exponent},
                    .has_above = was_given(part, "above"),
                    .has_below = was_given(part, "below"),
                    .above = from->above,
                    .below = from->below};
    hol_law_add(&s->law, measure);
    force->self = s;
    force->body[0] = from->ends.body[0];
    force->body[1] = from->ends.body[1];
}

const HolForceKind hol_bump_stop = {
    .kind = {"bump-stop", "stops that act only where a length leaves its range", "[body, body]", HOL_EVERYWHERE,
             HOL_FIELDS(fields, Values)},
    .build = build,
    .apply = hol_law_apply,
    .potential = hol_law_potential,
    .tangent = hol_law_tangent,
    .chord = hol_law_chord,
    .ends = hol_law_ends,
};
