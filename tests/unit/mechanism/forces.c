/* SPDX-License-Identifier: BSD-3-Clause */
/* Forces: every kind and option, in the plane and in space, against finite differences (Q against potential and power,
 * K and C against Q), and against closed forms; and the sentences about what cannot be built. */
#include <holon/mechanism.h>

#include "check.h"
#include "mechanism/forces/force_kind.h"
#include "random.h"

/* Two free bodies, and a third that carries joints without mattering. */
static const char space[] = "bodies:\n"
                            "  a: {rigid: [0.1, -0.2, 0.3], mass: 2, inertia: [0.5, 0.7, 0.9, 0.1, -0.05, 0.02],\n"
                            "      orientation: {axis: [1, 2, 3], angle: 0.7}}\n"
                            "  b: {rigid: [1, 0.4, 0.8], mass: 3, inertia: [0.8, 0.6, 1],\n"
                            "      orientation: {axis: [-1, 1, 0.5], angle: 1.2}}\n"
                            "joints:\n"
                            "  pin: {revolute: [a, b], at: [0.5, 0, 0.5], axis: [1, 1, 0]}\n"
                            "  hinge: {revolute: [ground, a], at: [0.5, 0, 0.5], axis: y}\n"
                            "  slide: {prismatic: [ground, b], at: [0, 0, 0], axis: x}\n"
                            "  ball: {spherical: [ground, b], at: [0, 0, 0]}\n";

static const char plane[] = "plane: xy\n"
                            "bodies:\n"
                            "  a: {rigid: [0.1, -0.2], mass: 2, inertia: 0.5, orientation: 0.7}\n"
                            "  b: {rigid: [1, 0.4], mass: 3, inertia: 0.8, orientation: -1.2}\n"
                            "joints:\n"
                            "  pin: {revolute: [a, b], at: [0.5, 0]}\n"
                            "  hinge: {revolute: [a, ground], at: [0.5, 0]}\n"
                            "  slide: {prismatic: [ground, b], at: [0, 0], axis: x}\n";

typedef struct Bench {
    HolModel *model;
    HolMechanism *mechanism;
    const HolSystem *system;
    const HolPattern *p;
    HolTerms *terms;
    double q[14], v[12];
} Bench;

static void close_bench(Bench *b)
{
    hol_terms_destroy(b->terms);
    hol_mechanism_destroy(b->mechanism);
    hol_model_destroy(b->model);
}

/* A model with one force; the status of building it. */
static HolStatus open_bench(Bench *b, const char *text, const char *force)
{
    *b = (Bench){.model = hol_model_create()};
    HolStatus status = b->model ? hol_model_parse(b->model, text, "test") : HOL_NO_MEMORY;
    if (status == HOL_OK)
        status = hol_model_set(b->model, "forces.f", "%s", force);
    if (status == HOL_OK)
        status = hol_mechanism_create(b->model, &b->mechanism);
    if (status != HOL_OK)
        return status;
    b->system = hol_mechanism_system(b->mechanism);
    b->p = hol_system_pattern(b->system);
    HolInitialState start = hol_mechanism_initial_state(b->mechanism);
    memcpy(b->q, start.q, (size_t)b->p->nq * sizeof *b->q);
    return hol_terms_create(b->system, &b->terms);
}

static bool build(Bench *b, const char *text, const char *force)
{
    CHECK_CONTEXT("%s", force);
    bool ok = CHECK_OK(open_bench(b, text, force));
    for (int i = 0; b->model && i < hol_model_error_count(b->model); ++i)
        printf("%s\n", hol_model_error(b->model, i));
    return ok;
}

static void evaluate(Bench *b, double t)
{
    HolPoint at = {t, b->q, b->v};
    CHECK_OK(hol_system_evaluate(b->system, &at, HOL_WANT_FORCE | HOL_WANT_ENERGY, b->terms));
}

/* ---- Against finite differences ---- */

enum { POINTS = 12 };

static void check_derivatives(const char *text, const char *force)
{
    Bench b;
    if (build(&b, text, force)) {
        CHECK_EQUAL_INT(hol_system_has_tangent(b.system), true);
        for (int i = 0; i < POINTS; ++i) {
            double w[12];
            HolMessage message = {{0}};
            random_fill(b.p->nv, w);
            random_fill(b.p->nv, b.v);
            hol_system_retract(b.system, b.q, w, b.q);
            HolPoint at = {random_number(), b.q, b.v};
            HolStatus status = hol_system_check(b.system, &at, &message);
            CHECK_CONTEXT("%s: %s", force, message.text);
            CHECK_OK(status);
            memcpy(b.q, hol_mechanism_initial_state(b.mechanism).q, (size_t)b.p->nq * sizeof *b.q);
        }
    }
    close_bench(&b);
}

static void derivatives_in_space(void)
{
    static const char *const forces[] = {
        "{force: a, at: [1, 2, 3], vector: [1, -2, 3]}",
        "{force: b, vector: [1, -2, 3]}",
        "{force: a, at: [1, 2, 3], vector: [sin(3*t), -2*t, 3]}",
        "{force: a, at: [1, 2, 3], vector: [1, -2, 3*t], axes: body}",
        "{force: a, at: [1, 2, 3], vector: [1, -2, 3], from: b}",
        "{force: a, at: [1, 2, 3], vector: [1, -2*t, 3], axes: body, from: b}",
        "{force: ground, at: [1, 2, 3], vector: [1, -2, 3], axes: body, from: b}",
        "{torque: a, vector: [1, 2*t, -3]}",
        "{torque: b, vector: [1, 2, -3], axes: body}",
        "{torque: a, vector: [1, 2, -3], from: b}",
        "{torque: b, vector: [1, 2, -3*t], from: a, axes: body}",
        "{spring: [a, b], from: [0.3, 0, 1], to: [1, 0.5, 1], stiffness: 20}",
        "{spring: [a, b], from: [0.3, 0, 1], to: [1, 0.5, 1], stiffness: 20, free_length: 0.3}",
        "{spring: [b, a], from: [0.3, 0, 1], to: [1, 0.5, 1], damping: 3}",
        "{spring: [ground, b], from: [3, 0, 1], to: [1, 0.5, 1], stiffness: 20, damping: 3}",
        "{spring: [a, ground], from: [3, 0, 1], to: [1, 0.5, 1], stiffness: 20, damping: 3}",
        "{spring: [a, b], from: [3, 0, 1], to: [1, 0.5, 1], force: 3*l^2 + l*ldot*sin(t) + ldot^2}",
        "{spring: [a, b], from: [3, 0, 1], to: [1, 0.5, 1], polynomial: [1, -2, 0.5, 0.3]}",
        "{spring: [a, b], from: [3, 0, 1], to: [1, 0.5, 1], table: [[0, -3], [1.5, 0], [2.2, 2], [4, 9]]}",
        "{spring: [a, b], from: [3, 0, 1], to: [1, 0.5, 1], along: [1, 1, 0], stiffness: 20, damping: 3}",
        "{spring: [a, b], from: [3, 0, 1], to: [3, 0, 1], along: z, stiffness: 20, damping: 3, force: l*ldot,"
        " polynomial: [1, 2, 3], table: [[-1, 2], [1, 3]]}",
        "{torsion: pin, stiffness: 20, damping: 3, free_angle: 10 deg}",
        "{torsion: hinge, damping: 3, torque: angle^3 + t*rate^2}",
        "{bushing: [a, b], at: [0.5, 0, 0], stiffness: [1, 20, 3], damping: [3, 2, 1],"
        " turning_stiffness: [5, 6, 7], turning_damping: [0.5, 0.6, 0.7]}",
        "{bushing: [a, b], at: [0.5, 0, 0], stiffness: 10, turning_damping: 2}",
        "{bushing: [ground, b], at: [0.5, 0, 0], stiffness: [1, 20, 3], turning_damping: [3, 2, 1]}",
        "{bushing: [b, ground], at: [0.5, 0, 0], damping: [1, 20, 3], turning_stiffness: [3, 2, 1]}",
        "{bump-stop: [a, b], from: [3, 0, 1], to: [1, 0.5, 1], above: 2, below: 2, stiffness: 20}",
        "{bump-stop: [a, b], from: [3, 0, 1], to: [1, 0.5, 1], above: 1, stiffness: 20, damping: 3}",
        "{bump-stop: [a, b], from: [3, 0, 1], to: [1, 0.5, 1], below: 5, stiffness: 20, damping: 3, exponent: 2}",
        "{bump-stop: [ground, b], from: [3, 0, 1], to: [1, 0.5, 1], below: 3, stiffness: 20, damping: 9, along: x,"
        " exponent: 1.5}",
        "{tyre: a, radius: 2, stiffness: 30}",
        "{tyre: a, radius: 2, stiffness: 30, damping: 4, road: 0.2}",
        "{tyre: b, radius: 2, stiffness: 30, damping: 4, road: 0.2*sin(3*x + t) + 0.1*x*t, at: [1, 2, 0]}",
        "{tyre: b, radius: 2, stiffness: 30, road: 0.2*x^2, at: [1, 2, 0]}",
        "{tyre: b, radius: 2, stiffness: 30, damping: 4, road: 0.2*t^2}",
    };
    random_seed(1);
    for (size_t i = 0; i < sizeof forces / sizeof *forces; ++i)
        check_derivatives(space, forces[i]);
}

static void derivatives_in_the_plane(void)
{
    static const char *const forces[] = {
        "{force: a, at: [1, 2], vector: [1, -2]}",
        "{force: a, at: [1, 2], vector: [1, -2*t]}",
        "{force: a, at: [1, 2], vector: [1, -2], axes: body}",
        "{force: a, at: [1, 2], vector: [1, -2], from: b}",
        "{force: a, at: [1, 2], vector: [1, -2*t], axes: body, from: b}",
        "{torque: a, vector: 2}",
        "{torque: a, vector: 2*t, from: b, axes: body}",
        "{spring: [a, b], from: [0.3, 0], to: [1, 0.5], stiffness: 20, damping: 3}",
        "{spring: [ground, b], from: [0.3, 0], to: [1, 0.5], force: l^2*ldot + t}",
        "{spring: [b, ground], from: [0.3, 0], to: [1, 0.5], polynomial: [1, 2, 3], along: [1, 2]}",
        "{torsion: pin, stiffness: 20, damping: 3, free_angle: 10 deg}",
        "{torsion: hinge, stiffness: 20, torque: angle^3 + t*rate^2}",
        "{bushing: [a, b], at: [0.5, 0], stiffness: [1, 20], damping: [3, 2], turning_stiffness: 5,"
        " turning_damping: 0.5}",
        "{bushing: [ground, b], at: [0.5, 0], stiffness: 10, turning_damping: 2}",
        "{bump-stop: [a, b], from: [0.3, 0], to: [1, 0.5], above: 1, below: 0.9, stiffness: 20, damping: 1}",
        "{bump-stop: [b, ground], from: [3, 0], to: [1, 0.5], above: -3, stiffness: 20, damping: 1, along: y,"
        " exponent: 3}",
        "{tyre: a, radius: 2, stiffness: 30, damping: 4}",
        "{tyre: b, radius: 2, stiffness: 30, damping: 4, road: 0.2*sin(3*x + t) + 0.1*x*t, at: [1, 1]}",
    };
    random_seed(2);
    for (size_t i = 0; i < sizeof forces / sizeof *forces; ++i)
        check_derivatives(plane, forces[i]);
}

/* ---- Closed forms ---- */

/* Two bodies without joints, drawn at (0, 0, 0) and (3, 4, 0) in global axes; l = 5 along (0.6, 0.8, 0). */
static const char pair[] = "bodies:\n"
                           "  a: {rigid: [0, 0, 0], mass: 1, inertia: [1, 1, 1]}\n"
                           "  b: {rigid: [3, 4, 0], mass: 1, inertia: [1, 1, 1]}\n";
#define BETWEEN ": [a, b], from: [0, 0, 0], to: [3, 4, 0]"

/* The tension between the two, which must act along the line, and nothing else. */
static double tension_of(Bench *b, double t)
{
    evaluate(b, t);
    const double *Q = b->terms->Q, f = 0.6 * Q[0] + 0.8 * Q[1];
    const double expected[12] = {0.6 * f, 0.8 * f, 0, 0, 0, 0, -0.6 * f, -0.8 * f};
    for (int i = 0; i < 12; ++i)
        CHECK_NEAR(Q[i], expected[i], 1e-12 * (1 + fabs(f)));
    return f;
}

/* Tension, potential (of curves from the drawn length 5 on) and power when b is moved outwards to the length l at the speed ldot. */
static void check_law(const char *force, double l, double ldot, double f, double V, double power)
{
    Bench b;
    if (build(&b, pair, force)) {
        CHECK_CONTEXT("%s at %g, %g", force, l, ldot);
        b.q[7] = 0.6 * l;
        b.q[8] = 0.8 * l;
        b.v[6] = 0.6 * ldot;
        b.v[7] = 0.8 * ldot;
        CHECK_NEAR(tension_of(&b, 2), f, 1e-10 * (1 + fabs(f)));
        CHECK_NEAR(b.terms->potential, V, 1e-10 * (1 + fabs(V)));
        CHECK_NEAR(b.terms->power, power, 1e-10 * (1 + fabs(power)));
    }
    close_bench(&b);
}

static void springs_pull(void)
{
    check_law("{spring" BETWEEN ", stiffness: 10}", 7, 0, 20, 20, 0);
    check_law("{spring" BETWEEN ", stiffness: 10, free_length: 8}", 7, 1, -10, 5, 0);
    check_law("{spring" BETWEEN ", damping: 3}", 7, 2, 6, 0, -12);
    check_law("{spring" BETWEEN ", force: l*ldot + t}", 7, 2, 16, 0, -32);
    check_law("{spring" BETWEEN ", polynomial: [1, 2, 3]}", 2, 1, 17, 14 - 155, 0);
    check_law("{spring" BETWEEN ", table: [[4, 0], [6, 10]]}", 5, 1, 5, 0, 0);
    check_law("{spring" BETWEEN ", table: [[4, 0], [6, 10]]}", 8, 1, 10, 30 - 2.5, 0);
    check_law("{spring" BETWEEN ", stiffness: 10, damping: 3, force: 1, polynomial: 4, table: [[0, 2], [9, 2]]}", 6, 2,
              23, 5 + 4 + 2, -14);
    check_law("{spring" BETWEEN ", along: [3, 4, 0], stiffness: 10}", 7, 0, 20, 20, 0);
    check_law("{spring" BETWEEN ", along: [3, 4, 0], stiffness: 10}", -7, 0, -120, 720, 0);
}

static void stops_push_on_one_side(void)
{
    check_law("{bump-stop" BETWEEN ", above: 6, below: 4, stiffness: 10, damping: 3}", 5, 9, 0, 0, 0);
    check_law("{bump-stop" BETWEEN ", above: 6, below: 4, stiffness: 10}", 8, 0, 20, 20, 0);
    check_law("{bump-stop" BETWEEN ", above: 6, below: 4, stiffness: 10}", 1, 0, -30, 45, 0);
    check_law("{bump-stop" BETWEEN ", above: 6, stiffness: 10, exponent: 2}", 8, 0, 40, 80.0 / 3, 0);
    check_law("{bump-stop" BETWEEN ", below: 4, stiffness: 10, exponent: 1.5}", 0.0, 0, 0, 10 / 2.5 * 32, 0);
    check_law("{bump-stop" BETWEEN ", below: 4, along: [3, 4, 0], stiffness: 10, exponent: 1.5}", 0, 0, -80, 128, 0);
    check_law("{bump-stop" BETWEEN ", above: 6, stiffness: 10, damping: 3}", 8, 2, 26, 20, -12);
    check_law("{bump-stop" BETWEEN ", above: 6, stiffness: 10, damping: 3}", 8, -2, 14, 20, -12);
    check_law("{bump-stop" BETWEEN ", above: 6, stiffness: 10, damping: 3}", 8, -10, 0, 20, -200); /* would pull */
    check_law("{bump-stop" BETWEEN ", below: 4, stiffness: 10, damping: 3}", 2, -2, -26, 20, -12);
}

static void lines_without_length_do_nothing(void)
{
    Bench b;
    if (build(&b, pair, "{spring" BETWEEN ", stiffness: 10, damping: 1, force: t}")) {
        b.q[7] = b.q[8] = 0;
        b.v[6] = 1;
        evaluate(&b, 1);
        for (int i = 0; i < 12; ++i)
            CHECK_NEAR(b.terms->Q[i], 0, 0);
        CHECK_NEAR(b.terms->potential, 125, 1e-12);
        CHECK_NEAR(b.terms->power, 0, 0);
    }
    close_bench(&b);
}

/* Q of b for a force on it, with a at the origin. */
static void check_on_b(const char *force, double t, const double expected[6])
{
    Bench b;
    if (build(&b, pair, force)) {
        evaluate(&b, t);
        for (int i = 0; i < 6; ++i)
            CHECK_NEAR(b.terms->Q[6 + i], expected[i], 1e-12);
    }
    close_bench(&b);
}

static void tyres_push_up(void)
{
    check_on_b("{tyre: b, radius: 0.5, stiffness: 100}", 0, (const double[6]){0, 0, 50});
    check_on_b("{tyre: b, radius: 0.5, stiffness: 100, road: -0.2}", 0, (const double[6]){0, 0, 30});
    check_on_b("{tyre: b, radius: 0.5, stiffness: 100, road: -0.6}", 0, (const double[6]){0});
    check_on_b("{tyre: b, radius: 0.5, stiffness: 100, road: 0.1*x + t}", 1, (const double[6]){0, 0, 180});
    check_on_b("{tyre: b, radius: 0.5, stiffness: 100, road: t, damping: 5}", 1, (const double[6]){0, 0, 155});
    check_on_b("{tyre: b, radius: 0.5, stiffness: 100, at: [3, 5, 0.1]}", 0, (const double[6]){0, 0, 40, 40, 0, 0});
}

static void forces_act_where_they_are_said_to(void)
{
    check_on_b("{force: b, vector: [1, 2, 3*t]}", 2, (const double[6]){1, 2, 6});
    check_on_b("{force: b, at: [3, 5, 0], vector: [1, 0, 3]}", 0, (const double[6]){1, 0, 3, 3, 0, -1});
    check_on_b("{force: a, at: [0, 4, 0], vector: [0, 1, 0], from: b}", 0, (const double[6]){0, -1, 0, 0, 0, 3});
    check_on_b("{torque: b, vector: [1, t, 3]}", 2, (const double[6]){0, 0, 0, 1, 2, 3});
    check_on_b("{torque: a, vector: [1, t, 3], from: b}", 2, (const double[6]){0, 0, 0, -1, -2, -3});
    check_on_b("{bushing: [a, b], at: [0, 0, 0], stiffness: 1}", 2, (const double[6]){0});
}

/* Adds force and moment about the origin on body i, in global axes: R s = s + 2 e0 n x s + 2 n x (n x s). */
static void add_wrench(const Bench *b, int i, double sum[6])
{
    const double *Q = b->terms->Q + 6 * i, *r = b->q + 7 * i, *e = r + 3;
    double moment[3], once[3], twice[3];
    hol_cross3(r, Q, moment);
    hol_cross3(e + 1, Q + 3, once);
    hol_cross3(e + 1, once, twice);
    for (int k = 0; k < 3; ++k) {
        sum[k] += Q[k];
        sum[3 + k] += moment[k] + Q[3 + k] + 2 * e[0] * once[k] + 2 * twice[k];
    }
}

/* What acts between two bodies changes neither their momentum nor their moment of momentum. */
static void what_acts_between_two_bodies_balances(void)
{
    static const char *const forces[] = {
        "{force: a, at: [1, 2, 3], vector: [1, -2, 3], from: b}",
        "{force: a, at: [1, 2, 3], vector: [1, -2, 3], axes: body, from: b}",
        "{torque: a, vector: [1, -2, 3], axes: body, from: b}",
        "{spring" BETWEEN ", stiffness: 10, damping: 3}",
        "{spring" BETWEEN ", along: [1, 1, 1], stiffness: 10, damping: 3}",
        "{bushing: [a, b], at: [1, 2, 3], stiffness: [1, 2, 3], turning_stiffness: [4, 5, 6], turning_damping: 3}",
        "{bump-stop" BETWEEN ", above: 1, stiffness: 10}",
    };
    random_seed(3);
    for (size_t k = 0; k < sizeof forces / sizeof *forces; ++k) {
        Bench b;
        double w[12], sum[6] = {0};
        random_fill(12, w);
        if (build(&b, pair, forces[k])) {
            random_fill(12, b.v);
            hol_system_retract(b.system, b.q, w, b.q);
            evaluate(&b, 0);
            add_wrench(&b, 0, sum);
            add_wrench(&b, 1, sum);
            CHECK(fabs(b.terms->Q[6]) + fabs(b.terms->Q[9]) > 0.1);
        }
        for (int i = 0; i < 6; ++i)
            CHECK_NEAR(sum[i], 0, 1e-10);
        close_bench(&b);
    }
}

/* The first body is drawn turned: its x is global y, its y is global z, its z is global x. */
static void bushings_have_the_axes_of_the_first_body(void)
{
    static const char bodies[] = "bodies:\n"
                                 "  a: {rigid: [0, 0, 0], mass: 1, inertia: [1, 1, 1],"
                                 "      orientation: {axis: [1, 1, 1], angle: 120 deg}}\n"
                                 "  b: {rigid: [0, 0, 0], mass: 1, inertia: [1, 1, 1]}\n";
    Bench b;
    if (build(&b, bodies, "{bushing: [a, b], at: [0, 0, 0], stiffness: [10, 20, 30]}")) {
        const double d[3] = {0.1, 0.3, 0.5}, expected[3] = {-3, -3, -10};
        memcpy(b.q + 7, d, sizeof d);
        evaluate(&b, 0);
        for (int i = 0; i < 3; ++i)
            CHECK_NEAR(b.terms->Q[6 + i], expected[i], 1e-12);
        CHECK_NEAR(b.terms->potential, 0.15 + 0.45 + 2.5, 1e-12);
    }
    close_bench(&b);
}

/* Q of the one body at (3, 4), turned by a quarter. */
static void check_in_plane(const char *force, const double expected[3])
{
    static const char body[] = "plane: xy\nbodies: {a: {rigid: [3, 4], mass: 1, inertia: 1, orientation: 90 deg}}\n";
    Bench b;
    if (build(&b, body, force)) {
        evaluate(&b, 2);
        for (int i = 0; i < 3; ++i)
            CHECK_NEAR(b.terms->Q[i], expected[i], 1e-12);
    }
    close_bench(&b);
}

static void forces_in_the_plane(void)
{
    check_in_plane("{force: a, at: [3, 5], vector: [1, t]}", (const double[3]){1, 2, -1});
    check_in_plane("{force: a, at: [3, 5], vector: [1, t], axes: body}", (const double[3]){-2, 1, 2});
    check_in_plane("{torque: a, vector: 3*t, axes: body}", (const double[3]){0, 0, 6});
    check_in_plane("{tyre: a, radius: 1, stiffness: 10, road: x + t}", (const double[3]){0, 20, 0});
    check_in_plane("{spring: [ground, a], from: [0, 0], to: [3, 4], polynomial: 10}", (const double[3]){-6, -8, 0});
}

/* Bushing and torsion about one axis. */
static void rotations_are_resisted(void)
{
    static const char bodies[] = "bodies: {a: {rigid: [0, 0, 0], mass: 1, inertia: [1, 1, 1]}}\n"
                                 "joints: {pin: {revolute: [ground, a], at: [0, 0, 0], axis: z}}\n";
    static const char *const forces[] = {
        "{bushing: [ground, a], at: [0, 0, 0], turning_stiffness: [1, 2, 30], turning_damping: [1, 2, 4]}",
        "{torsion: pin, stiffness: 30, damping: 4}",
        "{torsion: pin, torque: 30*angle + 4*rate}",
    };
    double angle = 0.4;
    const double expected[] = {-30 * sin(angle) * cos(angle) - 8 * cos(angle) * cos(angle), -30 * angle - 8,
                               -30 * angle - 8};
    for (int k = 0; k < 3; ++k) {
        Bench b;
        if (build(&b, bodies, forces[k])) {
            b.q[3] = cos(angle / 2);
            b.q[6] = sin(angle / 2);
            b.v[5] = 2;
            evaluate(&b, 0);
            CHECK_NEAR(b.terms->Q[5], expected[k], 1e-12 * 50);
        }
        close_bench(&b);
    }
}

/* ---- Sentences ---- */

static void check_sentence(const char *text, const char *force, const char *sentence)
{
    Bench b;
    CHECK_CONTEXT("%s", force);
    CHECK_STATUS(open_bench(&b, text, force), HOL_BAD_INPUT);
    if (CHECK_EQUAL_INT(hol_model_error_count(b.model), 1)) {
        CHECK_CONTAINS(hol_model_error(b.model, 0), sentence);
        CHECK_CONTAINS(hol_model_error(b.model, 0), "force 'f'");
    }
    close_bench(&b);
}

static void mistakes_are_reported(void)
{
#define ENDS "[a, b], from: [0, 0, 0], to: [1, 0, 0]"
    check_sentence(space, "{spring: " ENDS "}", "it needs stiffness, damping, force, polynomial or table");
    check_sentence(space, "{spring: [a, b], from: [1, 0, 0], to: [1, 0, 0], stiffness: 1}", "at the same place");
    check_sentence(space, "{spring: [a, a], from: [1, 0, 0], to: [2, 0, 0], stiffness: 1}", "itself");
    check_sentence(space, "{bump-stop: " ENDS ", stiffness: 1}", "neither 'above' nor 'below'");
    check_sentence(space, "{bump-stop: " ENDS ", stiffness: 1, above: 1, below: 2}", "'above' (1) is less");
    check_sentence(space, "{bump-stop: " ENDS ", stiffness: 1, above: 1, exponent: 0.5}", "at least 1, not 0.5");
    check_sentence(space, "{bushing: [a, b], at: [1, 0, 0], stiffness: [1, 2]}", "three numbers in space");
    check_sentence(plane, "{bushing: [a, b], at: [1, 0], stiffness: [1, 2, 3]}", "two numbers in the plane");
    check_sentence(plane, "{bushing: [a, b], at: [1, 0], turning_stiffness: [1, 2]}", "one number in the plane");
    check_sentence(space, "{bushing: [a, b], at: [1, 0, 0]}", "turning_stiffness");
    check_sentence(space, "{torsion: slide, stiffness: 1}",
                   "joint 'slide' (prismatic) has a displacement and no angle");
    check_sentence(space, "{torsion: ball, stiffness: 1}", "joint 'ball' (spherical)");
    check_sentence(space, "{torsion: pin}", "it needs stiffness, damping or torque");
    check_sentence(space, "{force: ground, vector: [1, 0, 0]}", "the ground alone");
    check_sentence(space, "{torque: ground, vector: [1, 0, 0]}", "the ground alone");
    check_sentence(space, "{force: ground, vector: [1, 0, 0], from: a}", "give the point by 'at'");
    check_sentence(space, "{force: a, vector: [1, 0, 0], from: a}", "'from' names the body 'a' on which it acts");
    check_sentence(space, "{torque: a, vector: 1}", "vector");
    check_sentence(plane, "{torque: a, vector: [1, 2]}", "vector");
    check_sentence(plane, "{torque: a, vector: 3 m}", "N*m");
    check_sentence(space, "{tyre: ground, radius: 1, stiffness: 1}", "the ground has no tyre");
    check_sentence(space, "{tyre: a, radius: -1, stiffness: 1}", "positive");
}

static void check_warning(const char *force, const char *sentence)
{
    Bench b;
    if (build(&b, space, force) && CHECK_EQUAL_INT(hol_model_warning_count(b.model), 1))
        CHECK_CONTAINS(hol_model_warning(b.model, 0), sentence);
    close_bench(&b);
}

static void suspicious_values_are_reported(void)
{
    check_warning("{spring: " ENDS ", stiffness: -1}", "force 'f': 'stiffness' is negative (-1)");
    check_warning("{spring: " ENDS ", damping: -1}", "'damping' is negative");
    check_warning("{spring: " ENDS ", damping: 1, free_length: 2}", "'free_length' without 'stiffness'");
    check_warning("{bump-stop: " ENDS ", above: 1, stiffness: -1}", "negative");
    check_warning("{bushing: [a, b], at: [0, 0, 0], stiffness: [1, -1, 1]}", "negative");
    check_warning("{torsion: pin, stiffness: -1}", "negative");
    check_warning("{tyre: a, radius: 1, stiffness: -1}", "negative");
}

CHECK_MAIN(TEST(derivatives_in_space), TEST(derivatives_in_the_plane), TEST(springs_pull), TEST(stops_push_on_one_side),
           TEST(lines_without_length_do_nothing), TEST(tyres_push_up), TEST(forces_act_where_they_are_said_to),
           TEST(what_acts_between_two_bodies_balances), TEST(bushings_have_the_axes_of_the_first_body),
           TEST(forces_in_the_plane), TEST(rotations_are_resisted), TEST(mistakes_are_reported),
           TEST(suspicious_values_are_reported))
