/* SPDX-License-Identifier: BSD-3-Clause */
/* A comparison as tables and plots. */
#include "compare/output.h"
#include "terminal/plot.h"
#include "terminal/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NUMBER_SIZE = 64 };

static const char *text_number(double value, char text[NUMBER_SIZE])
{
    if (isnan(value))
        return "-";
    snprintf(text, NUMBER_SIZE, "%.2g", value);
    return text;
}

static const char *whole(long value, char text[NUMBER_SIZE])
{
    snprintf(text, NUMBER_SIZE, "%ld", value);
    return text;
}

/* "0.01", or "<1e-7" where the error is below the uncertainty of the reference. */
static const char *error(const HolComparison *c, const HolCompareRecord *r, char text[NUMBER_SIZE])
{
    bool is_lost = r->position_error < c->reference_error;
    if (isnan(r->position_error))
        return "-";
    snprintf(text, NUMBER_SIZE, is_lost ? "<%.2g" : "%.2g", is_lost ? c->reference_error : r->position_error);
    return text;
}

static const char *reactions(const HolComparison *c, const HolCompareRecord *r, char text[NUMBER_SIZE])
{
    if (!(r->reaction_error < c->reference_reaction_error))
        return text_number(r->reaction_error, text);
    snprintf(text, NUMBER_SIZE, "<%.2g", c->reference_reaction_error);
    return text;
}

/* The time ratio, or the CPU time for a stiff model, where the baseline lagrange fails as a rule. */
static const char *ratio(const HolComparison *c, const HolCompareRecord *r, char text[NUMBER_SIZE])
{
    const char *format = r->time_ratio_high < 1000 ? "%.2f (%.2f-%.2f)" : "%.3g (%.3g-%.3g)";
    if (isnan(r->time_ratio)) {
        snprintf(text, NUMBER_SIZE, c->is_stiff && r->processor_s > 0 ? "%.2g s" : "-", r->processor_s);
        return text;
    }
    snprintf(text, NUMBER_SIZE, format, r->time_ratio, r->time_ratio_low, r->time_ratio_high);
    return text;
}

static const char *status(const HolCompareRecord *r, char text[NUMBER_SIZE])
{
    if (r->status == HOL_UNSUPPORTED)
        return "not applicable";
    snprintf(text, NUMBER_SIZE, "%s%s%s", hol_status_name(r->status), *r->remark ? ", " : "", r->remark);
    if (r->status == HOL_TOO_STIFF) /* the remark would repeat it */
        snprintf(text, NUMBER_SIZE, "%s", hol_status_name(r->status));
    return text;
}

static const char *verdict(const HolCompareRecord *r)
{
    return r->status == HOL_OK ? hol_verdict_name(r->verdict) : "-";
}

void cli_comparison_name(const char *integrator, double step, char text[CLI_COMPARISON_NAME_SIZE])
{
    if (hol_compare_is_adaptive(integrator))
        snprintf(text, CLI_COMPARISON_NAME_SIZE, "%s, adaptive steps", integrator);
    else
        snprintf(text, CLI_COMPARISON_NAME_SIZE, "%s, step %g s", integrator, step);
}

/* "penalty", or with its integrator if that is not the one of the block */
static const char *text_name_row(const HolCompareRecord *r, char text[CLI_COMPARISON_NAME_SIZE])
{
    const char *format = strcmp(r->integrator, r->block_integrator) == 0 ? "%s" : "%s (%s)";
    snprintf(text, CLI_COMPARISON_NAME_SIZE, format, r->formulation, r->integrator);
    return text;
}

/* Before the means, the errors, the costs and the times. */
enum { COLUMNS = 16, BREAKS = 1 << 5 | 1 << 8 | 1 << 10 | 1 << 13 };

static void add_record(CliTable *table, const HolComparison *c, const HolCompareRecord *r)
{
    const HolSummary *run = &r->summary;
    char t[14][NUMBER_SIZE], name[CLI_COMPARISON_NAME_SIZE];
    if (r->status == HOL_UNSUPPORTED) {
        cli_table_add(table, r->formulation, "-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-",
                      status(r, t[0]));
        return;
    }
    cli_table_add(table, text_name_row(r, name), text_number(run->max_position_violation, t[0]),
                  text_number(run->max_velocity_violation, t[1]), text_number(run->max_acceleration_violation, t[2]),
                  text_number(run->max_energy_drift, t[3]), text_number(run->mean_position_violation_sq, t[4]),
                  text_number(run->mean_velocity_violation_sq, t[5]),
                  text_number(run->mean_acceleration_violation_sq, t[6]), error(c, r, t[7]), reactions(c, r, t[8]),
                  whole(run->evaluations, t[9]), whole(run->iterations, t[10]),
                  whole(run->max_position_iterations, t[11]), ratio(c, r, t[12]), verdict(r), status(r, t[13]));
}

static bool lacks_ratio(const HolComparison *c, int index)
{
    return c->rounds > 0 && c->records[index].status == HOL_OK && isnan(c->records[index].time_ratio);
}

static int print_block(const HolComparison *c, int first)
{
    CliTable table = {.columns = COLUMNS, .breaks = BREAKS};
    const HolCompareRecord *head = &c->records[first];
    char name[CLI_COMPARISON_NAME_SIZE];
    int next = first;
    cli_comparison_name(head->block_integrator, head->step, name);
    printf("\n%s\n", name);
    cli_table_add(&table, "formulation", "position", "velocity", "accel.", "energy", "p sq", "v sq", "a sq", "error",
                  "reactions", "evals", "iters", "corr.", "time ratio", "verdict", "status");
    bool lacks = false;
    for (; next < c->count && c->records[next].block == head->block; ++next) {
        add_record(&table, c, &c->records[next]);
        lacks = lacks || lacks_ratio(c, next);
    }
    cli_table_print(&table, 2);
    if (lacks)
        cli_print_line("no time ratios: lagrange, their baseline, fails here%s",
                       c->is_stiff ? "; CPU times instead" : "");
    return next;
}

/* Whether the reason of an unsupported pair was printed already, for another step. */
static bool is_repeated(const HolComparison *c, int index)
{
    const HolCompareRecord *r = &c->records[index];
    for (int i = 0; r->status == HOL_UNSUPPORTED && i < index; ++i)
        if (hol_compare_same_methods(&c->records[i], r))
            return true;
    return false;
}

static void print_reasons(const HolComparison *c)
{
    bool any = false;
    char name[CLI_COMPARISON_NAME_SIZE];
    for (int i = 0; i < c->count; ++i) {
        const HolCompareRecord *r = &c->records[i];
        if (r->status == HOL_OK || is_repeated(c, i) || strcmp(r->remark, "too stiff") == 0)
            continue; /* its status says enough; --json has each reason */
        cli_comparison_name(r->integrator, r->step, name);
        if (!any)
            putchar('\n');
        if (strncmp(r->message.text, r->formulation, strlen(r->formulation)) == 0) /* it names itself */
            cli_print_line("%s", r->message.text);
        else
            cli_print_line("%s with %s: %s", r->formulation, r->status == HOL_UNSUPPORTED ? r->integrator : name,
                           r->message.text);
        any = true;
    }
}

/* The worst finding of a run that is not good. False: it has none, the motion is too sensitive to judge it. */
static bool print_finding(const HolCompareRecord *r)
{
    HolFindings findings;
    char name[CLI_COMPARISON_NAME_SIZE];
    cli_comparison_name(r->integrator, r->step, name);
    hol_summary_findings(&r->summary, &findings);
    const HolFinding *worst = &findings.list[0];
    const char *verdict = hol_verdict_name(r->verdict);
    if (findings.count > 0 && worst->verdict == r->verdict)
        cli_print_line("%s with %s is %s: %s: %s %s", r->formulation, name, verdict, worst->what, worst->reason,
                       worst->advice);
    else if (*r->remark)
        cli_print_line("%s with %s is %s: its error exceeds a tenth of the motion, or its energy drift the kinetic "
                       "energy. Take a shorter step.",
                       r->formulation, name, verdict);
    else
        return false;
    return true;
}

static void print_findings(const HolComparison *c)
{
    bool any = false, is_unjudged = false;
    for (int i = 0; i < c->count; ++i) {
        const HolCompareRecord *r = &c->records[i];
        if (r->status != HOL_OK || r->verdict == HOL_VERDICT_GOOD)
            continue;
        if (!any)
            putchar('\n');
        any = true;
        is_unjudged = !print_finding(r) || is_unjudged;
    }
    if (is_unjudged)
        cli_print_line("%s", "Runs without a reason are doubtful because the motion is too sensitive for a reference: "
                             "compare a shorter time.");
}

static bool is_first_of_methods(const HolComparison *c, int index)
{
    for (int i = 0; i < index; ++i)
        if (hol_compare_same_methods(&c->records[i], &c->records[index]))
            return false;
    return true;
}

/* "-0.0" is no order. */
static const char *order(double value, char text[NUMBER_SIZE])
{
    if (isnan(value))
        return "-";
    snprintf(text, NUMBER_SIZE, "%.1f", fabs(value) < 0.05 ? 0 : value);
    return text;
}

/* Adds all steps of one formulation and integrator, including those that failed. */
static void add_methods(CliTable *table, const HolComparison *c, int first)
{
    char t[7][NUMBER_SIZE];
    for (int i = first; i < c->count; ++i) {
        const HolCompareRecord *r = &c->records[i];
        bool ended = r->status == HOL_OK;
        if (r->status == HOL_UNSUPPORTED || !hol_compare_same_methods(r, &c->records[first]))
            continue;
        snprintf(t[0], sizeof t[0], "%g", r->step);
        cli_table_add(
            table, r->formulation, r->integrator, hol_compare_is_adaptive(r->integrator) ? "-" : t[0],
            error(c, r, t[1]), order(r->order, t[2]), ended ? text_number(r->summary.max_energy_drift, t[3]) : "-",
            ended ? whole(r->summary.evaluations, t[4]) : "-", text_number(r->processor_s, t[5]), status(r, t[6]));
    }
}

static void print_work(const HolComparison *c)
{
    CliTable table = {.columns = 9, .breaks = 1u << 5 | 1u << 7, .repeated = 2};
    puts("\nwork-precision");
    cli_table_add(&table, "formulation", "integrator", "step, s", "error", "order", "energy", "evals", "CPU time, s",
                  "status");
    for (int i = 0; i < c->count; ++i)
        if (is_first_of_methods(c, i))
            add_methods(&table, c, i);
    cli_table_print(&table, 2);
}

static void print_reference(const HolComparison *c)
{
    CliAdvice basis;
    cli_comparison_basis(c, &basis);
    for (int i = 0; i < basis.count; ++i)
        cli_print_line("%s", basis.lines[i]);
}

void cli_comparison_print(const CliComparison *c)
{
    const char *title = hol_model_title(c->model), *name = hol_model_name(c->model);
    cli_put_line(stdout, *title ? "%s (%s), %g s" : "%s%s, %g s", title, name, c->found->until);
    print_reference(c->found);
    for (int i = 0; i < c->found->count;)
        i = print_block(c->found, i);
    print_reasons(c->found);
    print_findings(c->found);
    if (c->found->records[c->found->count - 1].block > 0)
        print_work(c->found);
    if (!isnan(c->accuracy) || c->found->is_stiff)
        cli_comparison_recommend(c);
}

static int plot_block(const CliComparison *c, int first)
{
    const HolCompareRecord *head = &c->found->records[first];
    char titles[2][160], name[CLI_COMPARISON_NAME_SIZE];
    double start = hol_mechanism_initial_state(c->mechanism).t;
    CliPlot violation = {.title = titles[0], .start = start, .until = c->found->until}, drift = violation;
    int next = first;
    drift.title = titles[1];
    cli_comparison_name(head->block_integrator, head->step, name);
    snprintf(titles[0], sizeof titles[0], "max position violation, %s", name);
    snprintf(titles[1], sizeof titles[1], "max energy drift in J, %s", name);
    for (; next < c->found->count && c->found->records[next].block == head->block; ++next) {
        const HolCompareRecord *r = &c->found->records[next];
        cli_plot_add(&violation, r->formulation, r->violation);
        cli_plot_add(&drift, r->formulation, r->drift);
    }
    cli_plot_print(&violation);
    cli_plot_print(&drift);
    return next;
}

void cli_comparison_plot(const CliComparison *c)
{
    for (int i = 0; i < c->found->count;)
        i = plot_block(c, i);
}
