/* SPDX-License-Identifier: BSD-3-Clause */
/* Joints that prescribe velocities, in both kinds of coordinates: velocities from the results satisfy the constraint
 * equations written out here; reactions act along the constrained direction; carts, skates and driven bodies move as
 * their closed forms. */
#include "recorded.h"

static const char *const coordinates[] = {"reference-point", "natural"};

static bool open_scene(Recorded *s, const char *text, const char *kind)
{
    HolModel *model = hol_model_create();
    CHECK_OK(hol_model_parse(model, text, "test"));
    CHECK_OK(hol_model_set(model, "run.coordinates", "%s", kind));
    return recorded_open(s, model, NULL);
}

static bool go_to(Recorded *s, double t)
{
    return recorded_go_to(s, t) && CHECK_NEAR(recorded_value(s, "violation.velocity"), 0, 1e-12);
}

/* ---- Vectors by name ---- */

typedef struct Vector {
    double x[3];
} Vector;

/* name.fx ... for the letter f; in the plane without z. */
static Vector vector(const Recorded *s, const char *name, const char *letters)
{
    Vector y = {{0}};
    char column[64];
    for (int i = 0; i < 3; ++i) {
        snprintf(column, sizeof column, "%s.%s%c", name, letters, "xyz"[i]);
        int index = hol_recorder_find(s->recorder, column);
        y.x[i] = index >= 0 ? s->values[index] : 0;
    }
    return y;
}

static Vector turning(const Recorded *s, const char *body, bool planar)
{
    char column[64];
    snprintf(column, sizeof column, "%s.w", body);
    return planar ? (Vector){{0, 0, recorded_value(s, column)}} : vector(s, body, "w");
}

static Vector minus(Vector a, Vector b)
{
    return (Vector){{a.x[0] - b.x[0], a.x[1] - b.x[1], a.x[2] - b.x[2]}};
}

static double dot(Vector a, Vector b)
{
    return a.x[0] * b.x[0] + a.x[1] * b.x[1] + a.x[2] * b.x[2];
}

static Vector cross(Vector a, Vector b)
{
    return (Vector){
        {a.x[1] * b.x[2] - a.x[2] * b.x[1], a.x[2] * b.x[0] - a.x[0] * b.x[2], a.x[0] * b.x[1] - a.x[1] * b.x[0]}};
}

static Vector unit(Vector a)
{
    double length = sqrt(dot(a, a));
    return (Vector){{a.x[0] / length, a.x[1] / length, a.x[2] / length}};
}

/* ---- What the rows say of two bodies that a spring pulls about ---- */

static const char *const planar_model =
    "plane: xy\n"
    "points: {A0: {at: [0.2, 0.5], on: a}, A1: {at: [0.8, 1.3], on: a}, B0: {at: [0.9, 0.1], on: b},\n"
    "         B1: {at: [1.5, -0.7], on: b}, Q: {at: [1.1, -0.2], on: b}}\n"
    "bodies:\n"
    "  a: {rigid: [0.25, 0.5], mass: 2, inertia: 0.3, orientation: 20 deg}\n"
    "  b: {rigid: [0.9, 0.15], mass: 1.5, inertia: 0.2, orientation: -50 deg}\n"
    "forces: {pull: {spring: [a, b], from: A1, to: B1, stiffness: 20, free_length: 0.5}}\n"
    "start: {a: {velocity: [0.3, -0.2], angular_velocity: 1.5}}\n";

static const char *const spatial_model =
    "points: {A0: {at: [0.2, 0.5, 0], on: a}, A1: {at: [0.8, 1.1, 0.3], on: a}, B0: {at: [0.9, 0.1, 0.2], on: b},\n"
    "         B1: {at: [1.5, -0.7, 0.4], on: b}, Q: {at: [1.1, -0.2, 0.5], on: b}}\n"
    "bodies:\n"
    "  a: {rigid: [0.25, 0.5, -0.1], mass: 2, inertia: [0.3, 0.4, 0.5, 0.02, -0.03, 0.01],\n"
    "      orientation: {axis: [1, 2, 3], angle: 40 deg}}\n"
    "  b: {rigid: [0.9, 0.15, 0.4], mass: 1.5, inertia: [0.2, 0.3, 0.25],\n"
    "      orientation: {axis: [-1, 1, 0.5], angle: 70 deg}}\n"
    "forces: {pull: {spring: [a, b], from: A1, to: B1, stiffness: 20, free_length: 0.5}}\n"
    "start: {a: {velocity: [0.3, -0.2, 0.1], angular_velocity: [1.5, -1, 0.7]}}\n";

/* A or B: the direction is from A0 to A1, from B0 to B1; N: sideways of the latter, normal to the former; Z: about z. */
typedef struct Case {
    const char *joint;
    bool planar, turns;
    char direction;
    const char *seen_from;
} Case;

static const Case cases[] = {
    {"{velocity: [a, b], at: Q, along: [A0, A1], value: 0.3 + sin(3*t)}", true, false, 'A', "a"},
    {"{velocity: [a, b], at: Q, along: [B0, B1], fixed_in: second, value: 0.3 + sin(3*t)}", true, false, 'B', "a"},
    {"{velocity: [ground, b], at: Q, along: [B0, B1], fixed_in: second, value: 0.3 + sin(3*t)}", true, false, 'B', ""},
    {"{angular-velocity: [a, b], value: 0.3 + sin(3*t)}", true, true, 'Z', "a"},
    {"{velocity: [a, b], at: Q, along: [A0, A1], value: 0.3 + sin(3*t)}", false, false, 'A', "a"},
    {"{velocity: [a, b], at: Q, along: [B0, B1], fixed_in: second, value: 0.3 + sin(3*t)}", false, false, 'B', "a"},
    {"{velocity: [ground, b], at: Q, along: [B0, B1], fixed_in: second, value: 0.3 + sin(3*t)}", false, false, 'B', ""},
    {"{angular-velocity: [a, b], axis: [A0, A1], value: 0.3 + sin(3*t)}", false, true, 'A', "a"},
    {"{angular-velocity: [a, b], axis: [B0, B1], fixed_in: second, value: 0.3 + sin(3*t)}", false, true, 'B', "a"},
    {"{knife-edge: [a, b], at: Q, along: [B0, B1]}", true, false, 'N', "a"},
    {"{knife-edge: [a, b], at: Q, along: [B0, B1], normal: [A0, A1]}", false, false, 'N', "a"},
};

static Vector direction(const Recorded *s, const Case *c)
{
    Vector A = unit(minus(vector(s, "A1", ""), vector(s, "A0", "")));
    Vector B = unit(minus(vector(s, "B1", ""), vector(s, "B0", "")));
    Vector z = {{0, 0, 1}};
    switch (c->direction) {
    case 'A': return A;
    case 'B': return B;
    case 'Z': return z;
    default: return unit(cross(c->planar ? z : A, B));
    }
}

/* The speed of Q, or of b, seen from the other body, along T. */
static double speed(const Recorded *s, const Case *c, Vector T)
{
    bool moves = c->seen_from[0] != '\0';
    Vector zero = {{0}}, w = moves ? turning(s, c->seen_from, c->planar) : zero;
    if (c->turns)
        return dot(T, minus(turning(s, "b", c->planar), w));
    Vector carried = moves ? cross(w, minus(vector(s, "Q", ""), vector(s, "a", ""))) : zero;
    Vector seen = minus(vector(s, "Q", "v"), moves ? vector(s, "a", "v") : zero);
    return dot(T, minus(seen, carried));
}

/* A force along T at the point and no torque there, or a torque about T alone. */
static void check_reaction(const Recorded *s, const Case *c, Vector T)
{
    Vector force = vector(s, "x", "f"), torque = vector(s, "x", "t"), zero = {{0}};
    Vector acts = c->turns ? torque : force, none = c->turns ? force : torque;
    Vector across = cross(acts, T);
    CHECK(sqrt(dot(acts, acts)) > 1e-3);
    for (int i = 0; i < 3; ++i) {
        CHECK_NEAR(across.x[i], zero.x[i], 1e-11);
        CHECK_NEAR(none.x[i], zero.x[i], 1e-11);
    }
}

/* In space the edge is upright after 0.22 s, and has no side then. */
static double length_of(const Case *c)
{
    return c->direction == 'N' && !c->planar ? 0.15 : 0.6;
}

static void check_case(const Case *c, const char *kind)
{
    Recorded s;
    char text[2000];
    CHECK_CONTEXT("%s, %s: %s", c->planar ? "plane" : "space", kind, c->joint);
    snprintf(text, sizeof text, "%sjoints: {x: %s}\n", c->planar ? planar_model : spatial_model, c->joint);
    if (open_scene(&s, text, kind))
        for (int i = 0; i < 4 && go_to(&s, length_of(c) * i / 3); ++i) {
            Vector T = direction(&s, c);
            CHECK_NEAR(speed(&s, c, T), c->direction == 'N' ? 0 : 0.3 + sin(length_of(c) * i), 1e-12);
            check_reaction(&s, c, T);
        }
    recorded_close(&s);
}

static void velocities_are_what_the_rows_say(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        for (int k = 0; k < 2; ++k)
            check_case(&cases[i], coordinates[k]);
}

/* What the drive gives and the spring takes is all there is. */
static void prescribed_velocities_do_work(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        Recorded s;
        char text[2000];
        CHECK_CONTEXT("%s: %s", cases[i].planar ? "plane" : "space", cases[i].joint);
        snprintf(text, sizeof text, "%sjoints: {x: %s}\n", cases[i].planar ? planar_model : spatial_model,
                 cases[i].joint);
        if (open_scene(&s, text, coordinates[0]) && go_to(&s, length_of(&cases[i])))
            CHECK_NEAR(recorded_value(&s, "energy.drift"), 0, 1e-8);
        recorded_close(&s);
    }
}

/* ---- A cart on two wheels ---- */

/* Wheels of radius r = 0.1 at the distance 0.5 turn with 3 and 5 rad/s: it drives at 0.4 m/s and turns with 0.4 rad/s,
 * so that M goes round a circle of 1 m. The wheels are drawn as if they turned about z. */
static const char *const cart =
    "plane: xy\n"
    "points: {M: [0, 0], L: [0, 0.25], R: [0, -0.25]}\n"
    "bodies:\n"
    "  cart: {rigid: M, mass: 3, inertia: 0.2}\n"
    "  left: {rigid: L, mass: 0.1, inertia: 0.01}\n"
    "  right: {rigid: R, mass: 0.1, inertia: 0.01}\n"
    "joints:\n"
    "  axle_l: {revolute: [cart, left], at: L}\n"
    "  axle_r: {revolute: [cart, right], at: R}\n"
    "  wheels: {knife-edge: [ground, cart], at: M, along: x}\n"
    "  roll: {velocity-sum: [{velocity: [ground, cart], at: M, along: x, fixed_in: second},\n"
    "                        {angle-rate: axle_l, times: -0.05}, {angle-rate: axle_r, times: -0.05}]}\n"
    "  turn: {velocity-sum: [{angular-velocity: [ground, cart]},\n"
    "                        {angle-rate: axle_l, times: 0.2}, {angle-rate: axle_r, times: -0.2}]}\n"
    "drivers:\n"
    "  left: {angle-rate: axle_l, value: 3 rad/s}\n"
    "  right: {angle-rate: axle_r, value: 5 rad/s}\n";

static void cart_on_two_wheels_goes_round(void)
{
    for (int k = 0; k < 2; ++k) {
        Recorded s;
        CHECK_CONTEXT("%s", coordinates[k]);
        if (open_scene(&s, cart, coordinates[k]) && go_to(&s, 5)) {
            CHECK_NEAR(recorded_value(&s, "cart.x"), sin(2), 1e-10);
            CHECK_NEAR(recorded_value(&s, "cart.y"), 1 - cos(2), 1e-10);
            CHECK_NEAR(recorded_value(&s, "cart.w"), 0.4, 1e-13);
        }
        recorded_close(&s);
    }
}

/* ---- A motor that keeps a speed ---- */

/* Two discs on one axis, coupled by rates 2 : -1 and spun up with w' = 3: the torque on the first is J1 w' + 4 J2 w'. */
static const char *const spindles =
    "bodies:\n"
    "  one: {rigid: [0, 0, 0], mass: 1, inertia: [1, 1, 0.5]}\n"
    "  two: {rigid: [1, 0, 0], mass: 1, inertia: [1, 1, 0.2]}\n"
    "joints:\n"
    "  pin_1: {revolute: [ground, one], at: [0, 0, 0], axis: z}\n"
    "  pin_2: {revolute: [ground, two], at: [1, 0, 0], axis: -z}\n"
    "  belt: {velocity-sum: [{angle-rate: pin_1, times: 2}, {angle-rate: pin_2, times: -1}]}\n"
    "drivers: {motor: {angle-rate: pin_1, value: 3*t}}\n";

static void motor_gives_the_torque_that_its_load_asks_for(void)
{
    for (int k = 0; k < 2; ++k) {
        Recorded s;
        CHECK_CONTEXT("%s", coordinates[k]);
        if (open_scene(&s, spindles, coordinates[k]) && go_to(&s, 2)) {
            CHECK_NEAR(recorded_value(&s, "one.wz"), 6, 1e-12);
            CHECK_NEAR(recorded_value(&s, "two.wz"), -12, 1e-12);
            CHECK_NEAR(recorded_value(&s, "motor.tz"), (0.5 + 4 * 0.2) * 3, 1e-10);
            CHECK_NEAR(recorded_value(&s, "belt.tz"), -4 * 0.2 * 3, 1e-10);
        }
        recorded_close(&s);
    }
}

/* A slide that is moved with a given speed from where it stands. */
static void actuator_keeps_its_speed(void)
{
    static const char *const text = "bodies: {b: {rigid: [0.3, 0, 0], mass: 2, inertia: [1, 1, 1]}}\n"
                                    "joints: {slide: {prismatic: [ground, b], at: [0, 0, 0], axis: x}}\n"
                                    "drivers: {push: {displacement-rate: slide, value: 2*cos(t)}}\n";
    for (int k = 0; k < 2; ++k) {
        Recorded s;
        CHECK_CONTEXT("%s", coordinates[k]);
        if (open_scene(&s, text, coordinates[k]) && go_to(&s, 1)) {
            CHECK_NEAR(recorded_value(&s, "b.x"), 0.3 + 2 * sin(1), 1e-12);
            CHECK_NEAR(recorded_value(&s, "push.fx"), -4 * sin(1), 1e-12);
        }
        recorded_close(&s);
    }
}

/* ---- Local axes ---- */

/* A body turns by 2 rad about an axis that lies askew to what is held. What is transmitted acts along the axis of the
 * joint, x of its own axes, which the body carries that `fixed_in` says; an edge is pushed across, along y. */
static const char *const turning_body =
    "points: {P: [0, 0, 0]}\n"
    "bodies: {b: {rigid: P, mass: 2, inertia: [1, 2, 3]}}\n"
    "joints:\n"
    "  along: {velocity: [ground, b], at: P, along: x, fixed_in: %s}\n"
    "  about: {angular-velocity: [ground, b], axis: x, fixed_in: %s, value: 0.3}\n"
    "  edge: {knife-edge: [ground, b], at: P, along: y}\n"
    "forces: {f: {force: b, vector: [3, 5, 7]}, turn: {torque: b, vector: [1, 0.2, 2]}}\n"
    "run: {step: 1 ms, record: [all, along.local, about.local, edge.local]}\n";

static void check_local_axes(const char *fixed_in, const char *kind)
{
    char text[1000];
    Recorded s;
    snprintf(text, sizeof text, turning_body, fixed_in, fixed_in);
    CHECK_CONTEXT("%s, %s", fixed_in, kind);
    if (open_scene(&s, text, kind) && go_to(&s, 2)) {
        Vector force = vector(&s, "along", "lf"), torque = vector(&s, "about", "lt"), across = vector(&s, "edge", "lf");
        CHECK(fabs(force.x[0]) > 0.1 && fabs(torque.x[0]) > 0.1);
        CHECK_NEAR(force.x[1], 0, 1e-12);
        CHECK_NEAR(force.x[2], 0, 1e-12);
        CHECK_NEAR(torque.x[1], 0, 1e-12);
        CHECK_NEAR(torque.x[2], 0, 1e-12);
        CHECK(dot(across, across) > 0.01);
        CHECK_NEAR(across.x[0], 0, 1e-12);
        Vector global = vector(&s, "along", "f");
        CHECK((fabs(global.x[1]) > 0.01) == (fixed_in[0] == 's'));
    }
    recorded_close(&s);
}

static void local_axes_turn_with_the_body_that_carries_them(void)
{
    for (int i = 0; i < 4; ++i)
        check_local_axes(i / 2 ? "second" : "first", coordinates[i % 2]);
}

/* ---- Where they are not defined ---- */

/* After 100 steps the edge, which turns, stands upright on its plane, and the disc, which is tilted, lies flat. */
static const char *const undefined[] = {
    "points: {P: [0, 0, 0]}\n"
    "bodies: {b: {rigid: P, mass: 1, inertia: [1, 1, 1]}}\n"
    "joints: {skate: {knife-edge: [ground, b], at: P, along: x}}\n"
    "start: {b: {angular_velocity: [0, pi/2, 0]}}\n"
    "run: {step: 10 ms}\n",
    "points: {C: [0, 0, sin(lean)]}\n"
    "parameters: {lean: 81 deg}\n"
    "bodies: {b: {rigid: C, mass: 1, inertia: [1, 1, 1]}}\n"
    "joints:\n"
    "  coin: {rolling: [ground, b], shape: disc, axis: [0, sin(lean), cos(lean)], radius: 1, through: [0, 0, 0]}\n"
    "  tilt: {angular-velocity: [ground, b], axis: x, value: 81 deg/s}\n"
    "run: {step: 10 ms}\n",
};

static void rows_that_are_not_defined_are_named(void)
{
    static const char *const names[] = {"'skate'", "'coin'"};
    for (int i = 0; i < 2; ++i) {
        Recorded s;
        CHECK_CONTEXT("%s", names[i]);
        if (open_scene(&s, undefined[i], "reference-point")) {
            CHECK_STATUS(hol_simulation_run(s.simulation, &(HolRun){.until = 2}), HOL_SINGULAR);
            CHECK_CONTAINS(hol_simulation_message(s.simulation), names[i]);
            CHECK_CONTAINS(hol_simulation_message(s.simulation), "is not defined in this configuration of its bodies");
        }
        recorded_close(&s);
    }
}

/* The same disc, laid flat by its start. */
static void a_start_where_rows_are_not_defined_is_refused(void)
{
    HolMessage message = {{0}};
    HolMechanism *mechanism = NULL;
    HolModel *model = hol_model_create();
    CHECK_OK(hol_model_parse(model, undefined[1], "test"));
    CHECK_OK(hol_model_set(model, "start.b", "{orientation: {axis: x, angle: lean}}"));
    CHECK_OK(hol_mechanism_create(model, &mechanism));
    CHECK_STATUS(hol_mechanism_assemble(mechanism, &message), HOL_SINGULAR);
    CHECK_STRING(message.text,
                 "'test' cannot be assembled: the constraints of 'coin' are undefined in this initial state");
    hol_mechanism_destroy(mechanism);
    hol_model_destroy(model);
}

CHECK_MAIN(TEST(velocities_are_what_the_rows_say), TEST(prescribed_velocities_do_work),
           TEST(cart_on_two_wheels_goes_round), TEST(motor_gives_the_torque_that_its_load_asks_for),
           TEST(actuator_keeps_its_speed), TEST(local_axes_turn_with_the_body_that_carries_them),
           TEST(rows_that_are_not_defined_are_named), TEST(a_start_where_rows_are_not_defined_is_refused))
