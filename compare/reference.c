/* SPDX-License-Identifier: BSD-3-Clause */
/* The reference that errors are measured against: a run with tight error control. A second, coarser run estimates its
 * error; known values, if there are any, check it. For stiff models see implicit_reference.c. */
#include <holon/number.h>

#include "study.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_STEPS = 1000 }; /* of a reference: error control alone may step over a short event */
#define METHOD "direct-correction with dopri5"

HolStatus hol_study_open_explicit(const HolStudy *s, const char *tolerance, HolSimulation **simulation,
                                  HolMessage *message)
{
    char longest[40];
    HolInitialState start = hol_mechanism_initial_state(s->mechanism);
    hol_format(longest, sizeof longest, "%.17g", (s->result.until - start.t) / LEAST_STEPS);
    const HolSetting settings[] = {
        {"integrator.tolerance", tolerance}, {"integrator.absolute", tolerance}, {"integrator.max_step", longest}};
    HolSimulationOptions options = hol_mechanism_options(s->mechanism);
    hol_mechanism_choose_formulation(s->mechanism, "direct-correction", &options);
    options.integrator = "dopri5";
    options.settings = settings;
    options.setting_count = 3;
    return hol_simulation_create(hol_mechanism_system(s->mechanism), &start, &options, simulation, message);
}

static HolStatus reference_run(HolStudy *s, const char *tolerance, const HolSamples *times, HolSamples *samples,
                               HolMessage *message)
{
    HolSimulation *simulation;
    HOL_TRY(hol_study_announce(s, "the reference"));
    HOL_TRY(hol_samples_create(&s->pool, &s->sampler, times->count, samples));
    HOL_TRY(hol_study_open_explicit(s, tolerance, &simulation, message));
    HolStatus status = hol_sampler_follow(&s->sampler, simulation, times->t, times->count, samples);
    if (status != HOL_OK)
        hol_fail(message, status, "%s", hol_simulation_message(simulation));
    s->reference_work = fmax(s->reference_work, hol_work_done(simulation, s->sampler.nq));
    hol_simulation_destroy(simulation);
    return status;
}

/* Removes times that differ only by rounding; the last one stays. */
static void drop_repeated(double *t, int *count, double rounding)
{
    int kept = 0;
    for (int i = 0; i < *count; ++i)
        if (i + 1 == *count || t[i + 1] - t[i] > rounding)
            t[kept++] = t[i];
    *count = kept;
}

/* The times at which errors are taken: the initial time and all samples of runs that finished, or equally spaced ones
 * if there is no such run. */
static HolStatus gather_times(HolStudy *s, HolSamples *times)
{
    double start = hol_mechanism_initial_state(s->mechanism).t, span = s->result.until - start;
    int room = HOL_STUDY_SAMPLES + 1, count = 0;
    for (int i = 0; i < s->entry_count; ++i)
        room += s->entries[i].samples.count;
    double *t = hol_pool_doubles(&s->pool, (size_t)room);
    if (!t)
        return HOL_NO_MEMORY;
    t[count++] = start;
    for (int i = 0; i < s->entry_count; ++i)
        for (int k = 0; s->entries[i].record.status == HOL_OK && k < s->entries[i].samples.count; ++k)
            t[count++] = s->entries[i].samples.t[k];
    for (int k = 1; count == 1 && k <= HOL_STUDY_SAMPLES; ++k)
        t[k] = k < HOL_STUDY_SAMPLES ? start + k * span / HOL_STUDY_SAMPLES : s->result.until;
    count = count == 1 ? HOL_STUDY_SAMPLES + 1 : count;
    hol_study_sort(t, count);
    drop_repeated(t, &count, 8 * DBL_EPSILON * fmax(fabs(start), fabs(s->result.until)));
    t[0] = start;
    *times = (HolSamples){.t = t, .count = count};
    return HOL_OK;
}

typedef struct Row {
    double t, value;
    char quantity[64];
} Row;

static bool parse_number(const char *text, size_t length, double *value)
{
    char word[40];
    if (length == 0 || length >= sizeof word)
        return false;
    memcpy(word, text, length);
    word[length] = '\0';
    return hol_quantity_parse(word, "1", value, NULL) == HOL_OK;
}

/* t,quantity,value,fixed,tight: the last two are tolerances, "-" where a value is not to be compared. */
static bool parse_row(const char *line, size_t length, Row *row)
{
    const char *part[5] = {line};
    size_t size[5] = {0};
    int count = 1;
    for (size_t i = 0; i < length; ++i) {
        if (line[i] != ',')
            ++size[count - 1];
        else if (count == 5)
            return false;
        else
            part[count++] = line + i + 1;
    }
    if (count < 3 || size[1] >= sizeof row->quantity || (count == 5 && part[4][0] == '-'))
        return false;
    hol_format(row->quantity, sizeof row->quantity, "%.*s", (int)size[1], part[1]);
    return parse_number(part[0], size[0], &row->t) && parse_number(part[2], size[2], &row->value);
}

/* Reads the next row of the unmodified model. Returns the text after it, or NULL if there is none. */
static const char *next_row(const char *text, Row *row)
{
    while (*text) {
        size_t length = strcspn(text, "\r\n");
        const char *line = text;
        text += length;
        text += strspn(text, "\r\n");
        if (strncmp(line, "# set:", 6) == 0 || strncmp(line, "# variant:", 10) == 0)
            return NULL;
        if (line[0] != '#' && parse_row(line, length, row))
            return text;
    }
    return NULL;
}

/* Whether it is a position, such as "crank.x" or "rod.e0". */
static bool is_position(const char *quantity)
{
    static const char *const ends[] = {".x", ".y", ".z", ".phi", ".e0", ".e1", ".e2", ".e3"};
    const char *end = strrchr(quantity, '.');
    for (size_t i = 0; end && i < sizeof ends / sizeof *ends; ++i)
        if (strcmp(end, ends[i]) == 0)
            return true;
    return false;
}

/* The first known time after t, or infinity. */
static double next_time(const char *known, double t)
{
    Row row;
    double next = HUGE_VAL;
    for (const char *at = known; (at = next_row(at, &row));)
        if (is_position(row.quantity) && row.t > t && row.t < next)
            next = row.t;
    return next;
}

/* Whether it belongs to a body, not to a point. */
static bool is_coordinate(const HolMechanism *mechanism, const char *quantity)
{
    size_t length = (size_t)(strrchr(quantity, '.') - quantity);
    for (int i = 0; i < hol_mechanism_body_count(mechanism); ++i) {
        const char *body = hol_mechanism_body(mechanism, i);
        if (strlen(body) == length && strncmp(body, quantity, length) == 0)
            return true;
    }
    return false;
}

static void compare_at(HolStudy *s, const HolRecorder *recorder, const double *values, double t)
{
    Row row;
    s->known_coordinates = 0;
    for (const char *at = s->options->known; (at = next_row(at, &row));) {
        int column = row.t == t && is_position(row.quantity) ? hol_recorder_find(recorder, row.quantity) : -1;
        if (column < 0)
            continue;
        s->result.known_error = fmax(s->result.known_error, fabs(values[column] - row.value));
        ++s->result.known_count;
        s->known_coordinates += is_coordinate(s->mechanism, row.quantity);
    }
}

static HolStatus follow_known(HolStudy *s, HolSimulation *simulation, HolRecorder *recorder, double *values)
{
    double t = hol_simulation_state(simulation)->t;
    while ((t = next_time(s->options->known, t)) <= s->result.until) {
        HolRun run = {.until = t, .progress = hol_study_after_step, .user = (void *)(size_t)s->options};
        HOL_TRY(hol_simulation_run(simulation, &run));
        HolMeasures measures = hol_simulation_measures(simulation);
        HOL_TRY(hol_recorder_read(recorder, hol_simulation_state(simulation), &measures, values));
        compare_at(s, recorder, values, t);
        s->result.known_until = t;
    }
    return HOL_OK;
}

static HolStatus check_known(HolStudy *s)
{
    HolSimulation *simulation = NULL;
    HolRecorder *recorder = NULL;
    double *values = NULL;
    HolMessage message;
    HOL_TRY(hol_study_announce(s, "the reference, against known values"));
    HolStatus status = hol_study_open_explicit(s, "1e-12", &simulation, &message);
    if (status == HOL_OK)
        status = hol_recorder_create(s->mechanism, (const char *[]){"all"}, 1, &recorder, &message);
    if (status == HOL_OK) {
        values = calloc((size_t)hol_recorder_column_count(recorder), sizeof *values);
        status = values ? follow_known(s, simulation, recorder, values) : HOL_NO_MEMORY;
    }
    free(values);
    hol_recorder_destroy(recorder);
    hol_simulation_destroy(simulation);
    return status;
}

static HolStatus reference_end_of(HolStatus status)
{
    return status == HOL_NO_MEMORY || status == HOL_STOPPED ? status : HOL_OK;
}

/* Removes every other time. Where close times and not the tolerance shorten the steps, the second run then has longer
 * ones too. */
static const HolSamples *every_other(HolSamples *times)
{
    int count = 0;
    for (int i = 0; i < times->count; ++i)
        if (i % 2 == 0 || i == times->count - 1)
            times->t[count++] = times->t[i];
    times->count = count;
    return times;
}

/* Known values of all coordinates at the end of the run replace an estimate that is larger. Values of some coordinates,
 * perhaps slow ones, say nothing about the others. */
static void reference_choose_error(HolStudy *s)
{
    HolComparison *c = &s->result;
    bool covers = c->known_until >= c->until && s->known_coordinates >= s->reference.nq;
    c->reference_error = covers ? fmin(c->estimated_error, c->known_error) : c->estimated_error;
}

/* Errors of the runs grow so much that neither is known. */
static void reference_refuse_sensitive(HolStudy *s)
{
    HolComparison *c = &s->result;
    hol_fail(&c->reference, HOL_OK,
             "none: the motion is too sensitive: runs with tolerances of 1e-12 and 1e-11 differ by %.1g, the motion "
             "being %.2g; compare a shorter time",
             c->estimated_error, hol_samples_range(&s->reference));
    s->is_sensitive = true;
    c->has_reference = false;
    c->estimated_error = NAN;
}

HolStatus hol_study_reference(HolStudy *s)
{
    HolMessage why = {{0}};
    HolSamples times, second;
    s->result.reference_error = s->result.estimated_error = s->result.known_error = NAN;
    HOL_TRY(gather_times(s, &times));
    if (s->result.is_stiff)
        return hol_study_implicit_reference(s, &times);
    HolStatus status = reference_run(s, "1e-12", &times, &s->reference, &why);
    if (status == HOL_OK)
        status = reference_run(s, "1e-11", every_other(&times), &second, &why);
    s->result.has_reference = status == HOL_OK;
    if (status != HOL_OK) {
        hol_fail(&s->result.reference, HOL_OK, "none: its run failed: %.400s", why.text);
        return reference_end_of(status);
    }
    s->result.estimated_error = hol_samples_position_difference(&second, &s->reference);
    hol_fail(&s->result.reference, HOL_OK, "%s", METHOD ", tolerance 1e-12");
    if (s->result.estimated_error > hol_study_gross(&s->reference))
        reference_refuse_sensitive(s);
    else
        status = hol_study_confirm(s, &times, "direct-correction", METHOD);
    if (status == HOL_OK && s->result.has_reference && s->options->known)
        status = reference_end_of(check_known(s));
    reference_choose_error(s);
    return status;
}
