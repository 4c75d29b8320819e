/* SPDX-License-Identifier: BSD-3-Clause */
/* What a model costs: reading and compiling it, assembling it, one evaluation per body, and memory; for n-four-bar of
 * growing size, and against the same equations written by hand (tests/systems). Ratios are taken within a round; what
 * is printed are medians. See docs/benchmarks.md. */
#define _GNU_SOURCE
#include <holon/holon.h>

#include "systems/scenes.h"
#include "timing.h"

#include <malloc.h>
#include <stdio.h>

enum { ROUNDS = 11 };
static const int SIZES[] = {5, 50, 500, 5000};

typedef struct Costs {
    double load[ROUNDS], assemble[ROUNDS], create[ROUNDS], evaluate[ROUNDS], by_hand[ROUNDS], ratio[ROUNDS];
    double bytes;
} Costs;

static void fail(const char *why)
{
    fprintf(stderr, "bench_models: %s\n", why);
    exit(1);
}

static double bytes_in_use(void)
{
    struct mallinfo2 info = mallinfo2();
    return (double)info.uordblks + (double)info.hblkhd;
}

/* Nanoseconds of one evaluation and solution. */
static double time_evaluation(HolSimulation *simulation, int bodies)
{
    int repeats = 1 + 200000 / bodies;
    double from = now_ns();
    for (int i = 0; i < repeats; ++i)
        if (hol_simulation_accelerate(simulation) != HOL_OK)
            fail(hol_simulation_message(simulation));
    return (now_ns() - from) / repeats;
}

static HolSimulation *simulation_by_hand(Scene *scene)
{
    HolMessage message;
    HolSimulation *simulation;
    HolSimulationOptions options = hol_simulation_options();
    if (hol_simulation_create(scene->system, &scene->start, &options, &simulation, &message) != HOL_OK)
        fail(message.text);
    return simulation;
}

static void measure_round(int n, int round, HolSimulation *by_hand, Costs *costs)
{
    HolMessage message = {{0}};
    HolMechanism *mechanism;
    HolSimulation *simulation;
    int bodies = 2 * n + 1;
    double memory = bytes_in_use(), t0 = now_ns();
    HolModel *model = hol_model_create();
    hol_model_load(model, "n-four-bar");
    hol_model_set(model, "parameters.N", "%d", n);
    if (hol_mechanism_create(model, &mechanism) != HOL_OK)
        fail(hol_model_error(model, 0));
    double t1 = now_ns();
    if (hol_mechanism_assemble(mechanism, &message) != HOL_OK)
        fail(message.text);
    double t2 = now_ns();
    HolInitialState start = hol_mechanism_initial_state(mechanism);
    HolSimulationOptions options = hol_mechanism_options(mechanism);
    if (hol_simulation_create(hol_mechanism_system(mechanism), &start, &options, &simulation, &message) != HOL_OK)
        fail(message.text);
    double t3 = now_ns();
    costs->bytes = (bytes_in_use() - memory) / bodies;
    costs->load[round] = (t1 - t0) / bodies;
    costs->assemble[round] = (t2 - t1) / bodies;
    costs->create[round] = (t3 - t2) / bodies;
    costs->evaluate[round] = time_evaluation(simulation, bodies) / bodies;
    costs->by_hand[round] = time_evaluation(by_hand, bodies) / bodies;
    costs->ratio[round] = costs->evaluate[round] / costs->by_hand[round];
    hol_simulation_destroy(simulation);
    hol_mechanism_destroy(mechanism);
    hol_model_destroy(model);
}

int main(void)
{
    puts("n-four-bar as a model; everything per body, times in ns (medians)");
    puts("     N  bodies     load  assemble    create  evaluation   by hand  ratio    bytes");
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; ++i) {
        static Costs costs;
        Scene *scene = scene_create("n-four-bar", SIZES[i]);
        HolSimulation *by_hand = simulation_by_hand(scene);
        for (int round = 0; round < ROUNDS; ++round)
            measure_round(SIZES[i], round, by_hand, &costs);
        printf("%6d %7d %8.0f  %8.0f  %8.0f  %10.0f  %8.0f  %5.2f %8.0f\n", SIZES[i], 2 * SIZES[i] + 1,
               quartiles(costs.load, ROUNDS).median, quartiles(costs.assemble, ROUNDS).median,
               quartiles(costs.create, ROUNDS).median, quartiles(costs.evaluate, ROUNDS).median,
               quartiles(costs.by_hand, ROUNDS).median, quartiles(costs.ratio, ROUNDS).median, costs.bytes);
        hol_simulation_destroy(by_hand);
        scene_destroy(scene);
    }
    return 0;
}
