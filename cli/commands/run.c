/* SPDX-License-Identifier: BSD-3-Clause */
/* holon run MODEL: simulates a model, writes results and a summary. */
#include "run/job.h"
#include "terminal/files.h"
#include "terminal/interrupt.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef CliRunSettings Settings;

extern const CliCommand cli_run;

static CliRunParts parts_of(CliJob *job)
{
    return (CliRunParts){.model = hol_model_fingerprint(job->model),
                         .simulation = job->simulation,
                         .recording = &job->recording,
                         .history = &job->history,
                         .run = &job->run,
                         .interval = job->interval};
}

/* A file gets its whole rows; a pipe that nobody reads would take none for ever. */
static CliActivity run_begin_writing(const CliJob *job)
{
    return cli_interrupt_activity(job->recording.is_stream ? CLI_SEARCHING : CLI_WRITING);
}

static HolStatus run_record(void *user, const HolState *state, const HolMeasures *measures)
{
    CliJob *job = user;
    CliActivity before = run_begin_writing(job);
    HolStatus status = HOL_OK;
    if (state->t > job->history.start) /* the second row replaces older results */
        status = cli_checkpoint_remove_older(&job->checkpoint);
    if (status == HOL_OK)
        status = cli_recording_add(&job->recording, state, measures);
    cli_interrupt_activity(before);
    return status;
}

static HolStatus run_look(void *user, double t)
{
    CliJob *job = user;
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
    const CliRunParts parts = parts_of(job);
    cli_checkpoint_update(&job->checkpoint, &parts, cli_interrupted());
    HolStatus status = job->recording.results ? hol_results_flush_due(job->recording.results) : HOL_OK;
    return status == HOL_OK && cli_interrupted() ? HOL_STOPPED : status;
}

static HolStatus run_watch(void *user, double t)
{
    CliActivity before = run_begin_writing(user);
    HolStatus status = run_look(user, t);
    cli_interrupt_activity(before);
    return status;
}

static void run_steps(void *user)
{
    CliJob *job = user;
    job->status = hol_simulation_run(job->simulation, &job->run);
}

/* A step that takes long is left at a signal: the run then ends with the state before it. */
static HolStatus run_simulate(CliJob *job)
{
    job->status = HOL_STOPPED;
    job->was_left = !cli_interrupt_guard(run_steps, job);
    return job->was_left ? HOL_STOPPED : job->status;
}

static int choose_columns(CliJob *job)
{
    return cli_recording_choose(&job->recording, job->model, job->mechanism, job->settings->record);
}

static int create_simulation(CliJob *job)
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

static void plan_run(CliJob *job)
{
    double start = hol_simulation_state(job->simulation)->t;
    double until = hol_mechanism_until(job->mechanism), every = hol_mechanism_every(job->mechanism);
    if (every <= 0 && hol_compare_is_adaptive(hol_simulation_summary(job->simulation).integrator))
        every = (until - start) / 1000;
    if (job->resumed) {
        until = job->resumed->new_until;
        every = job->resumed->every;
    }
    bool records = job->settings->output || job->settings->report;
    job->run = (HolRun){
        .until = until, .every = every, .record = records ? run_record : NULL, .progress = run_watch, .user = job};
    job->run.resume = job->resumed != NULL;
    job->run.singular = hol_recorder_find(job->recording.recorder, "singular.sigma_min") >= 0;
    job->history = hol_history_begin(start, until);
    job->progress = cli_progress_begin(start, until, !job->settings->quiet);
}

static int open_recording(CliJob *job)
{
    const char *output = job->resumed ? NULL : job->settings->output; /* of a run that is resumed, it comes last */
    return cli_recording_open(&job->recording, job->mechanism, output, job->settings->report ? job->report_rows : 0);
}

/* Puts a run back to where its checkpoint was. The results are touched when all else is right. */
static int run_restore(CliJob *job)
{
    const CliRunParts parts = parts_of(job);
    CliResumed *resumed = job->resumed;
    int code = cli_resumed_restore(resumed, job->settings->words.items[0], &parts);
    if (code == EXIT_DONE && hol_simulation_check_run(job->simulation, &job->run) != HOL_OK)
        code = cli_fail("%s", hol_simulation_message(job->simulation));
    const bool is_odd =
        resumed->rows > 0 && resumed->column_count != hol_recorder_column_count(job->recording.recorder);
    if (code == EXIT_DONE && is_odd)
        code = cli_fail("the checkpoint '%s' is damaged: begin the run again", resumed->path);
    if (code == EXIT_DONE && job->settings->output)
        code = cli_recording_continue(&job->recording, job->mechanism, job->settings->output, resumed->rows,
                                      resumed->last_row);
    return code;
}

static int begin_checkpoint(CliJob *job)
{
    const Settings *settings = job->settings;
    int code = cli_checkpoint_begin(&job->checkpoint, settings->checkpoint, &cli_run, settings, job->resumed != NULL);
    const CliRunParts parts = parts_of(job);
    if (code == EXIT_DONE && job->resumed)
        cli_checkpoint_update(&job->checkpoint, &parts, true);
    return code;
}

static bool run_check_accept(const char *accept)
{
    if (!accept || strcmp(accept, hol_verdict_name(HOL_VERDICT_BAD)) == 0)
        return true;
    cli_fail("--accept takes 'bad', but got '%s': good and doubtful results always exit with 0", accept);
    return false;
}

static int run_check_checkpoint(CliJob *job)
{
    const Settings *settings = job->settings;
    if (!cli_checkpoint_interval(settings->checkpoint_every, &job->interval))
        return EXIT_BAD_INPUT;
    if (!settings->checkpoint) {
        if (settings->checkpoint_every && !settings->quiet)
            fprintf(stderr, "warning: --checkpoint-every has no effect: there is no --checkpoint\n");
        return EXIT_DONE;
    }
    if (job->resumed && !settings->checkpoint_every)
        job->interval = job->resumed->interval;
    if (settings->verify)
        return cli_fail("--verify repeats the whole run at its end: leave out --checkpoint");
    if (!job->resumed && cli_file_is_stream(settings->words.items[0]))
        return cli_fail("'%s' is no regular file, so a checkpoint could not read it again: leave out --checkpoint",
                        settings->words.items[0]);
    if (settings->realtime)
        return cli_fail("--realtime measures steps, which checkpoints would delay: leave out --checkpoint");
    int code = cli_file_check(settings->checkpoint);
    if (code == EXIT_DONE)
        code = cli_checkpoint_check(settings->checkpoint);
    if (code != EXIT_DONE || job->resumed)
        return code;
    code = cli_checkpoint_hold(&job->checkpoint, settings->checkpoint);
    cli_checkpoint_free(&job->checkpoint);
    return code;
}

/* After the set-up, which may take long, and in which a signal ends the command at once, without a file. */
static int hold_checkpoint(CliJob *job)
{
    const char *path = job->settings->checkpoint;
    return path && !job->resumed ? cli_checkpoint_hold(&job->checkpoint, path) : EXIT_DONE;
}

/* Before and after the model is read. */
static int run_check_files(CliJob *job)
{
    const Settings *settings = job->settings;
    const CliFile files[] = {{"--output", settings->output},
                             {"--summary", settings->summary},
                             {"--report", settings->report},
                             {"--checkpoint", settings->checkpoint}};
    return job->model ? cli_files_check_model(job->model, files, 4)
                      : cli_files_check(settings->words.items[0], files, 4);
}

/* Checks the options that do not depend on the model. */
static int run_check_settings(CliJob *job)
{
    const Settings *settings = job->settings;
    if (!cli_report_rows(settings->report_rows, &job->report_rows) || !run_check_accept(settings->accept))
        return EXIT_BAD_INPUT;
    if (settings->realtime && !cli_realtime_parse(settings->realtime, &job->factor))
        return EXIT_BAD_INPUT;
    int code = run_check_files(job);
    if (code == EXIT_DONE)
        code = run_check_checkpoint(job);
    if (code == EXIT_DONE && settings->report)
        code = cli_report_check("--report", settings->report);
    if (code == EXIT_DONE && settings->summary && !cli_job_prints_summary(settings))
        code = cli_file_check(settings->summary);
    if (code != EXIT_DONE)
        return code;
    if (settings->plot && cli_job_prints_summary(settings))
        return cli_fail("--summary - prints nothing but JSON: leave out --plot");
    if (!settings->output && !settings->report && !settings->verify && !settings->quiet &&
        (settings->record || settings->model.every))
        fprintf(stderr, "warning: %s has no effect: there is no --output\n", settings->record ? "--record" : "--every");
    if (!settings->report && !settings->quiet && settings->report_rows)
        fprintf(stderr, "warning: --report-rows has no effect: there is no --report\n");
    return EXIT_DONE;
}

static int begin_verify(CliJob *job)
{
    return job->settings->verify
               ? cli_verify_begin(&job->verify, job->mechanism, job->recording.recorder, job->simulation)
               : EXIT_DONE;
}

static int run_check_jumps(CliJob *job)
{
    return cli_model_check_jumps(job->settings->words.items[0], job->model, job->mechanism);
}

/* Rejects bad input before it opens the first file. */
static int run_prepare(CliJob *job)
{
    int (*const steps[])(CliJob *) = {run_check_files, run_check_jumps, choose_columns, create_simulation,
                                      begin_verify,    hold_checkpoint, open_recording};
    const Settings *settings = job->settings;
    int code = run_check_settings(job);
    if (code == EXIT_DONE)
        code =
            cli_model_open(settings->words.items[0], &settings->model, settings->quiet, &job->model, &job->mechanism);
    for (size_t i = 0; i < sizeof steps / sizeof *steps && code == EXIT_DONE; ++i)
        code = steps[i](job);
    if (code != EXIT_DONE)
        return code;
    plan_run(job);
    if (job->resumed)
        code = run_restore(job);
    return code == EXIT_DONE ? begin_checkpoint(job) : code;
}

static void run_release(CliJob *job)
{
    cli_verify_free(&job->verify);
    cli_checkpoint_free(&job->checkpoint);
    cli_recording_free(&job->recording);
    hol_simulation_destroy(job->simulation);
    hol_mechanism_destroy(job->mechanism);
    hol_model_destroy(job->model);
}

static int run_job(const Settings *settings, CliResumed *resumed)
{
    CliJob job = {.settings = settings, .resumed = resumed};
    if (resumed) {
        job.checkpoint.held = resumed->held;
        resumed->held = NULL;
    }
    int code = run_prepare(&job);
    if (code == EXIT_DONE) {
        cli_interrupt_watch();
        if (job.settings->realtime)
            job.pace = cli_realtime_begin(job.factor, hol_simulation_state(job.simulation)->t);
        HolStatus status = run_simulate(&job);
        bool is_refused = status == HOL_BAD_INPUT && hol_simulation_summary(job.simulation).steps == 0;
        code = is_refused ? cli_job_refuse(&job) : cli_job_report(&job, status);
    }
    run_release(&job);
    return code;
}

/* The options of a run that is resumed are those of its checkpoint. */
static int run_check_resume(const Settings *settings)
{
    Settings rest = *settings;
    rest.model.until = rest.checkpoint_every = rest.resume = NULL;
    if (settings->words.count > 0 || memcmp(&rest, &(Settings){0}, sizeof rest) != 0)
        return cli_fail("--resume continues a run with the model and the options that it had: give nothing else but "
                        "--until and --checkpoint-every");
    return EXIT_DONE;
}

/* The end of the run, which may be later than it was. */
static int resume_until(const char *text, CliResumed *resumed)
{
    HolMessage message;
    double until = resumed->until;
    if (text && hol_quantity_parse(text, "s", &until, &message) != HOL_OK)
        return cli_fail("--until: %s", message.text);
    const double reached = resumed->is_complete ? resumed->until : resumed->t;
    if (!(until >= reached))
        return cli_fail("--until %s lies before t = %.9g s, which the run has reached", text, reached);
    resumed->is_complete = resumed->is_complete && until <= resumed->until;
    resumed->new_until = until;
    return EXIT_DONE;
}

static int resume_parsed(const Settings *settings, CliResumed *resumed)
{
    Settings again = {.words = {0}};
    int code = cli_parse(&cli_run, resumed->words.count, (char **)(void *)resumed->words.items, &again);
    again.checkpoint = resumed->path;
    again.checkpoint_every = settings->checkpoint_every;
    if (code < 0)
        code = again.words.count == 1 && !again.resume ? run_job(&again, resumed) : EXIT_BAD_INPUT;
    cli_settings_free(&cli_run, &again);
    return code;
}

static int run_resume(const Settings *settings)
{
    CliResumed resumed = {0};
    int code = run_check_resume(settings);
    if (code == EXIT_DONE)
        code = cli_resumed_open(settings->resume, &resumed);
    if (code == EXIT_DONE)
        code = resume_until(settings->model.until, &resumed);
    if (code == EXIT_DONE && resumed.is_complete)
        cli_fail("the run of '%s' has come to its end at t = %.9g s; --until with a later time continues it",
                 settings->resume, resumed.until);
    else if (code == EXIT_DONE && chdir(resumed.folder) != 0)
        code = cli_fail("the folder '%s', in which the run began, cannot be entered", resumed.folder);
    else if (code == EXIT_DONE)
        code = resume_parsed(settings, &resumed);
    cli_resumed_free(&resumed);
    return code;
}

static int run(const void *settings)
{
    const Settings *given = settings;
    if (given->resume)
        return run_resume(given);
    return given->words.count == 1 ? run_job(given, NULL)
                                   : cli_fail("run needs a MODEL: a file, or a built-in model ('holon list models')");
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
    CLI_TEXT("--checkpoint", "FILE", checkpoint, "write checkpoints, from which --resume continues the run"),
    CLI_TEXT("--checkpoint-every", "WALL_TIME", checkpoint_every, "time between checkpoints; default 10 s"),
    CLI_TEXT("--resume", "FILE", resume, "continue the run of a checkpoint, with its options; --until may be later"),
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
        "'holon run --resume FILE' needs no MODEL: a checkpoint remembers the model and the options of its run.\n"
        "The verdict on the result is good, doubtful or bad; each finding names its reason and what to do.\n"
        "Exit codes: 0 the verdict is good or doubtful, 1 the simulation ended early (results so far are kept),\n"
        "2 bad input or usage, 3 the simulation reached its end but the verdict is bad.\n",
    .max_words = 1,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .settings_size = sizeof(Settings),
    .run = run,
};
