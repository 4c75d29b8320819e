/* SPDX-License-Identifier: BSD-3-Clause */
#include "simulate/branch.h"

#include "base/message.h"
#include "linalg/blocks.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double NEAR = 0.05;        /* of the largest size: accelerations may be lost, */
static const double LOST = 1e-4;        /* if this part of them is, */
static const double MORE = 10;          /* and so much more than a step before, where it is the integrator's doing */
static const double TOUCHING = 0.2;     /* as in watch.c */
static const double MOST_SCALING = 0.1; /* of velocities by (3) */

void hol_branch_look(HolSimulation *s, double t)
{
    const HolStepReport *report = &s->rates->report;
    HolState state = {.t = t, .q = s->y_new, .v = (double *)hol_rates_v(s->rates, s->y_new), .vdot = s->rates->vdot};
    /* The pivot of D is not known where the formulation solves without looking at D by itself. */
    hol_watch_try(s->watch, s->work, report->rank >= 0 ? report->pivot : -1, &state, &s->measures_new);
    s->watch->trial.is_recovered = s->watch->trial.is_crossed = s->is_crossing;
}

/* ---- (1) ---- */

/* A and B of one number. */
static void curve(const HolWatchSample *zero, const HolWatchSample *one, int i, double *A, double *B)
{
    double d = one->t - zero->t;
    double e1 = (zero->v[i] - one->v[i] + d * one->vdot[i]) / (d * d), e2 = (one->vdot[i] - zero->vdot[i]) / d;
    *A = 3 * e1 - e2;
    *B = (2 * e1 - e2) / d;
}

void hol_watch_predict(const HolWatch *w, const HolWatchSample *one, const HolWatchSample *zero, double t, double *v,
                       double *way)
{
    double tau = t - one->t, A = 0, B = 0;
    for (int i = 0; i < w->pattern->nv; ++i) {
        if (zero)
            curve(zero, one, i, &A, &B);
        way[i] = tau * (one->v[i] + tau * (one->vdot[i] / 2 + tau * (A / 3 + tau * B / 4)));
        v[i] = one->v[i] + tau * (one->vdot[i] + tau * (A + tau * B));
    }
}

/* ---- (2) ---- */

/* By how much the accelerations of `two` differ from (2), in parts of it. */
static double loss(HolWatch *w, const HolTerms *terms, const HolWatchSample *zero, const HolWatchSample *one,
                   const HolWatchSample *two)
{
    double tau = two->t - one->t, rate = 2 * (1 / tau + 1 / (two->t - zero->t)), A, B;
    for (int i = 0; i < w->pattern->nv; ++i) {
        curve(zero, one, i, &A, &B);
        double v = one->v[i] + tau * (one->vdot[i] + tau * (A + tau * B));
        w->x[i] = one->vdot[i] + tau * (2 * A + tau * 3 * B) + rate * (two->v[i] - v);
        w->way[i] = two->vdot[i] - w->x[i];
    }
    double size = hol_watch_product(w, terms, w->x, w->x);
    return size > 0 ? sqrt(hol_watch_product(w, terms, w->way, w->way) / size) : 0;
}

/* Whether the trial is no place to go on from. Only where accelerations are what moves the state. */
static bool has_lost_accelerations(HolSimulation *s)
{
    HolWatch *w = s->watch;
    const HolWatchSample *samples = w->samples;
    if (s->rates->v || w->sample_count < 2 || !(w->trial.size < NEAR * w->largest) ||
        !(w->trial.size < samples[0].size))
        return false;
    double now = loss(w, s->work->terms, &samples[1], &samples[0], &w->trial), before = 0;
    if (!(now > LOST))
        return false;
    if (w->sample_count > 2)
        before = loss(w, s->work->terms, &samples[2], &samples[1], &samples[0]);
    return now > MORE * before;
}

bool hol_branch_needs_detour(const HolSimulation *s, double target, double *halt)
{
    *halt = (s->state.t + target) / 2;
    return s->branch == HOL_BRANCH_CONTINUE && s->watch->samples[0].is_lost && !s->integrator->adapt;
}

/* ---- (3) ---- */

/* The shortest x with D x = c. */
static HolStatus shortest(HolWatch *w, const HolTerms *terms, const double *c, double *x)
{
    HOL_TRY(hol_watch_factor(w, terms));
    hol_schur_solve(w->schur, NULL, c, x, w->y);
    return HOL_OK;
}

static HolStatus pull_positions(HolSimulation *s, double t, double *q, const double *v)
{
    enum { MOST_PASSES = 20 };
    HolWatch *w = s->watch;
    double before = HUGE_VAL;
    for (int pass = 0; pass < MOST_PASSES; ++pass) {
        hol_workspace_move(s->work, t, q, v);
        HOL_TRY(hol_workspace_need(s->work, HOL_WANT_PHI | HOL_WANT_JACOBIAN | HOL_WANT_NU));
        double gap = hol_max_norm(w->pattern->nh, s->work->terms->Phi);
        if (gap <= DBL_EPSILON ||
            (gap <= 1e4 * DBL_EPSILON * (1 + hol_max_norm(w->pattern->nq, q)) && gap > before / 2))
            return HOL_OK;
        if (!(gap <= 2 * before))
            return HOL_NO_CONVERGENCE;
        before = gap;
        for (int i = 0; i < w->pattern->m; ++i)
            s->residual[i] = i < w->pattern->nh ? -s->work->terms->Phi[i] : 0;
        HOL_TRY(shortest(w, s->work->terms, s->residual, w->x));
        hol_system_retract(s->system, q, w->x, q);
    }
    return HOL_NO_CONVERGENCE;
}

static HolStatus pull_velocities(HolSimulation *s, double *v)
{
    enum { PASSES = 3 }; /* rows may be nonlinear in v */
    HolWatch *w = s->watch;
    for (int pass = 0; pass < PASSES; ++pass) {
        HOL_TRY(hol_workspace_need(s->work, HOL_WANT_JACOBIAN | HOL_WANT_NU));
        hol_workspace_velocity_residual(s->work, s->residual);
        HOL_TRY(shortest(w, s->work->terms, s->residual, w->x));
        for (int i = 0; i < w->pattern->nv; ++i)
            v[i] -= w->x[i];
        hol_workspace_new_velocity(s->work);
    }
    return HOL_OK;
}

/* Moving rows hold at one speed only. */
static HolStatus keep_energy(HolSimulation *s, double work, double *v)
{
    HolTerms *terms = s->work->terms;
    HOL_TRY(hol_workspace_need(s->work, HOL_WANT_ALL));
    double kinetic = s->energy_initial + work + s->watch->samples[1].drift - terms->potential;
    if (!(terms->kinetic > 0) || hol_max_norm(s->rates->m, terms->nu) > 0)
        return HOL_OK;
    double factor = sqrt(fmax(kinetic, 0) / terms->kinetic);
    if (!(fabs(factor - 1) <= MOST_SCALING))
        return HOL_NO_CONVERGENCE;
    for (int i = 0; i < s->rates->nv; ++i)
        v[i] *= factor;
    hol_workspace_new_velocity(s->work);
    return hol_workspace_need(s->work, HOL_WANT_ALL);
}

static HolStatus cross(HolSimulation *s, double t)
{
    HolWatch *w = s->watch;
    HolRates *r = s->rates;
    const int W = r->size - 1;
    double tau = t - w->samples[1].t, work = s->y_old[W] + tau * s->ydot_old[W];
    double *q = s->recorded.q, *v = s->recorded.v, *y = s->y_new;
    hol_watch_predict(w, &w->samples[1], hol_watch_before(w, 1), t, v, w->way);
    hol_system_retract(s->system, s->y_old, w->way, q);
    HOL_TRY(pull_positions(s, t, q, v));
    HOL_TRY(pull_velocities(s, v));
    HOL_TRY(keep_energy(s, work, v));
    r->newmark = NULL;
    hol_rates_open(r, q, v, y);
    HOL_TRY(hol_rates_project(r, t, y));
    HOL_TRY(hol_rates_accept(r, t, s->step, y, s->ydot_new));
    y[W] = s->y_old[W] + tau / 2 * (s->ydot_old[W] + s->ydot_new[W]);
    s->measures_new = hol_measure(s, y);
    return hol_check_measures(s, t, &s->measures_new, s->ydot_new);
}

static bool is_lost(const HolWatch *w)
{
    return w->has_met && (w->met.changed_branch || w->met.energy_jump);
}

/* The energy jumps already on the way there. */
static void look_for_jump(HolWatch *w)
{
    const HolWatchSample *before = &w->samples[0], *now = &w->trial;
    bool is_near = now->size < TOUCHING * w->largest && now->size < before->size;
    if (w->has_met || w->sample_count < 2 || !is_near || !hol_watch_has_jumped(w, before, now))
        return;
    w->has_met = true;
    w->met = (HolPassage){.t = now->t, .size = now->size, .energy_jump = true, .cosine = 1};
}

/* True if that has helped. */
static bool recover(HolSimulation *s, double t)
{
    HolWatch *w = s->watch;
    HolPassage met = w->met;
    if (w->sample_count < 2 || cross(s, t) != HOL_OK)
        return false;
    s->is_crossing = true;
    hol_branch_look(s, t);
    if (is_lost(w))
        return false;
    if (!w->has_met) { /* it is a passage all the same */
        w->has_met = true;
        w->met = (HolPassage){.t = met.t, .size = met.size, .cosine = 1};
    }
    return true;
}

/* ---- All of it ---- */

static HolStatus refuse(HolSimulation *s)
{
    HolWatch *w = s->watch;
    hol_watch_refuse(w, s->work);
    s->is_refused = true;
    const char *joint = w->met.group < 0 ? "rows" : hol_system_group_name(s->system, w->met.group);
    const char *what = w->met.changed_branch ? "the motion turns into another one" : "the energy jumps";
    if (w->met.at_start)
        return hol_fail(&s->rates->message, HOL_SINGULAR,
                        "the start is next to a singular configuration of '%s', %s, and the run is to stop there; a "
                        "start that meets its rows of position and velocity may not lose its way",
                        joint, what);
    return hol_fail(&s->rates->message, HOL_SINGULAR,
                    "at t = %.9g, a singular configuration of '%s', %s, and the run is to stop there; with branch: "
                    "continue it would be led across, and a smaller step may pass it unharmed",
                    w->met.t, joint, what);
}

HolStatus hol_branch_keep(HolSimulation *s, double t, bool *gave_up)
{
    *gave_up = false;
    hol_branch_look(s, t);
    if (s->branch == HOL_BRANCH_REPORT || s->watch->is_idle)
        return HOL_OK;
    look_for_jump(s->watch);
    if (s->branch == HOL_BRANCH_STOP && hol_watch_has_lost_start(s->watch)) {
        s->watch->met = s->watch->start_met;
        return refuse(s);
    }
    if (is_lost(s->watch) && s->branch == HOL_BRANCH_STOP)
        return refuse(s);
    if (is_lost(s->watch))
        *gave_up = !recover(s, t);
    else if (s->branch == HOL_BRANCH_CONTINUE)
        s->watch->trial.is_lost = has_lost_accelerations(s);
    return HOL_OK;
}
