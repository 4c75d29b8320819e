/* SPDX-License-Identifier: BSD-3-Clause */
/* The run loop: takes steps and records states at the requested times. */
#include <holon/argument.h>

#include "base/float_mode.h"
#include "base/message.h"
#include "base/tolerances.h"
#include "mechanism/run_section.h"
#include "simulate/run/estimate.h"
#include "simulate/run/internal.h"
#include "simulate/run/times.h"

#include <math.h>
#include <string.h>
#include <time.h>

/* Times closer than this part of the interval are the same. */
static const double SAME_TIME = HOL_TOL_TIME;

/* The records of a run. */
typedef struct Records {
    const HolRun *run;
    HolRecordTimes times;
    double start;
    long index;  /* of the next requested time, counted from the beginning of the run */
    double last; /* time of the last record */
    bool failed; /* the record function ended the run */
} Records;

static double run_now(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Cubic Hermite interpolation of y from both ends of the step. */
static void run_interpolate(const HolSimulation *s, double theta, double *y)
{
    double h = s->state.t - s->t_old, rest = 1 - theta;
    double a = rest * rest * (1 + 2 * theta), b = theta * theta * (3 - 2 * theta);
    double c = h * theta * rest * rest, d = -h * theta * theta * rest;
    for (int i = 0; i < s->rates->size; ++i)
        y[i] = a * s->y_old[i] + b * s->y[i] + c * s->ydot_old[i] + d * s->ydot[i];
}

static HolStatus record_call(HolSimulation *s, Records *r, HolState state, const HolMeasures *measures)
{
    r->last = state.t;
    state.t = hol_record_time(&r->times, state.t);
    s->is_recording = true;
    HolStatus status = r->run->record(r->run->user, &state, measures);
    s->is_recording = false;
    r->failed = status != HOL_OK;
    return status;
}

/* The state at a time inside the step just taken, solved for its own vdot and lambda. */
static HolStatus record_between(HolSimulation *s, Records *r, double t)
{
    double theta = (t - s->t_old) / (s->state.t - s->t_old);
    if (s->integrator->interpolate && !s->is_crossing)
        s->integrator->interpolate(s->integrator_self, theta, s->y_new);
    else
        run_interpolate(s, theta, s->y_new);
    HOL_TRY(hol_rates_project(s->rates, t, s->y_new));
    HOL_TRY(hol_rates_accept(s->rates, t, s->step, s->y_new, s->ydot_new));
    hol_state_fill(s->rates, t, s->y_new, &s->recorded);
    HolMeasures measures = hol_measure(s, s->y_new);
    if (r->run->singular)
        measures.sigma_min = hol_detector_sigma_min(s->detector, s->work->terms);
    return record_call(s, r, s->recorded, &measures);
}

static HolStatus record_state(HolSimulation *s, Records *r)
{
    HolMeasures measures = s->measures;
    if (!r->run->record)
        return HOL_OK;
    if (r->run->singular) { /* an interpolated record may have moved the workspace */
        hol_workspace_move(s->work, s->state.t, s->state.q, s->state.v);
        HOL_TRY(hol_workspace_need(s->work, HOL_WANT_JACOBIAN));
        measures.sigma_min = hol_detector_sigma_min(s->detector, s->work->terms);
    }
    return record_call(s, r, s->state, &measures);
}

/* Records all requested times up to now. */
static HolStatus record_due(HolSimulation *s, Records *r)
{
    const HolRun *run = r->run;
    if (!run->record)
        return HOL_OK;
    if (run->every <= 0)
        return record_state(s, r);
    for (;; ++r->index) {
        double due = r->start + (double)r->index * run->every;
        if (fabs(due - run->until) <= SAME_TIME * fabs(run->until))
            due = run->until; /* the last record is at the very end */
        if (due > s->state.t + SAME_TIME * run->every)
            return HOL_OK;
        HolStatus status =
            fabs(due - s->state.t) <= SAME_TIME * run->every ? record_state(s, r) : record_between(s, r, due);
        HOL_TRY(status);
    }
}

/* Records the state in which the run ends, unless that has been recorded. The status of a run that has failed stays. */
static HolStatus record_end(HolSimulation *s, Records *r, HolStatus status)
{
    if (r->failed || r->last == s->state.t)
        return status;
    HolStatus recorded = record_state(s, r);
    return status == HOL_OK ? recorded : status;
}

static HolStatus run_check(HolSimulation *s, const HolRun *run)
{
    HOL_TRY(hol_argument_pointer(&s->message, "hol_simulation_run", "run", run));
    if (!isfinite(run->until))
        return hol_fail(&s->message, HOL_BAD_INPUT, "until = %g must be finite", run->until);
    if (run->until < s->state.t)
        return hol_fail(&s->message, HOL_BAD_INPUT, "until = %g lies before the present time %g", run->until,
                        s->state.t);
    if (!isfinite(run->every) || run->every < 0)
        return hol_fail(&s->message, HOL_BAD_INPUT, "every = %g must be finite and not negative", run->every);
    if (run->every > 0 && !((run->until - s->state.t) / run->every <= HOL_MOST_RECORDS))
        return hol_fail(&s->message, HOL_BAD_INPUT, "every = %g is too small for a run until %g", run->every,
                        run->until);
    return HOL_OK;
}

/* Calls the progress function with the accepted state. */
static HolStatus report_progress(HolSimulation *s, const HolRun *run)
{
    HolStatus status = run->progress(run->user, s->state.t);
    if (status != HOL_OK)
        return hol_fail(&s->message, status, "the progress function stopped the run at t = %.9g: %s", s->state.t,
                        hol_status_name(status));
    return HOL_OK;
}

static HolStatus run_steps(HolSimulation *s, Records *r)
{
    const HolRun *run = r->run;
    hol_estimate_schedule(s, run->until);
    while (s->state.t < run->until) {
        HOL_TRY(hol_take_watched_step(s, run->until));
        HOL_TRY(record_due(s, r));
        if (run->progress)
            HOL_TRY(report_progress(s, run));
    }
    return HOL_OK;
}

static HolStatus run_loop(HolSimulation *s, const HolRun *run)
{
    double start = s->state.t;
    Records r = {.run = run, .start = start, .index = 1};
    r.times = hol_record_times(start, run->every > 0 ? run->every : s->step);
    hol_renew_state(s);
    HOL_TRY(record_state(s, &r));
    return record_end(s, &r, run_steps(s, &r));
}

HolStatus hol_simulation_run(HolSimulation *simulation, const HolRun *run)
{
    if (!simulation)
        return HOL_BAD_INPUT;
    simulation->message.text[0] = '\0';
    HOL_TRY(run_check(simulation, run));
    double begin = run_now(CLOCK_MONOTONIC), processor = run_now(CLOCK_THREAD_CPUTIME_ID);
    unsigned mode = hol_float_mode_enter();
    HolStatus status = run_loop(simulation, run);
    hol_estimate_pause(simulation);
    hol_float_mode_leave(mode);
    simulation->summary.wall_s += run_now(CLOCK_MONOTONIC) - begin;
    simulation->summary.processor_s += run_now(CLOCK_THREAD_CPUTIME_ID) - processor;
    simulation->summary.status = status;
    if (status != HOL_OK && !simulation->message.text[0])
        hol_fail(&simulation->message, status, "%s at t = %.9g: %s",
                 simulation->rates->message.text[0] ? "recording" : "the record function stopped the run",
                 simulation->state.t,
                 simulation->rates->message.text[0] ? simulation->rates->message.text : hol_status_name(status));
    return status;
}

HolStatus hol_simulation_step(HolSimulation *simulation, HolStepReport *report)
{
    if (!simulation)
        return HOL_BAD_INPUT;
    unsigned mode = hol_float_mode_enter();
    HolStatus status = hol_take_watched_step(simulation, HUGE_VAL);
    hol_float_mode_leave(mode);
    if (report)
        *report = simulation->rates->report;
    return status;
}
