/* SPDX-License-Identifier: BSD-3-Clause */
/* What a step of a built-in model costs in natural coordinates, against reference-point coordinates. A round lets both
 * go from the start and takes the processor's time of the same steps of each, in turns; what is printed are medians and
 * quartiles. See docs/benchmarks.md. */
#include <holon/holon.h>

#include "timing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 21, FIRST = 50, STEPS = 400 };
static const char *const FORMULATIONS[] = {"lagrange", "direct-correction"};
static const char *const PLANAR[] = {
    "pendulum",   "double-pendulum",  "four-bar",   "n-four-bar", "double-four-bar", "slider-crank", "quick-return",
    "jansen-leg", "chaplygin-sleigh", "snakeboard", "gear-pair",  "planetary-gear",  "biped"};
static const char *const SPATIAL[] = {"five-bar-pendulum", "spatial-slider-crank"};

static void fail(const char *model, const char *why)
{
    fprintf(stderr, "bench_coordinates: %s: %s\n", model, why);
    exit(1);
}

/* Of the processor, which does not run while others are given its turn. */
static double processor_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static HolMechanism *create(const char *name, const char *coordinates, HolModel **model)
{
    HolMechanism *mechanism;
    HolMessage message = {{0}};
    *model = hol_model_create();
    hol_model_load(*model, name);
    hol_model_set(*model, "run.coordinates", "%s", coordinates);
    if (hol_mechanism_create(*model, &mechanism) != HOL_OK)
        fail(name, hol_model_error(*model, 0));
    if (hol_mechanism_assemble(mechanism, &message) != HOL_OK)
        fail(name, message.text);
    return mechanism;
}

static void go(HolSimulation *simulation, const char *name, int steps)
{
    HolStepReport report;
    for (int i = 0; i < steps; ++i)
        if (hol_simulation_step(simulation, &report) != HOL_OK)
            fail(name, hol_simulation_message(simulation));
}

static HolSimulation *simulate(const char *name, const HolMechanism *mechanism, const char *formulation)
{
    HolMessage message = {{0}};
    HolSimulation *simulation;
    HolInitialState start = hol_mechanism_initial_state(mechanism);
    HolSimulationOptions options = hol_simulation_options();
    options.formulation = formulation;
    options.integrator = "rk4";
    options.step = 1e-3;
    if (hol_simulation_create(hol_mechanism_system(mechanism), &start, &options, &simulation, &message) != HOL_OK)
        fail(name, message.text);
    return simulation;
}

/* Nanoseconds of one step. */
static double time_steps(const char *name, const HolMechanism *mechanism, const char *formulation)
{
    HolSimulation *simulation = simulate(name, mechanism, formulation);
    go(simulation, name, FIRST);
    double from = processor_ns();
    go(simulation, name, STEPS);
    double time = (processor_ns() - from) / STEPS;
    hol_simulation_destroy(simulation);
    return time;
}

static void compare(const char *name, const char *formulation)
{
    HolModel *models[2];
    HolMechanism *reference = create(name, "reference-point", &models[0]);
    HolMechanism *natural = create(name, "natural", &models[1]);
    double times[2][ROUNDS], ratio[ROUNDS];
    for (int i = 0; i < ROUNDS; ++i) {
        times[0][i] = time_steps(name, reference, formulation);
        times[1][i] = time_steps(name, natural, formulation);
        ratio[i] = times[1][i] / times[0][i];
    }
    Quartiles q = quartiles(ratio, ROUNDS);
    printf("%-20s  %-17s  %8.0f  %8.0f  %5.2f (%.2f-%.2f)\n", name, formulation, quartiles(times[0], ROUNDS).median,
           quartiles(times[1], ROUNDS).median, q.median, q.low, q.high);
    hol_mechanism_destroy(reference);
    hol_mechanism_destroy(natural);
    hol_model_destroy(models[0]);
    hol_model_destroy(models[1]);
}

static void compare_all(const char *title, size_t count, const char *const *names)
{
    printf("%s\n%-20s  %-17s  %8s  %8s  ratio\n", title, "model", "formulation", "ref. ns", "nat. ns");
    for (size_t i = 0; i < 2 * count; ++i)
        compare(names[i / 2], FORMULATIONS[i % 2]);
}

/* Runs the given number of steps and measures nothing, for tools that count instructions. */
static void count(const char *name, const char *coordinates, const char *formulation, int steps)
{
    HolModel *model;
    HolMechanism *mechanism = create(name, coordinates, &model);
    HolSimulation *simulation = simulate(name, mechanism, formulation);
    go(simulation, name, steps);
    hol_simulation_destroy(simulation);
    hol_mechanism_destroy(mechanism);
    hol_model_destroy(model);
}

int main(int argc, char **argv)
{
    if (argc == 6 && strcmp(argv[1], "--count") == 0) {
        count(argv[2], argv[3], argv[4], atoi(argv[5]));
        return 0;
    }
    if (argc > 1) {
        fprintf(stderr, "usage: bench_coordinates [--count MODEL COORDINATES FORMULATION STEPS]\n");
        return 2;
    }
    compare_all("a step of rk4, 1 ms, in the plane", sizeof PLANAR / sizeof *PLANAR, PLANAR);
    compare_all("\nin space", sizeof SPATIAL / sizeof *SPATIAL, SPATIAL);
    return 0;
}
