/* SPDX-License-Identifier: BSD-3-Clause */
/* Explicit integrators with error control at a tight tolerance: evaluations, CPU time and error of each adaptive kind
 * on three mechanisms. Every round runs all kinds, one after the other; the ratios of CPU times to the first kind are
 * taken within a round. Errors are differences of the last positions from a run of dop853 with a tolerance of 1e-14.
 * See docs/benchmarks.md. */
#include <holon/holon.h>

#include "timing.h"

#include <stdio.h>
#include <string.h>

enum { ROUNDS = 15, MOST = 4 };

typedef struct Problem {
    const char *title, *model;
    double until;
} Problem;

static const Problem problems[] = {
    {"four-bar", "four-bar", 10},
    {"five-bar-pendulum", "five-bar-pendulum", 2},
    {"Andrews' squeezing mechanism", HOLON_SOURCE_DIR "/tests/systems/andrews.yaml", 0.03},
};

static void fail(const char *why)
{
    fprintf(stderr, "bench_tight: %s\n", why);
    exit(1);
}

static double cpu_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

static HolSimulation *open_run(const HolMechanism *mechanism, const char *integrator, const char *tolerance)
{
    HolMessage message;
    HolSimulation *simulation;
    const HolSetting settings[] = {{"integrator.tolerance", tolerance}, {"integrator.absolute", tolerance}};
    HolInitialState start = hol_mechanism_initial_state(mechanism);
    HolSimulationOptions options = hol_mechanism_options(mechanism);
    hol_mechanism_choose_formulation(mechanism, "direct-correction", &options);
    options.integrator = integrator;
    options.settings = settings;
    options.setting_count = 2;
    if (hol_simulation_create(hol_mechanism_system(mechanism), &start, &options, &simulation, &message) != HOL_OK)
        fail(message.text);
    return simulation;
}

/* Runs to the end and returns the CPU time of that. */
static double time_run(HolSimulation *simulation, double until)
{
    double from = cpu_ns();
    if (hol_simulation_run(simulation, &(HolRun){.until = until}) != HOL_OK)
        fail(hol_simulation_message(simulation));
    return cpu_ns() - from;
}

typedef struct Kind {
    const char *name;
    double time[ROUNDS], ratio[ROUNDS], error;
    HolSummary summary;
} Kind;

static int list_kinds(Kind *kinds)
{
    int count = 0;
    for (int i = 0; i < hol_integrator_count(); ++i)
        if (hol_integrator_info(i).adaptive && count < MOST)
            kinds[count++] = (Kind){.name = hol_integrator_info(i).name};
    return count;
}

static void measure_kind(const HolMechanism *mechanism, const Problem *problem, const HolSimulation *reference,
                         int round, Kind *kind)
{
    HolSimulation *simulation = open_run(mechanism, kind->name, "1e-12");
    kind->time[round] = time_run(simulation, problem->until);
    kind->summary = hol_simulation_summary(simulation);
    kind->error = 0;
    for (int i = 0; i < hol_system_pattern(hol_mechanism_system(mechanism))->nq; ++i)
        kind->error =
            fmax(kind->error, fabs(hol_simulation_state(simulation)->q[i] - hol_simulation_state(reference)->q[i]));
    hol_simulation_destroy(simulation);
}

static void print_kinds(const Problem *problem, Kind *kinds, int count)
{
    printf("%s, %g s\n", problem->title, problem->until);
    printf("  kind      steps  rejected  evaluations    error  CPU time, ms  first / kind\n");
    for (Kind *kind = kinds; kind < kinds + count; ++kind) {
        Quartiles ratio = quartiles(kind->ratio, ROUNDS);
        printf("  %-8s %6ld  %8ld  %11ld  %7.1e  %12.2f  %.2f (%.2f-%.2f)\n", kind->name, kind->summary.steps,
               kind->summary.rejections, kind->summary.evaluations, kind->error,
               quartiles(kind->time, ROUNDS).median / 1e6, ratio.median, ratio.low, ratio.high);
    }
}

static void measure(const Problem *problem)
{
    Kind kinds[MOST];
    HolMessage message = {{0}};
    HolMechanism *mechanism;
    HolModel *model = hol_model_create();
    int count = list_kinds(kinds);
    if (hol_model_load(model, problem->model) != HOL_OK || hol_mechanism_create(model, &mechanism) != HOL_OK)
        fail(hol_model_error(model, 0));
    if (hol_mechanism_assemble(mechanism, &message) != HOL_OK)
        fail(message.text);
    HolSimulation *reference = open_run(mechanism, "dop853", "1e-14");
    time_run(reference, problem->until);
    for (int round = 0; round < ROUNDS; ++round) {
        for (int k = 0; k < count; ++k)
            measure_kind(mechanism, problem, reference, round, &kinds[(k + round) % count]);
        for (int k = 0; k < count; ++k)
            kinds[k].ratio[round] = kinds[0].time[round] / kinds[k].time[round];
    }
    print_kinds(problem, kinds, count);
    hol_simulation_destroy(reference);
    hol_mechanism_destroy(mechanism);
    hol_model_destroy(model);
}

int main(void)
{
    printf("direct-correction, tolerance = absolute = 1e-12, %d rounds\n", ROUNDS);
    for (size_t i = 0; i < sizeof problems / sizeof *problems; ++i)
        measure(&problems[i]);
    return 0;
}
