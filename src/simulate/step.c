/* SPDX-License-Identifier: BSD-3-Clause */
/* One step: try, project, accept, measure. Nothing of the accepted state is touched until all of it has succeeded. */
#include "base/message.h"
#include "linalg/blocks.h"
#include "simulate/branch.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* An attempt that fails where a shorter one may not counts as an error this large. */
static const double FAILED_ATTEMPT = 1e3;

/* The step that is taken: its size and the time it ends at. */
typedef struct Target {
    double h, t;
} Target;

static void swap(double **a, double **b)
{
    double *other = *a;
    *a = *b;
    *b = other;
}

/* largest_error: an adaptive step with more is not worth finishing. */
static HolStatus advance(HolSimulation *s, HolStepFrom from, double t, double largest_error)
{
    s->rates->report.h = from.h;
    s->rates->report.error = 0;
    s->work->stage_t = NAN;
    s->is_crossing = false;
    HOL_TRY(s->integrator->step(s->integrator_self, s->rates, &from, s->y_new));
    if (s->rates->report.error > largest_error)
        return HOL_OK;
    if (!isfinite(hol_max_norm(s->rates->size, s->y_new)))
        return hol_fail(&s->rates->message, HOL_NOT_FINITE, "the state at t = %.9g is no longer finite", t);
    HOL_TRY(hol_rates_project(s->rates, t, s->y_new));
    HOL_TRY(hol_rates_accept(s->rates, t, from.h, s->y_new, s->ydot_new));
    s->measures_new = hol_measure(s, s->y_new);
    return hol_check_measures(s, t, &s->measures_new, s->ydot_new);
}

/* From the state before the present one, with a halt. */
static HolStatus make_detour(HolSimulation *s, double halt, Target target)
{
    HOL_TRY(advance(s, (HolStepFrom){s->t_old, halt - s->t_old, s->y_old, s->ydot_old}, halt, HUGE_VAL));
    swap(&s->y_halt, &s->y_new);
    swap(&s->ydot_halt, &s->ydot_new);
    HOL_TRY(advance(s, (HolStepFrom){halt, target.t - halt, s->y_halt, s->ydot_halt}, target.t, HUGE_VAL));
    s->rates->report.h = target.h;
    s->is_crossing = true;
    return HOL_OK;
}

static HolStatus go(HolSimulation *s, Target target, double largest_error)
{
    double halt;
    if (hol_branch_needs_detour(s, target.t, &halt) && make_detour(s, halt, target) == HOL_OK)
        return HOL_OK;
    return advance(s, (HolStepFrom){s->state.t, target.h, s->y, s->ydot}, target.t, largest_error);
}

static HolStatus attempt(HolSimulation *s, Target target, double largest_error)
{
    bool gave_up;
    HOL_TRY(go(s, target, largest_error));
    if (s->rates->report.error > largest_error)
        return HOL_OK;
    HOL_TRY(hol_branch_keep(s, target.t, &gave_up));
    if (gave_up) { /* then it goes as it went, which will be told */
        HOL_TRY(go(s, target, HUGE_VAL));
        hol_branch_look(s, target.t);
    }
    return hol_rates_prepare(s->rates);
}

static bool worth_another_try(const HolSimulation *s, HolStatus status)
{
    return !s->is_refused && (status == HOL_SINGULAR || status == HOL_NO_CONVERGENCE || status == HOL_NOT_FINITE);
}

static HolStatus too_small(HolSimulation *s, double h)
{
    HolMessage why = s->rates->message;
    return hol_fail(&s->rates->message, HOL_NO_CONVERGENCE, "the step fell to %.3g without meeting the tolerance%s%s",
                    h, why.text[0] ? "; last: " : "", why.text);
}

/* A step that would end as far behind a singular configuration as it begins before it; 0 if none is near.
 *
 * Stages are off the constraints, and their accelerations wrong by that over the smallest singular value of D, so that
 * error control shortens its steps in proportion to the distance and never arrives. It must not arrive either: next to
 * a singular configuration most digits are lost, behind it they are not. */
static double leap_of(const HolSimulation *s, double end)
{
    static const double NEAR = 3e-3;
    bool is_near = s->singular_size < NEAR && s->singular_is_sure;
    double h = is_near ? 2 * (s->singular_at - s->state.t) : 0;
    return s->state.t + h < end ? h : 0;
}

/* Across a singular configuration, whatever the estimated error. */
static HolStatus leap(HolSimulation *s, double h, Target *target)
{
    *target = (Target){h, s->state.t + h};
    HOL_TRY(attempt(s, *target, HUGE_VAL));
    s->rates->report.unsettled = 1;
    s->singular_size = 0; /* it lies behind */
    s->next = h;
    return HOL_OK;
}

/* Shortens the step of an adaptive integrator until an attempt is good enough. */
static HolStatus attempt_adaptively(HolSimulation *s, double h, double end, Target *target)
{
    HolStepReport *report = &s->rates->report;
    double across = leap_of(s, end);
    for (;;) {
        bool last = s->state.t + h * (1 + 1e-9) >= end;
        *target = last ? (Target){end - s->state.t, end} : (Target){h, s->state.t + h};
        HolStatus status = attempt(s, *target, 1);
        if (status == HOL_OK && report->error <= 1) {
            double proposed = s->integrator->adapt(s->integrator_self, target->h, report->error, true);
            s->next = last ? fmax(proposed, h) : proposed; /* a step cut short says little of the next */
            return HOL_OK;
        }
        if (status != HOL_OK && !worth_another_try(s, status))
            return status;
        ++report->rejections;
        h = s->integrator->adapt(s->integrator_self, target->h, status == HOL_OK ? report->error : FAILED_ATTEMPT,
                                 false);
        status = h < across ? leap(s, across, target) : HOL_NO_CONVERGENCE;
        if (!worth_another_try(s, status))
            return status;
        across = h < across ? 0 : across;
        if (!(h > 16 * DBL_EPSILON * fmax(fabs(s->state.t), s->step)))
            return too_small(s, h);
    }
}

/* The next mark of the ruler of equal steps, or `end` if that comes first or is the same but for rounding. */
static Target fixed_target(const HolSimulation *s, double h, double end)
{
    double mark = h == s->step ? s->origin + (double)(s->count + 1) * s->step : s->state.t + h;
    if (mark <= end - 1e-6 * h)
        return (Target){h, mark};
    return (Target){fabs(mark - end) <= 1e-6 * h ? h : end - s->state.t, end};
}

/* Equal steps end at origin + count * step; another step begins a new ruler. */
static void move_ruler(HolSimulation *s, double t)
{
    if (fabs(s->origin + (double)(s->count + 1) * s->step - t) <= 1e-6 * s->step) {
        ++s->count;
    } else {
        s->origin = t;
        s->count = 0;
    }
}

static void keep_books(HolSimulation *s, double h, const HolMeasures *before)
{
    HolSummary *sum = &s->summary;
    const HolStepReport *report = &s->rates->report;
    const HolMeasures *now = &s->measures;
    ++sum->steps;
    sum->rejections += report->rejections;
    sum->evaluations += report->evaluations;
    sum->iterations += report->iterations;
    sum->projections += report->projections;
    sum->repartitions += report->repartitions;
    sum->divisions += report->divisions;
    sum->unsettled += report->unsettled;
    if (report->max_projection > sum->max_projection)
        sum->max_projection = report->max_projection;
    sum->max_position_violation = fmax(sum->max_position_violation, now->position);
    sum->max_velocity_violation = fmax(sum->max_velocity_violation, now->velocity);
    sum->max_acceleration_violation = fmax(sum->max_acceleration_violation, now->acceleration);
    sum->max_energy_drift = fmax(sum->max_energy_drift, fabs(now->drift));
    sum->max_kinetic_energy = fmax(sum->max_kinetic_energy, now->kinetic);
    sum->max_stray_energy = fmax(sum->max_stray_energy, now->stray);
    sum->max_energy_rise = fmax(sum->max_energy_rise, now->drift - s->lowest_drift);
    s->lowest_drift = fmin(s->lowest_drift, now->drift);
    s->sum_position_sq += h * (before->position_sq + now->position_sq) / 2;
    s->sum_velocity_sq += h * (before->velocity_sq + now->velocity_sq) / 2;
    s->sum_acceleration_sq += h * (before->acceleration_sq + now->acceleration_sq) / 2;
}

/* How far it is to the next singular configuration, told by the pivots: they shrink with the square of the distance.
 * Pivots also jump, when other rows are left out; only an estimate that was the same before counts. */
static void look_ahead(HolSimulation *s, Target target)
{
    static const double SAME = 0.02;
    double pivot = s->rates->report.pivot, before = s->singular_size, at_before = s->singular_at;
    s->best_pivot = fmax(s->best_pivot, pivot);
    s->singular_size = s->best_pivot > 0 ? sqrt(pivot / s->best_pivot) : 1;
    double rate = (before - s->singular_size) / target.h;
    s->singular_at = rate > 0 ? target.t + s->singular_size / rate : HUGE_VAL;
    s->singular_is_sure = fabs(s->singular_at - at_before) < SAME * (s->singular_at - target.t);
}

static void commit(HolSimulation *s, Target target)
{
    HolMeasures before = s->measures;
    look_ahead(s, target);
    if (!s->is_crossing) {
        s->t_old = s->state.t;
        swap(&s->y_old, &s->y);
        swap(&s->ydot_old, &s->ydot);
    }
    swap(&s->y, &s->y_new);
    swap(&s->ydot, &s->ydot_new);
    move_ruler(s, target.t);
    hol_state_fill(s->rates, target.t, s->y, &s->state);
    s->measures = s->measures_new;
    keep_books(s, target.h, &before);
    hol_watch_accept(s->watch, s->work);
}

static HolStatus try_step(HolSimulation *s, double h, double end)
{
    Target target = fixed_target(s, h, end);
    if (s->integrator->adapt)
        HOL_TRY(attempt_adaptively(s, h, end, &target));
    else
        HOL_TRY(attempt(s, target, HUGE_VAL));
    commit(s, target);
    return HOL_OK;
}

static void tell_joint(const HolSimulation *s, int group, char *text, size_t size)
{
    text[0] = '\0';
    if (group >= 0)
        snprintf(text, size, " of '%.80s'", hol_system_group_name(s->system, group));
}

/* If there is a singular configuration that may be to blame. */
static void tell_singular(HolSimulation *s, double from, char *text, size_t size)
{
    static const double FEW_STEPS = 5;
    const HolWatch *w = s->watch;
    const HolPassage *last = w->count > 0 ? &w->passages[w->count - 1] : NULL;
    double ahead = hol_watch_ahead(w), reach = FEW_STEPS * fmax(s->rates->report.h, s->state.t - s->t_old);
    char joint[100];
    if (ahead <= from + reach) {
        tell_joint(s, hol_dependent_group(s), joint, sizeof joint);
        snprintf(text, size, "; a singular configuration%s lies ahead at t = %.6g", joint, ahead);
    } else if (last && last->t >= from - reach) {
        tell_joint(s, last->group, joint, sizeof joint);
        snprintf(text, size, "; a singular configuration%s was met at t = %.6g", joint, last->t);
    }
}

static void explain(HolSimulation *s, HolStatus status, double from)
{
    char singular[200] = "";
    double h = s->rates->report.h;
    if (!s->is_refused && status != HOL_NO_MEMORY)
        tell_singular(s, from, singular, sizeof singular);
    hol_fail(&s->message, status, "%s with %s, step %.6g from t = %.9g: %s%s", s->rates->kind->name,
             s->integrator->name, h, from, s->rates->message.text, singular);
}

HolStatus hol_take_step(HolSimulation *s, double h, double end)
{
    double from = s->state.t;
    s->rates->report = (HolStepReport){.h = h, .rank = -1, .pivot = s->rates->report.pivot};
    s->rates->message.text[0] = s->message.text[0] = '\0';
    s->is_refused = false;
    HolStatus status = hol_renew_rates(s);
    if (status == HOL_OK)
        status = try_step(s, h, end);
    if (status != HOL_OK && s->integrator->forget)
        s->integrator->forget(s->integrator_self);
    if (status != HOL_OK)
        explain(s, status, from);
    else
        s->rates->message.text[0] = '\0'; /* of attempts that failed on the way */
    s->summary.status = status;
    return status;
}
