/* SPDX-License-Identifier: BSD-3-Clause */
/* What stepping promises for every pair: no allocation, the same bits every time, a step that is taken wholly or not
 * at all, records at exactly the requested times, and books that agree with the steps. */
#include "allocations.h"
#include "check.h"
#include "dense.h"
#include "faulty.h"
#include "runs.h"
#include "systems/scenes.h"

#include <stdlib.h>

static const char *const scenes[] = {"four-bar", "spherical-pendulum", "rolling-disc"};
enum { SCENE_COUNT = sizeof scenes / sizeof *scenes };

typedef struct Pair {
    const Scene *scene;
    const char *formulation, *integrator;
    bool adaptive;
    Faulty *faulty; /* whose scene it is; NULL: the scene itself */
} Pair;

static void with_every_pair_on(const Scene *scene, Faulty *faulty, void (*check)(const Pair *pair))
{
    for (int k = 0; k < hol_formulation_count() * hol_integrator_count(); k++) {
        Pair pair = {.scene = scene,
                     .formulation = hol_formulation_info(k / hol_integrator_count()).name,
                     .integrator = hol_integrator_info(k % hol_integrator_count()).name,
                     .faulty = faulty};
        pair.adaptive = pair_order(pair.formulation, pair.integrator) == 0;
        CHECK_CONTEXT("%s with %s on %s", pair.formulation, pair.integrator, hol_system_name(scene->system));
        if (is_supported(pair.formulation, pair.integrator) && is_served(pair.formulation, scene->system))
            check(&pair);
    }
}

static void with_every_pair(void (*check)(const Pair *pair))
{
    for (int k = 0; k < SCENE_COUNT; k++) {
        Scene *scene = scene_create(scenes[k], 0);
        REQUIRE(scene != NULL);
        with_every_pair_on(scene, NULL, check);
        scene_destroy(scene);
    }
}

static void with_every_faulty_pair(void (*check)(const Pair *pair))
{
    for (int k = 0; k < SCENE_COUNT; k++) {
        Scene *scene = scene_create(scenes[k], 0);
        REQUIRE(scene != NULL);
        Faulty *faulty = faulty_create(scene);
        REQUIRE(faulty != NULL);
        with_every_pair_on(faulty_scene(faulty), faulty, check);
        faulty_destroy(faulty);
        scene_destroy(scene);
    }
}

static HolSimulation *simulation_of(const Pair *pair, double step)
{
    HolSimulationOptions options = run_options(pair->formulation, pair->integrator, step);
    HolMessage message = {""};
    HolSimulation *simulation = NULL;
    if (!CHECK_OK(hol_simulation_create(pair->scene->system, &pair->scene->start, &options, &simulation, &message)))
        printf("    %s\n", message.text);
    return simulation;
}

/* A step or run that must succeed. */
static bool succeeded(const HolSimulation *simulation, HolStatus status)
{
    if (CHECK_OK(status))
        return true;
    printf("    %s\n", hol_simulation_message(simulation));
    return false;
}

static bool take_steps(HolSimulation *simulation, int count)
{
    for (int i = 0; i < count; i++)
        if (!succeeded(simulation, hol_simulation_step(simulation, NULL)))
            return false;
    return true;
}

static bool run_to(HolSimulation *simulation, double until)
{
    HolRun run = {.until = until};
    return succeeded(simulation, hol_simulation_run(simulation, &run));
}

static double time_of(const HolSimulation *simulation)
{
    return hol_simulation_state(simulation)->t;
}

/* Everything that a state consists of, to be compared bit by bit. */
typedef struct Snapshot {
    int count;
    double x[RESULT_MOST];
    HolMeasures measures;
} Snapshot;

static void append(Snapshot *snapshot, int n, const double *x)
{
    if (snapshot->count + n <= RESULT_MOST)
        memcpy(snapshot->x + snapshot->count, x, (size_t)n * sizeof *x);
    snapshot->count += n;
}

static Snapshot snapshot_of(const Pair *pair, const HolSimulation *simulation)
{
    const HolPattern *p = hol_system_pattern(pair->scene->system);
    const HolState *state = hol_simulation_state(simulation);
    Snapshot snapshot = {.count = 0, .measures = hol_simulation_measures(simulation)};
    append(&snapshot, 1, &state->t);
    append(&snapshot, p->nq, state->q);
    append(&snapshot, p->nv, state->v);
    append(&snapshot, p->nv, state->vdot);
    append(&snapshot, p->m, state->lambda);
    CHECK(snapshot.count <= RESULT_MOST);
    return snapshot;
}

static bool same_bits(const Snapshot *a, const Snapshot *b)
{
    return a->count == b->count && memcmp(a->x, b->x, (size_t)a->count * sizeof *a->x) == 0 &&
           memcmp(&a->measures, &b->measures, sizeof a->measures) == 0;
}

/* Memory */

static HolStatus count_records(void *user, const HolState *state, const HolMeasures *measures)
{
    (void)state, (void)measures;
    ++*(int *)user;
    return HOL_OK;
}

static void check_allocations(const Pair *pair)
{
    HolSimulation *simulation = simulation_of(pair, 1e-3);
    HolStatus status = HOL_OK;
    int records = 0;
    if (!simulation)
        return;
    allocations_start();
    for (int i = 0; i < 50 && status == HOL_OK; i++)
        status = hol_simulation_step(simulation, NULL);
    long stepping = allocations_stop();
    succeeded(simulation, status);
    HolRun run = {.until = time_of(simulation) + 0.02, .every = 0.37e-3, .record = count_records, .user = &records};
    allocations_start();
    status = hol_simulation_run(simulation, &run);
    if (status == HOL_OK)
        status = hol_simulation_accelerate(simulation);
    long running = allocations_stop();
    succeeded(simulation, status);
    CHECK_EQUAL_INT(stepping, 0);
    CHECK_EQUAL_INT(running, 0);
    CHECK(records > 50);
    hol_simulation_destroy(simulation);
}

static void stepping_allocates_nothing(void)
{
    with_every_pair(check_allocations);
}

/* Determinism */

enum { STEPS = 30 };

static void interleave(HolSimulation *one, HolSimulation *other)
{
    for (int i = 0; i < STEPS; i++) {
        take_steps(other, i % 3);
        take_steps(one, 1);
    }
}

/* The same steps alone, again, and in turns with a simulation of another step on the same system. */
static void check_determinism(const Pair *pair)
{
    HolSimulation *alone = simulation_of(pair, 1e-3), *again = simulation_of(pair, 1e-3);
    HolSimulation *in_turns = simulation_of(pair, 1e-3), *other = simulation_of(pair, 0.7e-3);
    if (alone && again && in_turns && other) {
        take_steps(alone, STEPS);
        take_steps(again, STEPS);
        interleave(in_turns, other);
        Snapshot expected = snapshot_of(pair, alone), repeated = snapshot_of(pair, again);
        Snapshot mixed = snapshot_of(pair, in_turns);
        CHECK(same_bits(&repeated, &expected));
        CHECK(same_bits(&mixed, &expected));
    }
    hol_simulation_destroy(alone);
    hol_simulation_destroy(again);
    hol_simulation_destroy(in_turns);
    hol_simulation_destroy(other);
}

static void the_same_steps_give_the_same_bits(void)
{
    with_every_pair(check_determinism);
}

/* Recording looks at the run; it must not change it. */
static void check_onlooker(const Pair *pair)
{
    HolSimulation *alone = simulation_of(pair, 1e-3), *watched = simulation_of(pair, 1e-3);
    int records = 0;
    HolRun run = {.until = 0.03, .every = 0.37e-3, .record = count_records, .user = &records};
    if (alone && watched) {
        run_to(alone, run.until);
        succeeded(watched, hol_simulation_run(watched, &run));
        Snapshot expected = snapshot_of(pair, alone), seen = snapshot_of(pair, watched);
        CHECK(records > 50);
        CHECK(same_bits(&seen, &expected));
        CHECK_EQUAL_INT(hol_simulation_summary(watched).evaluations, hol_simulation_summary(alone).evaluations);
    }
    hol_simulation_destroy(alone);
    hol_simulation_destroy(watched);
}

static void recording_does_not_change_the_run(void)
{
    with_every_pair(check_onlooker);
}

/* Failures */

static bool is_sentence(const char *text)
{
    return strlen(text) > 20 && strchr(text, ' ') != NULL;
}

/* A step that must fail and leave everything as it was; true if it failed. */
static bool check_failing_step(const Pair *pair, HolSimulation *simulation)
{
    Snapshot before = snapshot_of(pair, simulation);
    long steps = hol_simulation_summary(simulation).steps;
    HolStatus status = hol_simulation_step(simulation, NULL);
    if (status == HOL_OK)
        return false;
    Snapshot after = snapshot_of(pair, simulation);
    CHECK(same_bits(&after, &before));
    CHECK(is_sentence(hol_simulation_message(simulation)));
    CHECK_CONTAINS(hol_simulation_message(simulation), pair->formulation);
    CHECK_STATUS(hol_simulation_summary(simulation).status, status);
    CHECK_EQUAL_INT(hol_simulation_summary(simulation).steps, steps);
    return true;
}

/* Once the fault is gone the steps go on as if nothing had happened; an adaptive integrator has become careful. */
static void check_recovery(const Pair *pair, HolSimulation *simulation)
{
    HolSimulation *undisturbed = simulation_of(pair, 1e-3);
    if (undisturbed && take_steps(undisturbed, 13) && take_steps(simulation, 3)) {
        Snapshot expected = snapshot_of(pair, undisturbed), recovered = snapshot_of(pair, simulation);
        CHECK_STRING(hol_simulation_message(simulation), "");
        if (!pair->adaptive)
            CHECK(same_bits(&recovered, &expected));
    }
    hol_simulation_destroy(undisturbed);
}

static void check_fault(const Pair *pair, const Fault *fault)
{
    HolSimulation *simulation = simulation_of(pair, 1e-3);
    if (simulation && take_steps(simulation, 10)) {
        Fault now = *fault;
        now.after = time_of(simulation);
        faulty_set(pair->faulty, &now);
        bool failed = check_failing_step(pair, simulation);
        faulty_set(pair->faulty, NULL);
        if (CHECK(failed))
            check_recovery(pair, simulation);
    }
    hol_simulation_destroy(simulation);
}

static const Fault faults[] = {
    {.status = HOL_SINGULAR},
    {.status = HOL_NOT_FINITE},
    {.status = HOL_BAD_INPUT},
    {.term = "M"},
    {.term = "Q"},
    {.term = "D"},
    {.term = "gamma"},
    {.term = "Phi"},
    {.term = "nu"},
    {.term = "kinetic"},
    {.term = "potential"},
    {.term = "power"},
};

static void check_faults(const Pair *pair)
{
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        const Fault *fault = &faults[i];
        CHECK_CONTEXT("%s with %s on %s: %s %s", pair->formulation, pair->integrator,
                      hol_system_name(pair->scene->system), fault->term ? "NaN in" : "evaluate returns",
                      fault->term ? fault->term : hol_status_name(fault->status));
        check_fault(pair, fault);
    }
}

static void a_failed_step_leaves_the_state_untouched(void)
{
    with_every_faulty_pair(check_faults);
}

/* The fault strikes at the first, second, ... evaluation of a step, until the step has no more of them. */
static void check_each_evaluation(const Pair *pair)
{
    enum { MOST_CALLS = 300 };
    HolSimulation *simulation = simulation_of(pair, 1e-3);
    if (!simulation)
        return;
    Fault fault = {.status = HOL_NO_CONVERGENCE, .after = -1};
    bool failed = take_steps(simulation, 3);
    while (failed && fault.calls < MOST_CALLS) {
        faulty_set(pair->faulty, &fault);
        failed = check_failing_step(pair, simulation);
        fault.calls++;
    }
    faulty_set(pair->faulty, NULL);
    CHECK(fault.calls > 1 && fault.calls < MOST_CALLS);
    hol_simulation_destroy(simulation);
}

static void a_step_may_fail_at_any_evaluation(void)
{
    with_every_faulty_pair(check_each_evaluation);
}

/* Runs and records */

enum { MOST_RECORDS = 256 };

typedef struct Records {
    const Scene *scene;
    int count, stop_at; /* the record that answers with `answer`; 0: none */
    HolStatus answer;
    double t[MOST_RECORDS];
    HolMeasures measures[MOST_RECORDS];
    double *x; /* MOST_RECORDS times q, v; NULL: not wanted */
} Records;

static HolStatus keep_record(void *user, const HolState *state, const HolMeasures *measures)
{
    Records *records = user;
    const HolPattern *p = hol_system_pattern(records->scene->system);
    if (records->count >= MOST_RECORDS)
        return HOL_NO_MEMORY;
    if (records->x) {
        double *x = records->x + (size_t)records->count * (size_t)(p->nq + p->nv);
        memcpy(x, state->q, (size_t)p->nq * sizeof *x);
        memcpy(x + p->nq, state->v, (size_t)p->nv * sizeof *x);
    }
    records->measures[records->count] = *measures;
    records->t[records->count++] = state->t;
    return records->count == records->stop_at ? records->answer : HOL_OK;
}

static HolStatus run_recorded(HolSimulation *simulation, double until, double every, Records *records)
{
    HolRun run = {.until = until, .every = every, .record = keep_record, .user = records};
    return hol_simulation_run(simulation, &run);
}

/* The times 0, every, 2 every, ... up to `until`, and that. */
static void check_times(const Records *records, double until, double every)
{
    int whole = (int)floor(until / every + 1e-6);
    CHECK_EQUAL_INT(records->count, whole * every < until - 1e-6 * every ? whole + 2 : whole + 1);
    for (int i = 0; i < records->count; i++)
        CHECK_NEAR(records->t[i], i <= whole ? i * every : until, 1e-9 * every);
}

/* A run into a fault ends with its status and keeps what was recorded before. */
static void check_failing_run(const Pair *pair)
{
    const double after = 0.0104, every = 0.25e-3;
    HolSimulation *simulation = simulation_of(pair, 1e-3);
    Records records = {.scene = pair->scene};
    if (!simulation)
        return;
    Fault fault = {.status = HOL_SINGULAR, .after = after};
    faulty_set(pair->faulty, &fault);
    HolStatus status = run_recorded(simulation, 0.1, every, &records);
    faulty_set(pair->faulty, NULL);
    HolSummary summary = hol_simulation_summary(simulation);
    CHECK_STATUS(status, pair->adaptive ? HOL_NO_CONVERGENCE : HOL_SINGULAR);
    CHECK_STATUS(summary.status, status);
    CHECK(is_sentence(hol_simulation_message(simulation)));
    CHECK_NEAR(summary.reached, time_of(simulation), 0);
    if (pair->adaptive)
        CHECK_NEAR(summary.reached, after, 1e-9);
    else
        CHECK_NEAR(summary.reached, 0.01, 1e-12);
    check_times(&records, summary.reached, every);
    CHECK(run_to(simulation, 0.02));
    CHECK_STATUS(hol_simulation_summary(simulation).status, HOL_OK);
    hol_simulation_destroy(simulation);
}

static void a_failed_run_keeps_what_it_has(void)
{
    with_every_faulty_pair(check_failing_run);
}

/* Smaller than, equal to and larger than the step of 1 ms, incommensurate with it, and longer than the run. */
static const double intervals[] = {0.25e-3, 1e-3, 3e-3, 0.7e-3, 1.7e-3, 1};

/* Between steps a projecting formulation projects, and every formulation solves for the accelerations there: they
 * meet the rows up to what a stabilising one adds for the violation, or the yielding of a penalty. Where rows are
 * redundant, those without projection stabilise. Steps of rotations are interpolated without projection, with an error
 * of h^4/384 times the fourth derivative. */
static void check_recorded_measures(const Pair *pair, const HolMeasures *measures, bool is_redundant)
{
    Traits traits = formulation_traits(pair->formulation);
    if (traits.projects) {
        bool is_interpolated = traits.mean && !hol_system_is_flat(pair->scene->system);
        CHECK_NEAR(measures->position, 0, is_interpolated ? 1e-11 : 1e-13);
        CHECK_NEAR(measures->velocity, 0, 1e-12);
    }
    if (!traits.stabilized && (traits.projects || !is_redundant))
        CHECK_NEAR(measures->acceleration, 0, 1e-9);
    CHECK(isfinite(measures->drift));
}

static void check_recording(const Pair *pair)
{
    for (size_t i = 0; i < sizeof intervals / sizeof *intervals; i++) {
        HolSimulation *simulation = simulation_of(pair, 1e-3);
        Records records = {.scene = pair->scene};
        if (!simulation)
            return;
        if (succeeded(simulation, run_recorded(simulation, 0.02, intervals[i], &records)))
            check_times(&records, 0.02, intervals[i]);
        bool is_redundant = hol_simulation_summary(simulation).redundant_rows > 0;
        for (int k = 0; k < records.count; k++)
            check_recorded_measures(pair, &records.measures[k], is_redundant);
        hol_simulation_destroy(simulation);
    }
}

static void records_come_at_the_requested_times(void)
{
    with_every_pair(check_recording);
}

/* Without an interval every accepted step is recorded, the start included. */
static void check_each_step(const Pair *pair)
{
    HolSimulation *simulation = simulation_of(pair, 1e-3);
    Records records = {.scene = pair->scene};
    if (simulation && succeeded(simulation, run_recorded(simulation, 0.02, 0, &records))) {
        CHECK_EQUAL_INT(records.count, 1 + hol_simulation_summary(simulation).steps);
        CHECK_NEAR(records.t[0], 0, 0);
        CHECK_NEAR(records.t[records.count - 1], 0.02, 0);
        for (int i = 1; i < records.count && !pair->adaptive; i++)
            CHECK_NEAR(records.t[i], i * 1e-3, 1e-15);
    }
    hol_simulation_destroy(simulation);
}

static void every_step_is_recorded_by_default(void)
{
    with_every_pair(check_each_step);
}

/* The largest error of the records at incommensurate times, against runs that end exactly there. */
static double recorded_error(const Pair *pair, double step)
{
    const double until = 0.24, every = 0.0073;
    const HolPattern *p = hol_system_pattern(pair->scene->system);
    int n = p->nq + p->nv;
    HolSimulation *simulation = simulation_of(pair, step), *exact = simulation_of(pair, step / 64);
    Records records = {.scene = pair->scene, .x = calloc(MOST_RECORDS * (size_t)n, sizeof(double))};
    double error = 0;
    if (simulation && exact && records.x && succeeded(simulation, run_recorded(simulation, until, every, &records)))
        for (int k = 1; k < records.count && run_to(exact, records.t[k]); k++) {
            const HolState *state = hol_simulation_state(exact);
            const double *x = records.x + (size_t)k * (size_t)n;
            error = fmax(error, max_difference(p->nq, x, state->q));
            error = fmax(error, max_difference(p->nv, x + p->nq, state->v));
        }
    free(records.x);
    hol_simulation_destroy(simulation);
    hol_simulation_destroy(exact);
    return error;
}

/* The interpolation is of order 4, so the records have the order of the steps. */
static void check_interpolation(const Pair *pair)
{
    int order = pair_order(pair->formulation, pair->integrator);
    if (order < 1)
        return;
    double coarse = recorded_error(pair, 0.016), fine = recorded_error(pair, 0.008);
    CHECK(coarse > 0 && coarse < 1);
    CHECK(observed_order(coarse, fine, 2) > order - 0.4);
}

static void records_between_steps_have_the_order_of_the_steps(void)
{
    with_every_pair(check_interpolation);
}

/* Where runs end */

static void check_last_step(const Pair *pair)
{
    HolSimulation *simulation = simulation_of(pair, 1e-3);
    if (!simulation)
        return;
    if (run_to(simulation, 0.01037)) {
        CHECK_NEAR(time_of(simulation), 0.01037, 0);
        CHECK_NEAR(hol_simulation_summary(simulation).reached, 0.01037, 0);
        if (!pair->adaptive)
            CHECK_EQUAL_INT(hol_simulation_summary(simulation).steps, 11);
    }
    if (run_to(simulation, 0.01037)) /* already there */
        CHECK_NEAR(time_of(simulation), 0.01037, 0);
    HolStepReport report = {.h = 0};
    if (!pair->adaptive && succeeded(simulation, hol_simulation_step(simulation, &report)))
        CHECK_NEAR(report.h, 1e-3, 0);
    hol_simulation_destroy(simulation);
}

static void the_last_step_ends_at_the_end(void)
{
    with_every_pair(check_last_step);
}

/* With a step that is a power of two the times are exact and so are the results; otherwise up to rounding. */
static void check_parts(const Pair *pair)
{
    const double step = 1. / 1024;
    HolSimulation *whole = simulation_of(pair, step), *parts = simulation_of(pair, step);
    if (whole && parts && run_to(whole, 64 * step) && run_to(parts, 32 * step) && run_to(parts, 64 * step)) {
        Snapshot expected = snapshot_of(pair, whole), result = snapshot_of(pair, parts);
        if (!pair->adaptive)
            CHECK(same_bits(&result, &expected));
        CHECK_NEAR(max_difference(expected.count, result.x, expected.x), 0, 1e-5);
    }
    hol_simulation_destroy(whole);
    hol_simulation_destroy(parts);
}

static void two_runs_make_one(void)
{
    with_every_pair(check_parts);
}

static void check_stop(const Pair *pair)
{
    HolSimulation *simulation = simulation_of(pair, 1e-3);
    Records records = {.scene = pair->scene, .stop_at = 5, .answer = HOL_STOPPED};
    if (!simulation)
        return;
    CHECK_STATUS(run_recorded(simulation, 0.02, 0.7e-3, &records), HOL_STOPPED);
    CHECK_EQUAL_INT(records.count, 5);
    CHECK_STATUS(hol_simulation_summary(simulation).status, HOL_STOPPED);
    CHECK(is_sentence(hol_simulation_message(simulation)));
    CHECK(time_of(simulation) >= records.t[4] && time_of(simulation) <= 0.02);
    CHECK(run_to(simulation, 0.02));
    CHECK_STRING(hol_simulation_message(simulation), "");
    hol_simulation_destroy(simulation);
}

static void a_record_may_stop_the_run(void)
{
    with_every_pair(check_stop);
}

/* Books */

typedef struct Sums {
    long steps, rejections, evaluations, iterations, position_iterations, repartitions;
    double h;
} Sums;

static void add_report(Sums *sums, const HolStepReport *report)
{
    sums->steps++;
    sums->rejections += report->rejections;
    sums->evaluations += report->evaluations;
    sums->iterations += report->iterations;
    sums->position_iterations += report->position_iterations;
    sums->repartitions += report->repartitions;
    sums->h += report->h;
}

/* The start itself is one evaluation. */
static void check_sums(const HolSimulation *simulation, const Sums *sums)
{
    HolSummary summary = hol_simulation_summary(simulation);
    CHECK_EQUAL_INT(summary.steps, sums->steps);
    CHECK_EQUAL_INT(summary.rejections, sums->rejections);
    CHECK_EQUAL_INT(summary.evaluations, sums->evaluations + 1);
    CHECK_EQUAL_INT(summary.iterations, sums->iterations);
    CHECK_EQUAL_INT(summary.position_iterations, sums->position_iterations);
    CHECK_EQUAL_INT(summary.repartitions, sums->repartitions);
    CHECK_NEAR(sums->h, summary.reached - summary.start, 1e-12);
}

static void check_books(const Pair *pair)
{
    HolSimulation *simulation = simulation_of(pair, 2e-3);
    Sums sums = {0};
    for (int i = 0; simulation && i < 50; i++) {
        HolStepReport report = {.h = 0};
        if (!succeeded(simulation, hol_simulation_step(simulation, &report)))
            break;
        CHECK(report.evaluations > 0 && report.h > 0 && report.pivot > 0);
        add_report(&sums, &report);
    }
    if (simulation)
        check_sums(simulation, &sums);
    hol_simulation_destroy(simulation);
}

static void reports_add_up_to_the_summary(void)
{
    with_every_pair(check_books);
}

/* A first step that is far too long is cut down, and every cut is counted. */
static void check_rejections(const Pair *pair)
{
    HolSimulation *simulation = pair->adaptive ? simulation_of(pair, 0.3) : NULL;
    if (!simulation)
        return;
    HolStepReport report = {.h = 0};
    succeeded(simulation, hol_simulation_step(simulation, &report));
    CHECK(report.rejections > 0);
    CHECK(report.h < 0.3 && report.error <= 1);
    CHECK_EQUAL_INT(hol_simulation_summary(simulation).rejections, report.rejections);
    CHECK(report.evaluations > 6 * report.rejections);
    hol_simulation_destroy(simulation);
}

static void rejected_steps_are_counted(void)
{
    with_every_pair(check_rejections);
}

/* Solving once more where the state stands finds the same accelerations. */
static void check_accelerate(const Pair *pair)
{
    HolSimulation *simulation = simulation_of(pair, 1e-3);
    if (simulation && take_steps(simulation, 5)) {
        const HolPattern *p = hol_system_pattern(pair->scene->system);
        Snapshot before = snapshot_of(pair, simulation);
        succeeded(simulation, hol_simulation_accelerate(simulation));
        Snapshot after = snapshot_of(pair, simulation);
        CHECK(memcmp(after.x, before.x, (size_t)(1 + p->nq + p->nv) * sizeof *after.x) == 0);
        CHECK_NEAR(max_difference(before.count, after.x, before.x), 0, 1e-6);
        HolStepReport unused;
        HolSimulation *plain = simulation_of(pair, 1e-3);
        if (plain && take_steps(plain, 6) && succeeded(simulation, hol_simulation_step(simulation, &unused))) {
            Snapshot expected = snapshot_of(pair, plain), result = snapshot_of(pair, simulation);
            CHECK(same_bits(&result, &expected));
        }
        hol_simulation_destroy(plain);
    }
    hol_simulation_destroy(simulation);
}

static void accelerating_again_changes_nothing(void)
{
    with_every_pair(check_accelerate);
}

/* The state of the record after so many steps; then the run stops. */
typedef struct Stopping {
    const Pair *pair;
    int left;
    Snapshot snapshot;
} Stopping;

static HolStatus stop_after(void *user, const HolState *state, const HolMeasures *measures)
{
    Stopping *s = user;
    const HolPattern *p = hol_system_pattern(s->pair->scene->system);
    if (s->left-- > 0)
        return HOL_OK;
    s->snapshot.measures = *measures;
    append(&s->snapshot, 1, &state->t);
    append(&s->snapshot, p->nq, state->q);
    append(&s->snapshot, p->nv, state->v);
    append(&s->snapshot, p->nv, state->vdot);
    append(&s->snapshot, p->m, state->lambda);
    return HOL_STOPPED;
}

/* Only runs take steps twice; single steps do not. */
static void check_probes(const Pair *pair)
{
    enum { TAKEN = 60 }; /* enough for the sensitivity, too */
    HolSimulation *single = simulation_of(pair, 2e-3), *whole = simulation_of(pair, 2e-3);
    if (single && whole && take_steps(single, TAKEN)) {
        Stopping stopping = {.pair = pair, .left = TAKEN};
        HolRun run = {.until = 4 * time_of(single), .record = stop_after, .user = &stopping};
        CHECK(hol_simulation_run(whole, &run) == HOL_STOPPED);
        Snapshot expected = snapshot_of(pair, single);
        CHECK(same_bits(&stopping.snapshot, &expected));
        CHECK(isnan(hol_simulation_summary(single).estimated_error));
        HolSummary probed = hol_simulation_summary(whole);
        CHECK(isfinite(probed.estimated_error) || probed.unchecked_steps > 0);
    }
    hol_simulation_destroy(single);
    hol_simulation_destroy(whole);
}

static void estimating_the_error_does_not_change_the_run(void)
{
    with_every_pair(check_probes);
}

CHECK_MAIN(TEST(stepping_allocates_nothing), TEST(the_same_steps_give_the_same_bits),
           TEST(recording_does_not_change_the_run), TEST(a_failed_step_leaves_the_state_untouched),
           TEST(a_step_may_fail_at_any_evaluation), TEST(a_failed_run_keeps_what_it_has),
           TEST(records_come_at_the_requested_times), TEST(every_step_is_recorded_by_default),
           TEST(records_between_steps_have_the_order_of_the_steps), TEST(the_last_step_ends_at_the_end),
           TEST(two_runs_make_one), TEST(a_record_may_stop_the_run), TEST(reports_add_up_to_the_summary),
           TEST(rejected_steps_are_counted), TEST(accelerating_again_changes_nothing),
           TEST(estimating_the_error_does_not_change_the_run))
