/* SPDX-License-Identifier: BSD-3-Clause */
#include "simulate/run/scan.h"

#include "simulate/run/internal.h"

#include <math.h>

enum { MOST_POINTS = 64 }; /* that are looked at in a step */

/* The largest rate of a function in the step; 0: it is not known, or has no meaning. */
static double scan_rate(HolCrossing a, HolCrossing b, double h)
{
    double rate = fmax(fabs(a.gdot), fabs(b.gdot)), sign = a.gdot * b.gdot < 0 ? -1 : 1;
    if (!isfinite(a.g) || !isfinite(b.g) || !isfinite(rate))
        return 0;
    double change = fabs(b.l * fabs(b.gdot) - sign * a.l * fabs(a.gdot)); /* of l ldot; gdot is ldot or -ldot */
    return fmax(rate, sqrt(change / h));                                  /* (2) */
}

/* The time after which the next point is looked at. */
static double scan_next(const HolEvents *e, const HolCrossing *at, double h)
{
    double reach = HUGE_VAL;
    for (int i = 0; i < e->count; ++i) {
        double rate = scan_rate(e->start[i], e->end[i], h);
        reach = rate > 0 ? fmin(reach, fabs(at[i].g) / (2 * rate)) : reach; /* (1) */
    }
    return fmax(reach, h / MOST_POINTS);
}

static bool scan_has_changed(const HolEvents *e, const HolCrossing *at)
{
    for (int i = 0; i < e->count; ++i)
        if ((e->start[i].g < 0 && at[i].g > 0) || (e->start[i].g > 0 && at[i].g < 0))
            return true;
    return false;
}

static void scan_evaluate(HolSimulation *s, double t, double h)
{
    double *y = s->y_middle;
    hol_interpolate(s->rates->size, h, (HolEnd){s->y, s->ydot}, (HolEnd){s->y_new, s->ydot_new}, t / h, y);
    HolPoint at = {hol_workspace_time(s->work, s->state.t + t), y, hol_rates_v(s->rates, y)};
    hol_system_events(s->system, &at, s->work->terms, s->events.stage);
}

bool hol_events_have_changed(HolSimulation *s, double t, double h)
{
    scan_evaluate(s, t, h);
    return scan_has_changed(&s->events, s->events.stage);
}

double hol_events_scan(HolSimulation *s, double h)
{
    const HolEvents *e = &s->events;
    if (s->rates->v) /* the velocity is no part of y */
        return 0;
    for (double t = scan_next(e, e->start, h); t < h; t += scan_next(e, e->stage, h)) {
        scan_evaluate(s, t, h);
        if (scan_has_changed(e, e->stage))
            return t / h;
    }
    return 0;
}
