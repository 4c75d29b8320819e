/* SPDX-License-Identifier: BSD-3-Clause */
/* IDA on the equations of holon: against closed forms and the reference values of models, which it did not
 * make. Without SUNDIALS there is nothing to test. */
#include "ida.h"

#include <holon/compare.h>

#include "check.h"
#include "reference_errors.h"

static const double PI = 3.14159265358979323846;

/* A build without SUNDIALS says so, and has nothing else to show. */
static bool has_ida(void)
{
    HolIda *ida = NULL;
    HolMessage message = {"absent"};
    if (!hol_compare_has_ida())
        CHECK_EQUAL_INT(hol_ida_create(NULL, NULL, NULL, &ida, &message), HOL_UNSUPPORTED);
    CHECK_CONTAINS(message.text, "absent");
    return hol_compare_has_ida();
}

/* ---- Models ---- */

typedef struct Solver {
    HolIdaOptions options;
    HolIda *ida;
} Solver;

static const HolState *solve_by_ida(void *user, const HolMechanism *mechanism, double t)
{
    Solver *s = user;
    HolInitialState start = hol_mechanism_initial_state(mechanism);
    HolMessage message = {""};
    s->options.until = t;
    HolStatus status = hol_ida_create(hol_mechanism_system(mechanism), &start, &s->options, &s->ida, &message);
    if (!CHECK_OK(status)) {
        printf("    %s\n", message.text);
        return NULL;
    }
    if (!CHECK_OK(hol_ida_run(s->ida, t))) {
        printf("    %s\n", hol_ida_message(s->ida));
        return NULL;
    }
    return hol_ida_state(s->ida);
}

typedef struct ModelCase {
    const char *model, *coordinates;
    double t, tolerance;
    double place, speed, force; /* the largest errors, relative; force 0: not unique */
} ModelCase;

static void check_model(const ModelCase *c, bool is_stiff)
{
    Solver solver = {.options = {.tolerance = c->tolerance, .is_stiff = is_stiff}};
    ReferenceRun run = {.model = c->model, .coordinates = c->coordinates, .t = c->t};
    ReferenceErrors errors = reference_errors_of(&run, solve_by_ida, &solver);
    CHECK_CONTEXT("%s %s: %.2g %.2g %.2g", c->model, c->coordinates ? c->coordinates : "", errors.place, errors.speed,
                  errors.force);
    CHECK_NEAR(errors.place, 0, c->place);
    CHECK_NEAR(errors.speed, 0, c->speed);
    if (c->force > 0)
        CHECK_NEAR(errors.force, 0, c->force);
    hol_ida_destroy(solver.ida);
}

/* Holonomic, nonholonomic, moving and redundant rows; Euler parameters, natural and planar coordinates. */
static void models_agree_with_their_references(void)
{
    if (!has_ida())
        return;
    static const ModelCase cases[] = {
        {"pendulum", NULL, 2, 1e-11, 1e-7, 1e-7, 1e-6},
        {"double-pendulum", NULL, 1, 1e-11, 1e-7, 1e-7, 1e-6},
        {"four-bar", "reference-point", 1, 1e-11, 1e-7, 1e-7, 1e-6},
        {"four-bar", "natural", 1, 1e-11, 1e-7, 1e-7, 0},
        {"five-bar-pendulum", NULL, 0.5, 1e-11, 1e-7, 1e-7, 0},
        {"slider-crank", NULL, 1, 1e-8, 1e-5, 1e-5, 0},
        {"free-rigid-body", "reference-point", 1, 1e-11, 1e-7, 1e-7, 0},
        {"free-rigid-body", "natural", 1, 1e-11, 1e-7, 1e-7, 0},
        {"gyroscope", "reference-point", 1, 1e-11, 1e-7, 1e-7, 1e-5},
        {"universal-joint", "reference-point", 0.314, 1e-11, 1e-7, 1e-7, 0},
        {"spatial-slider-crank", "reference-point", 1, 1e-11, 1e-7, 1e-7, 0},
        {"bricard", "reference-point", 1, 1e-11, 1e-7, 1e-7, 0},
        {"bricard", "natural", 1, 1e-11, 1e-7, 1e-7, 0},
        {"spatial-parallelogram", "reference-point", 0.5, 1e-11, 1e-7, 1e-7, 0},
        {"pendulum-two-bearings", NULL, 1, 1e-11, 1e-7, 1e-7, 0},
        {"pendulum-two-rods", NULL, 1, 1e-11, 1e-7, 1e-7, 0},
        {"stewart-platform", NULL, 0.5, 1e-10, 1e-7, 1e-7, 0},
        {"jansen-leg", NULL, 0.35, 1e-10, 1e-7, 1e-7, 0},
        {"quick-return", NULL, 0.35, 1e-10, 1e-7, 1e-7, 0},
        {"governor", NULL, 0.5, 1e-10, 1e-7, 1e-7, 0},
        {"gear-pair", NULL, 0.5, 1e-10, 1e-7, 1e-7, 0},
        {"chaplygin-sleigh", NULL, 1, 1e-11, 1e-7, 1e-7, 1e-5},
        {"rolling-disc", NULL, 0.5, 1e-11, 1e-7, 1e-7, 1e-5},
        {"snakeboard", NULL, 1, 1e-10, 1e-7, 1e-7, 0},
        {"bicycle", NULL, 0.5, 1e-11, 1e-7, 1e-7, 0},
        {"biped", NULL, 0.25, 1e-10, 1e-7, 1e-7, 0},
        {"iltis-suspension", NULL, 2.75, 1e-9, 1e-6, 1e-6, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        check_model(&cases[i], false);
}

/* Beams, by order 2: the first steps of a vibration, against its series and against chains of rigid sections. */
static void beams_agree_with_their_references(void)
{
    if (!has_ida())
        return;
    static const ModelCase cases[] = {
        {"cantilever", NULL, 1, 1e-9, 1e-3, 1, 0},
        {"flying-spaghetti", NULL, 1, 1e-7, 1e-3, 1, 0},
        {"slider-crank-flexible", NULL, 0.02, 1e-7, 1e-2, 1, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        check_model(&cases[i], true);
}

/* ---- Closed forms ---- */

static HolModel *parse(const char *text, HolMechanism **mechanism)
{
    HolModel *model = hol_model_create();
    CHECK_OK(hol_model_parse(model, text, "test.yaml"));
    CHECK_OK(hol_mechanism_create(model, mechanism));
    for (int i = 0; i < hol_model_error_count(model); ++i)
        printf("    %s\n", hol_model_error(model, i));
    CHECK_OK(hol_mechanism_assemble(*mechanism, NULL));
    return model;
}

typedef struct Value {
    double x, v;
} Value;

/* The first coordinate at the end. */
static Value end_of(const char *text, double until, double tolerance, bool is_stiff)
{
    HolMechanism *mechanism = NULL;
    HolModel *model = parse(text, &mechanism);
    Solver solver = {.options = {.tolerance = tolerance, .is_stiff = is_stiff}};
    const HolState *state = solve_by_ida(&solver, mechanism, until);
    Value end = {state ? state->q[0] : NAN, state ? state->v[0] : NAN};
    hol_ida_destroy(solver.ida);
    hol_mechanism_destroy(mechanism);
    hol_model_destroy(model);
    return end;
}

/* A body that can move along x alone. */
#define SLIDER                                                                                                         \
    "plane: xy\nbodies: {m: {rigid: [1, 0], mass: 2, inertia: 1}}\n"                                                   \
    "joints: {p: {prismatic: [ground, m], at: [0, 0], axis: x}}\n"

/* Error control alone steps over 20 us of 10 s. */
static void a_pulse_is_not_missed(void)
{
    if (!has_ida())
        return;
    Value end = end_of(SLIDER "forces: {f: {force: m, vector: [\"1e5*exp(-((t - 3.3)/2e-5)^2)\", 0]}}\n"
                              "run: {until: 10}\n",
                       10, 1e-9, false);
    CHECK_NEAR(end.v, sqrt(PI), 1e-6);
    CHECK_NEAR(end.x, 1 + sqrt(PI) * 6.7, 1e-5);
}

/* A force that acts from 0.3 s to 0.7 s: both ends are breakpoints. */
static void jumps_of_a_force_are_met(void)
{
    if (!has_ida())
        return;
    Value end = end_of(SLIDER "forces: {f: {force: m, vector: [\"if(t > 0.3, if(t < 0.7, 10, 0), 0)\", 0]}}\n"
                              "run: {until: 1}\n",
                       1, 1e-10, false);
    CHECK_NEAR(end.v, 2, 1e-9);
    CHECK_NEAR(end.x, 1 + 0.5 * 5 * 0.4 * 0.4 + 2 * 0.3, 1e-9);
}

/* A ball meets a stop of 1e6 N/m for pi/1000 s and returns with the same speed. */
static void a_stop_is_met_and_left(void)
{
    if (!has_ida())
        return;
    Value end = end_of("plane: xy\n"
                       "bodies: {ball: {rigid: [1, 0], mass: 1, inertia: 1}}\n"
                       "forces: {stop: {spring: [ground, ball], from: [0, 0], to: [1, 0], along: [1, 0], "
                       "force: \"if(l < 0, 1e6*l, 0)\"}}\n"
                       "start: {ball: {velocity: [-1, 0]}}\n",
                       2, 1e-9, false);
    CHECK_NEAR(end.x, 1 - PI / 1000, 1e-6);
    CHECK_NEAR(end.v, 1, 1e-6);
}

/* A driver moves the pin of a spring: x = forced vibration from rest, with w0^2 = 200/2 and a drive of 3 rad/s. */
static void a_driven_spring(void)
{
    if (!has_ida())
        return;
    Value end = end_of("plane: xy\n"
                       "bodies: {m: {rigid: [1, 0], mass: 2, inertia: 1}, pin: {rigid: [0, 0], mass: 1, inertia: 1}}\n"
                       "joints: {p: {prismatic: [ground, m], at: [0, 0], axis: x},\n"
                       "         s: {prismatic: [ground, pin], at: [0, 0], axis: x}}\n"
                       "drivers: {d: {displacement: s, value: \"0.1*(1 - cos(3*t))\"}}\n"
                       "forces: {k: {spring: [pin, m], from: [0, 0], to: [1, 0], stiffness: 200}}\n",
                       2, 1e-11, false);
    double w = 10, t = 2, steady = 0.1 * w * w / (w * w - 9);
    CHECK_NEAR(end.x, 1 + 0.1 * (1 - cos(w * t)) - steady * (cos(3 * t) - cos(w * t)), 1e-8);
}

/* Two masses on a spring of 1e13 N/m move as one, at 10 rad/s: order 2 need not follow the other vibration. */
static void a_stiff_pair_moves_as_one(void)
{
    if (!has_ida())
        return;
    Value end = end_of("plane: xy\n"
                       "bodies:\n  a: {rigid: [0.1, 0], mass: 1, inertia: 1}\n  b: {rigid: [1.1, 0], mass: 1, "
                       "inertia: 1}\n"
                       "joints:\n  a: {prismatic: [ground, a], at: [0.1, 0], axis: x}\n"
                       "  b: {prismatic: [ground, b], at: [1.1, 0], axis: x}\n"
                       "forces:\n"
                       "  soft: {spring: [ground, a], from: [-1, 0], to: [0.1, 0], stiffness: 200, free_length: 1}\n"
                       "  hard: {spring: [a, b], from: [0.1, 0], to: [1.1, 0], stiffness: 1e13, free_length: 1}\n",
                       1, 1e-10, true);
    CHECK_NEAR(end.x, 0.1 * cos(10), 1e-5);
}

/* A bushing that is stiff in x and soft in its angle, and turns a body of 2 kg m^2: both vibrations in closed form. */
static void a_bushing_vibrates(void)
{
    if (!has_ida())
        return;
    Value end = end_of("plane: xy\n"
                       "bodies: {m: {rigid: [0, 0], mass: 1, inertia: 2}}\n"
                       "forces: {b: {bushing: [ground, m], at: [0, 0], stiffness: [1e4, 1e8], turning_stiffness: 50}}\n"
                       "start: {m: {velocity: [1, 0]}}\n",
                       1, 1e-11, false);
    CHECK_NEAR(end.x, sin(100) / 100, 1e-8);
    CHECK_NEAR(end.v, cos(100), 1e-6);
}

/* ---- Limits ---- */

static const char impulsive[] = "plane: xy\n"
                                "bodies: {m: {rigid: [1, 0], mass: 2, inertia: 1}}\n"
                                "joints: {p: {prismatic: [ground, m], at: [0, 0], axis: x}}\n"
                                "drivers: {d: {displacement-rate: p, value: \"if(t < 0.5, 1, 2)\", impulse: true}}\n"
                                "start: {m: {velocity: [1, 0]}}\n";

static void velocities_that_jump_are_refused(void)
{
    if (!has_ida())
        return;
    HolMechanism *mechanism = NULL;
    HolModel *model = parse(impulsive, &mechanism);
    HolInitialState start = hol_mechanism_initial_state(mechanism);
    HolIdaOptions options = {.tolerance = 1e-8, .until = 1};
    HolMessage message = {""};
    HolIda *ida = (HolIda *)&options;
    CHECK_EQUAL_INT(hol_ida_create(hol_mechanism_system(mechanism), &start, &options, &ida, &message), HOL_UNSUPPORTED);
    CHECK(ida == NULL);
    CHECK_CONTAINS(message.text, "prescribed velocities may jump");
    hol_mechanism_destroy(mechanism);
    hol_model_destroy(model);
}

static HolStatus stop_late(void *user, double t)
{
    *(double *)user = t;
    return t > 0.5 ? HOL_STOPPED : HOL_OK;
}

static void runs_can_be_stopped_and_limited(void)
{
    if (!has_ida())
        return;
    HolMechanism *mechanism = NULL;
    HolModel *model = parse(SLIDER "forces: {k: {spring: [ground, m], from: [0, 0], to: [1, 0], stiffness: 1e6, "
                                   "free_length: 0.5}}\n",
                            &mechanism);
    HolInitialState start = hol_mechanism_initial_state(mechanism);
    HolMessage message;
    HolIda *ida = NULL;
    double t = 0;
    HolIdaOptions options = {.tolerance = 1e-8, .until = 1, .after_step = stop_late, .user = &t};
    CHECK_OK(hol_ida_create(hol_mechanism_system(mechanism), &start, &options, &ida, &message));
    CHECK_EQUAL_INT(hol_ida_run(ida, 1), HOL_STOPPED);
    CHECK(t > 0.5 && t < 0.6 && hol_ida_state(ida)->t == t);
    hol_ida_destroy(ida);
    options = (HolIdaOptions){.tolerance = 1e-8, .until = 1e5, .work_limit = 1e4};
    CHECK_OK(hol_ida_create(hol_mechanism_system(mechanism), &start, &options, &ida, &message));
    CHECK_EQUAL_INT(hol_ida_run(ida, 1e5), HOL_GIVEN_UP);
    CHECK_CONTAINS(hol_ida_message(ida), "too many evaluations");
    hol_ida_destroy(ida);
    hol_mechanism_destroy(mechanism);
    hol_model_destroy(model);
}

CHECK_MAIN(TEST(models_agree_with_their_references), TEST(beams_agree_with_their_references),
           TEST(a_pulse_is_not_missed), TEST(jumps_of_a_force_are_met), TEST(a_stop_is_met_and_left),
           TEST(a_driven_spring), TEST(a_stiff_pair_moves_as_one), TEST(a_bushing_vibrates),
           TEST(velocities_that_jump_are_refused), TEST(runs_can_be_stopped_and_limited))
