/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples.h"

#include <math.h>
#include <string.h>

HolStatus hol_sampler_create(HolPool *pool, const HolMechanism *mechanism, const HolCompareOptions *options,
                             HolSampler *sampler)
{
    static const char *const names[] = {"reactions"};
    HolMessage message;
    *sampler = (HolSampler){.options = options, .nq = hol_system_pattern(hol_mechanism_system(mechanism))->nq};
    HOL_TRY(hol_recorder_create(mechanism, names, 1, &sampler->recorder, &message));
    sampler->reaction_count = hol_recorder_column_count(sampler->recorder) - 1;
    sampler->row = hol_pool_doubles(pool, (size_t)sampler->reaction_count + 1);
    if (!sampler->row)
        return HOL_NO_MEMORY;
    return hol_unresolved_create(pool, hol_mechanism_system(mechanism), &sampler->unresolved);
}

void hol_sampler_clear(HolSampler *sampler)
{
    hol_recorder_destroy(sampler->recorder);
    sampler->recorder = NULL;
    hol_unresolved_clear(&sampler->unresolved);
}

HolStatus hol_samples_create(HolPool *pool, const HolSampler *sampler, int room, HolSamples *samples)
{
    *samples = (HolSamples){.room = room, .nq = sampler->nq, .reaction_count = sampler->reaction_count};
    samples->t = hol_pool_doubles(pool, (size_t)room);
    samples->q = hol_pool_doubles(pool, (size_t)room * (size_t)samples->nq);
    samples->reactions = hol_pool_doubles(pool, (size_t)room * (size_t)samples->reaction_count + 1);
    return samples->t && samples->q && samples->reactions ? HOL_OK : HOL_NO_MEMORY;
}

static HolStatus samples_keep(HolSampler *sampler, const HolState *state, const HolMeasures *measures)
{
    HolSamples *s = sampler->samples;
    if (s->count == s->room)
        return HOL_OK;
    HOL_TRY(hol_recorder_read(sampler->recorder, state, measures, sampler->row));
    s->t[s->count] = state->t;
    memcpy(s->q + (size_t)s->count * (size_t)s->nq, state->q, (size_t)s->nq * sizeof *s->q);
    memcpy(s->reactions + (size_t)s->count * (size_t)s->reaction_count, sampler->row + 1,
           (size_t)s->reaction_count * sizeof *s->reactions);
    s->kinetic = fmax(s->kinetic, measures->kinetic);
    ++s->count;
    return HOL_OK;
}

static double time_of(const HolSampler *sampler, int index)
{
    int last = sampler->samples->room - 1;
    return index >= last ? sampler->until : sampler->start + index * (sampler->until - sampler->start) / last;
}

/* Called at every step. The steps of two methods end at the same times but for rounding. */
static HolStatus samples_take(void *user, const HolState *state, const HolMeasures *measures)
{
    HolSampler *sampler = user;
    const HolCompareOptions *options = sampler->options;
    if (options->observe && sampler->record >= 0)
        options->observe(options->user, sampler->record, state->t, measures);
    double rounding = HOL_COMPARE_SAME_TIME * (sampler->until - sampler->start);
    bool is_due = false;
    while (sampler->due < sampler->samples->room && state->t >= time_of(sampler, sampler->due) - rounding) {
        ++sampler->due;
        is_due = true;
    }
    return is_due ? samples_keep(sampler, state, measures) : HOL_OK;
}

double hol_work_done(const HolSimulation *simulation, int nq)
{
    return (double)hol_simulation_summary(simulation).evaluations * nq;
}

double hol_work_expected(const HolSimulation *simulation, int nq, double start, double until)
{
    double done = hol_work_done(simulation, nq);
    return done < HOL_LEAST_WORK ? 0 : done * (until - start) / (hol_simulation_state(simulation)->t - start);
}

static HolStatus samples_after_step(void *user, double t)
{
    HolSampler *sampler = user;
    if (sampler->work_limit > 0 &&
        hol_work_expected(sampler->simulation, sampler->nq, sampler->start, sampler->until) > sampler->work_limit)
        return HOL_GIVEN_UP;
    if (sampler->history) {
        HolMeasures measures = hol_simulation_measures(sampler->simulation);
        hol_history_add(sampler->history, t, &measures);
    }
    return sampler->options->after_step ? sampler->options->after_step(sampler->options->user) : HOL_OK;
}

static void samples_begin(HolSampler *sampler, const HolSimulation *simulation, HolSamples *samples,
                          HolHistory *history)
{
    sampler->simulation = simulation;
    sampler->samples = samples;
    sampler->history = history;
    sampler->start = hol_simulation_state(simulation)->t;
    sampler->due = 0;
    samples->count = 0;
    samples->kinetic = 0;
}

HolStatus hol_sampler_run(HolSampler *sampler, HolSimulation *simulation, double until, HolSamples *samples,
                          HolHistory *history)
{
    samples_begin(sampler, simulation, samples, history);
    sampler->until = until;
    if (history)
        *history = hol_history_begin(sampler->start, until);
    HolRun run = {.until = until, .record = samples_take, .progress = samples_after_step, .user = sampler};
    return hol_simulation_run(simulation, &run);
}

HolStatus hol_sampler_follow(HolSampler *sampler, HolSimulation *simulation, const double *times, int count,
                             HolSamples *samples)
{
    samples_begin(sampler, simulation, samples, NULL);
    for (int i = 0; i < count; ++i) {
        HolRun run = {.until = times[i], .progress = samples_after_step, .user = sampler};
        HOL_TRY(hol_simulation_run(simulation, &run));
        HolMeasures measures = hol_simulation_measures(simulation);
        HOL_TRY(samples_keep(sampler, hol_simulation_state(simulation), &measures));
    }
    return HOL_OK;
}

HolStatus hol_sampler_follow_ida(HolSampler *sampler, HolIda *ida, const double *times, int count, HolSamples *samples)
{
    const HolMeasures none = {0};
    sampler->samples = samples;
    samples->count = 0;
    samples->kinetic = 0;
    for (int i = 0; i < count; ++i) {
        HOL_TRY(hol_ida_run(ida, times[i]));
        HOL_TRY(samples_keep(sampler, hol_ida_state(ida), &none));
    }
    return HOL_OK;
}

HolStatus hol_sampler_divide(HolSampler *sampler, HolSimulation *simulation, const HolSamples *times, const int *pieces,
                             HolSamples *samples)
{
    samples_begin(sampler, simulation, samples, NULL);
    sampler->until = times->t[times->count - 1];
    hol_unresolved_begin(&sampler->unresolved, hol_simulation_state(simulation));
    for (int i = 0; i < times->count; ++i) {
        double from = times->t[i > 0 ? i - 1 : 0], span = times->t[i] - from;
        for (int k = 1; i > 0 && k <= pieces[i]; ++k) {
            HolRun run = {.until = k < pieces[i] ? from + k * span / pieces[i] : times->t[i],
                          .progress = samples_after_step,
                          .user = sampler};
            HOL_TRY(hol_simulation_run(simulation, &run));
            HOL_TRY(hol_unresolved_add(&sampler->unresolved, hol_simulation_state(simulation)));
        }
        HolMeasures measures = hol_simulation_measures(simulation);
        HOL_TRY(samples_keep(sampler, hol_simulation_state(simulation), &measures));
    }
    samples->unresolved = sampler->unresolved.energy / (sampler->until - sampler->start);
    return HOL_OK;
}

/* The index of the time of b that is nearest to t, not before `from`. */
static int samples_nearest(const HolSamples *b, double t, int from)
{
    while (from + 1 < b->count && fabs(b->t[from + 1] - t) <= fabs(b->t[from] - t))
        ++from;
    return from;
}

double hol_samples_coordinate_difference(const HolSamples *a, const HolSamples *b, int k)
{
    double largest = 0;
    if (a->count == 0 || b->count == 0)
        return NAN;
    for (int i = 0, j = 0; i < a->count; ++i) {
        j = samples_nearest(b, a->t[i], j);
        largest = fmax(largest, fabs(a->q[i * a->nq + k] - b->q[j * b->nq + k]));
    }
    return largest;
}

double hol_samples_position_difference(const HolSamples *a, const HolSamples *b)
{
    double largest = a->count > 0 && b->count > 0 ? 0 : NAN;
    for (int k = 0; k < a->nq; ++k)
        largest = fmax(largest, hol_samples_coordinate_difference(a, b, k));
    return largest;
}

double hol_samples_reaction_difference(const HolSamples *a, const HolSamples *b, const bool *is_unique)
{
    double largest = NAN;
    int n = a->reaction_count;
    for (int i = 0, j = 0; b->count > 0 && i < a->count; ++i) {
        j = samples_nearest(b, a->t[i], j);
        for (int k = 0; k < n; ++k)
            if (is_unique[k])
                largest = fmax(largest, fabs(a->reactions[i * n + k] - b->reactions[j * n + k]));
    }
    return largest;
}

double hol_samples_range(const HolSamples *samples)
{
    double range = 0;
    for (int k = 0; k < samples->nq; ++k) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (int i = 0; i < samples->count; ++i) {
            low = fmin(low, samples->q[i * samples->nq + k]);
            high = fmax(high, samples->q[i * samples->nq + k]);
        }
        range = fmax(range, high - low);
    }
    return range;
}

double hol_samples_largest(const HolSamples *samples)
{
    double largest = 0;
    for (int i = 0; i < samples->count * samples->nq; ++i)
        largest = fmax(largest, fabs(samples->q[i]));
    return largest;
}
