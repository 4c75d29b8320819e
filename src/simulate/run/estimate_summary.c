/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/tolerances.h"
#include "simulate/run/estimate.h"
#include "simulate/run/estimate_parts.h"
#include "simulate/run/sensitivity.h"

#include <math.h>

/* max_i |a_i - b_i|, rotations at the lever arm */
double hol_estimate_distance(const HolPattern *p, const double *a, const double *b)
{
    double most = 0;
    for (int i = 0; i < p->nq; ++i)
        most = fmax(most, (p->pure && p->pure[i] ? p->arm : 1) * fabs(a[i] - b[i]));
    return most;
}

double hol_estimate_speed(const HolPattern *p, const double *v)
{
    double most = 0;
    for (int i = 0; i < p->nv; ++i)
        most = fmax(most, fabs(v[i]) / (p->unit ? p->unit[i] : 1));
    return most;
}

/* What errors of the positions and velocities are relative to, and the time in which a phase may be lost. */
typedef struct Scales {
    double range, speed;             /* of the whole motion */
    double least_range, least_speed; /* of a coordinate */
    double time;
} Scales;

/* A coordinate that moves little counts as moving by a tenth of the motion, or of the size of the model if the motion
 * leads further. */
static Scales estimate_scales(const HolSimulation *s)
{
    const HolPattern *p = s->work->pattern;
    const HolEstimate *e = s->estimate;
    Scales scales = {.range = hol_estimate_distance(p, e->high, e->low), .speed = hol_estimate_speed(p, e->fastest)};
    double part = HOL_PART_STILL * (scales.range > p->length ? p->length / scales.range : 1);
    scales.least_range = part * scales.range;
    scales.least_speed = part * scales.speed;
    scales.time = s->state.t - s->summary.start;
    return scales;
}

static double estimate_ratio(double error, double size)
{
    return error > 0 ? error / size : 0;
}

/* Error and phase error of one coordinate or velocity, that is error (V T / 2 R), in parts of its range or speed. */
typedef struct Parts {
    double error, phase;
} Parts;

static void parts_include(Parts *most, double error, double phase)
{
    most->error = fmax(most->error, error);
    most->phase = fmax(most->phase, error * fmax(1, phase));
}

/* What rounding takes from a coordinate or adds to it: up to half a unit in the last place in each step, and not more
 * than it moves. Steps of equal length are all rounded in the same direction: this matters below a hundred units. Of a
 * motion that is not far above the rounding of the position itself nothing is asked. */
static double coordinate_rounding(const HolSimulation *s, int i, double speed, double time)
{
    static const double FEW_UNITS = 100;
    const HolEstimate *e = s->estimate;
    const double size = fmax(fabs(e->low[i]), fabs(e->high[i])), unit = HOL_ROUNDINGS(1) * size;
    const double steps = (double)s->summary.steps, each = steps > 0 ? speed * time / steps : 0;
    if (speed * time < HOL_ROUNDINGS(1e4) * size)
        return 0;
    return (each < FEW_UNITS * unit ? steps : sqrt(steps)) * fmin(unit / 2, each);
}

/* The number of turns is that of the coordinate itself where velocities are its rates, else that of the motion. */
static Parts estimate_parts(const HolSimulation *s)
{
    const HolPattern *p = s->work->pattern;
    const HolEstimate *e = s->estimate;
    const Scales scales = estimate_scales(s);
    const long rest = s->summary.steps - e->steps; /* as the last ones probed */
    const bool is_flat = hol_system_is_flat(s->system);
    Parts most = {0, 0};
    for (int i = 0; i < p->nq; ++i) {
        double arm = p->pure && p->pure[i] ? p->arm : 1,
               range = fmax(scales.least_range, arm * (e->high[i] - e->low[i]));
        double speed = is_flat ? fmax(scales.least_speed, arm * e->fastest[i]) : scales.speed;
        double error =
            fmax(e->sum.q[i] + (double)rest * e->e.q[i], e->sum_wild.q[i] + (double)e->wild_steps * e->e_wild.q[i]);
        error += coordinate_rounding(s, i, speed / arm, scales.time);
        parts_include(&most, estimate_ratio(arm * error, range),
                      speed * scales.time / (2 * (is_flat ? range : scales.range)));
    }
    for (int i = 0; i < p->nv; ++i) {
        double unit = p->unit ? p->unit[i] : 1, speed = fmax(scales.least_speed, e->fastest[i] / unit);
        double range = is_flat ? fmax(scales.least_range, (e->high[i] - e->low[i]) / unit) : scales.range;
        double error =
            fmax(e->sum.v[i] + (double)rest * e->e.v[i], e->sum_wild.v[i] + (double)e->wild_steps * e->e_wild.v[i]);
        parts_include(&most, estimate_ratio(error / unit, speed), speed * scales.time / (2 * range));
    }
    return most;
}

void hol_estimate_summarise(const HolSimulation *s, HolSummary *summary)
{
    const HolEstimate *p = s->estimate;
    Parts parts = estimate_parts(s);
    const double missed = hol_sensitivity_missed(s);
    summary->motion = hol_estimate_distance(s->work->pattern, p->high, p->low);
    summary->max_speed = hol_estimate_speed(s->work->pattern, p->fastest);
    summary->checked_steps = p->count + p->extra + p->shorts;
    summary->estimated_error = summary->checked_steps > 0 ? fmax(parts.error, missed) : NAN;
    summary->phase_error = summary->checked_steps > 0 ? fmax(parts.phase, missed) : NAN;
    summary->unchecked_steps = p->failures;
    summary->unresolved_events = p->unresolved;
    summary->sensitivity = hol_sensitivity(s);
    summary->unknown_sensitivity = hol_sensitivity_unknown(s);
}
