/* SPDX-License-Identifier: BSD-3-Clause */
/* What is bounded in a step, for those who step against a clock (docs/guide/from-c.md): with equal steps by an explicit
 * integrator every step takes the same number of evaluations, and a changed input one more; iterations stay below the
 * limits of their options. And a whole period of a control loop allocates nothing. */
#include <holon/holon.h>

#include "allocations.h"
#include "check.h"
#include "runs.h"
#include "systems/scenes.h"

static const char *const scenes[] = {"four-bar", "spherical-pendulum", "rolling-disc", "rheonomic-crank"};

static void check_evaluations(const Scene *scene, const char *formulation, const char *integrator, int per_step)
{
    HolSimulationOptions options = run_options(formulation, integrator, 1e-3);
    HolSimulation *simulation = NULL;
    CHECK_OK(hol_simulation_create(scene->system, &scene->start, &options, &simulation, NULL));
    REQUIRE(simulation != NULL);
    for (int i = 0; i < 300; i++) {
        HolStepReport report;
        if (!CHECK_OK(hol_simulation_step(simulation, &report)) || !CHECK_EQUAL_INT(report.evaluations, per_step))
            break;
    }
    hol_simulation_destroy(simulation);
}

static void explicit_steps_take_equal_numbers_of_evaluations(void)
{
    static const struct {
        const char *integrator;
        int evaluations; /* the last one, at the end, is the first stage of the next step */
    } explicit_ones[] = {{"euler", 1}, {"symplectic-euler", 1}, {"rk4", 4}};
    for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++) {
        Scene *scene = scene_create(scenes[k], 0);
        REQUIRE(scene != NULL);
        for (int i = 0; i < hol_formulation_count(); i++)
            for (int j = 0; j < 3; j++) {
                const char *formulation = hol_formulation_info(i).name, *integrator = explicit_ones[j].integrator;
                CHECK_CONTEXT("%s with %s on %s", formulation, integrator, scenes[k]);
                if (is_supported(formulation, integrator) && is_served(formulation, scene->system))
                    check_evaluations(scene, formulation, integrator, explicit_ones[j].evaluations);
            }
        scene_destroy(scene);
    }
}

/* A limit that is met is a failure, not more work. */
static void positions_take_no_more_iterations_than_allowed(void)
{
    enum { LIMIT = 2 };
    Scene *scene = scene_create("four-bar", 0);
    REQUIRE(scene != NULL);
    HolSimulationOptions options = hol_simulation_options();
    HolSimulation *simulation = NULL;
    options.settings = (HolSetting[]){{"formulation.max_iterations", "2"}};
    options.setting_count = 1;
    options.step = 1e-2;
    CHECK_OK(hol_simulation_create(scene->system, &scene->start, &options, &simulation, NULL));
    REQUIRE(simulation != NULL);
    int most = 0;
    for (int i = 0; i < 300; i++) {
        HolStepReport report;
        HolStatus status = hol_simulation_step(simulation, &report);
        CHECK(status == HOL_OK || status == HOL_NO_CONVERGENCE);
        most = report.position_iterations > most ? report.position_iterations : most;
    }
    CHECK(most > 0 && most <= LIMIT);
    hol_simulation_destroy(simulation);
    scene_destroy(scene);
}

/* Read by name, set an input, step. */
static void a_period_of_a_control_loop_allocates_nothing(void)
{
    double values[64];
    HolMechanism *mechanism = NULL;
    HolSimulation *simulation = NULL;
    HolRecorder *recorder = NULL;
    HolModel *model = hol_model_create();
    REQUIRE(model != NULL);
    CHECK_OK(hol_model_load(model, "four-bar"));
    CHECK_OK(hol_model_set(model, "inputs", "{torque: 0}"));
    CHECK_OK(hol_model_set(model, "forces.motor", "{torque: crank, vector: torque}"));
    CHECK_OK(hol_mechanism_create(model, &mechanism));
    hol_model_destroy(model);
    REQUIRE(mechanism != NULL);
    CHECK_OK(hol_mechanism_assemble(mechanism, NULL));
    HolInitialState start = hol_mechanism_initial_state(mechanism);
    HolSimulationOptions options = hol_mechanism_options(mechanism);
    const HolSystem *system = hol_mechanism_system(mechanism);
    CHECK_OK(hol_simulation_create(system, &start, &options, &simulation, NULL));
    CHECK_OK(hol_recorder_create(mechanism, (const char *[]){"crank", "reactions"}, 2, &recorder, NULL));
    REQUIRE(simulation != NULL && recorder != NULL && hol_recorder_column_count(recorder) <= 64);
    HolMeasures first = hol_simulation_measures(simulation);
    CHECK_OK(
        hol_recorder_read(recorder, hol_simulation_state(simulation), &first, values)); /* looks at redundant rows */
    HolStatus status = HOL_OK;
    int torque = hol_system_find_input(system, "torque"), evaluations = 0;
    allocations_start();
    for (int i = 0; i < 100 && status == HOL_OK; i++) {
        HolStepReport report;
        HolMeasures measures = hol_simulation_measures(simulation);
        hol_recorder_read(recorder, hol_simulation_state(simulation), &measures, values);
        hol_simulation_set_input(simulation, torque, 3 - values[hol_recorder_find(recorder, "crank.w")] + 0.1 * i);
        status = hol_simulation_step(simulation, &report);
        evaluations = report.evaluations > evaluations ? report.evaluations : evaluations;
    }
    long allocations = allocations_stop();
    CHECK_OK(status);
    CHECK_EQUAL_INT(allocations, 0);
    CHECK_EQUAL_INT(evaluations, 5);
    hol_recorder_destroy(recorder);
    hol_simulation_destroy(simulation);
    hol_mechanism_destroy(mechanism);
}

CHECK_MAIN(TEST(explicit_steps_take_equal_numbers_of_evaluations), TEST(positions_take_no_more_iterations_than_allowed),
           TEST(a_period_of_a_control_loop_allocates_nothing))
