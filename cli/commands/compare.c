/* SPDX-License-Identifier: BSD-3-Clause */
/* holon compare MODEL: runs a model with many formulations and integrators, and compares them. */
#include "compare/report.h"
#include "model.h"
#include "report/report.h"
#include "terminal/files.h"
#include "terminal/interrupt.h"
#include "terminal/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

typedef struct Settings {
    CliWords words;
    CliModelOptions model;
    const char *formulations, *integrators, *steps, *accuracy, *rounds, *csv, *report, *report_rows;
    bool json, plot, quiet;
} Settings;

enum { MAX_NAMES = 64, MAX_ROUNDS = HOL_COMPARE_MAX_ROUNDS };
static const double STIFF_TIMING = 20; /* s, without --rounds */

/* A comma separated list, split in place; empty if the option was not given. */
typedef struct List {
    char *text;
    const char *names[MAX_NAMES];
    int count;
    bool has_all; /* contains the word "all" */
} List;

/* Everything one comparison holds. */
typedef struct Job {
    const Settings *settings;
    HolModel *model;
    HolMechanism *mechanism;
    List formulations, integrators, steps;
    double step_values[MAX_NAMES];
    int rounds;
    HolCompareGoal goal;
    double accuracy;
    HolComparison *comparison;
    CliSeries series; /* for the report */
    long report_rows;
    bool is_interrupted; /* during the timing rounds: everything else is complete */
} Job;

static char *trim(char *text)
{
    text += strspn(text, " \t");
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t", text[length - 1]))
        text[--length] = '\0';
    return text;
}

static int compare_split(const char *text, const char *option, List *list)
{
    char *rest = NULL;
    if (!text)
        return EXIT_DONE;
    list->text = strdup(text);
    if (!list->text)
        return cli_fail("not enough memory");
    for (char *name = strtok_r(list->text, ",", &rest); name; name = strtok_r(NULL, ",", &rest)) {
        name = trim(name);
        if (!*name)
            continue;
        if (list->count == MAX_NAMES)
            return cli_fail("%s names more than %d", option, MAX_NAMES);
        list->names[list->count++] = name;
        list->has_all = list->has_all || strcmp(name, "all") == 0;
    }
    return list->count > 0 ? EXIT_DONE : cli_fail("%s is empty", option);
}

/* "all", alone or among others, stands for every name. */
static int split_names(const char *text, const char *option, int count, HolKindInfo (*info)(int index), List *list)
{
    int code = compare_split(text, option, list);
    if (code != EXIT_DONE || !list->has_all)
        return code;
    for (list->count = 0; list->count < count && list->count < MAX_NAMES; ++list->count)
        list->names[list->count] = info(list->count).name;
    return EXIT_DONE;
}

static int parse_steps(Job *job)
{
    HolMessage message;
    int code = compare_split(job->settings->steps, "--steps", &job->steps);
    for (int i = 0; code == EXIT_DONE && i < job->steps.count; ++i) {
        double *step = &job->step_values[i];
        if (hol_quantity_parse(job->steps.names[i], "s", step, &message) != HOL_OK)
            code = cli_fail("--steps: '%s': %s", job->steps.names[i], message.text);
        else if (!(*step > 0))
            code = cli_fail("--steps: '%s' must be positive", job->steps.names[i]);
    }
    return code;
}

/* The unit decides: "1e-6" and "1 um" are a position error, "1e-6 J" is an energy drift. */
static int parse_accuracy(Job *job)
{
    const char *text = job->settings->accuracy;
    HolMessage message;
    job->accuracy = NAN;
    if (!text)
        return EXIT_DONE;
    job->goal = HOL_GOAL_POSITION;
    if (hol_quantity_parse(text, "m", &job->accuracy, &message) != HOL_OK) {
        job->goal = HOL_GOAL_ENERGY;
        if (hol_quantity_parse(text, "J", &job->accuracy, NULL) != HOL_OK)
            return cli_fail("--accuracy: '%s' is neither a position error (1e-6) nor an energy drift ('1e-6 J')", text);
    }
    return job->accuracy > 0 ? EXIT_DONE : cli_fail("--accuracy: '%s' must be positive", text);
}

static int parse_rounds(Job *job)
{
    const char *text = job->settings->rounds;
    char *end;
    job->rounds = hol_compare_options().rounds;
    if (!text)
        return EXIT_DONE;
    long rounds = strtol(text, &end, 10);
    if (end == text || *end || rounds < 0 || rounds > MAX_ROUNDS)
        return cli_fail("--rounds: '%s' is not a whole number from 0 to %d", text, MAX_ROUNDS);
    job->rounds = (int)rounds;
    return EXIT_DONE;
}

static bool prints_csv(const Settings *s)
{
    return s->csv && strcmp(s->csv, "-") == 0;
}

static int check_output(const Settings *s)
{
    const CliFile files[] = {{"--csv", s->csv}, {"--report", s->report}};
    if (s->json && s->plot)
        return cli_fail("--json prints nothing but JSON: leave out --plot");
    if (prints_csv(s) && (s->json || s->plot))
        return cli_fail("--csv - prints nothing but CSV: leave out %s", s->json ? "--json" : "--plot");
    int code = cli_files_check(s->words.items[0], files, 2);
    if (code == EXIT_DONE && s->report)
        code = cli_report_check("--report", s->report);
    return code == EXIT_DONE && s->csv && !prints_csv(s) ? cli_file_check(s->csv) : code;
}

static int read_settings(Job *job)
{
    const Settings *s = job->settings;
    int code = cli_report_rows(s->report_rows, &job->report_rows) ? check_output(s) : EXIT_BAD_INPUT;
    if (code == EXIT_DONE)
        code = split_names(s->formulations, "--formulations", hol_formulation_count(), hol_formulation_info,
                           &job->formulations);
    if (code == EXIT_DONE)
        code = split_names(s->integrators, "--integrators", hol_integrator_count(), hol_integrator_info,
                           &job->integrators);
    for (int i = 0; code == EXIT_DONE && i < job->integrators.count; ++i)
        if (strcmp(job->integrators.names[i], hol_automatic_info().name) == 0)
            code = cli_fail("--integrators: 'automatic' is a choice among integrators, not one of them; name those to "
                            "compare, or leave --integrators out for that of the model");
    if (code == EXIT_DONE)
        code = parse_steps(job);
    if (code == EXIT_DONE)
        code = parse_accuracy(job);
    return code == EXIT_DONE ? parse_rounds(job) : code;
}

static HolStatus compare_watch(void *user)
{
    (void)user;
    return cli_interrupted() ? HOL_STOPPED : HOL_OK;
}

static HolStatus show_progress(void *user, const char *what, int done, int all)
{
    const Settings *settings = ((const Job *)user)->settings;
    struct winsize size;
    char line[240];
    if (!settings->quiet && isatty(STDERR_FILENO)) {
        int width = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col - 1 : 79;
        snprintf(line, sizeof line, "[%d/%d] %s", done + 1, all, what);
        fprintf(stderr, "\r\033[K%.*s", width, line);
    }
    return compare_watch(user);
}

static void observe(void *user, int record, double t, const HolMeasures *measures)
{
    cli_series_add(&((Job *)user)->series, record, t, measures);
}

static void clear_progress(const Settings *settings)
{
    if (!settings->quiet && isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
}

static int compare_assemble(Job *job)
{
    HolMessage message;
    return hol_mechanism_assemble(job->mechanism, &message) == HOL_OK ? EXIT_DONE : cli_fail("%s", message.text);
}

/* The reference values of a built-in model that was not changed, or NULL. */
static const char *known_values(const Settings *s)
{
    const char *name = s->words.items[0];
    if (s->model.set.count > 0 || s->model.variant)
        return NULL;
    for (int i = 0; i < hol_library_count(); ++i)
        if (strcmp(hol_library_model(i).name, name) == 0)
            return *hol_library_model(i).reference ? hol_library_model(i).reference : NULL;
    return NULL;
}

static HolCompareOptions options_of(Job *job)
{
    HolCompareOptions o = hol_compare_options();
    o.formulations = job->formulations.count ? job->formulations.names : NULL;
    o.formulation_count = job->formulations.count;
    o.integrators = job->integrators.count ? job->integrators.names : NULL;
    o.integrator_count = job->integrators.count;
    o.steps = job->steps.count ? job->step_values : NULL;
    o.step_count = job->steps.count;
    o.rounds = job->rounds;
    o.stiff_time_limit = job->settings->rounds ? 0 : STIFF_TIMING;
    o.known = known_values(job->settings);
    o.progress = show_progress;
    o.after_step = compare_watch;
    o.observe = job->settings->report ? observe : NULL;
    o.user = job;
    return o;
}

static int compare(Job *job)
{
    HolMessage message = {{0}};
    HolCompareOptions o = options_of(job);
    cli_interrupt_watch();
    HolStatus status = hol_compare(job->mechanism, &o, &job->comparison, &message);
    clear_progress(job->settings);
    job->is_interrupted = status == HOL_STOPPED;
    if (status == HOL_STOPPED && !job->comparison) {
        cli_fail("interrupted: there is nothing to compare yet");
        return EXIT_EARLY;
    }
    return job->comparison ? EXIT_DONE : cli_fail("%s", message.text);
}

static int write_csv(const CliComparison *c, const char *path)
{
    char *text = NULL;
    size_t size = 0;
    FILE *memory = hol_text_open(&text, &size);
    if (memory)
        cli_comparison_csv(c, memory);
    return cli_memory_write(memory, &text, &size, path);
}

/* Writes files before it prints. */
static int compare_show(Job *job)
{
    CliComparison c = {.model = job->model,
                       .mechanism = job->mechanism,
                       .found = job->comparison,
                       .goal = job->goal,
                       .accuracy = job->accuracy};
    const Settings *s = job->settings;
    int code = s->csv && !prints_csv(s) ? write_csv(&c, s->csv) : EXIT_DONE;
    if (s->report) {
        int report_code = cli_compare_report(&c, &job->series, job->report_rows, s->report);
        code = code == EXIT_DONE ? report_code : code;
    }
    if (prints_csv(s))
        cli_comparison_csv(&c, stdout);
    else if (s->json)
        cli_comparison_json(&c);
    else
        cli_comparison_print(&c);
    if (s->plot)
        cli_comparison_plot(&c);
    if (job->is_interrupted) {
        fflush(stdout);
        cli_fail("interrupted: times are from %d of %d rounds", job->comparison->rounds, job->rounds);
    }
    return job->is_interrupted ? EXIT_EARLY : code;
}

static void compare_release(Job *job)
{
    hol_comparison_destroy(job->comparison);
    hol_mechanism_destroy(job->mechanism);
    hol_model_destroy(job->model);
    cli_series_free(&job->series);
    free(job->formulations.text);
    free(job->integrators.text);
    free(job->steps.text);
}

static int compare_check_jumps(Job *job)
{
    return cli_model_check_jumps(job->settings->words.items[0], job->model, job->mechanism);
}

static int compare_check_files(Job *job)
{
    const Settings *s = job->settings;
    return cli_files_check_model(job->model, (const CliFile[]){{"--csv", s->csv}, {"--report", s->report}}, 2);
}

static int compare_run(const void *settings)
{
    int (*const steps[])(Job *) = {compare_check_files, compare_check_jumps, compare_assemble, compare, compare_show};
    Job job = {.settings = settings};
    const Settings *s = settings;
    int code = read_settings(&job);
    if (code == EXIT_DONE)
        code = cli_model_open(s->words.items[0], &s->model, s->quiet, &job.model, &job.mechanism);
    for (size_t i = 0; i < sizeof steps / sizeof *steps && code == EXIT_DONE; ++i)
        code = steps[i](&job);
    compare_release(&job);
    return code;
}

static const CliOption options[] = {
    CLI_TEXT("--formulations", "LIST", formulations, "comma separated, or all (the default)"),
    CLI_TEXT("--integrators", "LIST", integrators, "comma separated, or all; default that of the model"),
    CLI_TEXT("--steps", "LIST", steps, "time steps, comma separated, e.g. '2 ms, 1e-3'; default that of the model"),
    CLI_TEXT("--until", "T", model.until, "end time, e.g. 10 or '10 s'"),
    CLI_MODEL_OPTIONS(Settings, model),
    CLI_TEXT("--accuracy", "E", accuracy,
             "recommend the fastest run with this position error (1e-6) or energy drift ('1e-6 J')"),
    CLI_TEXT("--rounds", "N", rounds, "number of timing rounds; default 5, 0 for no time ratios"),
    {"--plot", NULL, OPTION_FLAG, offsetof(Settings, plot), "also plot position violation and energy drift over time"},
    {"--json", NULL, OPTION_FLAG, offsetof(Settings, json), "print JSON, one record per combination"},
    CLI_TEXT("--csv", "FILE", csv, "also write one line per combination to a file; - prints the lines instead"),
    CLI_TEXT("--report", "FILE.html", report, "also write a page with table, diagrams and the motion"),
    CLI_TEXT("--report-rows", "N", report_rows, "maximum number of states in the report; default 2001"),
    {"--quiet", NULL, OPTION_FLAG, offsetof(Settings, quiet), "no warnings, no progress"},
};

const CliCommand cli_compare = {
    .name = "compare",
    .arguments = "MODEL",
    .title = "Run a model with every formulation and compare accuracy and cost.",
    .notes =
        "Columns:\n"
        "  position, velocity, accel.  max constraint violation at each level\n"
        "  energy                      max energy drift\n"
        "  p sq, v sq, a sq            time averages of the sums of squared violations\n"
        "  error, reactions            max difference from the reference, of coordinates and of unique reactions\n"
        "  evals, iters                evaluations and iterations\n"
        "  corr.                       max position corrections per projection\n"
        "  time ratio                  CPU time relative to lagrange: median of the rounds and quartiles\n"
        "  verdict                     good, doubtful or bad, from the run alone; bad if it is inaccurate\n"
        "  status                      ok, or why the run failed; inaccurate: error above a tenth of the motion, or\n"
        "                              energy drift above the kinetic energy; too stiff: explicit steps diverge\n"
        "A run of a second family of methods confirms the reference; if they differ, there is none.\n"
        "The reference of a stiff model uses implicit steps, halved until the solution converges. Such a model has\n"
        "CPU times where lagrange fails, a recommendation without --accuracy, and, without --rounds, only the rounds\n"
        "that begin within 20 s.\n"
        "A combination that fails or is not applicable does not end the comparison. An adaptive integrator uses only\n"
        "the first of the steps.\n"
        "An interrupt during the timing rounds keeps the rounds so far; a second one ends the command at once.\n"
        "Exit codes: 0 success, 1 interrupted or not written, 2 bad input or usage.\n",
    .min_words = 1,
    .max_words = 1,
    .without = "compare needs a MODEL: a file, or a built-in model ('holon list models')",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .settings_size = sizeof(Settings),
    .run = compare_run,
};
