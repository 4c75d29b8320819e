/* SPDX-License-Identifier: BSD-3-Clause */
#include "simulate/run/events.h"

#include "base/tolerances.h"

#include <math.h>

/* Steps that a search looks ahead; a search costs a few evaluations of each function of time. */
static const double STEPS_AHEAD = 100;
/* After this many breakpoints that are closer than HOL_TOL_STEP steps, as of sin(1/t), the run skips that time. */
enum { MOST_CROWDED = 100 };

/* By which a time is before or after a breakpoint, more than rounding of the functions of time. */
static double side_of(const HolSimulation *s, double t)
{
    return HOL_ROUNDINGS(8) * fabs(t) + HOL_ROUNDINGS(1000) * s->step;
}

static void breakpoints_search(HolSimulation *s, double from, double until)
{
    HolBreakpoints *b = &s->breakpoints;
    b->next = hol_system_next_breakpoint(s->system, from, until);
    b->searched = until;
    s->work->t_last = b->next == HUGE_VAL ? HUGE_VAL : b->next - side_of(s, b->next);
}

static void breakpoints_pass(HolSimulation *s, double t)
{
    HolBreakpoints *b = &s->breakpoints;
    b->crowded = t - b->last < HOL_TOL_STEP * s->step ? b->crowded + 1 : 0;
    b->last = t;
    b->searched = s->work->t_first = t + side_of(s, t);
    b->next = s->work->t_last = HUGE_VAL;
    if (b->crowded > MOST_CROWDED)
        b->searched += HOL_TOL_STEP * s->step;
    s->must_renew = true;
}

void hol_breakpoints_open(HolSimulation *s, double t)
{
    double side = side_of(s, t);
    s->breakpoints = (HolBreakpoints){.last = -HUGE_VAL, .next = HUGE_VAL, .searched = t + side};
    if (hol_system_next_breakpoint(s->system, t - side, t + side) <= t + side)
        breakpoints_pass(s, t);
    s->must_renew = false; /* the initial rates are those after it */
}

void hol_breakpoints_update(HolSimulation *s, double h)
{
    HolBreakpoints *b = &s->breakpoints;
    double t = s->state.t;
    if (t >= b->next)
        breakpoints_pass(s, b->next);
    if (b->next == HUGE_VAL && t + 2 * h > b->searched)
        breakpoints_search(s, fmax(b->searched, t), t + fmax(STEPS_AHEAD * s->step, 4 * h));
}

void hol_breakpoints_arrive(HolSimulation *s)
{
    s->next = fmin(s->next, s->step);
    if (s->integrator->forget)
        s->integrator->forget(s->integrator_self);
}
