/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/message.h"
#include "base/tolerances.h"
#include "linalg/block/blocks.h"
#include "simulate/run/events.h"
#include "simulate/run/impulses.h"
#include "simulate/run/internal.h"
#include "simulate/run/resolution.h"

#include <math.h>
#include <string.h>

/* Steps that a search looks ahead; a search costs a few evaluations of each function of time. */
static const double STEPS_AHEAD = 100, FEW_STEPS = 3;
/* Steps at least through a curved function between two breakpoints: the trapezoidal rule is right to 1 % there. */
static const double STEPS_OF_PULSE = 8;
/* After this many breakpoints that are closer than 2 HOL_TOL_STEP steps, as of sin(1/t), half of that time is skipped
 * after each. */
enum { MOST_CROWDED = 100 };

double hol_breakpoint_side(const HolSimulation *s, double t)
{
    return HOL_ROUNDINGS(8) * fabs(t) + HOL_ROUNDINGS(1000) * s->step;
}

/* The next few steps come first: a table with many points has a breakpoint there. */
static void breakpoints_search(HolSimulation *s, double from, double until)
{
    HolBreakpoints *b = &s->breakpoints;
    double near = fmin(from + FEW_STEPS * s->step, until);
    b->next = hol_system_next_breakpoint(s->system, from, near);
    if (b->next == HUGE_VAL)
        b->next = hol_system_next_breakpoint(s->system, near, until);
    b->searched = until;
    s->work->t_last = b->next == HUGE_VAL ? HUGE_VAL : b->next - hol_breakpoint_side(s, b->next);
}

static void breakpoints_pass(HolSimulation *s, double t)
{
    HolBreakpoints *b = &s->breakpoints;
    b->crowded = t - b->last < 2 * HOL_TOL_STEP * s->step ? b->crowded + 1 : 0; /* also after a part that was skipped */
    b->last = t;
    b->pulse = b->longest = HUGE_VAL;
    b->searched = s->work->t_first = t + hol_breakpoint_side(s, t);
    b->next = s->work->t_last = HUGE_VAL;
    if (b->crowded > MOST_CROWDED)
        b->searched += HOL_TOL_STEP * s->step;
    s->must_renew = true;
}

HolStatus hol_breakpoints_open(HolSimulation *s, double t)
{
    double side = hol_breakpoint_side(s, t);
    s->breakpoints = (HolBreakpoints){.last = -HUGE_VAL,
                                      .next = HUGE_VAL,
                                      .pulse = HUGE_VAL,
                                      .longest = HUGE_VAL,
                                      .searched = t + side,
                                      .looked = t + side};
    if (!hol_system_is_scleronomic(s->system))
        HOL_DOUBLES(s->arena, s->work->pattern->m, &s->breakpoints.Phi, &s->breakpoints.nu);
    if (hol_system_next_breakpoint(s->system, t - side, t + side) <= t + side)
        breakpoints_pass(s, t);
    s->must_renew = false; /* the initial rates are those after it */
    return hol_arena_status(s->arena);
}

/* The group of the largest entry of x. */
static const char *name_of_largest(const HolSimulation *s, int count, const double *x)
{
    const HolPattern *p = s->work->pattern;
    int group = 0, row = 0;
    for (int i = 0; i < count; ++i)
        row = fabs(x[i]) > fabs(x[row]) ? i : row;
    while (p->group_start[group + 1] <= row)
        ++group;
    return hol_system_group_name(s->system, group);
}

/* The system may know the size of the jump and its unit. */
static HolStatus breakpoints_refuse(HolSimulation *s, int count, const double *jump, bool of_velocity)
{
    const char *what = of_velocity ? "velocity" : "position", *name = name_of_largest(s, count, jump);
    double t = s->breakpoints.next, side = 2 * hol_breakpoint_side(s, t);
    HolJump known = {.name = ""};
    if (!hol_system_next_jump(s->system, t - side, t + side, &known) || strcmp(known.name, name) != 0)
        return hol_fail(&s->message, HOL_BAD_INPUT,
                        "'%s': the prescribed %s jumps at t = %.9g s, which takes an infinite force; use a ramp or a "
                        "cubic table",
                        name, what, t);
    return hol_jump_refuse(s, &known);
}

/* Phi and nu on the present side, at the state. */
static HolStatus breakpoints_evaluate(HolSimulation *s)
{
    hol_workspace_move(s->work, s->state.t, s->state.q, s->state.v);
    return hol_workspace_need(s->work, HOL_WANT_PHI | HOL_WANT_NU | HOL_WANT_JACOBIAN);
}

/* The velocities of groups that have impulses may jump. */
static void breakpoints_allow_impulses(const HolSimulation *s, double *jump)
{
    const HolPattern *p = s->work->pattern;
    for (int g = 0; g < p->group_count && s->impulses; ++g)
        for (int i = p->group_start[g]; i < p->group_start[g + 1] && hol_system_group_is_impulsive(s->system, g); ++i)
            jump[i] = 0;
}

/* HOL_BAD_INPUT if Phi or nu differ from those before by more than anybody types. The workspace is after it. */
static HolStatus breakpoints_compare(HolSimulation *s)
{
    HolBreakpoints *b = &s->breakpoints;
    const HolTerms *terms = s->work->terms;
    const HolPattern *p = s->work->pattern;
    double *jump = s->residual;
    HOL_TRY(breakpoints_evaluate(s));
    for (int i = 0; i < p->nh; ++i)
        b->Phi[i] -= terms->Phi[i];
    for (int i = 0; i < p->m; ++i)
        jump[i] = b->nu[i] - terms->nu[i];
    breakpoints_allow_impulses(s, jump);
    if (hol_max_displacement(p, p->nh, terms->D, b->Phi) > HOL_TOL_SAME * hol_position_size(p, s->state.q))
        return breakpoints_refuse(s, p->nh, b->Phi, false);
    if (hol_max_displacement(p, p->m, terms->D, jump) > HOL_TOL_SAME * hol_velocity_unit(s->work, s->state.v))
        return breakpoints_refuse(s, p->m, jump, true);
    return HOL_OK;
}

/* Rows that move must not jump at the next breakpoint, where the state is, unless they have impulses. */
static HolStatus breakpoints_check(HolSimulation *s, bool *has_impulse)
{
    HolBreakpoints *b = &s->breakpoints;
    double first = s->work->t_first, last = s->work->t_last;
    const HolPattern *p = s->work->pattern;
    *has_impulse = false;
    if (!b->nu)
        return HOL_OK;
    HOL_TRY(breakpoints_evaluate(s));
    memcpy(b->Phi, s->work->terms->Phi, (size_t)p->nh * sizeof *b->Phi);
    memcpy(b->nu, s->work->terms->nu, (size_t)p->m * sizeof *b->nu);
    s->work->t_first = b->next + hol_breakpoint_side(s, b->next);
    s->work->t_last = HUGE_VAL;
    HolStatus status = breakpoints_compare(s);
    *has_impulse = status == HOL_OK && hol_impulses_find(s);
    s->work->t_first = first;
    s->work->t_last = last;
    return status;
}

/* Passes the breakpoint where the state is. Where an impulse fails, it remains ahead. */
static HolStatus breakpoints_arrive(HolSimulation *s)
{
    const HolBreakpoints before = s->breakpoints;
    const double first = s->work->t_first, last = s->work->t_last;
    const bool must_renew = s->must_renew;
    bool has_impulse;
    HOL_TRY(breakpoints_check(s, &has_impulse));
    breakpoints_pass(s, s->breakpoints.next);
    HolStatus status = has_impulse ? hol_impulses_apply(s) : HOL_OK;
    if (status != HOL_OK) {
        s->breakpoints = before;
        s->work->t_first = first;
        s->work->t_last = last;
        s->must_renew = must_renew;
    }
    return status;
}

/* Whether the forces between the breakpoint just passed and the next one change other than linearly in time, at the
 * present state: a step would not see a half sine that begins and ends there. */
static bool breakpoints_enclose_pulse(HolSimulation *s)
{
    static const double parts[] = {0, 1, 0.3, 0.7};
    double *Q[] = {s->y_new, s->ydot_new}, change = 0, bend = 0, length = s->breakpoints.next - s->state.t;
    const int nv = s->rates->nv;
    for (int k = 0; k < 4; ++k) {
        hol_workspace_move(s->work, s->state.t + parts[k] * length, s->state.q, s->state.v);
        if (hol_workspace_need(s->work, HOL_WANT_FORCE) != HOL_OK)
            return true;
        const double *now = s->work->terms->Q;
        if (k < 2)
            memcpy(Q[k], now, (size_t)nv * sizeof *now);
        for (int i = 0; i < nv; ++i) {
            change = fmax(change, fabs(now[i] - Q[0][i]));
            bend = fmax(bend, k < 2 ? 0 : fabs(now[i] - Q[0][i] - parts[k] * (Q[1][i] - Q[0][i])));
        }
    }
    return bend > 10 * HOL_TOL_SMALL * change;
}

HolStatus hol_breakpoints_update(HolSimulation *s, double h)
{
    HolBreakpoints *b = &s->breakpoints;
    double t = s->state.t;
    if (t >= b->next)
        HOL_TRY(breakpoints_arrive(s));
    if (b->next == HUGE_VAL && t + 2 * h > b->searched)
        breakpoints_search(s, fmax(b->searched, t), t + fmax(STEPS_AHEAD * s->step, 4 * h));
    if (t == b->last && b->next - t < STEPS_OF_PULSE * h && breakpoints_enclose_pulse(s))
        b->pulse = fmax((b->next - t) / STEPS_OF_PULSE, HOL_TOL_ADVANCE * fabs(t));
    double longest = fmin(b->pulse, hol_resolution_step(s, h));
    s->must_renew = s->must_renew || longest != b->longest; /* filtered accelerations belong to one size of steps */
    b->longest = longest;
    return HOL_OK;
}
