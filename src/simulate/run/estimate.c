/* SPDX-License-Identifier: BSD-3-Clause */
#include "simulate/run/estimate.h"

#include "base/message.h"
#include "base/tolerances.h"
#include "simulate/run/estimate_parts.h"
#include "simulate/run/internal.h"
#include "simulate/run/resolution.h"
#include "simulate/run/sensitivity.h"

#include <math.h>
#include <string.h>

/* Steps between two probes if there is enough time, steps for each probe at the least, and probes of a short run. */
enum { STEPS_BETWEEN = 800, STEPS_EACH = 75, FEWEST = 8 };
/* Probes that a run may spend on wild steps at once; each is wilder by the factor than the one before. */
enum { WILD_PROBES = 8 };
static const double WILDER = 4;
/* Steps that one after an event stands for. Two events with fewer steps between them than the last are not resolved. */
enum { STEPS_OF_EVENT = 4, STEPS_APART = 3 };
/* The ranges of the motion follow each of the first steps, then one in sixteen. */
enum { EACH_STEP_UNTIL = 100, STEPS_OF_RANGE = 16 };

/* Steps that are shortened to resolve a function of time are all probed, after so many of them one in eight. */
enum { ALL_SHORT_STEPS = 256, SHORT_STEPS_EACH = 8 };

static void errors_create(HolSimulation *s, HolErrors *errors)
{
    HOL_DOUBLES(s->arena, s->work->pattern->nq, &errors->q);
    HOL_DOUBLES(s->arena, s->work->pattern->nv, &errors->v);
}

/* sum += steps * e */
static void errors_add(const HolSimulation *s, HolErrors *sum, long steps, const HolErrors *e)
{
    for (int i = 0; i < s->rates->nq; ++i)
        sum->q[i] += (double)steps * e->q[i];
    for (int i = 0; i < s->rates->nv; ++i)
        sum->v[i] += (double)steps * e->v[i];
}

static void errors_copy(const HolSimulation *s, HolErrors *to, const HolErrors *from)
{
    memcpy(to->q, from->q, (size_t)s->rates->nq * sizeof *to->q);
    memcpy(to->v, from->v, (size_t)s->rates->nv * sizeof *to->v);
}

HolStatus hol_estimate_create(HolSimulation *s)
{
    const HolPattern *p = s->work->pattern;
    HolEstimate *estimate = hol_arena_alloc(s->arena, sizeof *estimate);
    HOL_TRY(hol_arena_status(s->arena));
    HOL_DOUBLES(s->arena, p->nq, &estimate->q, &estimate->low, &estimate->high);
    HOL_DOUBLES(s->arena, p->nv, &estimate->v, &estimate->fastest);
    HolErrors *const errors[] = {&estimate->here, &estimate->e, &estimate->sum, &estimate->e_wild, &estimate->sum_wild};
    for (int i = 0; i < 5; ++i)
        errors_create(s, errors[i]);
    HOL_TRY(hol_arena_status(s->arena));
    const double power = ldexp(1, s->integrator->order);
    estimate->is_explicit = !(s->integrator->needs & (HOL_NEWMARK | HOL_OWN_STEP));
    estimate->of_difference = estimate->is_explicit ? power / (power - 1) : 1 / (2 * power - 2);
    estimate->t = estimate->due = NAN;
    memcpy(estimate->low, s->state.q, (size_t)p->nq * sizeof *estimate->low);
    memcpy(estimate->high, s->state.q, (size_t)p->nq * sizeof *estimate->high);
    for (int i = 0; i < p->nv; ++i)
        estimate->fastest[i] = fabs(s->state.v[i]);
    s->estimate = estimate;
    return HOL_OK;
}

void hol_estimate_schedule(HolSimulation *s, double until)
{
    HolEstimate *p = s->estimate;
    p->interval = (until - s->state.t) / FEWEST;
    p->due = s->state.t + p->interval / 2;
}

bool hol_estimate_is_scheduled(const HolSimulation *s)
{
    return !isnan(s->estimate->due);
}

void hol_estimate_pause(HolSimulation *s)
{
    s->estimate->due = s->estimate->t = NAN;
}

double hol_estimate_size(const HolSimulation *s, const double *x)
{
    const HolPattern *p = s->work->pattern;
    const HolEstimate *e = s->estimate;
    double q = 0, v = hol_estimate_speed(p, x + p->nq);
    for (int i = 0; i < p->nq; ++i)
        q = fmax(q, (p->pure && p->pure[i] ? p->arm : 1) * fabs(x[i]));
    return fmax(q > 0 ? q / hol_estimate_distance(p, e->high, e->low) : 0,
                v > 0 ? v / hol_estimate_speed(p, e->fastest) : 0);
}

double hol_estimate_rate(const HolSimulation *s, const double *v, const double *vdot)
{
    const HolPattern *p = s->work->pattern;
    const HolEstimate *e = s->estimate;
    double speed = hol_estimate_speed(p, v), change = hol_estimate_speed(p, vdot);
    return fmax(speed > 0 ? speed / e->range : 0, change > 0 ? change / e->speed : 0);
}

static HolStatus estimate_advance(HolSimulation *s, double t, double h, const double *y, const double *ydot)
{
    return hol_step_advance(s, (HolStepFrom){t, h, y, ydot}, t + h, HUGE_VAL);
}

/* (1) */
static HolStatus estimate_halves(HolSimulation *s, double h)
{
    HOL_TRY(estimate_advance(s, s->state.t, h / 2, s->y, s->ydot));
    hol_swap_vectors(&s->y_middle, &s->y_new);
    hol_swap_vectors(&s->ydot_middle, &s->ydot_new);
    return estimate_advance(s, s->state.t + h / 2, h / 2, s->y_middle, s->ydot_middle);
}

/* The step in the other way; its result waits for the run to come to the same time. */
static void estimate_step(HolSimulation *s, double h, double end)
{
    HolEstimate *p = s->estimate;
    HolStatus status = p->is_explicit ? estimate_halves(s, h) : estimate_advance(s, s->state.t, 2 * h, s->y, s->ydot);
    p->failures += status != HOL_OK;
    if (s->integrator->forget)
        s->integrator->forget(s->integrator_self);
    if (status != HOL_OK)
        return;
    p->t = p->is_explicit ? end : end + h;
    p->h = h;
    memcpy(p->q, s->y_new, (size_t)s->rates->nq * sizeof *p->q);
    memcpy(p->v, hol_rates_v(s->rates, s->y_new), (size_t)s->rates->nv * sizeof *p->v);
}

/* Whether the steps that follow one of size h have the same size: of the others little can be learnt. */
static bool estimate_is_full(const HolSimulation *s, double h)
{
    return s->integrator->adapt || h >= (1 - HOL_TOL_STEP) * fmin(s->step, s->breakpoints.longest);
}

/* Whether a step of size h is to be probed because of an event. A step of an implicit method is compared only if an
 * equal one follows. */
static bool estimate_follows_event(const HolSimulation *s, double h)
{
    const HolEstimate *p = s->estimate;
    return (p->is_first && p->is_explicit) || (p->is_full && estimate_is_full(s, h));
}

/* Whether the present step is shorter than asked for because a function of time changes in it, or next to such steps.
 * */
static bool estimate_is_short(const HolSimulation *s)
{
    return !s->integrator->adapt && (s->breakpoints.longest < s->step || hol_resolution_is_near(s));
}

/* Single steps of a program (hol_simulation_step()) are not probed; nor are more of them than is fair if it runs in
 * many short pieces, or if there are many events. */
static bool estimate_is_due(HolSimulation *s, double h)
{
    HolEstimate *p = s->estimate;
    long steps = s->summary.steps, tried = p->count + p->failures + p->extra - p->wild_probes;
    if (isnan(p->due) || !isnan(p->t))
        return false;
    bool is_fair = tried < FEWEST || steps >= STEPS_EACH * tried;
    bool is_regular = (s->state.t >= p->due && is_fair) || steps - p->steps >= STEPS_BETWEEN;
    bool follows_event = estimate_follows_event(s, h), is_wild = p->is_wild && estimate_is_full(s, h);
    p->kind = is_regular ? PROBE_REGULAR : follows_event ? PROBE_EVENT : PROBE_WILD;
    if (estimate_is_short(s) && (p->shorts < ALL_SHORT_STEPS || p->short_steps >= SHORT_STEPS_EACH)) {
        p->kind = PROBE_SHORT;
        p->probes_wild = false;
        return true;
    }
    p->probes_wild = is_wild;
    p->wild_probes += is_wild;
    return is_regular || (is_fair && follows_event) || (is_wild && p->wild_probes <= WILD_PROBES + steps / STEPS_EACH);
}

/* Whether nothing calls for a probe of the present step, as is so for most. */
static bool estimate_rests(const HolSimulation *s)
{
    const HolEstimate *p = s->estimate;
    return !(s->state.t >= p->due) && s->summary.steps - p->steps < STEPS_BETWEEN && !p->is_wild && !p->is_first &&
           !p->is_full && !estimate_is_short(s);
}

void hol_estimate_try_between(HolSimulation *s, double h)
{
    HolEstimate *p = s->estimate;
    bool is_soon = p->event_steps > 0 && s->summary.steps + 1 - p->event_steps <= STEPS_APART;
    if (!is_soon || !p->is_explicit || s->integrator->adapt || isnan(p->due))
        return;
    HolStepReport report = s->rates->report;
    estimate_step(s, h, s->state.t + h);
    s->rates->report = report;
    s->rates->message.text[0] = '\0';
    p->is_between = !isnan(p->t);
}

static void estimate_probe(HolSimulation *s, double h, double end)
{
    HolEstimate *p = s->estimate;
    bool passes_breakpoint = !p->is_explicit && end + h > s->breakpoints.next;
    if (!passes_breakpoint && estimate_is_due(s, h)) {
        HolStepReport report = s->rates->report;
        estimate_step(s, h, end);
        s->rates->report = report;
        s->rates->message.text[0] = '\0';
        p->due = p->kind == PROBE_REGULAR ? fmax(p->due, s->state.t) + p->interval : p->due;
    }
    p->is_wild = p->is_wild && !estimate_is_full(s, h);
    p->is_full = p->is_full && !estimate_is_full(s, h);
    p->is_first = false;
}

void hol_estimate_try(HolSimulation *s, double h, double end)
{
    HolEstimate *p = s->estimate;
    if (fabs(h - p->h) > HOL_TOL_STEP * h)
        p->t = NAN; /* steps that are not equal cannot be compared */
    if (!estimate_rests(s))
        estimate_probe(s, h, end);
    hol_sensitivity_update(s);
}

/* Shortened steps count by themselves, and no longer as those of the next regular probe. */
static void estimate_add_short(HolSimulation *s)
{
    HolEstimate *p = s->estimate;
    errors_add(s, &p->sum, p->short_steps, &p->here);
    p->steps += p->short_steps;
    p->short_steps = 0;
    ++p->shorts;
}

/* A step after an event stands for a few after each event since the last one that was probed. */
static void estimate_add_extra(HolSimulation *s)
{
    HolEstimate *p = s->estimate;
    ++p->extra;
    if (p->kind == PROBE_WILD)
        return;
    errors_add(s, &p->sum, STEPS_OF_EVENT * (p->events > 0 ? p->events : 1), &p->here);
    p->events = 0;
}

/* The steps since the last regular probe have errors like this one. */
static void estimate_add_regular(HolSimulation *s)
{
    HolEstimate *p = s->estimate;
    errors_add(s, &p->sum, s->summary.steps - p->steps, &p->here);
    errors_copy(s, &p->e, &p->here);
    p->steps = s->summary.steps;
    ++p->count;
}

/* By how much the other way comes to the event earlier or later. */
static double estimate_delay(HolSimulation *s)
{
    const HolEstimate *p = s->estimate;
    const HolEvents *e = &s->events;
    double delay = 0;
    hol_system_events(s->system, &(HolPoint){hol_workspace_time(s->work, p->t), p->q, p->v}, s->work->terms, e->stage);
    for (int i = 0; i < e->count; ++i) {
        bool is_here = (e->start[i].g < 0) != (e->end[i].g < 0);
        double late = fabs((e->stage[i].g - e->end[i].g) / e->end[i].gdot);
        delay = is_here && isfinite(late) ? fmax(delay, late) : delay;
    }
    return delay;
}

/* The difference of both ways */
static void estimate_subtract(HolSimulation *s)
{
    HolEstimate *p = s->estimate;
    const HolPattern *pattern = s->work->pattern;
    for (int i = 0; i < pattern->nv; ++i) {
        p->v[i] -= s->state.v[i];
        p->here.v[i] = p->of_difference * fabs(p->v[i]);
    }
    for (int i = 0; i < pattern->nq; ++i) {
        p->q[i] -= s->state.q[i];
        p->here.q[i] = p->of_difference * fabs(p->q[i]);
    }
}

/* Whether both ways from one event to the next differ by much of the path between. */
static bool estimate_differs_much(const HolSimulation *s)
{
    const HolPattern *pattern = s->work->pattern;
    const HolEstimate *p = s->estimate;
    double speed =
        fmax(hol_estimate_speed(pattern, hol_rates_v(s->rates, s->y_old)), hol_estimate_speed(pattern, s->state.v));
    return hol_estimate_distance(pattern, p->q, s->state.q) > HOL_PART_BETWEEN * p->h * speed;
}

/* A step from one event to the next is all that there is of a force: an error of its length is one of the velocity. */
static void estimate_compare_between(HolSimulation *s)
{
    HolEstimate *p = s->estimate;
    p->unresolved += estimate_differs_much(s);
    double delay = p->of_difference * estimate_delay(s);
    estimate_subtract(s);
    for (int i = 0; i < s->rates->nv; ++i)
        p->here.v[i] += delay * fabs(s->ydot[s->rates->nq + i]);
    errors_add(s, &p->sum, 1, &p->here);
    ++p->extra;
}

static void estimate_compare(HolSimulation *s)
{
    HolEstimate *p = s->estimate;
    estimate_subtract(s);
    hol_sensitivity_begin(s, p->q, p->v);
    if (p->probes_wild)
        errors_copy(s, &p->e_wild, &p->here);
    if (p->kind == PROBE_REGULAR)
        estimate_add_regular(s);
    else if (p->kind == PROBE_SHORT)
        estimate_add_short(s);
    else
        estimate_add_extra(s);
}

static void estimate_follow_ranges(HolSimulation *s)
{
    HolEstimate *p = s->estimate;
    const double *restrict q = s->state.q, *restrict v = s->state.v;
    double *restrict low = p->low, *restrict high = p->high, *restrict fastest = p->fastest;
    for (int i = 0; i < s->rates->nq; ++i) {
        low[i] = q[i] < low[i] ? q[i] : low[i];
        high[i] = q[i] > high[i] ? q[i] : high[i];
    }
    for (int i = 0; i < s->rates->nv; ++i)
        fastest[i] = fabs(v[i]) > fastest[i] ? fabs(v[i]) : fastest[i];
    if (s->summary.steps >= EACH_STEP_UNTIL && s->summary.steps % (4 * STEPS_OF_RANGE) != 0)
        return;
    p->range = hol_estimate_distance(s->work->pattern, high, low);
    p->speed = hol_estimate_speed(s->work->pattern, fastest);
}

/* (4), and whether that calls for a probe */
static void estimate_follow_change(HolSimulation *s)
{
    HolEstimate *p = s->estimate;
    const double *restrict now = s->ydot + s->rates->nq, *restrict before = s->ydot_old + s->rates->nq;
    double change = 0;
    for (int i = 0; i < s->rates->nv; ++i)
        change = fabs(now[i] - before[i]) > change ? fabs(now[i] - before[i]) : change;
    p->wild_steps += change > p->change / WILDER;
    if (change <= WILDER * p->change)
        return;
    errors_add(s, &p->sum_wild, p->wild_steps, &p->e_wild);
    p->wild_steps = 1;
    p->change = change;
    p->is_wild = true;
}

/* Explicit steps across an event lose energy, which is seen; implicit ones may not. */
static void estimate_follow_events(HolSimulation *s)
{
    HolEstimate *p = s->estimate;
    const HolIntegratorKind *kind = s->integrator;
    bool is_event = s->events.are_located;
    if (!is_event && s->state.t != s->breakpoints.next)
        return;
    if (is_event && !kind->amplification && !kind->adapt)
        p->unresolved += p->event_steps > 0 && s->summary.steps - p->event_steps <= STEPS_APART;
    p->event_steps = is_event ? s->summary.steps : p->event_steps;
    p->is_first = p->is_full = true;
    p->events += is_event;
}

void hol_estimate_count_unresolved(HolSimulation *s)
{
    ++s->estimate->unresolved;
}

void hol_estimate_accept(HolSimulation *s)
{
    HolEstimate *p = s->estimate;
    const bool is_event = s->events.are_located, is_short = estimate_is_short(s);
    p->short_steps += is_short;
    if (s->summary.steps < EACH_STEP_UNTIL || s->summary.steps % STEPS_OF_RANGE == 0 || is_short) {
        estimate_follow_ranges(s);
        hol_sensitivity_follow(s);
    }
    if (!is_event && s->t_old >= s->breakpoints.last && !s->is_crossing)
        estimate_follow_change(s);
    estimate_follow_events(s);
    if (isnan(p->t))
        return;
    double h = s->state.t - s->t_old;
    bool is_there = fabs(s->state.t - p->t) <= HOL_TOL_STEP * h;
    if (is_event && p->is_between)
        estimate_compare_between(s);
    else if (is_there && !is_event)
        estimate_compare(s);
    p->is_between = false;
    if (is_there || is_event || p->is_explicit || s->state.t > p->t)
        p->t = NAN; /* of a step that an event has shortened nothing is known */
}

void hol_estimate_archive(HolSimulation *s, HolArchive *archive)
{
    HolEstimate *p = s->estimate;
    double *const of_q[] = {p->q, p->low, p->high, p->e.q, p->sum.q, p->e_wild.q, p->sum_wild.q};
    double *const of_v[] = {p->v, p->fastest, p->e.v, p->sum.v, p->e_wild.v, p->sum_wild.v};
    long *const tallies[] = {&p->steps,       &p->count,      &p->failures,    &p->extra,  &p->unresolved, &p->events,
                             &p->event_steps, &p->wild_steps, &p->wild_probes, &p->shorts, &p->short_steps};
    int kind = (int)p->kind;
    for (int i = 0; i < 7; ++i)
        hol_archive_doubles(archive, of_q[i], s->rates->nq);
    for (int i = 0; i < 6; ++i)
        hol_archive_doubles(archive, of_v[i], s->rates->nv);
    for (int i = 0; i < (int)(sizeof tallies / sizeof *tallies); ++i)
        hol_archive_tally(archive, tallies[i]);
    hol_archive_int(archive, &kind, PROBE_REGULAR, PROBE_SHORT);
    if (hol_archive_reads(archive))
        p->kind = (HolProbeKind)kind;
    HOL_ARCHIVE_EACH(archive, &p->t, &p->h, &p->range, &p->speed, &p->interval, &p->due, &p->change);
    HOL_ARCHIVE_BOOLS(archive, &p->is_first, &p->is_full, &p->is_wild, &p->probes_wild, &p->is_between);
}
