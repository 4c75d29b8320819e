/* SPDX-License-Identifier: BSD-3-Clause */
#include "simulate/ways.h"

#include "base/message.h"
#include "linalg/blocks.h"

#include <math.h>
#include <string.h>

/* Groups and blocks that take almost as much part as any other: the last of them is named. */
static const double AS_MUCH = 0.8;
/* Nearer than that to the singular configuration z is lost; so far along the motion it is found. */
static const double TOO_NEAR = 1e-9, STEP_ASIDE = 1e-5;
static const double APART = 0.95;    /* largest cosine of two ways that can be told apart, */
static const double ALONG = 0.97;    /* and least cosine of a motion that follows one */
static const double NOTHING = 1e-10; /* of b(tau, z): the ways do not cross */

static double cosine(HolWatch *w, const HolTerms *terms, const double *a, const double *b)
{
    double squares = hol_watch_product(w, terms, a, a) * hol_watch_product(w, terms, b, b);
    return squares > 0 ? hol_watch_product(w, terms, a, b) / sqrt(squares) : 0;
}

/* ---- Names ---- */

static void name_parts(const HolWatch *w, const double *y, const double *z, HolPassage *passage)
{
    const HolPattern *p = w->pattern;
    double best = 0, most[2] = {0, 0};
    passage->group = passage->blocks[0] = passage->blocks[1] = -1;
    for (int g = 0; g < p->group_count; ++g) {
        double size = hol_max_norm(hol_part_size(p->group_start, g), y + p->group_start[g]);
        if (size > AS_MUCH * best) {
            best = fmax(best, size);
            passage->group = g;
        }
    }
    for (int b = 0; b < p->block_count; ++b) {
        double size = hol_max_norm(hol_part_size(p->block_start, b), z + p->block_start[b]);
        int at = size > most[0] ? 0 : 1;
        if (!(size > most[at]))
            continue;
        if (at == 0) {
            most[1] = most[0];
            passage->blocks[1] = passage->blocks[0];
        }
        most[at] = size;
        passage->blocks[at] = b;
    }
}

/* ---- (2) ---- */

/* y^T gamma(v); y of rows divided by their size */
static HolStatus bend(HolWatch *w, HolWorkspace *work, double t, const double *v, double *sum)
{
    hol_workspace_move(work, t, w->ways.q, v);
    HOL_TRY(hol_workspace_need(work, HOL_WANT_GAMMA));
    *sum = 0;
    for (int i = 0; i < w->pattern->m; ++i)
        *sum += w->smallest->q[0][i] / w->smallest->size[i] * work->terms->gamma[i];
    return HOL_OK;
}

/* Makes z as long as tau. */
static bool make_alike(HolWatch *w, const HolTerms *terms, const double *tau, double *z)
{
    double length = hol_watch_product(w, terms, tau, tau), own = hol_watch_product(w, terms, z, z);
    double factor = own > 0 ? sqrt(length / own) : 0;
    for (int i = 0; i < w->pattern->nv; ++i)
        z[i] *= factor;
    return factor > 0 && isfinite(factor);
}

/* Both w with b(w, w) = 0 in the plane of tau and z, given y^T gamma(tau), b(tau, z) and b(z, z): (3). False if there
 * are none. */
static bool separate(HolWatch *w, double tt, double tz, double zz)
{
    double *tau = w->ways.v[0], *z = w->ways.v[1], discriminant = tz * tz - tt * zz;
    double k = tz + copysign(sqrt(fmax(discriminant, 0)), tz);
    if (!(discriminant > 0) || !(fabs(tz) > NOTHING * (fabs(tt) + fabs(zz))) || !isfinite(tt / k + zz / k))
        return false;
    for (int i = 0; i < w->pattern->nv; ++i) {
        double first = tau[i];
        tau[i] -= tt / k * z[i];
        z[i] -= zz / k * first;
    }
    return true;
}

static HolStatus find_other(HolWatch *w, HolWorkspace *work, double t, bool *found)
{
    const int nv = w->pattern->nv;
    double *tau = w->ways.v[0], *z = w->ways.v[1], *both = w->x, still, of_tau, of_z, of_both;
    memset(both, 0, (size_t)nv * sizeof *both);
    HOL_TRY(bend(w, work, t, both, &still));
    HOL_TRY(bend(w, work, t, tau, &of_tau));
    HOL_TRY(bend(w, work, t, z, &of_z));
    for (int i = 0; i < nv; ++i)
        both[i] = tau[i] + z[i];
    HOL_TRY(bend(w, work, t, both, &of_both));
    *found = separate(w, of_tau, (of_both - of_tau - of_z + still) / 2, of_z - still);
    HOL_TRY(hol_workspace_need(work, HOL_WANT_MASS));
    *found = *found && make_alike(w, work->terms, tau, z);
    if (*found && hol_watch_product(w, work->terms, tau, z) < 0)
        for (int i = 0; i < nv; ++i)
            z[i] = -z[i];
    *found = *found && cosine(w, work->terms, tau, z) < APART;
    return HOL_OK;
}

/* ---- All of it ---- */

/* What a motion is predicted from. */
typedef struct Past {
    const HolWatchSample *one, *zero;
} Past;

/* q*, tau, D, y, z. */
static HolStatus go_there(HolWatch *w, HolWorkspace *work, const Past *past, double t, double *sigma)
{
    HolWays *ways = &w->ways;
    hol_watch_predict(w, past->one, past->zero, t, ways->v[0], w->way);
    hol_system_retract(work->system, past->one->q, w->way, ways->q);
    hol_workspace_move(work, t, ways->q, ways->v[0]);
    HOL_TRY(hol_workspace_need(work, HOL_WANT_JACOBIAN | HOL_WANT_MASS));
    *sigma = hol_smallest_singular(w->smallest, work->terms->D, w->left_out_count > 0 ? w->left_out : NULL);
    return isfinite(*sigma) ? HOL_OK : HOL_SINGULAR;
}

/* More than one direction is free that is not elsewhere. */
static bool has_many(HolWatch *w, const HolTerms *terms, double sigma)
{
    static const double MANY = 100, SMALL = 1e-4, LARGE = 0.1; /* one that is as large has not become small */
    double next = hol_next_singular(w->smallest, terms->D);
    return next < fmin(fmax(MANY * sigma, SMALL), LARGE);
}

static HolStatus find(HolWatch *w, HolWorkspace *work, const Past *past, HolPassage *passage)
{
    double sigma;
    HOL_TRY(go_there(w, work, past, passage->t, &sigma));
    passage->sigma_min = sigma;
    if (sigma < TOO_NEAR)
        HOL_TRY(go_there(w, work, past, passage->t + STEP_ASIDE, &sigma));
    passage->has_many_ways = has_many(w, work->terms, sigma);
    name_parts(w, w->smallest->q[0], w->smallest->x[0], passage);
    memcpy(w->ways.v[1], w->smallest->x[0], (size_t)w->pattern->nv * sizeof *w->ways.v[1]);
    if (passage->has_many_ways || !make_alike(w, work->terms, w->ways.v[0], w->ways.v[1]))
        return HOL_OK;
    return find_other(w, work, passage->t, &w->ways.are_known);
}

void hol_ways_find(HolWatch *watch, HolWorkspace *work, const HolWatchSample *one, const HolWatchSample *zero,
                   HolPassage *passage)
{
    HolPoint at = work->at;
    passage->group = passage->blocks[0] = passage->blocks[1] = -1;
    watch->ways.are_known = false;
    watch->ways.t = passage->t;
    if (find(watch, work, &(Past){one, zero}, passage) != HOL_OK)
        watch->ways.are_known = false;
    hol_workspace_move(work, at.t, at.q, at.v);
    hol_workspace_need(work, HOL_WANT_ALL); /* it could be evaluated here before */
}

int hol_ways_group(HolWatch *watch, const HolTerms *terms)
{
    HolPassage passage;
    if (!isfinite(hol_watch_sigma(watch, terms)))
        return -1;
    name_parts(watch, watch->smallest->q[0], watch->smallest->x[0], &passage);
    return passage.group;
}

int hol_ways_taken(HolWatch *watch, const HolTerms *terms, const double *v)
{
    if (!watch->ways.are_known)
        return -1;
    double along[2];
    for (int k = 0; k < 2; ++k)
        along[k] = fabs(cosine(watch, terms, watch->ways.v[k], v));
    int best = along[1] > along[0];
    return along[best] > ALONG ? best : -1;
}
