/* SPDX-License-Identifier: BSD-3-Clause */
#include "runs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const Traits traits[] = {
    {"baumgarte", false, true, false},
    {"penalty", true, true, false},
    {"augmented-lagrangian", false, true, false},
    {"augmented-lagrangian-projected", false, true, true},
    {"coordinate-partitioning", false, false, true},
    {"direct-correction", false, false, true},
};

Traits formulation_traits(const char *formulation)
{
    for (size_t i = 0; i < sizeof traits / sizeof *traits; i++)
        if (strcmp(traits[i].formulation, formulation) == 0)
            return traits[i];
    return (Traits){.formulation = formulation};
}

static const struct {
    const char *integrator;
    int order;
} orders[] = {{"euler", 1}, {"symplectic-euler", 1}, {"trapezoidal", 2}, {"rk4", 4}, {"dopri5", 0}};

int integrator_order(const char *integrator)
{
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
        if (strcmp(orders[i].integrator, integrator) == 0)
            return orders[i].order;
    return -1;
}

HolSimulationOptions run_options(const char *formulation, const char *integrator, double step)
{
    HolSimulationOptions options = hol_simulation_options();
    options.formulation = formulation;
    options.integrator = integrator;
    options.step = step;
    return options;
}

static void keep(const Scene *scene, const HolSimulation *simulation, Result *result)
{
    const HolPattern *p = hol_system_pattern(scene->system);
    const HolState *state = hol_simulation_state(simulation);
    result->summary = hol_simulation_summary(simulation);
    result->measures = hol_simulation_measures(simulation);
    result->t = state->t;
    if (p->nq + p->nv > RESULT_MOST)
        return;
    result->count = p->nq + p->nv;
    memcpy(result->x, state->q, (size_t)p->nq * sizeof(double));
    memcpy(result->x + p->nq, state->v, (size_t)p->nv * sizeof(double));
}

Result run_scene(const Scene *scene, const HolSimulationOptions *options, double length)
{
    Result result = {.count = 0};
    HolSimulation *simulation;
    result.status = hol_simulation_create(scene->system, &scene->start, options, &simulation, &result.message);
    if (result.status != HOL_OK)
        return result;
    HolRun run = {.until = scene->start.t + length};
    result.status = hol_simulation_run(simulation, &run);
    snprintf(result.message.text, sizeof result.message.text, "%s", hol_simulation_message(simulation));
    keep(scene, simulation, &result);
    hol_simulation_destroy(simulation);
    return result;
}

Result run_reference(const Scene *scene, double length)
{
    static const HolSetting tight[] = {{"integrator.tolerance", "1e-13"}, {"integrator.absolute", "1e-13"}};
    HolSimulationOptions options = run_options("direct-correction", "dopri5", 1e-3);
    options.settings = tight;
    options.setting_count = 2;
    return run_scene(scene, &options, length);
}

double result_distance(const Result *a, const Result *b)
{
    double difference = 0, size = 0;
    if (a->status != HOL_OK || b->status != HOL_OK || a->count == 0 || a->count != b->count)
        return INFINITY;
    for (int i = 0; i < a->count; i++) {
        if (!isfinite(a->x[i]) || !isfinite(b->x[i]))
            return INFINITY;
        difference = fmax(difference, fabs(a->x[i] - b->x[i]));
        size = fmax(size, fabs(b->x[i]));
    }
    return difference / (1 + size);
}

double observed_order(double coarse, double fine, double ratio)
{
    return log(coarse / fine) / log(ratio);
}
