/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/verify.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ROWS = 512, MAX_SETTINGS = 64 };

static double *verify_row(const CliVerify *v, int row)
{
    return v->values + (size_t)row * (size_t)v->columns;
}

static HolStatus verify_read(const CliVerify *v, const HolSimulation *simulation, double *values)
{
    HolMeasures measures = hol_simulation_measures(simulation);
    return hol_recorder_read(v->recorder, hol_simulation_state(simulation), &measures, values);
}

int cli_verify_begin(CliVerify *verify, const HolMechanism *mechanism, HolRecorder *recorder,
                     const HolSimulation *simulation)
{
    const int columns = hol_recorder_column_count(recorder);
    *verify = (CliVerify){.mechanism = mechanism, .recorder = recorder, .columns = columns, .stride = 1, .is_on = true};
    verify->values = calloc((size_t)columns * (MAX_ROWS + 4), sizeof *verify->values);
    verify->recorder_size = hol_recorder_save_size(recorder);
    verify->recorder_start = malloc(verify->recorder_size);
    verify->recorder_end = malloc(verify->recorder_size);
    if (!verify->values || !verify->recorder_start || !verify->recorder_end)
        return cli_fail("not enough memory");
    verify->error = verify_row(verify, MAX_ROWS);
    verify->low = verify_row(verify, MAX_ROWS + 1);
    verify->high = verify_row(verify, MAX_ROWS + 2);
    hol_recorder_save(recorder, verify->recorder_start, verify->recorder_size);
    if (verify_read(verify, simulation, verify_row(verify, 0)) != HOL_OK)
        return cli_fail("the initial state cannot be recorded"), EXIT_EARLY;
    verify->rows = 1;
    return EXIT_DONE;
}

static void verify_thin(CliVerify *v)
{
    for (int i = 1; 2 * i < v->rows; ++i)
        memcpy(verify_row(v, i), verify_row(v, 2 * i), (size_t)v->columns * sizeof *v->values);
    v->rows = (v->rows + 1) / 2;
    v->stride *= 2;
}

/* Every step is read, since the recorder follows angles and the signs of quaternions from one to the next. */
HolStatus cli_verify_add(CliVerify *verify, const HolSimulation *simulation)
{
    double *scratch = verify_row(verify, MAX_ROWS + 3);
    HolStatus status = verify_read(verify, simulation, scratch);
    ++verify->steps;
    if (verify->steps % verify->stride == 0 && verify->rows == MAX_ROWS)
        verify_thin(verify);
    if (verify->steps % verify->stride == 0)
        memcpy(verify_row(verify, verify->rows++), scratch, (size_t)verify->columns * sizeof *scratch);
    return status;
}

static HolKindInfo verify_integrator(const char *integrator)
{
    for (int i = 0; i < hol_integrator_count(); ++i)
        if (strcmp(hol_integrator_info(i).name, integrator) == 0)
            return hol_integrator_info(i);
    return (HolKindInfo){.name = integrator};
}

/* The error of the run as a multiple of the difference of both runs: with half the step of a method of order p the
 * error is 2^-p of it, and with a tenth of the tolerance a tenth. */
static double verify_factor(const HolSummary *run)
{
    const HolKindInfo kind = verify_integrator(run->integrator);
    const double better = kind.adaptive ? 0.1 : ldexp(1, -kind.order);
    return better < 1 ? 1 / (1 - better) : 1;
}

/* The tolerance of an adaptive integrator: as set, or its default. */
static double verify_tolerance(const HolSimulationOptions *options)
{
    double tolerance = NAN;
    const HolKindInfo kind = verify_integrator(options->integrator);
    for (int k = 0; k < kind.option_count; ++k)
        if (strcmp(kind.options[k].name, "tolerance") == 0)
            tolerance = kind.options[k].fallback;
    for (int i = 0; i < options->setting_count; ++i)
        if (strcmp(options->settings[i].name, "integrator.tolerance") == 0)
            tolerance = strtod(options->settings[i].value, NULL);
    return tolerance;
}

/* The simulation with half the step or a tenth of the tolerance; the methods are those that the run has used. */
static HolStatus verify_open(const CliVerify *v, const HolSummary *run, HolSimulation **simulation, HolMessage *message)
{
    HolSimulationOptions options = hol_mechanism_options(v->mechanism);
    HolInitialState start = hol_mechanism_initial_state(v->mechanism);
    HolSetting settings[MAX_SETTINGS];
    char tolerance[40];
    options.formulation = run->formulation;
    options.integrator = run->integrator;
    options.step = run->step / 2;
    if (verify_integrator(run->integrator).adaptive && options.setting_count < MAX_SETTINGS) {
        snprintf(tolerance, sizeof tolerance, "%.6g", verify_tolerance(&options) / 10);
        if (options.setting_count > 0)
            memcpy(settings, options.settings, (size_t)options.setting_count * sizeof *settings);
        settings[options.setting_count++] = (HolSetting){"integrator.tolerance", tolerance};
        options.settings = settings;
    }
    return hol_simulation_create(hol_mechanism_system(v->mechanism), &start, &options, simulation, message);
}

static void verify_compare(CliVerify *v, const double *row, const double *better)
{
    for (int k = 0; k < v->columns; ++k) {
        v->error[k] = fmax(v->error[k], v->factor * fabs(row[k] - better[k]));
        v->low[k] = fmin(v->low[k], better[k]);
        v->high[k] = fmax(v->high[k], better[k]);
    }
}

/* The repeated run. */
typedef struct Repeat {
    CliVerify *verify;
    HolSimulation *simulation;
    double *values; /* after the latest step */
    HolStatus (*progress)(void *user, double t);
    void *user;
} Repeat;

static HolStatus repeat_look(void *user, double t)
{
    const Repeat *repeat = user;
    HolStatus status = verify_read(repeat->verify, repeat->simulation, repeat->values);
    return status == HOL_OK ? repeat->progress(repeat->user, t) : status;
}

static HolStatus repeat_run(Repeat *repeat)
{
    CliVerify *v = repeat->verify;
    HolRun run = {.progress = repeat_look, .user = repeat};
    memcpy(v->low, v->values, (size_t)v->columns * sizeof *v->low);
    memcpy(v->high, v->values, (size_t)v->columns * sizeof *v->high);
    for (int i = 1; i < v->rows; ++i) {
        run.until = verify_row(v, i)[0];
        HolStatus status = hol_simulation_run(repeat->simulation, &run);
        if (status == HOL_OK)
            status = verify_read(v, repeat->simulation, repeat->values);
        if (status != HOL_OK)
            return status;
        verify_compare(v, verify_row(v, i), repeat->values);
    }
    return HOL_OK;
}

/* What the recorder remembers is that of the first run again afterwards. */
static HolStatus verify_repeat(CliVerify *v, Repeat repeat)
{
    hol_recorder_save(v->recorder, v->recorder_end, v->recorder_size);
    HolStatus status = hol_recorder_restore(v->recorder, v->recorder_start, v->recorder_size);
    if (status == HOL_OK)
        status = repeat_run(&repeat);
    hol_recorder_restore(v->recorder, v->recorder_end, v->recorder_size);
    return status;
}

/* What a column is: its name after the last dot, without the axis: "x", "y" and "z" are "", "fx" and "fy" are "f". */
static size_t verify_kind(const char *column, const char **kind)
{
    const char *dot = strrchr(column, '.');
    *kind = dot ? dot + 1 : column;
    size_t length = strlen(*kind);
    return length > 0 && strchr("xyz0123", (*kind)[length - 1]) ? length - 1 : length;
}

static bool verify_same_kind(const char *a, const char *b)
{
    const char *kind_a, *kind_b;
    size_t length = verify_kind(a, &kind_a);
    return length == verify_kind(b, &kind_b) && strncmp(kind_a, kind_b, length) == 0;
}

static bool verify_belongs(const char *column, const char *source)
{
    const size_t length = strlen(source);
    return strncmp(column, source, length) == 0 && column[length] == '.';
}

/* The size that the error of a column is relative to: the largest range of a column of the same kind, so that a column
 * at rest is no error. Energies are exchanged for each other; violations are errors themselves: NAN. */
static double verify_size(const CliVerify *v, int column)
{
    const char *name = hol_recorder_column(v->recorder, column);
    double range = 0;
    if (verify_belongs(name, "violation"))
        return NAN;
    if (verify_belongs(name, "energy"))
        return v->energy;
    for (int k = 0; k < v->columns; ++k)
        if (verify_same_kind(hol_recorder_column(v->recorder, k), name))
            range = fmax(range, v->high[k] - v->low[k]);
    return range;
}

static double verify_relative(const CliVerify *v, int column)
{
    const double size = verify_size(v, column);
    return v->error[column] > 0 || isnan(size) ? v->error[column] / size : 0;
}

/* Positions and angles of bodies and points. */
static bool verify_is_position(const char *column)
{
    const char *dot = strrchr(column, '.');
    return dot &&
           (strcmp(dot, ".x") == 0 || strcmp(dot, ".y") == 0 || strcmp(dot, ".z") == 0 || strcmp(dot, ".phi") == 0);
}

int cli_verify_end(CliVerify *verify, const HolSummary *run, HolStatus (*progress)(void *user, double t), void *user,
                   HolFindings *findings)
{
    HolMessage message;
    HolSimulation *simulation = NULL;
    verify->factor = verify_factor(run);
    verify->energy = fmax(run->max_kinetic_energy, run->potential_high - run->potential_low);
    HolStatus status = verify_open(verify, run, &simulation, &message);
    Repeat repeat = {verify, simulation, verify_row(verify, MAX_ROWS + 3), progress, user};
    if (status == HOL_OK)
        status = verify_repeat(verify, repeat);
    if (status != HOL_OK)
        cli_fail("--verify: the repeated run failed: %s",
                 simulation ? hol_simulation_message(simulation) : message.text);
    hol_simulation_destroy(simulation);
    double worst = 0;
    for (int k = 0; k < verify->columns; ++k)
        if (verify_is_position(hol_recorder_column(verify->recorder, k)))
            worst = fmax(worst, verify_relative(verify, k));
    hol_findings_verify(findings, status == HOL_OK ? worst : (double)HUGE_VAL);
    verify->is_on = status == HOL_OK;
    return status == HOL_OK ? EXIT_DONE : EXIT_EARLY;
}

void cli_verify_print(const CliVerify *verify)
{
    CliTable table = {.columns = 4};
    printf("\nError, from the difference to the repeated run\n");
    cli_table_add(&table, "column", "max error", "relative", "range");
    for (int k = 1; k < verify->columns; ++k) {
        char text[3][40];
        const double relative = verify_relative(verify, k);
        snprintf(text[0], sizeof text[0], "%.2g", verify->error[k]);
        snprintf(text[1], sizeof text[1], isnan(relative) ? "-" : "%.2g", relative);
        snprintf(text[2], sizeof text[2], "%.3g", verify->high[k] - verify->low[k]);
        cli_table_add(&table, hol_recorder_column(verify->recorder, k), text[0], text[1], text[2]);
    }
    cli_table_print(&table, 2);
}

void cli_verify_member(const CliVerify *verify, CliJson *json)
{
    if (!verify->is_on) {
        cli_json_null(json, "verify");
        return;
    }
    cli_json_array(json, "verify");
    for (int k = 1; k < verify->columns; ++k) {
        cli_json_object(json, NULL);
        cli_json_text(json, "column", hol_recorder_column(verify->recorder, k));
        cli_json_number(json, "error", verify->error[k]);
        cli_json_number(json, "relative", verify_relative(verify, k));
        cli_json_end(json);
    }
    cli_json_end(json);
}

void cli_verify_free(CliVerify *verify)
{
    free(verify->values);
    free(verify->recorder_start);
    free(verify->recorder_end);
    *verify = (CliVerify){.values = NULL};
}
