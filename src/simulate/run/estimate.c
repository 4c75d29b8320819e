/* SPDX-License-Identifier: BSD-3-Clause */
#include "simulate/run/estimate.h"

#include "base/message.h"
#include "base/tolerances.h"
#include "simulate/run/internal.h"
#include "simulate/run/sensitivity.h"

#include <math.h>
#include <string.h>

/* Steps between two probes if there is enough time, steps for each probe at the least, and probes of a short run. */
enum { STEPS_BETWEEN = 300, STEPS_EACH = 75, FEWEST = 8 };
/* Steps that the first one after an event stands for. */
static const double STEPS_OF_EVENT = 4;

typedef struct HolEstimate {
    bool is_explicit;     /* the integrator */
    double of_difference; /* e / d in (1) or (2) */
    double *q, *v;        /* the result of the other way */
    double t;             /* its time; NAN: none is waiting */
    double *low, *high;   /* nq: of the positions so far */
    double *fastest;      /* nv: largest magnitudes so far */
    double interval, due; /* of the next probe at the latest; NAN: no run is under way */
    long steps;           /* of the run at the last probe */
    double e_q, e_v;      /* local errors there */
    double sum_q, sum_v;  /* of (3) up to there */
    long count, failures; /* of probes */
    long extra;           /* of those after events */
    long unresolved;      /* of those that another event cut short */
    bool follows_event;   /* the next step is the first one after an event: it is probed beside the others, */
    bool is_extra;        /* and counts for a few steps only */
} HolEstimate;

HolStatus hol_estimate_create(HolSimulation *s)
{
    const HolPattern *p = s->work->pattern;
    HolEstimate *estimate = hol_arena_alloc(s->arena, sizeof *estimate);
    HOL_TRY(hol_arena_status(s->arena));
    HOL_DOUBLES(s->arena, p->nq, &estimate->q, &estimate->low, &estimate->high);
    HOL_DOUBLES(s->arena, p->nv, &estimate->v, &estimate->fastest);
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

/* max_i |a_i - b_i|, rotations at the lever arm */
static double estimate_distance(const HolPattern *p, const double *a, const double *b)
{
    double most = 0;
    for (int i = 0; i < p->nq; ++i)
        most = fmax(most, (p->pure && p->pure[i] ? p->arm : 1) * fabs(a[i] - b[i]));
    return most;
}

static double estimate_speed(const HolPattern *p, const double *v)
{
    double most = 0;
    for (int i = 0; i < p->nv; ++i)
        most = fmax(most, fabs(v[i]) / (p->unit ? p->unit[i] : 1));
    return most;
}

double hol_estimate_size(const HolSimulation *s, const double *x)
{
    const HolPattern *p = s->work->pattern;
    const HolEstimate *e = s->estimate;
    double q = 0, v = estimate_speed(p, x + p->nq);
    for (int i = 0; i < p->nq; ++i)
        q = fmax(q, (p->pure && p->pure[i] ? p->arm : 1) * fabs(x[i]));
    return fmax(q > 0 ? q / estimate_distance(p, e->high, e->low) : 0, v > 0 ? v / estimate_speed(p, e->fastest) : 0);
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
    memcpy(p->q, s->y_new, (size_t)s->rates->nq * sizeof *p->q);
    memcpy(p->v, hol_rates_v(s->rates, s->y_new), (size_t)s->rates->nv * sizeof *p->v);
}

/* Single steps of a program (hol_simulation_step()) are not probed; nor are more of them than is fair if it runs in
 * many short pieces, or if there are many events. */
static bool estimate_is_due(HolSimulation *s)
{
    HolEstimate *p = s->estimate;
    long steps = s->summary.steps, tried = p->count + p->failures + p->extra;
    if (isnan(p->due) || !isnan(p->t))
        return false;
    bool is_fair = tried < FEWEST || steps >= STEPS_EACH * tried;
    bool is_regular = (s->state.t >= p->due && is_fair) || steps - p->steps >= STEPS_BETWEEN;
    p->is_extra = !is_regular;
    return is_regular || (p->follows_event && is_fair);
}

void hol_estimate_try(HolSimulation *s, double h, double end)
{
    HolEstimate *p = s->estimate;
    bool passes_breakpoint = !p->is_explicit && end + h > s->breakpoints.next;
    HolStepReport report = s->rates->report;
    if (!passes_breakpoint && estimate_is_due(s)) {
        estimate_step(s, h, end);
        s->rates->message.text[0] = '\0';
        p->due = p->is_extra ? p->due : fmax(p->due, s->state.t) + p->interval;
    }
    p->follows_event = false;
    hol_sensitivity_update(s);
    s->rates->report = report;
}

static void estimate_compare(HolSimulation *s)
{
    HolEstimate *p = s->estimate;
    const HolPattern *pattern = s->work->pattern;
    for (int i = 0; i < pattern->nv; ++i)
        p->v[i] -= s->state.v[i];
    double steps = p->is_extra ? STEPS_OF_EVENT : (double)(s->summary.steps - p->steps);
    double e_q = p->of_difference * estimate_distance(pattern, p->q, s->state.q);
    double e_v = p->of_difference * estimate_speed(pattern, p->v);
    p->sum_q += steps * e_q;
    p->sum_v += steps * e_v;
    if (p->is_extra) {
        ++p->extra;
        return;
    }
    for (int i = 0; i < pattern->nq; ++i)
        p->q[i] -= s->state.q[i];
    hol_sensitivity_begin(s, p->q, p->v);
    p->e_q = e_q;
    p->e_v = e_v;
    p->steps = s->summary.steps;
    ++p->count;
}

void hol_estimate_accept(HolSimulation *s)
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
    p->follows_event = s->events.are_located || s->state.t == s->breakpoints.next;
    if (isnan(p->t))
        return;
    double h = s->state.t - s->t_old;
    bool is_there = fabs(s->state.t - p->t) <= HOL_TOL_STEP * h;
    p->unresolved += p->is_extra && !p->is_explicit && s->events.are_located; /* the next event came within two steps */
    if (is_there && !s->events.are_located)
        estimate_compare(s);
    if (is_there || s->events.are_located || p->is_explicit || s->state.t > p->t)
        p->t = NAN; /* of a step that an event has shortened nothing is known */
}

void hol_estimate_archive(HolSimulation *s, HolArchive *archive)
{
    HolEstimate *p = s->estimate;
    double *const of_q[] = {p->q, p->low, p->high}, *const of_v[] = {p->v, p->fastest};
    long *const tallies[] = {&p->steps, &p->count, &p->failures, &p->extra, &p->unresolved};
    for (int i = 0; i < 3; ++i)
        hol_archive_doubles(archive, of_q[i], s->rates->nq);
    for (int i = 0; i < 2; ++i)
        hol_archive_doubles(archive, of_v[i], s->rates->nv);
    for (int i = 0; i < 5; ++i)
        hol_archive_tally(archive, tallies[i]);
    HOL_ARCHIVE_EACH(archive, &p->t, &p->interval, &p->due, &p->e_q, &p->e_v, &p->sum_q, &p->sum_v);
    HOL_ARCHIVE_BOOLS(archive, &p->follows_event, &p->is_extra);
}

void hol_estimate_summarise(const HolSimulation *s, HolSummary *summary)
{
    const HolEstimate *p = s->estimate;
    double rest = (double)(summary->steps - p->steps); /* as the last ones probed */
    double q = p->sum_q + rest * p->e_q, v = p->sum_v + rest * p->e_v;
    summary->motion = estimate_distance(s->work->pattern, p->high, p->low);
    summary->max_speed = estimate_speed(s->work->pattern, p->fastest);
    summary->estimated_error =
        p->count > 0 ? fmax(q > 0 ? q / summary->motion : 0, v > 0 ? v / summary->max_speed : 0) : NAN;
    summary->unchecked_steps = p->failures;
    summary->unresolved_events = p->unresolved;
    summary->sensitivity = hol_sensitivity(s);
}
