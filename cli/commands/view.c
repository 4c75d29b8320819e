/* SPDX-License-Identifier: BSD-3-Clause */
/* holon view FILE: shows the results of a run in a page of HTML. */
#include <holon/results.h>

#include "model.h"
#include "report/json_scan.h"
#include "report/report.h"
#include "report/view_columns.h"
#include "terminal/files.h"
#include "terminal/memory.h"
#include "terminal/table.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Settings {
    CliWords words;
    CliModelOptions changes; /* of --model */
    const char *output, *model, *rows;
    bool no_open, quiet;
} Settings;

typedef struct Job {
    const Settings *settings;
    const char *path; /* the file of results */
    char output[PATH_MAX];
    HolResultsReader *reader;
    const char **columns;
    CliNames names;
    CliThin thin;
    HolMessage broken; /* why reading stopped, or "" */
    HolModel *model;   /* of --model */
    HolMechanism *mechanism;
    HolScene *scene;
} Job;

static int view_list_columns(Job *job)
{
    int count = hol_results_column_count(job->reader);
    job->columns = calloc((size_t)count, sizeof *job->columns);
    for (int i = 0; job->columns && i < count; ++i)
        job->columns[i] = hol_results_column(job->reader, i);
    job->names = (CliNames){.names = job->columns, .count = count};
    return job->columns && cli_names_sort(&job->names) ? EXIT_DONE : cli_fail("not enough memory");
}

static int view_begin_rows(Job *job)
{
    long rows;
    int count = job->names.count;
    CliKeep *keep = calloc((size_t)count, sizeof *keep);
    if (!cli_report_rows(job->settings->rows, &rows)) {
        free(keep);
        return EXIT_BAD_INPUT;
    }
    for (int i = 0; keep && i < count; ++i)
        keep[i] = cli_column_keep(job->columns[i]);
    bool good = keep && cli_thin_begin(&job->thin, keep, count, rows);
    free(keep);
    return good ? EXIT_DONE : cli_fail("not enough memory for %ld rows of %d columns", rows, count);
}

/* The page needs increasing times. */
static HolStatus view_add_row(Job *job, const double *row, double before)
{
    if (row[0] > before && row[0] < HUGE_VAL) {
        cli_thin_add(&job->thin, row);
        return HOL_OK;
    }
    snprintf(job->broken.text, sizeof job->broken.text,
             "'%s', row %ld: time %g is not later than that of the previous row", job->path, job->thin.seen + 1,
             row[0]);
    return HOL_BAD_INPUT;
}

/* Reads and thins all rows, or those before the place where the file is damaged. */
static int read_rows(Job *job)
{
    bool more = true;
    double *row = malloc((size_t)job->names.count * sizeof *row);
    HolStatus status = row ? HOL_OK : HOL_NO_MEMORY;
    for (double before = -HUGE_VAL; status == HOL_OK && more; before = row[0]) {
        status = hol_results_next(job->reader, row, &more, &job->broken);
        if (status == HOL_OK && more)
            status = view_add_row(job, row, before);
    }
    cli_thin_finish(&job->thin);
    free(row);
    if (status == HOL_NO_MEMORY)
        return cli_fail("not enough memory to read '%s'", job->path);
    if (job->thin.row_count > 0)
        return EXIT_DONE;
    return status != HOL_OK ? cli_fail("%s", job->broken.text)
                            : cli_fail("'%s' has column names, but no rows", job->path);
}

/* The members that the page takes from the attached scene, and the first characters of their values. */
static const struct {
    const char *key, *begins;
} members[] = {{"title", "\""}, {"model", "\""}, {"summary", "{"}, {"planar", "tf"}, {"gravity", "["},
               {"bodies", "["}, {"beams", "["},  {"ground", "{"},  {"joints", "["},  {"points", "["},
               {"forces", "["}, {"events", "["}, {"verdicts", "["}};

enum { MEMBER_COUNT = sizeof members / sizeof *members, VERDICTS = MEMBER_COUNT - 1 };

static bool has_members(const char *text)
{
    for (int i = 0; i < MEMBER_COUNT; ++i) {
        const char *value = cli_json_member(text, members[i].key);
        if (!value || !strchr(members[i].begins, *value))
            return false;
    }
    return true;
}

static bool is_header(const char *text)
{
    if (!cli_json_is_valid(text))
        return false;
    const char *format = cli_json_member(text, "format"), *kind = cli_json_member(text, "kind");
    return kind && cli_json_is_text(kind, "run") && format && cli_json_length(format) == 1 && *format == '1' &&
           cli_json_member(text, "columns");
}

/* Whether the attached text is the header of these columns. */
static int check_attached(const Job *job, const char *text)
{
    bool is_read = is_header(text);
    const char *entry = is_read ? cli_json_first(cli_json_member(text, "columns")) : NULL;
    int count = 0;
    for (; entry && count < job->names.count; entry = cli_json_next(entry), ++count)
        if (!cli_json_is_text(cli_json_member(entry, "name"), job->columns[count]))
            break;
    if (is_read && (entry || count < job->names.count))
        return cli_fail("the scene of '%s' belongs to other results: they differ from column %d on; --model MODEL "
                        "draws the bodies of a model instead",
                        job->path, count + 1);
    if (!is_read || !has_members(text))
        return cli_fail("the scene of '%s' cannot be read, or was not written by 'holon run'; --model MODEL draws the "
                        "bodies of a model instead",
                        job->path);
    return EXIT_DONE;
}

static bool shares_columns(const Job *job)
{
    char name[400];
    for (int i = 0; i < job->scene->body_count; ++i) {
        snprintf(name, sizeof name, "%.390s.x", job->scene->bodies[i].name);
        if (cli_names_find(&job->names, name) >= 0)
            return true;
    }
    return false;
}

static int view_open_model(Job *job)
{
    const Settings *s = job->settings;
    if (!s->model)
        return s->changes.variant || s->changes.set.count > 0
                   ? cli_fail("--%s changes the model of --model, but --model is not given",
                              s->changes.variant ? "variant" : "set")
                   : EXIT_DONE;
    int code = cli_model_open(s->model, &s->changes, s->quiet, &job->model, &job->mechanism);
    if (code == EXIT_DONE && hol_scene_create(job->mechanism, &job->scene) != HOL_OK)
        code = cli_fail("not enough memory");
    if (code == EXIT_DONE && !shares_columns(job))
        code = cli_fail("'%s' has no columns for the bodies of model '%s'", job->path, hol_model_name(job->model));
    return code;
}

static void write_numbers(const Job *job, CliJson *json)
{
    cli_report_format(json, "run");
    cli_json_whole(json, "rows", job->thin.row_count);
    cli_json_whole(json, "recorded_rows", job->thin.seen);
    cli_columns_begin(json);
    for (int i = 0; i < job->names.count; ++i)
        cli_columns_add(json, job->columns[i], -1);
    cli_json_end(json);
}

static void write_broken(const Job *job, CliJson *json)
{
    if (job->broken.text[0])
        cli_verdict(json, "bad", "The file is damaged after the part shown: %s.", job->broken.text);
    else if (hol_results_is_incomplete(job->reader))
        cli_verdict(json, "note",
                    "The file ends within a row: its run was killed or is not finished. The complete rows are shown.");
}

/* Writes the header with the scene of a model, or with what the columns alone determine. */
static void write_made(const Job *job, CliJson *json)
{
    const char *title = job->model ? hol_model_title(job->model) : "";
    int missing = 0;
    cli_json_object(json, NULL);
    write_numbers(job, json);
    cli_json_text(json, "title", *title ? title : job->path);
    cli_json_text(json, "model", job->model ? hol_model_name(job->model) : job->path);
    cli_json_object(json, "summary");
    cli_json_end(json);
    if (job->scene)
        missing = cli_scene_members(job->scene, NULL, &job->names, 0, json);
    else
        cli_view_columns(&job->names, json);
    cli_json_array(json, "verdicts");
    write_broken(job, json);
    if (!job->scene)
        cli_verdict(json, "note",
                    "These results have no scene: bodies are drawn as markers at their recorded positions, without "
                    "joints. 'holon view --model MODEL' draws the bodies of a model.");
    else
        cli_verdict(json, "note", "The bodies are those of model '%s', which may differ from the model of the run.",
                    hol_model_name(job->model));
    if (missing > 0)
        cli_verdict(json, "note", "%d %s not drawn: the results have no columns for %s.", missing,
                    missing == 1 ? "body is" : "bodies are", missing == 1 ? "it" : "them");
    cli_json_end(json);
    cli_json_array(json, "events");
    cli_json_end(json);
    cli_json_end(json);
}

/* Writes the attached header, with the columns and row counts of this file in place of its own. */
static void write_attached(const Job *job, const char *text, CliJson *json)
{
    cli_json_object(json, NULL);
    write_numbers(job, json);
    for (int i = 0; i < VERDICTS; ++i) {
        const char *value = cli_json_member(text, members[i].key);
        cli_json_value(json, members[i].key, value, cli_json_length(value));
    }
    cli_json_array(json, "verdicts");
    write_broken(job, json);
    const char *verdict = cli_json_first(cli_json_member(text, members[VERDICTS].key));
    for (; verdict; verdict = cli_json_next(verdict))
        cli_json_value(json, NULL, verdict, cli_json_length(verdict));
    cli_json_end(json);
    cli_json_end(json);
}

/* Opens the page where there is a display. */
static void view_show(const Job *job)
{
    extern char **environ;
    char *arguments[] = {"xdg-open", (char *)(size_t)job->output, NULL};
    const char *x = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY");
    posix_spawn_file_actions_t actions;
    pid_t process;
    if (job->settings->no_open || !((x && *x) || (wayland && *wayland)) || posix_spawn_file_actions_init(&actions) != 0)
        return;
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawnp(&process, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
}

static int write_page(Job *job)
{
    const char *attached = job->scene ? NULL : hol_results_attached(job->reader);
    char *header = NULL;
    size_t size = 0;
    int code = attached ? check_attached(job, attached) : EXIT_DONE;
    if (code != EXIT_DONE)
        return code;
    CliColumn *columns = calloc((size_t)job->names.count, sizeof *columns);
    FILE *memory = columns ? hol_text_open(&header, &size) : NULL;
    if (!memory) {
        free(columns);
        return cli_fail("not enough memory to write '%s'", job->output);
    }
    for (int i = 0; i < job->names.count; ++i)
        columns[i] = (CliColumn){&job->thin, i, cli_column_is_double(job->columns[i])};
    CliJson json = cli_json_begin(memory);
    if (attached)
        write_attached(job, attached, &json);
    else
        write_made(job, &json);
    if (hol_text_close(memory, &header) && !json.failed)
        code = cli_page_write(job->output, header, columns, job->names.count);
    else
        code = cli_fail("not enough memory to write '%s'", job->output);
    free(columns);
    free(header);
    return code;
}

/* motion.csv: motion.html */
static int choose_output(Job *job)
{
    const char *slash = strrchr(job->path, '/'), *dot = strrchr(slash ? slash : job->path, '.');
    int length = dot ? (int)(dot - job->path) : (int)strlen(job->path);
    int size = job->settings->output ? snprintf(job->output, sizeof job->output, "%s", job->settings->output)
                                     : snprintf(job->output, sizeof job->output, "%.*s.html", length, job->path);
    const CliFile files[] = {{"FILE", job->path}, {"--output", job->output}};
    if (size >= (int)sizeof job->output)
        return cli_fail("the file name of the page is too long");
    int code = cli_files_check("", files, 2);
    return code == EXIT_DONE ? cli_report_check("--output", job->output) : code;
}

static int view_check_model(Job *job)
{
    return cli_files_check_model(job->model, (const CliFile[]){{"--output", job->output}}, 1);
}

static int view_open_results(Job *job)
{
    HolMessage message;
    if (hol_results_open(job->path, &job->reader, &message) != HOL_OK)
        return cli_fail("%s", message.text);
    return view_list_columns(job);
}

static int view_report(Job *job)
{
    if (!job->settings->quiet)
        cli_put_line(stdout, "%s: %ld of %ld rows, %d columns", job->output, job->thin.row_count, job->thin.seen,
                     job->names.count);
    fflush(stdout);
    view_show(job);
    if (!job->broken.text[0] && hol_results_is_incomplete(job->reader) && !job->settings->quiet)
        fprintf(stderr,
                "warning: '%s' ends within a row: its run was killed or is not finished; the page shows the complete "
                "rows\n",
                job->path);
    if (!job->broken.text[0])
        return EXIT_DONE;
    cli_fail("%s; the page shows the rows before", job->broken.text);
    return EXIT_EARLY;
}

static void view_release(Job *job)
{
    hol_scene_destroy(job->scene);
    hol_mechanism_destroy(job->mechanism);
    hol_model_destroy(job->model);
    cli_thin_free(&job->thin);
    cli_names_free(&job->names);
    free(job->columns);
    hol_results_close(job->reader);
}

static int view_run(const void *settings)
{
    int (*const steps[])(Job *) = {view_open_results, choose_output, view_open_model, view_check_model,
                                   view_begin_rows,   read_rows,     write_page,      view_report};
    Job job = {.settings = settings, .path = ((const Settings *)settings)->words.items[0]};
    int code = EXIT_DONE;
    for (size_t i = 0; i < sizeof steps / sizeof *steps && code == EXIT_DONE; ++i)
        code = steps[i](&job);
    view_release(&job);
    return code;
}

static const CliOption options[] = {
    CLI_TEXT("--output", "FILE.html", output, "file name of the page; default that of the results, ending in .html"),
    CLI_TEXT("--model", "MODEL", model, "draw the bodies of this model instead of the scene of the results"),
    CLI_TEXT("--report-rows", "N", rows, "maximum number of states in the page, evenly thinned; default 2001"),
    CLI_MODEL_OPTIONS(Settings, changes),
    {"--no-open", NULL, OPTION_FLAG, offsetof(Settings, no_open), "write the page, but do not open it"},
    {"--quiet", NULL, OPTION_FLAG, offsetof(Settings, quiet), "print nothing"},
};

const CliCommand cli_view = {
    .name = "view",
    .arguments = "FILE",
    .title = "Show the results of a run in a page of HTML.",
    .notes =
        "FILE was written by 'holon run --output' as .csv, .npy or .h5. A .h5 file contains the scene; for the others\n"
        "it is in FILE.scene.json. The page is opened (xdg-open) where there is a display.\n"
        "Exit codes: 0 success, 1 the file is damaged and only the part before is shown, 2 bad input or usage.\n",
    .min_words = 1,
    .max_words = 1,
    .without = "view needs a FILE of results, written by 'holon run MODEL --output motion.csv'",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .settings_size = sizeof(Settings),
    .run = view_run,
};
