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
    if (!verify->values)
        return cli_fail("not enough memory");
    verify->error = verify_row(verify, MAX_ROWS);
    verify->low = verify_row(verify, MAX_ROWS + 1);
    verify->high = verify_row(verify, MAX_ROWS + 2);
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

HolStatus cli_verify_add(CliVerify *verify, const HolSimulation *simulation)
{
    if (++verify->steps % verify->stride != 0)
        return HOL_OK;
    if (verify->rows == MAX_ROWS)
        verify_thin(verify);
    if (verify->steps % verify->stride != 0)
        return HOL_OK;
    return verify_read(verify, simulation, verify_row(verify, verify->rows++));
}

/* The tolerance of an adaptive integrator: as set, or its default. */
static double verify_tolerance(const HolSimulationOptions *options)
{
    double tolerance = NAN;
    for (int i = 0; i < hol_integrator_count(); ++i) {
        HolKindInfo kind = hol_integrator_info(i);
        for (int k = 0; strcmp(kind.name, options->integrator) == 0 && k < kind.option_count; ++k)
            if (strcmp(kind.options[k].name, "tolerance") == 0)
                tolerance = kind.options[k].fallback;
    }
    for (int i = 0; i < options->setting_count; ++i)
        if (strcmp(options->settings[i].name, "integrator.tolerance") == 0)
            tolerance = strtod(options->settings[i].value, NULL);
    return tolerance;
}

static bool verify_is_adaptive(const char *integrator)
{
    for (int i = 0; i < hol_integrator_count(); ++i)
        if (strcmp(hol_integrator_info(i).name, integrator) == 0)
            return hol_integrator_info(i).adaptive;
    return false;
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
    if (verify_is_adaptive(run->integrator) && options.setting_count < MAX_SETTINGS) {
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
        v->error[k] = fmax(v->error[k], fabs(row[k] - better[k]));
        v->low[k] = fmin(v->low[k], better[k]);
        v->high[k] = fmax(v->high[k], better[k]);
    }
}

static HolStatus verify_repeat(CliVerify *v, HolSimulation *simulation, HolRun run)
{
    double *better = verify_row(v, MAX_ROWS + 3);
    memcpy(v->low, v->values, (size_t)v->columns * sizeof *v->low);
    memcpy(v->high, v->values, (size_t)v->columns * sizeof *v->high);
    for (int i = 1; i < v->rows; ++i) {
        run.until = verify_row(v, i)[0];
        HolStatus status = hol_simulation_run(simulation, &run);
        if (status == HOL_OK)
            status = verify_read(v, simulation, better);
        if (status != HOL_OK)
            return status;
        verify_compare(v, verify_row(v, i), better);
    }
    return HOL_OK;
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

/* The error relative to the largest range of a column of the same kind, so that a column at rest is no error. */
static double verify_relative(const CliVerify *v, int column)
{
    double range = 0;
    for (int k = 0; k < v->columns; ++k)
        if (verify_same_kind(hol_recorder_column(v->recorder, k), hol_recorder_column(v->recorder, column)))
            range = fmax(range, v->high[k] - v->low[k]);
    return v->error[column] > 0 ? v->error[column] / range : 0;
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
    HolRun again = {.progress = progress, .user = user};
    HolStatus status = verify_open(verify, run, &simulation, &message);
    if (status == HOL_OK)
        status = verify_repeat(verify, simulation, again);
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
    printf("\nDifference from the repeated run\n");
    cli_table_add(&table, "column", "max difference", "relative", "range");
    for (int k = 0; k < verify->columns; ++k) {
        char text[3][40];
        const char *name = hol_recorder_column(verify->recorder, k);
        if (strcmp(name, "t") == 0)
            continue;
        snprintf(text[0], sizeof text[0], "%.2g", verify->error[k]);
        snprintf(text[1], sizeof text[1], "%.2g", verify_relative(verify, k));
        snprintf(text[2], sizeof text[2], "%.3g", verify->high[k] - verify->low[k]);
        cli_table_add(&table, name, text[0], text[1], text[2]);
    }
    cli_table_print(&table, 2);
}

void cli_verify_free(CliVerify *verify)
{
    free(verify->values);
    verify->values = NULL;
}
