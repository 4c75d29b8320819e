/* SPDX-License-Identifier: BSD-3-Clause */
#include "simulate/run/estimate.h"

#include "base/message.h"
#include "base/tolerances.h"
#include "simulate/run/internal.h"
#include "simulate/run/sensitivity.h"

#include <math.h>
#include <string.h>

/* Steps between two probes if there is enough time, steps for each probe at the least, and probes of a short run. */
enum { STEPS_BETWEEN = 800, STEPS_EACH = 75, FEWEST = 8 };
/* Probes that a run may spend on wild steps at once; each is wilder by the factor than the one before. */
enum { WILD_PROBES = 8 };
static const double WILDER = 4;
/* Steps that one after an event stands for. Two events with fewer steps between them than the last are not resolved. */
static const double STEPS_OF_EVENT = 4;
enum { STEPS_APART = 3 };
/* The ranges of the motion follow each of the first steps, then one in sixteen. */
enum { EACH_STEP_UNTIL = 100, STEPS_OF_RANGE = 16 };

typedef enum HolProbeKind { PROBE_REGULAR, PROBE_EVENT, PROBE_WILD } HolProbeKind;

typedef struct HolEstimate {
    bool is_explicit;     /* the integrator */
    double of_difference; /* e / d in (1) or (2) */
    double *q, *v;        /* the result of the other way */
    double t;             /* its time; NAN: none is waiting */
    double *low, *high;   /* nq: of the positions so far */
    double *fastest;      /* nv: largest magnitudes so far */
    double range, speed;  /* of these, some steps ago */
    double interval, due; /* of the next probe at the latest; NAN: no run is under way */
    long steps;           /* of the run at the last probe */
    double e_q, e_v;      /* local errors there */
    double sum_q, sum_v;  /* of (3) up to there */
    long count, failures; /* of probes */
    HolProbeKind kind;    /* of the probe that is waiting, or of the last one */
    long extra;           /* of probes other than regular ones */

    bool is_first, is_full; /* the next step, or the next of full size, is the first one after an event: to be probed */
    long events;            /* since one of these probes */
    long event_steps;       /* of the run at the last event that was located */
    long unresolved;        /* of events that follow another one within a few steps */

    double change;    /* (4) of the wildest step so far */
    bool is_wild;     /* the next step is to be probed for that, */
    bool probes_wild; /* or is being probed */
    long wild_steps;  /* of about that change */
    long wild_probes;
    double e_wild_q, e_wild_v;     /* local errors there, */
    double sum_wild_q, sum_wild_v; /* and their sums over the less wild ones before */
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

double hol_estimate_rate(const HolSimulation *s, const double *v, const double *vdot)
{
    const HolPattern *p = s->work->pattern;
    const HolEstimate *e = s->estimate;
    double speed = estimate_speed(p, v), change = estimate_speed(p, vdot);
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
    p->probes_wild = is_wild;
    p->wild_probes += is_wild;
    return is_regular || (is_fair && follows_event) || (is_wild && p->wild_probes <= WILD_PROBES + steps / STEPS_EACH);
}

void hol_estimate_try(HolSimulation *s, double h, double end)
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
    hol_sensitivity_update(s);
}

/* A step after an event stands for a few after each event since the last one that was probed. */
static void estimate_add_extra(HolEstimate *p, double e_q, double e_v)
{
    ++p->extra;
    if (p->kind == PROBE_WILD)
        return;
    double steps = STEPS_OF_EVENT * (double)(p->events > 0 ? p->events : 1);
    p->sum_q += steps * e_q;
    p->sum_v += steps * e_v;
    p->events = 0;
}

static void estimate_compare(HolSimulation *s)
{
    HolEstimate *p = s->estimate;
    const HolPattern *pattern = s->work->pattern;
    for (int i = 0; i < pattern->nv; ++i)
        p->v[i] -= s->state.v[i];
    double e_q = p->of_difference * estimate_distance(pattern, p->q, s->state.q);
    double e_v = p->of_difference * estimate_speed(pattern, p->v);
    for (int i = 0; i < pattern->nq; ++i)
        p->q[i] -= s->state.q[i];
    hol_sensitivity_begin(s, p->q, p->v);
    if (p->probes_wild) {
        p->e_wild_q = e_q;
        p->e_wild_v = e_v;
    }
    if (p->kind != PROBE_REGULAR) {
        estimate_add_extra(p, e_q, e_v);
        return;
    }
    double steps = (double)(s->summary.steps - p->steps);
    p->sum_q += steps * e_q;
    p->sum_v += steps * e_v;
    p->e_q = e_q;
    p->e_v = e_v;
    p->steps = s->summary.steps;
    ++p->count;
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
    p->range = estimate_distance(s->work->pattern, high, low);
    p->speed = estimate_speed(s->work->pattern, fastest);
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
    p->sum_wild_q += (double)p->wild_steps * p->e_wild_q;
    p->sum_wild_v += (double)p->wild_steps * p->e_wild_v;
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

void hol_estimate_accept(HolSimulation *s)
{
    HolEstimate *p = s->estimate;
    const bool is_event = s->events.are_located;
    if (s->summary.steps < EACH_STEP_UNTIL || s->summary.steps % STEPS_OF_RANGE == 0) {
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
    if (is_there && !is_event)
        estimate_compare(s);
    if (is_there || is_event || p->is_explicit || s->state.t > p->t)
        p->t = NAN; /* of a step that an event has shortened nothing is known */
}

void hol_estimate_archive(HolSimulation *s, HolArchive *archive)
{
    HolEstimate *p = s->estimate;
    double *const of_q[] = {p->q, p->low, p->high}, *const of_v[] = {p->v, p->fastest};
    long *const tallies[] = {&p->steps,  &p->count,       &p->failures,   &p->extra,      &p->unresolved,
                             &p->events, &p->event_steps, &p->wild_steps, &p->wild_probes};
    int kind = (int)p->kind;
    for (int i = 0; i < 3; ++i)
        hol_archive_doubles(archive, of_q[i], s->rates->nq);
    for (int i = 0; i < 2; ++i)
        hol_archive_doubles(archive, of_v[i], s->rates->nv);
    for (int i = 0; i < (int)(sizeof tallies / sizeof *tallies); ++i)
        hol_archive_tally(archive, tallies[i]);
    hol_archive_int(archive, &kind, PROBE_REGULAR, PROBE_WILD);
    if (hol_archive_reads(archive))
        p->kind = (HolProbeKind)kind;
    HOL_ARCHIVE_EACH(archive, &p->t, &p->range, &p->speed, &p->interval, &p->due, &p->e_q, &p->e_v, &p->sum_q,
                     &p->sum_v, &p->change, &p->e_wild_q, &p->e_wild_v, &p->sum_wild_q, &p->sum_wild_v);
    HOL_ARCHIVE_BOOLS(archive, &p->is_first, &p->is_full, &p->is_wild, &p->probes_wild);
}

void hol_estimate_summarise(const HolSimulation *s, HolSummary *summary)
{
    const HolEstimate *p = s->estimate;
    double rest = (double)(summary->steps - p->steps); /* as the last ones probed */
    double q = fmax(p->sum_q + rest * p->e_q, p->sum_wild_q + (double)p->wild_steps * p->e_wild_q);
    double v = fmax(p->sum_v + rest * p->e_v, p->sum_wild_v + (double)p->wild_steps * p->e_wild_v);
    summary->motion = estimate_distance(s->work->pattern, p->high, p->low);
    summary->max_speed = estimate_speed(s->work->pattern, p->fastest);
    summary->estimated_error =
        p->count + p->extra > 0 ? fmax(q > 0 ? q / summary->motion : 0, v > 0 ? v / summary->max_speed : 0) : NAN;
    summary->unchecked_steps = p->failures;
    summary->checked_steps = p->count + p->extra;
    summary->unresolved_events = p->unresolved;
    summary->sensitivity = hol_sensitivity(s);
}
