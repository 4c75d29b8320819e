/* SPDX-License-Identifier: BSD-3-Clause */
/* A comparison as JSON and CSV. */
#include "compare/output.h"
#include "run/summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static CliSummary summary_of(const CliComparison *c, const HolCompareRecord *r)
{
    CliSummary summary = {.model = c->model,
                          .mechanism = c->mechanism,
                          .run = r->summary,
                          .until = c->found->until,
                          .unresolved_since = NAN};
    summary.run.formulation = r->formulation;
    summary.run.integrator = r->integrator;
    summary.run.step = r->step;
    summary.run.status = r->status;
    summary.run.wall_s = r->wall_s;
    summary.run.processor_s = r->processor_s;
    hol_summary_findings(&summary.run, &summary.findings);
    summary.findings.verdict = r->verdict;
    return summary;
}

static const char *data_name(const char *name)
{
    return name ? name : "";
}

/* Of the reference that no part of holon computes; NAN: there is none. */
static double ida_difference(const HolComparison *found)
{
    for (int i = 0; i < found->confirmation_count; ++i)
        if (found->confirmations[i].is_independent)
            return found->confirmations[i].difference;
    return NAN;
}

/* The families that the reference was compared with, and the differences. */
static void write_references(const HolComparison *found, CliJson *json)
{
    cli_json_text(json, "reference_method", data_name(found->reference_method));
    cli_json_text(json, "second_method", data_name(found->second_method));
    cli_json_number(json, "second_difference", found->second_difference);
    cli_json_number(json, "ida_difference", ida_difference(found));
    cli_json_text(json, "without_ida", found->without_ida.text);
    cli_json_array(json, "references");
    for (int i = 0; i < found->confirmation_count; ++i) {
        const HolConfirmation *by = &found->confirmations[i];
        cli_json_object(json, NULL);
        cli_json_text(json, "method", by->method);
        cli_json_number(json, "step", by->step);
        cli_json_number(json, "tolerance", by->tolerance);
        cli_json_number(json, "difference", by->difference);
        cli_json_number(json, "change", by->change);
        cli_json_end(json);
    }
    cli_json_end(json);
}

/* Writes what a record has besides the summary of its run. */
static void write_members(const CliComparison *c, int index, CliJson *json)
{
    const HolCompareRecord *r = &c->found->records[index];
    cli_json_number(json, "time_ratio", r->time_ratio);
    cli_json_number(json, "time_ratio_low", r->time_ratio_low);
    cli_json_number(json, "time_ratio_high", r->time_ratio_high);
    cli_json_number(json, "max_acceleration_violation", r->summary.max_acceleration_violation);
    cli_json_number(json, "mean_velocity_violation_sq", r->summary.mean_velocity_violation_sq);
    cli_json_number(json, "position_error", r->position_error);
    cli_json_number(json, "reaction_error", r->reaction_error);
    cli_json_number(json, "order", r->order);
    cli_json_number(json, "mean_acceleration_violation_sq", r->summary.mean_acceleration_violation_sq);
    cli_json_number(json, "reference_error", c->found->reference_error);
    cli_json_number(json, "known_error", c->found->known_error);
    write_references(c->found, json);
    cli_json_text(json, "remark", r->remark);
    if (!isnan(c->accuracy)) {
        cli_json_flag(json, "accurate", hol_comparison_reaches(c->found, index, c->goal, c->accuracy));
        cli_json_flag(json, "recommended", index == hol_comparison_fastest(c->found, c->goal, c->accuracy, -1));
    }
    cli_json_text(json, "message", r->message.text);
}

void cli_comparison_records(const CliComparison *c, CliJson *json)
{
    for (int i = 0; i < c->found->count; ++i) {
        CliSummary summary = summary_of(c, &c->found->records[i]);
        cli_json_object(json, NULL);
        cli_summary_members(&summary, json);
        write_members(c, i, json);
        cli_json_end(json);
    }
}

void cli_comparison_json(const CliComparison *c)
{
    CliJson json = cli_json_begin(stdout);
    cli_json_array(&json, NULL);
    cli_comparison_records(c, &json);
    cli_json_end(&json);
}

/* A numeric column of the CSV. */
typedef struct Column {
    const char *name;
    double value;
} Column;

enum { MAX_COLUMNS = 26 };

static int data_list_columns(const CliComparison *c, const HolCompareRecord *r, Column columns[MAX_COLUMNS])
{
    const HolSummary *run = &r->summary;
    const Column list[] = {
        {"wall_s", r->wall_s},
        {"max_position_violation", run->max_position_violation},
        {"max_velocity_violation", run->max_velocity_violation},
        {"max_acceleration_violation", run->max_acceleration_violation},
        {"mean_position_violation_sq", run->mean_position_violation_sq},
        {"mean_velocity_violation_sq", run->mean_velocity_violation_sq},
        {"max_energy_drift", run->max_energy_drift},
        {"position_error", r->position_error},
        {"reaction_error", r->reaction_error},
        {"order", r->order},
        {"time_ratio", r->time_ratio},
        {"time_ratio_low", r->time_ratio_low},
        {"time_ratio_high", r->time_ratio_high},
        {"mean_acceleration_violation_sq", run->mean_acceleration_violation_sq},
        {"position_iterations", (double)run->position_iterations},
        {"max_position_iterations", run->max_position_iterations},
        {"energy_initial", run->energy_initial},
        {"energy_final", run->energy_final},
        {"dof", run->dof},
        {"redundant_rows", run->redundant_rows},
        {"processor_s", r->processor_s},
        {"reference_error", c->found->reference_error},
        {"known_error", c->found->known_error},
        {"second_difference", c->found->second_difference},
        {"ida_difference", ida_difference(c->found)},
    };
    memcpy(columns, list, sizeof list);
    return sizeof list / sizeof *list;
}

/* The shortest text that is read as the same number. */
static void write_number(double value, FILE *file)
{
    char text[40] = "nan";
    for (int digits = 15; isfinite(value) && digits <= 17; ++digits) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    fputs(text, file);
}

static void data_write_row(const CliComparison *c, const HolCompareRecord *r, FILE *file)
{
    Column columns[MAX_COLUMNS];
    int count = data_list_columns(c, r, columns);
    const double times[] = {r->step, c->found->until, r->summary.reached};
    fprintf(file, "%s,%s", r->formulation, r->integrator);
    for (int i = 0; i < 3; ++i) {
        putc(',', file);
        write_number(times[i], file);
    }
    fprintf(file, ",%s,%ld,%ld,%ld", hol_status_name(r->status), r->summary.steps, r->summary.evaluations,
            r->summary.iterations);
    for (int i = 0; i < count; ++i) {
        putc(',', file);
        write_number(columns[i].value, file);
    }
    fprintf(file, ",%s,%s,%s,%s\n", r->remark, hol_verdict_name(r->verdict), data_name(c->found->reference_method),
            data_name(c->found->second_method));
}

void cli_comparison_csv(const CliComparison *c, FILE *file)
{
    Column columns[MAX_COLUMNS];
    int count = data_list_columns(c, &c->found->records[0], columns);
    fputs("formulation,integrator,step,until,reached,status,steps,evaluations,iterations", file);
    for (int i = 0; i < count; ++i)
        fprintf(file, ",%s", columns[i].name);
    fputs(",remark,verdict,reference_method,second_method\n", file);
    for (int i = 0; i < c->found->count; ++i)
        data_write_row(c, &c->found->records[i], file);
}
