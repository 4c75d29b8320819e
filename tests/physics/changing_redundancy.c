/* SPDX-License-Identifier: BSD-3-Clause */
/* A mechanism with redundant constraints that rotates as a whole: constraints that are independent initially become
 * dependent after a quarter turn, and others must be left out. */
#include <holon/mechanism.h>

#include "check.h"

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

static HolSummary run(const char *integrator)
{
    HolSummary summary = {0};
    HolMessage message = {{0}};
    HolMechanism *mechanism;
    HolSimulation *simulation;
    HolModel *model = spinning_governor();
    CHECK_OK(hol_model_set(model, "run.integrator", "%s", integrator));
    if (CHECK_OK(hol_mechanism_create(model, &mechanism)) && CHECK_OK(hol_mechanism_assemble(mechanism, &message))) {
        HolInitialState start = hol_mechanism_initial_state(mechanism);
        HolSimulationOptions options = hol_mechanism_options(mechanism);
        const HolSystem *system = hol_mechanism_system(mechanism);
        if (CHECK_OK(hol_simulation_create(system, &start, &options, &simulation, &message))) {
            CHECK_OK(hol_simulation_run(simulation, &(HolRun){.until = 3}));
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
    HolSummary fixed = run("rk4"), tight = run("{kind: dopri5, tolerance: 1e-10, absolute: 1e-10}");
    CHECK_EQUAL_INT(fixed.redundant_rows, 6);
    CHECK_EQUAL_INT(fixed.dof, 2);
    CHECK(fixed.max_energy_drift < 1e-8);
    CHECK(fixed.max_position_violation < 1e-13);
    CHECK(tight.max_energy_drift < 1e-8);
    CHECK_NEAR(tight.energy_final, fixed.energy_final, 1e-8);
}

CHECK_MAIN(TEST(energy_is_kept_through_every_quarter_turn))
