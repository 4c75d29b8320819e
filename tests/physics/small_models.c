/* SPDX-License-Identifier: BSD-3-Clause */
/* Small models against closed forms, one feature each: trajectories of points, prescribed initial values, points of
 * application of reactions, the energy balance, shapes. */
#include <holon/mechanism.h>

#include "check.h"

typedef struct Run {
    HolMechanism *mechanism;
    HolSimulation *simulation;
    HolRecorder *recorder;
    double values[120];
} Run;

static bool start_run(Run *run, const char *text)
{
    HolMessage message = {{0}};
    HolModel *model = hol_model_create();
    *run = (Run){0};
    HolStatus status = hol_model_parse(model, text, "small");
    if (status == HOL_OK)
        status = hol_mechanism_create(model, &run->mechanism);
    for (int i = 0; i < hol_model_error_count(model); ++i)
        printf("    %s\n", hol_model_error(model, i));
    hol_model_destroy(model);
    if (status == HOL_OK)
        status = hol_mechanism_assemble(run->mechanism, &message);
    if (status == HOL_OK) {
        HolInitialState start = hol_mechanism_initial_state(run->mechanism);
        HolSimulationOptions options = hol_mechanism_options(run->mechanism);
        const HolSystem *system = hol_mechanism_system(run->mechanism);
        status = hol_simulation_create(system, &start, &options, &run->simulation, &message);
    }
    if (status == HOL_OK)
        status = hol_recorder_create(run->mechanism, (const char *[]){"all"}, 1, &run->recorder, &message);
    if (!CHECK_OK(status))
        printf("    %s\n", message.text);
    return status == HOL_OK && CHECK(hol_recorder_column_count(run->recorder) <= 120);
}

static void stop_run(Run *run)
{
    hol_recorder_destroy(run->recorder);
    hol_simulation_destroy(run->simulation);
    hol_mechanism_destroy(run->mechanism);
}

static double value_at(Run *run, double t, const char *column)
{
    int index = hol_recorder_find(run->recorder, column);
    if (t > hol_simulation_state(run->simulation)->t)
        CHECK_OK(hol_simulation_run(run->simulation, &(HolRun){.until = t}));
    HolMeasures measures = hol_simulation_measures(run->simulation);
    CHECK_OK(hol_recorder_read(run->recorder, hol_simulation_state(run->simulation), &measures, run->values));
    return CHECK(index >= 0) ? run->values[index] : NAN;
}

static void angular_velocities_are_held_in_global_axes(void)
{
    Run run;
    REQUIRE(start_run(&run, "bodies:\n"
                            "  table: {cylinder: [1, 0.1], mass: 5}\n"
                            "  wheel: {cylinder: [0.2, 0.05], mass: 1, at: [1, 0, 0.5], orientation: {x: z, y: y}}\n"
                            "joints:\n"
                            "  post: {revolute: [ground, table], at: [0, 0, 0], axis: z}\n"
                            "  axle: {revolute: [table, wheel], at: [1, 0, 0.5], axis: x}\n"
                            "drivers: {turn: {angle: post, value: 90 deg}}\n"
                            "start: {wheel: {angular_velocity: [0, 10, 0]}}\n"));
    CHECK_NEAR(value_at(&run, 0, "wheel.y"), 1, 1e-12); /* assembly has turned it by 90 degrees */
    CHECK_NEAR(value_at(&run, 0, "wheel.wx"), 0, 1e-11);
    CHECK_NEAR(value_at(&run, 0, "wheel.wy"), 10, 1e-11);
    stop_run(&run);
}

static void held_angles_are_held_exactly(void)
{
    Run run;
    REQUIRE(start_run(&run, "plane: xy\n"
                            "points: {A: [0, 0], B: [1, 0], C: [2, 0]}\n"
                            "bodies: {a: {bar: [A, B], mass: 1}, b: {bar: [B, C], mass: 1}}\n"
                            "joints: {A: {revolute: [ground, a], at: A}, B: {revolute: [a, b], at: B}}\n"
                            "start: {a: {angle: 30 deg}, b: {angle: -70 deg, angular_velocity: 60 rpm}}\n"));
    CHECK_NEAR(value_at(&run, 0, "a.phi"), M_PI / 6, 1e-15);
    CHECK_NEAR(value_at(&run, 0, "b.phi"), -70 * M_PI / 180, 1e-15);
    CHECK_NEAR(value_at(&run, 0, "b.w"), 2 * M_PI, 1e-14);
    CHECK_NEAR(value_at(&run, 0, "B.x"), cos(M_PI / 6), 1e-14);
    stop_run(&run);
}

/* A contact transmits no torque, however far the wheel has rolled. */
static void rolling_contacts_transmit_forces_only(void)
{
    Run run;
    REQUIRE(start_run(&run, "plane: xy\n"
                            "gravity: [0, -9.81]\n"
                            "bodies: {w: {cylinder: [0.3, 0.1], mass: 5, at: [0, 0.3]}}\n"
                            "joints: {r: {rolling: [ground, w], radius: 0.3, through: [0, 0]}}\n"
                            "start: {w: {velocity: [1, 0]}}\n"));
    CHECK_NEAR(value_at(&run, 0.6, "r.fy"), 5 * 9.81, 1e-12);
    CHECK_NEAR(value_at(&run, 0.6, "r.tz"), 0, 1e-12);
    CHECK_NEAR(value_at(&run, 0.6, "w.phi"), -0.6 / 0.3, 1e-12);
    stop_run(&run);
    /* a ball down a slope of 30 degrees: a = 5/7 g sin, friction 2/7 m g sin, normal force m g cos */
    REQUIRE(start_run(&run, "gravity: [-4.905, 0, -8.495709211125343]\n"
                            "bodies: {b: {sphere: 0.2, mass: 3, at: [0, 0, 0.2]}}\n"
                            "joints: {r: {rolling: [ground, b], radius: 0.2, through: [0, 0, 0]}}\n"));
    CHECK_NEAR(value_at(&run, 1, "b.vx"), -5.0 / 7 * 4.905, 1e-9); /* rk4 turns the ball, 17 rad/s at the end */
    CHECK_NEAR(value_at(&run, 1, "r.fx"), 2.0 / 7 * 3 * 4.905, 1e-10);
    CHECK_NEAR(value_at(&run, 1, "r.fz"), 3 * 8.495709211125343, 1e-10);
    CHECK_NEAR(value_at(&run, 1, "r.ty"), 0, 1e-10);
    stop_run(&run);
}

/* A pin in a slot of the ground, seen from either side. */
static void slots_transmit_no_torque_to_the_ground(void)
{
    Run run;
    REQUIRE(start_run(&run, "plane: xy\n"
                            "gravity: [0, -9.81]\n"
                            "bodies: {a: {box: [1, 1], mass: 2}}\n"
                            "joints:\n"
                            "  s: {prismatic: [ground, a], at: [0, 0], axis: x}\n"
                            "  p: {prismatic: [a, ground], at: [0, 0], axis: x}\n"
                            "start: {a: {velocity: [1, 0]}}\n"));
    CHECK_NEAR(value_at(&run, 0.5, "a.x"), 0.5, 1e-12);
    /* the weight acts half a metre from the origin, where the reaction on the ground is recorded */
    double ground = value_at(&run, 0.5, "p.tz") - value_at(&run, 0.5, "s.tz") - 0.5 * value_at(&run, 0.5, "s.fy");
    CHECK_NEAR(ground, -0.5 * 2 * 9.81, 1e-10);
    stop_run(&run);
}

static void points_go_with_the_body_that_is_built_from_them(void)
{
    Run run;
    REQUIRE(start_run(&run, "plane: xy\n"
                            "parameters: {P: 2}\n"
                            "points: {P: [5, 5], Q: [1, 0], R: {at: [2, 0], on: a}}\n"
                            "bodies: {a: {box: [1, 1], mass: P}, b: {box: [1, 1], mass: 1, at: Q}}\n"
                            "joints: {l: {lock-angle: [a, b]}}\n"
                            "start: {a: {velocity: [1, 0]}, b: {velocity: [0, 3]}}\n"));
    CHECK_NEAR(value_at(&run, 1, "P.x"), 5, 0); /* nobody carries it */
    CHECK_NEAR(value_at(&run, 1, "Q.y"), 3, 1e-13);
    CHECK_NEAR(value_at(&run, 1, "R.x"), 3, 1e-13);
    stop_run(&run);
}

/* The drift that is recorded is total energy minus work minus the start: of euler on a falling pendulum it is not 0. */
static void the_recorded_drift_is_the_drift(void)
{
    Run run;
    REQUIRE(start_run(&run, "plane: xy\n"
                            "gravity: [0, -9.81]\n"
                            "points: {A: [0, 0], B: [1, 0]}\n"
                            "bodies: {a: {bar: [A, B], mass: 1}}\n"
                            "joints: {A: {revolute: [ground, a], at: A}}\n"
                            "run: {integrator: euler, step: 10 ms}\n"));
    double start = value_at(&run, 0, "energy.total"), end = value_at(&run, 1, "energy.total");
    CHECK(fabs(end - start) > 1e-3);
    CHECK_NEAR(value_at(&run, 1, "energy.drift"), end - start, 1e-12);
    stop_run(&run);
}

/* Kinetic energies at w = (1, 0, 0), (0, 1, 0), (0, 0, 1) give the moments of inertia. */
static void shapes_have_their_inertia(void)
{
    static const struct {
        const char *shape;
        double J[3];
    } shapes[] = {
        {"{box: [1, 2, 3], density: 2}", {12 * (4 + 9) / 12.0, 12 * (1 + 9) / 12.0, 12 * (1 + 4) / 12.0}},
        {"{cylinder: [2, 3], mass: 12}", {12 * (12 + 9) / 12.0, 12 * (12 + 9) / 12.0, 24}},
        {"{sphere: 2, mass: 5}", {8, 8, 8}},
        {"{bar: [[0, 0, 0], [2, 0, 0]], section: [0.3, 0.5], mass: 12}", {0.34, 4.25, 4.09}},
        {"{bar: [[0, 0, 0], [2, 0, 0]], section: 0.5, mass: 4}", {0.5, 4 / 3.0 + 0.25, 4 / 3.0 + 0.25}},
        {"{rigid: [0, 0, 0], mass: 1, inertia: [3, 4, 5]}", {3, 4, 5}},
    };
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; ++i)
        for (int axis = 0; axis < 3; ++axis) {
            char text[300];
            Run run;
            snprintf(text, sizeof text, "bodies: {b: %s}\nstart: {b: {angular_velocity: [%d, %d, %d]}}\n",
                     shapes[i].shape, axis == 0, axis == 1, axis == 2);
            CHECK_CONTEXT("%s about axis %d", shapes[i].shape, axis);
            REQUIRE(start_run(&run, text));
            CHECK_NEAR(2 * value_at(&run, 0, "energy.kinetic"), shapes[i].J[axis], 1e-13 * 30);
            stop_run(&run);
        }
}

CHECK_MAIN(TEST(angular_velocities_are_held_in_global_axes), TEST(held_angles_are_held_exactly),
           TEST(rolling_contacts_transmit_forces_only), TEST(slots_transmit_no_torque_to_the_ground),
           TEST(points_go_with_the_body_that_is_built_from_them), TEST(the_recorded_drift_is_the_drift),
           TEST(shapes_have_their_inertia))
