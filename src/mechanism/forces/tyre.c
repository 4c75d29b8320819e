/* SPDX-License-Identifier: BSD-3-Clause */
/* A tyre on a road: a vertical force on a point of a body where it is compressed by d. With z upwards (y in the plane)
 * and the road h(x, t):
 *
 *     d    = R + h(x, t) - z,   ddot = h_x xdot + h_t - zdot                                               (1)
 *     Q    = N grad z,          N = max(0, k d + c ddot) while d > 0                                       (2)
 *     V    = k d^2 / 2 on a road that is level and at rest, else none, and N has the power N zdot          (3)
 *     dN   = N_d (h_x gx - gz) + N_ddot ((h_xx xdot + h_xt) gx + h_x rx - rz)      along dq                (4)
 *     dN   = N_ddot (h_x gx - gz)                                                  along dv                (5)
 *     K    = -gz dN^T - N Hz,   C = -gz dN^T                                                               (6)
 *
 * with gx, gz the gradients of x and z in v, H their derivative and r = H^T v. */
#include "mechanism/forces/endpoints.h"

typedef struct Values {
    int body;
    double radius, stiffness, damping;
    HolFunction road;
    double at[3];
} Values;

typedef struct Tyre {
    double radius;
    HolContact contact;
    HolFunction road;
    bool is_level;
    int x, z; /* measures from the ground (the first body) */
} Tyre;

static const HolMeasure *tyre_measure_of(const HolMotion *motion, int index)
{
    return &motion->mechanism->measures[index];
}

static void read_measure(const HolMotion *motion, int index, bool rates, HolGauge *gauge)
{
    hol_measure_read(tyre_measure_of(motion, index), motion->frames, motion->phi, rates, gauge);
}

/* The height of the road and its derivatives along (xdot, tdot). */
static HolJet road_along(const Tyre *s, double x, double t, double xdot, double tdot)
{
    const HolJet at[2] = {{x, xdot, 0}, {t, tdot, 0}};
    return hol_function_jet(&s->road, at);
}

/* (1), (2) */
static HolTension tyre_push(const Tyre *s, const HolMotion *motion, const HolGauge *x, const HolGauge *z)
{
    HolJet h = road_along(s, x->value, motion->t, x->rate, 1);
    return hol_contact_force(&s->contact, s->radius + h.f - z->value, h.d - z->rate);
}

static void tyre_apply(const HolForce *force, const HolMotion *motion)
{
    const Tyre *s = force->self;
    HolGauge x, z;
    read_measure(motion, s->x, true, &x);
    read_measure(motion, s->z, true, &z);
    HolTension N = tyre_push(s, motion, &x, &z);
    hol_motion_push(motion, force->body[0], N.f, z.g[1]);
    motion->terms->power += (N.f - (s->is_level ? N.V_l : 0)) * z.rate;
}

/* (3) */
static double tyre_potential(const HolForce *force, const HolMotion *motion)
{
    const Tyre *s = force->self;
    HolGauge z;
    read_measure(motion, s->z, false, &z);
    return s->is_level ? hol_contact_potential(&s->contact, s->radius + s->road.constant - z.value) : 0;
}

/* (6) */
static void tyre_add_tangent(const HolForce *force, const HolMotion *motion, double *matrix, const double *gz,
                             const double *dN, double N, const double *Hz)
{
    double block[HOL_WIDE * HOL_WIDE];
    for (int k = 0; k < HOL_WIDE * HOL_WIDE; ++k)
        block[k] = -gz[k / HOL_WIDE] * dN[k % HOL_WIDE] - (Hz ? N * Hz[k] : 0);
    hol_motion_add_block(motion, matrix, force->tangent[0][0], force->body[0], force->body[0], block);
}

static void tyre_tangent(const HolForce *force, const HolMotion *motion)
{
    const Tyre *s = force->self;
    HolGauge x = {0}, z = {0};
    HolBlocks Hx = {0}, Hz = {0};
    double rx[HOL_WIDE] = {0}, rz[HOL_WIDE] = {0}, along_q[HOL_WIDE], along_v[HOL_WIDE];
    read_measure(motion, s->x, true, &x);
    read_measure(motion, s->z, true, &z);
    hol_measure_add_hessian(tyre_measure_of(motion, s->x), motion->frames, 1, Hx);
    hol_measure_add_hessian(tyre_measure_of(motion, s->z), motion->frames, 1, Hz);
    hol_law_add_rate(motion, force->body[0], Hx[1][1], rx);
    hol_law_add_rate(motion, force->body[0], Hz[1][1], rz);

    HolTension N = tyre_push(s, motion, &x, &z);
    HolJet h = road_along(s, x.value, motion->t, 1, 0), h_t = road_along(s, x.value, motion->t, 0, 1);
    double h_xt = 0.5 * (road_along(s, x.value, motion->t, 1, 1).dd - h.dd - h_t.dd);
    for (int i = 0; i < HOL_WIDE; ++i) {
        double dd = h.d * x.g[1][i] - z.g[1][i];
        along_v[i] = N.f_ldot * dd;                                                                      /* (5) */
        along_q[i] = N.f_l * dd + N.f_ldot * ((h.dd * x.rate + h_xt) * x.g[1][i] + h.d * rx[i] - rz[i]); /* (4) */
    }
    tyre_add_tangent(force, motion, motion->terms->K, z.g[1], along_q, N.f, Hz[1][1]);
    tyre_add_tangent(force, motion, motion->terms->C, z.g[1], along_v, N.f, NULL);
}

/* On a level road: a law of z. */
static void tyre_discrete_gradient(const HolForce *force, const HolDiscreteGradientMotion *motion)
{
    const Tyre *s = force->self;
    HolGauge a, b, middle;
    if (!s->is_level)
        return;
    read_measure(&motion->a, s->z, false, &a);
    read_measure(&motion->b, s->z, false, &b);
    read_measure(&motion->middle, s->z, false, &middle);
    const HolContact *contact = &s->contact;
    double top = s->radius + s->road.constant, mean = top - (a.value + b.value) / 2;
    double V_a = hol_contact_potential(contact, top - a.value), V_b = hol_contact_potential(contact, top - b.value);
    hol_discrete_gradient_push(
        motion, &(HolDiscreteGradientLaw){
                    .body = {0, force->body[0]},
                    .l_a = a.value,
                    .l_b = b.value,
                    .mean = hol_mean_slope(a.value, b.value, V_a, V_b, -hol_contact_force(contact, mean, 0).V_l),
                    .applied = -hol_contact_force(contact, top - middle.value, 0).V_l,
                    .middle = &middle});
}

static void tyre_events(const HolForce *force, const HolMotion *motion, HolCrossing *crossings)
{
    const Tyre *s = force->self;
    HolGauge x, z;
    read_measure(motion, s->x, true, &x);
    read_measure(motion, s->z, true, &z);
    HolJet h = road_along(s, x.value, motion->t, x.rate, 1);
    hol_contact_events(&s->contact, s->radius + h.f - z.value, h.d - z.rate, 0, crossings);
    HolJet at[2] = {{x.value, x.rate, 0}, {motion->t, 1, 0}}, g[HOL_MAX_CROSSINGS];
    int count = s->road.expression ? hol_expression_crossings(s->road.expression, 1, at, g) : 0;
    for (int i = 0; i < count; ++i)
        crossings[HOL_CONTACT_EVENTS + i] = (HolCrossing){g[i].f, g[i].d, 0};
}

static int tyre_name_events(const HolForce *force, HolEventName *named)
{
    const Tyre *s = force->self;
    int count = s->road.expression ? hol_expression_crossings(s->road.expression, 1, NULL, NULL) : 0;
    for (int i = 0; named && i < count; ++i)
        named[HOL_CONTACT_EVENTS + i] =
            (HolEventName){NULL, "passes an edge of its road", "passes an edge of its road"};
    if (named)
        hol_contact_name_events(named);
    return HOL_CONTACT_EVENTS + count;
}

static const char *const variables[] = {"x", "t", NULL};

static const HolExpression *tyre_function(const HolForce *force, int *time)
{
    const HolExpression *road = ((const Tyre *)force->self)->road.expression;
    *time = 1;
    return road && hol_expression_depends(road, 0, 0) ? road : NULL;
}

static void tyre_argument(const HolForce *force, const HolMotion *motion, double here[2])
{
    HolGauge x;
    read_measure(motion, ((const Tyre *)force->self)->x, true, &x);
    here[0] = x.value;
    here[1] = x.rate;
}

static const HolField fields[] = {
    {"tyre", HOL_FIELD_BODY, offsetof(Values, body), "the body on which the road acts", .needed = true},
    {"radius", HOL_FIELD_NUMBER, offsetof(Values, radius), "radius of the undeformed tyre", .unit = "m", .needed = true,
     .rule = HOL_POSITIVE},
    {"stiffness", HOL_FIELD_NUMBER, offsetof(Values, stiffness), "vertical force per depth", .unit = "N/m",
     .needed = true},
    {"damping", HOL_FIELD_NUMBER, offsetof(Values, damping),
     "force per rate of compression while in contact; the road never pulls", .unit = "N*s/m"},
    {"road", HOL_FIELD_FUNCTION, offsetof(Values, road),
     "height of the road as a function of x and t; z is up, in the plane y", .unit = "m", .names = variables},
    {"at", HOL_FIELD_POINT, offsetof(Values, at), "the centre of the tyre", .fallback = "the centre of mass"},
};

static void tyre_build(HolBuilder *builder, const HolPart *part, const void *values, HolForce *force)
{
    static const double origin[3] = {0}, axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const Values *from = values;
    Tyre *s = hol_force_memory(builder, sizeof *s);
    if (!s)
        return;
    if (from->body == 0) {
        hol_reader_error(builder->reader, hol_part_place(part, "tyre"), "the ground has no tyre; name a body");
        return;
    }
    hol_warn_negative(builder, part, "stiffness", from->stiffness);
    hol_warn_negative(builder, part, "damping", from->damping);
    bool has_place = hol_part_was_given(part, "at");
    const double *at = has_place ? from->at : builder->frames[from->body].r;
    *s = (Tyre){from->radius, {from->stiffness, from->damping, 1}, from->road, !from->road.expression, 0, 0};
    s->x = hol_measure_add_offset(builder, 0, from->body, axes[0], origin, at);
    s->z = hol_measure_add_offset(builder, 0, from->body, axes[builder->mechanism->planar ? 1 : 2], origin, at);
    force->self = s;
    force->body[0] = from->body;
}

static const HolSample samples[] = {
    {"{tyre: b, radius: 0.5, stiffness: 1000, damping: 5}", HOL_IN_PLANE, 0, 0},
    {"{tyre: b, radius: 0.5, stiffness: 1000, road: 0.1*sin(x) + 0.01*t}", HOL_IN_PLANE, 0, 0},
    {"{tyre: b, radius: 0.9, stiffness: 1000, damping: 5}", HOL_IN_SPACE, 0, 0},
    {"{tyre: b, radius: 0.9, stiffness: 1000, road: 0.1*sin(x) + 0.01*t}", HOL_IN_SPACE, 0, 0},
};

const HolForceKind hol_tyre = {
    .kind = {"tyre", "the vertical force of a road on a tyre", "body", HOL_EVERYWHERE, HOL_FIELDS(fields, Values),
             HOL_SAMPLES(samples)},
    .build = tyre_build,
    .apply = tyre_apply,
    .potential = tyre_potential,
    .tangent = tyre_tangent,
    .discrete_gradient = tyre_discrete_gradient,
    .name_events = tyre_name_events,
    .events = tyre_events,
    .function = tyre_function,
    .argument = tyre_argument,
};
