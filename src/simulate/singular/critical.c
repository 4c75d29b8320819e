/* SPDX-License-Identifier: BSD-3-Clause */
#include "simulate/singular/critical.h"

#include "base/message.h"
#include "base/tolerances.h"
#include "linalg/block/blocks.h"
#include "simulate/singular/branches.h"

#include <math.h>
#include <string.h>

/* Displacements relative to the size of the model. (2) has an error of third order: rounding from CLOSE on. Nearer than
 * ASIDE rounding hides z. */
static const double CLOSE = 10 * HOL_TOL_SAME, ASIDE = HOL_TOL_SAME;

/* One iteration of the search, with the letters of critical.h. */
typedef struct Search {
    double t, sigma, c;
    double a, width;   /* of the turn: from the critical point, and (3) */
    bool has_many;     /* branches */
    double rest;       /* |dq|, the correction of the other components of Phi */
    double w[2], size; /* |w| */
    double unit;       /* the time in which the motion changes the size of the model */
} Search;

/* The shortest x with D x = c but for the component along y, which is returned. */
static double solve_off_y(HolDetector *w, double *c, double *x)
{
    double part = hol_branches_along_y(w, c);
    for (int i = 0; i < w->pattern->m; ++i)
        c[i] -= part * w->smallest->q[0][i] * w->smallest->size[i];
    hol_schur_solve(w->schur, NULL, c, x, w->y);
    hol_times_units(w->pattern, 1, x);
    return part;
}

/* The hyperbola w . H w = -2 c has its vertex at a distance a along the axis with eigenvalue lambda_a, and the radius
 * of curvature b^2 / a there. sum and product of the eigenvalues are those in the metric of M. */
static void search_turn(Search *s, double sum, double product)
{
    double root = sqrt(sum * sum / 4 - product), lambda_a = sum / 2 - copysign(root, s->c);
    double aa = 2 * fabs(s->c / lambda_a), bb = 2 * fabs(s->c * lambda_a / product);
    s->a = sqrt(aa);
    s->width = aa > 0 ? fmin(s->a, bb / s->a) : 0; /* (3) */
}

/* Newton's step and (2), from g, G and H of (1). HOL_SINGULAR if no two branches cross. */
static HolStatus search_solve(Search *s, double g, const double *G, const HolBranchForm *b, double rho)
{
    double tt = b->still - b->tt, tz = -b->tz, zz = -b->zz, det = tt * zz - tz * tz;
    s->w[0] = (tz * G[1] - zz * G[0]) / det;
    s->w[1] = (tz * G[0] - tt * G[1]) / det;
    s->c = g + (G[0] * s->w[0] + G[1] * s->w[1]) / 2;
    search_turn(s, (tt + zz - 2 * rho * tz) / (1 - rho * rho), det / (1 - rho * rho));
    s->size = hypot(s->w[0], s->w[1]);
    return det < 0 && isfinite(s->size) ? HOL_OK : HOL_SINGULAR;
}

/* Evaluates (1) and (2) at the present position, and the correction dq of the other components of Phi. */
static HolStatus search_evaluate(HolDetector *w, HolWorkspace *work, Search *s)
{
    const HolPattern *p = w->pattern;
    double *tau = w->branches.v[0], G[2], g;
    HolBranchForm form;
    hol_workspace_move(work, s->t, w->branches.q, tau);
    HOL_TRY(hol_workspace_need(work, HOL_WANT_PHI | HOL_WANT_JACOBIAN | HOL_WANT_MASS | HOL_WANT_NU));
    s->sigma = hol_detector_sigma_min(w, work->terms);
    s->unit = p->length / hol_motion_norm(p, tau);
    if (!isfinite(s->sigma + s->unit) || hol_max_norm(p->m, work->terms->nu) > 0 || p->nn > 0)
        return HOL_UNSUPPORTED;
    if (!hol_branches_take_z(w, work->terms))
        return HOL_SINGULAR;
    hol_jacobian_times(p, work->terms->D, w->branches.v[1], w->r);
    G[1] = hol_branches_along_y(w, w->r);
    hol_workspace_velocity_residual(work, w->r);
    G[0] = solve_off_y(w, w->r, w->x);
    hol_add_scaled(p->nv, -1, w->x, tau);
    hol_position_residual(p, work->terms->Phi, w->r);
    g = -solve_off_y(w, w->r, w->dq);
    s->rest = hol_motion_norm(p, w->dq) / p->length;
    HOL_TRY(hol_branches_form(w, work, s->t, &form));
    return search_solve(s, g, G, &form, hol_branches_cosine(w, work->terms, tau, w->branches.v[1]));
}

/* Moves to the critical point, or next to it. */
static void search_move(HolDetector *w, HolWorkspace *work, const HolDetectorSample *one, const HolDetectorSample *zero,
                        Search *s)
{
    double part = 1 - ASIDE * s->unit / s->size;
    if (s->sigma < HOL_TOL_RANK) { /* w is lost to rounding */
        s->w[0] = -CLOSE * s->unit;
        s->w[1] = 0;
        part = 1;
    }
    for (int k = 0; k < 2; ++k)
        hol_add_scaled(w->pattern->nv, part * s->w[k], w->branches.v[k], w->dq);
    hol_system_retract(work->system, w->branches.q, w->dq, w->branches.q);
    hol_add_scaled(w->pattern->nv, 1, w->dq, w->moved);
    s->t += part * s->w[0];
    hol_detector_predict(w, one, zero, s->t, w->branches.v[0], w->dq);
}

/* Ends at the critical point. HOL_NO_CONVERGENCE if there is none within reach. */
static HolStatus search_iterate(HolDetector *w, HolWorkspace *work, const HolDetectorSample *one,
                                const HolDetectorSample *zero, double reach, Search *s)
{
    enum { MOST_ITERATIONS = 12 };
    double from = s->t;
    for (int i = 0; i < MOST_ITERATIONS; ++i) {
        HOL_TRY(search_evaluate(w, work, s));
        bool is_lost = s->sigma < HOL_TOL_RANK;
        bool is_close = !is_lost && s->size <= CLOSE * s->unit;
        s->has_many = is_close && (s->has_many || hol_branches_are_many(w, work->terms, s->sigma));
        if (s->has_many || (is_close && s->rest <= CLOSE * CLOSE))
            return HOL_OK;
        if (!is_lost && !(s->size <= reach && fabs(s->t + s->w[0] - from) <= reach))
            return HOL_NO_CONVERGENCE;
        search_move(w, work, one, zero, s);
    }
    return HOL_NO_CONVERGENCE;
}

/* The time from a sample to the critical point, by its displacement and velocity, and the distance from the turn. */
static void search_distance(HolDetector *w, const HolTerms *terms, const HolDetectorSample *one, const Search *s,
                            HolCritical *found)
{
    double vv = hol_detector_mass_product(w, terms, one->v, one->v);
    double along = hol_detector_mass_product(w, terms, w->moved, one->v) / vv;
    double distance = sqrt(hol_detector_mass_product(w, terms, w->moved, w->moved) / vv);
    found->seen = one->t;
    found->t = one->t + along;
    found->distance = fmax(distance - s->a, 0);
}

static HolCritical search_judge(HolDetector *w, const HolTerms *terms, const HolDetectorSample *one, const Search *s)
{
    double rounding = hol_position_size(w->pattern, w->branches.q);
    HolCritical found = {.kind = HOL_CRITICAL_MISSED, .width = s->width, .misfit = s->c};
    search_distance(w, terms, one, s, &found);
    if (s->has_many)
        found.kind = HOL_CRITICAL_UNKNOWN;
    else if (s->a > HOL_PART_NEAR * s->unit) /* (1) does not reach that far */
        found.kind = HOL_CRITICAL_NONE;
    else if (fabs(s->c) <= HOL_TOL_MISFIT * rounding)
        found.kind = HOL_CRITICAL_REACHED;
    else if (fabs(s->c) <= HOL_TOL_TURN * rounding)
        found.kind = HOL_CRITICAL_AMBIGUOUS;
    return found;
}

/* y^T Phi at a sample. Formulations that let joints drift apart solve (1) with this instead of zero. */
static double search_residual(HolDetector *w, HolWorkspace *work, const HolDetectorSample *one)
{
    hol_workspace_move(work, one->t, one->q, one->v);
    if (hol_workspace_need(work, HOL_WANT_PHI) != HOL_OK)
        return 0;
    hol_position_residual(w->pattern, work->terms->Phi, w->r);
    return hol_branches_along_y(w, w->r);
}

/* Whether sigma is much smaller than at a sample, where the misfit cannot be computed. */
static bool search_sigma_falls(HolDetector *w, HolWorkspace *work, const HolDetectorSample *one, double sigma)
{
    hol_workspace_move(work, one->t, one->q, one->v);
    return hol_workspace_need(work, HOL_WANT_JACOBIAN) == HOL_OK &&
           sigma < HOL_PART_FALLEN * hol_detector_sigma_min(w, work->terms);
}

HolCritical hol_critical_find(HolDetector *detector, HolWorkspace *work, const HolDetectorSample *one,
                              const HolDetectorSample *zero, double t, double reach)
{
    HolPoint at = work->at;
    HolBranches *branches = &detector->branches;
    HolCritical found = {.kind = HOL_CRITICAL_UNKNOWN, .t = t};
    Search search = {.t = t};
    hol_detector_predict(detector, one, zero, t, branches->v[0], detector->dq);
    hol_system_retract(work->system, one->q, detector->dq, branches->q);
    memcpy(detector->moved, detector->dq, (size_t)detector->pattern->nv * sizeof *detector->moved);
    HolStatus status = search_iterate(detector, work, one, zero, reach, &search);
    if (status == HOL_OK) {
        found = search_judge(detector, work->terms, one, &search);
        found.residual = search_residual(detector, work, one);
    } else if (status != HOL_UNSUPPORTED || !search_sigma_falls(detector, work, one, search.sigma))
        found.kind = HOL_CRITICAL_NONE;
    hol_workspace_move(work, at.t, at.q, at.v);
    hol_workspace_need(work, HOL_WANT_ALL); /* this succeeded before */
    return found;
}
