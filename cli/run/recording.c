/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/recording.h"

#include "command.h"
#include "terminal/files.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Splits "crank, pin_A.reaction" in place. */
static int recording_split(char *list, const char **names)
{
    int count = 0;
    char *rest = NULL;
    for (char *name = strtok_r(list, ", \t", &rest); name; name = strtok_r(NULL, ", \t", &rest))
        names[count++] = name;
    return count;
}

int cli_recording_choose(CliRecording *recording, const HolModel *model, const HolMechanism *mechanism,
                         const char *list)
{
    HolMessage message;
    char *copy = list ? strdup(list) : NULL;
    const char **names = list ? calloc(strlen(list) + 1, sizeof *names) : NULL;
    recording->model = model;
    if (list && (!copy || !names)) {
        free(copy);
        free(names);
        return cli_fail("not enough memory");
    }
    int count = copy ? recording_split(copy, names) : 0;
    HolStatus status = hol_recorder_create(mechanism, names, count, &recording->recorder, &message);
    free(copy);
    free(names);
    return status == HOL_OK ? EXIT_DONE : cli_fail("%s", message.text);
}

static bool recording_list_columns(CliRecording *r)
{
    int count = hol_recorder_column_count(r->recorder);
    r->columns = calloc((size_t)count, sizeof *r->columns);
    r->values = calloc((size_t)count, sizeof *r->values);
    for (int i = 0; r->columns && i < count; ++i)
        r->columns[i] = hol_recorder_column(r->recorder, i);
    r->names = (CliNames){.names = r->columns, .count = count};
    return r->columns && r->values && cli_names_sort(&r->names);
}

enum { NEW = -1 }; /* file of results */

static int recording_open_results(CliRecording *r, const HolMechanism *mechanism, const char *output, long rows)
{
    HolMessage message;
    if (hol_scene_create(mechanism, &r->scene) != HOL_OK)
        return cli_fail("not enough memory");
    HolStatus status = rows == NEW
                           ? hol_results_create(output, r->columns, r->names.count, &r->results, &message)
                           : hol_results_continue(output, r->columns, r->names.count, rows, &r->results, &message);
    if (status != HOL_OK)
        return cli_fail("%s", message.text);
    cli_recording_attach(r, NULL, NULL);
    return EXIT_DONE;
}

static bool is_same_row(const double *a, const double *b, int count)
{
    for (int i = 0; i < count; ++i)
        if (a[i] != b[i] && !(isnan(a[i]) && isnan(b[i])))
            return false;
    return true;
}

/* Reads that row into the values. Other columns, or too few rows, are for hol_results_continue() to report. */
static HolStatus recording_read_row(CliRecording *r, HolResultsReader *reader, long rows, HolMessage *message)
{
    bool more = hol_results_column_count(reader) == r->names.count;
    HolStatus status = HOL_OK;
    for (long i = 0; i < rows && more && status == HOL_OK; ++i)
        status = hol_results_next(reader, r->values, &more, message);
    return status;
}

/* Results of another run may have the same columns. */
static int recording_check_row(CliRecording *r, const char *output, long rows, const double *last_row)
{
    HolMessage message;
    HolResultsReader *reader = NULL;
    HolStatus status = hol_results_open(output, &reader, &message);
    memcpy(r->values, last_row, (size_t)r->names.count * sizeof *r->values);
    if (status == HOL_OK)
        status = recording_read_row(r, reader, rows, &message);
    hol_results_close(reader);
    if (status != HOL_OK)
        return cli_fail("%s", message.text);
    if (is_same_row(r->values, last_row, r->names.count))
        return EXIT_DONE;
    return cli_fail("'%s' cannot be continued: its row %ld is not the one that the run had written before the "
                    "checkpoint; put the file back, or begin the run again",
                    output, rows);
}

int cli_recording_continue(CliRecording *recording, const HolMechanism *mechanism, const char *output, long rows,
                           const double *last_row)
{
    if (rows < 0)
        return cli_fail("the checkpoint knows of no results, but the run writes '%s'", output);
    if (!recording_list_columns(recording))
        return cli_fail("not enough memory");
    int code = rows > 0 ? recording_check_row(recording, output, rows, last_row) : EXIT_DONE;
    return code == EXIT_DONE ? recording_open_results(recording, mechanism, output, rows) : code;
}

int cli_recording_open(CliRecording *recording, const HolMechanism *mechanism, const char *output, long report_rows)
{
    int code = EXIT_DONE;
    recording->has_report = report_rows > 0;
    recording->is_stream = output && cli_file_is_stream(output);
    if (report_rows > 0)
        code = cli_report_begin(mechanism, recording->recorder, report_rows, &recording->report);
    if (!output || code != EXIT_DONE)
        return code;
    return recording_list_columns(recording) ? recording_open_results(recording, mechanism, output, NEW)
                                             : cli_fail("not enough memory");
}

void cli_recording_free(CliRecording *recording)
{
    cli_report_free(&recording->report);
    hol_results_discard(recording->results);
    hol_recorder_destroy(recording->recorder);
    hol_scene_destroy(recording->scene);
    cli_names_free(&recording->names);
    free(recording->columns);
    free(recording->values);
}

HolStatus cli_recording_add(CliRecording *recording, const HolState *state, const HolMeasures *measures)
{
    HolStatus status = HOL_OK;
    if (recording->has_report)
        status = cli_report_record(&recording->report, state, measures);
    if (status != HOL_OK || !recording->results)
        return status;
    status = hol_recorder_read(recording->recorder, state, measures, recording->values);
    return status == HOL_OK ? hol_results_add(recording->results, recording->values) : status;
}

void cli_recording_attach(CliRecording *recording, const CliOutcome *outcome, const CliPace *pace)
{
    HolMessage message = {{0}};
    CliRunMembers members = {.model = recording->model,
                             .scene = recording->scene,
                             .diagnosis = outcome ? outcome->summary->diagnosis : NULL,
                             .outcome = outcome,
                             .pace = pace,
                             .names = &recording->names};
    if (!recording->results || *hol_results_message(recording->results))
        return;
    char *text = cli_scene_text(&members);
    if (!text || hol_results_attach(recording->results, text, &message) != HOL_OK)
        fprintf(stderr, "warning: %s; 'holon view' will show the columns without the scene\n",
                text ? message.text : "not enough memory for the scene");
    free(text);
}
