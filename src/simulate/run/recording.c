/* SPDX-License-Identifier: BSD-3-Clause */
/* A whole run of a model, its records kept in memory. */
#include <holon/argument.h>
#include <holon/recording.h>

#include "base/message.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is handed out: the public part first. */
typedef struct Recording {
    HolRecording shown;
    HolMechanism *mechanism;
    HolSimulation *simulation;
    HolRecorder *recorder;
    const char **columns;
    double *values;
    int capacity; /* rows */
} Recording;

static HolStatus recording_make_room(Recording *r)
{
    if (r->shown.row_count < r->capacity)
        return HOL_OK;
    int capacity = r->capacity > 0 ? 2 * r->capacity : 256;
    double *values = realloc(r->values, (size_t)capacity * (size_t)r->shown.column_count * sizeof *values);
    if (!values)
        return HOL_NO_MEMORY;
    r->shown.values = r->values = values;
    r->capacity = capacity;
    return HOL_OK;
}

static HolStatus recording_add(void *user, const HolState *state, const HolMeasures *measures)
{
    Recording *r = user;
    HOL_TRY(recording_make_room(r));
    double *row = r->values + (size_t)r->shown.row_count * (size_t)r->shown.column_count;
    HOL_TRY(hol_recorder_read(r->recorder, state, measures, row));
    ++r->shown.row_count;
    return HOL_OK;
}

static HolStatus recording_list_columns(Recording *r)
{
    r->shown.column_count = hol_recorder_column_count(r->recorder);
    r->columns = calloc((size_t)r->shown.column_count + 1, sizeof *r->columns);
    if (!r->columns)
        return HOL_NO_MEMORY;
    for (int i = 0; i < r->shown.column_count; ++i)
        r->columns[i] = hol_recorder_column(r->recorder, i);
    r->shown.columns = r->columns;
    return HOL_OK;
}

static HolStatus recording_compile(Recording *r, HolModel *model, HolMessage *message)
{
    HolStatus status = hol_mechanism_create(model, &r->mechanism);
    if (status == HOL_OK)
        status = hol_mechanism_check_jumps(r->mechanism, model);
    if (status != HOL_OK)
        return hol_fail(message, status, "%s",
                        hol_model_error_count(model) > 0 ? hol_model_error(model, 0) : hol_status_cause(status));
    return hol_mechanism_assemble(r->mechanism, message);
}

static HolStatus recording_prepare(Recording *r, const char *const *record, int record_count, HolMessage *message)
{
    HolInitialState start = hol_mechanism_initial_state(r->mechanism);
    HolSimulationOptions options = hol_mechanism_options(r->mechanism);
    HOL_TRY(hol_simulation_create(hol_mechanism_system(r->mechanism), &start, &options, &r->simulation, message));
    HOL_TRY(hol_recorder_create(r->mechanism, record, record_count, &r->recorder, message));
    return recording_list_columns(r);
}

static HolStatus recording_run(Recording *r, HolMessage *message)
{
    HolRun run = {.until = hol_mechanism_until(r->mechanism),
                  .every = hol_mechanism_every(r->mechanism),
                  .singular = hol_recorder_find(r->recorder, "singular.sigma_min") >= 0,
                  .record = recording_add,
                  .user = r};
    HolStatus status = hol_simulation_run(r->simulation, &run);
    r->shown.summary = hol_simulation_summary(r->simulation);
    return status == HOL_OK ? HOL_OK : hol_fail(message, status, "%s", hol_simulation_message(r->simulation));
}

HolStatus hol_model_run(HolModel *model, const char *const *record, int record_count, HolRecording **recording,
                        HolMessage *message)
{
    HOL_TRY(HOL_CHECK_POINTER(message, recording));
    *recording = NULL;
    HOL_TRY(HOL_CHECK_POINTER(message, model));
    if (record)
        HOL_TRY(hol_argument_names(message, __func__, "record", record, record_count));
    Recording *r = calloc(1, sizeof *r);
    if (!r)
        return hol_fail(message, HOL_NO_MEMORY, "not enough memory for a recording");
    HolStatus status = recording_compile(r, model, message);
    if (status == HOL_OK)
        status = recording_prepare(r, record, record_count, message);
    if (status != HOL_OK) {
        hol_recording_destroy(&r->shown);
        return status;
    }
    *recording = &r->shown;
    return recording_run(r, message);
}

void hol_recording_destroy(HolRecording *recording)
{
    Recording *r = (Recording *)recording;
    if (!r)
        return;
    hol_recorder_destroy(r->recorder);
    hol_simulation_destroy(r->simulation);
    hol_mechanism_destroy(r->mechanism);
    free(r->columns);
    free(r->values);
    free(r);
}

int hol_recording_find(const HolRecording *recording, const char *column)
{
    for (int i = 0; recording && column && i < recording->column_count; ++i)
        if (strcmp(recording->columns[i], column) == 0)
            return i;
    return -1;
}

double hol_recording_value(const HolRecording *recording, int row, const char *column)
{
    int i = hol_recording_find(recording, column);
    int k = recording && row == -1 ? recording->row_count - 1 : row;
    if (i < 0 || k < 0 || k >= recording->row_count)
        return NAN;
    return recording->values[(size_t)k * (size_t)recording->column_count + (size_t)i];
}
