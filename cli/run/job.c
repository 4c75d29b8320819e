/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/job.h"

#include "run/advice.h"
#include "run/events.h"
#include "run/passages.h"
#include "terminal/files.h"
#include "terminal/interrupt.h"
#include "terminal/memory.h"
#include "terminal/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool cli_job_prints_summary(const CliRunSettings *settings)
{
    return settings->summary && strcmp(settings->summary, "-") == 0;
}

static void print_json(const CliJob *job, const CliSummary *summary, FILE *file)
{
    CliJson json = cli_json_begin(file);
    cli_json_object(&json, NULL);
    cli_summary_members(summary, &json);
    cli_events_members(job->mechanism, job->simulation, &json);
    cli_impulses_member(job->mechanism, job->simulation, &json);
    cli_realtime_member(job->settings->realtime ? &job->pace : NULL, &json);
    cli_verify_member(&job->verify, &json);
    cli_json_end(&json);
}

static int write_summary(const CliJob *job, const CliSummary *summary)
{
    const char *path = job->settings->summary;
    char *text = NULL;
    size_t size = 0;
    if (!path)
        return EXIT_DONE;
    if (cli_job_prints_summary(job->settings)) {
        print_json(job, summary, stdout);
        return EXIT_DONE;
    }
    FILE *memory = hol_text_open(&text, &size);
    if (memory)
        print_json(job, summary, memory);
    return cli_memory_write(memory, &text, &size, path);
}

/* Whether the run stopped at a singular configuration because of --branch stop. */
static bool was_refused(const CliJob *job)
{
    int count = hol_simulation_passage_count(job->simulation);
    return count > 0 && hol_simulation_passage(job->simulation, count - 1).stopped;
}

/* Explains on stderr why the run ended early. */
static void explain_end(const CliJob *job, const HolSummary *run)
{
    const HolResults *results = job->recording.results;
    const char *help = was_refused(job) ? NULL : cli_run_advice(job->mechanism, job->simulation, run->status);
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
    if (job->checkpoint.is_written)
        cli_fail("'holon run --resume %s' continues it from its checkpoint", job->checkpoint.path);
    if (job->has_older)
        cli_fail("'%s' has the results of an earlier run still", job->settings->output);
}

static void print_plots(const CliJob *job)
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

static void describe_results(const CliJob *job, char *text, size_t size)
{
    snprintf(text, size, "%s: %ld rows, %d columns", job->settings->output,
             hol_results_row_count(job->recording.results), job->recording.names.count);
}

/* Writes the scene of the results, and the report. */
static int write_pages(CliJob *job, const CliSummary *summary, HolStatus status)
{
    CliReport *report = &job->recording.report;
    bool is_early = status != HOL_OK, was_interrupted = cli_interrupted() && status == HOL_STOPPED;
    const char *unwritten = job->recording.results ? hol_results_message(job->recording.results) : "";
    CliOutcome outcome = {.summary = summary, .simulation = job->simulation};
    if (is_early) {
        outcome.why = was_interrupted ? "it was interrupted"
                      : *unwritten    ? unwritten
                                      : hol_simulation_message(job->simulation);
        outcome.advice = was_refused(job) ? NULL : cli_run_advice(job->mechanism, job->simulation, status);
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

static CliSummary describe_run(const CliJob *job, const HolDiagnosis *diagnosis, Texts *texts)
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

static void print_run(const CliJob *job, const CliSummary *summary)
{
    const CliRunSettings *settings = job->settings;
    if (!settings->quiet && !cli_job_prints_summary(settings))
        cli_summary_print(summary);
    if (job->verify.is_on && !settings->quiet && !cli_job_prints_summary(settings))
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
    CliJob *job = user;
    cli_progress_update(&job->progress, t);
    return cli_interrupted() ? HOL_STOPPED : HOL_OK;
}

static int run_verify(CliJob *job, CliSummary *summary)
{
    job->progress = cli_progress_begin(summary->run.start, summary->run.reached, !job->settings->quiet);
    int code = cli_verify_end(&job->verify, &summary->run, run_watch_again, job, &summary->findings);
    cli_progress_end(&job->progress);
    return code;
}

/* Results of a run that failed in its first step do not replace older ones. */
static void drop_results(CliJob *job, HolStatus status)
{
    HolResults *file = job->recording.results;
    job->has_older = file && status != HOL_OK && !hol_results_has_name(file);
    if (!job->has_older || *hol_results_message(file))
        return;
    hol_results_discard(file);
    job->recording.results = NULL;
}

int cli_job_refuse(CliJob *job)
{
    cli_progress_end(&job->progress);
    return cli_fail("%s", hol_simulation_message(job->simulation));
}

/* Files come before prints: a closed pipe must not cost results. */
int cli_job_report(CliJob *job, HolStatus status)
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
    if (status == HOL_OK && code != EXIT_EARLY)
        cli_checkpoint_end(&job->checkpoint);
    hol_diagnosis_destroy(diagnosis);
    return code;
}
