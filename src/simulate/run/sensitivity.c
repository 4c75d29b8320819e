/* SPDX-License-Identifier: BSD-3-Clause */
#include "simulate/run/sensitivity.h"

#include "base/message.h"
#include "base/tolerances.h"
#include "simulate/run/carrier.h"
#include "simulate/run/estimate.h"
#include "simulate/run/events.h"
#include "simulate/run/internal.h"
#include "simulate/run/knock.h"

#include <math.h>
#include <string.h>

enum { FEWEST_STEPS = 16, MOST_STEPS = 400 }; /* of an interval H */
enum { MOST_PARTS = 64 };                     /* of an interval with few steps: others have as many as steps */
enum { FREE_INTERVALS = 64 };                 /* that may end early, and after them one in each FEWEST_STEPS steps */
/* By which F may miss the state of the run. */
static const double ACCURATE = HOL_TOL_SMALL / 10;

typedef struct HolSensitivity {
    int n;                 /* nq + nv */
    double t, *x;          /* x_k */
    double *d;             /* d_k, of size HOL_TOL_SAME; has_d: it is known */
    double *rate, *before; /* xdot and x shortly before an event */
    double *base, *moved, *next, *from, *stage, *slope;
    double *y;                    /* x and a work */
    HolCarrier *carrier;          /* NULL: no redundant rows */
    long steps;                   /* of the run at x_k, */
    long impulses;                /* and its impulses */
    double first;                 /* HolWorkspace.t_first there */
    double times[MOST_STEPS + 1]; /* of the run since x_k */
    int count;                    /* of steps between these */
    long intervals, lost;         /* so far, and those of which little is known */
    double interval;              /* H in steps */
    double missed;                /* by F(x_k) */
    bool has_converged;           /* F, in its number of parts */
    double most_missed;           /* by F that has converged */
    long singular;                /* configurations that the run had passed at x_k */
    double log_size, log_low;     /* of |d_k| / |d_0|, and the smallest so far */
    double log_most;              /* of A */
    bool has_d, needs_knock;

    bool is_single;     /* one degree of freedom: (2) instead of (1) */
    double *xdot;       /* at the beginning */
    double least, most; /* |xdot| since the last event, and the largest ratio of a later one to it */
} HolSensitivity;

HolStatus hol_sensitivity_create(HolSimulation *s)
{
    const HolPattern *p = s->work->pattern;
    if (s->summary.dof < 1)
        return HOL_OK;
    HolSensitivity *w = hol_arena_alloc(s->arena, sizeof *w);
    HOL_TRY(hol_arena_status(s->arena));
    w->n = p->nq + p->nv;
    w->interval = 2 * FEWEST_STEPS;
    w->is_single =
        s->summary.dof == 1 && hol_system_is_scleronomic(s->system) && hol_system_time_function_count(s->system) == 0;
    w->least = HUGE_VAL;
    HOL_DOUBLES(s->arena, 2 * p->nv, &w->xdot);
    HOL_DOUBLES(s->arena, w->n, &w->x, &w->rate, &w->before, &w->d, &w->base, &w->moved, &w->next, &w->from, &w->stage,
                &w->slope);
    HOL_DOUBLES(s->arena, w->n + 1, &w->y);
    s->sensitivity = w;
    HOL_TRY(hol_arena_status(s->arena));
    return s->summary.redundant_rows > 0 && !w->is_single ? hol_carrier_create(s, &w->carrier) : HOL_OK;
}

static void sensitivity_keep_state(HolSimulation *s)
{
    HolSensitivity *w = s->sensitivity;
    memcpy(w->x, s->state.q, (size_t)s->rates->nq * sizeof *w->x);
    memcpy(w->x + s->rates->nq, s->state.v, (size_t)s->rates->nv * sizeof *w->x);
    w->t = w->times[0] = s->state.t;
    w->count = 0;
    w->steps = s->summary.steps;
    w->impulses = s->summary.impulses;
    w->singular = s->summary.singular_events;
    w->first = s->work->t_first;
}

/* Scales d to the size of differences that are neither rounding nor finite. False: it is zero. */
static bool sensitivity_scale(HolSimulation *s, double size)
{
    HolSensitivity *w = s->sensitivity;
    for (int i = 0; i < w->n; ++i)
        w->d[i] *= HOL_TOL_SAME / size;
    return size > 0 && isfinite(size);
}

static HolStatus sensitivity_slope(HolSimulation *s, double t, const double *x, double *xdot)
{
    const int nq = s->rates->nq;
    HolCarrier *carrier = s->sensitivity->carrier;
    HOL_TRY(carrier ? hol_carrier_accelerate(carrier, s->work, t, x, xdot + nq)
                    : hol_rates_accelerate(s->rates, t, s->step, x, x + nq, s->measures.work));
    if (!carrier)
        memcpy(xdot + nq, s->rates->vdot, (size_t)s->rates->nv * sizeof *xdot);
    hol_system_qdot(s->system, x, x + nq, xdot);
    return HOL_OK;
}

/* An error of one step may lie where a symmetric or steady motion keeps it: a knock of the same size is added. */
static void sensitivity_add_knock(HolSimulation *s)
{
    HolSensitivity *w = s->sensitivity;
    const int nq = s->rates->nq;
    w->needs_knock = false;
    memset(w->next, 0, (size_t)w->n * sizeof *w->next);
    if (w->carrier || s->rates->v || hol_knock(s, w->moved, w->next + nq) != HOL_OK)
        return;
    const double size = hol_estimate_size(s, w->next);
    for (int i = 0; i < w->n && size > 0 && isfinite(size); ++i)
        w->d[i] += HOL_TOL_SAME / size * w->next[i];
}

void hol_sensitivity_begin(HolSimulation *s, const double *dq, const double *dv)
{
    HolSensitivity *w = s->sensitivity;
    if (!w || w->has_d || w->is_single)
        return;
    memcpy(w->d, dq, (size_t)s->rates->nq * sizeof *w->d);
    memcpy(w->d + s->rates->nq, dv, (size_t)s->rates->nv * sizeof *w->d);
    w->has_d = w->needs_knock = sensitivity_scale(s, hol_estimate_size(s, w->d));
    sensitivity_keep_state(s);
}

/* Puts x onto the constraints, if the formulation does: beside them differences grow that the run does not have. */
static HolStatus sensitivity_project(HolSimulation *s, double t, double *x)
{
    HolSensitivity *w = s->sensitivity;
    if (w->carrier)
        return hol_carrier_project(w->carrier, s->work, t, x);
    if (!s->rates->kind->project || s->rates->v)
        return HOL_OK;
    memcpy(w->y, x, (size_t)w->n * sizeof *x);
    w->y[w->n] = s->measures.work;
    HolStatus status = hol_rates_project(s->rates, t, w->y);
    s->rates->is_at_result = false;
    memcpy(x, w->y, (size_t)w->n * sizeof *x);
    return status;
}

/* A Runge-Kutta step of size h from x at the time t. */
static HolStatus sensitivity_advance(HolSimulation *s, double t, double h, double *x)
{
    static const double c[] = {0, 0.5, 0.5, 1}, b[] = {1. / 6, 1. / 3, 1. / 3, 1. / 6};
    HolSensitivity *w = s->sensitivity;
    memcpy(w->from, x, (size_t)w->n * sizeof *x);
    for (int k = 0; k < 4; ++k) {
        for (int i = 0; i < w->n; ++i)
            w->stage[i] = w->from[i] + (k > 0 ? c[k] * h * w->slope[i] : 0);
        HOL_TRY(sensitivity_slope(s, t + c[k] * h, w->stage, w->slope));
        for (int i = 0; i < w->n; ++i)
            x[i] += b[k] * h * w->slope[i];
    }
    return sensitivity_project(s, t + h, x);
}

/* x1 = F(x) from x_k on in about this many parts. They end where steps of the run do, and divide these if there are
 * more parts than steps: a run takes short steps where the motion needs them. */
static HolStatus sensitivity_carry(HolSimulation *s, int parts, const double *x, double *x1)
{
    const HolSensitivity *w = s->sensitivity;
    const int n = w->count, groups = parts < n ? parts : n, divisions = (parts + groups - 1) / groups;
    memcpy(x1, x, (size_t)w->n * sizeof *x1);
    for (int k = 0; k < groups * divisions; ++k) {
        const int i = k / divisions, j = k % divisions;
        double from = w->times[i * n / groups], h = (w->times[(i + 1) * n / groups] - from) / divisions;
        HOL_TRY(sensitivity_advance(s, from + j * h, h, x1));
    }
    return HOL_OK;
}

/* v NULL: not known */
static double sensitivity_distance(HolSimulation *s, const double *a, const double *q, const double *v)
{
    HolSensitivity *w = s->sensitivity;
    for (int i = 0; i < s->rates->nq; ++i)
        w->stage[i] = a[i] - q[i];
    for (int i = 0; i < s->rates->nv; ++i)
        w->stage[s->rates->nq + i] = v ? a[s->rates->nq + i] - v[i] : 0;
    return hol_estimate_size(s, w->stage);
}

static int sensitivity_most_parts(const HolSensitivity *w)
{
    return w->count > MOST_PARTS ? w->count : MOST_PARTS;
}

/* F(x_k) in as many parts as it takes to arrive at the state of the run, or, if the run is not accurate enough for
 * that, where half as many arrive. Far from the state of the run they may have passed over what its steps have seen:
 * then there are as many parts as steps. Where they are too long to succeed there are more of them. */
static HolStatus sensitivity_find_parts(HolSimulation *s, const HolPoint *end, int *parts)
{
    HolSensitivity *w = s->sensitivity;
    const int nq = s->rates->nq;
    bool has_last = false;
    for (*parts = 1;; *parts *= 2) {
        HolStatus status = sensitivity_carry(s, *parts, w->x, w->base);
        if (status != HOL_OK && *parts >= sensitivity_most_parts(w))
            return status;
        w->missed = status == HOL_OK ? sensitivity_distance(s, w->base, end->q, end->v) : HUGE_VAL;
        bool is_near = w->missed <= HOL_GOOD_ERROR || (status == HOL_OK && *parts >= w->count);
        bool is_same = has_last && sensitivity_distance(s, w->base, w->moved, w->moved + nq) <= ACCURATE;
        has_last = status == HOL_OK;
        w->has_converged = is_same;
        if (w->missed <= ACCURATE || (is_near && (is_same || *parts >= MOST_PARTS)))
            return HOL_OK;
        hol_swap_vectors(&w->base, &w->moved);
    }
}

/* (1) from x_k to a later state of the run; *size: |d_k+1|. x_k + d_k is in w->x. */
static HolStatus sensitivity_carry_difference(HolSimulation *s, int parts, double *size)
{
    HolSensitivity *w = s->sensitivity;
    HOL_TRY(sensitivity_carry(s, parts, w->x, w->moved));
    for (int i = 0; i < w->n; ++i)
        w->next[i] = w->moved[i] - w->base[i];
    *size = hol_estimate_size(s, w->next);
    return HOL_OK;
}

/* At rest F(x_k) arrives in any number of parts, though differences may need more of them: growth counts only once
 * twice as many give the same. */
static HolStatus sensitivity_confirm(HolSimulation *s, double before, int *parts, double *size)
{
    HolSensitivity *w = s->sensitivity;
    for (bool is_same = false; *size > 2 * before && !is_same && *parts < sensitivity_most_parts(w);) {
        const double last = *size;
        *parts *= 2;
        for (int i = 0; i < w->n; ++i)
            w->moved[i] = w->x[i] - w->d[i];
        HOL_TRY(sensitivity_carry(s, *parts, w->moved, w->base));
        HOL_TRY(sensitivity_carry_difference(s, *parts, size));
        is_same = fabs(*size - last) <= HOL_PART_REDUCED * last;
    }
    return HOL_OK;
}

static HolStatus sensitivity_step(HolSimulation *s, const HolPoint *end, int *parts)
{
    HolSensitivity *w = s->sensitivity;
    const double before = hol_estimate_size(s, w->d); /* ranges may have grown since d was scaled */
    double size;
    HOL_TRY(w->carrier ? hol_carrier_prepare(w->carrier, s->work, w->t, w->x) : HOL_OK);
    HOL_TRY(sensitivity_find_parts(s, end, parts));
    for (int i = 0; i < w->n; ++i)
        w->x[i] += w->d[i];
    HOL_TRY(sensitivity_carry_difference(s, *parts, &size));
    HOL_TRY(sensitivity_confirm(s, before, parts, &size));
    hol_swap_vectors(&w->d, &w->next);
    w->has_d = sensitivity_scale(s, size);
    w->log_size += w->has_d ? log(size / before) : 0;
    w->log_low = fmin(w->log_low, w->log_size);
    w->log_most = fmax(w->log_most, w->log_size - w->log_low);
    return HOL_OK;
}

/* The error of F is of fifth order. */
static void sensitivity_choose_interval(HolSensitivity *w, int parts)
{
    double factor = parts > 1 ? 0.5 : 32 * w->missed < ACCURATE ? 2 : 1;
    w->interval = fmax(FEWEST_STEPS, fmin(w->interval * factor, MOST_STEPS));
}

/* Where the interval ends: at the present state, or the time `margin` before it, if it is at an event. xdot before the
 * event is in w->rate, that state in w->before. */
static HolPoint sensitivity_end(HolSimulation *s, double margin)
{
    HolSensitivity *w = s->sensitivity;
    bool has_impulse = s->summary.impulses != w->impulses; /* v is that after it */
    if (margin == 0)
        return (HolPoint){s->state.t, s->state.q, has_impulse ? NULL : s->state.v};
    w->times[w->count] -= margin;
    return (HolPoint){w->times[w->count], w->before, w->before + s->rates->nq};
}

/* xdot of the present state moved by `later` along w->slope, into xdot. */
static HolStatus sensitivity_slope_beside(HolSimulation *s, double later, double *x, double *xdot)
{
    HolSensitivity *w = s->sensitivity;
    for (int i = 0; i < w->n; ++i)
        x[i] = (i < s->rates->nq ? s->state.q[i] : s->state.v[i - s->rates->nq]) + later * w->slope[i];
    return sensitivity_slope(s, s->state.t, x, xdot);
}

/* The delay of x + d at the event: (g(x + d) - g(x)) / -gdot of the function that is nearest to zero. */
static double sensitivity_delay(HolSimulation *s)
{
    const HolSensitivity *w = s->sensitivity;
    const int nq = s->rates->nq;
    HolCrossing *at = s->events.trial, *beside = s->events.before;
    int nearest = 0;
    hol_system_events(s->system, &(HolPoint){s->state.t, s->state.q, s->state.v}, s->work->terms, at);
    hol_system_events(s->system, &(HolPoint){s->state.t, w->moved, w->moved + nq}, s->work->terms, beside);
    for (int i = 1; i < s->events.count; ++i)
        if (fabs(at[i].g * at[nearest].gdot) < fabs(at[nearest].g * at[i].gdot))
            nearest = i;
    double delay = (at[nearest].g - beside[nearest].g) / at[nearest].gdot;
    return isfinite(delay) ? delay : 0;
}

/* (3): d, of x + d in w->moved, across the event at the present state, and x_k to after it. */
static void sensitivity_cross(HolSimulation *s, double margin)
{
    HolSensitivity *w = s->sensitivity;
    for (int i = 0; i < w->n; ++i)
        w->moved[i] = (i < s->rates->nq ? s->state.q[i] : s->state.v[i - s->rates->nq]) + w->d[i];
    const double delay = sensitivity_delay(s);
    for (int i = 0; i < w->n; ++i)
        w->d[i] += delay * (w->rate[i] - w->slope[i]);
    sensitivity_keep_state(s);
    for (int i = 0; i < w->n; ++i)
        w->x[i] += margin * w->slope[i];
    w->t = w->times[0] = s->state.t + margin;
}

/* Forces jump at breakpoints, where F must stop, but many of them are only kinks of tables. */
static bool sensitivity_is_due(const HolSimulation *s)
{
    const HolSensitivity *w = s->sensitivity;
    bool is_free = w->intervals < FREE_INTERVALS + s->summary.steps / FEWEST_STEPS;
    return s->summary.steps - w->steps >= (long)w->interval || w->count == MOST_STEPS ||
           (is_free && s->breakpoints.last == s->state.t);
}

/* (1) up to the present state, with the forces on the sides of breakpoints on which the run had them. */
static void sensitivity_take_interval(HolSimulation *s, double margin)
{
    HolSensitivity *w = s->sensitivity;
    HolWorkspace *work = s->work;
    const double first = work->t_first, last = work->t_last;
    const HolPoint end = sensitivity_end(s, margin);
    int parts = 1;
    if (w->count == 0 || !(end.t > w->times[w->count - 1]))
        return;
    work->t_first = w->first;
    work->stage_t = NAN; /* the factors of a stage are not those of F, and are lost in a saved simulation */
    if (s->breakpoints.last == s->state.t)
        work->t_last = s->state.t - hol_breakpoint_side(s, s->state.t);
    HolStatus status = sensitivity_step(s, &end, &parts);
    work->t_first = first;
    work->t_last = last;
    ++w->intervals;
    w->lost += status != HOL_OK || w->missed > HOL_GOOD_ERROR;
    bool is_elsewhere = status == HOL_OK && w->has_converged && w->missed > HOL_GOOD_ERROR;
    if (is_elsewhere && w->singular == s->summary.singular_events)
        w->most_missed = fmax(w->most_missed, w->missed);
    if (status == HOL_OK)
        sensitivity_choose_interval(w, parts);
}

/* Up to shortly before the event at the present state, and on from shortly after it. */
static bool sensitivity_pass_event(HolSimulation *s)
{
    HolSensitivity *w = s->sensitivity;
    const double margin = HOL_PART_SPEED * s->step;
    memset(w->slope, 0, (size_t)w->n * sizeof *w->slope);
    while (w->count > 1 && s->state.t - margin <= w->times[w->count - 1]) /* steps closer to the event than that */
        w->times[--w->count] = s->state.t;
    if (s->state.t - margin <= w->times[0] || sensitivity_slope_beside(s, 0, w->before, w->rate) != HOL_OK)
        return false;
    memcpy(w->slope, w->rate, (size_t)w->n * sizeof *w->slope);
    if (sensitivity_slope_beside(s, -margin, w->before, w->rate) != HOL_OK)
        return false;
    sensitivity_take_interval(s, margin);
    memset(w->slope, 0, (size_t)w->n * sizeof *w->slope);
    if (!w->has_d || sensitivity_slope_beside(s, 0, w->before, w->slope) != HOL_OK)
        return false;
    sensitivity_cross(s, margin);
    return true;
}

void hol_sensitivity_update(HolSimulation *s)
{
    HolSensitivity *w = s->sensitivity;
    if (!w || !w->has_d || s->state.t < w->t)
        return;
    bool is_first = s->state.t == w->t;
    if (is_first) /* a breakpoint or an impulse may have been passed since */
        sensitivity_keep_state(s);
    else
        w->times[++w->count] = s->state.t;
    bool is_event = s->events.count > 0 && s->events.last == s->state.t, is_due = sensitivity_is_due(s);
    if (is_first ? !w->needs_knock : !is_event && !is_due)
        return;
    HolStepReport report = s->rates->report;
    s->rates->is_at_result = false;
    if (is_first) {
        sensitivity_add_knock(s);
    } else if (is_event && !sensitivity_pass_event(s)) {
        sensitivity_keep_state(s);
    } else if (!is_event) {
        sensitivity_take_interval(s, 0);
        sensitivity_keep_state(s);
    }
    s->rates->message.text[0] = '\0';
    s->rates->report = report;
}

/* (2). Ranges of the first steps are too small to compare by: xdot of the beginning is kept. */
void hol_sensitivity_follow(HolSimulation *s)
{
    HolSensitivity *w = s->sensitivity;
    const int nv = s->rates->nv;
    if (!w || !w->is_single)
        return;
    bool is_new = s->summary.steps == 1 || s->t_old < s->breakpoints.last || s->events.last >= s->t_old;
    double rate = hol_estimate_rate(s, s->state.v, s->state.vdot);
    if (s->summary.steps == 1) {
        memcpy(w->xdot, s->state.v, (size_t)nv * sizeof *w->xdot);
        memcpy(w->xdot + nv, s->state.vdot, (size_t)nv * sizeof *w->xdot);
    }
    if (is_new || (rate > 0 && rate < w->least))
        w->least = rate > 0 ? rate : HUGE_VAL;
    w->most = fmax(w->most, rate / w->least);
}

static double sensitivity_of_single(const HolSimulation *s)
{
    const HolSensitivity *w = s->sensitivity;
    double first = hol_estimate_rate(s, w->xdot, w->xdot + s->rates->nv);
    bool is_one_piece = s->summary.events == 0 && s->breakpoints.last == -HUGE_VAL;
    double ratio =
        fmax(w->most, is_one_piece && first > 0 ? hol_estimate_rate(s, s->state.v, s->state.vdot) / first : 0);
    return ratio * ratio;
}

void hol_sensitivity_archive(HolSimulation *s, HolArchive *archive)
{
    HolSensitivity *w = s->sensitivity;
    if (!w)
        return;
    hol_archive_doubles(archive, w->x, w->n);
    hol_archive_doubles(archive, w->d, w->n);
    hol_archive_doubles(archive, w->xdot, 2 * s->rates->nv);
    hol_archive_tally(archive, &w->steps);
    hol_archive_between(archive, &w->interval, FEWEST_STEPS, MOST_STEPS);
    hol_archive_tally(archive, &w->impulses);
    hol_archive_tally(archive, &w->singular);
    hol_archive_tally(archive, &w->intervals);
    hol_archive_tally(archive, &w->lost);
    int count = hol_archive_count(archive, &w->count, MOST_STEPS);
    hol_archive_doubles(archive, w->times, count + 1);
    HOL_ARCHIVE_EACH(archive, &w->t, &w->first, &w->log_size, &w->log_low, &w->log_most, &w->missed, &w->most_missed,
                     &w->least, &w->most);
    HOL_ARCHIVE_BOOLS(archive, &w->has_d, &w->needs_knock);
    if (w->carrier)
        hol_carrier_archive(w->carrier, archive);
}

double hol_sensitivity(const HolSimulation *s)
{
    const HolSensitivity *w = s->sensitivity;
    if (w && w->is_single)
        return sensitivity_of_single(s);
    return w && (w->has_d || w->intervals > 0) ? exp(fmin(w->log_most, HOL_LOG_LARGEST)) : NAN;
}

double hol_sensitivity_missed(const HolSimulation *s)
{
    return s->sensitivity ? s->sensitivity->most_missed : 0;
}

double hol_sensitivity_unknown(const HolSimulation *s)
{
    const HolSensitivity *w = s->sensitivity;
    return w && w->intervals > 0 ? (double)w->lost / (double)w->intervals : 0;
}
