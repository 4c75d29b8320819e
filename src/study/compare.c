/* SPDX-License-Identifier: BSD-3-Clause */
#include <holon/compare.h>

#include "base/arena.h"
#include "base/message.h"
#include "study/samples.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 50, MOST_ROUNDS = 1000 };

/* What is handed out: the public part first. */
typedef struct Study {
    HolComparison shown;
    HolArena *arena;
    const HolMechanism *mechanism;
    const HolCompareOptions *options;
    HolCompareRecord *records;
    double *wall; /* rounds x records, NAN where a run failed */
    HolSamples reference;
    int done, all;
} Study;

HolCompareOptions hol_compare_options(void)
{
    return (HolCompareOptions){.rounds = 5};
}

/* ---- Which combinations there are ---- */

static int formulation_count(const HolCompareOptions *o)
{
    return o->formulations ? o->formulation_count : hol_formulation_count();
}

static const char *formulation_name(const HolCompareOptions *o, int index)
{
    return o->formulations ? o->formulations[index] : hol_formulation_info(index).name;
}

static HolStatus list_combinations(Study *s, HolMessage *message)
{
    const HolCompareOptions *o = s->options;
    HolSimulationOptions model = hol_mechanism_options(s->mechanism);
    int integrators = o->integrators ? o->integrator_count : 1, steps = o->steps ? o->step_count : 1;
    int count = formulation_count(o) * integrators * steps, at = 0;
    s->records = hol_arena_alloc(s->arena, (size_t)count * sizeof *s->records);
    s->wall = hol_arena_doubles(s->arena, (size_t)count * (size_t)o->rounds);
    if (!s->records || !s->wall)
        return HOL_NO_MEMORY;
    for (int i = 0; i < integrators; ++i)
        for (int k = 0; k < steps; ++k)
            for (int f = 0; f < formulation_count(o); ++f) {
                HolCompareRecord *r = &s->records[at++];
                *r = (HolCompareRecord){.formulation = formulation_name(o, f),
                                        .integrator = o->integrators ? o->integrators[i] : model.integrator,
                                        .step = o->steps ? o->steps[k] : model.step,
                                        .position_error = NAN,
                                        .reaction_spread = NAN,
                                        .time_ratio = NAN,
                                        .time_low = NAN,
                                        .time_high = NAN,
                                        .wall_s = NAN};
                r->status = hol_pair_supported(r->formulation, r->integrator, &r->message);
                if (r->status == HOL_BAD_INPUT)
                    return hol_fail(message, HOL_BAD_INPUT, "%s", r->message.text);
            }
    s->shown.count = count;
    s->shown.records = s->records;
    return HOL_OK;
}

/* ---- Runs ---- */

static HolStatus announce(Study *s, const char *what)
{
    return s->options->progress ? s->options->progress(s->options->user, what, s->done++, s->all) : HOL_OK;
}

/* The model's own options of a method hold for that method only. */
static HolStatus open_simulation(Study *s, const HolCompareRecord *r, HolSimulation **simulation, HolMessage *message)
{
    HolSimulationOptions model = hol_mechanism_options(s->mechanism), options = model;
    HolSetting *settings = calloc((size_t)model.setting_count + 1, sizeof *settings);
    if (!settings)
        return HOL_NO_MEMORY;
    options.formulation = r->formulation;
    options.integrator = r->integrator;
    options.step = r->step;
    options.settings = settings;
    options.setting_count = 0;
    for (int i = 0; i < model.setting_count; ++i) {
        bool of_formulation = strncmp(model.settings[i].name, "formulation.", 12) == 0;
        if (strcmp(of_formulation ? model.formulation : model.integrator,
                   of_formulation ? r->formulation : r->integrator) == 0)
            settings[options.setting_count++] = model.settings[i];
    }
    HolStart start = hol_mechanism_start(s->mechanism);
    HolStatus status = hol_simulation_create(hol_mechanism_system(s->mechanism), &start, &options, simulation, message);
    free(settings);
    return status;
}

/* One run with samples: everything but the time. */
static HolStatus measure(Study *s, HolCompareRecord *r)
{
    HolSimulation *simulation;
    HolSamples samples;
    HOL_TRY(hol_samples_create(s->arena, s->mechanism, SAMPLES, &samples));
    HolStatus status = open_simulation(s, r, &simulation, &r->message);
    if (status == HOL_OK) {
        status = hol_samples_run(&samples, simulation, s->shown.until);
        r->summary = hol_simulation_summary(simulation);
        if (status != HOL_OK)
            hol_fail(&r->message, status, "%s", hol_simulation_message(simulation));
        hol_simulation_destroy(simulation);
    }
    r->status = status;
    if (status == HOL_OK && s->shown.has_reference) {
        r->position_error = hol_samples_position_difference(&samples, &s->reference);
        r->reaction_spread = hol_samples_reaction_difference(&samples, &s->reference);
    }
    hol_samples_clear(&samples);
    return status == HOL_NO_MEMORY ? status : HOL_OK;
}

/* Wall time of one run without samples. */
static double time_run(Study *s, const HolCompareRecord *r)
{
    HolSimulation *simulation;
    HolMessage message;
    if (open_simulation(s, r, &simulation, &message) != HOL_OK)
        return NAN;
    HolStatus status = hol_simulation_run(simulation, &(HolRun){.until = s->shown.until});
    double wall = hol_simulation_summary(simulation).wall_s;
    hol_simulation_destroy(simulation);
    return status == HOL_OK ? wall : NAN;
}

static HolStatus run_all(Study *s)
{
    int count = s->shown.count, rounds = s->options->rounds;
    char what[160];
    for (int i = 0; i < count; ++i) {
        if (s->records[i].status != HOL_OK)
            continue;
        snprintf(what, sizeof what, "%s with %s", s->records[i].formulation, s->records[i].integrator);
        HOL_TRY(announce(s, what));
        HOL_TRY(measure(s, &s->records[i]));
    }
    for (int round = 0; round < rounds; ++round)
        for (int i = 0; i < count; ++i) {
            double *wall = &s->wall[round * count + i];
            snprintf(what, sizeof what, "timing %s, round %d of %d", s->records[i].formulation, round + 1, rounds);
            HOL_TRY(announce(s, what));
            *wall = s->records[i].status == HOL_OK ? time_run(s, &s->records[i]) : NAN;
        }
    return HOL_OK;
}

/* ---- The reference ---- */

static HolStatus reference_run(Study *s, const char *tolerance, HolSamples *samples, HolMessage *message)
{
    HolSimulation *simulation;
    const HolSetting settings[] = {{"integrator.tolerance", tolerance}, {"integrator.absolute", tolerance}};
    HolSimulationOptions options = hol_mechanism_options(s->mechanism);
    HolStart start = hol_mechanism_start(s->mechanism);
    options.formulation = "direct-correction";
    options.integrator = "dopri5";
    options.settings = settings;
    options.setting_count = 2;
    HOL_TRY(hol_samples_create(s->arena, s->mechanism, SAMPLES, samples));
    HOL_TRY(hol_simulation_create(hol_mechanism_system(s->mechanism), &start, &options, &simulation, message));
    HolStatus status = hol_samples_run(samples, simulation, s->shown.until);
    if (status != HOL_OK)
        hol_fail(message, status, "%s", hol_simulation_message(simulation));
    hol_simulation_destroy(simulation);
    return status;
}

/* Two runs: the finer is the reference, their difference bounds the error of the coarser. */
static HolStatus make_reference(Study *s)
{
    HolSamples coarse = {0};
    HolMessage why = {{0}};
    HOL_TRY(announce(s, "the reference"));
    HolStatus status = reference_run(s, "1e-12", &s->reference, &why);
    if (status == HOL_OK)
        status = reference_run(s, "1e-10", &coarse, &why);
    s->shown.has_reference = status == HOL_OK;
    s->shown.reference_error = NAN;
    if (status == HOL_OK) {
        s->shown.reference_error = hol_samples_position_difference(&coarse, &s->reference);
        hol_fail(&s->shown.reference, HOL_OK, "direct-correction with dopri5, tolerance 1e-12");
    } else {
        hol_fail(&s->shown.reference, HOL_OK, "none: %s", why.text);
    }
    hol_samples_clear(&coarse);
    return status == HOL_NO_MEMORY ? status : HOL_OK;
}

/* ---- Times ---- */

static int ascending(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* The record of lagrange with the same integrator and step, or -1. */
static int standard_of(const Study *s, const HolCompareRecord *r)
{
    for (int i = 0; i < s->shown.count; ++i)
        if (strcmp(s->records[i].formulation, "lagrange") == 0 && s->records[i].integrator == r->integrator &&
            s->records[i].step == r->step)
            return i;
    return -1;
}

static void compare_times(Study *s, int index)
{
    HolCompareRecord *r = &s->records[index];
    double ratio[MOST_ROUNDS];
    int n = 0, standard = standard_of(s, r), count = s->shown.count;
    for (int round = 0; round < s->options->rounds; ++round) {
        double wall = s->wall[round * count + index];
        if (!(wall >= r->wall_s))
            r->wall_s = wall;
        if (standard >= 0 && wall / s->wall[round * count + standard] > 0)
            ratio[n++] = wall / s->wall[round * count + standard];
    }
    if (n == 0)
        return;
    qsort(ratio, (size_t)n, sizeof *ratio, ascending);
    r->time_ratio = n % 2 ? ratio[n / 2] : (ratio[n / 2 - 1] + ratio[n / 2]) / 2;
    r->time_low = ratio[n / 4];
    r->time_high = ratio[n - 1 - n / 4];
}

/* ---- All of it ---- */

static HolStatus check(const HolMechanism *mechanism, const HolCompareOptions *o, HolMessage *message)
{
    if (!mechanism || !o)
        return hol_fail(message, HOL_BAD_INPUT, "hol_compare: mechanism and options must not be NULL");
    if (o->rounds < 0 || o->rounds > MOST_ROUNDS)
        return hol_fail(message, HOL_BAD_INPUT, "rounds = %d must lie between 0 and %d", o->rounds, MOST_ROUNDS);
    for (int i = 0; i < o->step_count; ++i)
        if (!(o->steps[i] > 0) || !isfinite(o->steps[i]))
            return hol_fail(message, HOL_BAD_INPUT, "step %g must be positive and finite", o->steps[i]);
    return HOL_OK;
}

static HolStatus study(Study *s, HolMessage *message)
{
    const HolCompareOptions *o = s->options;
    HOL_TRY(list_combinations(s, message));
    s->shown.until = o->until > 0 ? o->until : hol_mechanism_until(s->mechanism);
    s->shown.sample_count = SAMPLES;
    s->all = 1 + s->shown.count * (1 + o->rounds);
    HOL_TRY(make_reference(s));
    HOL_TRY(run_all(s));
    for (int i = 0; i < s->shown.count; ++i)
        compare_times(s, i);
    return HOL_OK;
}

HolStatus hol_compare(const HolMechanism *mechanism, const HolCompareOptions *options, HolComparison **comparison,
                      HolMessage *message)
{
    *comparison = NULL;
    HOL_TRY(check(mechanism, options, message));
    HolArena *arena = hol_arena_create();
    Study *s = arena ? hol_arena_alloc(arena, sizeof *s) : NULL;
    if (!s) {
        hol_arena_destroy(arena);
        return hol_fail(message, HOL_NO_MEMORY, "not enough memory to compare");
    }
    s->arena = arena;
    s->mechanism = mechanism;
    s->options = options;
    HolStatus status = study(s, message);
    hol_samples_clear(&s->reference);
    if (status != HOL_OK) {
        hol_arena_destroy(arena);
        return status == HOL_NO_MEMORY ? hol_fail(message, status, "not enough memory to compare") : status;
    }
    *comparison = &s->shown;
    return HOL_OK;
}

void hol_comparison_destroy(HolComparison *comparison)
{
    if (comparison)
        hol_arena_destroy(((Study *)comparison)->arena);
}
