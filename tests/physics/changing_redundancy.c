/* SPDX-License-Identifier: BSD-3-Clause */
/* A mechanism with redundant constraints that rotates as a whole: constraints that are independent initially become
 * dependent after a quarter turn, and others must be left out. */
#include <holon/mechanism.h>

#include "recorded.h"

/* The governor on hinges, six of its rows redundant, spinning freely at 10 rad/s for five turns. */
static HolModel *spinning_governor(void)
{
    HolModel *model = hol_model_create();
    CHECK_OK(hol_model_load(model, "governor"));
    CHECK_OK(hol_model_choose(model, "hinged"));
    CHECK_OK(hol_model_set(model, "drivers.engine", "~"));
    CHECK_OK(hol_model_set(model, "forces.oil", "~"));
    CHECK_OK(hol_model_set(model, "start.spindle", "{angular_velocity: [0, 0, 10]}"));
    return model;
}

static HolSummary run_of(HolModel *model, const char *integrator, double until)
{
    HolSummary summary = {0};
    HolMessage message = {{0}};
    HolMechanism *mechanism;
    HolSimulation *simulation;
    CHECK_OK(hol_model_set(model, "run.integrator", "%s", integrator));
    if (CHECK_OK(hol_mechanism_create(model, &mechanism)) && CHECK_OK(hol_mechanism_assemble(mechanism, &message))) {
        HolInitialState start = hol_mechanism_initial_state(mechanism);
        HolSimulationOptions options = hol_mechanism_options(mechanism);
        const HolSystem *system = hol_mechanism_system(mechanism);
        if (CHECK_OK(hol_simulation_create(system, &start, &options, &simulation, &message))) {
            CHECK_OK(hol_simulation_run(simulation, &(HolRun){.until = until}));
            summary = hol_simulation_summary(simulation);
            hol_simulation_destroy(simulation);
        }
        hol_mechanism_destroy(mechanism);
    }
    hol_model_destroy(model);
    return summary;
}

static void energy_is_kept_through_every_quarter_turn(void)
{
    HolSummary fixed = run_of(spinning_governor(), "rk4", 3);
    HolSummary tight = run_of(spinning_governor(), "{kind: dopri5, tolerance: 1e-10, absolute: 1e-10}", 3);
    CHECK_EQUAL_INT(fixed.redundant_rows, 6);
    CHECK_EQUAL_INT(fixed.dof, 2);
    CHECK(fixed.max_energy_drift < 1e-8);
    CHECK(fixed.max_position_violation < 1e-13);
    CHECK(tight.max_energy_drift < 1e-8);
    CHECK_NEAR(tight.energy_final, fixed.energy_final, 1e-8);
}

/* A four-bar on parallel hinges, three of its rows redundant, free in space: C at (x, y), step h, `rate` rad/s. */
static HolModel *flying_four_bar(double x, double y, double rate, double h)
{
    HolModel *model = parsed_model("points: {A: [0, 0, 0], B: [1, 0, 0], C: [1, 1, 0], D: [0.3, 0.8, 0]}\n"
                                   "bodies:\n"
                                   "  a: {bar: [A, B], mass: 1, section: [0.05, 0.1]}\n"
                                   "  b: {bar: [B, C], mass: 2, section: [0.05, 0.1]}\n"
                                   "  c: {bar: [C, D], mass: 1.5, section: [0.05, 0.1]}\n"
                                   "  d: {bar: [D, A], mass: 0.7, section: [0.05, 0.1]}\n"
                                   "joints:\n"
                                   "  A: {revolute: [d, a], at: A, axis: z}\n"
                                   "  B: {revolute: [a, b], at: B, axis: z}\n"
                                   "  C: {revolute: [b, c], at: C, axis: z}\n"
                                   "  D: {revolute: [c, d], at: D, axis: z}\n"
                                   "run: {formulation: direct-correction}\n");
    CHECK_OK(hol_model_set(model, "points.C", "[%g, %g, 0]", x, y));
    CHECK_OK(hol_model_set(model, "start",
                           "{a: {velocity: [0.1, 0.2, 0.3], angular_velocity: [%g, %g, %g]},"
                           " b: {angular_velocity: [%g, %g, %g]}}",
                           0.6 * rate, rate, 0.4 * rate, 0.6 * rate, rate, 0.7 * rate));
    CHECK_OK(hol_model_set(model, "run.step", "%g", h));
    return model;
}

/* Stages of long steps violate the constraints, and redundant rows are independent there by as much. */
static void stages_off_the_manifold_make_no_row_independent(void)
{
    static const struct {
        double x, y, rate, step;
    } runs[] = {{1.3, 0.8, 10, 5e-3}, {1.3, 0.8, 200, 2e-4}, {1.5, 1, 10, 5e-3}, {1.5, 1, 50, 1e-3}};
    for (int i = 0; i < 4; ++i) {
        CHECK_CONTEXT("C at (%g, %g), %g rad/s", runs[i].x, runs[i].y, runs[i].rate);
        HolModel *model = flying_four_bar(runs[i].x, runs[i].y, runs[i].rate, runs[i].step);
        HolSummary summary = run_of(model, "rk4", fmin(1, 40 / runs[i].rate));
        CHECK_EQUAL_INT(summary.redundant_rows, 3);
        CHECK(summary.max_energy_drift < 1e-4 * summary.energy_initial);
        CHECK(summary.max_position_violation < 1e-12);
    }
}

/* A door on three hinges, ten of its rows redundant, in a frame that tumbles freely. */
static HolModel *tumbling_door(void)
{
    return parsed_model("gravity: [0, 0, -9.81]\n"
                        "bodies:\n"
                        "  frame: {rigid: [-0.2, 0.1, 0], mass: 5, inertia: [1, 2, 2.5]}\n"
                        "  door: {rigid: [0.5, 0, 0], mass: 3, inertia: [0.5, 0.8, 0.4]}\n"
                        "joints:\n"
                        "  low: {revolute: [frame, door], at: [0, 0, -0.8], axis: z}\n"
                        "  middle: {revolute: [frame, door], at: [0, 0, 0.1], axis: z}\n"
                        "  high: {revolute: [frame, door], at: [0, 0, 0.8], axis: z}\n"
                        "forces: {closer: {torsion: low, stiffness: 20, free_angle: 20 deg}}\n"
                        "start: {frame: {angular_velocity: [3, 4, 2]}}\n");
}

static HolModel *driven_governor(void)
{
    HolModel *model = hol_model_create();
    CHECK_OK(hol_model_load(model, "governor"));
    CHECK_OK(hol_model_choose(model, "hinged"));
    return model;
}

/* Two positions at the time t. */
static void state_at(double t, HolModel *model, const char *const columns[2], const char *formulation,
                     const char *integrator, double step, double end[2])
{
    Recorded r;
    CHECK_OK(hol_model_set(model, "run.formulation", "%s", formulation));
    CHECK_OK(hol_model_set(model, "run.integrator", "%s", integrator));
    CHECK_OK(hol_model_set(model, "run.step", "%g", step));
    if (recorded_open(&r, model, "bodies") && recorded_go_to(&r, t))
        for (int i = 0; i < 2; ++i)
            end[i] = recorded_value(&r, columns[i]);
    recorded_close(&r);
}

static void end_of(HolModel *model, const char *const columns[2], const char *formulation, const char *integrator,
                   double step, double end[2])
{
    state_at(1, model, columns, formulation, integrator, step, end);
}

/* Errors at 4 and 2 ms decrease by 16: which rows are left out must not show in the motion. */
static void check_order(HolModel *(*model)(void), const char *const columns[2], const char *formulation, double most)
{
    double exact[2] = {0}, coarse[2] = {0}, fine[2] = {0};
    end_of(model(), columns, "direct-correction", "{kind: dopri5, tolerance: 1e-12}", 1e-3, exact);
    end_of(model(), columns, formulation, "rk4", 4e-3, coarse);
    end_of(model(), columns, formulation, "rk4", 2e-3, fine);
    CHECK_CONTEXT("%s", formulation);
    double error = fmax(fabs(coarse[0] - exact[0]), fabs(coarse[1] - exact[1]));
    double finer = fmax(fabs(fine[0] - exact[0]), fabs(fine[1] - exact[1]));
    CHECK(finer < most);
    CHECK(error > 12 * finer && error < 20 * finer);
}

static void formulations_without_projection_keep_their_order(void)
{
    static const char *const names[] = {"lagrange", "baumgarte", "elimination", "null-space"};
    static const char *const of_governor[] = {"ball0.x", "sleeve.z"}, *const of_door[] = {"door.x", "frame.z"};
    for (int i = 0; i < 4; ++i) {
        check_order(driven_governor, of_governor, names[i], 1e-9);
        check_order(tumbling_door, of_door, names[i], 1e-8);
    }
}

/* At 10 rad/s, hinged or with joints that are not redundant. */
static HolModel *free_governor(bool is_hinged)
{
    HolModel *model = hol_model_create();
    CHECK_OK(hol_model_load(model, "governor"));
    CHECK_OK(hol_model_choose(model, "free"));
    CHECK_OK(is_hinged ? hol_model_choose(model, "hinged") : HOL_OK);
    return model;
}

static double free_error(bool is_hinged, const char *formulation, const double exact[2])
{
    static const char *const columns[] = {"ball0.x", "sleeve.z"};
    double end[2] = {NAN, NAN};
    state_at(3, free_governor(is_hinged), columns, formulation, "rk4", 1e-3, end);
    return fmax(fabs(end[0] - exact[0]), fabs(end[1] - exact[1]));
}

/* Redundant rows that have drifted disagree, by the square of the rate of rotation: the drift must not grow with
 * that. The yardstick is the same governor with joints that are not redundant. */
static void drift_does_not_grow_with_the_rotation(void)
{
    static const char *const names[] = {"lagrange", "baumgarte", "elimination", "null-space", "direct-correction"};
    static const char *const columns[] = {"ball0.x", "sleeve.z"};
    double exact[2] = {0};
    state_at(3, free_governor(false), columns, "direct-correction", "{kind: dopri5, tolerance: 1e-13}", 1e-3, exact);
    double drift = free_error(false, "lagrange", exact);
    CHECK(drift < 1e-9);
    for (int i = 0; i < 5; ++i) {
        CHECK_CONTEXT("%s", names[i]);
        CHECK(free_error(true, names[i], exact) < (i == 1 ? 10 : 2) * drift);
    }
}

CHECK_MAIN(TEST(energy_is_kept_through_every_quarter_turn), TEST(stages_off_the_manifold_make_no_row_independent),
           TEST(formulations_without_projection_keep_their_order), TEST(drift_does_not_grow_with_the_rotation))
