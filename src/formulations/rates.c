/* SPDX-License-Identifier: BSD-3-Clause */
#include "formulations/rates.h"

#include "base/message.h"
#include "base/tolerances.h"
#include "linalg/block/blocks.h"

#include <math.h>
#include <string.h>

/* The size of the system, or 1 of an angle, and that per thousand steps; 1 of the numbers that a formulation has in the
 * place of v, such as momenta. */
static void rates_set_units(HolRates *r)
{
    const HolPattern *p = r->work->pattern;
    for (int i = 0; i < r->controlled; ++i)
        r->unit[i] = 1;
    for (int i = 0; i < p->nq; ++i)
        r->unit[i] = p->pure && p->pure[i] ? 1 : p->length;
    for (int i = 0; i < p->nv && !r->kind->state; ++i)
        r->unit[p->nq + i] = (p->unit ? p->unit[i] : 1) * r->work->slow;
}

HolStatus hol_rates_create(const HolSetup *setup, const HolFormulationKind *kind, const void *options, HolRates **rates)
{
    const HolPattern *p = hol_system_pattern(setup->system);
    HolRates *r = hol_arena_alloc(setup->arena, sizeof *r);
    HOL_TRY(hol_arena_status(setup->arena));
    *rates = r;
    r->system = setup->system;
    r->kind = kind;
    r->work = setup->work;
    r->nq = p->nq;
    r->nv = p->nv;
    r->m = p->m;
    r->at_rest = hol_system_is_scleronomic(setup->system);
    r->controlled = p->nq + (kind->state ? kind->state->size(p) : p->nv);
    r->size = r->controlled + 1;
    r->unit = hol_arena_doubles(setup->arena, (size_t)r->controlled);
    r->vdot = hol_arena_doubles(setup->arena, (size_t)p->nv + (size_t)p->m);
    r->zero = hol_arena_doubles(setup->arena, (size_t)p->nv);
    r->v = kind->state ? hol_arena_doubles(setup->arena, (size_t)p->nv) : NULL;
    r->u = kind->rates && kind->rates->position_rates ? hol_arena_doubles(setup->arena, (size_t)p->nv) : NULL;
    HOL_TRY(hol_arena_status(setup->arena));
    rates_set_units(r);
    r->lambda = r->vdot + p->nv; /* one vector, for hol_all_finite() */
    return kind->create(setup, options, &r->formulation);
}

void hol_rates_open(HolRates *rates, const double *q, const double *v, double *y)
{
    double *x = y + rates->nq;
    memcpy(y, q, (size_t)rates->nq * sizeof *y);
    if (rates->v)
        rates->kind->state->open(rates->formulation, rates->work, x);
    else
        memcpy(x, v, (size_t)rates->nv * sizeof *x);
    y[rates->size - 1] = 0;
}

const double *hol_rates_v(const HolRates *rates, const double *y)
{
    return rates->v ? rates->v : y + rates->nq;
}

/* The group with the largest |Phi|, for messages; NULL if Phi is not evaluated. */
static const char *rates_worst_group(const HolRates *r, double *violation)
{
    const HolPattern *p = r->work->pattern;
    const char *name = NULL;
    *violation = 0;
    for (int g = 0; (r->work->have & HOL_WANT_PHI) && g < p->group_count && p->group_start[g] < p->nh; ++g) {
        double largest = hol_max_norm(hol_part_size(p->group_start, g), r->work->terms->Phi + p->group_start[g]);
        if (!(largest <= *violation)) {
            *violation = largest;
            name = hol_system_group_name(r->system, g);
        }
    }
    return name;
}

/* The system has reported that it is not defined. */
static HolStatus rates_explain_undefined(HolRates *r, const char *doing)
{
    int group = r->work->terms->undefined_group;
    if (group < 0)
        return hol_fail(&r->message, HOL_SINGULAR,
                        "%s at t = %.9g: the equations are not defined in this configuration", doing, r->work->at.t);
    return hol_fail(&r->message, HOL_SINGULAR,
                    "%s at t = %.9g: '%s' is not defined in this configuration of its bodies", doing, r->work->at.t,
                    hol_system_group_name(r->system, group));
}

/* Writes the message of a failure while `doing`. */
static HolStatus rates_explain(HolRates *r, HolStatus status, const char *doing)
{
    const char *cause = status == HOL_NOT_FINITE ? "a number is no longer finite" : hol_status_cause(status);
    if (status == HOL_SINGULAR && r->work->is_undefined)
        return rates_explain_undefined(r, doing);
    static const double OPEN = HOL_TOL_ROUNDING; /* smaller violations are not the cause */
    const char *advice = r->kind->advice ? r->kind->advice : "take a smaller step";
    double violation;
    const char *group = rates_worst_group(r, &violation);
    if (status == HOL_NO_CONVERGENCE && group && violation > OPEN)
        return hol_fail(&r->message, status, "%s at t = %.9g: %s (largest violation %.3g in '%s'); %s", doing,
                        r->work->at.t, cause, violation, group, advice);
    if (status == HOL_NO_CONVERGENCE || status == HOL_NOT_FINITE)
        return hol_fail(&r->message, status, "%s at t = %.9g: %s; %s", doing, r->work->at.t, cause, advice);
    return hol_fail(&r->message, status, "%s at t = %.9g: %s", doing, r->work->at.t, cause);
}

/* W' = power of forces without potential + power of moving constraints; those at rest need no lambda */
static double rates_power(const HolRates *r)
{
    const HolTerms *terms = r->work->terms;
    double sum = terms->power;
    for (int i = 0; i < r->m && !r->at_rest; ++i)
        if (terms->nu[i] != 0)
            sum += r->lambda[i] * terms->nu[i];
    return sum;
}

/* vdot and lambda at the point of the workspace. */
static HolStatus rates_accelerate(HolRates *r, double h, unsigned want)
{
    HolStatus status = hol_workspace_need(r->work, want | r->kind->wants | HOL_WANT_NU);
    if (status == HOL_OK)
        status = r->kind->accelerate(r->formulation, r->work, h, r->vdot, r->lambda, &r->report);
    ++r->report.evaluations;
    if (status == HOL_OK && !hol_all_finite((size_t)(r->nv + r->m), r->vdot))
        status = HOL_NOT_FINITE;
    return status == HOL_OK ? HOL_OK : rates_explain(r, status, "solving for accelerations");
}

/* The rates of a formulation's own state need no accelerations. These are evaluated for output (want), or where moving
 * constraints do work. */
static HolStatus differentiate_own(HolRates *r, double h, unsigned want, double *xdot)
{
    if (!r->kind->state->rates) {
        HOL_TRY(rates_accelerate(r, h, want));
        memcpy(xdot, r->vdot, (size_t)r->nv * sizeof *xdot);
        return HOL_OK;
    }
    HolStatus status = r->kind->state->rates(r->formulation, r->work, xdot);
    if (status == HOL_OK)
        status = hol_workspace_need(r->work, want | HOL_WANT_FORCE | HOL_WANT_NU);
    if (status == HOL_OK && !hol_all_finite((size_t)(r->controlled - r->nq), xdot))
        status = HOL_NOT_FINITE;
    if (status != HOL_OK)
        return rates_explain(r, status, "finding the rates of the state");
    if (want || !(hol_max_norm(r->m, r->work->terms->nu) == 0))
        return rates_accelerate(r, h, want);
    ++r->report.evaluations;
    return HOL_OK;
}

/* The first nq numbers of ydot at the point of the workspace. */
static HolStatus differentiate_positions(HolRates *r, double h, const double *y, double *qdot)
{
    if (r->u) {
        HolStatus status = r->kind->rates->position_rates(r->formulation, r->work, h, r->u);
        if (status == HOL_OK && !hol_all_finite((size_t)r->nv, r->u))
            status = HOL_NOT_FINITE;
        if (status != HOL_OK)
            return rates_explain(r, status, "correcting the rates of the positions");
    }
    hol_system_qdot(r->system, y, r->u ? r->u : hol_rates_v(r, y), qdot);
    return HOL_OK;
}

/* ydot at the point of the workspace. */
static HolStatus rates_differentiate(HolRates *r, double h, unsigned want, const double *y, double *ydot)
{
    if (r->v) {
        HOL_TRY(differentiate_own(r, h, want, ydot + r->nq));
    } else {
        HOL_TRY(rates_accelerate(r, h, want));
        memcpy(ydot + r->nq, r->vdot, (size_t)r->nv * sizeof *ydot);
    }
    ydot[r->size - 1] = rates_power(r);
    return differentiate_positions(r, h, y, ydot);
}

/* Moves the workspace to (t, y) of a y that contains v. */
static void stand_at(HolRates *r, double t, const double *y)
{
    hol_workspace_move(r->work, t, y, y + r->nq);
    r->work->W = y[r->size - 1];
}

/* Moves the workspace to (t, q, v) of a y that does not contain v. */
static HolStatus find_v(HolRates *r, double t, const double *y)
{
    HolStatus status = r->kind->state->close(r->formulation, r->work, t, y, r->v, &r->report);
    return status == HOL_OK ? HOL_OK : rates_explain(r, status, "solving for velocities");
}

HolStatus hol_rates_evaluate(HolRates *rates, double t, double h, double *y, double *ydot)
{
    HolWorkspace *work = rates->work;
    rates->is_at_result = false;
    if (rates->v)
        HOL_TRY(find_v(rates, t, y));
    else
        stand_at(rates, t, y);
    if (rates->kind->rates->complete) {
        HolStatus status = rates->kind->rates->complete(rates->formulation, work, t, y, y + rates->nq, &rates->report);
        if (status != HOL_OK)
            return rates_explain(rates, status, "solving for the dependent coordinates");
    }
    work->stage_t = work->at.t;
    if (rates->watch)
        rates->watch(rates->watcher, &work->at);
    return rates_differentiate(rates, h, 0, y, ydot);
}

HolStatus hol_rates_accelerate(HolRates *rates, double t, double h, const double *q, const double *v, double W)
{
    rates->is_at_result = false;
    hol_workspace_move(rates->work, t, q, v);
    rates->work->W = W;
    return rates_accelerate(rates, h, 0);
}

HolStatus hol_rates_positions(HolRates *rates, double t, double h, const double *y, double *qdot)
{
    rates->is_at_result = false;
    stand_at(rates, t, y);
    return differentiate_positions(rates, h, y, qdot);
}

void hol_rates_integrate_work(HolRates *rates, const HolStepFrom *from, double *y_new)
{
    const int W = rates->size - 1;
    rates->unfinished = y_new;
    rates->W_per_power = from->h / 2;
    rates->W_known = from->y[W] + from->h / 2 * from->ydot[W];
    y_new[W] = from->y[W] + from->h * from->ydot[W]; /* until the end is known */
}

HolStatus hol_rates_newmark(HolRates *rates, const HolNewmark *scheme, const HolStepFrom *from, double *y_new)
{
    rates->is_at_result = false;
    rates->whole_step = NULL;
    HolStatus status = rates->kind->newmark->step(rates->formulation, rates->work, scheme, from, y_new, &rates->report);
    if (status != HOL_OK)
        return rates_explain(rates, status, "solving for the positions of the step");
    rates->whole_step = y_new;
    hol_rates_integrate_work(rates, from, y_new);
    return HOL_OK;
}

/* A whole step has just evaluated its end, at a time that may differ by rounding. A retraction would move the
 * point. */
static bool stands_there(const HolRates *r, double t, const double *y)
{
    const HolPoint *at = &r->work->at;
    double miss = fabs(at->t - hol_workspace_time(r->work, t));
    return r->whole_step == y && at->q == y && at->v == y + r->nq && miss <= HOL_ROUNDINGS(4) * fabs(t) &&
           !hol_system_has_retraction(r->system);
}

HolStatus hol_rates_own_step(HolRates *rates, const HolStepFrom *from, double *y_new)
{
    rates->is_at_result = false;
    rates->whole_step = NULL;
    HolStatus status = rates->kind->own_step->step(rates->formulation, rates->work, from, y_new, &rates->report);
    if (status != HOL_OK)
        return rates_explain(rates, status, "solving for the end of the step");
    rates->whole_step = y_new;
    if (rates->kind->own_step->leaves_work)
        hol_rates_integrate_work(rates, from, y_new);
    return HOL_OK;
}

HolStatus hol_rates_project(HolRates *rates, double t, double *y)
{
    HolWorkspace *work = rates->work;
    hol_system_retract(rates->system, y, rates->zero, y);
    if (rates->v)
        return HOL_OK; /* close() satisfies the constraints */
    if (stands_there(rates, t, y))
        work->at.t = hol_workspace_time(work, t);
    else
        stand_at(rates, t, y);
    work->W = y[rates->size - 1];
    if (rates->kind->project) {
        HolStatus status = rates->kind->project(rates->formulation, work, t, y, y + rates->nq, &rates->report);
        if (status != HOL_OK)
            return rates_explain(rates, status, "projecting onto the constraints");
    }
    rates->is_at_result = true;
    return HOL_OK;
}

HolStatus hol_rates_accept(HolRates *rates, double t, double h, double *y, double *ydot)
{
    if (rates->v)
        HOL_TRY(find_v(rates, t, y));
    else if (!rates->is_at_result)
        stand_at(rates, t, y);
    rates->is_at_result = false;
    const bool is_unfinished = rates->unfinished == y;
    rates->unfinished = rates->whole_step = NULL;
    HOL_TRY(
        rates_differentiate(rates, h, HOL_WANT_PHI | HOL_WANT_ENERGY | HOL_WANT_GAMMA | HOL_WANT_JACOBIAN, y, ydot));
    rates->kinetic = rates->work->terms->kinetic;
    if (rates->v && rates->kind->state->kinetic)
        rates->kinetic =
            rates->kind->state->kinetic(rates->formulation, rates->work, y + rates->nq, &rates->off_manifold_energy);
    if (is_unfinished)
        y[rates->size - 1] = rates->W_known + rates->W_per_power * ydot[rates->size - 1];
    return HOL_OK;
}

const double *hol_rates_q_before(const HolRates *rates, double t)
{
    const HolOwnStepOps *own_step = rates->kind->own_step;
    return own_step && own_step->q_before ? own_step->q_before(rates->formulation, t) : NULL;
}

const double *hol_rates_midpoint_multipliers(const HolRates *rates)
{
    const HolOwnStepOps *own_step = rates->kind->own_step;
    return own_step && own_step->midpoint_multipliers ? own_step->midpoint_multipliers(rates->formulation) : NULL;
}

double hol_rates_kick(HolRates *rates, const double *v, const double *dv, double *Mdv, double *y)
{
    const HolStateOps *state = rates->kind->state;
    double *x = y + rates->nq;
    hol_mass_times(rates->work->pattern, rates->work->terms->M, dv, Mdv);
    double work =
        hol_inner_product(rates->nv, Mdv, state && state->kinetic ? x : v) + hol_inner_product(rates->nv, Mdv, dv) / 2;
    if (!state || !state->rates) /* momenta do not jump: close() finds the velocities from nu after it */
        hol_add_scaled(rates->nv, 1, dv, x);
    y[rates->size - 1] += work;
    return work;
}

HolStatus hol_rates_prepare(HolRates *rates)
{
    if (!rates->kind->prepare)
        return HOL_OK;
    HolStatus status = rates->kind->prepare(rates->formulation, rates->work, &rates->report);
    return status == HOL_OK ? HOL_OK : rates_explain(rates, status, "preparing a step");
}
