/* SPDX-License-Identifier: BSD-3-Clause */
#include "simulate/singular/branch.h"

#include "base/message.h"
#include "base/tolerances.h"
#include "linalg/block/blocks.h"
#include "simulate/singular/critical.h"

#include <math.h>
#include <string.h>

static const double LOST = 0.1 * HOL_TOL_SMALL; /* of accelerations, near a singular configuration, */
static const double MORE = 10; /* and so much more than a step before, where it is the integrator's doing */

void hol_branch_sample(HolSimulation *s, double t)
{
    const HolStepReport *report = &s->rates->report;
    HolState state = {.t = t, .q = s->y_new, .v = (double *)hol_rates_v(s->rates, s->y_new), .vdot = s->rates->vdot};
    /* The pivot of D is not known where the formulation solves without looking at D by itself. */
    hol_detector_sample(s->detector, s->work, report->rank >= 0 ? report->pivot : -1, &state, &s->measures_new);
    s->detector->trial.is_recovered = s->detector->trial.is_after_crossing = s->is_crossing;
}

/* A and B of (1), for velocity i. */
static void prediction_coefficients(const HolDetectorSample *zero, const HolDetectorSample *one, int i, double *A,
                                    double *B)
{
    double d = one->t - zero->t;
    double e1 = (zero->v[i] - one->v[i] + d * one->vdot[i]) / (d * d), e2 = (one->vdot[i] - zero->vdot[i]) / d;
    *A = 3 * e1 - e2;
    *B = (2 * e1 - e2) / d;
}

void hol_detector_predict(const HolDetector *w, const HolDetectorSample *one, const HolDetectorSample *zero, double t,
                          double *v, double *dq)
{
    double tau = t - one->t, A = 0, B = 0;
    for (int i = 0; i < w->pattern->nv; ++i) {
        if (zero)
            prediction_coefficients(zero, one, i, &A, &B);
        dq[i] = tau * (one->v[i] + tau * (one->vdot[i] / 2 + tau * (A / 3 + tau * B / 4)));
        v[i] = one->v[i] + tau * (one->vdot[i] + tau * (A + tau * B));
    }
}

/* The relative difference of the accelerations of `two` from (2). */
static double acceleration_loss(HolDetector *w, const HolTerms *terms, const HolDetectorSample *zero,
                                const HolDetectorSample *one, const HolDetectorSample *two)
{
    double tau = two->t - one->t, rate = 2 * (1 / tau + 1 / (two->t - zero->t)), A, B;
    for (int i = 0; i < w->pattern->nv; ++i) {
        prediction_coefficients(zero, one, i, &A, &B);
        double v = one->v[i] + tau * (one->vdot[i] + tau * (A + tau * B));
        w->x[i] = one->vdot[i] + tau * (2 * A + tau * 3 * B) + rate * (two->v[i] - v);
        w->dq[i] = two->vdot[i] - w->x[i];
    }
    double size = hol_detector_mass_product(w, terms, w->x, w->x);
    return size > 0 ? sqrt(hol_detector_mass_product(w, terms, w->dq, w->dq) / size) : 0;
}

/* Whether the trial is so near to a singular configuration that rounding may spoil it, or the step to it. A motion that
 * turns there has short steps. */
static bool branch_is_near(const HolDetector *w)
{
    const HolDetectorSample *before = &w->samples[0];
    return w->sample_count >= 2 && w->trial.sine < HOL_PART_LOST_NEAR * w->max_sine &&
           !hol_detector_is_turning(w, before->t, w->trial.t - before->t);
}

/* The same, and nearer than all states before. */
static bool branch_is_nearest(const HolDetector *w)
{
    return branch_is_near(w) && w->trial.sine < w->samples[0].sine;
}

/* Whether rounding has spoilt the accelerations of the trial. Formulations with a velocity state of their own do not
 * integrate them. */
static bool has_lost_accelerations(HolSimulation *s)
{
    HolDetector *w = s->detector;
    const HolDetectorSample *samples = w->samples;
    if (s->rates->v || !branch_is_nearest(w))
        return false;
    double now = acceleration_loss(w, s->work->terms, &samples[1], &samples[0], &w->trial), before = 0;
    if (!(now > LOST))
        return false;
    if (w->sample_count > 2)
        before = acceleration_loss(w, s->work->terms, &samples[2], &samples[1], &samples[0]);
    return now > MORE * before;
}

bool hol_branch_needs_restart(const HolSimulation *s, double target, double *middle)
{
    *middle = (s->state.t + target) / 2;
    return s->branch == HOL_BRANCH_CONTINUE && s->detector->samples[0].has_lost_acceleration && !s->integrator->adapt;
}

bool hol_branch_turns(HolSimulation *s, double h)
{
    hol_detector_look_ahead(s->detector, s->work, h);
    return hol_detector_is_turning(s->detector, s->state.t, h);
}

bool hol_branch_crosses(HolSimulation *s, double t)
{
    HolDetector *w = s->detector;
    const HolDetectorSample *now = &w->samples[0];
    if (!(w->critical_sine > 0)) {
        w->critical = hol_critical_find(w, s->work, now, hol_detector_previous(w, 0), t, 2 * (t - now->t));
        w->critical_sine = now->sine;
    }
    return w->critical.kind > HOL_CRITICAL_MISSED;
}

double hol_branch_shortest_step(const HolSimulation *s)
{
    const HolCritical *turn = &s->detector->critical;
    bool is_turning = turn->kind == HOL_CRITICAL_MISSED &&
                      hol_detector_turn_distance(s->detector, s->state.t) < HOL_WIDTHS_OF_TURN * turn->width;
    return is_turning ? HOL_PART_TURN_SHORTEST * turn->width : 0;
}

double hol_branch_turn_step(HolSimulation *s, double t, const double *y)
{
    HolDetector *w = s->detector;
    HolDetectorSample now = {.t = t, .q = (double *)y, .v = (double *)hol_rates_v(s->rates, y), .vdot = s->rates->vdot};
    double reach = fmax(2 * hol_detector_turn_distance(w, t), s->step);
    HolCritical found = hol_critical_find(w, s->work, &now, NULL, t, reach);
    if (found.kind == HOL_CRITICAL_MISSED)
        w->critical = found;
    return hol_detector_turn_step(w, t);
}

/* The minimum-norm x with D x = c. */
static HolStatus branch_shortest(HolDetector *w, const HolTerms *terms, const double *c, double *x)
{
    HOL_TRY(hol_detector_factor(w, terms));
    hol_schur_solve(w->schur, NULL, c, x, w->y);
    hol_times_units(w->pattern, 1, x);
    return HOL_OK;
}

static HolStatus project_positions(HolSimulation *s, double t, double *q, const double *v)
{
    enum { MOST_PASSES = 20 };
    HolDetector *w = s->detector;
    double before = HUGE_VAL;
    for (int pass = 0; pass < MOST_PASSES; ++pass) {
        hol_workspace_move(s->work, t, q, v);
        HOL_TRY(hol_workspace_need(s->work, HOL_WANT_PHI | HOL_WANT_JACOBIAN | HOL_WANT_NU));
        double gap = hol_max_norm(w->pattern->nh, s->work->terms->Phi);
        if (gap <= HOL_ROUNDINGS(1) * w->pattern->length ||
            (gap <= HOL_TOL_STALLED * hol_position_size(w->pattern, q) && gap > before / 2))
            return HOL_OK;
        if (!(gap <= 2 * before))
            return HOL_NO_CONVERGENCE;
        before = gap;
        hol_position_residual(w->pattern, s->work->terms->Phi, s->residual);
        HOL_TRY(branch_shortest(w, s->work->terms, s->residual, w->x));
        hol_system_retract(s->system, q, w->x, q);
    }
    return HOL_NO_CONVERGENCE;
}

static HolStatus project_velocities(HolSimulation *s, double *v)
{
    enum { PASSES = 3 }; /* constraints may be nonlinear in v */
    HolDetector *w = s->detector;
    for (int pass = 0; pass < PASSES; ++pass) {
        HOL_TRY(hol_workspace_need(s->work, HOL_WANT_JACOBIAN | HOL_WANT_NU));
        hol_workspace_velocity_residual(s->work, s->residual);
        HOL_TRY(branch_shortest(w, s->work->terms, s->residual, w->x));
        hol_add_scaled(w->pattern->nv, -1, w->x, v);
        hol_workspace_new_velocity(s->work);
    }
    return HOL_OK;
}

/* Scales v to the energy balance before the crossing. Driven constraints fix the speed and forbid that. */
static HolStatus scale_to_energy(HolSimulation *s, double work, double *v)
{
    HolTerms *terms = s->work->terms;
    HOL_TRY(hol_workspace_need(s->work, HOL_WANT_ALL));
    double kinetic = s->energy_initial + work + s->detector->samples[1].drift - terms->potential;
    if (!(terms->kinetic > 0) || hol_max_norm(s->rates->m, terms->nu) > 0)
        return HOL_OK;
    double factor = sqrt(fmax(kinetic, 0) / terms->kinetic);
    if (!(fabs(factor - 1) <= HOL_PART_SCALED))
        return HOL_NO_CONVERGENCE;
    for (int i = 0; i < s->rates->nv; ++i)
        v[i] *= factor;
    hol_workspace_new_velocity(s->work);
    return hol_workspace_need(s->work, HOL_WANT_ALL);
}

static HolStatus cross_singularity(HolSimulation *s, double t)
{
    HolDetector *w = s->detector;
    HolRates *r = s->rates;
    const int W = r->size - 1;
    double tau = t - w->samples[1].t, work = s->y_old[W] + tau * s->ydot_old[W];
    double *q = s->recorded.q, *v = s->recorded.v, *y = s->y_new;
    hol_detector_predict(w, &w->samples[1], hol_detector_previous(w, 1), t, v, w->dq);
    hol_system_retract(s->system, s->y_old, w->dq, q);
    HOL_TRY(project_positions(s, t, q, v));
    HOL_TRY(project_velocities(s, v));
    HOL_TRY(scale_to_energy(s, work, v));
    r->whole_step = r->unfinished = NULL;
    hol_rates_open(r, q, v, y);
    HOL_TRY(hol_rates_project(r, t, y));
    HOL_TRY(hol_rates_accept(r, t, s->step, y, s->ydot_new));
    y[W] = s->y_old[W] + tau / 2 * (s->ydot_old[W] + s->ydot_new[W]);
    s->measures_new = hol_measure(s, y);
    return hol_check_measures(s, t, &s->measures_new, s->ydot_new);
}

/* Measures the state (q, v) as the new one, with the given work. */
static HolStatus branch_take_state(HolSimulation *s, double t, const double *q, const double *v, double work)
{
    hol_rates_open(s->rates, q, v, s->y_new);
    s->y_new[s->rates->size - 1] = work;
    HOL_TRY(hol_rates_accept(s->rates, t, s->step, s->y_new, s->ydot_new));
    s->measures_new = hol_measure(s, s->y_new);
    return hol_check_measures(s, t, &s->measures_new, s->ydot_new);
}

/* A state that has lost its accelerations is only recorded. Projections may have spoilt its velocity, too: then it is
 * replaced by (1) itself, if that keeps the energy better. */
static void branch_smooth_state(HolSimulation *s, double t)
{
    HolDetector *w = s->detector;
    const double before = w->samples[0].drift, jump = fabs(w->trial.drift - before);
    double work = s->y_new[s->rates->size - 1];
    if (!(jump > HOL_TOL_HALF * w->max_kinetic_energy))
        return;
    memcpy(s->y_middle, s->y_new, (size_t)s->rates->size * sizeof *s->y_middle);
    hol_detector_predict(w, &w->samples[0], &w->samples[1], t, s->recorded.v, w->dq);
    hol_system_retract(s->system, s->y, w->dq, s->recorded.q);
    HolStatus status = branch_take_state(s, t, s->recorded.q, s->recorded.v, work);
    if (status != HOL_OK || !(fabs(s->measures_new.drift - before) < jump))
        branch_take_state(s, t, s->y_middle, hol_rates_v(s->rates, s->y_middle), work); /* this succeeded before */
    hol_branch_sample(s, t);
}

/* Records the trial, but lets the next step begin at the state before. */
static void branch_set_aside(HolSimulation *s, double t)
{
    if (!s->integrator->adapt)
        branch_smooth_state(s, t);
    s->detector->trial.has_lost_acceleration = true;
}

/* The state that (1) predicts becomes the trial, with the work of the mean power. */
static HolStatus branch_take_prediction(HolSimulation *s, double t)
{
    HolDetector *w = s->detector;
    const int W = s->rates->size - 1;
    double tau = t - w->samples[0].t;
    s->rates->whole_step = s->rates->unfinished = NULL;
    s->is_crossing = false;
    hol_detector_predict(w, &w->samples[0], &w->samples[1], t, s->recorded.v, w->dq);
    hol_system_retract(s->system, s->y, w->dq, s->recorded.q);
    HOL_TRY(branch_take_state(s, t, s->recorded.q, s->recorded.v, s->y[W] + tau * s->ydot[W]));
    s->y_new[W] = s->y[W] + tau / 2 * (s->ydot[W] + s->ydot_new[W]);
    s->measures_new = hol_measure(s, s->y_new);
    hol_branch_sample(s, t);
    return HOL_OK;
}

bool hol_branch_leads_past(HolSimulation *s, double t)
{
    HolDetector *w = s->detector;
    bool may_restart = s->branch == HOL_BRANCH_CONTINUE && !s->integrator->adapt && !s->rates->v;
    if (!may_restart || w->is_disabled || w->sample_count < 2 || w->samples[0].has_lost_acceleration)
        return false;
    HolMessage why = s->rates->message;
    bool is_led = branch_take_prediction(s, t) == HOL_OK && branch_is_near(w);
    w->trial.has_lost_acceleration = is_led;
    s->rates->message = why;
    return is_led;
}

static bool branch_has_changed(const HolDetector *w)
{
    return w->has_passage && (w->passage.changed_branch || w->passage.energy_jump);
}

static bool branch_confirms_jump(HolSimulation *s)
{
    HolDetector *w = s->detector;
    w->passage = (HolPassage){.t = w->trial.t, .sine = w->trial.sine, .energy_jump = true, .cosine = 1};
    return hol_detector_confirms(w, s->work, w->trial.t);
}

/* Detects an energy jump that precedes the passage. */
static void detect_energy_jump(HolSimulation *s)
{
    HolDetector *w = s->detector;
    const HolDetectorSample *before = &w->samples[0], *now = &w->trial;
    bool is_near = now->sine < HOL_PART_TOUCHING * w->max_sine && now->sine < before->sine;
    if (w->has_passage || w->sample_count < 2 || !is_near || !hol_detector_energy_jumped(w, before, now) ||
        !branch_confirms_jump(s))
        return;
    w->has_passage = true;
}

/* Replaces the trial by a crossing; whether that keeps the branch. */
static bool branch_recover(HolSimulation *s, double t)
{
    HolDetector *w = s->detector;
    HolPassage passage = w->passage;
    bool is_repair = w->is_repair;
    if (w->sample_count < 2 || cross_singularity(s, t) != HOL_OK)
        return false;
    s->is_crossing = true;
    hol_branch_sample(s, t);
    if (branch_has_changed(w))
        return false;
    w->is_repair = is_repair;
    if (!w->has_passage) { /* it is a passage nonetheless */
        w->has_passage = true;
        w->passage = (HolPassage){.t = passage.t, .sine = passage.sine, .cosine = 1};
    }
    return true;
}

/* Whether rounding has spoilt more than the accelerations of the trial. A state in its place would be as near to the
 * singular configuration, so none should be used; (3) is for integrators that cannot begin again at the state before.
 */
static bool has_jumped_on_approach(const HolSimulation *s)
{
    const HolDetector *w = s->detector;
    return branch_has_changed(w) && w->passage.t == w->trial.t && branch_is_nearest(w) && !s->integrator->adapt &&
           !s->rates->v;
}

static HolStatus branch_stop(HolSimulation *s)
{
    HolDetector *w = s->detector;
    hol_detector_stop(w, s->work);
    s->stopped_at_singularity = true;
    const char *joint = w->passage.group < 0 ? "the constraints" : hol_system_group_name(s->system, w->passage.group);
    const char *what = w->passage.changed_branch ? "the motion changes its branch" : "the energy jumps";
    if (w->passage.is_initial)
        return hol_fail(&s->rates->message, HOL_SINGULAR,
                        "the initial state is next to a singular configuration of '%s', where %s, and branch: stop is "
                        "set; an initial state that satisfies all position and velocity constraints may pass it",
                        joint, what);
    return hol_fail(&s->rates->message, HOL_SINGULAR,
                    "at the singular configuration of '%s' at t = %.9g %s, and branch: stop is set; branch: continue "
                    "carries the run across on its branch, and a smaller step may pass it",
                    joint, w->passage.t, what);
}

HolStatus hol_branch_check(HolSimulation *s, double t, bool *failed)
{
    *failed = false;
    hol_branch_sample(s, t);
    if (s->branch == HOL_BRANCH_REPORT || s->detector->is_disabled)
        return HOL_OK;
    detect_energy_jump(s);
    if (s->branch == HOL_BRANCH_STOP && hol_detector_lost_initial_branch(s->detector)) {
        s->detector->passage = s->detector->initial_passage;
        return branch_stop(s);
    }
    if (branch_has_changed(s->detector) && s->branch == HOL_BRANCH_STOP && !s->detector->is_repair)
        return branch_stop(s);
    if (s->branch == HOL_BRANCH_CONTINUE && has_jumped_on_approach(s))
        branch_set_aside(s, t);
    else if (branch_has_changed(s->detector) && s->branch == HOL_BRANCH_CONTINUE)
        *failed = !branch_recover(s, t);
    else if (s->branch == HOL_BRANCH_CONTINUE && has_lost_accelerations(s))
        branch_set_aside(s, t);
    return HOL_OK;
}
