/* SPDX-License-Identifier: BSD-3-Clause */
#include "runs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const Traits traits[] = {
    {"baumgarte", .stabilized = true},
    {"penalty", .penalty = true, .stabilized = true},
    {"augmented-lagrangian", .stabilized = true},
    {"augmented-lagrangian-projected", .stabilized = true, .projects = true},
    {"coordinate-partitioning", .projects = true},
    {"direct-correction", .projects = true},
    {"generalized-inverse", .stabilized = true},
    /* by default a violation dies out within 5 ms, and alpha multiplies the rounding of v */
    {"augmented-hamiltonian", .holonomic = true, .settings = {{"formulation.xi", "10"}, {"formulation.alpha", "4e5"}},
     .setting_count = 2},
    {"energy-preserving", .projects = true, .flat = true, .mean = true, .order = 2},
    {"energy-decaying", .projects = true, .flat = true, .massive = true, .order = 3},
    {"energy-momentum-decaying", .projects = true, .flat = true, .elastic = true, .order = 2},
    {"rattle", .projects = true, .flat = true, .order = 2},
    {"ggl", .projects = true},
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
} orders[] = {{"euler", 1},  {"symplectic-euler", 1}, {"trapezoidal", 2}, {"rk4", 4},
              {"dopri5", 0}, {"dop853", 0},           {"newmark", 2},     {"generalized-alpha", 2}};

int pair_order(const char *formulation, const char *integrator)
{
    if (strcmp(integrator, "built-in") == 0)
        return formulation_traits(formulation).order;
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
        if (strcmp(orders[i].integrator, integrator) == 0)
            return orders[i].order;
    return -1;
}

bool has_option(HolKindInfo kind, const char *name)
{
    for (int i = 0; i < kind.option_count; i++)
        if (strcmp(kind.options[i].name, name) == 0)
            return true;
    return false;
}

bool is_served(const char *formulation, const HolSystem *system)
{
    Traits known = formulation_traits(formulation);
    bool has_steps = hol_system_is_flat(system) || (known.mean && hol_system_has_mean(system));
    if (known.flat && !(has_steps && hol_system_has_constant_mass(system)))
        return false;
    return !known.holonomic || hol_system_pattern(system)->nn == 0;
}

Settings settings_with(const char *formulation, const HolSetting *more, int count)
{
    Settings all = {.count = 0};
    Traits known = formulation_traits(formulation);
    for (int i = 0; i < known.setting_count; i++)
        all.list[all.count++] = known.settings[i];
    for (int i = 0; i < count; i++)
        all.list[all.count++] = more[i];
    return all;
}

/* The traits live in the table above. */
static void apply_traits(const char *formulation, HolSimulationOptions *options)
{
    for (size_t i = 0; i < sizeof traits / sizeof *traits; i++) {
        if (strcmp(traits[i].formulation, formulation) == 0) {
            options->settings = traits[i].settings;
            options->setting_count = traits[i].setting_count;
        }
    }
}

bool is_supported(const char *formulation, const char *integrator)
{
    return hol_pair_supported(formulation, integrator, NULL) == HOL_OK;
}

HolSimulationOptions run_options(const char *formulation, const char *integrator, double step)
{
    HolSimulationOptions options = hol_simulation_options();
    options.formulation = formulation;
    options.integrator = integrator;
    options.step = step;
    apply_traits(formulation, &options);
    return options;
}

HolSimulationOptions fitting_options(const char *formulation, const char *integrator, double step)
{
    HolSimulationOptions options = run_options(formulation, integrator, step);
    for (int i = 0; i < hol_formulation_count() && !is_supported(formulation, integrator); i++)
        if (strcmp(hol_formulation_info(i).name, formulation) == 0)
            options.integrator = hol_formulation_info(i).integrator;
    return options;
}

const char *formulation_for(const char *integrator)
{
    const char *formulation = "direct-correction";
    for (int i = 0; i < hol_formulation_count() && !is_supported(formulation, integrator); i++)
        formulation = hol_formulation_info(i).name;
    return formulation;
}

static void keep(const HolSystem *system, const HolSimulation *simulation, Result *result)
{
    const HolPattern *p = hol_system_pattern(system);
    const HolState *state = hol_simulation_state(simulation);
    result->summary = hol_simulation_summary(simulation);
    result->measures = hol_simulation_measures(simulation);
    result->t = state->t;
    if (p->nq > RESULT_MOST) /* nv <= nq */
        return;
    result->nq = p->nq;
    result->nv = p->nv;
    memcpy(result->q, state->q, (size_t)p->nq * sizeof(double));
    memcpy(result->v, state->v, (size_t)p->nv * sizeof(double));
}

Result run_system(const HolSystem *system, const HolInitialState *start, const HolSimulationOptions *options,
                  const HolRun *run)
{
    Result result = {.nq = 0};
    HolSimulation *simulation;
    result.status = hol_simulation_create(system, start, options, &simulation, &result.message);
    if (result.status != HOL_OK)
        return result;
    result.status = hol_simulation_run(simulation, run);
    snprintf(result.message.text, sizeof result.message.text, "%s", hol_simulation_message(simulation));
    keep(system, simulation, &result);
    hol_simulation_destroy(simulation);
    return result;
}

Result run_alone(const char *scene, int n, const HolInitialState *start, const HolSimulationOptions *options,
                 const HolRun *run)
{
    Result result = {.status = HOL_NO_MEMORY};
    Scene *made = scene_create(scene, n);
    if (!made)
        return result;
    result = run_system(made->system, start ? start : &made->start, options, run);
    scene_destroy(made);
    return result;
}

Result run_scene(const Scene *scene, const HolSimulationOptions *options, double length)
{
    HolRun run = {.until = scene->start.t + length};
    return run_system(scene->system, &scene->start, options, &run);
}

Result run_tight(const Scene *scene, const char *formulation, const char *tolerance, double length)
{
    const HolSetting tight[] = {{"integrator.tolerance", tolerance}, {"integrator.absolute", tolerance}};
    HolSimulationOptions options = run_options(formulation, "dopri5", 1e-3);
    Settings settings = settings_with(formulation, tight, 2);
    options.settings = settings.list;
    options.setting_count = settings.count;
    return run_scene(scene, &options, length);
}

Result run_reference(const Scene *scene, double length)
{
    return run_tight(scene, "direct-correction", "1e-13", length);
}

/* Raises difference to max |a_i - b_i| and size to max |b_i|; false if a number is not finite. */
static bool compare(int n, const double *a, const double *b, double *difference, double *size)
{
    for (int i = 0; i < n; i++) {
        if (!isfinite(a[i]) || !isfinite(b[i]))
            return false;
        *difference = fmax(*difference, fabs(a[i] - b[i]));
        *size = fmax(*size, fabs(b[i]));
    }
    return true;
}

double result_distance(const Result *a, const Result *b)
{
    double difference = 0, size = 0;
    if (a->status != HOL_OK || b->status != HOL_OK || a->nq == 0 || a->nq != b->nq || a->nv != b->nv)
        return INFINITY;
    if (!compare(a->nq, a->q, b->q, &difference, &size) || !compare(a->nv, a->v, b->v, &difference, &size))
        return INFINITY;
    return difference / (1 + size);
}

double observed_order(double coarse, double fine, double ratio)
{
    return log(coarse / fine) / log(ratio);
}
