/* SPDX-License-Identifier: BSD-3-Clause */
/* The progress function of a run: called after every accepted step and never in between, after the records that are due;
 * it can stop the run, which keeps all that has been reached. */
#include <holon/holon.h>

#include "allocations.h"
#include "check.h"
#include "runs.h"
#include "systems/scenes.h"

enum { MOST = 64, STOP_AT = 7 };

/* What was called, in order: 'r' for a record, 'p' for progress. */
typedef struct Log {
    char calls[4 * MOST];
    int call_count, steps;
    double times[MOST]; /* of progress */
    int stop_at;        /* the step at which to answer, 0: never */
    HolStatus answer;
} Log;

static void note(Log *log, char call)
{
    if (log->call_count < 4 * MOST - 1)
        log->calls[log->call_count++] = call;
}

static HolStatus record(void *user, const HolState *state, const HolMeasures *measures)
{
    (void)state, (void)measures;
    note(user, 'r');
    return HOL_OK;
}

static HolStatus progress(void *user, double t)
{
    Log *log = user;
    note(log, 'p');
    if (log->steps < MOST)
        log->times[log->steps] = t;
    return ++log->steps == log->stop_at ? log->answer : HOL_OK;
}

static HolSimulation *simulation_of(const Scene *scene, const char *integrator, double step)
{
    HolSimulationOptions options = run_options("direct-correction", integrator, step);
    HolSimulation *simulation = NULL;
    CHECK_OK(hol_simulation_create(scene->system, &scene->start, &options, &simulation, NULL));
    return simulation;
}

/* One call for each step, at its time. */
static void check_steps(const Scene *scene, const char *integrator, double every)
{
    Log log = {.stop_at = 0};
    HolSimulation *simulation = simulation_of(scene, integrator, 1e-3);
    REQUIRE(simulation != NULL);
    HolRun run = {.until = 0.02, .every = every, .record = record, .user = &log, .progress = progress};
    allocations_start();
    HolStatus status = hol_simulation_run(simulation, &run);
    CHECK_EQUAL_INT(allocations_stop(), 0);
    CHECK_OK(status);
    CHECK_EQUAL_INT(log.steps, hol_simulation_summary(simulation).steps);
    for (int i = 0; i < log.steps && i < MOST; i++)
        CHECK(log.times[i] > (i > 0 ? log.times[i - 1] : 0));
    CHECK(log.steps > 0 && log.steps <= MOST && log.times[log.steps - 1] == 0.02);
    hol_simulation_destroy(simulation);
}

static void progress_is_reported_after_every_step(void)
{
    static const char *const integrators[] = {"rk4", "dopri5", "trapezoidal"};
    static const double intervals[] = {0, 0.37e-3, 0.01};
    Scene *scene = scene_create("four-bar", 0);
    REQUIRE(scene != NULL);
    for (int i = 0; i < 9; i++) {
        CHECK_CONTEXT("%s, records every %g", integrators[i / 3], intervals[i % 3]);
        check_steps(scene, integrators[i / 3], intervals[i % 3]);
    }
    scene_destroy(scene);
}

static void records_come_before_the_step_they_belong_to(void)
{
    Log log = {.stop_at = 0};
    Scene *scene = scene_create("four-bar", 0);
    REQUIRE(scene != NULL);
    HolSimulation *simulation = simulation_of(scene, "rk4", 1e-3);
    REQUIRE(simulation != NULL);
    HolRun run = {.until = 4e-3, .every = 0.5e-3, .record = record, .user = &log, .progress = progress};
    CHECK_OK(hol_simulation_run(simulation, &run));
    CHECK_STRING(log.calls, "rrrprrprrprrp"); /* the start first */
    run = (HolRun){.until = 10e-3, .every = 2e-3, .record = record, .user = &log, .progress = progress};
    log = (Log){.stop_at = 0};
    CHECK_OK(hol_simulation_run(simulation, &run));
    CHECK_STRING(log.calls, "rprpprpprp");
    hol_simulation_destroy(simulation);
    scene_destroy(scene);
}

static bool same_state(const Scene *scene, const HolSimulation *a, const HolSimulation *b)
{
    const HolPattern *p = hol_system_pattern(scene->system);
    const HolState *x = hol_simulation_state(a), *y = hol_simulation_state(b);
    return x->t == y->t && memcmp(x->q, y->q, (size_t)p->nq * sizeof *x->q) == 0 &&
           memcmp(x->v, y->v, (size_t)p->nv * sizeof *x->v) == 0;
}

/* The run ends with the status, at the step, with its records; going on leads where an undisturbed run does. */
static void check_stop(const Scene *scene, const char *integrator, HolStatus answer)
{
    Log log = {.stop_at = STOP_AT, .answer = answer};
    HolSimulation *stopped = simulation_of(scene, integrator, 1e-3), *free = simulation_of(scene, integrator, 1e-3);
    REQUIRE(stopped != NULL && free != NULL);
    HolRun run = {.until = 0.05, .record = record, .user = &log, .progress = progress};
    CHECK_STATUS(hol_simulation_run(stopped, &run), answer);
    CHECK_EQUAL_INT(log.steps, STOP_AT);
    CHECK_STRING(log.calls, "rrprprprprprprp");
    CHECK_CONTAINS(hol_simulation_message(stopped), "progress");
    CHECK_CONTAINS(hol_simulation_message(stopped), hol_status_name(answer));
    HolSummary summary = hol_simulation_summary(stopped);
    CHECK_STATUS(summary.status, answer);
    CHECK_EQUAL_INT(summary.steps, STOP_AT);
    CHECK(summary.reached == log.times[STOP_AT - 1] && hol_simulation_state(stopped)->t == summary.reached);
    CHECK_OK(hol_simulation_run(stopped, &(HolRun){.until = 0.05}));
    CHECK_OK(hol_simulation_run(free, &(HolRun){.until = 0.05}));
    CHECK(same_state(scene, stopped, free));
    CHECK_STATUS(hol_simulation_summary(stopped).status, HOL_OK);
    CHECK_STRING(hol_simulation_message(stopped), "");
    hol_simulation_destroy(stopped);
    hol_simulation_destroy(free);
}

static void progress_can_stop_the_run(void)
{
    Scene *scene = scene_create("four-bar", 0);
    REQUIRE(scene != NULL);
    check_stop(scene, "rk4", HOL_STOPPED);
    check_stop(scene, "rk4", HOL_BAD_INPUT);
    check_stop(scene, "trapezoidal", HOL_STOPPED);
    scene_destroy(scene);
}

/* Looking does not change the run, with or without records. */
static void progress_does_not_change_the_run(void)
{
    static const char *const integrators[] = {"rk4", "dopri5"};
    Scene *scene = scene_create("spherical-pendulum", 0);
    REQUIRE(scene != NULL);
    for (int i = 0; i < 2; i++) {
        Log log = {.stop_at = 0};
        HolSimulation *watched = simulation_of(scene, integrators[i], 1e-3);
        HolSimulation *alone = simulation_of(scene, integrators[i], 1e-3);
        REQUIRE(watched != NULL && alone != NULL);
        CHECK_OK(hol_simulation_run(watched, &(HolRun){.until = 0.03, .user = &log, .progress = progress}));
        CHECK_OK(hol_simulation_run(alone, &(HolRun){.until = 0.03}));
        CHECK(log.steps > 0 && same_state(scene, watched, alone));
        hol_simulation_destroy(watched);
        hol_simulation_destroy(alone);
    }
    scene_destroy(scene);
}

CHECK_MAIN(TEST(progress_is_reported_after_every_step), TEST(records_come_before_the_step_they_belong_to),
           TEST(progress_can_stop_the_run), TEST(progress_does_not_change_the_run))
