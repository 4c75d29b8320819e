/* SPDX-License-Identifier: BSD-3-Clause */
/* holon run MODEL: simulates a model, writes results and a summary. */
#include <holon/compare.h>

#include "model.h"
#include "run/advice.h"
#include "run/events.h"
#include "run/passages.h"
#include "run/recording.h"
#include "run/verify.h"
#include "terminal/files.h"
#include "terminal/interrupt.h"
#include "terminal/memory.h"
#include "terminal/plot.h"
#include "terminal/progress.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Settings {
    CliWords words;
    CliModelOptions model;
    const char *output, *report, *report_rows, *summary, *record, *realtime, *accept;
    bool plot, quiet, verify;
} Settings;

/* Everything one run holds. */
typedef struct Job {
    const Settings *settings;
    HolModel *model;
    HolMechanism *mechanism;
    CliRecording recording;
    HolSimulation *simulation;
    long report_rows;
    HolRun run;
    CliProgress progress;
    double factor; /* of --realtime */
    CliPace pace;
    HolHistory history;
    CliVerify verify;
    bool has_older;   /* the file of --output is that of an earlier run */
    HolStatus status; /* of the run */
    bool was_left;    /* in the middle of a step */
} Job;

static HolStatus run_record(void *user, const HolState *state, const HolMeasures *measures)
{
    Job *job = user;
    CliActivity before = cli_interrupt_activity(CLI_WRITING);
    HolStatus status = cli_recording_add(&job->recording, state, measures);
    cli_interrupt_activity(before);
    return status;
}

static HolStatus run_look(void *user, double t)
{
    Job *job = user;
    if (job->settings->plot) {
        HolMeasures measures = hol_simulation_measures(job->simulation);
        hol_history_add(&job->history, t, &measures);
    }
    if (job->settings->verify && cli_verify_add(&job->verify, job->simulation) != HOL_OK)
        return HOL_NOT_FINITE;
    if (!job->settings->realtime || cli_realtime_step(&job->pace, t))
        cli_progress_update(&job->progress, t);
    if (job->settings->realtime)
        cli_realtime_wait(&job->pace);
    return cli_interrupted() ? HOL_STOPPED : HOL_OK;
}

static HolStatus run_watch(void *user, double t)
{
    CliActivity before = cli_interrupt_activity(CLI_WRITING);
    HolStatus status = run_look(user, t);
    cli_interrupt_activity(before);
    return status;
}

static void run_steps(void *user)
{
    Job *job = user;
    job->status = hol_simulation_run(job->simulation, &job->run);
}

/* A step that takes long is left at a signal: the run then ends with the state before it. */
static HolStatus run_simulate(Job *job)
{
    job->status = HOL_STOPPED;
    job->was_left = !cli_interrupt_guard(run_steps, job);
    return job->was_left ? HOL_STOPPED : job->status;
}

static int choose_columns(Job *job)
{
    return cli_recording_choose(&job->recording, job->model, job->mechanism, job->settings->record);
}

static int create_simulation(Job *job)
{
    HolMessage message;
    if (hol_mechanism_assemble(job->mechanism, &message) != HOL_OK)
        return cli_fail("%s", message.text);
    HolInitialState start = hol_mechanism_initial_state(job->mechanism);
    HolSimulationOptions options = hol_mechanism_options(job->mechanism);
    HolStatus status =
        hol_simulation_create(hol_mechanism_system(job->mechanism), &start, &options, &job->simulation, &message);
    return status == HOL_OK ? EXIT_DONE : cli_fail("%s", message.text);
}

static void plan_run(Job *job)
{
    double start = hol_simulation_state(job->simulation)->t;
    double until = hol_mechanism_until(job->mechanism), every = hol_mechanism_every(job->mechanism);
    if (every <= 0 && hol_compare_is_adaptive(hol_simulation_summary(job->simulation).integrator))
        every = (until - start) / 1000;
    bool records = job->settings->output || job->settings->report;
    job->run = (HolRun){
        .until = until, .every = every, .record = records ? run_record : NULL, .progress = run_watch, .user = job};
    job->run.singular = hol_recorder_find(job->recording.recorder, "singular.sigma_min") >= 0;
    job->history = hol_history_begin(start, until);
    job->progress = cli_progress_begin(start, until, !job->settings->quiet);
}

static int open_recording(Job *job)
{
    return cli_recording_open(&job->recording, job->mechanism, job->settings->output,
                              job->settings->report ? job->report_rows : 0);
}

static bool prints_summary(const Settings *settings)
{
    return settings->summary && strcmp(settings->summary, "-") == 0;
}

static bool run_check_accept(const char *accept)
{
    if (!accept || strcmp(accept, hol_verdict_name(HOL_VERDICT_BAD)) == 0)
        return true;
    cli_fail("--accept takes 'bad', but got '%s': good and doubtful results always exit with 0", accept);
    return false;
}

/* Checks the options that do not depend on the model. */
static int run_check_settings(Job *job)
{
    const Settings *settings = job->settings;
    if (!cli_report_rows(settings->report_rows, &job->report_rows) || !run_check_accept(settings->accept))
        return EXIT_BAD_INPUT;
    if (settings->realtime && !cli_realtime_parse(settings->realtime, &job->factor))
        return EXIT_BAD_INPUT;
    const CliFile files[] = {
        {"--output", settings->output}, {"--summary", settings->summary}, {"--report", settings->report}};
    int code = cli_files_check(settings->words.items[0], files, 3);
    if (code == EXIT_DONE && settings->report)
        code = cli_report_check("--report", settings->report);
    if (code == EXIT_DONE && settings->summary && !prints_summary(settings))
        code = cli_file_check(settings->summary);
    if (code != EXIT_DONE)
        return code;
    if (settings->plot && prints_summary(settings))
        return cli_fail("--summary - prints nothing but JSON: leave out --plot");
    if (!settings->output && !settings->report && !settings->verify && !settings->quiet &&
        (settings->record || settings->model.every))
        fprintf(stderr, "warning: %s has no effect: there is no --output\n", settings->record ? "--record" : "--every");
    if (!settings->report && !settings->quiet && settings->report_rows)
        fprintf(stderr, "warning: --report-rows has no effect: there is no --report\n");
    return EXIT_DONE;
}

static int begin_verify(Job *job)
{
    return job->settings->verify
               ? cli_verify_begin(&job->verify, job->mechanism, job->recording.recorder, job->simulation)
               : EXIT_DONE;
}

static int run_check_jumps(Job *job)
{
    return cli_model_check_jumps(job->settings->words.items[0], job->model, job->mechanism);
}

/* Rejects bad input before it opens the first file. */
static int run_prepare(Job *job)
{
    int (*const steps[])(Job *) = {run_check_jumps, choose_columns, create_simulation, begin_verify, open_recording};
    const Settings *settings = job->settings;
    int code = run_check_settings(job);
    if (code == EXIT_DONE)
        code =
            cli_model_open(settings->words.items[0], &settings->model, settings->quiet, &job->model, &job->mechanism);
    for (size_t i = 0; i < sizeof steps / sizeof *steps && code == EXIT_DONE; ++i)
        code = steps[i](job);
    if (code == EXIT_DONE)
        plan_run(job);
    return code;
}

static void print_json(const Job *job, const CliSummary *summary, FILE *file)
{
    CliJson json = cli_json_begin(file);
    cli_json_object(&json, NULL);
    cli_summary_members(summary, &json);
    cli_events_members(job->mechanism, job->simulation, &json);
    cli_impulses_member(job->mechanism, job->simulation, &json);
    cli_realtime_member(job->settings->realtime ? &job->pace : NULL, &json);
    cli_json_end(&json);
}

static int write_summary(const Job *job, const CliSummary *summary)
{
    const char *path = job->settings->summary;
    char *text = NULL;
    size_t size = 0;
    if (!path)
        return EXIT_DONE;
    if (prints_summary(job->settings)) {
        print_json(job, summary, stdout);
        return EXIT_DONE;
    }
    FILE *memory = open_memstream(&text, &size);
    if (memory)
        print_json(job, summary, memory);
    int code = EXIT_EARLY;
    if (cli_memory_close(memory, &text))
        code = cli_file_write(path, text, size);
    else
        cli_fail("not enough memory to write '%s'", path);
    free(text);
    return code;
}

/* Explains on stderr why the run ended early. */
static void explain_end(const Job *job, const HolSummary *run)
{
    const HolResults *results = job->recording.results;
    const char *help = cli_run_advice(job->mechanism, job->simulation, run->status);
    if (results && *hol_results_message(results))
        cli_fail("%s; the run ended at t = %.9g s", hol_results_message(results), run->reached);
    else if (cli_interrupted() && run->status == HOL_STOPPED)
        cli_fail("interrupted at t = %.9g s of %.9g s", run->reached, job->run.until);
    else
        cli_fail("the simulation ended early at t = %.9g s of %.9g s: %s", run->reached, job->run.until,
                 hol_simulation_message(job->simulation));
    if (help)
        cli_fail("%s", help);
    if (results && !*hol_results_message(results))
        cli_fail("the results so far are in '%s'", job->settings->output);
    else if (job->has_older)
        cli_fail("'%s' has the results of an earlier run still", job->settings->output);
}

static void print_plots(const Job *job)
{
    const HolHistory *history = &job->history;
    CliPlot violation = {.title = "max position violation", .start = history->start, .until = history->until};
    CliPlot drift = {.title = "max energy drift in J", .start = history->start, .until = history->until};
    const char *formulation = hol_simulation_summary(job->simulation).formulation;
    cli_plot_add(&violation, formulation, history->violation);
    cli_plot_add(&drift, formulation, history->drift);
    cli_plot_print(&violation);
    cli_plot_print(&drift);
}

static void describe_results(const Job *job, char *text, size_t size)
{
    snprintf(text, size, "%s: %ld rows, %d columns", job->settings->output,
             hol_results_row_count(job->recording.results), job->recording.names.count);
}

/* Writes the scene of the results, and the report. */
static int write_pages(Job *job, const CliSummary *summary, HolStatus status)
{
    CliReport *report = &job->recording.report;
    bool is_early = status != HOL_OK, was_interrupted = cli_interrupted() && status == HOL_STOPPED;
    const char *unwritten = job->recording.results ? hol_results_message(job->recording.results) : "";
    CliOutcome outcome = {.summary = summary, .simulation = job->simulation};
    if (is_early) {
        outcome.why = was_interrupted ? "it was interrupted"
                      : *unwritten    ? unwritten
                                      : hol_simulation_message(job->simulation);
        outcome.advice = cli_run_advice(job->mechanism, job->simulation, status);
    }
    const CliPace *pace = job->settings->realtime ? &job->pace : NULL;
    if (job->recording.has_report && !job->was_left)
        cli_report_end(report, job->simulation);
    cli_recording_attach(&job->recording, &outcome, pace);
    if (!job->recording.has_report)
        return EXIT_DONE;
    return cli_report_write(report, job->settings->report, job->model, summary->diagnosis, &outcome, pace);
}

/* The first time at which a recorded reaction could not be resolved; NAN: none is recorded. */
static double unresolved_since(const CliRecording *recording)
{
    double since = hol_recorder_unresolved_since(recording->recorder);
    return recording->has_report ? fmin(since, hol_recorder_unresolved_since(recording->report.recorder)) : since;
}

/* The sentences of a summary. */
typedef struct Texts {
    char results[400], passages[200], realtime[300], events[300], impulses[300];
} Texts;

static CliSummary describe_run(const Job *job, const HolDiagnosis *diagnosis, Texts *texts)
{
    const HolResults *file = job->recording.results;
    CliSummary summary = {.model = job->model,
                          .mechanism = job->mechanism,
                          .run = hol_simulation_summary(job->simulation),
                          .until = job->run.until,
                          .diagnosis = diagnosis,
                          .unresolved_since = unresolved_since(&job->recording)};
    hol_simulation_findings(job->simulation, &summary.findings);
    if (file && !*hol_results_message(file)) {
        describe_results(job, texts->results, sizeof texts->results);
        summary.results = texts->results;
    }
    if (summary.run.singular_events > 0) {
        cli_passages_summary(job->mechanism, job->simulation, texts->passages, sizeof texts->passages);
        summary.passages = texts->passages;
    }
    if (summary.run.events + summary.run.skipped_events > 0) {
        cli_events_text(job->mechanism, job->simulation, texts->events, sizeof texts->events);
        summary.events = texts->events;
    }
    if (hol_simulation_impulse_count(job->simulation) > 0) {
        cli_impulses_text(job->mechanism, job->simulation, texts->impulses, sizeof texts->impulses);
        summary.impulses = texts->impulses;
    }
    if (job->settings->realtime) {
        cli_realtime_text(&job->pace, texts->realtime, sizeof texts->realtime);
        summary.realtime = texts->realtime;
    }
    return summary;
}

static void print_run(const Job *job, const CliSummary *summary)
{
    const Settings *settings = job->settings;
    if (!settings->quiet && !prints_summary(settings))
        cli_summary_print(summary);
    if (job->verify.is_on && !settings->quiet && !prints_summary(settings))
        cli_verify_print(&job->verify);
    if (settings->plot)
        print_plots(job);
    fflush(stdout);
    if (settings->realtime && !settings->quiet)
        cli_realtime_warn(&job->pace);
    cli_passages_print(stderr, job->mechanism, job->simulation, settings->quiet);
}

static HolStatus run_watch_again(void *user, double t)
{
    Job *job = user;
    cli_progress_update(&job->progress, t);
    return cli_interrupted() ? HOL_STOPPED : HOL_OK;
}

static int run_verify(Job *job, CliSummary *summary)
{
    job->progress = cli_progress_begin(summary->run.start, summary->run.reached, !job->settings->quiet);
    int code = cli_verify_end(&job->verify, &summary->run, run_watch_again, job, &summary->findings);
    cli_progress_end(&job->progress);
    return code;
}

/* Results of a run that failed in its first step do not replace older ones. */
static void drop_results(Job *job, HolStatus status)
{
    HolResults *file = job->recording.results;
    job->has_older = file && status != HOL_OK && !hol_results_has_name(file);
    if (!job->has_older || *hol_results_message(file))
        return;
    hol_results_discard(file);
    job->recording.results = NULL;
}

/* A run that is refused leaves all files as they were. */
static int run_refuse(Job *job)
{
    cli_progress_end(&job->progress);
    return cli_fail("%s", hol_simulation_message(job->simulation));
}

/* Writes files before it prints: a closed pipe must not cost results. */
static int run_report(Job *job, HolStatus status)
{
    Texts texts;
    HolDiagnosis *diagnosis = NULL;
    drop_results(job, status);
    HolResults *file = job->recording.results;
    cli_progress_end(&job->progress);
    if (hol_simulation_summary(job->simulation).redundant_rows > 0 && !cli_interrupted())
        hol_mechanism_diagnose_run(job->mechanism, job->simulation, &diagnosis, NULL);
    CliSummary summary = describe_run(job, diagnosis, &texts);
    if (job->was_left)
        summary.run.status = status;
    int verify_code = job->settings->verify && status == HOL_OK ? run_verify(job, &summary) : EXIT_DONE;
    int report_code = write_pages(job, &summary, status);
    HolStatus written = file ? hol_results_finish(file) : HOL_OK;
    if (written != HOL_OK) {
        summary.run.status = written;
        summary.results = NULL;
    }
    int code = write_summary(job, &summary);
    code = code == EXIT_DONE ? report_code : code;
    code = code == EXIT_DONE ? verify_code : code;
    if (code == EXIT_DONE && status == HOL_OK)
        code = cli_findings_code(&summary.findings, job->settings->accept);
    print_run(job, &summary);
    if (status != HOL_OK || written != HOL_OK) {
        explain_end(job, &summary.run);
        code = status == HOL_BAD_INPUT ? EXIT_BAD_INPUT : EXIT_EARLY;
    }
    hol_diagnosis_destroy(diagnosis);
    return code;
}

static void run_release(Job *job)
{
    cli_verify_free(&job->verify);
    cli_recording_free(&job->recording);
    hol_simulation_destroy(job->simulation);
    hol_mechanism_destroy(job->mechanism);
    hol_model_destroy(job->model);
}

static int run(const void *settings)
{
    Job job = {.settings = settings};
    int code = run_prepare(&job);
    if (code == EXIT_DONE) {
        cli_interrupt_watch();
        if (job.settings->realtime)
            job.pace = cli_realtime_begin(job.factor, hol_simulation_state(job.simulation)->t);
        HolStatus status = run_simulate(&job);
        bool is_refused = status == HOL_BAD_INPUT && hol_simulation_summary(job.simulation).steps == 0;
        code = is_refused ? run_refuse(&job) : run_report(&job, status);
    }
    run_release(&job);
    return code;
}

static const CliOption options[] = {
    CLI_TEXT("--formulation", "KIND", model.formulation, "constraint formulation ('holon list formulations')"),
    CLI_TEXT("--integrator", "KIND", model.integrator, "time integration scheme ('holon list integrators')"),
    CLI_TEXT("--coordinates", "KIND", model.coordinates, "coordinates of bodies: reference-point or natural"),
    CLI_TEXT("--reactions", "KIND", model.reactions,
             "choice of reactions that are not unique: automatic, as-computed, minimum-norm, stiffness or elimination"),
    CLI_TEXT("--branch", "KIND", model.branch,
             "action where the run would change its branch at a singular configuration: continue, report or stop"),
    CLI_TEXT("--step", "H", model.step, "time step, e.g. 1e-3 or '1 ms'; the first step of an adaptive integrator"),
    CLI_TEXT("--until", "T", model.until, "end time, e.g. 10 or '10 s'"),
    CLI_MODEL_OPTIONS(Settings, model),
    CLI_TEXT("--output", "FILE", output, "write results to a file that ends in .csv, .npy or .h5"),
    CLI_TEXT("--every", "DT", model.every,
             "recording interval; default every step, or until/1000 with an adaptive integrator"),
    CLI_TEXT("--record", "LIST", record, "what to record, comma separated: energy,crank,pin_A.reaction"),
    CLI_TEXT("--report", "FILE.html", report, "write a page that plays the motion, with plots and verdicts"),
    CLI_TEXT("--report-rows", "N", report_rows, "maximum number of states in the report, evenly thinned; default 2001"),
    CLI_TEXT("--accept", "VERDICT", accept, "exit with 0 also if the verdict is bad: --accept bad"),
    CLI_TEXT("--summary", "FILE.json", summary, "write the summary as JSON; - prints it instead of the summary"),
    {"--realtime", "[=FACTOR]", OPTION_OPTIONAL, offsetof(Settings, realtime),
     "run in real time, or FACTOR times as fast, and report how many steps were late"},
    {"--verify", NULL, OPTION_FLAG, offsetof(Settings, verify),
     "repeat the run with half the step, or a tenth of the tolerance, and print the difference of every column"},
    {"--plot", NULL, OPTION_FLAG, offsetof(Settings, plot), "plot position violation and energy drift over time"},
    {"--quiet", NULL, OPTION_FLAG, offsetof(Settings, quiet), "no summary, no warnings, no progress"},
};

const CliCommand cli_run = {
    .name = "run",
    .arguments = "MODEL",
    .title = "Simulate a model.",
    .notes =
        "MODEL is a file or the name of a built-in model ('holon list models').\n"
        "Options of the chosen kinds are set by --set run.formulation.alpha=1e9, --set run.integrator.tolerance=1e-9.\n"
        "Singular configurations that are passed are counted (singular_events in the JSON summary). Where a step\n"
        "would change the branch or jump in energy, the run is carried across the singularity on its branch, or does\n"
        "what --branch says. A message on stderr names the branches that meet there.\n"
        "The verdict on the result is good, doubtful or bad; each finding names its reason and what to do.\n"
        "Exit codes: 0 the verdict is good or doubtful, 1 the simulation ended early (results so far are kept),\n"
        "2 bad input or usage, 3 the simulation reached its end but the verdict is bad.\n",
    .min_words = 1,
    .max_words = 1,
    .without = "run needs a MODEL: a file, or a built-in model ('holon list models')",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .settings_size = sizeof(Settings),
    .run = run,
};
