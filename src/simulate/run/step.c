/* SPDX-License-Identifier: BSD-3-Clause */
/* One step: try, project, accept, measure. Nothing of the accepted state is touched until all of it has succeeded. */
#include "base/format.h"
#include "base/message.h"
#include "base/tolerances.h"
#include "linalg/block/blocks.h"
#include "simulate/diagnosis/conflict.h"
#include "simulate/run/estimate.h"
#include "simulate/run/events.h"
#include "simulate/run/internal.h"
#include "simulate/run/path.h"
#include "simulate/run/swept.h"
#include "simulate/singular/branch.h"

#include <math.h>
#include <string.h>

/* The error assigned to a failed attempt, so that a shorter one follows. */
static const double FAILED_ATTEMPT = 1e3;

/* The size of a step and the time at which it ends. */
typedef struct Target {
    double h, t;
} Target;

void hol_swap_vectors(double **a, double **b)
{
    double *other = *a;
    *a = *b;
    *b = other;
}

HolStatus hol_step_advance(HolSimulation *s, HolStepFrom from, double t, double largest_error)
{
    s->rates->report.h = from.h;
    s->rates->report.error = 0;
    s->work->stage_t = NAN;
    s->is_crossing = s->events.crosses = false;
    HOL_TRY(s->integrator->step(s->integrator_self, s->rates, &from, s->y_new));
    if (s->rates->report.error > largest_error)
        return HOL_OK;
    if (!hol_all_finite((size_t)s->rates->size, s->y_new))
        return hol_fail(&s->rates->message, HOL_NOT_FINITE, "the state at t = %.9g is no longer finite", t);
    HOL_TRY(hol_rates_project(s->rates, t, s->y_new));
    HOL_TRY(hol_rates_accept(s->rates, t, from.h, s->y_new, s->ydot_new));
    s->measures_new = hol_measure(s, s->y_new);
    HOL_TRY(hol_check_measures(s, t, &s->measures_new, s->ydot_new));
    return hol_conflict_check(s->conflict, s->work, &s->rates->message);
}

/* Steps to the target from the state before the present one, in two steps. */
static HolStatus step_restart(HolSimulation *s, double middle, Target target)
{
    HOL_TRY(hol_step_advance(s, (HolStepFrom){s->t_old, middle - s->t_old, s->y_old, s->ydot_old}, middle, HUGE_VAL));
    hol_swap_vectors(&s->y_middle, &s->y_new);
    hol_swap_vectors(&s->ydot_middle, &s->ydot_new);
    HOL_TRY(
        hol_step_advance(s, (HolStepFrom){middle, target.t - middle, s->y_middle, s->ydot_middle}, target.t, HUGE_VAL));
    s->rates->report.h = target.h;
    s->is_crossing = true;
    return HOL_OK;
}

/* Steps to the target in short steps that follow the turn of the motion next to a singular configuration. */
static HolStatus step_around_turn(HolSimulation *s, Target target)
{
    HolStepFrom from = {s->state.t, 0, s->y, s->ydot};
    for (;;) {
        double h = fmax(hol_branch_turn_step(s, from.t, from.y), HOL_TOL_ADVANCE * fabs(from.t));
        bool is_last = from.t + 1.5 * h >= target.t;
        from.h = is_last ? target.t - from.t : h;
        double t = is_last ? target.t : from.t + h;
        HOL_TRY(hol_step_advance(s, from, t, HUGE_VAL));
        if (is_last)
            break;
        HOL_TRY(hol_rates_prepare(s->rates));
        ++s->rates->report.divisions;
        hol_swap_vectors(&s->y_middle, &s->y_new);
        hol_swap_vectors(&s->ydot_middle, &s->ydot_new);
        from = (HolStepFrom){t, 0, s->y_middle, s->ydot_middle};
    }
    s->rates->report.h = target.h;
    return HOL_OK;
}

static HolStatus step_integrate(HolSimulation *s, Target target, double largest_error)
{
    double middle;
    bool is_smooth = s->t_old >= s->breakpoints.last;
    if (!s->integrator->adapt && hol_branch_turns(s, target.h) && step_around_turn(s, target) == HOL_OK)
        return HOL_OK;
    if (is_smooth && hol_branch_needs_restart(s, target.t, &middle) && step_restart(s, middle, target) == HOL_OK)
        return HOL_OK;
    return hol_step_advance(s, (HolStepFrom){s->state.t, target.h, s->y, s->ydot}, target.t, largest_error);
}

static bool is_retryable(const HolSimulation *s, HolStatus status)
{
    return !s->stopped_at_singularity &&
           (status == HOL_SINGULAR || status == HOL_NO_CONVERGENCE || status == HOL_NOT_FINITE);
}

static HolStatus step_attempt(HolSimulation *s, Target target, double largest_error)
{
    bool failed;
    HolStatus status = step_integrate(s, target, largest_error);
    if (is_retryable(s, status) && hol_branch_leads_past(s, target.t))
        return s->events.count > 0 ? HOL_OK : hol_rates_prepare(s->rates);
    HOL_TRY(status);
    if (s->rates->report.error > largest_error)
        return HOL_OK;
    HOL_TRY(hol_branch_check(s, target.t, &failed));
    if (failed) { /* the step is taken as it is, and the passage reported */
        HOL_TRY(step_integrate(s, target, HUGE_VAL));
        hol_branch_sample(s, target.t);
    }
    return s->events.count > 0 ? HOL_OK : hol_rates_prepare(s->rates);
}

void hol_interpolate(int size, double h, HolEnd from, HolEnd to, double theta, double *y)
{
    double rest = 1 - theta, a = rest * rest * (1 + 2 * theta), b = theta * theta * (3 - 2 * theta);
    double c = h * theta * rest * rest, d = -h * theta * theta * rest;
    for (int i = 0; i < size; ++i)
        y[i] = a * from.y[i] + b * to.y[i] + c * from.ydot[i] + d * to.ydot[i];
}

HolStatus hol_step_trial(HolSimulation *s, double h, double t)
{
    return step_attempt(s, (Target){h, t}, HUGE_VAL);
}

static HolStatus fail_step_too_small(HolSimulation *s, double h)
{
    HolMessage why = s->rates->message;
    return hol_fail(&s->rates->message, HOL_NO_CONVERGENCE, "the step fell to %.3g s without meeting the tolerance%s%s",
                    h, why.text[0] ? "; last: " : "", why.text);
}

/* The size of a step that ends as far after a singular configuration as it begins before it; 0 if none is near.
 *
 * Stages violate the constraints, and their accelerations are wrong by that over the smallest singular value of D. So
 * error control shortens its steps in proportion to the distance and never arrives. Nor should it: next to a singular
 * configuration most digits are lost, after it they are not. */
static double step_across_size(HolSimulation *s, double end)
{
    static const double NEAR = 3 * HOL_TOL_SMALL;
    bool is_near = s->singular_sine < NEAR && s->singular_time_is_known && hol_branch_crosses(s, s->singular_time);
    double h = is_near ? 2 * (s->singular_time - s->state.t) : hol_branch_shortest_step(s);
    return s->state.t + h < end ? h : 0;
}

/* Steps across a singular configuration, whatever the estimated error. */
static HolStatus step_across(HolSimulation *s, double h, Target *target)
{
    *target = (Target){h, s->state.t + h};
    HOL_TRY(step_attempt(s, *target, HUGE_VAL));
    s->rates->report.unconverged = 1;
    s->singular_sine = 0; /* passed */
    s->next = h;
    return HOL_OK;
}

/* Rounding of the time may have swallowed the step: a run of such steps would never end. */
static HolStatus step_check_advance(HolSimulation *s, Target target)
{
    if (target.t > s->state.t)
        return HOL_OK;
    return hol_fail(&s->rates->message, HOL_BAD_INPUT,
                    "a step of %.3g s does not advance the time %.9g s, whose rounding is larger; begin at time zero",
                    target.h, s->state.t);
}

static Target adaptive_target(const HolSimulation *s, double h, double end)
{
    const bool is_last = s->state.t + h * (1 + HOL_TOL_TIME) >= end;
    return is_last ? (Target){end - s->state.t, end} : (Target){h, s->state.t + h};
}

/* Shortens the step of an adaptive integrator until it meets the tolerance. */
static HolStatus attempt_adaptively(HolSimulation *s, double h, double end, Target *target)
{
    HolStepReport *report = &s->rates->report;
    double across = step_across_size(s, end);
    if (hol_branch_turns(s, h) &&
        HOL_PART_TURN * h > s->detector->critical.width) /* the error of a step across the turn would look small */
        h = fmin(h, HOL_PART_TURN_ADAPTIVE / HOL_PART_TURN * hol_branch_turn_step(s, s->state.t, s->y));
    for (;;) {
        *target = adaptive_target(s, h, end);
        const bool last = target->t == end;
        s->was_cut = s->was_cut || target->t == s->run_end;
        HOL_TRY(step_check_advance(s, *target));
        HolStatus status = step_attempt(s, *target, 1);
        if (status == HOL_OK && report->error <= 1) {
            double proposed = s->integrator->adapt(s->integrator_self, target->h, report->error, true);
            s->next = last ? fmax(proposed, h) : proposed; /* a step shortened to the end says little about the next */
            return HOL_OK;
        }
        if (status != HOL_OK && !is_retryable(s, status))
            return status;
        bool is_short = s->events.count > 0 && target->h <= HOL_PART_ACROSS_EVENT * s->step;
        if (is_short && hol_events_cross(s, target->h)) {
            s->next = target->h;
            return HOL_OK;
        }
        ++report->rejections;
        h = s->integrator->adapt(s->integrator_self, target->h, status == HOL_OK ? report->error : FAILED_ATTEMPT,
                                 false);
        status = h < across ? step_across(s, across, target) : HOL_NO_CONVERGENCE;
        if (!is_retryable(s, status))
            return status;
        across = h < across ? 0 : across;
        if (!(h > HOL_ROUNDINGS(16) * fmax(fabs(s->state.t), s->step)))
            return fail_step_too_small(s, h);
    }
}

static double next_of_grid(const HolSimulation *s)
{
    return s->origin + (double)(s->count + 1) * s->step;
}

/* The next time of the grid of equal steps, or `end` if that is earlier or equal to within rounding. Steps to and from
 * a breakpoint have the exact distance. */
static Target fixed_target(const HolSimulation *s, double h, double end)
{
    double grid = next_of_grid(s), next = h == s->step ? grid : s->state.t + h;
    const bool reaches_grid = h < s->step && h == s->breakpoints.longest && next > grid - HOL_TOL_STEP * h;
    next = reaches_grid ? grid : next;
    bool is_exact = s->breakpoints.is_off_grid || end == s->breakpoints.next;
    if (next <= end - HOL_TOL_STEP * h)
        return (Target){s->breakpoints.is_off_grid || reaches_grid ? next - s->state.t : h, next};
    return (Target){!is_exact && fabs(next - end) <= HOL_TOL_STEP * h ? h : end - s->state.t, end};
}

/* Equal steps end at origin + count * step. A step of another size begins a new grid, unless it ends at an event.
 */
static void update_time_grid(HolSimulation *s, double t)
{
    double next = next_of_grid(s);
    bool is_event = t == s->breakpoints.next || s->events.are_located || s->breakpoints.longest < s->step,
         is_next = fabs(next - t) <= HOL_TOL_STEP * s->step;
    s->breakpoints.is_off_grid = is_event && t != next;
    if (is_next) {
        ++s->count;
    } else if (!is_event) {
        s->origin = t;
        s->count = 0;
    }
}

/* Calls of fmax() and fmin() would be felt in each step. */
static void keep_largest(double *largest, double x)
{
    *largest = x > *largest ? x : *largest;
}

static void keep_smallest(double *smallest, double x)
{
    *smallest = x < *smallest ? x : *smallest;
}

static void update_summary(HolSimulation *s, double h, const HolMeasures *before)
{
    HolSummary *sum = &s->summary;
    const HolStepReport *report = &s->rates->report;
    const HolMeasures *now = &s->measures;
    ++sum->steps;
    sum->rejections += report->rejections;
    sum->evaluations += report->evaluations;
    sum->iterations += report->iterations;
    sum->position_iterations += report->position_iterations;
    sum->repartitions += report->repartitions;
    sum->divisions += report->divisions;
    sum->unconverged += report->unconverged;
    if (report->max_position_iterations > sum->max_position_iterations)
        sum->max_position_iterations = report->max_position_iterations;
    keep_largest(&sum->max_position_violation, now->position);
    keep_largest(&sum->max_velocity_violation, now->velocity);
    keep_largest(&sum->max_displacement, now->displacement);
    keep_largest(&sum->max_displacement_rate, now->displacement_rate);
    keep_largest(&sum->max_acceleration_violation, now->acceleration);
    keep_largest(&sum->max_energy_drift, fabs(now->drift));
    keep_largest(&sum->max_kinetic_energy, now->kinetic);
    keep_smallest(&sum->potential_low, now->potential);
    keep_largest(&sum->potential_high, now->potential);
    keep_largest(&sum->max_off_manifold_energy, now->off_manifold_energy);
    keep_largest(&sum->max_energy_rise, now->drift - s->lowest_drift);
    keep_smallest(&s->lowest_drift, now->drift);
    s->sum_position_sq += h * (before->position_sq + now->position_sq) / 2;
    s->sum_velocity_sq += h * (before->velocity_sq + now->velocity_sq) / 2;
    s->sum_acceleration_sq += h * (before->acceleration_sq + now->acceleration_sq) / 2;
}

/* Extrapolates the pivots, which shrink with the square of the distance, to the next singular configuration. Pivots
 * also jump when other rows are left out; only an estimate that agrees with the previous one counts. */
static void estimate_singular_time(HolSimulation *s, Target target)
{
    double pivot = s->rates->report.pivot, before = s->singular_sine, at_before = s->singular_time;
    s->best_pivot = fmax(s->best_pivot, pivot);
    s->singular_sine = s->best_pivot > 0 ? sqrt(pivot / s->best_pivot) : 1;
    double rate = (before - s->singular_sine) / target.h;
    s->singular_time = rate > 0 ? target.t + s->singular_sine / rate : HUGE_VAL;
    s->singular_time_is_known = fabs(s->singular_time - at_before) < HOL_PART_SAME_TIME * (s->singular_time - target.t);
}

static void step_commit(HolSimulation *s, Target target)
{
    HolMeasures before = s->measures;
    estimate_singular_time(s, target);
    if (!s->is_crossing) {
        s->t_old = s->state.t;
        hol_swap_vectors(&s->y_old, &s->y);
        hol_swap_vectors(&s->ydot_old, &s->ydot);
    }
    hol_swap_vectors(&s->y, &s->y_new);
    hol_swap_vectors(&s->ydot, &s->ydot_new);
    update_time_grid(s, target.t);
    hol_state_fill(s->rates, target.t, s->y, &s->state);
    hol_system_follow(s->system, &(HolPoint){target.t, s->state.q, s->state.v}, s->work->terms);
    s->measures = s->measures_new;
    update_summary(s, target.h, &before);
    hol_estimate_accept(s);
    hol_swept_accept(s);
    hol_path_accept(s);
    hol_detector_accept(s->detector, s->work);
}

/* An iteration may not converge across the jump of a force law: then shorter steps approach it. */
static HolStatus attempt_fixed(HolSimulation *s, Target *target, bool *is_shortened)
{
    enum { MOST_HALVINGS = 8 };
    HolStatus status = step_attempt(s, *target, HUGE_VAL);
    for (int k = 0; k < MOST_HALVINGS && is_retryable(s, status) && hol_events_may_shorten(s); ++k) {
        *is_shortened = true;
        ++s->rates->report.rejections;
        target->h /= 2;
        target->t = s->state.t + target->h;
        status = step_attempt(s, *target, HUGE_VAL);
    }
    return status;
}

/* A step that ends at an event may be much longer than its error allows: then a shorter one comes first. */
static HolStatus attempt_with_events(HolSimulation *s, double h, double end, Target *target)
{
    bool is_rejected = false, is_uncertain = false;
    do {
        HOL_TRY(attempt_adaptively(s, h, end, target));
        if (s->events.count > 0)
            HOL_TRY(hol_events_locate(s, &target->h, &target->t, &is_rejected));
        if (is_rejected) {
            ++s->rates->report.rejections;
            is_uncertain = s->events.certain < 1;
            h = is_uncertain ? target->h
                             : s->integrator->adapt(s->integrator_self, target->h, s->rates->report.error, false);
        }
    } while (is_rejected);
    s->next = is_uncertain ? fmin(s->next, 2 * target->h) : s->next;
    return HOL_OK;
}

static HolStatus step_try(HolSimulation *s, double h, double end)
{
    Target target = s->integrator->adapt ? adaptive_target(s, h, end) : fixed_target(s, h, end);
    bool is_shortened = false, is_rejected;
    s->was_cut = !s->integrator->adapt && target.t == s->run_end;
    if (!s->integrator->adapt)
        HOL_TRY(step_check_advance(s, target));
    hol_estimate_try(s, target.h, target.t);
    if (s->integrator->adapt)
        HOL_TRY(attempt_with_events(s, h, end, &target));
    else
        HOL_TRY(attempt_fixed(s, &target, &is_shortened));
    if (s->events.count > 0 && !s->integrator->adapt)
        HOL_TRY(hol_events_locate(s, &target.h, &target.t, &is_rejected));
    HOL_TRY(step_check_advance(s, target));
    s->events.are_located = s->events.are_located || is_shortened;
    step_commit(s, target);
    if (target.t == s->breakpoints.next || s->events.are_located)
        hol_events_restart(s);
    return HOL_OK;
}

static void joint_text(const HolSimulation *s, int group, char *text, size_t size)
{
    text[0] = '\0';
    if (group >= 0)
        hol_format(text, size, " of '%.80s'", hol_system_group_name(s->system, group));
}

/* Names a singular configuration near the failed step, a likely cause. */
static void singular_text(HolSimulation *s, double from, char *text, size_t size)
{
    static const double FEW_STEPS = 5;
    const HolDetector *w = s->detector;
    const HolPassage *last = w->count > 0 ? &w->passages[w->count - 1] : NULL;
    double ahead = hol_detector_singular_time(w), reach = FEW_STEPS * fmax(s->rates->report.h, s->state.t - s->t_old);
    char joint[100];
    if (ahead <= from + reach) {
        joint_text(s, hol_dependent_group(s), joint, sizeof joint);
        hol_format(text, size, "; a singular configuration%s lies ahead at t = %.6g", joint, ahead);
    } else if (last && last->t >= from - reach) {
        joint_text(s, last->group, joint, sizeof joint);
        hol_format(text, size, "; a singular configuration%s was passed at t = %.6g", joint, last->t);
    }
}

/* Where the failed step and some after it lead without their constraints; y_new and ydot_new are memory. */
static void predict(HolSimulation *s, double h)
{
    double *w = s->ydot_new;
    for (int i = 0; i < s->rates->nv; ++i)
        w[i] = h * (s->state.v[i] + h / 2 * s->state.vdot[i]);
    hol_system_retract(s->system, s->state.q, w, s->y_new);
    hol_workspace_move(s->work, s->state.t + h, s->y_new, s->state.v);
}

void hol_find_conflict(HolSimulation *s, HolStatus *status)
{
    enum { AHEAD = 64 };
    HolMessage message;
    for (double h = s->step / AHEAD; s->conflict && h <= AHEAD * s->step; h *= 2) {
        predict(s, h);
        const bool has_converged = *status != HOL_NO_CONVERGENCE;
        if ((has_converged ? hol_conflict_check(s->conflict, s->work, &message)
                           : hol_conflict_check_ahead(s->conflict, s->work, &message)) != HOL_BAD_INPUT)
            continue;
        s->rates->message = message;
        *status = HOL_BAD_INPUT;
        return;
    }
}

static void step_describe_failure(HolSimulation *s, HolStatus status, double from)
{
    char singular[200] = "";
    double h = s->rates->report.h;
    if (s->message.text[0]) /* of the model, whatever the method */
        return;
    if (!s->stopped_at_singularity && status != HOL_NO_MEMORY && status != HOL_BAD_INPUT)
        singular_text(s, from, singular, sizeof singular);
    hol_fail(&s->message, status, "%s with %s, step %.6g from t = %.9g: %s%s", s->rates->kind->name,
             s->integrator->name, h, from, s->rates->message.text, singular);
}

HolStatus hol_take_step(HolSimulation *s, double h, double end)
{
    double from = s->state.t;
    s->rates->report = (HolStepReport){.h = h, .rank = -1, .pivot = s->rates->report.pivot};
    s->rates->message.text[0] = s->message.text[0] = '\0';
    s->stopped_at_singularity = false;
    s->run_end = end;
    HolStatus status = hol_breakpoints_update(s, h);
    if (s->events.count > 0)
        hol_events_begin(s);
    hol_swept_begin(s);
    if (status == HOL_OK)
        status = hol_renew_rates(s);
    if (status == HOL_OK)
        status = step_try(s, fmin(h, s->breakpoints.longest), fmin(end, s->breakpoints.next));
    if (status != HOL_OK && s->integrator->forget)
        s->integrator->forget(s->integrator_self);
    if (is_retryable(s, status))
        hol_find_conflict(s, &status);
    if (status != HOL_OK)
        step_describe_failure(s, status, from);
    else
        s->rates->message.text[0] = '\0'; /* of attempts that failed before */
    s->summary.status = status;
    return status;
}
