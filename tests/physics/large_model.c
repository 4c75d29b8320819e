/* SPDX-License-Identifier: BSD-3-Clause */
/* A model of ten thousand bodies: loads, assembles, moves as the closed form says, and stays within its memory. */
#include <holon/mechanism.h>

#include "check.h"

#include <malloc.h>

enum { LOOPS = 5000, BODIES = 2 * LOOPS + 1 };

/* Bytes in use; mallinfo2() knows nothing under the sanitizers. */
static double memory_in_use(void)
{
    struct mallinfo2 info = mallinfo2();
    return (double)info.uordblks + (double)info.hblkhd;
}

static bool can_measure_memory(void)
{
#ifdef __SANITIZE_ADDRESS__
    return false;
#else
    return true;
#endif
}

/* theta'' = -(3/2) g (3N + 1)/(4N + 1) cos(theta) from theta = pi/2, theta' = -1: to t^4, the sixth is below 1e-14. */
static double angle_after(double t)
{
    double kappa = 1.5 * 9.81 * (3.0 * LOOPS + 1) / (4.0 * LOOPS + 1);
    return M_PI / 2 - (t + kappa * t * t * t / 6 + kappa * (kappa - 1) * t * t * t * t * t / 120);
}

static void ten_thousand_bodies_move_as_the_closed_form_says(void)
{
    double before = memory_in_use();
    HolMessage message = {{0}};
    HolMechanism *mechanism;
    HolSimulation *simulation;
    HolModel *model = hol_model_create();
    REQUIRE_OK(hol_model_load(model, "n-four-bar"));
    CHECK_OK(hol_model_set(model, "parameters.N", "%d", LOOPS));
    REQUIRE_OK(hol_mechanism_create(model, &mechanism));
    CHECK_EQUAL_INT(hol_mechanism_body_count(mechanism), BODIES);
    REQUIRE_OK(hol_mechanism_assemble(mechanism, &message));
    HolInitialState start = hol_mechanism_initial_state(mechanism);
    HolSimulationOptions options = hol_mechanism_options(mechanism);
    REQUIRE_OK(hol_simulation_create(hol_mechanism_system(mechanism), &start, &options, &simulation, &message));
    HolRun run = {.until = 5e-3};
    CHECK_OK(hol_simulation_run(simulation, &run));
    CHECK_NEAR(hol_simulation_state(simulation)->q[2], angle_after(5e-3), 1e-12);
    HolSummary summary = hol_simulation_summary(simulation);
    CHECK_EQUAL_INT(summary.dof, 1);
    CHECK_EQUAL_INT(summary.redundant_rows, 0);
    CHECK(summary.max_position_violation < 1e-11);
    if (can_measure_memory())
        CHECK_NEAR((memory_in_use() - before) / BODIES, 10e3, 10e3); /* below 20 kB per body */
    hol_simulation_destroy(simulation);
    hol_mechanism_destroy(mechanism);
    hol_model_destroy(model);
}

CHECK_MAIN(TEST(ten_thousand_bodies_move_as_the_closed_form_says))
