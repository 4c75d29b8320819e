/* SPDX-License-Identifier: BSD-3-Clause */
/* A bushing: springs and dampers against every displacement and rotation of the second body in the axes of the first,
 * zero as drawn. With x1, y1, z1 these axes, x2, y2, z2 what was drawn parallel to them on the second body:
 *
 *     d_x     = x1 . (P2 - P1)                                                                             (1)
 *     alpha_x = (z1 . y2 - y1 . z2) / 2,  and so on in turn; in the plane alpha is the angle               (2)
 *     f = k d + c ddot,  V = k d^2 / 2                                                                     (3)
 *
 * alpha is the sine of the angle times the axis of the rotation. */
#include "mechanism/forces/endpoints.h"

typedef struct Values {
    int body[2];
    double at[3];
    HolNumbers stiffness, damping, turning_stiffness, turning_damping;
} Values;

typedef struct Bushing {
    HolLaw law;
    double k[HOL_LAW_PARTS], c[HOL_LAW_PARTS];
} Bushing;

/* (3) */
static HolTension bushing_tension(const void *self, const HolStretch *at)
{
    const Bushing *s = self;
    double k = s->k[at->part], c = s->c[at->part];
    return (HolTension){k * at->l + c * at->ldot, k * at->l, k, c};
}

static double bushing_potential(const void *self, int part, double l)
{
    const Bushing *s = self;
    return 0.5 * s->k[part] * l * l;
}

static const HolField fields[] = {
    {"bushing", HOL_FIELD_BODIES, offsetof(Values, body), "the two bodies", .needed = true},
    {"at", HOL_FIELD_POINT, offsetof(Values, at), "the point of the bushing", .needed = true},
    {"stiffness", HOL_FIELD_NUMBERS, offsetof(Values, stiffness),
     "stiffness along the axes of the first body, or one number for all", .unit = "N/m", .fallback = "0"},
    {"damping", HOL_FIELD_NUMBERS, offsetof(Values, damping), "damping along the same axes", .unit = "N*s/m",
     .fallback = "0"},
    {"turning_stiffness", HOL_FIELD_NUMBERS, offsetof(Values, turning_stiffness),
     "against rotation about these axes, or one number for all of them (in the plane always one); "
     "in space for rotations well below 90 deg, after which it weakens",
     .unit = "N*m/rad", .fallback = "0"},
    {"turning_damping", HOL_FIELD_NUMBERS, offsetof(Values, turning_damping),
     "damping against rotation about the same axes", .unit = "N*m*s/rad", .fallback = "0"},
};

/* Reads one number for each of count axes. */
static void bushing_spread(HolBuilder *builder, const HolPart *part, const char *key, const HolNumbers *from, int count,
                           double *to)
{
    if (!hol_part_was_given(part, key))
        return;
    if (from->count != 1 && from->count != count) {
        hol_reader_error(builder->reader, hol_part_place(part, key), "'%s' must be %s, not %d numbers", key,
                         count == 1   ? "one number in the plane"
                         : count == 2 ? "two numbers in the plane, or one for both"
                                      : "three numbers in space, or one for all",
                         from->count);
        return;
    }
    for (int i = 0; i < count; ++i) {
        to[i] = from->x[from->count == 1 ? 0 : i];
        hol_warn_negative(builder, part, key, to[i]);
    }
}

static void bushing_read_numbers(HolBuilder *builder, const HolPart *part, const Values *from, Bushing *s)
{
    int count = builder->mechanism->planar ? 2 : 3, turning = builder->mechanism->planar ? 1 : 3;
    bushing_spread(builder, part, "stiffness", &from->stiffness, count, s->k);
    bushing_spread(builder, part, "damping", &from->damping, count, s->c);
    bushing_spread(builder, part, "turning_stiffness", &from->turning_stiffness, turning, s->k + count);
    if (from->turning_stiffness.count > 0)
        hol_warn_half_turn(builder, part, "turning_stiffness");
    bushing_spread(builder, part, "turning_damping", &from->turning_damping, turning, s->c + count);
}

/* (2) about axis i */
static HolMeasureSum turning_along(HolBuilder *builder, const Values *from, double axes[3][3], int i)
{
    const double *y = axes[(i + 1) % 3], *z = axes[(i + 2) % 3];
    int first = hol_measure_add_dot(builder, from->body[0], from->body[1], z, y);
    int second = hol_measure_add_dot(builder, from->body[0], from->body[1], y, z);
    return (HolMeasureSum){.count = 2, .measure = {first, second}, .k = {0.5, -0.5}};
}

/* (1), (2) */
static void add_measures(HolBuilder *builder, const Values *from, HolLaw *law)
{
    static const double z[3] = {0, 0, 1};
    const HolFrame *first = &builder->frames[from->body[0]];
    bool planar = builder->mechanism->planar;
    double axes[3][3];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            axes[i][j] = first->R[j][i];
    for (int i = 0; i < (planar ? 2 : 3); ++i)
        hol_law_add(law, hol_measure_add_offset(builder, from->body[0], from->body[1], axes[i], from->at, from->at));
    if (planar)
        hol_law_add(law, hol_measure_add_angle(builder, from->body[0], from->body[1], z));
    for (int i = 0; i < 3 && !planar; ++i)
        law->along[law->part_count++] = turning_along(builder, from, axes, i);
}

static void bushing_build(HolBuilder *builder, const HolPart *part, const void *values, HolForce *force)
{
    static const char *const laws[] = {"stiffness", "damping", "turning_stiffness", "turning_damping", NULL};
    const Values *from = values;
    if (!hol_part_has_any(part, laws))
        hol_reader_error(builder->reader, part->node->place,
                         "it needs stiffness, damping, turning_stiffness or turning_damping");
    Bushing *s = hol_force_memory(builder, sizeof *s);
    if (!s)
        return;
    s->law = (HolLaw){.tension = bushing_tension, .potential = bushing_potential};
    bushing_read_numbers(builder, part, from, s);
    add_measures(builder, from, &s->law);
    force->self = s;
    force->body[0] = from->body[0];
    force->body[1] = from->body[1];
}

static const HolSample samples[] = {
    {"{bushing: [a, b], at: P, stiffness: [50, 60], damping: [1, 2], turning_stiffness: 5, turning_damping: 0.2}",
     HOL_IN_PLANE, 0, 0},
    {"{bushing: [a, b], at: P, stiffness: [50, 60, 70], damping: [1, 2, 3], turning_stiffness: [5, 6, 7],"
     " turning_damping: [0.2, 0.3, 0.4]}",
     HOL_IN_SPACE, 0, 0},
};

const HolForceKind hol_bushing = {
    .kind = {"bushing", "springs and dampers against every displacement and rotation between two bodies",
             "[body, body]", HOL_EVERYWHERE, HOL_FIELDS(fields, Values), HOL_SAMPLES(samples)},
    .build = bushing_build,
    HOL_LAW_OPS,
};
