/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/checkpoint_parts.h"

#include <string.h>

void cli_checkpoint_seal(CliBytes *bytes, bool is_complete)
{
    const int64_t header[] = {CLI_CHECKPOINT_VERSION, (int64_t)bytes->size, is_complete};
    memcpy(bytes->items, CLI_CHECKPOINT_MAGIC, sizeof CLI_CHECKPOINT_MAGIC);
    memcpy(bytes->items + sizeof CLI_CHECKPOINT_MAGIC, header, sizeof header);
    memset(bytes->items + CLI_CHECKPOINT_HEADER - sizeof(uint64_t), 0, sizeof(uint64_t));
    const uint64_t hash = cli_bytes_hash(bytes->items, bytes->size);
    memcpy(bytes->items + CLI_CHECKPOINT_HEADER - sizeof hash, &hash, sizeof hash);
}

static void put_recorder(CliBytes *bytes, const HolRecorder *recorder)
{
    const size_t size = hol_recorder_save_size(recorder);
    cli_bytes_whole(bytes, (int64_t)size);
    void *place = cli_bytes_add(bytes, size);
    if (place && hol_recorder_save(recorder, place, size) != HOL_OK)
        bytes->failed = true;
}

/* The rows that are kept, and the last one where it was left out. */
static void put_report(CliBytes *bytes, const CliReport *report)
{
    const CliThin *thin = &report->thin;
    const size_t columns = (size_t)thin->column_count;
    put_recorder(bytes, report->recorder);
    cli_bytes_whole(bytes, thin->row_count);
    cli_bytes_whole(bytes, thin->seen);
    cli_bytes_whole(bytes, thin->stride);
    cli_bytes_whole(bytes, thin->has_end);
    cli_bytes_doubles(bytes, &report->last, 1);
    cli_bytes_doubles(bytes, thin->rows, (size_t)thin->row_count * columns);
    if (thin->has_end)
        cli_bytes_doubles(bytes, cli_thin_row(thin, 2 * thin->most), columns);
}

static void put_history(CliBytes *bytes, const HolHistory *history)
{
    cli_bytes_doubles(bytes, history->violation, HOL_HISTORY_INTERVALS);
    cli_bytes_doubles(bytes, history->drift, HOL_HISTORY_INTERVALS);
}

static void put_simulation(CliBytes *bytes, const HolSimulation *simulation)
{
    const size_t size = hol_simulation_save_size(simulation);
    cli_bytes_whole(bytes, (int64_t)size);
    void *place = cli_bytes_add(bytes, size);
    if (place && hol_simulation_save(simulation, place, size) != HOL_OK)
        bytes->failed = true;
}

/* By which the file of results is known again. */
static void put_last_row(CliBytes *bytes, const CliRecording *recording)
{
    const bool is_there = recording->results && hol_results_row_count(recording->results) > 0;
    cli_bytes_whole(bytes, is_there ? recording->names.count : 0);
    if (is_there)
        cli_bytes_doubles(bytes, recording->values, (size_t)recording->names.count);
}

void cli_checkpoint_put_parts(CliBytes *bytes, const CliRunParts *parts)
{
    const CliRecording *recording = parts->recording;
    const double numbers[] = {hol_simulation_state(parts->simulation)->t, parts->run->until, parts->run->every,
                              parts->interval};
    const unsigned long long model = parts->model;
    cli_bytes_doubles(bytes, numbers, sizeof numbers / sizeof *numbers);
    cli_bytes_whole(bytes, (int64_t)(model >> 1));
    cli_bytes_whole(bytes, (int64_t)(model & 1));
    cli_bytes_whole(bytes, recording->results ? hol_results_row_count(recording->results) : -1);
    put_last_row(bytes, recording);
    cli_bytes_whole(bytes, recording->has_report);
    put_recorder(bytes, recording->recorder);
    if (recording->has_report)
        put_report(bytes, &recording->report);
    put_history(bytes, parts->history);
    put_simulation(bytes, parts->simulation);
}
