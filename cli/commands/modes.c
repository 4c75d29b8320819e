/* SPDX-License-Identifier: BSD-3-Clause */
/* holon modes MODEL: modes of small motions about an equilibrium or another state. */
#include <holon/modes.h>
#include <holon/results.h>
#include <holon/static.h>

#include "findings.h"
#include "model.h"
#include "report/shapes.h"
#include "terminal/files.h"
#include "terminal/number.h"
#include "terminal/table.h"
#include "terminal/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Settings {
    CliWords words;
    CliModelOptions model;
    const char *at, *count, *method, *turning, *output;
    bool json, quiet;
} Settings;

typedef enum Where { AT_EQUILIBRIUM, AT_START, AT_TIME } Where;

typedef struct Job {
    const Settings *settings;
    HolModesOptions options;
    Where where;
    double time, turning[3];
    HolModel *model;
    HolMechanism *mechanism;
    HolEquilibrium *equilibrium;
    HolSimulation *simulation;
    const HolState *state;
    HolModes *modes;
    HolFindings findings;
    CliShapes *shapes;
    double *re, *im, *row; /* of one shape */
    double *shares;
} Job;

static const char *const methods[] = {"automatic", "complete", "lowest", NULL};
static const char *const places[] = {"equilibrium", "start", NULL};

static int index_of(const char *word, const char *const *words)
{
    for (int i = 0; words[i]; ++i)
        if (strcmp(word, words[i]) == 0)
            return i;
    return -1;
}

static int read_place(Job *job)
{
    const char *at = job->settings->at;
    char hint[CLI_HINT_SIZE];
    int place = at ? index_of(at, places) : 0;
    job->where = place == 0 ? AT_EQUILIBRIUM : AT_START;
    if (place >= 0)
        return EXIT_DONE;
    job->where = AT_TIME;
    if (cli_read_number(at, &job->time) && job->time >= 0)
        return EXIT_DONE;
    cli_hint(at, places, hint);
    return cli_fail("modes: --at takes equilibrium, start or a time in s, but got '%s'%s", at, hint);
}

static int read_method(Job *job)
{
    char hint[CLI_HINT_SIZE];
    int method = job->settings->method ? index_of(job->settings->method, methods) : 0;
    if (method < 0) {
        cli_hint(job->settings->method, methods, hint);
        return cli_fail("modes: --method takes automatic, complete or lowest, but got '%s'%s", job->settings->method,
                        hint);
    }
    job->options.method = (HolModesMethod)method;
    return EXIT_DONE;
}

/* "5" about z, or "0,0,5" */
static int read_turning(Job *job)
{
    const char *text = job->settings->turning;
    char list[200], *rest = NULL;
    double *turning = job->turning;
    int count = 0;
    if (!text)
        return EXIT_DONE;
    snprintf(list, sizeof list, "%s", text);
    bool good = strlen(text) < sizeof list;
    for (char *word = strtok_r(list, ", ", &rest); word && good; word = strtok_r(NULL, ", ", &rest))
        good = count < 3 && cli_read_number(word, &turning[count++]);
    if (!good || (count != 1 && count != 3))
        return cli_fail("modes: --turning takes an angular velocity in rad/s, such as 5 (about z) or 0,0,5, not '%s'",
                        text);
    if (count == 1) {
        turning[2] = turning[0];
        turning[0] = 0;
    }
    if (job->where == AT_EQUILIBRIUM)
        return cli_fail("modes: --turning applies to a moving state: add --at start or --at TIME");
    return EXIT_DONE;
}

static int modes_read_options(Job *job)
{
    const Settings *s = job->settings;
    job->options = hol_modes_options();
    if (!cli_read_whole("modes", "--count", s->count, 1, 100000, &job->options.count))
        return EXIT_BAD_INPUT;
    int code = read_place(job);
    if (code == EXIT_DONE)
        code = read_method(job);
    if (code == EXIT_DONE)
        code = read_turning(job);
    return code == EXIT_DONE ? cli_files_check(s->words.items[0], (const CliFile[]){{"--output", s->output}}, 1) : code;
}

static int find_equilibrium(Job *job)
{
    HolMessage message;
    HolStaticOptions options = hol_static_options();
    HolStatus status = hol_mechanism_static(job->mechanism, &options, &job->equilibrium, &message);
    if (status != HOL_OK) {
        cli_fail("%s", message.text);
        if (cli_search_code(status) == EXIT_EARLY)
            cli_fail("--at start computes the modes about the initial state instead");
        return cli_search_code(status);
    }
    job->state = &job->equilibrium->state;
    return EXIT_DONE;
}

static int find_motion(Job *job)
{
    HolMessage message;
    HolInitialState start = hol_mechanism_initial_state(job->mechanism);
    HolSimulationOptions options = hol_mechanism_options(job->mechanism);
    const HolSystem *system = hol_mechanism_system(job->mechanism);
    if (hol_simulation_create(system, &start, &options, &job->simulation, &message) != HOL_OK)
        return cli_fail("%s", message.text);
    if (job->where == AT_TIME && job->time > start.t &&
        hol_simulation_run(job->simulation, &(HolRun){.until = job->time}) != HOL_OK)
        return cli_fail("t = %g s was not reached: %s", job->time, hol_simulation_message(job->simulation)), EXIT_EARLY;
    job->state = hol_simulation_state(job->simulation);
    return EXIT_DONE;
}

static int find_modes(Job *job)
{
    HolMessage message;
    const double *turning = job->settings->turning ? job->turning : NULL;
    HolStatus status = hol_mechanism_modes(job->mechanism, job->state, turning, &job->options, &job->modes, &message);
    if (status != HOL_OK)
        return cli_fail("%s", message.text), cli_search_code(status);
    hol_modes_findings(job->modes, &job->findings);
    job->shapes = cli_shapes_create(job->mechanism, job->state, job->modes);
    if (!job->shapes)
        return EXIT_EARLY;
    size_t count = (size_t)cli_shapes_count(job->shapes);
    job->re = calloc(count + 1, sizeof *job->re);
    job->im = calloc(count + 1, sizeof *job->im);
    job->row = calloc(2 * count + 5, sizeof *job->row);
    job->shares = calloc((size_t)hol_mechanism_body_count(job->mechanism) + 1, sizeof *job->shares);
    return job->re && job->im && job->row && job->shares ? EXIT_DONE : cli_fail("not enough memory");
}

static int modes_prepare(Job *job)
{
    const Settings *s = job->settings;
    int code = modes_read_options(job);
    if (code == EXIT_DONE)
        code = cli_model_assemble(s->words.items[0], &s->model, s->quiet, &job->model, &job->mechanism);
    if (code == EXIT_DONE)
        code = cli_files_check_model(job->model, (const CliFile[]){{"--output", s->output}}, 1);
    if (code != EXIT_DONE)
        return code;
    code = job->where == AT_EQUILIBRIUM ? find_equilibrium(job) : find_motion(job);
    return code == EXIT_DONE ? find_modes(job) : code;
}

/* "bar 83 %, rod 17 %": the bodies with the largest shares. */
static void add_shares(const Job *job, int mode, CliText *text)
{
    int said = 0;
    cli_shapes_shares(job->shapes, mode, job->shares);
    for (; said < 3; ++said) {
        int most = 0;
        for (int b = 1; b < hol_mechanism_body_count(job->mechanism); ++b)
            if (job->shares[b] > job->shares[most])
                most = b;
        if (!(job->shares[most] >= (said ? 0.005 : 0)))
            break;
        cli_text_add(text, "%s%s %.3g %%", said ? ", " : "", hol_mechanism_body(job->mechanism, most),
                     100 * job->shares[most]);
        job->shares[most] = 0;
    }
}

static void add_place(const Job *job, CliText *text)
{
    if (job->where == AT_EQUILIBRIUM)
        cli_text_add(text, "static equilibrium");
    else
        cli_text_add(text, "%sthe state at t = %.6g s", job->modes->state_refined ? "the steady motion near " : "",
                     job->state->t);
}

static void print_table(const Job *job)
{
    CliTable table = {.columns = 6};
    cli_table_add(&table, "mode", "frequency", "s", "", "damping", "share of kinetic energy");
    for (int i = 0; i < job->modes->count; ++i) {
        const HolMode *m = &job->modes->modes[i];
        char number[20], frequency[32], real[32], imaginary[32], damping[32] = "";
        CliText bodies = {.length = 0};
        snprintf(number, sizeof number, "%d", i + 1);
        snprintf(frequency, sizeof frequency, "%.6g Hz", m->frequency + 0.0); /* -0 is 0 */
        snprintf(real, sizeof real, "%.6g 1/s", m->real + 0.0);
        snprintf(imaginary, sizeof imaginary, "%.6g rad/s", m->imaginary + 0.0);
        if (m->is_zero)
            snprintf(damping, sizeof damping, "rigid-body");
        else
            snprintf(damping, sizeof damping, "%.6g", m->damping);
        add_shares(job, i, &bodies);
        cli_table_add(&table, number, frequency, real, imaginary, damping, bodies.text);
    }
    cli_table_print(&table, 2);
}

static void modes_print_text(const Job *job)
{
    const HolModes *m = job->modes;
    CliText text = {.length = 0};
    cli_text_add_heading(&text, hol_model_title(job->model), hol_model_name(job->model));
    cli_text_add(&text, m->is_complete ? "All modes about " : "The lowest modes about ");
    add_place(job, &text);
    cli_text_add(&text, ", ");
    cli_text_add_count(&text, m->dof, "degree of freedom: ", "degrees of freedom: ");
    cli_text_add_count(&text, m->count, "mode, ", "modes, ");
    cli_text_add(&text, "%d rigid-body, %d unstable.", m->zero_count, m->unstable_count);
    cli_text_print(&text);
    cli_verdict_print(&job->findings);
    print_table(job);
}

static void modes_warn(const Job *job)
{
    if (job->equilibrium && job->equilibrium->is_singular && !job->settings->quiet)
        fputs("warning: the equilibrium is a singular configuration: constraint equations become linearly dependent "
              "there, and several branches may meet. The modes include every direction that the constraints allow "
              "to first order. Reactions are not unique there: the modes are those of the minimum-norm solution\n",
              stderr);
}

static void modes_write_shape(const Job *job, CliJson *json, const char *key, const double *part)
{
    char name[200];
    cli_json_object(json, key);
    for (int i = 0; i < cli_shapes_count(job->shapes); ++i) {
        cli_shapes_name(job->shapes, i, name, sizeof name);
        cli_json_number(json, name, part[i]);
    }
    cli_json_end(json);
}

static void write_mode(const Job *job, CliJson *json, int i)
{
    const HolMode *m = &job->modes->modes[i];
    cli_json_object(json, NULL);
    cli_json_number(json, "frequency", m->frequency);
    cli_json_number(json, "damping", m->damping);
    cli_json_number(json, "real", m->real);
    cli_json_number(json, "imaginary", m->imaginary);
    cli_json_flag(json, "free", m->is_zero);
    cli_shapes_read(job->shapes, i, job->re, job->im);
    modes_write_shape(job, json, "shape", job->re);
    modes_write_shape(job, json, "shape_imaginary", job->im);
    cli_json_end(json);
}

static void modes_print_json(const Job *job)
{
    const HolModes *m = job->modes;
    CliJson json = cli_json_begin(stdout);
    cli_json_object(&json, NULL);
    cli_json_text(&json, "model", hol_model_name(job->model));
    cli_json_text(&json, "coordinates", hol_mechanism_coordinates(job->mechanism));
    cli_json_text(&json, "at", job->where == AT_EQUILIBRIUM ? "equilibrium" : "motion");
    cli_json_number(&json, "t", job->state->t);
    cli_json_whole(&json, "dof", m->dof);
    cli_json_whole(&json, "count", m->count);
    cli_json_whole(&json, "free", m->zero_count);
    cli_json_whole(&json, "unstable", m->unstable_count);
    cli_json_flag(&json, "complete", m->is_complete);
    cli_json_flag(&json, "undamped", m->is_undamped);
    cli_json_flag(&json, "steady", m->is_steady);
    cli_findings_members(&job->findings, &json);
    cli_json_flag(&json, "state_refined", m->state_refined);
    cli_json_array(&json, "modes");
    for (int i = 0; i < m->count; ++i)
        write_mode(job, &json, i);
    cli_json_end(&json);
    cli_json_end(&json);
}

/* One row per mode: its number, frequency, damping and eigenvalue, then both parts of its shape. */
static HolStatus write_rows(Job *job, HolResults *results)
{
    int count = cli_shapes_count(job->shapes);
    for (int i = 0; i < job->modes->count; ++i) {
        const HolMode *m = &job->modes->modes[i];
        const double own[] = {i + 1, m->frequency, m->damping, m->real, m->imaginary};
        HolStatus status = cli_shapes_read(job->shapes, i, job->re, job->im);
        memcpy(job->row, own, sizeof own);
        for (int k = 0; k < count; ++k) {
            job->row[5 + 2 * k] = job->re[k];
            job->row[6 + 2 * k] = job->im[k];
        }
        if (status == HOL_OK)
            status = hol_results_add(results, job->row);
        if (status != HOL_OK)
            return status;
    }
    return hol_results_finish(results);
}

static int write_output(Job *job)
{
    static const char *const own[] = {"mode", "frequency", "damping", "real", "imaginary"};
    enum { NAME = 220 };
    HolMessage message;
    HolResults *results = NULL;
    int count = cli_shapes_count(job->shapes), columns = 2 * count + 5;
    if (!job->settings->output)
        return EXIT_DONE;
    char *names = calloc((size_t)columns, NAME);
    const char **list = calloc((size_t)columns, sizeof *list);
    for (int i = 0; names && list && i < columns; ++i) {
        char *name = names + (size_t)i * NAME;
        list[i] = i < 5 ? own[i] : name;
        if (i >= 5) {
            cli_shapes_name(job->shapes, (i - 5) / 2, name, NAME - 10);
            strcat(name, (i - 5) % 2 ? ".im" : ".re");
        }
    }
    HolStatus status =
        names && list ? hol_results_create(job->settings->output, list, columns, &results, &message) : HOL_NO_MEMORY;
    int code = EXIT_DONE;
    if (status != HOL_OK)
        code = cli_fail("%s", names && list ? message.text : "not enough memory");
    else if (write_rows(job, results) != HOL_OK) {
        cli_fail("'%s' was not written: %s", job->settings->output, hol_results_message(results));
        code = EXIT_EARLY;
    }
    hol_results_discard(results);
    free(list);
    free(names);
    return code;
}

static int modes_run(const void *settings)
{
    Job job = {.settings = settings};
    int code = modes_prepare(&job);
    if (code == EXIT_DONE)
        code = write_output(&job);
    if (code == EXIT_DONE) {
        if (job.settings->json)
            modes_print_json(&job);
        else if (!job.settings->quiet)
            modes_print_text(&job);
        fflush(stdout);
        modes_warn(&job);
    }
    cli_shapes_destroy(job.shapes);
    hol_modes_destroy(job.modes);
    hol_simulation_destroy(job.simulation);
    hol_equilibrium_destroy(job.equilibrium);
    hol_mechanism_destroy(job.mechanism);
    hol_model_destroy(job.model);
    free(job.re);
    free(job.im);
    free(job.row);
    free(job.shares);
    return code;
}

static const CliOption options[] = {
    CLI_TEXT("--at", "WHERE", at, "linearise at: equilibrium (the default), start, or a time in s"),
    CLI_TEXT("--count", "N", count, "number of modes, lowest first; default all, or 10 of a large model"),
    CLI_TEXT("--method", "KIND", method, "automatic, complete (dense, all modes) or lowest (sparse)"),
    CLI_TEXT("--turning", "W", turning,
             "linearise in a frame that rotates about the origin with W rad/s about z, or with Wx,Wy,Wz"),
    CLI_TEXT("--coordinates", "KIND", model.coordinates, "coordinates of bodies: reference-point or natural"),
    CLI_MODEL_OPTIONS(Settings, model),
    CLI_TEXT("--output", "FILE", output, "write modes and shapes to a file that ends in .csv, .npy or .h5"),
    {"--json", NULL, OPTION_FLAG, offsetof(Settings, json), "print JSON"},
    {"--quiet", NULL, OPTION_FLAG, offsetof(Settings, quiet), "no table, no warnings"},
};

const CliCommand cli_modes = {
    .name = "modes",
    .arguments = "MODEL",
    .title = "Compute frequencies, damping ratios and mode shapes about an equilibrium or a steady motion.",
    .notes =
        "A mode varies as exp(s t), s = real + i imaginary. Its damping ratio is -real / |s|; a rigid-body mode has\n"
        "s = 0. The last column lists the bodies with the largest shares of its kinetic energy.\n"
        "The verdict is doubtful about a state that is not steady.\n"
        "Exit codes: 0 done, 1 no equilibrium, time or modes were found, 2 bad input or usage.\n",
    .min_words = 1,
    .max_words = 1,
    .without = "modes needs a MODEL: a file, or a built-in model ('holon list models')",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .settings_size = sizeof(Settings),
    .run = modes_run,
};
