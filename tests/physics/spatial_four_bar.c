/* SPDX-License-Identifier: BSD-3-Clause */
/* The four-bar of the plane built in space with four revolute joints: three of its twenty rows are redundant. It moves
 * as the planar one does, and the diagnosis says which reactions are unique: forces in the plane are, what bends the
 * axes is not. */
#include <holon/mechanism.h>

#include "check.h"

static const char *const text = "gravity: [0, -9.81, 0]\n"
                                "parameters: {xB: 1, yB: sqrt(3), xD: 2.5, d: 'hypot(xD - xB, yB)',\n"
                                "             h: 'sqrt(16 - d^2/4)'}\n"
                                "points:\n"
                                "  A: [0, 0, 0]\n"
                                "  B: [xB, yB, 0]\n"
                                "  C: [(xB + xD)/2 + h*yB/d, yB/2 + h*(xD - xB)/d, 0]\n"
                                "  D: [xD, 0, 0]\n"
                                "bodies:\n"
                                "  crank: {bar: [A, B], mass: 1, inertia: [0.1, 0.3, 0.3]}\n"
                                "  coupler: {bar: [B, C], mass: 2.25, inertia: [0.1, 2, 2]}\n"
                                "  follower: {bar: [D, C], mass: 2.2, inertia: [0.1, 1.35, 1.35]}\n"
                                "joints:\n"
                                "  A: {revolute: [ground, crank], at: A, axis: z}\n"
                                "  B: {revolute: [crank, coupler], at: B, axis: z}\n"
                                "  C: {revolute: [coupler, follower], at: C, axis: z}\n"
                                "  D: {revolute: [ground, follower], at: D, axis: z}\n"
                                "run: {until: 10 s}\n";

typedef struct Machine {
    HolModel *model;
    HolMechanism *mechanism;
    HolSimulation *simulation;
    HolRecorder *recorder;
    double values[200];
} Machine;

static bool start_machine(Machine *m, const char *source, bool tight)
{
    HolMessage message = {{0}};
    *m = (Machine){.model = hol_model_create()};
    HolStatus status = source ? hol_model_parse(m->model, source, "spatial") : hol_model_load(m->model, "four-bar");
    if (status == HOL_OK && tight)
        status = hol_model_set(m->model, "run.integrator", "{kind: dopri5, tolerance: 1e-13, absolute: 1e-13}");
    if (status == HOL_OK)
        status = hol_mechanism_create(m->model, &m->mechanism);
    for (int i = 0; i < hol_model_error_count(m->model); ++i)
        printf("    %s\n", hol_model_error(m->model, i));
    if (status == HOL_OK)
        status = hol_mechanism_assemble(m->mechanism, &message);
    if (status == HOL_OK) {
        HolInitialState start = hol_mechanism_initial_state(m->mechanism);
        HolSimulationOptions options = hol_mechanism_options(m->mechanism);
        status = hol_simulation_create(hol_mechanism_system(m->mechanism), &start, &options, &m->simulation, &message);
    }
    if (status == HOL_OK)
        status = hol_recorder_create(m->mechanism, (const char *[]){"all"}, 1, &m->recorder, &message);
    return CHECK_OK(status) && CHECK(hol_recorder_column_count(m->recorder) <= 200);
}

static double value(const Machine *m, const char *column)
{
    int index = hol_recorder_find(m->recorder, column);
    return CHECK(index >= 0) ? m->values[index] : NAN;
}

static bool advance(Machine *m, double t)
{
    HolRun run = {.until = t};
    HolStatus status = hol_simulation_run(m->simulation, &run);
    HolMeasures measures = hol_simulation_measures(m->simulation);
    return CHECK_OK(status) &&
           CHECK_OK(hol_recorder_read(m->recorder, hol_simulation_state(m->simulation), &measures, m->values));
}

static void stop_machine(Machine *m)
{
    hol_recorder_destroy(m->recorder);
    hol_simulation_destroy(m->simulation);
    hol_mechanism_destroy(m->mechanism);
    hol_model_destroy(m->model);
}

static void compare(const Machine *spatial, const Machine *planar)
{
    static const char *const columns[] = {"crank.x",    "crank.y",  "coupler.x",  "coupler.y",  "follower.x",
                                          "follower.y", "crank.vx", "coupler.vy", "follower.vx"};
    static const char *const forces[] = {"A.fx", "A.fy", "B.fx", "B.fy", "C.fx", "C.fy", "D.fx", "D.fy"};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; ++i)
        CHECK_NEAR(value(spatial, columns[i]), value(planar, columns[i]), 1e-9);
    for (size_t i = 0; i < sizeof forces / sizeof *forces; ++i)
        CHECK_NEAR(value(spatial, forces[i]), value(planar, forces[i]), 1e-6);
    CHECK_NEAR(value(spatial, "coupler.z"), 0, 1e-12);
    CHECK_NEAR(value(spatial, "crank.wz"), value(planar, "crank.w"), 1e-8);
}

/* By t = 10 the errors of rk4 have grown to 3e-9 in either kind of coordinates, so that is left to the tight run. */
static void compare_runs(bool tight)
{
    static const double times[] = {0.5, 1, 5, 10};
    Machine spatial, planar;
    REQUIRE(start_machine(&spatial, text, tight));
    REQUIRE(start_machine(&planar, NULL, tight));
    for (int i = 0; i < (tight ? 4 : 3); ++i) {
        CHECK_CONTEXT("t = %g%s", times[i], tight ? ", tight" : "");
        REQUIRE(advance(&spatial, times[i]));
        REQUIRE(advance(&planar, times[i]));
        compare(&spatial, &planar);
    }
    CHECK_EQUAL_INT(hol_simulation_summary(spatial.simulation).redundant_rows, 3);
    CHECK_EQUAL_INT(hol_simulation_summary(spatial.simulation).dof, 1);
    stop_machine(&spatial);
    stop_machine(&planar);
}

static void redundant_hinges_move_as_in_the_plane(void)
{
    compare_runs(false);
    compare_runs(true);
}

static void reactions_in_the_plane_are_unique_others_are_not(void)
{
    static const bool expected[6] = {true, true, false, false, false, true}; /* fx fy fz tx ty tz */
    Machine m;
    HolDiagnosis *diagnosis;
    HolMessage message;
    REQUIRE(start_machine(&m, text, false));
    REQUIRE_OK(hol_mechanism_diagnose(m.mechanism, NULL, &diagnosis, &message));
    CHECK_EQUAL_INT(diagnosis->m, 20);
    CHECK_EQUAL_INT(diagnosis->rank, 17);
    CHECK_EQUAL_INT(diagnosis->dof, 1);
    CHECK_EQUAL_INT(diagnosis->redundant_rows, 3);
    int redundant = 0;
    for (int j = 0; j < diagnosis->joint_count; ++j) {
        CHECK_CONTEXT("joint %s", hol_mechanism_joint(m.mechanism, j).name);
        redundant += diagnosis->joints[j].redundant_count;
        CHECK(diagnosis->joints[j].involved);
        for (int i = 0; i < 6; ++i)
            CHECK(diagnosis->joints[j].unique[i] == expected[i]);
    }
    CHECK_EQUAL_INT(redundant, 3);
    hol_diagnosis_destroy(diagnosis);
    stop_machine(&m);
}

CHECK_MAIN(TEST(redundant_hinges_move_as_in_the_plane), TEST(reactions_in_the_plane_are_unique_others_are_not))
