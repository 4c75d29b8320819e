/* SPDX-License-Identifier: BSD-3-Clause */
#include "simulate/run/events.h"

#include "base/message.h"
#include "base/tolerances.h"
#include "simulate/run/estimate.h"
#include "simulate/run/internal.h"
#include "simulate/run/scan.h"
#include "simulate/run/swept.h"
#include "simulate/singular/branch.h"

#include <float.h>
#include <math.h>
#include <string.h>

void hol_events_restart(HolSimulation *s)
{
    s->next = fmin(s->next, s->step);
    if (s->integrator->forget)
        s->integrator->forget(s->integrator_self);
}

/* Trials per located event, with which the bracket closes from any function, and events per nominal step. */
enum { MOST_TRIALS = 60, MOST_EVENTS_PER_STEP = 20 };
static const double PAUSE = 10; /* nominal steps without location where events are crowded */

/* The step sizes between which an event lies; the functions there are HolEvents.before and end. */
typedef struct Bracket {
    double a, b;
    bool is_open; /* the step of size b has no solution, so that the functions there are not known */
} Bracket;

static void events_evaluate(const HolSimulation *s, double t, const double *q, const double *v, HolCrossing *crossings)
{
    HolPoint at = {hol_workspace_time(s->work, t), q, v};
    hol_system_events(s->system, &at, s->work->terms, crossings);
}

static void events_evaluate_new(const HolSimulation *s, double t, HolCrossing *crossings)
{
    events_evaluate(s, t, s->y_new, hol_rates_v(s->rates, s->y_new), crossings);
}

static bool has_changed(HolCrossing from, HolCrossing to)
{
    return (from.g < 0 && to.g > 0) || (from.g > 0 && to.g < 0);
}

static bool any_has_changed(const HolEvents *e, const HolCrossing *now)
{
    for (int i = 0; i < e->count; ++i)
        if (has_changed(e->start[i], now[i]))
            return true;
    return false;
}

/* At the event itself forces have neither of their values: sign(0) is 0. */
static bool any_has_arrived(const HolEvents *e, const HolCrossing *now)
{
    for (int i = 0; i < e->count; ++i)
        if (e->start[i].g != 0 && now[i].g == 0)
            return true;
    return any_has_changed(e, now);
}

/* A stage past an event would spoil the step, even if its result is not past it. */
static void events_watch(void *simulation, const HolPoint *stage)
{
    HolSimulation *s = simulation;
    hol_system_events(s->system, stage, s->work->terms, s->events.stage);
    s->events.crosses = s->events.crosses || any_has_arrived(&s->events, s->events.stage);
}

/* Tries a step and looks at its stages, those of explicit methods: iterates are no stages. */
static HolStatus events_try(HolSimulation *s, double h)
{
    s->rates->watch = s->integrator->needs == HOL_RATES ? events_watch : NULL;
    HolStatus status = hol_step_trial(s, h, s->state.t + h);
    s->rates->watch = NULL;
    return status;
}

bool hol_events_cross(HolSimulation *s, double h)
{
    return events_try(s, h) == HOL_OK && s->events.crosses;
}

HolStatus hol_events_create(HolSimulation *s)
{
    HolEvents *e = &s->events;
    size_t count = (size_t)hol_system_event_count(s->system);
    HolCrossing **arrays[] = {&e->start, &e->end, &e->before, &e->trial, &e->stage};
    for (int i = 0; i < 5 && count > 0; ++i)
        *arrays[i] = hol_arena_alloc(s->arena, count * sizeof **arrays[i]);
    HOL_TRY(hol_arena_status(s->arena));
    e->since = e->paused = e->last = -HUGE_VAL;
    e->count = (int)count;
    if (count > 0) {
        events_evaluate(s, s->summary.start, s->state.q, s->state.v, e->start);
        s->rates->watcher = s;
    }
    return HOL_OK;
}

/* A state exactly at an event that it is about to pass has not passed it. */
void hol_events_begin(HolSimulation *s)
{
    HolEvents *e = &s->events;
    e->are_located = false;
    if (s->must_renew)
        events_evaluate(s, s->state.t, s->state.q, s->state.v, e->start);
    for (int i = 0; i < e->count; ++i)
        if (e->start[i].g == 0 && e->start[i].gdot != 0)
            e->start[i].g = e->start[i].gdot > 0 ? -DBL_MIN : DBL_MIN;
}

/* The cubic of g and gdot at both ends of an interval of length h; of g alone where a rate is not known. */
static double cubic_value(HolCrossing a, HolCrossing b, double h, double theta)
{
    double rest = 1 - theta, line = (b.g - a.g) / h;
    double first = isfinite(a.gdot) ? a.gdot : line, last = isfinite(b.gdot) ? b.gdot : line;
    return rest * rest * (1 + 2 * theta) * a.g + theta * theta * (3 - 2 * theta) * b.g +
           h * theta * rest * (rest * first - theta * last);
}

/* A zero of the cubic between ends of opposite sign, as a part of the interval. */
static double cubic_zero(HolCrossing a, HolCrossing b, double h)
{
    double low = 0, high = 1;
    while (high - low > HOL_ROUNDINGS(1)) {
        double middle = (low + high) / 2, g = cubic_value(a, b, h, middle);
        *(has_changed(a, (HolCrossing){.g = g}) ? &high : &low) = middle;
    }
    return high;
}

/* The earliest zero that the functions suggest. */
static double bracket_guess(const HolEvents *e, const Bracket *w)
{
    double first = 1, length = w->b - w->a;
    for (int i = 0; i < e->count; ++i)
        if (has_changed(e->before[i], e->end[i]))
            first = fmin(first, cubic_zero(e->before[i], e->end[i], length));
    return w->a + first * length;
}

static void swap_crossings(HolCrossing **a, HolCrossing **b)
{
    HolCrossing *other = *a;
    *a = *b;
    *b = other;
}

/* Tries a step of the size h, which becomes the end of the bracket to which it belongs. Where forces jump, an implicit
 * step that ends next to the event may have no solution: with the force of either side it ends on the other one. It
 * counts as one past the event. */
static HolStatus bracket_try(HolSimulation *s, double h, Bracket *w, bool *is_after)
{
    HolEvents *e = &s->events;
    HolStatus status = events_try(s, h);
    if (status == HOL_NO_CONVERGENCE && !s->rates->v) {
        *is_after = w->is_open = true;
        w->b = h;
        return HOL_OK;
    }
    HOL_TRY(status);
    events_evaluate_new(s, s->state.t + h, e->trial);
    *is_after = e->crosses || any_has_arrived(e, e->trial);
    *(*is_after ? &w->b : &w->a) = h;
    w->is_open = w->is_open && !*is_after;
    swap_crossings(*is_after ? &e->end : &e->before, &e->trial);
    return HOL_OK;
}

/* Closes the bracket to `width`. Guesses are moved by half the width to the other side of the zero than the previous
 * one, so that both ends move. Every third time the bracket is halved, in case that guesses do not help, and always if
 * it is open: its width need only be a small part of the step. */
static HolStatus bracket_close(HolSimulation *s, double width, Bracket *w)
{
    bool is_after = true;
    double at_once = HOL_TOL_STEP * s->step;
    for (int k = 0; k < MOST_TRIALS && w->b > at_once; ++k) {
        if (w->b - w->a <= (w->is_open ? HOL_TOL_SMALL * s->step : width))
            break;
        double h = bracket_guess(&s->events, w) + (is_after ? -width : width) / 2;
        if (k % 3 == 2 || w->is_open || !(h > w->a && h < w->b))
            h = (w->a + w->b) / 2;
        if (!(h > w->a && h < w->b))
            break;
        HOL_TRY(bracket_try(s, h, w, &is_after));
    }
    return HOL_OK;
}

/* Where a function that has the same sign at both ends may have changed it twice between them, as a part of the step;
 * 0: nowhere. It approaches zero at the beginning and leaves it at the end: its cubic has one least distance. */
static double graze_guess(HolCrossing a, HolCrossing b, double h)
{
    double sign = a.g > 0 ? 1 : -1, near = HOL_PART_GRAZING * fmax(fabs(a.g), fabs(b.g)), low = 0, high = 1;
    if (!(sign * b.g > 0 && sign * a.gdot < 0 && sign * b.gdot > 0))
        return 0;
    while (high - low > HOL_TOL_SAME) {
        double third = (high - low) / 3;
        bool falls = sign * (cubic_value(a, b, h, high - third) - cubic_value(a, b, h, low + third)) < 0;
        *(falls ? &low : &high) += falls ? third : -third;
    }
    return sign * cubic_value(a, b, h, low) < near ? low : 0;
}

/* Whether another step like this one would reach an event: then stages of this one may have. */
static bool any_is_near(const HolEvents *e)
{
    for (int i = 0; i < e->count; ++i)
        if (fabs(e->end[i].g) < fabs(e->end[i].g - e->start[i].g))
            return true;
    return false;
}

/* Tries a part of the step, which may end past an event that the whole one does not show. */
static HolStatus events_look(HolSimulation *s, double theta, Bracket *w, bool *is_found, bool *tried)
{
    HolEvents *e = &s->events;
    Bracket part = *w;
    *tried = true;
    HOL_TRY(bracket_try(s, theta * w->b, &part, is_found));
    if (*is_found)
        *w = part;
    else
        memcpy(e->before, e->start, (size_t)e->count * sizeof *e->start);
    return HOL_OK;
}

/* Whether an event lies in the step of size w->b, whose functions are in e->end. *tried: y_new is no longer that of the
 * whole step. */
static HolStatus events_find(HolSimulation *s, Bracket *w, bool *is_found, bool *tried)
{
    HolEvents *e = &s->events;
    *is_found = false;
    memcpy(e->before, e->start, (size_t)e->count * sizeof *e->start);
    bool crosses = e->crosses;
    double first = hol_swept_scan(s, w->b, &e->certain); /* of many crossings in a long step the others are later */
    if (first > 0)
        HOL_TRY(events_look(s, first, w, is_found, tried));
    if (first > 0 && !*is_found)
        crosses = hol_events_cross(s, w->b);
    *is_found = *is_found || crosses || any_has_changed(e, e->end);
    if (!*is_found && any_is_near(e)) {
        *tried = true;
        *is_found = hol_events_cross(s, w->b);
    }
    double scanned = *is_found ? 0 : hol_events_scan(s, w->b);
    if (scanned > 0)
        HOL_TRY(events_look(s, scanned, w, is_found, tried));
    for (int i = 0; i < e->count && !*is_found; ++i) {
        double theta = graze_guess(e->start[i], e->end[i], w->b);
        if (theta > 0)
            HOL_TRY(events_look(s, theta, w, is_found, tried));
    }
    return HOL_OK;
}

/* Counts the steps that ended early since a nominal step. */
static bool events_are_many(HolSimulation *s)
{
    HolEvents *e = &s->events;
    if (s->state.t >= e->since + s->step) {
        e->since = s->state.t;
        e->recent = 0;
    }
    return ++e->recent > MOST_EVENTS_PER_STEP;
}

bool hol_events_may_shorten(HolSimulation *s)
{
    return s->events.count > 0 && s->state.t >= s->events.paused && !events_are_many(s);
}

/* Events that follow each other at once, as of friction that holds a body, would end the run in a multitude of steps.
 * They are stepped over, and so are those of the next steps. */
static bool events_are_crowded(HolSimulation *s, const Bracket *w)
{
    HolEvents *e = &s->events;
    double shortest = fmax(HOL_TOL_STEP * s->step, HOL_TOL_ADVANCE * fabs(s->state.t));
    bool are_crowded = w->a <= shortest || events_are_many(s);
    if (are_crowded)
        e->paused = s->state.t + PAUSE * s->step;
    return are_crowded;
}

static void events_keep(HolSimulation *s, double t)
{
    HolEvents *e = &s->events;
    e->are_located = s->must_renew = true;
    e->last = t;
    for (int i = 0; i < e->count; ++i) {
        if (!has_changed(e->start[i], e->end[i]))
            continue;
        ++s->summary.events;
        if (e->kept_count < HOL_MAX_EVENTS)
            e->kept[e->kept_count++] = (HolEvent){t, i, e->end[i].g > 0 ? 1 : -1};
    }
}

/* Moves the result of a step along its rates until it is past the event. A step that ended there itself would evaluate
 * its last stage past the event. Returns by how much, `most` or one width at the most. */
static double events_pass(HolSimulation *s, double h, double width, double most)
{
    enum { MOST_DOUBLINGS = 10 };
    double passed = 0, next = width;
    for (int k = 0; k < MOST_DOUBLINGS && (k == 0 || next <= most); ++k, next *= 2) {
        for (int i = 0; i < s->rates->size; ++i)
            s->y_new[i] += (next - passed) * s->ydot_new[i];
        passed = next;
        events_evaluate_new(s, s->state.t + h + passed, s->events.end);
        if (any_has_changed(&s->events, s->events.end))
            break;
    }
    return passed;
}

/* Ends the step at the event in the bracket. Where v is no part of y, it ends just after it. A step with all stages
 * before the event must also meet the tolerance. */
static HolStatus events_arrive(HolSimulation *s, const Bracket *w, double *h, double *t, bool *is_rejected)
{
    double size = s->rates->v ? w->b : w->a;
    hol_estimate_try_between(s, size);
    HOL_TRY(hol_step_trial(s, size, s->state.t + size));
    if (s->integrator->adapt && s->rates->report.error > 1 && !s->rates->v && size > HOL_TOL_STEP * s->step) {
        *h = size;
        *is_rejected = true;
        return HOL_OK;
    }
    HOL_TRY(hol_rates_prepare(s->rates));
    if (s->rates->v) /* some stages are on either side: an error by a jump that no step shows */
        hol_estimate_count_unresolved(s);
    else
        size += events_pass(s, size, w->b - w->a, *h - size);
    *h = size;
    *t = s->state.t + size;
    events_keep(s, *t);
    return HOL_OK;
}

/* Passes an event that the state has reached to rounding, along its rates by a millionth of a step or less. */
static HolStatus events_slip(HolSimulation *s, double width, double *h, double *t)
{
    HolRates *rates = s->rates;
    memcpy(s->y_new, s->y, (size_t)rates->size * sizeof *s->y);
    memcpy(s->ydot_new, s->ydot, (size_t)rates->size * sizeof *s->ydot);
    *h = events_pass(s, 0, width, HUGE_VAL);
    *t = s->state.t + *h;
    HOL_TRY(hol_rates_project(rates, *t, s->y_new));
    HOL_TRY(hol_rates_accept(rates, *t, s->step, s->y_new, s->ydot_new));
    s->measures_new = hol_measure(s, s->y_new);
    HOL_TRY(hol_check_measures(s, *t, &s->measures_new, s->ydot_new));
    hol_branch_sample(s, *t);
    HOL_TRY(hol_rates_prepare(rates));
    events_keep(s, *t);
    return HOL_OK;
}

/* Events may be missed in a step in which bounded effort does not exclude them: a long step of an adaptive integrator
 * becomes shorter, another one is counted. */
static bool events_need_shorter(HolSimulation *s, double *h)
{
    static const double LEAST = 0.125;
    bool is_long = s->integrator->adapt && *h > HOL_PART_ACROSS_EVENT * s->step;
    if (s->events.certain >= 1)
        return false;
    if (is_long)
        *h *= fmax(s->events.certain, LEAST);
    else
        hol_swept_count_uncertain(s);
    return is_long;
}

HolStatus hol_events_locate(HolSimulation *s, double *h, double *t, bool *is_rejected)
{
    HolEvents *e = &s->events;
    Bracket w = {.b = *h};
    bool is_found, tried = false;
    *is_rejected = false;
    events_evaluate_new(s, *t, e->end);
    HolStatus status = events_find(s, &w, &is_found, &tried);
    if (status == HOL_OK && events_need_shorter(s, h)) {
        *is_rejected = true;
        return HOL_OK;
    }
    if (is_found && s->state.t < e->paused) {
        ++s->summary.skipped_events;
    } else if (status == HOL_OK && is_found) {
        tried = true;
        double width = HOL_TOL_TIME * s->step + HOL_ROUNDINGS(4) * fabs(*t);
        status = bracket_close(s, width, &w);
        bool is_at_once = w.b <= HOL_TOL_STEP * s->step;
        if (status == HOL_OK && is_at_once && e->last != s->state.t && !s->rates->v)
            return events_slip(s, width, h, t);
        if (status == HOL_OK && !events_are_crowded(s, &w))
            return events_arrive(s, &w, h, t, is_rejected);
        if (status != HOL_OK)
            hol_estimate_count_unresolved(s);
        ++s->summary.skipped_events;
    }
    if (tried) {
        HOL_TRY(hol_step_trial(s, *h, *t));
        events_evaluate_new(s, *t, e->end);
    }
    HOL_TRY(hol_rates_prepare(s->rates));
    swap_crossings(&e->start, &e->end);
    return HOL_OK;
}
