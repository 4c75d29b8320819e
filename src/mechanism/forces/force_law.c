/* SPDX-License-Identifier: BSD-3-Clause */
#include "mechanism/forces/force_law.h"

#include "base/tolerances.h"

#include <math.h>
#include <string.h>

void hol_law_add(HolLaw *law, int measure)
{
    law->along[law->part_count++] = (HolMeasureSum){.count = 1, .measure = {measure}, .k = {1}};
}

void hol_law_attach(const HolBuilder *builder, HolLaw *law, int measure, HolForce *force)
{
    hol_law_add(law, measure);
    force->self = law;
    force->is_of_distance = builder->mechanism->measures[measure].kind == &hol_measure_length;
    memcpy(force->body, builder->mechanism->measures[measure].body, sizeof force->body);
}

void hol_law_count_turns(const HolBuilder *builder, HolLaw *law)
{
    if (hol_builder_angles_wrap(builder))
        law->along[0].angle = ++builder->mechanism->angle_count;
}

void hol_tension_add(const HolFunction *F, const HolStretch *at, HolTension *sum)
{
    if (!F->expression) {
        sum->f += F->constant;
        return;
    }
    double x[3 + HOL_MAX_INPUTS] = {at->l, at->ldot, at->t};
    memcpy(x + 3, at->u, (size_t)at->input_count * sizeof *x);
    sum->f += hol_function_value(F, x);
    if (!at->slopes)
        return;
    HolJet jets[3 + HOL_MAX_INPUTS];
    for (int i = 0; i < 3 + at->input_count; ++i)
        jets[i] = (HolJet){x[i], i == 0, 0}; /* along l, */
    sum->f_l += hol_function_jet(F, jets).d;
    jets[0].d = 0, jets[1].d = 1; /* and along ldot */
    sum->f_ldot += hol_function_jet(F, jets).d;
}

static HolStretch stretch_of(const HolMotion *motion, int part, const HolGauge *gauge, bool slopes)
{
    return (HolStretch){.part = part,
                        .l = gauge->value,
                        .ldot = gauge->rate,
                        .t = motion->t,
                        .slopes = slopes,
                        .u = motion->terms->u,
                        .input_count = motion->mechanism->input_count};
}

static const HolMeasure *law_measure_of(const HolMotion *motion, const HolMeasureSum *along, int i)
{
    return &motion->mechanism->measures[along->measure[i]];
}

/* (1) */
static void read_sum(const HolMotion *motion, const HolMeasureSum *along, bool rates, HolGauge *sum)
{
    *sum = (HolGauge){0};
    for (int i = 0; i < along->count; ++i) {
        HolGauge part = {0};
        hol_measure_read(law_measure_of(motion, along, i), motion->frames, motion->phi, rates, &part);
        sum->value += along->k[i] * part.value;
        sum->rate += along->k[i] * part.rate;
        for (int j = 0; j < HOL_WIDE; ++j) {
            sum->g[0][j] += along->k[i] * part.g[0][j];
            sum->g[1][j] += along->k[i] * part.g[1][j];
        }
    }
}

/* False where the length is too short to have a direction. */
static bool read_along(const HolMotion *motion, const HolMeasureSum *along, bool rates, HolGauge *gauge)
{
    const HolMeasure *first = law_measure_of(motion, along, 0);
    if (along->count > 1) {
        read_sum(motion, along, rates, gauge);
        return true;
    }
    hol_measure_read(first, motion->frames, motion->phi, rates, gauge);
    if (along->angle)
        gauge->value += 2 * M_PI * rint((motion->terms->angles[along->angle - 1] - gauge->value) / (2 * M_PI));
    return !(first->kind->is_length && gauge->value < HOL_TOL_LENGTH * motion->mechanism->length);
}

/* (2), (3) */
void hol_law_apply(const HolForce *force, const HolMotion *motion)
{
    const HolLaw *law = force->self;
    for (int i = 0; i < law->part_count; ++i) {
        HolGauge gauge;
        if (!read_along(motion, &law->along[i], true, &gauge))
            continue;
        HolStretch stretch = stretch_of(motion, i, &gauge, false);
        HolTension at = law->tension(law, &stretch);
        hol_motion_push(motion, force->body[0], -at.f, gauge.g[0]);
        hol_motion_push(motion, force->body[1], -at.f, gauge.g[1]);
        motion->terms->power -= (at.f - at.V_l) * gauge.rate;
    }
}

void hol_law_apply_unit(const HolForce *force, const HolMotion *motion)
{
    const HolLaw *law = force->self;
    HolGauge gauge;
    if (!read_along(motion, &law->along[0], false, &gauge))
        return;
    hol_motion_push(motion, force->body[0], -1, gauge.g[0]);
    hol_motion_push(motion, force->body[1], -1, gauge.g[1]);
}

double hol_law_potential(const HolForce *force, const HolMotion *motion)
{
    const HolLaw *law = force->self;
    double V = 0;
    for (int i = 0; i < law->part_count; ++i) {
        HolGauge gauge;
        read_along(motion, &law->along[i], false, &gauge);
        V += law->potential(law, i, gauge.value);
    }
    return V;
}

void hol_law_add_rate(const HolMotion *motion, int body, const double *H, double *r)
{
    double v[HOL_WIDE];
    int n = hol_frame_velocity(&motion->frames[body], v);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < HOL_WIDE; ++j)
            r[j] += H[HOL_WIDE * i + j] * v[i];
}

/* (4) and (5) for one length and two bodies; r is that of the second */
static void law_add_block(const HolForce *force, const HolMotion *motion, int i, int j, const HolGauge *gauge,
                          const HolTension *at, const double *r, const double *H)
{
    double K[HOL_WIDE * HOL_WIDE], C[HOL_WIDE * HOL_WIDE];
    if (force->tangent[i][j] < 0)
        return;
    for (int k = 0; k < HOL_WIDE * HOL_WIDE; ++k) {
        double g = gauge->g[i][k / HOL_WIDE], other = gauge->g[j][k % HOL_WIDE];
        K[k] = g * (at->f_l * other + at->f_ldot * r[k % HOL_WIDE]) + at->f * H[k];
        C[k] = at->f_ldot * g * other;
    }
    hol_motion_add_block(motion, motion->terms->K, force->tangent[i][j], force->body[i], force->body[j], K);
    hol_motion_add_block(motion, motion->terms->C, force->tangent[i][j], force->body[i], force->body[j], C);
}

static void law_add_tangent(const HolForce *force, const HolMotion *motion, const HolMeasureSum *along,
                            const HolGauge *gauge, const HolTension *at)
{
    HolBlocks H = {0};
    double r[2][HOL_WIDE] = {0};
    for (int i = 0; i < along->count; ++i)
        hol_measure_add_hessian(law_measure_of(motion, along, i), motion->frames, along->k[i], H);
    for (int k = 0; k < 4; ++k)
        hol_law_add_rate(motion, force->body[k / 2], H[k / 2][k % 2], r[k % 2]);
    for (int k = 0; k < 4; ++k)
        law_add_block(force, motion, k / 2, k % 2, gauge, at, r[k % 2], H[k / 2][k % 2]);
}

void hol_law_tangent(const HolForce *force, const HolMotion *motion)
{
    const HolLaw *law = force->self;
    for (int i = 0; i < law->part_count; ++i) {
        HolGauge gauge = {0};
        if (!read_along(motion, &law->along[i], true, &gauge))
            continue;
        HolStretch stretch = stretch_of(motion, i, &gauge, true);
        HolTension at = law->tension(law, &stretch);
        law_add_tangent(force, motion, &law->along[i], &gauge, &at);
    }
}

static double slope_at(const HolMotion *motion, const HolLaw *law, int part, double l)
{
    HolStretch at = stretch_of(motion, part, &(HolGauge){.value = l}, false);
    return law->tension(law, &at).V_l;
}

static double law_mean_slope(const HolMotion *motion, const HolLaw *law, int part, double a, double b)
{
    if (law->mean_slope)
        return law->mean_slope(law, part, a, b);
    double in_middle = slope_at(motion, law, part, (a + b) / 2);
    return hol_mean_slope(a, b, law->potential(law, part, a), law->potential(law, part, b), in_middle);
}

void hol_law_discrete_gradient(const HolForce *force, const HolDiscreteGradientMotion *motion)
{
    const HolLaw *law = force->self;
    const HolMotion *middle = &motion->middle;
    for (int i = 0; i < law->part_count; ++i) {
        const HolMeasureSum *along = &law->along[i];
        const HolMeasureKind *kind = law_measure_of(middle, along, 0)->kind;
        bool has_axes = !middle->mechanism->planar || middle->mechanism->natural; /* instead of an angle phi */
        HolGauge a, b, here = {0};
        bool has_direction = read_along(middle, along, false, &here);
        read_along(&motion->a, along, false, &a);
        read_along(&motion->b, along, false, &b);
        HolDiscreteGradientLaw stretched = {.body = {force->body[0], force->body[1]},
                                            .is_length = along->count == 1 && kind->is_length && has_axes,
                                            .is_angle = kind->is_angle && has_axes,
                                            .l_a = a.value,
                                            .l_b = b.value,
                                            .mean = law_mean_slope(middle, law, i, a.value, b.value),
                                            .applied = slope_at(middle, law, i, here.value),
                                            .middle = &here};
        if (has_direction)
            hol_discrete_gradient_push(motion, &stretched);
    }
}

/* max(0, f_l) at rest. */
static double law_stiffness(const HolMotion *motion, const HolLaw *law, int part, double l)
{
    HolStretch at = stretch_of(motion, part, &(HolGauge){.value = l}, true);
    return fmax(0, law->tension(law, &at).f_l);
}

void hol_law_strain_stiffness(const HolForce *force, const HolMotion *motion)
{
    const HolLaw *law = force->self;
    for (int part = 0; part < law->part_count; ++part) {
        HolGauge gauge = {0};
        if (!read_along(motion, &law->along[part], false, &gauge))
            continue;
        double k = law_stiffness(motion, law, part, gauge.value);
        for (int b = 0; b < 4; ++b) {
            double K[HOL_WIDE * HOL_WIDE];
            for (int i = 0; i < HOL_WIDE * HOL_WIDE; ++i)
                K[i] = k * gauge.g[b / 2][i / HOL_WIDE] * gauge.g[b % 2][i % HOL_WIDE];
            if (force->tangent[b / 2][b % 2] >= 0)
                hol_motion_add_block(motion, motion->terms->K, force->tangent[b / 2][b % 2], force->body[b / 2],
                                     force->body[b % 2], K);
        }
    }
}

/* How far l moves from a to b. */
static double law_change(const HolMotion *a, const HolMeasureSum *along, double l_a, double l_b)
{
    bool is_angle = law_measure_of(a, along, 0)->kind->is_angle;
    return is_angle ? remainder(l_b - l_a, 2 * M_PI) : l_b - l_a;
}

static void push_between(const HolForce *force, const HolDiscreteGradientMotion *motion, const HolMeasureSum *along,
                         const HolGauge *a, double change, double tension)
{
    const HolMeasureKind *kind = law_measure_of(&motion->middle, along, 0)->kind;
    HolGauge middle = {0};
    HolDiscreteGradientLaw stretched = {.body = {force->body[0], force->body[1]},
                                        .is_length =
                                            along->count == 1 && kind->is_length && motion->middle.mechanism->natural,
                                        .l_a = a->value,
                                        .l_b = a->value + change,
                                        .mean = tension,
                                        .middle = &middle};
    if (read_along(&motion->middle, along, false, &middle))
        hol_discrete_gradient_push(motion, &stretched);
}

void hol_law_strain_force(const HolForce *force, const HolStrainMotion *motion)
{
    const HolLaw *law = force->self;
    const HolStrainPath *path = motion->path;
    const HolMotion *at_a = &motion->between.a;
    for (int part = 0; part < law->part_count; ++part) {
        HolGauge a = {0}, b = {0};
        if (!read_along(at_a, &law->along[part], true, &a))
            continue;
        read_along(&motion->between.b, &law->along[part], false, &b);
        double change = law_change(at_a, &law->along[part], a.value, b.value);
        double tension = law_stiffness(at_a, law, part, a.value) * (path->of_change * change + path->of_z * a.rate);
        if (!path->at_a)
            push_between(force, &motion->between, &law->along[part], &a, change, tension);
        for (int i = 0; i < 2 && path->at_a; ++i)
            hol_motion_push(at_a, force->body[i], -tension, a.g[i]);
    }
}

void hol_law_follow(const HolForce *force, const HolMotion *motion)
{
    const HolLaw *law = force->self;
    HolGauge gauge;
    if (!law->along[0].angle)
        return;
    read_along(motion, &law->along[0], false, &gauge);
    motion->terms->angles[law->along[0].angle - 1] = gauge.value;
}

int hol_law_ends(const HolForce *force, const HolMechanism *mechanism, HolMark ends[2])
{
    const HolLaw *law = force->self;
    hol_measure_ends(&mechanism->measures[law->along[0].measure[0]], ends);
    return 2;
}

/* (6) */
HolTension hol_contact_force(const HolContact *contact, double d, double ddot)
{
    if (d <= 0)
        return (HolTension){0};
    double V_d = contact->k * pow(d, contact->n), f = V_d + contact->c * ddot;
    if (f <= 0)
        return (HolTension){.V_l = V_d};
    return (HolTension){f, V_d, contact->k * contact->n * pow(d, contact->n - 1), contact->c};
}

double hol_contact_potential(const HolContact *contact, double d)
{
    return d <= 0 ? 0 : contact->k * pow(d, contact->n + 1) / (contact->n + 1);
}

void hol_law_events(const HolForce *force, const HolMotion *motion, HolCrossing *crossings)
{
    const HolLaw *law = force->self;
    HolGauge gauge = {0};
    read_along(motion, &law->along[0], true, &gauge);
    HolStretch stretch = stretch_of(motion, 0, &gauge, false);
    law->events(law, &stretch, crossings);
}

void hol_contact_events(const HolContact *contact, double d, double ddot, double l, HolCrossing *crossings)
{
    bool is_damped = contact->c != 0 && d > 0;
    crossings[0] = (HolCrossing){d, ddot, l};
    crossings[1] = (HolCrossing){is_damped ? contact->k * pow(d, contact->n) + contact->c * ddot : NAN, NAN, 0};
}

void hol_contact_name_events(HolEventName *named)
{
    named[0] = (HolEventName){NULL, "closes", "opens"};
    named[1] = (HolEventName){NULL, "pushes", "releases"};
}

int hol_tension_name_events(const HolFunction *F, HolEventName *named)
{
    static const int t = 2; /* of l, ldot, t, u */
    int count = F->expression ? hol_expression_crossings(F->expression, t, NULL, NULL) : 0;
    for (int i = 0; named && i < count; ++i)
        named[i] = (HolEventName){NULL, "switches", "switches"};
    return count;
}

void hol_tension_events(const HolFunction *F, const HolStretch *at, HolCrossing *crossings)
{
    HolJet x[3 + HOL_MAX_INPUTS] = {{at->l, at->ldot, 0}, {at->ldot, NAN, NAN}, {at->t, 1, 0}}, g[HOL_MAX_CROSSINGS];
    for (int i = 0; i < at->input_count; ++i)
        x[3 + i] = (HolJet){at->u[i], 0, 0};
    int count = F->expression ? hol_expression_crossings(F->expression, 2, x, g) : 0;
    for (int i = 0; i < count; ++i)
        crossings[i] = (HolCrossing){g[i].f, g[i].d, 0};
}

const HolExpression *hol_tension_function(const HolFunction *F, int *time)
{
    *time = 2; /* of l, ldot, t, u */
    return F->expression && hol_expression_depends(F->expression, 0, 1) ? F->expression : NULL;
}

void hol_law_argument(const HolForce *force, const HolMotion *motion, double here[2])
{
    HolGauge gauge = {0};
    read_along(motion, &((const HolLaw *)force->self)->along[0], true, &gauge);
    here[0] = gauge.value;
    here[1] = gauge.rate;
}
