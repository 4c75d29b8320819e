/* SPDX-License-Identifier: BSD-3-Clause */
/* holon static MODEL: finds a static equilibrium. */
#include <holon/results.h>
#include <holon/static.h>

#include "check/check.h"
#include "findings.h"
#include "model.h"
#include "terminal/files.h"
#include "terminal/interrupt.h"
#include "terminal/number.h"
#include "terminal/progress.h"
#include "terminal/table.h"
#include "terminal/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Settings {
    CliWords words;
    CliModelOptions model;
    const char *steps, *tolerance, *iterations, *output;
    bool json, quiet;
} Settings;

enum { OWN_COLUMNS = 4 };
static const char *const own_columns[OWN_COLUMNS] = {"load", "iterations", "imbalance", "violation"};

typedef struct Job {
    const Settings *settings;
    HolModel *model;
    HolMechanism *mechanism;
    HolStaticOptions options;
    HolEquilibrium *equilibrium;
    HolFindings findings;
    HolDiagnosis *diagnosis; /* of the equilibrium, NULL: it could not be made */
    HolRecorder *recorder;
    HolResults *results;
    double *values; /* own_columns, then those of the recorder */
    CliProgress progress;
} Job;

static HolStatus static_record(void *user, const HolLoadStep *step)
{
    Job *job = user;
    const double own[OWN_COLUMNS] = {step->load, step->iterations, step->imbalance, step->violation};
    if (cli_interrupted())
        return HOL_STOPPED;
    cli_progress_update(&job->progress, step->load);
    if (!job->results)
        return HOL_OK;
    HolMeasures measures = {.position = step->violation};
    memcpy(job->values, own, sizeof own);
    HolStatus status = hol_recorder_read(job->recorder, step->state, &measures, job->values + OWN_COLUMNS);
    return status == HOL_OK ? hol_results_add(job->results, job->values) : status;
}

static int static_read_options(Job *job)
{
    const Settings *s = job->settings;
    job->options = hol_static_options();
    job->options.record = static_record;
    job->options.user = job;
    if (!cli_read_whole("static", "--steps", s->steps, 1, 100000, &job->options.steps) ||
        !cli_read_whole("static", "--iterations", s->iterations, 1, 1000000, &job->options.max_iterations) ||
        !cli_read_between("static", "--tolerance", s->tolerance, 0, 1, &job->options.tolerance))
        return EXIT_BAD_INPUT;
    return cli_files_check(s->words.items[0], (const CliFile[]){{"--output", s->output}}, 1);
}

static int static_open_results(Job *job)
{
    HolMessage message;
    int count = hol_recorder_column_count(job->recorder);
    const char **columns = calloc((size_t)count + OWN_COLUMNS, sizeof *columns);
    job->values = calloc((size_t)count + OWN_COLUMNS, sizeof *job->values);
    if (!columns || !job->values) {
        free(columns);
        return cli_fail("not enough memory");
    }
    memcpy(columns, own_columns, sizeof own_columns);
    for (int i = 0; i < count; ++i)
        columns[OWN_COLUMNS + i] = hol_recorder_column(job->recorder, i);
    HolStatus status = HOL_OK;
    if (job->settings->output)
        status = hol_results_create(job->settings->output, columns, count + OWN_COLUMNS, &job->results, &message);
    free(columns);
    return status == HOL_OK ? EXIT_DONE : cli_fail("%s", message.text);
}

static int static_prepare(Job *job)
{
    static const char *const recorded[] = {"bodies", "reactions"};
    const Settings *s = job->settings;
    HolMessage message;
    int code = static_read_options(job);
    if (code == EXIT_DONE)
        code = cli_model_assemble(s->words.items[0], &s->model, s->quiet, &job->model, &job->mechanism);
    if (code == EXIT_DONE)
        code = cli_files_check_model(job->model, (const CliFile[]){{"--output", s->output}}, 1);
    if (code != EXIT_DONE)
        return code;
    if (hol_recorder_create(job->mechanism, recorded, 2, &job->recorder, &message) != HOL_OK)
        return cli_fail("%s", message.text);
    return static_open_results(job);
}

/* "stable", "unstable", "neutral" or "unknown" */
static const char *verdict(const HolEquilibrium *e)
{
    if (!e->has_stability)
        return "unknown";
    if (e->unstable_count > 0)
        return "unstable";
    return e->neutral_count > 0 ? "neutral" : "stable";
}

static void add_stability(const HolEquilibrium *e, CliText *text)
{
    const char *among = e->all_modes_examined ? "" : " among the lowest modes";
    if (!e->has_stability)
        cli_text_add(text, "Its stability could not be determined.");
    else if (e->dof == 0)
        cli_text_add(text, "It has no degrees of freedom.");
    else if (e->unstable_count > 0) {
        cli_text_add(text, "It is unstable: ");
        cli_text_add_count(text, e->unstable_count, "growing mode", "growing modes");
        cli_text_add(text, "%s, the fastest as exp(%.6g t).", among, e->growth_rate);
    } else if (e->neutral_count > 0) {
        cli_text_add(text, "It is neutral: ");
        cli_text_add_count(text, e->neutral_count, "rigid-body mode", "rigid-body modes");
        cli_text_add(text, "%s.", among);
    } else
        cli_text_add(text, "It is stable%s.", e->all_modes_examined ? "" : ", judged by its lowest modes");
}

/* "not unique: fx tz" for a joint with such a reaction, else nothing. */
static void static_add_not_unique(const Job *job, const char *joint, CliText *text)
{
    const HolDiagnosis *d = job->diagnosis;
    for (int i = 0; d && d->reactions_examined && i < d->joint_count; ++i) {
        CliText components = {.length = 0};
        if (strcmp(hol_mechanism_joint(job->mechanism, i).name, joint) != 0)
            continue;
        cli_add_not_unique(&components, job->mechanism, d, i);
        if (components.length > 0)
            cli_text_add(text, "not unique: %s", components.text);
    }
}

/* The columns of one part, such as "crank.x", become a row; the next one begins at the index returned. */
static int static_add_part(const Job *job, const char *wanted, int first, CliTable *table)
{
    char cells[8][32] = {{0}};
    const char *column = hol_recorder_column(job->recorder, first);
    size_t length = strcspn(column, ".");
    const char *dot = strrchr(column, '.');
    length = dot ? (size_t)(dot - column) : length;
    int count = hol_recorder_column_count(job->recorder), used = 0, i = first;
    for (; i < count; ++i) {
        const char *name = hol_recorder_column(job->recorder, i);
        if (strncmp(name, column, length + 1) != 0 || strchr(name + length + 1, '.'))
            break;
        const char *ending = name + length + 1;
        if (strstr(wanted, ending) && used < 7)
            snprintf(cells[used++], sizeof cells[0], "%s %.6g", ending, job->values[OWN_COLUMNS + i]);
    }
    char name[200];
    snprintf(name, sizeof name, "%.*s", (int)length, column);
    CliText mark = {.length = 0};
    if (wanted[0] == 'f')
        static_add_not_unique(job, name, &mark);
    if (used > 0 && mark.length > 0)
        snprintf(cells[used++], sizeof cells[0], "%.31s", mark.text);
    if (used > 0)
        cli_table_add(table, name, cells[0], cells[1], cells[2], cells[3], cells[4], cells[5], cells[6]);
    return i;
}

/* Explains reactions that are not unique. */
static void print_choice(const Job *job)
{
    const HolDiagnosis *d = job->diagnosis;
    CliText text = {.length = 0};
    if (!d || d->redundant_rows == 0)
        return;
    if (!d->reactions_examined)
        cli_text_add(&text,
                     "\nConstraint equations are redundant, and the model is too large to find out which reactions "
                     "are unique.");
    else
        cli_text_add(&text,
                     "\nConstraint equations are redundant: equilibrium does not determine the components marked 'not "
                     "unique'. Their values are one choice of many, by the rule '%s' (run: {reactions: ...}).",
                     hol_mechanism_reaction_rule(job->mechanism));
    cli_text_print(&text);
}

static void print_parts(const Job *job)
{
    CliTable bodies = {.columns = 8}, joints = {.columns = 8};
    int count = hol_recorder_column_count(job->recorder);
    for (int i = 1; i < count;) {
        const char *dot = strrchr(hol_recorder_column(job->recorder, i), '.');
        bool is_body = strcmp(dot, ".x") == 0;
        i = static_add_part(job, is_body ? "x y z phi e0 e1 e2 e3" : "fx fy fz tx ty tz", i,
                            is_body ? &bodies : &joints);
    }
    puts("\nPositions:");
    cli_table_print(&bodies, 2);
    if (joints.rows > 0)
        puts("\nReactions on the second body:");
    cli_table_print(&joints, 2);
    print_choice(job);
}

static void static_print_text(const Job *job)
{
    const HolEquilibrium *e = job->equilibrium;
    CliText text = {.length = 0};
    cli_text_add_heading(&text, hol_model_title(job->model), hol_model_name(job->model));
    cli_text_add(&text, "Static equilibrium after ");
    cli_text_add_count(&text, e->load_steps, "load step", "load steps");
    cli_text_add(&text, ", ");
    cli_text_add_count(&text, e->iterations, "iteration", "iterations");
    cli_text_add(&text, ": force imbalance %.2g, position violation %.2g, potential energy %.6g J.\n", e->imbalance,
                 e->violation, e->potential);
    add_stability(e, &text);
    if (e->is_singular)
        cli_text_add(&text, "\nIt is a singular configuration: constraint equations become linearly dependent there. "
                            "Several branches may meet, and reactions and stability depend on how forces are "
                            "distributed.");
    cli_text_print(&text);
    cli_verdict_print(&job->findings);
    print_parts(job);
}

/* The components that equilibrium does not determine, by joint; null: not examined. */
static void write_not_unique(const Job *job, CliJson *json)
{
    const HolDiagnosis *d = job->diagnosis;
    if (!d || !d->reactions_examined) {
        cli_json_null(json, "non_unique_reactions");
        return;
    }
    cli_json_object(json, "non_unique_reactions");
    for (int i = 0; i < d->joint_count; ++i) {
        CliText components = {.length = 0};
        cli_add_not_unique(&components, job->mechanism, d, i);
        if (components.length > 0)
            cli_json_text(json, hol_mechanism_joint(job->mechanism, i).name, components.text);
    }
    cli_json_end(json);
}

static void static_print_json(const Job *job)
{
    const HolEquilibrium *e = job->equilibrium;
    CliJson json = cli_json_begin(stdout);
    cli_json_object(&json, NULL);
    cli_json_text(&json, "model", hol_model_name(job->model));
    cli_json_text(&json, "coordinates", hol_mechanism_coordinates(job->mechanism));
    cli_json_text(&json, "status", "ok");
    cli_json_whole(&json, "load_steps", e->load_steps);
    cli_json_whole(&json, "iterations", e->iterations);
    cli_json_number(&json, "imbalance", e->imbalance);
    cli_json_number(&json, "violation", e->violation);
    cli_json_number(&json, "potential", e->potential);
    cli_json_whole(&json, "dof", e->dof);
    cli_json_flag(&json, "singular", e->is_singular);
    cli_json_text(&json, "stability", verdict(e));
    cli_json_whole(&json, "unstable", e->unstable_count);
    cli_json_whole(&json, "neutral", e->neutral_count);
    cli_json_number(&json, "growth_rate", e->growth_rate);
    cli_json_flag(&json, "all_modes_examined", e->all_modes_examined);
    cli_findings_members(&job->findings, &json);
    write_not_unique(job, &json);
    cli_json_object(&json, "values");
    for (int i = 0; i < hol_recorder_column_count(job->recorder); ++i)
        cli_json_number(&json, hol_recorder_column(job->recorder, i), job->values[OWN_COLUMNS + i]);
    cli_json_end(&json);
    cli_json_end(&json);
}

static int static_find(Job *job)
{
    HolMessage message;
    job->progress = cli_progress_begin(0, 1, !job->settings->quiet);
    job->progress.name = "load";
    job->progress.unit = "";
    HolStatus status = hol_mechanism_static(job->mechanism, &job->options, &job->equilibrium, &message);
    cli_progress_end(&job->progress);
    bool is_kept = job->results && (status == HOL_OK || hol_results_has_name(job->results));
    HolStatus written = is_kept ? hol_results_finish(job->results) : HOL_OK;
    if (written != HOL_OK)
        return cli_fail("%s", hol_results_message(job->results)), EXIT_EARLY;
    if (status != HOL_OK) {
        cli_fail("%s", message.text);
        return cli_search_code(status);
    }
    HolMeasures measures = {.position = job->equilibrium->violation, .potential = job->equilibrium->potential};
    status = hol_recorder_read(job->recorder, &job->equilibrium->state, &measures, job->values + OWN_COLUMNS);
    if (status != HOL_OK)
        return cli_fail("the equilibrium cannot be evaluated: %s", hol_status_cause(status)), EXIT_EARLY;
    hol_equilibrium_findings(job->equilibrium, &job->findings);
    hol_mechanism_diagnose(job->mechanism, job->equilibrium->state.q, &job->diagnosis, NULL);
    if (job->settings->json)
        static_print_json(job);
    else if (!job->settings->quiet)
        static_print_text(job);
    return EXIT_DONE;
}

static int static_run(const void *settings)
{
    Job job = {.settings = settings};
    int code = static_prepare(&job);
    if (code == EXIT_DONE) {
        cli_interrupt_watch();
        code = static_find(&job);
    }
    hol_results_discard(job.results);
    hol_recorder_destroy(job.recorder);
    hol_diagnosis_destroy(job.diagnosis);
    hol_equilibrium_destroy(job.equilibrium);
    hol_mechanism_destroy(job.mechanism);
    hol_model_destroy(job.model);
    free(job.values);
    return code;
}

static const CliOption options[] = {
    CLI_TEXT("--steps", "N", steps, "initial number of load steps, default 1; a load step that fails is divided"),
    CLI_TEXT("--tolerance", "X", tolerance, "force imbalance relative to the largest force, default 1e-10"),
    CLI_TEXT("--iterations", "N", iterations, "maximum number of iterations per load step, default 1000"),
    CLI_TEXT("--coordinates", "KIND", model.coordinates, "coordinates of bodies: reference-point or natural"),
    CLI_MODEL_OPTIONS(Settings, model),
    CLI_TEXT("--output", "FILE", output, "write each load step to a file that ends in .csv, .npy or .h5"),
    {"--json", NULL, OPTION_FLAG, offsetof(Settings, json), "print JSON"},
    {"--quiet", NULL, OPTION_FLAG, offsetof(Settings, quiet), "no table, no warnings, no progress"},
};

const CliCommand cli_static = {
    .name = "static",
    .arguments = "MODEL",
    .title = "Find a static equilibrium, its reactions and its stability.",
    .notes = "The search descends from the initial configuration. Drivers keep their initial values, velocities are\n"
             "ignored. The verdict is doubtful if the equilibrium is unstable, singular, or its stability is unknown.\n"
             "Exit codes: 0 found, 1 not found, 2 bad input or usage.\n",
    .min_words = 1,
    .max_words = 1,
    .without = "static needs a MODEL: a file, or a built-in model ('holon list models')",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .settings_size = sizeof(Settings),
    .run = static_run,
};
