/* SPDX-License-Identifier: BSD-3-Clause */
/* A spring between two points, or a damper, or any force law of the length between them; all given terms are added:
 *
 *     f = k (l - l0) + sum p_i l^i + table(l)  +  c ldot + F(l, ldot, t, u)                                   (1)
 *     V = k (l - l0)^2 / 2 + sum p_i l^(i+1) / (i+1) + integral of the table                               (2) */
#include "mechanism/forces/endpoints.h"

#include <math.h>

typedef struct Values {
    HolEndpoints ends;
    double stiffness, damping, free_length;
    HolFunction force;
    HolNumbers polynomial;
    const HolTable *table;
} Values;

typedef struct Spring {
    HolLaw law;
    double k, c, l0;
    HolFunction F;
    HolNumbers p;
    const HolTable *table;
    double V_drawn; /* of polynomial and table */
} Spring;

static void add_polynomial(const HolNumbers *p, double l, HolTension *sum)
{
    double f = 0, slope = 0;
    for (int i = p->count - 1; i >= 0; --i) {
        slope = slope * l + f;
        f = f * l + p->x[i];
    }
    sum->V_l += f;
    sum->f_l += slope;
}

/* (1) */
static HolTension spring_tension(const void *self, const HolStretch *at)
{
    const Spring *s = self;
    HolTension sum = {.V_l = s->k * (at->l - s->l0), .f_l = s->k, .f_ldot = s->c};
    add_polynomial(&s->p, at->l, &sum);
    if (s->table) {
        HolJet jet = hol_table_jet(s->table, (HolJet){at->l, 1, 0});
        sum.V_l += jet.f;
        sum.f_l += jet.d;
    }
    sum.f = sum.V_l + s->c * at->ldot;
    hol_tension_add(&s->F, at, &sum);
    return sum;
}

/* The potential of polynomial and table, up to a constant. */
static double curve_potential(const Spring *s, double l)
{
    double V = 0;
    for (int i = s->p.count - 1; i >= 0; --i)
        V = (V + s->p.x[i] / (i + 1)) * l;
    return s->table ? V + hol_table_integral(s->table, l) : V;
}

/* (2); the potential of polynomial and table is zero as drawn */
static double spring_potential(const void *self, int part, double l)
{
    (void)part;
    const Spring *s = self;
    return 0.5 * s->k * (l - s->l0) * (l - s->l0) + curve_potential(s, l) - s->V_drawn;
}

/* Of the polynomial: the sum of p_j / (j+1) (b^(j+1) - a^(j+1)) / (b - a), where the quotient is the sum of
 * a^(j-i) b^i over i = 0 ... j. */
static double mean_of_polynomial(const HolNumbers *p, double a, double b)
{
    double sum = 0;
    for (int j = 0; j < p->count; ++j) {
        double power = 0, b_to_i = 1;
        for (int i = 0; i <= j; ++i, b_to_i *= b)
            power = power * a + b_to_i;
        sum += p->x[j] / (j + 1) * power;
    }
    return sum;
}

/* Without the cancellation of large terms in V. */
static double spring_mean_slope(const void *self, int part, double a, double b)
{
    (void)part;
    const Spring *s = self;
    double sum = s->k * ((a + b) / 2 - s->l0) + mean_of_polynomial(&s->p, a, b);
    if (s->table)
        sum += hol_mean_slope(a, b, hol_table_integral(s->table, a), hol_table_integral(s->table, b),
                              hol_table_jet(s->table, (HolJet){(a + b) / 2, 0, 0}).f);
    return sum;
}

static const char *const variables[] = {"l", "ldot", "t", NULL};

static void spring_events(const void *self, const HolStretch *at, HolCrossing *crossings)
{
    hol_tension_events(&((const Spring *)self)->F, at, crossings);
}

static void spring_compressed(const HolForce *force, double depth, double *stiffness, double *damping)
{
    const Spring *s = force->self;
    double value[2], slope[2] = {0}, curvature[2];
    (void)depth;
    if (s->table)
        hol_table_bounds(s->table, -HUGE_VAL, HUGE_VAL, value, slope, curvature);
    *stiffness = s->table ? slope[1] + s->k : 0;
    *damping = s->table ? s->c : 0;
}

static int spring_name_events(const HolForce *force, HolEventName *named)
{
    return hol_tension_name_events(&((const Spring *)force->self)->F, named);
}

static const HolExpression *spring_function(const HolForce *force, int *time)
{
    return hol_tension_function(&((const Spring *)force->self)->F, time);
}

static const HolField fields[] = {
    HOL_ENDPOINT_FIELDS("spring", Values),
    {"stiffness", HOL_FIELD_NUMBER, offsetof(Values, stiffness), "tension per extension", .unit = "N/m"},
    {"damping", HOL_FIELD_NUMBER, offsetof(Values, damping), "tension per speed of extension", .unit = "N*s/m"},
    {"free_length", HOL_FIELD_NUMBER, offsetof(Values, free_length),
     "the length at which the stiffness gives no tension", .unit = "m", .fallback = "as drawn"},
    {"force", HOL_FIELD_FUNCTION, offsetof(Values, force), "tension as a function of l, ldot, t and inputs",
     .unit = "N", .names = variables, .inputs = true},
    {"polynomial", HOL_FIELD_NUMBERS, offsetof(Values, polynomial), "tension c0 + c1 l + c2 l^2 + ...",
     .fallback = "none"},
    {"table", HOL_FIELD_TABLE, offsetof(Values, table), "pairs [l, tension]; piecewise linear, constant outside",
     .fallback = "none"},
};

static void spring_warn(const HolBuilder *builder, const HolPart *part, const Values *values)
{
    hol_warn_negative(builder, part, "stiffness", values->stiffness);
    hol_warn_negative(builder, part, "damping", values->damping);
    if (hol_part_was_given(part, "free_length") && !hol_node_find(part->node, "stiffness"))
        hol_warning(builder->reader->model, hol_part_place(part, "free_length"),
                    "%s '%s': 'free_length' without 'stiffness' does nothing", part->what, part->name);
}

static void spring_build(HolBuilder *builder, const HolPart *part, const void *values, HolForce *force)
{
    static const char *const laws[] = {"stiffness", "damping", "force", "polynomial", "table", NULL};
    const Values *from = values;
    if (!hol_part_has_any(part, laws))
        hol_reader_error(builder->reader, part->node->place, "it needs stiffness, damping, force, polynomial or table");
    Spring *s = hol_force_memory(builder, sizeof *s);
    if (!s)
        return;
    int measure = hol_endpoints_measure(builder, part, &from->ends);
    if (measure < 0)
        return;
    spring_warn(builder, part, from);
    *s = (Spring){.law = {.tension = spring_tension,
                          .potential = spring_potential,
                          .mean_slope = spring_mean_slope,
                          .events = spring_events},
                  .k = from->stiffness,
                  .c = from->damping,
                  .l0 = from->free_length,
                  .F = from->force,
                  .p = from->polynomial,
                  .table = from->table};
    double drawn = hol_builder_measure_value(builder, measure);
    s->V_drawn = curve_potential(s, drawn);
    if (!hol_part_was_given(part, "free_length"))
        s->l0 = drawn;
    hol_law_attach(builder, &s->law, measure, force);
}

static const HolSample samples[] = {
    {"{spring: [a, b], from: P, to: Q, stiffness: 50, damping: 3, free_length: 0.4}", HOL_EVERYWHERE, 0, 0},
    {"{spring: [a, b], from: P, to: Q, along: [1, 1], stiffness: 50, damping: 3}", HOL_IN_PLANE, 0, 0},
    {"{spring: [ground, b], from: P, to: Q, force: 10*l^2 + 3*ldot^3 + t}", HOL_EVERYWHERE, 0, 0},
    {"{spring: [a, b], from: P, to: Q, polynomial: [1, -2, 3, 4]}", HOL_EVERYWHERE, 0, 0},
    {"{spring: [a, b], from: P, to: Q, table: [[0, -5], [0.5, 0], [3, 20]]}", HOL_EVERYWHERE, 0, 0},
    {"{spring: [a, b], from: P, to: Q, along: [1, 1, 1], stiffness: 50, damping: 3}", HOL_IN_SPACE, 0, 0},
};

const HolForceKind hol_spring = {
    .kind = {"spring", "a spring, damper or any force law of the length between two points", "[body, body]",
             HOL_EVERYWHERE, HOL_FIELDS(fields, Values), HOL_SAMPLES(samples)},
    .build = spring_build,
    HOL_LAW_OPS,
    .name_events = spring_name_events,
    .events = hol_law_events,
    .function = spring_function,
    .argument = hol_law_argument,
    .ends = hol_law_ends,
    .compressed = spring_compressed,
};
