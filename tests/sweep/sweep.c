/* SPDX-License-Identifier: BSD-3-Clause */
/* The sweep of truth: models x coordinates x formulations x integrators x steps, a seeded sample of them, each judged
 * against a reference (subject.h) and crossed with the verdict that the run gives of itself.
 *
 *     sweep [--runs N] [--seed S] [--model NAME] [--folder PATH] [--csv FILE] [--page FILE]
 *           [--references FILE] [--list]
 *
 * --folder takes the model files of this absolute path in place of all others, with the .csv files beside them.
 * --csv writes a line for each run, --page a page with the table, --list prints the references and expensive runs.
 * --references keeps the references in a file for the next sweep, which must be of the same library.
 * A run is right if its error is below 1 % of the motion, wrong above 10 %. The test fails if a run calls itself good and
 * is wrong, or if a model has no reference. The same arguments give the same runs. */
#include "random.h"
#include "subject.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_SUBJECTS = 200, MOST_PAIRS = 200 };
static const double run_work = 1e6;
enum { DEFAULTS_ONE_IN = 12 };  /* runs */
enum { MOST_VELOCITIES = 400 }; /* of models: dense solutions of larger ones take seconds a step */
static const double right_below = 0.01, wrong_above = 0.1;

typedef struct Options {
    int runs;
    unsigned long seed;
    const char *model, *folder, *csv, *page, *references;
    bool list;
} Options;

typedef struct Pair {
    const char *formulation, *integrator;
    bool adaptive, is_explicit;
} Pair;

typedef enum Error { ERROR_RIGHT, ERROR_BETWEEN, ERROR_WRONG, ERROR_UNKNOWN, ERROR_COUNT } Error;

typedef struct Sweep {
    Options options;
    int subject_count, pair_count;
    Subject subjects[MOST_SUBJECTS];
    Pair pairs[MOST_PAIRS];
    long table[ERROR_COUNT][VERDICT_COUNT]; /* finished runs: error, verdict */
    long refused, failed, expensive;
    FILE *csv;
} Sweep;

static const char *const error_names[ERROR_COUNT] = {"right", "between", "wrong", "no reference"};

/* ---- What there is ---- */

static void add_pairs(Sweep *sweep)
{
    for (int i = 0; i < hol_formulation_count(); ++i)
        for (int k = 0; k < hol_integrator_count(); ++k) {
            HolKindInfo f = hol_formulation_info(i), g = hol_integrator_info(k);
            if (sweep->pair_count < MOST_PAIRS && hol_pair_supported(f.name, g.name, NULL) == HOL_OK)
                sweep->pairs[sweep->pair_count++] = (Pair){f.name, g.name, g.adaptive, g.is_explicit};
        }
}

/* Built-in models run for at most 2 s, those with beams for fifty of their steps; mechanisms of the sweep run to
 * their end. */
static double longest_run(const Subject *subject)
{
    double until = hol_mechanism_until(subject->mechanism);
    if (strchr(subject->name, '/'))
        return until;
    if (hol_mechanism_beam_count(subject->mechanism) > 0)
        return fmin(until, 50 * hol_mechanism_options(subject->mechanism).step);
    return fmin(until, subject->size > 60 ? 0.5 : 2);
}

static void find_reference(const Sweep *sweep, Subject *subject)
{
    const char *cache = sweep->options.references;
    double until = longest_run(subject);
    if (subject_find_known(subject, until) || (cache && subject_load_reference(subject, cache)))
        return;
    subject_find_reference(subject, until);
    if (cache)
        subject_save_reference(subject, cache);
}

static void add_subject(Sweep *sweep, const char *name, const char *coordinates)
{
    Subject *subject = &sweep->subjects[sweep->subject_count];
    const char *only = sweep->options.model;
    if (sweep->subject_count == MOST_SUBJECTS || (only && !strstr(name, only)) ||
        !subject_open(name, coordinates, subject))
        return;
    if (subject->size > MOST_VELOCITIES) {
        subject_close(subject);
        return;
    }
    clock_t begin = clock();
    find_reference(sweep, subject);
    ++sweep->subject_count;
    if (sweep->options.list)
        printf("%-28s %-16s nv %4d  until %-9.4g motion %-9.3g uncertainty %-9.2g %.1f s %s\n", subject->label,
               coordinates, subject->size, subject->until, subject->motion, subject->unsure,
               (double)(clock() - begin) / CLOCKS_PER_SEC, subject->why);
    fflush(stdout);
}

static void add_model(Sweep *sweep, const char *name)
{
    add_subject(sweep, name, "reference-point");
    add_subject(sweep, name, "natural");
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_model_file(const struct dirent *entry)
{
    return strstr(entry->d_name, ".yaml") != NULL;
}

/* `name` is what names of models begin with, a folder or a path below the sources. */
static void add_folder(Sweep *sweep, const char *folder, const char *name)
{
    struct dirent **files = NULL;
    int count = scandir(folder, &files, is_model_file, by_name);
    for (int i = 0; i < count; ++i) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", name, files[i]->d_name);
        add_model(sweep, path);
        free(files[i]);
    }
    free(files);
}

static void add_subjects(Sweep *sweep)
{
    if (sweep->options.folder) {
        add_folder(sweep, sweep->options.folder, sweep->options.folder);
        return;
    }
    for (int i = 0; i < hol_library_count(); ++i)
        add_model(sweep, hol_library_model(i).name);
    add_folder(sweep, HOLON_SOURCE_DIR "/tests/sweep/mechanisms", "tests/sweep/mechanisms");
}

/* ---- A run ---- */

static double log_uniform(double low, double high)
{
    return low * pow(high / low, (random_number() + 1) / 2);
}

/* Steps from 1e-4 s to 5e-2 s, fewer than 4000 and more than 9 of them, which end at the samples. */
static double choose_step(const Subject *subject)
{
    double interval = subject->until / (SAMPLE_COUNT - 1);
    double low = fmax(fmin(1e-4, subject->until / 200), subject->until / (subject->is_stiff ? 500 : 4000));
    double high = fmin(fmax(5e-2, subject->until / 100), subject->until / 10);
    double h = log_uniform(low, fmax(high, 2 * low));
    return h < interval ? interval / ceil(interval / h) : interval * floor(h / interval);
}

static Method choose_method(const Sweep *sweep, const Subject *subject)
{
    const Pair *pair;
    if (random_between(0, DEFAULTS_ONE_IN - 1) == 0)
        return (Method){0};
    do /* explicit steps of beams would be too many */
        pair = &sweep->pairs[random_between(0, sweep->pair_count - 1)];
    while (subject->is_stiff && pair->is_explicit);
    Method method = {.formulation = pair->formulation, .integrator = pair->integrator, .step = choose_step(subject)};
    if (pair->adaptive) {
        method.tolerance = log_uniform(1e-12, 1e-3);
        method.step = 1e-3;
    }
    return method;
}

static void print_command(FILE *file, const Subject *subject, const Method *method)
{
    fprintf(file, "holon run %s --coordinates %s --until %.10g", subject->name, subject->coordinates, subject->until);
    if (method->formulation)
        fprintf(file, " --formulation %s --integrator %s --step %.10g", method->formulation, method->integrator,
                method->step);
    if (method->tolerance > 0)
        fprintf(file, " --set run.integrator.tolerance=%.6g", method->tolerance);
}

static void write_header(FILE *file)
{
    fprintf(
        file,
        "model,coordinates,formulation,integrator,step,tolerance,until,nv,dof,status,verdict,findings,estimated_error,error,uncertainty,"
        "motion,length,max_drift,max_kinetic,energy_range,potential_range,energy_rise,position_violation,"
        "velocity_violation,acceleration_violation,off_manifold_energy,singular_events,branch_changes,"
        "energy_jumps,recoveries,unconverged,divisions,repartitions,rejections,steps,evaluations,iterations,"
        "reached,undamped,message,command\n");
}

static void write_row(FILE *file, const Subject *subject, const Method *method, const Outcome *outcome, double error)
{
    const HolSummary *s = &outcome->summary;
    const char *status = outcome->is_expensive ? "too-expensive"
                         : outcome->is_created ? hol_status_name(outcome->status)
                                               : "refused";
    fprintf(file, "%s,%s,%s,%s,%.10g,%.6g,%.10g,%d,%d,%s,", subject->label, subject->coordinates,
            method->formulation ? method->formulation : "default", method->formulation ? method->integrator : "default",
            method->step, method->tolerance, subject->until, subject->size, s->dof, status);
    fprintf(file, "%s,", outcome->is_created ? hol_verdict_name(outcome->findings.verdict) : "-");
    for (int i = 0; i < outcome->findings.count && outcome->findings.list[i].verdict != HOL_VERDICT_GOOD; ++i)
        fprintf(file, "%s%s %.2g", i > 0 ? "; " : "", outcome->findings.list[i].what, outcome->findings.list[i].value);
    fprintf(file, ",%.4g,%.4g,%.4g,%.6g,%.6g,", s->estimated_error, error, subject->unsure, subject->motion,
            subject->length);
    fprintf(file, "%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,", s->max_energy_drift, s->max_kinetic_energy,
            outcome->max_energy - outcome->min_energy, outcome->max_potential - outcome->min_potential,
            s->max_energy_rise, s->max_position_violation, s->max_velocity_violation, s->max_acceleration_violation,
            s->max_off_manifold_energy);
    fprintf(file, "%ld,%ld,%ld,%ld,%ld,%ld,%ld,%ld,%ld,%ld,%ld,", s->singular_events, s->branch_changes,
            s->energy_jumps, s->recoveries, s->unconverged, s->divisions, s->repartitions, s->rejections, s->steps,
            s->evaluations, s->iterations);
    fprintf(file, "%.10g,%s,\"", s->reached, s->undamped ? s->undamped : "");
    for (const char *c = outcome->message.text; *c; ++c)
        fputc(*c == '"' ? '\'' : *c, file);
    fprintf(file, "\",\"");
    print_command(file, subject, method);
    fprintf(file, "\"\n");
}

static Error classify(double error)
{
    return isnan(error)           ? ERROR_UNKNOWN
           : error < right_below  ? ERROR_RIGHT
           : error <= wrong_above ? ERROR_BETWEEN
                                  : ERROR_WRONG;
}

static void count_outcome(Sweep *sweep, const Outcome *outcome, Error error)
{
    if (outcome->is_expensive)
        ++sweep->expensive;
    else if (!outcome->is_created)
        ++sweep->refused;
    else if (outcome->status != HOL_OK)
        ++sweep->failed;
    else
        ++sweep->table[error][outcome->findings.verdict];
}

static void run_one(Sweep *sweep)
{
    Subject *subject = &sweep->subjects[random_between(0, sweep->subject_count - 1)];
    Method method = choose_method(sweep, subject);
    Outcome outcome;
    clock_t begin = clock();
    subject_run(subject, &method, subject->until, run_work, &outcome);
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    if (sweep->options.list && seconds > 0.5) {
        printf("%.2f s: ", seconds);
        print_command(stdout, subject, &method);
        printf("\n");
    }
    double value = outcome.is_created ? subject_error(subject, &outcome) : (double)NAN;
    Error error = classify(value);
    count_outcome(sweep, &outcome, error);
    if (sweep->csv)
        write_row(sweep->csv, subject, &method, &outcome, value), fflush(sweep->csv);
    if (outcome.status == HOL_OK && outcome.findings.verdict == HOL_VERDICT_GOOD && error == ERROR_WRONG) {
        printf("good but wrong, error %.3g: ", value);
        print_command(stdout, subject, &method);
        printf("\n");
    }
    outcome_close(&outcome);
}

/* ---- Results ---- */

static void print_table(const Sweep *sweep, FILE *file)
{
    fprintf(file, "| finished runs | good | doubtful | bad |\n|---|---:|---:|---:|\n");
    for (int i = 0; i < ERROR_COUNT; ++i) {
        fprintf(file, "| %s |", error_names[i]);
        for (int k = 0; k < VERDICT_COUNT; ++k)
            fprintf(file, " %ld |", sweep->table[i][k]);
        fprintf(file, "\n");
    }
    fprintf(file, "\n| other runs | |\n|---|---:|\n| refused | %ld |\n| failed with a cause | %ld |\n", sweep->refused,
            sweep->failed);
    fprintf(file, "| too expensive | %ld |\n", sweep->expensive);
}

static void print_references(const Sweep *sweep, FILE *file)
{
    int with = 0;
    for (int i = 0; i < sweep->subject_count; ++i)
        with += sweep->subjects[i].path != NULL || sweep->subjects[i].is_impossible;
    fprintf(file, "\n%d of %d models, counted once for each kind of coordinates, have a reference. The others:\n", with,
            sweep->subject_count);
    for (int i = 0; i < sweep->subject_count; ++i)
        if (*sweep->subjects[i].why)
            fprintf(file, "\n- `%s` in %s coordinates: %s", sweep->subjects[i].label, sweep->subjects[i].coordinates,
                    sweep->subjects[i].why);
    fprintf(file, with < sweep->subject_count ? "\n" : "\n- none\n");
}

/* The page docs/truth.md. */
static bool write_page(const Sweep *sweep)
{
    FILE *file = fopen(sweep->options.page, "w");
    if (!file)
        return false;
    fprintf(
        file,
        "# Runs against references\n\n`make truth` writes this page; `build/release/tests/sweep --runs %d --seed %lu "
        "--csv runs.csv`\nrepeats the runs and writes one line for each.\n\n",
        sweep->options.runs, sweep->options.seed);
    fprintf(
        file,
        "A run combines a model, coordinates, a formulation, an integrator and a step from 1e-4 s to 5e-2 s, or"
        " for `dopri5`\na tolerance from 1e-12 to 1e-3, drawn at random; one in twelve runs with the defaults. Its error is the largest difference"
        " from a reference at 21\ntimes, in parts of the range of the motion: **right** below 1 %%, **wrong**"
        " above 10 %%. The columns are the verdict\nthat the run gives of itself. `tests/sweep/subject.h`"
        " describes the references.\n\n");
    print_table(sweep, file);
    print_references(sweep, file);
    return fclose(file) == 0;
}

static bool read_options(int count, char **arguments, Options *options)
{
    *options = (Options){.runs = 200, .seed = 1};
    for (int i = 1; i < count; ++i) {
        const char *name = arguments[i], *value = i + 1 < count ? arguments[i + 1] : NULL;
        if (strcmp(name, "--list") == 0) {
            options->list = true;
            continue;
        }
        if (!value)
            return false;
        ++i;
        if (strcmp(name, "--runs") == 0)
            options->runs = atoi(value);
        else if (strcmp(name, "--seed") == 0)
            options->seed = strtoul(value, NULL, 10);
        else if (strcmp(name, "--model") == 0)
            options->model = value;
        else if (strcmp(name, "--folder") == 0)
            options->folder = value;
        else if (strcmp(name, "--csv") == 0)
            options->csv = value;
        else if (strcmp(name, "--references") == 0)
            options->references = value;
        else if (strcmp(name, "--page") == 0)
            options->page = value;
        else
            return false;
    }
    return true;
}

/* Whether every model has a reference and no run calls itself good and is wrong. */
static bool is_true(const Sweep *sweep)
{
    bool has_all = sweep->subject_count > 0;
    for (int i = 0; i < sweep->subject_count; ++i)
        if (*sweep->subjects[i].why) {
            has_all = false;
            printf("%s in %s coordinates has no reference: %s\n", sweep->subjects[i].label,
                   sweep->subjects[i].coordinates, sweep->subjects[i].why);
        }
    return has_all && sweep->table[ERROR_WRONG][0] == 0;
}

int main(int count, char **arguments)
{
    static Sweep sweep;
    if (!read_options(count, arguments, &sweep.options)) {
        fprintf(
            stderr,
            "sweep [--runs N] [--seed S] [--model NAME] [--folder PATH] [--csv FILE] [--page FILE] [--references FILE] "
            "[--list]\n");
        return 2;
    }
    add_pairs(&sweep);
    add_subjects(&sweep);
    if (sweep.options.csv && (sweep.csv = fopen(sweep.options.csv, "w")) != NULL)
        write_header(sweep.csv);
    random_seed(sweep.options.seed * 0x9E3779B97F4A7C15u);
    random_number(); /* of small seeds alike */
    for (int i = 0; i < sweep.options.runs && sweep.subject_count > 0; ++i)
        run_one(&sweep);
    if (sweep.csv)
        fclose(sweep.csv);
    print_table(&sweep, stdout);
    bool is_written = !sweep.options.page || write_page(&sweep);
    bool is_passed = is_written && is_true(&sweep);
    for (int i = 0; i < sweep.subject_count; ++i)
        subject_close(&sweep.subjects[i]);
    return is_passed ? 0 : 1;
}
