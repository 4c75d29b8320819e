/* SPDX-License-Identifier: BSD-3-Clause */
/* holon compare MODEL: every formulation on one model, side by side. */
#include "compare_output.h"
#include "interrupt.h"
#include "model.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

typedef struct Settings {
    CliWords words;
    CliModelOptions model;
    const char *formulations, *integrators, *steps, *accuracy, *rounds, *csv;
    bool json, plot, quiet;
} Settings;

enum { MOST_NAMES = 64, MOST_ROUNDS = 1000 };

/* A comma separated list, split in place; empty: nothing was said, or all. */
typedef struct List {
    char *text;
    const char *names[MOST_NAMES];
    int count;
} List;

/* Everything one comparison holds. */
typedef struct Job {
    const Settings *settings;
    HolModel *model;
    HolMechanism *mechanism;
    List formulations, integrators, steps;
    double step_values[MOST_NAMES];
    int rounds;
    HolCompareGoal goal;
    double accuracy;
    FILE *csv;
    HolComparison *comparison;
} Job;

/* ---- What was asked for ---- */

static char *trim(char *text)
{
    text += strspn(text, " \t");
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t", text[length - 1]))
        text[--length] = '\0';
    return text;
}

static int split(const char *text, const char *option, List *list)
{
    char *rest = NULL;
    if (!text || strcmp(text, "all") == 0)
        return EXIT_DONE;
    list->text = strdup(text);
    if (!list->text)
        return cli_fail("not enough memory");
    for (char *name = strtok_r(list->text, ",", &rest); name; name = strtok_r(NULL, ",", &rest)) {
        name = trim(name);
        if (!*name)
            continue;
        if (list->count == MOST_NAMES)
            return cli_fail("%s names more than %d", option, MOST_NAMES);
        list->names[list->count++] = name;
    }
    return list->count > 0 ? EXIT_DONE : cli_fail("%s is empty", option);
}

/* "all" integrators must be named: none means the model's. */
static int split_integrators(const char *text, List *list)
{
    if (!text || strcmp(text, "all") != 0)
        return split(text, "--integrators", list);
    for (; list->count < hol_integrator_count() && list->count < MOST_NAMES; ++list->count)
        list->names[list->count] = hol_integrator_info(list->count).name;
    return EXIT_DONE;
}

static int parse_steps(Job *job)
{
    HolMessage message;
    int code = split(job->settings->steps, "--steps", &job->steps);
    for (int i = 0; code == EXIT_DONE && i < job->steps.count; ++i) {
        double *step = &job->step_values[i];
        if (hol_quantity_parse(job->steps.names[i], "s", step, &message) != HOL_OK)
            code = cli_fail("--steps: '%s': %s", job->steps.names[i], message.text);
        else if (!(*step > 0))
            code = cli_fail("--steps: '%s' must be positive", job->steps.names[i]);
    }
    return code;
}

/* The unit tells what is meant: "1e-6" or "1 um" a position, "1e-6 J" an energy. */
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
            return cli_fail("--accuracy: '%s': a position (1e-6) or an energy ('1e-6 J') is expected", text);
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
    if (end == text || *end || rounds < 0 || rounds > MOST_ROUNDS)
        return cli_fail("--rounds: '%s' is not a whole number from 0 to %d", text, MOST_ROUNDS);
    job->rounds = (int)rounds;
    return EXIT_DONE;
}

static int read_settings(Job *job)
{
    const Settings *s = job->settings;
    if (s->json && s->plot)
        return cli_fail("--json prints nothing else: leave out --plot");
    int code = split(s->formulations, "--formulations", &job->formulations);
    if (code == EXIT_DONE)
        code = split_integrators(s->integrators, &job->integrators);
    if (code == EXIT_DONE)
        code = parse_steps(job);
    if (code == EXIT_DONE)
        code = parse_accuracy(job);
    return code == EXIT_DONE ? parse_rounds(job) : code;
}

/* ---- What goes on ---- */

static HolStatus watch(void *user)
{
    (void)user;
    return cli_interrupted() ? HOL_STOPPED : HOL_OK;
}

static HolStatus show_progress(void *user, const char *what, int done, int all)
{
    const Settings *settings = user;
    struct winsize size;
    char line[240];
    if (!settings->quiet && isatty(STDERR_FILENO)) {
        int width = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col - 1 : 79;
        snprintf(line, sizeof line, "[%d/%d] %s", done + 1, all, what);
        fprintf(stderr, "\r\033[K%.*s", width, line);
    }
    return watch(user);
}

static void clear_progress(const Settings *settings)
{
    if (!settings->quiet && isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
}

/* ---- The command ---- */

static int assemble(Job *job)
{
    HolMessage message;
    return hol_mechanism_assemble(job->mechanism, &message) == HOL_OK ? EXIT_DONE : cli_fail("%s", message.text);
}

static int open_csv(Job *job)
{
    const char *path = job->settings->csv;
    if (!path)
        return EXIT_DONE;
    job->csv = fopen(path, "w");
    return job->csv ? EXIT_DONE : cli_fail("cannot write '%s': %s", path, strerror(errno));
}

/* The known values of a built-in model that nothing was changed in, or NULL. */
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

static HolCompareOptions options_of(const Job *job)
{
    HolCompareOptions o = hol_compare_options();
    o.formulations = job->formulations.count ? job->formulations.names : NULL;
    o.formulation_count = job->formulations.count;
    o.integrators = job->integrators.count ? job->integrators.names : NULL;
    o.integrator_count = job->integrators.count;
    o.steps = job->steps.count ? job->step_values : NULL;
    o.step_count = job->steps.count;
    o.rounds = job->rounds;
    o.known = known_values(job->settings);
    o.progress = show_progress;
    o.watch = watch;
    o.user = (void *)(size_t)job->settings;
    return o;
}

static int compare(Job *job)
{
    HolMessage message = {{0}};
    HolCompareOptions o = options_of(job);
    cli_interrupt_watch();
    HolStatus status = hol_compare(job->mechanism, &o, &job->comparison, &message);
    clear_progress(job->settings);
    if (status == HOL_STOPPED) {
        cli_fail("interrupted; nothing was compared");
        return EXIT_EARLY;
    }
    return status == HOL_OK ? EXIT_DONE : cli_fail("%s", message.text);
}

/* Files first, then what is printed. */
static int show(Job *job)
{
    CliComparison c = {.model = job->model,
                       .mechanism = job->mechanism,
                       .found = job->comparison,
                       .goal = job->goal,
                       .accuracy = job->accuracy};
    bool good = true;
    if (job->csv) {
        cli_comparison_csv(&c, job->csv);
        good = fflush(job->csv) == 0 && !ferror(job->csv);
        if (!good)
            cli_fail("cannot write '%s': %s", job->settings->csv, strerror(errno));
    }
    if (job->settings->json)
        cli_comparison_json(&c);
    else
        cli_comparison_print(&c);
    if (job->settings->plot)
        cli_comparison_plot(&c);
    return good ? EXIT_DONE : EXIT_EARLY;
}

static void release(Job *job)
{
    if (job->csv)
        fclose(job->csv);
    hol_comparison_destroy(job->comparison);
    hol_mechanism_destroy(job->mechanism);
    hol_model_destroy(job->model);
    free(job->formulations.text);
    free(job->integrators.text);
    free(job->steps.text);
}

static int run(const void *settings)
{
    int (*const steps[])(Job *) = {assemble, open_csv, compare, show};
    Job job = {.settings = settings};
    const Settings *s = settings;
    int code = read_settings(&job);
    if (code == EXIT_DONE)
        code = cli_model_open(s->words.items[0], &s->model, s->quiet, &job.model, &job.mechanism);
    for (size_t i = 0; i < sizeof steps / sizeof *steps && code == EXIT_DONE; ++i)
        code = steps[i](&job);
    release(&job);
    return code;
}

#define TEXT(name, value, field, help)                                                                                 \
    {                                                                                                                  \
        name, value, OPTION_TEXT, offsetof(Settings, field), help                                                      \
    }

static const CliOption options[] = {
    TEXT("--formulations", "LIST", formulations, "comma separated, or all (the default)"),
    TEXT("--integrators", "LIST", integrators, "comma separated, or all; default the model's"),
    TEXT("--steps", "LIST", steps, "comma separated, e.g. '2 ms, 1e-3'; default the model's"),
    TEXT("--until", "T", model.until, "time to reach, e.g. 10 or '10 s'"),
    CLI_MODEL_OPTIONS(Settings, model),
    TEXT("--accuracy", "E", accuracy, "name the fastest with this position error (1e-6) or energy drift ('1e-6 J')"),
    TEXT("--rounds", "N", rounds, "how often every run is timed; default 5, 0 for no times"),
    {"--plot", NULL, OPTION_FLAG, offsetof(Settings, plot), "draw violation and energy drift over time, too"},
    {"--json", NULL, OPTION_FLAG, offsetof(Settings, json), "print JSON, one record per combination"},
    TEXT("--csv", "FILE", csv, "write one line per combination to a file, too"),
    {"--quiet", NULL, OPTION_FLAG, offsetof(Settings, quiet), "no warnings, no progress"},
};

const CliCommand cli_compare = {
    .name = "compare",
    .arguments = "MODEL",
    .title = "Run a model through every formulation, side by side.",
    .notes =
        "position, velocity, accel.: largest violation of the constraints at each level; mean sq: time mean of the\n"
        "sum of squares of the positions' violations; energy: largest drift; error, reactions: largest difference\n"
        "from the reference, of coordinates and of the reactions that are unique; time ratio: of processor time to\n"
        "lagrange, median of the rounds and quartiles.\n"
        "A combination that fails or does not apply is reported and does not end the comparison. An adaptive\n"
        "integrator runs with the first of the steps only.\n"
        "Exit codes: 0 success, 1 interrupted or not written, 2 bad input or usage.\n",
    .least_words = 1,
    .most_words = 1,
    .without = "compare needs a MODEL: a file, or a built-in model ('holon list models')",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .settings_size = sizeof(Settings),
    .run = run,
};
