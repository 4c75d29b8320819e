/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides whether the model is stiff, measures every combination once, makes the reference and takes times. */
#include <holon/argument.h>
#include <holon/number.h>

#include "study.h"
#include "unique_reactions.h"

#include <math.h>
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

HolStatus hol_study_after_step(void *user, double t)
{
    const HolCompareOptions *options = user;
    (void)t;
    return options->after_step ? options->after_step(options->user) : HOL_OK;
}

/* The model's options of a method apply to that method only. */
HolStatus hol_compare_open(const HolMechanism *mechanism, const HolCompareRecord *record, HolSimulation **simulation,
                           HolMessage *message)
{
    HOL_TRY(HOL_CHECK_POINTER(message, simulation));
    *simulation = NULL;
    HOL_TRY(HOL_CHECK_POINTER(message, mechanism));
    HOL_TRY(HOL_CHECK_POINTER(message, record));
    HOL_TRY(HOL_CHECK_POINTER(message, record->formulation));
    HOL_TRY(HOL_CHECK_POINTER(message, record->integrator));
    HolSimulationOptions model = hol_mechanism_options(mechanism), options = model;
    HolSetting *settings = calloc((size_t)model.setting_count + 1, sizeof *settings);
    if (!settings)
        return hol_fail(message, HOL_NO_MEMORY, "not enough memory for a simulation");
    hol_mechanism_choose_formulation(mechanism, record->formulation, &options);
    options.integrator = record->integrator;
    options.step = record->step;
    options.choice = NULL; /* its methods are given */
    options.settings = settings;
    options.setting_count = 0;
    for (int i = 0; i < model.setting_count; ++i) {
        bool of_formulation = strncmp(model.settings[i].name, "formulation.", 12) == 0;
        if (strcmp(of_formulation ? model.formulation : model.integrator,
                   of_formulation ? record->formulation : record->integrator) == 0)
            settings[options.setting_count++] = model.settings[i];
    }
    HolInitialState start = hol_mechanism_initial_state(mechanism);
    HolStatus status = hol_simulation_create(hol_mechanism_system(mechanism), &start, &options, simulation, message);
    free(settings);
    return status;
}

static HolStatus run_record(HolStudy *s, HolEntry *entry, HolHistory *history)
{
    HolCompareRecord *r = &entry->record;
    HolSimulation *simulation;
    HOL_TRY(hol_compare_open(s->mechanism, r, &simulation, &r->message));
    HolStatus status = hol_sampler_run(&s->sampler, simulation, s->result.until, &entry->samples, history);
    r->summary = hol_simulation_summary(simulation);
    if (status == HOL_OK) {
        r->wall_s = r->summary.wall_s;
        r->processor_s = r->summary.processor_s;
    } else {
        hol_fail(&r->message, status, "%s", hol_simulation_message(simulation));
    }
    hol_simulation_destroy(simulation);
    return status;
}

/* One run with samples: everything but the time and the errors. */
static HolStatus compare_measure(HolStudy *s, HolEntry *entry)
{
    HolHistory *history = hol_pool_alloc(&s->pool, sizeof *history);
    if (!history)
        return HOL_NO_MEMORY;
    HOL_TRY(hol_samples_create(&s->pool, &s->sampler, HOL_STUDY_SAMPLES + 1, &entry->samples));
    *history = hol_history_begin(0, 1);
    entry->record.violation = history->violation;
    entry->record.drift = history->drift;
    s->sampler.work_limit = hol_study_work_limit(s, &entry->record);
    HolStatus status = entry->record.status = run_record(s, entry, history);
    s->sampler.work_limit = 0;
    hol_study_note_stiffness(s, &entry->record);
    return status == HOL_NO_MEMORY || status == HOL_STOPPED ? status : HOL_OK;
}

static HolStatus measure_all(HolStudy *s)
{
    char what[160];
    int shown = 0;
    for (int i = 0; i < s->entry_count; ++i) {
        HolCompareRecord *r = &s->entries[i].record;
        s->sampler.record = shown;
        shown += s->entries[i].shown;
        if (r->status != HOL_OK || !s->entries[i].shown)
            continue;
        hol_format(what, sizeof what, "%s with %s, step %g s", r->formulation, r->integrator, r->step);
        HOL_TRY(hol_study_announce(s, what));
        HOL_TRY(compare_measure(s, &s->entries[i]));
    }
    s->sampler.record = -1;
    return HOL_OK;
}

static HolStatus compare_errors(HolStudy *s)
{
    const bool *is_unique = NULL;
    if (s->result.has_reference)
        HOL_TRY(hol_unique_reactions(&s->pool, s->mechanism, &s->reference, &is_unique));
    if (s->result.has_reference && s->before.count > 0)
        s->result.reference_reaction_error = hol_samples_reaction_difference(&s->before, &s->reference, is_unique);
    for (HolEntry *e = s->entries; e < s->entries + s->entry_count; ++e) {
        e->record.verdict = HOL_VERDICT_BAD; /* of a run that has failed */
        if (!e->shown || e->record.status != HOL_OK)
            continue;
        HolScale scale = {NAN, e->samples.kinetic, NAN, NAN};
        if (s->result.has_reference) {
            e->record.position_error = hol_samples_position_difference(&e->samples, &s->reference);
            e->record.reaction_error = hol_samples_reaction_difference(&e->samples, &s->reference, is_unique);
            scale = (HolScale){hol_samples_range(&s->reference), s->reference.kinetic, s->result.reference_error,
                               hol_samples_largest(&s->reference)};
        }
        e->record.remark = hol_study_remark(&e->record, &scale);
        e->record.verdict = hol_study_verdict(&e->record, s->is_sensitive);
    }
    return HOL_OK;
}

/* The same methods with the next larger step, or NULL. */
static const HolCompareRecord *coarser(const HolStudy *s, const HolCompareRecord *r)
{
    const HolCompareRecord *best = NULL;
    for (int i = 0; i < s->entry_count; ++i) {
        const HolCompareRecord *o = &s->entries[i].record;
        if (hol_compare_same_methods(o, r) && o->step > r->step && (!best || o->step < best->step))
            best = o;
    }
    return best;
}

static void compare_orders(HolStudy *s)
{
    for (int i = 0; i < s->entry_count; ++i) {
        HolCompareRecord *r = &s->entries[i].record;
        const HolCompareRecord *before = coarser(s, r);
        r->order = before ? hol_study_order(before, r, s->result.reference_error) : NAN;
    }
}

static HolStatus compare_check(const HolMechanism *mechanism, const HolCompareOptions *o, HolMessage *message)
{
    static const char function[] = "hol_compare";
    HOL_TRY(hol_argument_pointer(message, function, "mechanism", mechanism));
    HOL_TRY(hol_argument_pointer(message, function, "options", o));
    if (o->rounds < 0 || o->rounds > HOL_COMPARE_MAX_ROUNDS)
        return hol_fail(message, HOL_BAD_INPUT, "rounds = %d must lie between 0 and %d", o->rounds,
                        HOL_COMPARE_MAX_ROUNDS);
    if ((o->formulations && o->formulation_count < 1) || (o->integrators && o->integrator_count < 1) ||
        (o->steps && o->step_count < 1))
        return hol_fail(message, HOL_BAD_INPUT, "hol_compare: a list of the options is empty");
    if (o->formulations)
        HOL_TRY(hol_argument_names(message, function, "formulations", o->formulations, o->formulation_count));
    if (o->integrators)
        HOL_TRY(hol_argument_names(message, function, "integrators", o->integrators, o->integrator_count));
    if (!(o->stiff_time_limit >= 0))
        return hol_fail(message, HOL_BAD_INPUT, "stiff_time_limit = %g must not be negative", o->stiff_time_limit);
    for (int i = 0; o->steps && i < o->step_count; ++i)
        if (!(o->steps[i] > 0) || !isfinite(o->steps[i]))
            return hol_fail(message, HOL_BAD_INPUT, "step %g must be positive and finite", o->steps[i]);
    if (!isfinite(o->until) || o->until < 0)
        return hol_fail(message, HOL_BAD_INPUT, "until = %g must be positive and finite", o->until);
    return HOL_OK;
}

static int runs_to_do(const HolStudy *s)
{
    int runs = HOL_STUDY_CONFIRMATIONS + hol_compare_has_ida() +
               (s->result.is_stiff  ? HOL_STUDY_HALVINGS
                : s->options->known ? 3
                                    : 2);
    for (int i = 0; i < s->entry_count; ++i)
        if (s->entries[i].record.status == HOL_OK)
            runs += s->options->rounds + s->entries[i].shown;
    return runs;
}

/* Copies the records of listed entries into one array. */
static void list_results(HolStudy *s, HolCompareRecord *records)
{
    int count = 0;
    for (int i = 0; i < s->entry_count; ++i)
        if (s->entries[i].shown)
            records[count++] = s->entries[i].record;
    s->result.records = records;
}

static HolStatus study(HolStudy *s, HolMessage *message)
{
    s->result.until = s->options->until > 0 ? s->options->until : hol_mechanism_until(s->mechanism);
    s->result.sample_count = HOL_STUDY_SAMPLES;
    HOL_TRY(hol_study_list_combinations(s, message));
    s->times = hol_pool_alloc(&s->pool, (size_t)s->entry_count * (size_t)s->options->rounds * sizeof *s->times);
    HolCompareRecord *records = hol_pool_alloc(&s->pool, (size_t)s->result.count * sizeof *records);
    if (!s->times || !records)
        return HOL_NO_MEMORY;
    HOL_TRY(hol_sampler_create(&s->pool, s->mechanism, s->options, &s->sampler));
    s->result.reference_reaction_error = s->result.reference_step = s->result.second_difference = NAN;
    HOL_TRY(hol_study_probe(s));
    s->all = runs_to_do(s);
    HOL_TRY(measure_all(s));
    HOL_TRY(hol_study_reference(s));
    HOL_TRY(compare_errors(s));
    compare_orders(s);
    s->is_measured = true;
    HolStatus status = hol_study_timing(s);
    list_results(s, records);
    return status;
}

HolStatus hol_compare(const HolMechanism *mechanism, const HolCompareOptions *options, HolComparison **comparison,
                      HolMessage *message)
{
    HOL_TRY(HOL_CHECK_POINTER(message, comparison));
    *comparison = NULL;
    HOL_TRY(compare_check(mechanism, options, message));
    HolStudy *s = calloc(1, sizeof *s);
    if (!s)
        return hol_fail(message, HOL_NO_MEMORY, "not enough memory to compare");
    s->mechanism = mechanism;
    s->options = options;
    HolStatus status = study(s, message);
    hol_sampler_clear(&s->sampler);
    s->options = NULL;
    if (status == HOL_OK || (status == HOL_STOPPED && s->is_measured))
        *comparison = &s->result;
    else
        hol_comparison_destroy(&s->result);
    if (status == HOL_NO_MEMORY || status == HOL_STOPPED)
        return hol_fail(message, status, status == HOL_STOPPED ? "stopped" : "not enough memory to compare");
    return status;
}

void hol_comparison_destroy(HolComparison *comparison)
{
    if (!comparison)
        return;
    hol_pool_clear(&((HolStudy *)comparison)->pool);
    free(comparison);
}
