/* SPDX-License-Identifier: BSD-3-Clause */
/* The recommended combination, and the reference that errors are measured against. */
#include "compare/output.h"
#include "terminal/table.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

enum { LONGEST = CLI_ADVICE_LONGEST - 120 };

static void advice_describe(const HolComparison *c, int index, char text[LONGEST])
{
    const HolCompareRecord *r = &c->records[index];
    bool is_lost = r->position_error < c->reference_error;
    char name[CLI_COMPARISON_NAME_SIZE], error[40] = "unknown";
    cli_comparison_name(r->integrator, r->step, name);
    if (!isnan(r->position_error))
        snprintf(error, sizeof error, "%s%.2g", is_lost ? "below " : "",
                 is_lost ? c->reference_error : r->position_error);
    snprintf(
        text, LONGEST, "%s with %s: position error %s, position violation %.2g, energy drift %.2g J, CPU time %.2g s",
        r->formulation, name, error, r->summary.max_position_violation, r->summary.max_energy_drift, r->processor_s);
}

/* The smallest error of the runs that finished and are accurate; NAN if there is none. */
static double smallest_error(const CliComparison *c)
{
    double least = NAN;
    for (int i = 0; i < c->found->count; ++i) {
        const HolCompareRecord *r = &c->found->records[i];
        if (r->status == HOL_OK && !*r->remark)
            least = fmin(least, c->goal == HOL_GOAL_ENERGY ? r->summary.max_energy_drift
                                                           : r->position_error + c->found->reference_error);
    }
    return least;
}

__attribute__((format(printf, 2, 3))) static void add_line(CliAdvice *advice, const char *format, ...)
{
    va_list arguments;
    if (advice->count == CLI_ADVICE_LINES)
        return;
    va_start(arguments, format);
    vsnprintf(advice->lines[advice->count++], sizeof advice->lines[0], format, arguments);
    va_end(arguments);
}

/* "; ida with tolerance 1e-09 differs by 2e-8": what confirms the reference, the second method first. */
static void basis_confirmations(const HolComparison *c, char text[LONGEST])
{
    int size = 0;
    *text = '\0';
    for (int turn = 0; c->has_reference && turn < 2; ++turn)
        for (int i = 0; i < c->confirmation_count; ++i) {
            const HolConfirmation *by = &c->confirmations[i];
            char tolerance[40] = "";
            if ((turn == 0) != (by->method == c->second_method) || size >= LONGEST)
                continue;
            if (!isnan(by->tolerance))
                snprintf(tolerance, sizeof tolerance, " with tolerance %.0e", by->tolerance);
            size += snprintf(text + size, (size_t)(LONGEST - size), "; %s%s differs by %.1g", by->method, tolerance,
                             by->difference);
        }
}

/* A reference by steps longer than stable explicit ones does not resolve faster motion: its uncertainty says so. */
void cli_comparison_basis(const HolComparison *c, CliAdvice *basis)
{
    char known[160] = "", error[120] = "", others[LONGEST];
    bool by_known = c->reference_error < c->estimated_error;
    *basis = (CliAdvice){.best = -1};
    if (c->has_reference)
        snprintf(error, sizeof error, ", uncertainty %.1g%s", c->reference_error,
                 c->reference_step > c->explicit_step ? " if motion faster than its steps is negligible" : "");
    if (c->known_count > 0)
        snprintf(known, sizeof known, "%s %.1g from %d reference values of the model up to %g s",
                 by_known ? ": it differs by" : "; it differs by", c->known_error, c->known_count, c->known_until);
    basis_confirmations(c, others);
    add_line(basis, "reference: %s%s%s%s", c->reference.text, error, known, others);
    if (*c->without_ida.text)
        add_line(basis, "ida: %s", c->without_ida.text);
    if (c->is_stiff)
        add_line(basis, "stiff: explicit steps with tight error control would be about %.1g s long", c->explicit_step);
}

static bool all_inaccurate(const HolComparison *found)
{
    int finished = 0, inaccurate = 0;
    for (int i = 0; i < found->count; ++i) {
        finished += found->records[i].status == HOL_OK;
        inaccurate += found->records[i].status == HOL_OK && *found->records[i].remark;
    }
    return finished > 0 && inaccurate == finished;
}

static void explain_none(const CliComparison *c, const char *goal, CliAdvice *advice)
{
    double smallest = smallest_error(c);
    if (c->goal == HOL_GOAL_POSITION && !c->found->has_reference)
        add_line(advice, "%s: there is no reference to measure errors against", goal);
    else if (all_inaccurate(c->found))
        add_line(advice, "No recommendation: every run that finished is inaccurate. Try smaller --steps.");
    else if (isnan(c->accuracy)) /* no run finished, so there is no default accuracy */
        add_line(advice, "No recommendation: no run finished.");
    else if (isnan(smallest))
        add_line(advice, "%s: no run finished", goal);
    else
        add_line(advice, "%s: no run reaches it; the smallest is %.2g. Try smaller --steps.", goal, smallest);
}

/* The default accuracy is ten times the smallest error. */
static CliComparison with_goal(const CliComparison *c)
{
    CliComparison asked = *c;
    if (!isnan(c->accuracy))
        return asked;
    asked.goal = c->found->has_reference ? HOL_GOAL_POSITION : HOL_GOAL_ENERGY;
    asked.accuracy = 10 * smallest_error(&asked);
    return asked;
}

void cli_comparison_advice(const CliComparison *comparison, CliAdvice *advice)
{
    *advice = (CliAdvice){.best = -1};
    const CliComparison asked = with_goal(comparison), *c = &asked;
    const HolComparison *found = c->found;
    if (found->is_stiff && !found->has_reference && isnan(comparison->accuracy)) {
        add_line(advice,
                 "No recommendation: no reference converged, so the errors are unknown. The model has motion faster "
                 "than the steps; smaller --steps, a shorter --until or damping may help.");
        return;
    }
    bool energy = c->goal == HOL_GOAL_ENERGY;
    int best = hol_comparison_fastest(found, c->goal, c->accuracy, -1);
    int second = best >= 0 ? hol_comparison_fastest(found, c->goal, c->accuracy, best) : -1;
    char goal[80], text[LONGEST];
    snprintf(goal, sizeof goal, isnan(comparison->accuracy) ? "%s of at most %.2g%s" : "%s of at most %g%s",
             energy ? "energy drift" : "position error", c->accuracy, energy ? " J" : "");
    advice->best = best;
    if (best < 0) {
        explain_none(c, goal, advice);
        return;
    }
    advice_describe(found, best, text);
    add_line(advice, "%s: fastest is %s", goal, text);
    if (second >= 0) {
        advice_describe(found, second, text);
        add_line(advice, "next, with %.2f times its CPU time, is %s",
                 found->records[second].processor_s / found->records[best].processor_s, text);
    }
    if (found->rounds > 0)
        add_line(advice, "by CPU time, median of %d round%s", found->rounds, found->rounds == 1 ? "" : "s");
    else
        add_line(advice, "by CPU time of one run each, which is imprecise: --rounds 5 takes the median of five");
    if (isnan(comparison->accuracy))
        add_line(advice, "No --accuracy was given: this is for ten times the smallest value that was reached.");
}

void cli_comparison_recommend(const CliComparison *c)
{
    CliAdvice advice;
    cli_comparison_advice(c, &advice);
    putchar('\n');
    for (int i = 0; i < advice.count; ++i)
        cli_print_line("%s", advice.lines[i]);
}
