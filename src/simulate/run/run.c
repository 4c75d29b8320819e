/* SPDX-License-Identifier: BSD-3-Clause */
/* The run loop: takes steps and records states at the requested times. */
#include <holon/argument.h>

#include "base/float_mode.h"
#include "base/message.h"
#include "base/tolerances.h"
#include "mechanism/run_section.h"
#include "simulate/run/estimate.h"
#include "simulate/run/impulses.h"
#include "simulate/run/internal.h"
#include "simulate/run/times.h"

#include <math.h>
#include <string.h>
#include <time.h>

/* Times closer than this part of the interval are the same. */
static const double SAME_TIME = HOL_TOL_TIME;

/* The records of a run; what they have come to is in HolRunState. */
typedef struct Records {
    const HolRun *run;
    HolRecordTimes times;
    bool failed; /* the record function ended the run */
} Records;

static double run_now(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* A sentence that a call inside record() or progress() has left is not that of the run, unless it ends the run. */
static void forget_refusals(HolSimulation *s, HolStatus status)
{
    if (status == HOL_OK)
        s->message.text[0] = '\0';
}

static HolStatus record_call(HolSimulation *s, Records *r, HolState state, const HolMeasures *measures)
{
    s->run.last = state.t;
    state.t = hol_record_time(&r->times, state.t);
    s->is_recording = true;
    HolStatus status = r->run->record(r->run->user, &state, measures);
    s->is_recording = false;
    r->failed = status != HOL_OK;
    forget_refusals(s, status);
    return status;
}

/* The state at a time inside the step just taken, solved for its own vdot and lambda. */
static HolStatus record_between(HolSimulation *s, Records *r, double t)
{
    double theta = (t - s->t_old) / (s->state.t - s->t_old);
    if (!r->run->record)
        return HOL_OK;
    if (s->integrator->interpolate && !s->is_crossing)
        HOL_TRY(s->integrator->interpolate(s->integrator_self, s->rates, theta, s->y_new));
    else
        hol_interpolate(s->rates->size, s->state.t - s->t_old, (HolEnd){s->y_old, s->ydot_old}, (HolEnd){s->y, s->ydot},
                        theta, s->y_new);
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

/* The next requested time. */
static double record_time(const HolSimulation *s, const HolRun *run)
{
    double due = s->run.start + (double)s->run.index * run->every;
    double same = fmin(SAME_TIME * fabs(run->until), HOL_TOL_STEP * run->every);
    return fabs(due - run->until) <= same ? run->until : due; /* the last is at the very end */
}

/* Records all requested times up to now. */
static HolStatus record_due(HolSimulation *s, Records *r)
{
    const HolRun *run = r->run;
    if (run->every <= 0)
        return record_state(s, r);
    for (;; ++s->run.index) {
        double due = record_time(s, run);
        if (due > s->state.t + SAME_TIME * run->every)
            return HOL_OK;
        HolStatus status =
            fabs(due - s->state.t) <= SAME_TIME * run->every ? record_state(s, r) : record_between(s, r, due);
        HOL_TRY(status);
    }
}

/* Records the state in which the run ends, unless that has been recorded. Of a run that has failed the status and the
 * sentence stay. */
static HolStatus record_end(HolSimulation *s, Records *r, HolStatus status)
{
    if (r->failed || s->run.last == s->state.t)
        return status;
    const HolMessage message = s->message;
    HolStatus recorded = record_state(s, r);
    if (status == HOL_OK)
        return recorded;
    s->message = message;
    return status;
}

/* A run that is continued has the times of its records. */
static HolStatus run_check_resume(HolSimulation *s, const HolRun *run)
{
    if (!s->run.is_known)
        return hol_fail(&s->message, HOL_BAD_INPUT, "there is no run to resume: this simulation has not run yet");
    if (run->every != s->run.every)
        return hol_fail(&s->message, HOL_BAD_INPUT, "every = %g must be that of the run that is resumed, which is %g",
                        run->every, s->run.every);
    if (run->every > 0 && !(record_time(s, run) > s->state.t - run->every * SAME_TIME))
        return hol_fail(&s->message, HOL_BAD_INPUT,
                        "the run cannot be resumed at t = %g: its next record, at t = %g, lies before", s->state.t,
                        record_time(s, run));
    return HOL_OK;
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
    if (run->resume)
        HOL_TRY(run_check_resume(s, run));
    if (run->every > 0 && !((run->until - s->state.t) / run->every <= HOL_MOST_RECORDS))
        return hol_fail(&s->message, HOL_BAD_INPUT, "every = %g is too small for a run until %g", run->every,
                        run->until);
    if (run->every > 0 && hol_check_advance("end", run->until, run->every, NULL) != HOL_OK)
        return hol_fail(&s->message, HOL_BAD_INPUT,
                        "every = %g is lost in the rounding of the time %g: records must be further apart than %.1e s",
                        run->every, run->until, HOL_TOL_ADVANCE * fabs(run->until));
    return s->integrator->adapt ? HOL_OK : hol_check_advance("end of the run", run->until, s->step, &s->message);
}

/* Calls the progress function with the accepted state. */
static HolStatus report_progress(HolSimulation *s, const HolRun *run)
{
    HolStatus status = run->progress(run->user, s->state.t);
    if (status != HOL_OK)
        return hol_fail(&s->message, status, "the progress function stopped the run at t = %.9g: %s", s->state.t,
                        hol_status_name(status));
    forget_refusals(s, status);
    return HOL_OK;
}

static HolStatus run_steps(HolSimulation *s, Records *r)
{
    const HolRun *run = r->run;
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
    if (!run->resume) {
        s->run.start = s->run.last = s->state.t;
        s->run.every = run->every;
        s->run.index = 1;
        s->run.is_known = true;
    }
    if (!run->resume || !hol_estimate_is_scheduled(s))
        hol_estimate_schedule(s, run->until);
    Records r = {.run = run, .times = hol_record_times(s->run.start, run->every > 0 ? run->every : s->step)};
    hol_renew_state(s);
    if (!run->resume)
        HOL_TRY(record_state(s, &r));
    return record_end(s, &r, run_steps(s, &r));
}

void hol_run_count_time(HolSimulation *s)
{
    double wall = run_now(CLOCK_MONOTONIC), processor = run_now(CLOCK_THREAD_CPUTIME_ID);
    s->summary.wall_s += wall - s->run.wall;
    s->summary.processor_s += processor - s->run.processor;
    s->run.wall = wall;
    s->run.processor = processor;
}

HolStatus hol_run_check_ended(HolSimulation *s, const char *function)
{
    if (!s->run.is_under_way)
        return HOL_OK;
    return hol_fail(&s->message, HOL_BAD_INPUT,
                    "%s() cannot be called while a run is under way, by its record or progress function: it would move "
                    "the state of the run; call it when the run has returned, or on a simulation of its own",
                    function);
}

HolStatus hol_simulation_check_run(HolSimulation *simulation, const HolRun *run)
{
    if (!simulation)
        return HOL_BAD_INPUT;
    simulation->message.text[0] = '\0';
    HOL_TRY(run_check(simulation, run));
    return hol_jumps_check(simulation, run->until);
}

HolStatus hol_simulation_run(HolSimulation *simulation, const HolRun *run)
{
    if (!simulation)
        return HOL_BAD_INPUT;
    HOL_TRY(hol_run_check_ended(simulation, "hol_simulation_run"));
    HOL_TRY(hol_simulation_check_run(simulation, run));
    simulation->run.wall = run_now(CLOCK_MONOTONIC);
    simulation->run.processor = run_now(CLOCK_THREAD_CPUTIME_ID);
    simulation->run.is_under_way = true;
    unsigned mode = hol_float_mode_enter();
    HolStatus status = run_loop(simulation, run);
    hol_estimate_pause(simulation);
    hol_float_mode_leave(mode);
    simulation->run.is_under_way = false;
    hol_run_count_time(simulation);
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
    HOL_TRY(hol_run_check_ended(simulation, "hol_simulation_step"));
    unsigned mode = hol_float_mode_enter();
    HolStatus status = hol_take_watched_step(simulation, HUGE_VAL);
    hol_float_mode_leave(mode);
    if (report)
        *report = simulation->rates->report;
    return status;
}
