/* SPDX-License-Identifier: BSD-3-Clause */
/* Time advances or the run is refused: a start, an end or an interval between records whose steps rounding would swallow
 * is an error with a sentence, for every integrator. Far from zero, but not too far, runs are as complete as at zero. */
#include <holon/holon.h>

#include "check.h"
#include "runs.h"
#include "systems/scenes.h"

#include <stdio.h>

/* A formulation that runs with this integrator. */
static const char *partner_of(const char *integrator)
{
    for (int i = 0; i < hol_formulation_count(); ++i)
        if (hol_pair_supported(hol_formulation_info(i).name, integrator, NULL) == HOL_OK)
            return hol_formulation_info(i).name;
    return "";
}

static HolStatus create(const Scene *scene, const char *integrator, double t, HolSimulation **simulation,
                        HolMessage *message)
{
    HolSimulationOptions options = run_options(partner_of(integrator), integrator, 1e-3);
    HolInitialState start = scene->start;
    start.t = t;
    return hol_simulation_create(scene->system, &start, &options, simulation, message);
}

static void a_start_too_far_from_zero_is_refused(void)
{
    static const double starts[] = {1e14, -1e14, 1e300, -1e300};
    Scene *scene = scene_create("double-pendulum", 0);
    REQUIRE(scene != NULL);
    for (int i = 0; i < 4 * hol_integrator_count(); ++i) {
        const char *integrator = hol_integrator_info(i / 4).name;
        char number[32];
        HolSimulation *simulation = NULL;
        HolMessage message = {{0}};
        CHECK_CONTEXT("%s from t = %g", integrator, starts[i % 4]);
        CHECK_STATUS(create(scene, integrator, starts[i % 4], &simulation, &message), HOL_BAD_INPUT);
        CHECK(simulation == NULL);
        snprintf(number, sizeof number, "start time %.9g s", starts[i % 4]);
        CHECK_CONTAINS(message.text, number);
        CHECK_CONTAINS(message.text, "a step of 0.001 s");
        hol_simulation_destroy(simulation);
    }
    scene_destroy(scene);
}

static void an_end_too_far_from_zero_is_refused_by_fixed_steps(void)
{
    Scene *scene = scene_create("double-pendulum", 0);
    HolSimulation *simulation = NULL;
    REQUIRE(scene != NULL);
    REQUIRE_OK(create(scene, "rk4", 0, &simulation, NULL));
    CHECK_STATUS(hol_simulation_run(simulation, &(HolRun){.until = 1e300}), HOL_BAD_INPUT);
    CHECK_CONTAINS(hol_simulation_message(simulation), "end of the run 1e+300 s");
    CHECK(hol_simulation_state(simulation)->t == 0);
    CHECK_OK(hol_simulation_run(simulation, &(HolRun){.until = 0.01}));
    hol_simulation_destroy(simulation);
    scene_destroy(scene);
}

typedef struct Times {
    int count;
    double last;
    bool rise;
} Times;

static HolStatus note_time(void *user, const HolState *state, const HolMeasures *measures)
{
    Times *times = user;
    (void)measures;
    times->rise = times->count == 0 || (times->rise && state->t > times->last);
    times->last = state->t;
    ++times->count;
    return HOL_OK;
}

static void records_closer_than_rounding_are_refused(void)
{
    Scene *scene = scene_create("double-pendulum", 0);
    HolSimulation *simulation = NULL;
    Times times = {0};
    REQUIRE(scene != NULL);
    REQUIRE_OK(create(scene, "dopri5", 1e9, &simulation, NULL));
    HolRun run = {.until = 1e9 + 0.01, .every = 1e-6, .record = note_time, .user = &times};
    CHECK_STATUS(hol_simulation_run(simulation, &run), HOL_BAD_INPUT);
    CHECK_CONTAINS(hol_simulation_message(simulation), "every = 1e-06");
    CHECK_EQUAL_INT(times.count, 0);
    hol_simulation_destroy(simulation);
    scene_destroy(scene);
}

/* The last second, too: times are compared by their interval, not by their distance from zero. */
static void far_from_zero_all_records_are_written(void)
{
    static const char *const integrators[] = {"rk4", "dopri5"};
    Scene *scene = scene_create("double-pendulum", 0);
    REQUIRE(scene != NULL);
    for (int i = 0; i < 2; ++i) {
        HolSimulation *simulation = NULL;
        Times times = {0};
        CHECK_CONTEXT("%s", integrators[i]);
        REQUIRE_OK(create(scene, integrators[i], 1e9, &simulation, NULL));
        HolRun run = {.until = 1e9 + 2, .every = 0.125, .record = note_time, .user = &times};
        CHECK_OK(hol_simulation_run(simulation, &run));
        CHECK_EQUAL_INT(times.count, 17);
        CHECK(times.rise && times.last == 1e9 + 2);
        hol_simulation_destroy(simulation);
    }
    scene_destroy(scene);
}

CHECK_MAIN(TEST(a_start_too_far_from_zero_is_refused), TEST(an_end_too_far_from_zero_is_refused_by_fixed_steps),
           TEST(records_closer_than_rounding_are_refused), TEST(far_from_zero_all_records_are_written))
