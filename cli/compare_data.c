/* SPDX-License-Identifier: BSD-3-Clause */
/* A comparison for programs. */
#include "compare_output.h"
#include "summary.h"

#include <math.h>

static CliSummary summary_of(const CliComparison *c, const HolCompareRecord *r)
{
    CliSummary summary = {.model = c->model, .mechanism = c->mechanism, .run = r->summary, .until = c->found->until};
    summary.run.formulation = r->formulation;
    summary.run.integrator = r->integrator;
    summary.run.step = r->step;
    summary.run.status = r->status;
    summary.run.wall_s = r->wall_s;
    return summary;
}

/* What a record has besides the summary of a run. */
static void write_members(const CliComparison *c, int index, HolJson *json)
{
    const HolCompareRecord *r = &c->found->records[index];
    hol_json_number(json, "time_ratio", r->time_ratio);
    hol_json_number(json, "time_ratio_low", r->time_low);
    hol_json_number(json, "time_ratio_high", r->time_high);
    hol_json_number(json, "max_acceleration_violation", r->summary.max_acceleration_violation);
    hol_json_number(json, "mean_velocity_violation_sq", r->summary.mean_velocity_violation_sq);
    hol_json_number(json, "position_error", r->position_error);
    hol_json_number(json, "reaction_spread", r->reaction_spread);
    hol_json_number(json, "order", r->order);
    if (!isnan(c->accuracy)) {
        hol_json_flag(json, "accurate", hol_compare_reaches(r, c->goal, c->accuracy));
        hol_json_flag(json, "recommended", index == hol_comparison_fastest(c->found, c->goal, c->accuracy, -1));
    }
    hol_json_text(json, "message", r->message.text);
}

void cli_comparison_json(const CliComparison *c)
{
    HolJson json = hol_json_begin(stdout);
    hol_json_array(&json, NULL);
    for (int i = 0; i < c->found->count; ++i) {
        CliSummary summary = summary_of(c, &c->found->records[i]);
        hol_json_object(&json, NULL);
        cli_summary_members(&summary, &json);
        write_members(c, i, &json);
        hol_json_end(&json);
    }
    hol_json_end(&json);
}

static void write_row(const HolCompareRecord *r, double until, FILE *file)
{
    const HolSummary *run = &r->summary;
    const double numbers[] = {r->wall_s,
                              run->max_position_violation,
                              run->max_velocity_violation,
                              run->max_acceleration_violation,
                              run->mean_position_violation_sq,
                              run->mean_velocity_violation_sq,
                              run->max_energy_drift,
                              r->position_error,
                              r->reaction_spread,
                              r->order,
                              r->time_ratio,
                              r->time_low,
                              r->time_high};
    fprintf(file, "%s,%s,%.15g,%.15g,%.15g,%s,%ld,%ld,%ld", r->formulation, r->integrator, r->step, until, run->reached,
            hol_status_name(r->status), run->steps, run->evaluations, run->iterations);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i)
        if (isfinite(numbers[i]))
            fprintf(file, ",%.15g", numbers[i]);
        else
            fputs(",nan", file);
    putc('\n', file);
}

void cli_comparison_csv(const CliComparison *c, FILE *file)
{
    fputs("formulation,integrator,step,until,reached,status,steps,evaluations,iterations,wall_s,max_position_violation,"
          "max_velocity_violation,max_acceleration_violation,mean_position_violation_sq,mean_velocity_violation_sq,"
          "max_energy_drift,position_error,reaction_spread,order,time_ratio,time_ratio_low,time_ratio_high\n",
          file);
    for (int i = 0; i < c->found->count; ++i)
        write_row(&c->found->records[i], c->found->until, file);
}
