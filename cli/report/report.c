/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/report.h"

#include <holon/holon.h>

#include "command.h"
#include "terminal/files.h"
#include "terminal/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

bool cli_report_rows(const char *text, long *rows)
{
    char *end;
    *rows = CLI_REPORT_ROWS;
    if (!text)
        return true;
    *rows = strtol(text, &end, 10);
    if (end != text && !*end && *rows >= 2 && *rows <= CLI_REPORT_MAX_ROWS)
        return true;
    cli_fail("--report-rows: '%s' is not a whole number from 2 to %d", text, CLI_REPORT_MAX_ROWS);
    return false;
}

/* Another ending is a mistake: the page would replace results or a scene. Devices and pipes need no ending. */
static bool has_ending(const char *path)
{
    struct stat there;
    const char *dot = strrchr(path, '.');
    return (dot && (strcasecmp(dot, ".html") == 0 || strcasecmp(dot, ".htm") == 0)) ||
           (stat(path, &there) == 0 && !S_ISREG(there.st_mode));
}

int cli_report_check(const char *option, const char *path)
{
    if (strcmp(path, "-") == 0)
        return cli_fail("%s needs a file name, as in %s report.html", option, option);
    if (!has_ending(path))
        return cli_fail("%s writes HTML: '%s' must end in .html", option, path);
    int code = cli_page_check();
    return code == EXIT_DONE ? cli_file_check(path) : code;
}

typedef struct Names {
    char **items;
    int count;
} Names;

/* The name that selects a column which "all" leaves out; "" if "all" has it. */
static void source_of(const char *column, char *name, size_t size)
{
    const char *dot = strrchr(column, '.');
    int length = dot ? (int)(dot - column) : 0;
    name[0] = '\0';
    if (strcmp(column, "singular.sigma_min") == 0)
        snprintf(name, size, "singular");
    else if (dot && dot[1] == 'l')
        snprintf(name, size, "%.*s.local", length, column);
    else if (dot && memchr(column, '@', (size_t)length))
        snprintf(name, size, "%.*s", length, column);
}

static bool report_add_name(Names *names, const char *name)
{
    if (!*name || (names->count > 0 && strcmp(names->items[names->count - 1], name) == 0))
        return true;
    return (names->items[names->count] = strdup(name)) != NULL && ++names->count;
}

static bool report_list_names(const HolRecorder *also, Names *names)
{
    char name[400];
    int count = hol_recorder_column_count(also);
    names->items = calloc((size_t)count + 1, sizeof *names->items);
    bool good = names->items && report_add_name(names, "all");
    for (int i = 0; good && i < count; ++i) {
        source_of(hol_recorder_column(also, i), name, sizeof name);
        good = report_add_name(names, name);
    }
    return good;
}

static void free_names(Names *names)
{
    for (int i = 0; i < names->count; ++i)
        free(names->items[i]);
    free(names->items);
}

static bool report_begin_rows(CliReport *report, long rows)
{
    int count = hol_recorder_column_count(report->recorder);
    CliKeep *keep = calloc((size_t)count, sizeof *keep);
    report->columns = calloc((size_t)count, sizeof *report->columns);
    bool good = keep && report->columns;
    for (int i = 0; good && i < count; ++i) {
        report->columns[i] = hol_recorder_column(report->recorder, i);
        keep[i] = cli_column_keep(report->columns[i]);
    }
    report->names = (CliNames){.names = report->columns, .count = count};
    good = good && cli_thin_begin(&report->thin, keep, count, rows) && cli_names_sort(&report->names);
    free(keep);
    return good;
}

int cli_report_begin(const HolMechanism *mechanism, const HolRecorder *also, long rows, CliReport *report)
{
    HolMessage message;
    Names names = {0};
    *report = (CliReport){.last = -HUGE_VAL};
    bool good = report_list_names(also, &names) && hol_scene_create(mechanism, &report->scene) == HOL_OK;
    HolStatus status = good ? hol_recorder_create(mechanism, (const char *const *)names.items, names.count,
                                                  &report->recorder, &message)
                            : HOL_NO_MEMORY;
    free_names(&names);
    if (status != HOL_OK && status != HOL_NO_MEMORY)
        return cli_fail("%s", message.text);
    if (status != HOL_OK || !report_begin_rows(report, rows))
        return cli_fail("not enough memory for a report of %ld rows", rows);
    report->energy = hol_recorder_find(report->recorder, "energy.kinetic");
    report->violation = hol_recorder_find(report->recorder, "violation.position");
    report->singular = hol_recorder_find(report->recorder, "singular.sigma_min");
    return EXIT_DONE;
}

void cli_report_free(CliReport *report)
{
    hol_recorder_destroy(report->recorder);
    hol_scene_destroy(report->scene);
    cli_names_free(&report->names);
    cli_thin_free(&report->thin);
    free(report->columns);
}

static void merge(CliReport *report, const HolMeasures *measures)
{
    cli_thin_merge(&report->thin, report->energy + 3, measures->drift);
    cli_thin_merge(&report->thin, report->violation, measures->position);
    cli_thin_merge(&report->thin, report->violation + 1, measures->velocity);
    if (report->singular >= 0)
        cli_thin_merge(&report->thin, report->singular, measures->sigma_min);
}

HolStatus cli_report_record(CliReport *report, const HolState *state, const HolMeasures *measures)
{
    double *row = cli_thin_next(&report->thin);
    if (row) {
        report->last = state->t;
        return hol_recorder_read(report->recorder, state, measures, row);
    }
    merge(report, measures);
    return HOL_OK;
}

void cli_report_end(CliReport *report, const HolSimulation *simulation)
{
    const HolState *state = hol_simulation_state(simulation);
    HolMeasures measures = hol_simulation_measures(simulation);
    if (state->t > report->last) {
        double *row = cli_thin_last(&report->thin);
        if (hol_recorder_read(report->recorder, state, &measures, row) != HOL_OK)
            --report->thin.row_count;
    }
    cli_thin_finish(&report->thin);
}

void cli_report_format(CliJson *json, const char *kind)
{
    cli_json_whole(json, "format", 1);
    cli_json_text(json, "kind", kind);
    cli_json_text(json, "holon", HOL_VERSION);
}

void cli_run_members(const CliRunMembers *m, CliJson *json)
{
    const char *title = hol_model_title(m->model);
    cli_json_text(json, "title", *title ? title : hol_model_name(m->model));
    cli_json_text(json, "model", hol_model_name(m->model));
    cli_json_object(json, "summary");
    if (m->outcome) {
        cli_summary_members(m->outcome->summary, json);
        cli_realtime_member(m->pace, json);
    }
    cli_json_end(json);
    if (m->outcome) {
        cli_verdicts(m->outcome, json);
        cli_events(m->outcome, json);
    } else {
        cli_json_array(json, "verdicts");
        cli_verdict(json, "bad", "The run that wrote these results did not finish.");
        cli_json_end(json);
        cli_json_array(json, "events");
        cli_json_end(json);
    }
    cli_scene_members(m->scene, m->diagnosis, m->names, m->first, json);
}

static void report_write_columns(const CliNames *names, CliJson *json)
{
    cli_columns_begin(json);
    for (int i = 0; i < names->count; ++i)
        cli_columns_add(json, names->names[i], -1);
    cli_json_end(json);
}

int cli_report_write(const CliReport *report, const char *path, const HolModel *model, const HolDiagnosis *diagnosis,
                     const CliOutcome *outcome, const CliPace *pace)
{
    CliRunMembers members = {.model = model,
                             .scene = report->scene,
                             .diagnosis = diagnosis,
                             .outcome = outcome,
                             .pace = pace,
                             .names = &report->names};
    char *header = NULL;
    size_t size = 0;
    int count = report->thin.column_count, code = EXIT_EARLY;
    CliColumn *columns = calloc((size_t)count, sizeof *columns);
    FILE *memory = hol_text_open(&header, &size);
    CliJson json = cli_json_begin(memory);
    if (memory) {
        cli_json_object(&json, NULL);
        cli_report_format(&json, "run");
        cli_json_whole(&json, "rows", report->thin.row_count);
        cli_json_whole(&json, "recorded_rows", report->thin.seen);
        report_write_columns(&report->names, &json);
        cli_run_members(&members, &json);
        cli_json_end(&json);
    }
    for (int i = 0; columns && i < count; ++i)
        columns[i] = (CliColumn){&report->thin, i, cli_column_is_double(report->columns[i])};
    if (hol_text_close(memory, &header) && columns && !json.failed)
        code = cli_page_write(path, header, columns, count);
    else
        cli_fail("not enough memory to write '%s'", path);
    free(columns);
    free(header);
    return code;
}

char *cli_scene_text(const CliRunMembers *members)
{
    char *text = NULL;
    size_t size = 0;
    FILE *memory = hol_text_open(&text, &size);
    if (!memory)
        return NULL;
    CliJson json = cli_json_begin(memory);
    cli_json_object(&json, NULL);
    cli_report_format(&json, "run");
    report_write_columns(members->names, &json);
    cli_run_members(members, &json);
    cli_json_end(&json);
    if (hol_text_close(memory, &text) && !json.failed)
        return text;
    free(text);
    return NULL;
}
