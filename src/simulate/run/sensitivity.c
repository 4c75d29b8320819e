/* SPDX-License-Identifier: BSD-3-Clause */
#include "simulate/run/sensitivity.h"

#include "base/message.h"
#include "base/tolerances.h"
#include "simulate/run/estimate.h"

#include <math.h>
#include <string.h>

enum { FEWEST_STEPS = 16, MOST_STEPS = 400 }; /* of an interval H */

typedef struct HolSensitivity {
    int n;        /* nq + nv */
    double t, *x; /* x_k */
    double *d;    /* d_k, of size HOL_TOL_SAME; has_d: it is known */
    double *base, *moved, *stage, *slope;
    double *y;                /* x and a work */
    long steps;               /* of the run at x_k */
    double interval;          /* H in steps */
    double log_size, log_low; /* of |d_k| / |d_0|, and the smallest so far */
    double log_most;          /* of A */
    bool has_d;
} HolSensitivity;

HolStatus hol_sensitivity_create(HolSimulation *s)
{
    const HolPattern *p = s->work->pattern;
    const HolOwnStepOps *own_step = s->rates->kind->own_step;
    if (s->summary.dof < 2 || s->summary.redundant_rows > 0 || (own_step && own_step->q_before))
        return HOL_OK;
    HolSensitivity *w = hol_arena_alloc(s->arena, sizeof *w);
    HOL_TRY(hol_arena_status(s->arena));
    w->n = p->nq + p->nv;
    w->interval = 2 * FEWEST_STEPS;
    HOL_DOUBLES(s->arena, w->n, &w->x, &w->d, &w->base, &w->moved, &w->stage, &w->slope);
    HOL_DOUBLES(s->arena, w->n + 1, &w->y);
    s->sensitivity = w;
    return hol_arena_status(s->arena);
}

static void sensitivity_keep_state(HolSimulation *s)
{
    HolSensitivity *w = s->sensitivity;
    memcpy(w->x, s->state.q, (size_t)s->rates->nq * sizeof *w->x);
    memcpy(w->x + s->rates->nq, s->state.v, (size_t)s->rates->nv * sizeof *w->x);
    w->t = s->state.t;
    w->steps = s->summary.steps;
}

/* Scales d to the size of differences that are neither rounding nor finite. False: it is zero. */
static bool sensitivity_scale(HolSimulation *s, double size)
{
    HolSensitivity *w = s->sensitivity;
    for (int i = 0; i < w->n; ++i)
        w->d[i] *= HOL_TOL_SAME / size;
    return size > 0 && isfinite(size);
}

void hol_sensitivity_begin(HolSimulation *s, const double *dq, const double *dv)
{
    HolSensitivity *w = s->sensitivity;
    if (!w || w->has_d)
        return;
    memcpy(w->d, dq, (size_t)s->rates->nq * sizeof *w->d);
    memcpy(w->d + s->rates->nq, dv, (size_t)s->rates->nv * sizeof *w->d);
    w->has_d = sensitivity_scale(s, hol_estimate_size(s, w->d));
    sensitivity_keep_state(s);
}

static HolStatus sensitivity_slope(HolSimulation *s, double t, const double *x, double *xdot)
{
    const int nq = s->rates->nq;
    HOL_TRY(hol_rates_accelerate(s->rates, t, s->step, x, x + nq, s->measures.work));
    memcpy(xdot + nq, s->rates->vdot, (size_t)s->rates->nv * sizeof *xdot);
    hol_system_qdot(s->system, x, x + nq, xdot);
    return HOL_OK;
}

/* Puts x onto the constraints, if the formulation does: beside them differences grow that the run does not have. */
static HolStatus sensitivity_project(HolSimulation *s, double t, double *x)
{
    HolSensitivity *w = s->sensitivity;
    if (!s->rates->kind->project || s->rates->v)
        return HOL_OK;
    memcpy(w->y, x, (size_t)w->n * sizeof *x);
    w->y[w->n] = s->measures.work;
    HolStatus status = hol_rates_project(s->rates, t, w->y);
    s->rates->is_at_result = false;
    memcpy(x, w->y, (size_t)w->n * sizeof *x);
    return status;
}

/* x1 = F(x) over H from the time t */
static HolStatus sensitivity_carry(HolSimulation *s, double t, double H, const double *x, double *x1)
{
    static const double c[] = {0, 0.5, 0.5, 1}, b[] = {1. / 6, 1. / 3, 1. / 3, 1. / 6};
    HolSensitivity *w = s->sensitivity;
    memcpy(x1, x, (size_t)w->n * sizeof *x1);
    for (int k = 0; k < 4; ++k) {
        for (int i = 0; i < w->n; ++i)
            w->stage[i] = x[i] + (k > 0 ? c[k] * H * w->slope[i] : 0);
        HOL_TRY(sensitivity_slope(s, t + c[k] * H, w->stage, w->slope));
        for (int i = 0; i < w->n; ++i)
            x1[i] += b[k] * H * w->slope[i];
    }
    return sensitivity_project(s, t + H, x1);
}

/* z; leaves x + d in `stage`. HUGE_VAL after a failure. */
static double sensitivity_rate(HolSimulation *s, double H)
{
    HolSensitivity *w = s->sensitivity;
    if (sensitivity_slope(s, w->t, w->x, w->base) != HOL_OK)
        return HUGE_VAL;
    for (int i = 0; i < w->n; ++i)
        w->stage[i] = w->x[i] + w->d[i];
    if (sensitivity_slope(s, w->t, w->stage, w->moved) != HOL_OK)
        return HUGE_VAL;
    for (int i = 0; i < w->n; ++i)
        w->moved[i] -= w->base[i];
    return H * hol_estimate_size(s, w->moved) / HOL_TOL_SAME;
}

/* (1) from x_k to the present state */
static void sensitivity_step(HolSimulation *s, double H)
{
    HolSensitivity *w = s->sensitivity;
    if (sensitivity_carry(s, w->t, H, w->x, w->base) != HOL_OK)
        return;
    for (int i = 0; i < w->n; ++i)
        w->x[i] += w->d[i];
    if (sensitivity_carry(s, w->t, H, w->x, w->moved) != HOL_OK)
        return;
    for (int i = 0; i < w->n; ++i)
        w->d[i] = w->moved[i] - w->base[i];
    double size = hol_estimate_size(s, w->d);
    w->has_d = sensitivity_scale(s, size);
    w->log_size += w->has_d ? log(size / HOL_TOL_SAME) : 0;
    w->log_low = fmin(w->log_low, w->log_size);
    w->log_most = fmax(w->log_most, w->log_size - w->log_low);
}

void hol_sensitivity_update(HolSimulation *s)
{
    HolSensitivity *w = s->sensitivity;
    if (!w || !w->has_d || s->summary.steps - w->steps < (long)w->interval)
        return;
    double H = s->state.t - w->t;
    bool is_smooth = w->t >= s->breakpoints.last && !s->events.are_located;
    double z = is_smooth ? sensitivity_rate(s, H) : 0;
    if (is_smooth && z <= 1)
        sensitivity_step(s, H);
    if (is_smooth)
        w->interval = fmax(FEWEST_STEPS, fmin(w->interval * fmin(2, HOL_PART_GOAL / z), MOST_STEPS));
    s->rates->message.text[0] = '\0';
    sensitivity_keep_state(s);
}

void hol_sensitivity_archive(HolSimulation *s, HolArchive *archive)
{
    HolSensitivity *w = s->sensitivity;
    if (!w)
        return;
    hol_archive_doubles(archive, w->x, w->n);
    hol_archive_doubles(archive, w->d, w->n);
    hol_archive_tally(archive, &w->steps);
    hol_archive_between(archive, &w->interval, FEWEST_STEPS, MOST_STEPS);
    HOL_ARCHIVE_EACH(archive, &w->t, &w->log_size, &w->log_low, &w->log_most);
    HOL_ARCHIVE_BOOLS(archive, &w->has_d);
}

double hol_sensitivity(const HolSimulation *s)
{
    return s->sensitivity && s->sensitivity->has_d ? exp(fmin(s->sensitivity->log_most, HOL_LOG_LARGEST)) : NAN;
}
