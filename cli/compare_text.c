/* SPDX-License-Identifier: BSD-3-Clause */
/* A comparison for people. */
#include "compare_output.h"
#include "plot.h"
#include "table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NUMBER_SIZE = 24, NAME_SIZE = 100 };

static const char *number(double value, char text[NUMBER_SIZE])
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

static const char *ratio(const HolCompareRecord *r, char text[NUMBER_SIZE])
{
    if (isnan(r->time_ratio))
        return "-";
    snprintf(text, NUMBER_SIZE, "%.2f (%.2f-%.2f)", r->time_ratio, r->time_low, r->time_high);
    return text;
}

/* "rk4, step 0.001 s", "dopri5, steps of its own" */
static void name_steps(const char *integrator, double step, char text[NAME_SIZE])
{
    for (int i = 0; i < hol_integrator_count(); ++i)
        if (strcmp(hol_integrator_info(i).name, integrator) == 0 && hol_integrator_info(i).adaptive) {
            snprintf(text, NAME_SIZE, "%s, steps of its own", integrator);
            return;
        }
    snprintf(text, NAME_SIZE, "%s, step %g s", integrator, step);
}

/* "penalty", or with its integrator if that is not the one of the block */
static const char *name_row(const HolCompareRecord *r, char text[NAME_SIZE])
{
    snprintf(text, NAME_SIZE, strcmp(r->integrator, r->beside) == 0 ? "%s" : "%s (%s)", r->formulation, r->integrator);
    return text;
}

/* ---- Violations, errors, costs of each block of one integrator and step ---- */

static bool same_block(const HolCompareRecord *a, const HolCompareRecord *b)
{
    return strcmp(a->beside, b->beside) == 0 && a->step == b->step;
}

static void add_record(CliTable *table, const HolCompareRecord *r)
{
    const HolSummary *run = &r->summary;
    char t[10][NUMBER_SIZE], name[NAME_SIZE];
    if (r->status == HOL_UNSUPPORTED) {
        cli_table_add(table, r->formulation, "-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "does not apply");
        return;
    }
    cli_table_add(table, name_row(r, name), number(run->max_position_violation, t[0]),
                  number(run->max_velocity_violation, t[1]), number(run->max_acceleration_violation, t[2]),
                  number(run->mean_position_violation_sq, t[3]), number(run->max_energy_drift, t[4]),
                  number(r->position_error, t[5]), number(r->reaction_spread, t[6]), whole(run->evaluations, t[7]),
                  whole(run->iterations, t[8]), ratio(r, t[9]), hol_status_name(r->status));
}

static bool lacks_ratio(const HolComparison *c, int index)
{
    return c->rounds > 0 && c->records[index].status == HOL_OK && isnan(c->records[index].time_ratio);
}

static int print_block(const HolComparison *c, int first)
{
    CliTable table = {.columns = 12};
    const HolCompareRecord *head = &c->records[first];
    char name[NAME_SIZE];
    int next = first;
    name_steps(head->beside, head->step, name);
    printf("\n%s\n", name);
    cli_table_add(&table, "formulation", "position", "velocity", "accel.", "mean sq", "energy", "error", "reactions",
                  "evals", "iters", "time ratio", "status");
    bool lacks = false;
    for (; next < c->count && same_block(head, &c->records[next]); ++next) {
        add_record(&table, &c->records[next]);
        lacks = lacks || lacks_ratio(c, next);
    }
    cli_table_print(&table, 2);
    if (lacks)
        puts("  no time ratios: lagrange, which they are relative to, fails here");
    return next;
}

/* A reason that holds for a pair of methods is told once, whatever the step. */
static bool is_told(const HolComparison *c, int index)
{
    const HolCompareRecord *r = &c->records[index];
    for (int i = 0; r->status == HOL_UNSUPPORTED && i < index; ++i)
        if (strcmp(c->records[i].formulation, r->formulation) == 0 &&
            strcmp(c->records[i].integrator, r->integrator) == 0)
            return true;
    return false;
}

static void print_reasons(const HolComparison *c)
{
    bool any = false;
    char name[NAME_SIZE];
    for (int i = 0; i < c->count; ++i) {
        const HolCompareRecord *r = &c->records[i];
        if (r->status == HOL_OK || is_told(c, i))
            continue;
        name_steps(r->integrator, r->step, name);
        if (!any)
            putchar('\n');
        if (strncmp(r->message.text, r->formulation, strlen(r->formulation)) != 0) /* else it names itself */
            printf("%s with %s: ", r->formulation, r->status == HOL_UNSUPPORTED ? r->integrator : name);
        puts(r->message.text);
        any = true;
    }
}

/* ---- Work and precision, if there are several steps or integrators ---- */

static bool has_several_blocks(const HolComparison *c)
{
    for (int i = 1; i < c->count; ++i)
        if (!same_block(&c->records[0], &c->records[i]))
            return true;
    return false;
}

static bool same_methods(const HolCompareRecord *a, const HolCompareRecord *b)
{
    return strcmp(a->formulation, b->formulation) == 0 && strcmp(a->integrator, b->integrator) == 0;
}

static bool is_first_of_methods(const HolComparison *c, int index)
{
    for (int i = 0; i < index; ++i)
        if (same_methods(&c->records[i], &c->records[index]))
            return false;
    return true;
}

static void add_methods(CliTable *table, const HolComparison *c, int first)
{
    char t[5][NUMBER_SIZE], order[NUMBER_SIZE] = "-";
    for (int i = first; i < c->count; ++i) {
        const HolCompareRecord *r = &c->records[i];
        if (r->status != HOL_OK || !same_methods(r, &c->records[first]))
            continue;
        snprintf(order, sizeof order, isnan(r->order) ? "-" : "%.1f", r->order);
        snprintf(t[0], sizeof t[0], "%g", r->step);
        cli_table_add(table, r->formulation, r->integrator, t[0], number(r->position_error, t[1]), order,
                      number(r->summary.max_energy_drift, t[2]), whole(r->summary.evaluations, t[3]),
                      number(r->wall_s, t[4]));
    }
}

static void print_work(const HolComparison *c)
{
    CliTable table = {.columns = 8};
    puts("\nwork and precision");
    cli_table_add(&table, "formulation", "integrator", "step, s", "error", "order", "energy", "evals", "time, s");
    for (int i = 0; i < c->count; ++i)
        if (is_first_of_methods(c, i))
            add_methods(&table, c, i);
    cli_table_print(&table, 2);
}

/* ---- The recommendation ---- */

static void describe(const HolCompareRecord *r)
{
    char name[NAME_SIZE];
    name_steps(r->integrator, r->step, name);
    printf("%s with %s: error %.2g, violation %.2g, energy drift %.2g J, %.2g s", r->formulation, name,
           r->position_error, r->summary.max_position_violation, r->summary.max_energy_drift, r->wall_s);
}

/* Of those that were accurate or not, the one that came nearest; for the sentence that none did. */
static double least_reached(const CliComparison *c)
{
    double least = NAN;
    for (int i = 0; i < c->found->count; ++i) {
        const HolCompareRecord *r = &c->found->records[i];
        if (r->status == HOL_OK)
            least = fmin(least, c->goal == HOL_GOAL_ENERGY ? r->summary.max_energy_drift : r->position_error);
    }
    return least;
}

static void recommend(const CliComparison *c)
{
    bool energy = c->goal == HOL_GOAL_ENERGY;
    int best = hol_comparison_fastest(c->found, c->goal, c->accuracy, -1);
    int second = hol_comparison_fastest(c->found, c->goal, c->accuracy, best);
    printf("\n%s of at most %g%s: ", energy ? "energy drift" : "position error", c->accuracy, energy ? " J" : "");
    if (best < 0) {
        printf("none of these reaches it; the least is %.2g. Try smaller --steps.\n", least_reached(c));
        return;
    }
    printf("fastest is ");
    describe(&c->found->records[best]);
    if (second >= 0) {
        printf("\nnext, %.2f times as slow, is ", c->found->records[second].wall_s / c->found->records[best].wall_s);
        describe(&c->found->records[second]);
    }
    putchar('\n');
    if (!energy && c->found->reference_error > c->accuracy)
        printf("but the reference itself is known to %.1g only\n", c->found->reference_error);
}

/* ---- All of it ---- */

static void print_reference(const HolComparison *c)
{
    printf("reference: %s", c->reference.text);
    if (c->has_reference)
        printf(", uncertain by %.1g", c->reference_error);
    if (c->known_count > 0)
        printf("; differs by %.1g from %d known values of the model up to %g s", c->known_error, c->known_count,
               c->known_until);
    putchar('\n');
}

void cli_comparison_print(const CliComparison *c)
{
    const char *title = hol_model_title(c->model), *name = hol_model_name(c->model);
    printf(*title ? "%s (%s), %g s\n" : "%s%s, %g s\n", title, name, c->found->until);
    print_reference(c->found);
    for (int i = 0; i < c->found->count;)
        i = print_block(c->found, i);
    print_reasons(c->found);
    if (has_several_blocks(c->found))
        print_work(c->found);
    if (!isnan(c->accuracy))
        recommend(c);
}

static int plot_block(const CliComparison *c, int first)
{
    const HolCompareRecord *head = &c->found->records[first];
    char titles[2][160], name[NAME_SIZE];
    double start = hol_mechanism_start(c->mechanism).t;
    CliPlot violation = {.title = titles[0], .start = start, .until = c->found->until}, drift = violation;
    int next = first;
    drift.title = titles[1];
    name_steps(head->beside, head->step, name);
    snprintf(titles[0], sizeof titles[0], "largest position violation, %s", name);
    snprintf(titles[1], sizeof titles[1], "largest energy drift in J, %s", name);
    for (; next < c->found->count && same_block(head, &c->found->records[next]); ++next) {
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
