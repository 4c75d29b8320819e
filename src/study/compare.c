/* SPDX-License-Identifier: BSD-3-Clause */
#include <holon/compare.h>

#include "base/message.h"
#include "study/study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

HolCompareOptions hol_compare_options(void)
{
    return (HolCompareOptions){.rounds = 5};
}

HolStatus hol_study_announce(HolStudy *s, const char *what)
{
    return s->options->progress ? s->options->progress(s->options->user, what, s->done++, s->all) : HOL_OK;
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

static bool has_standard(const HolCompareOptions *o)
{
    for (int i = 0; i < formulation_count(o); ++i)
        if (strcmp(formulation_name(o, i), "lagrange") == 0)
            return true;
    return false;
}

/* The first step only begins the run of an adaptive integrator: a second one would show nothing. */
static int step_count(const HolCompareOptions *o, const char *integrator)
{
    for (int i = 0; i < hol_integrator_count(); ++i)
        if (strcmp(hol_integrator_info(i).name, integrator) == 0 && hol_integrator_info(i).adaptive)
            return 1;
    return o->steps ? o->step_count : 1;
}

/* Of a run that has not been. */
static HolSummary no_summary(void)
{
    return (HolSummary){.reached = NAN,
                        .max_position_violation = NAN,
                        .max_velocity_violation = NAN,
                        .max_acceleration_violation = NAN,
                        .mean_position_violation_sq = NAN,
                        .mean_velocity_violation_sq = NAN,
                        .energy_initial = NAN,
                        .energy_final = NAN,
                        .max_energy_drift = NAN};
}

/* The model's integrator is not a choice: a formulation that it does not fit has its own. */
static const char *integrator_for(const HolStudy *s, const char *formulation, const char *integrator)
{
    if (s->options->integrators || hol_pair_supported(formulation, integrator, NULL) != HOL_UNSUPPORTED)
        return integrator;
    for (int i = 0; i < hol_formulation_count(); ++i)
        if (strcmp(hol_formulation_info(i).name, formulation) == 0)
            return hol_formulation_info(i).integrator;
    return integrator;
}

static HolStatus set_record(const HolStudy *s, HolCompareRecord *r, const char *formulation, const char *beside,
                            double step, HolMessage *message)
{
    const char *integrator = integrator_for(s, formulation, beside);
    *r = (HolCompareRecord){.formulation = formulation,
                            .integrator = integrator,
                            .beside = beside,
                            .step = step,
                            .summary = no_summary(),
                            .position_error = NAN,
                            .reaction_spread = NAN,
                            .order = NAN,
                            .time_ratio = NAN,
                            .time_low = NAN,
                            .time_high = NAN,
                            .wall_s = NAN};
    r->status = hol_pair_supported(formulation, integrator, &r->message);
    return r->status == HOL_BAD_INPUT ? hol_fail(message, HOL_BAD_INPUT, "%s", r->message.text) : HOL_OK;
}

/* Every formulation with one integrator and step, and lagrange for the times if it is not among them. */
static HolStatus list_block(HolStudy *s, const char *integrator, double step, int *hidden, HolMessage *message)
{
    for (int f = 0; f < formulation_count(s->options); ++f)
        HOL_TRY(
            set_record(s, &s->records[s->shown.count++], formulation_name(s->options, f), integrator, step, message));
    if (!has_standard(s->options))
        HOL_TRY(set_record(s, &s->records[(*hidden)++], "lagrange", integrator, step, message));
    return HOL_OK;
}

static HolStatus list_combinations(HolStudy *s, HolMessage *message)
{
    const HolCompareOptions *o = s->options;
    HolSimulationOptions model = hol_mechanism_options(s->mechanism);
    int integrators = o->integrators ? o->integrator_count : 1, blocks = 0;
    for (int i = 0; i < integrators; ++i)
        blocks += step_count(o, o->integrators ? o->integrators[i] : model.integrator);
    int hidden = blocks * formulation_count(o);
    s->all_count = hidden + (has_standard(o) ? 0 : blocks);
    s->records = hol_arena_alloc(s->arena, (size_t)s->all_count * sizeof *s->records);
    s->times = hol_arena_alloc(s->arena, (size_t)s->all_count * (size_t)o->rounds * sizeof *s->times);
    if (!s->records || !s->times)
        return HOL_NO_MEMORY;
    for (int i = 0; i < integrators; ++i) {
        const char *integrator = o->integrators ? o->integrators[i] : model.integrator;
        for (int k = 0; k < step_count(o, integrator); ++k)
            HOL_TRY(list_block(s, integrator, o->steps ? o->steps[k] : model.step, &hidden, message));
    }
    s->shown.records = s->records;
    return HOL_OK;
}

/* ---- Runs ---- */

/* The model's own options of a method hold for that method only. */
HolStatus hol_study_open(const HolStudy *s, const HolCompareRecord *r, HolSimulation **simulation, HolMessage *message)
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

static HolStatus run_record(HolStudy *s, HolCompareRecord *r)
{
    HolSimulation *simulation;
    HOL_TRY(hol_study_open(s, r, &simulation, &r->message));
    HolStatus status = hol_samples_run(&s->scratch, simulation, s->shown.until, s->options);
    r->summary = hol_simulation_summary(simulation);
    if (status == HOL_OK)
        r->wall_s = r->summary.wall_s;
    else
        hol_fail(&r->message, status, "%s", hol_simulation_message(simulation));
    hol_simulation_destroy(simulation);
    return status;
}

/* One run with samples: everything but the time. */
static HolStatus measure(HolStudy *s, HolCompareRecord *r)
{
    r->violation = s->scratch.violation = hol_arena_doubles(s->arena, HOL_COMPARE_PARTS);
    r->drift = s->scratch.drift = hol_arena_doubles(s->arena, HOL_COMPARE_PARTS);
    if (!r->violation || !r->drift)
        return HOL_NO_MEMORY;
    for (int i = 0; i < HOL_COMPARE_PARTS; ++i)
        s->scratch.violation[i] = s->scratch.drift[i] = NAN;
    r->status = run_record(s, r);
    if (r->status == HOL_OK && s->shown.has_reference) {
        r->position_error = hol_samples_position_difference(&s->scratch, &s->reference);
        r->reaction_spread = hol_samples_reaction_difference(&s->scratch, &s->reference, s->is_unique);
    }
    return r->status == HOL_NO_MEMORY || r->status == HOL_STOPPED ? r->status : HOL_OK;
}

static HolStatus measure_all(HolStudy *s)
{
    char what[160];
    for (int i = 0; i < s->shown.count; ++i) {
        HolCompareRecord *r = &s->records[i];
        if (r->status != HOL_OK)
            continue;
        snprintf(what, sizeof what, "%s with %s, step %g s", r->formulation, r->integrator, r->step);
        HOL_TRY(hol_study_announce(s, what));
        HOL_TRY(measure(s, r));
    }
    return HOL_OK;
}

/* ---- What follows from several ---- */

/* The same methods with the next larger step, or NULL. */
static const HolCompareRecord *coarser(const HolStudy *s, const HolCompareRecord *r)
{
    const HolCompareRecord *best = NULL;
    for (const HolCompareRecord *o = s->records; o < s->records + s->shown.count; ++o)
        if (strcmp(o->formulation, r->formulation) == 0 && strcmp(o->integrator, r->integrator) == 0 &&
            o->step > r->step && (!best || o->step < best->step))
            best = o;
    return best;
}

/* e ~ h^p, so p = log(e1 / e2) / log(h1 / h2). What the reference cannot tell apart shows no order. */
static double observed_order(const HolStudy *s, const HolCompareRecord *r)
{
    const HolCompareRecord *before = coarser(s, r);
    double least = 10 * s->shown.reference_error;
    if (!before || !(r->position_error > least) || !(before->position_error > least))
        return NAN;
    return log(before->position_error / r->position_error) / log(before->step / r->step);
}

bool hol_compare_reaches(const HolCompareRecord *record, HolCompareGoal goal, double most)
{
    double reached = goal == HOL_GOAL_ENERGY ? record->summary.max_energy_drift : record->position_error;
    return record->status == HOL_OK && reached <= most;
}

int hol_comparison_fastest(const HolComparison *comparison, HolCompareGoal goal, double most, int except)
{
    int best = -1;
    for (int i = 0; i < comparison->count; ++i)
        if (i != except && hol_compare_reaches(&comparison->records[i], goal, most) &&
            (best < 0 || comparison->records[i].wall_s < comparison->records[best].wall_s))
            best = i;
    return best;
}

/* ---- All of it ---- */

static HolStatus check(const HolMechanism *mechanism, const HolCompareOptions *o, HolMessage *message)
{
    if (!mechanism || !o)
        return hol_fail(message, HOL_BAD_INPUT, "hol_compare: mechanism and options must not be NULL");
    if (o->rounds < 0 || o->rounds > HOL_STUDY_MOST_ROUNDS)
        return hol_fail(message, HOL_BAD_INPUT, "rounds = %d must lie between 0 and %d", o->rounds,
                        HOL_STUDY_MOST_ROUNDS);
    if ((o->formulations && o->formulation_count < 1) || (o->integrators && o->integrator_count < 1) ||
        (o->steps && o->step_count < 1))
        return hol_fail(message, HOL_BAD_INPUT, "hol_compare: a list of the options is empty");
    for (int i = 0; o->steps && i < o->step_count; ++i)
        if (!(o->steps[i] > 0) || !isfinite(o->steps[i]))
            return hol_fail(message, HOL_BAD_INPUT, "step %g must be positive and finite", o->steps[i]);
    if (!isfinite(o->until) || o->until < 0)
        return hol_fail(message, HOL_BAD_INPUT, "until = %g must be positive and finite", o->until);
    return HOL_OK;
}

static int runs_to_do(const HolStudy *s)
{
    int runs = s->options->known ? 3 : 2;
    for (int i = 0; i < s->all_count; ++i)
        if (s->records[i].status == HOL_OK)
            runs += s->options->rounds + (i < s->shown.count);
    return runs;
}

static HolStatus study(HolStudy *s, HolMessage *message)
{
    HOL_TRY(list_combinations(s, message));
    s->shown.until = s->options->until > 0 ? s->options->until : hol_mechanism_until(s->mechanism);
    s->shown.rounds = s->options->rounds;
    s->shown.sample_count = HOL_STUDY_SAMPLES;
    s->all = runs_to_do(s);
    HOL_TRY(hol_samples_unique(s->arena, s->mechanism, &s->is_unique));
    HOL_TRY(hol_samples_create(s->arena, s->mechanism, HOL_STUDY_SAMPLES, &s->reference));
    HOL_TRY(hol_samples_create(s->arena, s->mechanism, HOL_STUDY_SAMPLES, &s->scratch));
    HOL_TRY(hol_study_reference(s));
    HOL_TRY(measure_all(s));
    for (int i = 0; i < s->shown.count; ++i)
        s->records[i].order = observed_order(s, &s->records[i]);
    return hol_study_timing(s);
}

HolStatus hol_compare(const HolMechanism *mechanism, const HolCompareOptions *options, HolComparison **comparison,
                      HolMessage *message)
{
    *comparison = NULL;
    HOL_TRY(check(mechanism, options, message));
    HolArena *arena = hol_arena_create();
    HolStudy *s = arena ? hol_arena_alloc(arena, sizeof *s) : NULL;
    if (!s) {
        hol_arena_destroy(arena);
        return hol_fail(message, HOL_NO_MEMORY, "not enough memory to compare");
    }
    s->arena = arena;
    s->mechanism = mechanism;
    s->options = options;
    HolStatus status = study(s, message);
    hol_samples_clear(&s->reference);
    hol_samples_clear(&s->scratch);
    s->options = NULL;
    if (status == HOL_OK)
        *comparison = &s->shown;
    else
        hol_arena_destroy(arena);
    if (status == HOL_NO_MEMORY || status == HOL_STOPPED)
        return hol_fail(message, status, status == HOL_STOPPED ? "stopped" : "not enough memory to compare");
    return status;
}

void hol_comparison_destroy(HolComparison *comparison)
{
    if (comparison)
        hol_arena_destroy(((HolStudy *)comparison)->arena);
}
