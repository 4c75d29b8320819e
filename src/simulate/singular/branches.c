/* SPDX-License-Identifier: BSD-3-Clause */
#include "simulate/singular/branches.h"

#include "base/message.h"
#include "base/tolerances.h"
#include "linalg/block/blocks.h"

#include <math.h>
#include <string.h>

/* Below this sigma_min rounding hides z, which is then found this far along the motion. */
static const double TOO_NEAR = HOL_TOL_RANK, STEP_ASIDE = 10 * HOL_TOL_SAME;
static const double NOTHING = HOL_TOL_ITERATION; /* of b(tau, z): the branches do not cross */

double hol_branches_cosine(HolDetector *w, const HolTerms *terms, const double *a, const double *b)
{
    double squares = hol_detector_mass_product(w, terms, a, a) * hol_detector_mass_product(w, terms, b, b);
    return squares > 0 ? hol_detector_mass_product(w, terms, a, b) / sqrt(squares) : 0;
}

static void branches_name_parts(const HolDetector *w, const double *y, const double *z, HolPassage *passage)
{
    const HolPattern *p = w->pattern;
    double best = 0, most[2] = {0, 0};
    passage->group = passage->blocks[0] = passage->blocks[1] = -1;
    for (int g = 0; g < p->group_count; ++g) {
        double size = hol_max_norm(hol_part_size(p->group_start, g), y + p->group_start[g]);
        if (size > HOL_PART_AS_MUCH * best) {
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

/* Scales z to the norm of tau. */
static bool branches_equalise(HolDetector *w, const HolTerms *terms, const double *tau, double *z)
{
    double length = hol_detector_mass_product(w, terms, tau, tau), own = hol_detector_mass_product(w, terms, z, z);
    double factor = own > 0 ? sqrt(length / own) : 0;
    for (int i = 0; i < w->pattern->nv; ++i)
        z[i] *= factor;
    return factor > 0 && isfinite(factor);
}

double hol_branches_along_y(const HolDetector *detector, const double *x)
{
    double sum = 0;
    for (int i = 0; i < detector->pattern->m; ++i)
        sum += detector->smallest->q[0][i] / detector->smallest->size[i] * x[i];
    return sum;
}

static HolStatus branches_curvature(HolDetector *w, HolWorkspace *work, double t, const double *v, double *sum)
{
    hol_workspace_move(work, t, w->branches.q, v);
    HOL_TRY(hol_workspace_need(work, HOL_WANT_GAMMA));
    *sum = hol_branches_along_y(w, work->terms->gamma);
    return HOL_OK;
}

bool hol_branches_take_z(HolDetector *w, const HolTerms *terms)
{
    memcpy(w->branches.v[1], w->smallest->x[0], (size_t)w->pattern->nv * sizeof *w->branches.v[1]);
    hol_times_units(w->pattern, 1, w->branches.v[1]);
    return branches_equalise(w, terms, w->branches.v[0], w->branches.v[1]);
}

/* Both w with b(w, w) = 0 in the plane of tau and z, given y^T gamma(tau), b(tau, z) and b(z, z): (3). False if there
 * are none. */
static bool branches_solve(HolDetector *w, double tt, double tz, double zz)
{
    double *tau = w->branches.v[0], *z = w->branches.v[1], discriminant = tz * tz - tt * zz;
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

HolStatus hol_branches_form(HolDetector *w, HolWorkspace *work, double t, HolBranchForm *b)
{
    const int nv = w->pattern->nv;
    double *tau = w->branches.v[0], *z = w->branches.v[1], *both = w->x, still, of_tau, of_z, of_both;
    memset(both, 0, (size_t)nv * sizeof *both);
    HOL_TRY(branches_curvature(w, work, t, both, &still));
    HOL_TRY(branches_curvature(w, work, t, tau, &of_tau));
    HOL_TRY(branches_curvature(w, work, t, z, &of_z));
    for (int i = 0; i < nv; ++i)
        both[i] = tau[i] + z[i];
    HOL_TRY(branches_curvature(w, work, t, both, &of_both));
    *b = (HolBranchForm){still, of_tau, (of_both - of_tau - of_z + still) / 2, of_z - still};
    return HOL_OK;
}

static HolStatus branches_find_other(HolDetector *w, HolWorkspace *work, double t, bool *found)
{
    const int nv = w->pattern->nv;
    double *tau = w->branches.v[0], *z = w->branches.v[1];
    HolBranchForm b;
    HOL_TRY(hol_branches_form(w, work, t, &b));
    *found = branches_solve(w, b.tt, b.tz, b.zz);
    HOL_TRY(hol_workspace_need(work, HOL_WANT_MASS));
    *found = *found && branches_equalise(w, work->terms, tau, z);
    if (*found && hol_detector_mass_product(w, work->terms, tau, z) < 0)
        for (int i = 0; i < nv; ++i)
            z[i] = -z[i];
    *found = *found && hol_branches_cosine(w, work->terms, tau, z) < HOL_COSINE_APART;
    return HOL_OK;
}

/* The samples that a motion is predicted from. */
typedef struct Past {
    const HolDetectorSample *one, *zero;
} Past;

/* Finds q*, tau, D, y and z at time t. */
static HolStatus branches_locate(HolDetector *w, HolWorkspace *work, const Past *past, double t, double *sigma)
{
    HolBranches *branches = &w->branches;
    hol_detector_predict(w, past->one, past->zero, t, branches->v[0], w->dq);
    hol_system_retract(work->system, past->one->q, w->dq, branches->q);
    hol_workspace_move(work, t, branches->q, branches->v[0]);
    HOL_TRY(hol_workspace_need(work, HOL_WANT_JACOBIAN | HOL_WANT_MASS));
    *sigma = hol_smallest_singular(w->smallest, work->terms->D, w->left_out_count > 0 ? w->left_out : NULL);
    return isfinite(*sigma) ? HOL_OK : HOL_SINGULAR;
}

bool hol_branches_are_many(HolDetector *w, const HolTerms *terms, double sigma)
{
    static const double MANY = 100, SMALL = 0.1 * HOL_TOL_SMALL;
    double next = hol_next_singular(w->smallest, terms->D);
    return next < fmin(fmax(MANY * sigma, SMALL), HOL_SINE_SMALL);
}

static HolStatus branches_find(HolDetector *w, HolWorkspace *work, const Past *past, HolPassage *passage)
{
    double sigma;
    HOL_TRY(branches_locate(w, work, past, passage->t, &sigma));
    passage->sigma_min = sigma;
    if (sigma < TOO_NEAR)
        HOL_TRY(branches_locate(w, work, past, passage->t + STEP_ASIDE * work->time, &sigma));
    passage->has_many_branches = hol_branches_are_many(w, work->terms, sigma);
    branches_name_parts(w, w->smallest->q[0], w->smallest->x[0], passage);
    if (!hol_branches_take_z(w, work->terms) || passage->has_many_branches)
        return HOL_OK;
    return branches_find_other(w, work, passage->t, &w->branches.are_known);
}

void hol_branches_find(HolDetector *detector, HolWorkspace *work, const HolDetectorSample *one,
                       const HolDetectorSample *zero, HolPassage *passage)
{
    HolPoint at = work->at;
    passage->group = passage->blocks[0] = passage->blocks[1] = -1;
    detector->branches.are_known = false;
    detector->branches.t = passage->t;
    if (branches_find(detector, work, &(Past){one, zero}, passage) != HOL_OK)
        detector->branches.are_known = false;
    hol_workspace_move(work, at.t, at.q, at.v);
    hol_workspace_need(work, HOL_WANT_ALL); /* this succeeded before */
}

int hol_branches_group(HolDetector *detector, const HolTerms *terms)
{
    HolPassage passage;
    if (!isfinite(hol_detector_sigma_min(detector, terms)))
        return -1;
    branches_name_parts(detector, detector->smallest->q[0], detector->smallest->x[0], &passage);
    return passage.group;
}

int hol_branches_taken(HolDetector *detector, const HolTerms *terms, const double *v)
{
    if (!detector->branches.are_known)
        return -1;
    double along[2];
    for (int k = 0; k < 2; ++k)
        along[k] = fabs(hol_branches_cosine(detector, terms, detector->branches.v[k], v));
    int best = along[1] > along[0];
    return along[best] > HOL_COSINE_ALONG ? best : -1;
}
