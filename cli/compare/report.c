/* SPDX-License-Identifier: BSD-3-Clause */
#include "compare/report.h"

#include "command.h"
#include "report/report.h"
#include "terminal/interrupt.h"
#include "terminal/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SERIES_ROWS = 500, SERIES_COLUMNS = 4 };
static const char *const series_columns[SERIES_COLUMNS] = {"t", "violation.position", "violation.velocity",
                                                           "energy.drift"};

static bool report_make_room(CliSeries *series, int record)
{
    if (record < series->count)
        return true;
    CliThin *larger = realloc(series->runs, (size_t)(record + 1) * sizeof *larger);
    if (!larger)
        return false;
    memset(larger + series->count, 0, (size_t)(record + 1 - series->count) * sizeof *larger);
    series->runs = larger;
    series->count = record + 1;
    return true;
}

void cli_series_add(CliSeries *series, int record, double t, const HolMeasures *measures)
{
    static const CliKeep keep[SERIES_COLUMNS] = {CLI_KEEP_NOTHING, CLI_KEEP_LARGEST, CLI_KEEP_LARGEST,
                                                 CLI_KEEP_LARGEST};
    const double row[SERIES_COLUMNS] = {t, measures->position, measures->velocity, measures->drift};
    if (!report_make_room(series, record))
        return;
    CliThin *run = &series->runs[record];
    if (!run->rows && !cli_thin_begin(run, keep, SERIES_COLUMNS, SERIES_ROWS))
        cli_thin_free(run);
    if (run->rows)
        cli_thin_add(run, row);
}

void cli_series_free(CliSeries *series)
{
    for (int i = 0; i < series->count; ++i)
        cli_thin_free(&series->runs[i]);
    free(series->runs);
}

/* The recommended record, or the first that finished; -1: none. */
static int record_to_show(const HolComparison *found, int best)
{
    for (int i = 0; best < 0 && i < found->count; ++i)
        if (found->records[i].status == HOL_OK)
            best = i;
    return best;
}

typedef struct Scene {
    CliReport report;
    HolSimulation *simulation;
    HolDiagnosis *diagnosis;
    CliSummary summary;
    bool is_there;
} Scene;

static HolStatus report_record(void *user, const HolState *state, const HolMeasures *measures)
{
    return cli_report_record(user, state, measures);
}

static HolStatus report_watch(void *user, double t)
{
    (void)user, (void)t;
    return cli_interrupted() ? HOL_STOPPED : HOL_OK;
}

static HolStatus run_again(Scene *scene, const CliComparison *c, const HolCompareRecord *r)
{
    HolMessage message;
    HolStatus status = hol_compare_open(c->mechanism, r, &scene->simulation, &message);
    if (status != HOL_OK)
        return status;
    HolRun run = {.until = c->found->until, .record = report_record, .progress = report_watch, .user = &scene->report};
    if (hol_compare_is_adaptive(r->integrator))
        run.every = c->found->until / 1000;
    return hol_simulation_run(scene->simulation, &run);
}

/* The report has no scene if this fails. */
static void make_scene(Scene *scene, const CliComparison *c, const HolCompareRecord *r, long rows)
{
    HolMessage message;
    HolRecorder *all = NULL;
    if (hol_recorder_create(c->mechanism, NULL, 0, &all, &message) != HOL_OK)
        return;
    bool begun = cli_report_begin(c->mechanism, all, rows, &scene->report) == EXIT_DONE;
    hol_recorder_destroy(all);
    if (!begun || run_again(scene, c, r) != HOL_OK)
        return;
    cli_report_end(&scene->report, scene->simulation);
    scene->summary = (CliSummary){.model = c->model,
                                  .mechanism = c->mechanism,
                                  .run = hol_simulation_summary(scene->simulation),
                                  .until = c->found->until,
                                  .unresolved_since = hol_recorder_unresolved_since(scene->report.recorder)};
    if (scene->summary.run.redundant_rows > 0)
        hol_mechanism_diagnose_run(c->mechanism, scene->simulation, &scene->diagnosis, NULL);
    scene->summary.diagnosis = scene->diagnosis;
    hol_simulation_findings(scene->simulation, &scene->summary.findings);
    scene->is_there = true;
}

static void free_scene(Scene *scene)
{
    cli_report_free(&scene->report);
    hol_simulation_destroy(scene->simulation);
    hol_diagnosis_destroy(scene->diagnosis);
}

static void write_scene(const Scene *scene, const CliComparison *c, int first, CliJson *json)
{
    CliOutcome outcome = {.summary = &scene->summary, .simulation = scene->simulation};
    CliRunMembers members = {.model = c->model,
                             .scene = scene->report.scene,
                             .diagnosis = scene->diagnosis,
                             .outcome = &outcome,
                             .names = &scene->report.names,
                             .first = first};
    cli_json_object(json, "scene");
    cli_report_format(json, "run");
    cli_json_whole(json, "rows", scene->report.thin.row_count);
    cli_json_whole(json, "recorded_rows", scene->report.thin.seen);
    cli_run_members(&members, json);
    cli_json_end(json);
}

typedef struct Columns {
    CliColumn *list;
    int count;
} Columns;

static void write_series(const CliComparison *c, const CliSeries *series, CliJson *json)
{
    char label[160];
    int column = 0;
    cli_json_array(json, "series");
    for (int i = 0; i < series->count && i < c->found->count; ++i) {
        const HolCompareRecord *r = &c->found->records[i];
        if (series->runs[i].row_count == 0)
            continue;
        if (hol_compare_is_adaptive(r->integrator))
            snprintf(label, sizeof label, "%s %s", r->formulation, r->integrator);
        else
            snprintf(label, sizeof label, "%s %s %g", r->formulation, r->integrator, r->step);
        cli_json_object(json, NULL);
        cli_json_text(json, "label", label);
        cli_json_whole(json, "record", i);
        cli_json_whole(json, "rows", series->runs[i].row_count);
        cli_json_whole(json, "column", column);
        cli_json_end(json);
        column += SERIES_COLUMNS;
    }
    cli_json_end(json);
}

/* Writes the columns of the series, then those of the motion. */
static void report_write_columns(const CliComparison *c, const CliSeries *series, const Scene *scene, Columns *columns,
                                 CliJson *json)
{
    cli_columns_begin(json);
    for (int i = 0; i < series->count && i < c->found->count; ++i)
        for (int k = 0; k < SERIES_COLUMNS && series->runs[i].row_count > 0; ++k) {
            cli_columns_add(json, series_columns[k], series->runs[i].row_count);
            columns->list[columns->count++] = (CliColumn){&series->runs[i], k, true};
        }
    for (int i = 0; scene->is_there && i < scene->report.names.count; ++i) {
        const char *name = scene->report.columns[i];
        cli_columns_add(json, name, scene->report.thin.row_count);
        columns->list[columns->count++] = (CliColumn){&scene->report.thin, i, cli_column_is_double(name)};
    }
    cli_json_end(json);
}

static void write_lines(const char *name, const CliAdvice *advice, CliJson *json)
{
    cli_json_array(json, name);
    for (int i = 0; i < advice->count; ++i) {
        cli_json_object(json, NULL);
        cli_json_text(json, "text", advice->lines[i]);
        cli_json_end(json);
    }
    cli_json_end(json);
}

static void write_header(const CliComparison *c, const CliSeries *series, const Scene *scene, const CliAdvice *advice,
                         Columns *columns, CliJson *json)
{
    const char *title = hol_model_title(c->model);
    CliAdvice basis;
    cli_json_object(json, NULL);
    cli_report_format(json, "compare");
    cli_json_text(json, "title", *title ? title : hol_model_name(c->model));
    cli_json_text(json, "model", hol_model_name(c->model));
    cli_json_flag(json, "planar", hol_mechanism_is_planar(c->mechanism));
    cli_json_array(json, "records");
    cli_comparison_records(c, json);
    cli_json_end(json);
    cli_comparison_basis(c->found, &basis);
    write_lines("basis", &basis, json);
    write_lines("advice", advice, json);
    write_series(c, series, json);
    report_write_columns(c, series, scene, columns, json);
    if (scene->is_there)
        write_scene(scene, c, columns->count - scene->report.names.count, json);
    cli_json_end(json);
}

int cli_compare_report(const CliComparison *comparison, const CliSeries *series, long rows, const char *path)
{
    CliAdvice advice;
    Scene scene = {.is_there = false};
    char *header = NULL;
    size_t size = 0;
    cli_comparison_advice(comparison, &advice);
    int shown = record_to_show(comparison->found, advice.best), code = EXIT_EARLY;
    if (shown >= 0)
        make_scene(&scene, comparison, &comparison->found->records[shown], rows);
    for (int i = 0; i < series->count; ++i)
        cli_thin_finish(&series->runs[i]);
    Columns columns = {
        .list = calloc((size_t)(SERIES_COLUMNS * series->count + scene.report.names.count + 1), sizeof *columns.list)};
    FILE *memory = columns.list ? hol_text_open(&header, &size) : NULL;
    CliJson json = cli_json_begin(memory);
    if (memory)
        write_header(comparison, series, &scene, &advice, &columns, &json);
    if (hol_text_close(memory, &header) && !json.failed)
        code = cli_page_write(path, header, columns.list, columns.count);
    else
        cli_fail("not enough memory to write '%s'", path);
    free(header);
    free(columns.list);
    free_scene(&scene);
    return code;
}
