/* SPDX-License-Identifier: BSD-3-Clause */
/* holon compare MODEL: every formulation on one model, side by side. */
#include <holon/compare.h>

#include "interrupt.h"
#include "model.h"
#include "summary.h"
#include "table.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Settings {
    CliWords words;
    CliModelOptions model;
    const char *formulations, *integrators, *steps, *rounds, *csv;
    bool json, quiet;
} Settings;

enum { MOST_NAMES = 64 };

/* A comma separated list, split in place. */
typedef struct List {
    char *text;
    const char *names[MOST_NAMES];
    int count;
} List;

static int split(const char *text, const char *option, List *list)
{
    char *rest = NULL;
    *list = (List){0};
    if (!text || strcmp(text, "all") == 0)
        return EXIT_DONE;
    list->text = strdup(text);
    if (!list->text)
        return cli_fail("not enough memory");
    for (char *name = strtok_r(list->text, ", \t", &rest); name; name = strtok_r(NULL, ", \t", &rest)) {
        if (list->count == MOST_NAMES)
            return cli_fail("%s names more than %d", option, MOST_NAMES);
        list->names[list->count++] = name;
    }
    return list->count > 0 ? EXIT_DONE : cli_fail("%s is empty", option);
}

static int parse_number(const char *text, const char *option, double *value)
{
    char *end;
    *value = strtod(text, &end);
    if (end == text || *end || !isfinite(*value) || !(*value > 0))
        return cli_fail("%s: '%s' is not a positive number", option, text);
    return EXIT_DONE;
}

/* ---- What goes on ---- */

static HolStatus show_progress(void *user, const char *what, int done, int all)
{
    const Settings *settings = user;
    if (!settings->quiet && isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K[%d/%d] %s", done + 1, all, what);
    return cli_interrupted() ? HOL_STOPPED : HOL_OK;
}

static void clear_progress(const Settings *settings)
{
    if (!settings->quiet && isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
}

/* ---- What was found ---- */

static const char *number(double value, char text[24])
{
    if (isnan(value))
        return "-";
    snprintf(text, 24, "%.2g", value);
    return text;
}

static void print_block(const HolComparison *c, const HolCompareRecord *first)
{
    CliTable table = {.columns = 8};
    printf("\n%s, step %g s\n", first->integrator, first->step);
    cli_table_add(&table, "formulation", "position", "velocity", "mean Phi^2", "energy drift", "error", "evaluations",
                  "time");
    for (const HolCompareRecord *r = first; r < c->records + c->count; ++r) {
        char t[7][24], time[40];
        if (r->integrator != first->integrator || r->step != first->step)
            continue;
        if (r->status != HOL_OK) {
            cli_table_add(&table, r->formulation, "-", "-", "-", "-", "-", "-", hol_status_name(r->status));
            continue;
        }
        snprintf(time, sizeof time, isnan(r->time_ratio) ? "-" : "%.2f (%.2f-%.2f)", r->time_ratio, r->time_low,
                 r->time_high);
        snprintf(t[6], sizeof t[6], "%ld", r->summary.evaluations);
        cli_table_add(&table, r->formulation, number(r->summary.max_position_violation, t[0]),
                      number(r->summary.max_velocity_violation, t[1]),
                      number(r->summary.mean_position_violation_sq, t[2]), number(r->summary.max_energy_drift, t[3]),
                      number(r->position_error, t[4]), t[6], time);
    }
    cli_table_print(&table, 2);
}

static void print_reasons(const HolComparison *c)
{
    for (int i = 0; i < c->count; ++i)
        if (c->records[i].status != HOL_OK)
            printf("%s with %s: %s\n", c->records[i].formulation, c->records[i].integrator, c->records[i].message.text);
}

static bool is_new_block(const HolComparison *c, int index)
{
    return index == 0 || c->records[index].integrator != c->records[index - 1].integrator ||
           c->records[index].step != c->records[index - 1].step;
}

static void print_comparison(const HolModel *model, const HolComparison *c)
{
    printf("%s (%s), %g s\n", hol_model_title(model), hol_model_name(model), c->until);
    printf("reference: %s", c->reference.text);
    if (c->has_reference)
        printf(", itself wrong by no more than %.1g", c->reference_error);
    putchar('\n');
    for (int i = 0; i < c->count; ++i)
        if (is_new_block(c, i))
            print_block(c, &c->records[i]);
    print_reasons(c);
}

static void write_json(const HolModel *model, const HolMechanism *mechanism, const HolComparison *c)
{
    HolJson json = hol_json_begin(stdout);
    hol_json_array(&json, NULL);
    for (int i = 0; i < c->count; ++i) {
        const HolCompareRecord *r = &c->records[i];
        CliSummary summary = {.model = model, .mechanism = mechanism, .run = r->summary, .until = c->until};
        summary.run.formulation = r->formulation;
        summary.run.integrator = r->integrator;
        summary.run.step = r->step;
        summary.run.status = r->status;
        hol_json_object(&json, NULL);
        cli_summary_members(&summary, &json);
        hol_json_number(&json, "max_acceleration_violation", r->summary.max_acceleration_violation);
        hol_json_number(&json, "position_error", r->position_error);
        hol_json_number(&json, "reaction_spread", r->reaction_spread);
        hol_json_number(&json, "time_ratio", r->time_ratio);
        hol_json_number(&json, "time_ratio_low", r->time_low);
        hol_json_number(&json, "time_ratio_high", r->time_high);
        hol_json_text(&json, "message", r->message.text);
        hol_json_end(&json);
    }
    hol_json_end(&json);
}

/* ---- The command ---- */

/* Everything one comparison holds. */
typedef struct Job {
    const Settings *settings;
    HolModel *model;
    HolMechanism *mechanism;
    List formulations, integrators, steps;
    double step_values[MOST_NAMES];
    HolComparison *comparison;
} Job;

static int read_lists(Job *job)
{
    const Settings *s = job->settings;
    int code = split(s->formulations, "--formulations", &job->formulations);
    if (code == EXIT_DONE)
        code = split(s->integrators, "--integrators", &job->integrators);
    if (code == EXIT_DONE)
        code = split(s->steps, "--steps", &job->steps);
    for (int i = 0; code == EXIT_DONE && i < job->steps.count; ++i)
        code = parse_number(job->steps.names[i], "--steps", &job->step_values[i]);
    return code;
}

static int assemble(Job *job)
{
    HolMessage message;
    return hol_mechanism_assemble(job->mechanism, &message) == HOL_OK ? EXIT_DONE : cli_fail("%s", message.text);
}

static int compare(Job *job)
{
    const Settings *s = job->settings;
    HolMessage message = {{0}};
    double rounds = 5;
    HolCompareOptions o = hol_compare_options();
    if (s->rounds && parse_number(s->rounds, "--rounds", &rounds) != EXIT_DONE)
        return EXIT_BAD_INPUT;
    o.formulations = job->formulations.count ? job->formulations.names : NULL;
    o.formulation_count = job->formulations.count;
    o.integrators = job->integrators.count ? job->integrators.names : NULL;
    o.integrator_count = job->integrators.count;
    o.steps = job->steps.count ? job->step_values : NULL;
    o.step_count = job->steps.count;
    o.rounds = (int)rounds;
    o.progress = show_progress;
    o.user = (void *)(size_t)s;
    cli_interrupt_watch();
    HolStatus status = hol_compare(job->mechanism, &o, &job->comparison, &message);
    clear_progress(s);
    if (status == HOL_STOPPED) {
        cli_fail("interrupted");
        return EXIT_EARLY;
    }
    return status == HOL_OK ? EXIT_DONE : cli_fail("%s", message.text);
}

static int run(const void *settings)
{
    Job job = {.settings = settings};
    const Settings *s = settings;
    int code = read_lists(&job);
    if (code == EXIT_DONE)
        code = cli_model_open(s->words.items[0], &s->model, s->quiet, &job.model, &job.mechanism);
    if (code == EXIT_DONE)
        code = assemble(&job);
    if (code == EXIT_DONE)
        code = compare(&job);
    if (code == EXIT_DONE && s->json)
        write_json(job.model, job.mechanism, job.comparison);
    else if (code == EXIT_DONE)
        print_comparison(job.model, job.comparison);
    hol_comparison_destroy(job.comparison);
    hol_mechanism_destroy(job.mechanism);
    hol_model_destroy(job.model);
    free(job.formulations.text);
    free(job.integrators.text);
    free(job.steps.text);
    return code;
}

#define TEXT(name, value, field, help)                                                                                 \
    {                                                                                                                  \
        name, value, OPTION_TEXT, offsetof(Settings, field), help                                                      \
    }

static const CliOption options[] = {
    TEXT("--formulations", "LIST", formulations, "comma separated, or all (the default)"),
    TEXT("--integrators", "LIST", integrators, "comma separated; default the model's"),
    TEXT("--steps", "LIST", steps, "steps in seconds, comma separated; default the model's"),
    TEXT("--until", "T", model.until, "time to reach, e.g. 10 or '10 s'"),
    CLI_MODEL_OPTIONS(Settings, model),
    TEXT("--rounds", "N", rounds, "how often every run is timed; default 5"),
    {"--json", NULL, OPTION_FLAG, offsetof(Settings, json), "one record per combination as JSON"},
    {"--quiet", NULL, OPTION_FLAG, offsetof(Settings, quiet), "no warnings, no progress"},
};

const CliCommand cli_compare = {
    .name = "compare",
    .arguments = "MODEL",
    .title = "Run a model through every formulation, side by side.",
    .notes = "Errors are differences from a reference run whose own error is told. Times are ratios to lagrange,\n"
             "medians over the rounds with their quartiles. A combination that fails is reported and does not end the\n"
             "comparison.\n",
    .least_words = 1,
    .most_words = 1,
    .without = "compare needs a MODEL: a file, or a built-in model ('holon list models')",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .settings_size = sizeof(Settings),
    .run = run,
};
