/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs through singular configurations keep their branch and their energy at any step size; or stop, or report, as the
 * option `branch` says. */
#include <holon/mechanism.h>

#include "check.h"

typedef struct Run {
    HolMechanism *mechanism;
    HolSimulation *simulation;
} Run;

typedef struct Choice {
    const char *model, *loops; /* NULL: it has none */
    const char *formulation;   /* NULL: as the model says */
    bool natural;              /* coordinates */
    double step;
    HolBranchPolicy branch;
} Choice;

static bool start_run(const Choice *choice, Run *run)
{
    HolMessage message = {{0}};
    HolModel *model = hol_model_create();
    *run = (Run){0};
    CHECK_OK(hol_model_load(model, choice->model));
    if (choice->loops)
        CHECK_OK(hol_model_set(model, "parameters.N", "%s", choice->loops));
    if (choice->natural)
        CHECK_OK(hol_model_set(model, "run.coordinates", "%s", "natural"));
    HolStatus status = hol_mechanism_create(model, &run->mechanism);
    hol_model_destroy(model);
    if (status == HOL_OK)
        status = hol_mechanism_assemble(run->mechanism, &message);
    if (status == HOL_OK) {
        HolInitialState start = hol_mechanism_initial_state(run->mechanism);
        HolSimulationOptions options = hol_mechanism_options(run->mechanism);
        options.step = choice->step;
        options.branch = choice->branch;
        if (choice->formulation)
            options.formulation = choice->formulation;
        if (strncmp(options.formulation, "energy-", 7) == 0)
            options.integrator = "built-in";
        status =
            hol_simulation_create(hol_mechanism_system(run->mechanism), &start, &options, &run->simulation, &message);
    }
    if (!CHECK_OK(status))
        printf("    %s\n", message.text);
    return status == HOL_OK;
}

static void stop_run(Run *run)
{
    hol_simulation_destroy(run->simulation);
    hol_mechanism_destroy(run->mechanism);
}

static double step_of(int i)
{
    return 4e-3 * pow(4, i / 19.);
}

/* Twenty steps from 4 to 16 ms; one of them ends 2 microseconds before a singular configuration. */
static void default_runs_keep_their_branch_and_energy(void)
{
    static const char *const models[4][2] = {
        {"slider-crank", NULL}, {"n-four-bar", "1"}, {"n-four-bar", "2"}, {"n-four-bar", "10"}};
    long recoveries = 0;
    for (int i = 0; i < 80; ++i) {
        Run run;
        Choice choice = {.model = models[i / 20][0], .loops = models[i / 20][1], .step = step_of(i % 20)};
        CHECK_CONTEXT("%s, N = %s, step %.9g", choice.model, choice.loops ? choice.loops : "-", choice.step);
        REQUIRE(start_run(&choice, &run));
        CHECK_OK(hol_simulation_run(run.simulation, &(HolRun){.until = 10}));
        HolSummary summary = hol_simulation_summary(run.simulation);
        CHECK(summary.singular_events == (choice.loops ? 10 : 11));
        CHECK(summary.branch_changes == 0);
        CHECK(summary.energy_jumps == 0);
        CHECK(summary.max_energy_drift < 1e-3);
        recoveries += summary.recoveries;
        stop_run(&run);
    }
    CHECK(recoveries > 0 && recoveries < 40); /* seldom, but needed */
}

/* So many steps of a millisecond end `off` before or after the first singular configuration. Where rounding leaves no
 * pivot at all, the nearest state counts as redundant, and no passage is seen. */
static void check_landing(const char *loops, double steps, double singular_time, double off, double most)
{
    Run run;
    Choice choice = {.model = "n-four-bar", .loops = loops, .step = (singular_time + off) / steps};
    CHECK_CONTEXT("N = %s, step %.17g, %.3g s from the singular configuration", loops, choice.step, off);
    REQUIRE(start_run(&choice, &run));
    CHECK_OK(hol_simulation_run(run.simulation, &(HolRun){.until = 0.8}));
    HolSummary summary = hol_simulation_summary(run.simulation);
    CHECK(summary.max_energy_drift < most * summary.energy_initial);
    CHECK(summary.max_position_violation < 1e-12);
    CHECK(summary.branch_changes == 0 && summary.energy_jumps == 0);
    CHECK(summary.singular_events <= 1);
    CHECK(summary.singular_events == 1 || fabs(off) < 1e-8);
    stop_run(&run);
}

/* No distance between the end of a step and a singular configuration spoils a run, nor between that and the middle,
 * where stages of rk4 are. */
static void no_end_of_a_step_is_too_near(void)
{
    static const struct {
        const char *loops;
        double time;
    } models[] = {{"1", 0.70845000883383}, {"10", 0.72030819120458}, {"40", 0.72158102483523}};
    enum { FROM = -10, TO = -6, PER_DECADE = 5 };
    for (int k = 0; k < 3; ++k)
        for (int i = FROM * PER_DECADE; i <= TO * PER_DECADE; ++i) {
            double off = pow(10, (double)i / PER_DECADE);
            check_landing(models[k].loops, 700, models[k].time, off, 1e-7);
            check_landing(models[k].loops, 700, models[k].time, -off, 1e-7);
        }
    for (int i = -20; i <= -12; ++i)
        check_landing("40", 699.5, models[2].time, -pow(10, i / 2.), 5e-6);
}

/* The worst of the eighty, with records between steps. */
typedef struct Worst {
    double drift, position;
    long count;
} Worst;

static HolStatus note(void *user, const HolState *state, const HolMeasures *measures)
{
    Worst *worst = user;
    (void)state;
    worst->drift = fmax(worst->drift, fabs(measures->drift));
    worst->position = fmax(worst->position, measures->position);
    ++worst->count;
    return HOL_OK;
}

static void records_between_steps_are_led_across_too(void)
{
    Run run;
    Worst worst = {0};
    Choice choice = {.model = "n-four-bar", .loops = "10", .step = step_of(14)};
    REQUIRE(start_run(&choice, &run));
    CHECK_OK(hol_simulation_run(run.simulation, &(HolRun){.until = 10, .every = 1e-3, .record = note, .user = &worst}));
    CHECK(hol_simulation_summary(run.simulation).recoveries > 0);
    bool is_reported = false;
    for (int i = 0; i < hol_simulation_passage_count(run.simulation); ++i) {
        HolPassage passage = hol_simulation_passage(run.simulation, i);
        is_reported = is_reported || (passage.recovered && fabs(passage.t - 9.0873349) < 1e-4);
    }
    CHECK(is_reported);
    CHECK_EQUAL_INT((int)worst.count, 10001);
    CHECK(worst.drift < 1e-3);
    CHECK(worst.position < 1e-12);
    stop_run(&run);
}

/* Whatever the option says, as long as there is nothing to do. */
static void runs_that_need_no_help_get_none(void)
{
    static const char *const models[] = {"four-bar", "slider-crank", "bricard", "pendulum-two-rods"};
    for (int i = 0; i < 4; ++i) {
        Run runs[3];
        CHECK_CONTEXT("%s", models[i]);
        for (int k = 0; k < 3; ++k) {
            REQUIRE(start_run(&(Choice){.model = models[i], .step = 1e-3, .branch = (HolBranchPolicy)k}, &runs[k]));
            CHECK_OK(hol_simulation_run(runs[k].simulation, &(HolRun){.until = 2}));
            CHECK(hol_simulation_summary(runs[k].simulation).recoveries == 0);
        }
        const HolState *one = hol_simulation_state(runs[0].simulation);
        size_t size = (size_t)hol_system_pattern(hol_mechanism_system(runs[0].mechanism))->nq * sizeof *one->q;
        for (int k = 1; k < 3; ++k)
            CHECK(memcmp(one->q, hol_simulation_state(runs[k].simulation)->q, size) == 0);
        for (int k = 0; k < 3; ++k)
            stop_run(&runs[k]);
    }
}

/* Neither losses of energy on purpose, where no loop is closed, nor rounding where all but nothing moves any more. */
static void what_is_no_passage_is_left_alone(void)
{
    static const Choice choices[] = {{"five-bar-pendulum", NULL, "energy-decaying", true, 0.02, HOL_BRANCH_CONTINUE},
                                     {"iltis-suspension", NULL, NULL, true, 1e-3, HOL_BRANCH_CONTINUE}};
    for (int i = 0; i < 2; ++i) {
        Run run;
        CHECK_CONTEXT("%s", choices[i].model);
        REQUIRE(start_run(&choices[i], &run));
        CHECK_OK(hol_simulation_run(run.simulation, &(HolRun){.until = i == 0 ? 20 : 0.5}));
        HolSummary summary = hol_simulation_summary(run.simulation);
        CHECK(summary.singular_events == 0 && summary.energy_jumps == 0 && summary.recoveries == 0);
        stop_run(&run);
    }
}

/* A penalty lets the rods gape where they lie on each other, and most of these steps lose their way there. */
static void a_lost_way_is_reported_or_stops_the_run_or_is_found_again(void)
{
    int lost = 0;
    for (int i = 0; i < 20; ++i) {
        Run report, stop, keep;
        Choice choice = {.model = "slider-crank", .formulation = "penalty", .step = step_of(i)};
        CHECK_CONTEXT("step %.9g", choice.step);
        choice.branch = HOL_BRANCH_REPORT;
        REQUIRE(start_run(&choice, &report));
        choice.branch = HOL_BRANCH_STOP;
        REQUIRE(start_run(&choice, &stop));
        choice.branch = HOL_BRANCH_CONTINUE;
        REQUIRE(start_run(&choice, &keep));
        HolRun until = {.until = 10};
        hol_simulation_run(report.simulation, &until); /* may end anyhow */
        HolSummary reported = hol_simulation_summary(report.simulation);
        CHECK(reported.recoveries == 0);
        HolStatus status = hol_simulation_run(stop.simulation, &until);
        HolSummary stopped = hol_simulation_summary(stop.simulation);
        if (reported.branch_changes + reported.energy_jumps > 0) {
            ++lost;
            CHECK_EQUAL_INT(status, HOL_SINGULAR);
            CHECK(strstr(hol_simulation_message(stop.simulation), "singular configuration of 'P3'") != NULL);
            CHECK(stopped.branch_changes + stopped.energy_jumps > 0);
            HolPassage last =
                hol_simulation_passage(stop.simulation, hol_simulation_passage_count(stop.simulation) - 1);
            CHECK(last.stopped);
            CHECK_NEAR(last.t, stopped.reached, 2 * choice.step);
            CHECK(stopped.max_energy_drift < 2); /* the worst is not reached */
        }
        CHECK_OK(hol_simulation_run(keep.simulation, &until));
        HolSummary kept = hol_simulation_summary(keep.simulation);
        CHECK(kept.branch_changes == 0);
        CHECK(kept.max_energy_drift < 1);
        CHECK(reported.branch_changes + reported.energy_jumps == 0 || kept.recoveries > 0);
        stop_run(&report);
        stop_run(&stop);
        stop_run(&keep);
    }
    CHECK(lost > 10);
}

static void an_unknown_branch_is_refused(void)
{
    HolMessage message = {{0}};
    HolModel *model = hol_model_create();
    HolMechanism *mechanism;
    HolSimulation *simulation;
    CHECK_OK(hol_model_load(model, "pendulum"));
    CHECK_OK(hol_mechanism_create(model, &mechanism));
    hol_model_destroy(model);
    HolInitialState start = hol_mechanism_initial_state(mechanism);
    HolSimulationOptions options = hol_mechanism_options(mechanism);
    CHECK_EQUAL_INT(options.branch, HOL_BRANCH_CONTINUE);
    options.branch = (HolBranchPolicy)3;
    HolStatus status = hol_simulation_create(hol_mechanism_system(mechanism), &start, &options, &simulation, &message);
    CHECK_EQUAL_INT(status, HOL_BAD_INPUT);
    CHECK(strstr(message.text, "continue, report and stop") != NULL);
    hol_mechanism_destroy(mechanism);
}

CHECK_MAIN(TEST(default_runs_keep_their_branch_and_energy), TEST(no_end_of_a_step_is_too_near),
           TEST(records_between_steps_are_led_across_too), TEST(runs_that_need_no_help_get_none),
           TEST(what_is_no_passage_is_left_alone), TEST(a_lost_way_is_reported_or_stops_the_run_or_is_found_again),
           TEST(an_unknown_branch_is_refused))
