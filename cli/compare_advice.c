/* SPDX-License-Identifier: BSD-3-Clause */
/* Which of the combinations to take, and what their errors are measured by. */
#include "compare_output.h"
#include "table.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

enum { LONGEST = CLI_ADVICE_LONGEST - 120 };

static void describe(const HolComparison *c, int index, char text[LONGEST])
{
    const HolCompareRecord *r = &c->records[index];
    bool is_lost = r->position_error < c->reference_error;
    char name[CLI_COMPARISON_NAME_SIZE], error[40] = "not known";
    cli_comparison_name(r->integrator, r->step, name);
    if (!isnan(r->position_error))
        snprintf(error, sizeof error, "%s%.2g", is_lost ? "below " : "",
                 is_lost ? c->reference_error : r->position_error);
    snprintf(text, LONGEST, "%s with %s: error %s, violation %.2g, energy drift %.2g J, %.2g s", r->formulation, name,
             error, r->summary.max_position_violation, r->summary.max_energy_drift, r->processor_s);
}

/* The least of all that came to their end and are not far off, NAN if there is none. */
static double least_reached(const CliComparison *c)
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

/* What runs by steps that are longer than explicit ones cannot know is said. */
void cli_comparison_basis(const HolComparison *c, CliAdvice *basis)
{
    char known[160] = "", error[120] = "";
    bool by_known = c->reference_error < c->estimated_error;
    *basis = (CliAdvice){.best = -1};
    if (c->has_reference)
        snprintf(error, sizeof error, ", uncertain by %.1g%s", c->reference_error,
                 c->reference_step > c->explicit_step ? ", if no motion faster than its steps matters" : "");
    if (c->known_count > 0)
        snprintf(known, sizeof known, "%s %.1g from %d known values of the model up to %g s",
                 by_known ? ": it differs by" : "; differs by", c->known_error, c->known_count, c->known_until);
    add_line(basis, "reference: %s%s%s", c->reference.text, error, known);
    if (c->is_stiff)
        add_line(basis, "stiff: explicit steps with tight error control would be some %.1g s long", c->explicit_step);
}

static bool all_far_off(const HolComparison *found)
{
    int ended = 0, far_off = 0;
    for (int i = 0; i < found->count; ++i) {
        ended += found->records[i].status == HOL_OK;
        far_off += found->records[i].status == HOL_OK && *found->records[i].remark;
    }
    return ended > 0 && far_off == ended;
}

static void tell_why_none(const CliComparison *c, const char *goal, CliAdvice *advice)
{
    double least = least_reached(c);
    if (c->goal == HOL_GOAL_POSITION && !c->found->has_reference)
        add_line(advice, "%s: there is no reference to measure errors by", goal);
    else if (all_far_off(c->found))
        add_line(advice, "None is recommended: every run that came to its end is far off. Try smaller --steps.");
    else if (isnan(c->accuracy)) /* which is made of what was reached */
        add_line(advice, "no run came to its end");
    else if (isnan(least))
        add_line(advice, "%s: no run came to its end", goal);
    else
        add_line(advice, "%s: none of these reaches it; the least is %.2g. Try smaller --steps.", goal, least);
}

/* Where no accuracy is asked for: within ten times the least. */
static CliComparison with_goal(const CliComparison *c)
{
    CliComparison asked = *c;
    if (!isnan(c->accuracy))
        return asked;
    asked.goal = c->found->has_reference ? HOL_GOAL_POSITION : HOL_GOAL_ENERGY;
    asked.accuracy = 10 * least_reached(&asked);
    return asked;
}

void cli_comparison_advice(const CliComparison *comparison, CliAdvice *advice)
{
    *advice = (CliAdvice){.best = -1};
    const CliComparison asked = with_goal(comparison), *c = &asked;
    const HolComparison *found = c->found;
    if (found->is_stiff && !found->has_reference && isnan(comparison->accuracy)) {
        add_line(advice,
                 "None is recommended: no reference settled, so that nobody knows their errors. Motions that "
                 "are faster than the steps are in it; smaller --steps, a shorter --until or damping may help.");
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
        tell_why_none(c, goal, advice);
        return;
    }
    describe(found, best, text);
    add_line(advice, "%s: fastest is %s", goal, text);
    if (second >= 0) {
        describe(found, second, text);
        add_line(advice, "next, %.2f times as slow, is %s",
                 found->records[second].processor_s / found->records[best].processor_s, text);
    }
    if (found->rounds > 0)
        add_line(advice, "by processor time, median of %d round%s", found->rounds, found->rounds == 1 ? "" : "s");
    else
        add_line(advice, "by processor time of one run each, which is rough: --rounds 5 takes the median of five");
    if (isnan(comparison->accuracy))
        add_line(advice, "No accuracy was asked for (--accuracy); this is for ten times the least that was reached.");
}

void cli_comparison_recommend(const CliComparison *c)
{
    CliAdvice advice;
    cli_comparison_advice(c, &advice);
    putchar('\n');
    for (int i = 0; i < advice.count; ++i)
        cli_print_line("%s", advice.lines[i]);
}
