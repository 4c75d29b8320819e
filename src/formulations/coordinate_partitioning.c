/* SPDX-License-Identifier: BSD-3-Clause */
/* Only independent coordinates are integrated, the others follow from the constraints.
 * See docs/methods/coordinate-partitioning.md.
 *
 * Pivoted QR of D picks as many columns as D has rank: the dependent velocities v_d. Before every evaluation
 *
 *     D_d dq_d = -Phi,   q <- q (+) dq_d,  repeated                               (1)
 *     D_d dv_d = nu - D v,   v_d <- v_d + dv_d                                    (2)
 *
 * make the dependent part agree with the independent one. The integrator carries all of (q, v); what it says of the
 * dependent part only serves (1) as a start. */
#include "base/message.h"
#include "base/options.h"
#include "base/tolerances.h"
#include "formulations/formulation.h"
#include "linalg/block/blocks.h"
#include "linalg/dense/qr.h"
#include "solve/projection.h"

#include <math.h>
#include <string.h>

static const double RANK_TOLERANCE = HOL_TOL_HALF;

typedef struct Options {
    double amplification;
    double tolerance;
    int max_iterations;
} Options;

typedef struct Partitioning {
    Options options;
    const HolPattern *pattern;
    HolKkt *kkt;
    HolQr *choice, *dependent_qr;
    int dependent_count;
    int *order; /* columns of D: the dependent ones, then the independent ones */
    unsigned char *is_dependent;
    double *dense, *D_d, *c, *x, *w;
    double *size;     /* of the rows of D, which are compared by their directions */
    double *row_size; /* the same, for its end */
} Partitioning;

static HolStatus coordinate_partitioning_take_memory(const HolSetup *setup, Partitioning *s)
{
    size_t m = (size_t)s->pattern->m, nv = (size_t)s->pattern->nv;
    s->order = hol_arena_ints(setup->arena, nv);
    s->is_dependent = hol_arena_alloc(setup->arena, nv);
    HOL_DOUBLES(setup->arena, m * nv, &s->dense, &s->D_d);
    HOL_DOUBLES(setup->arena, m, &s->c, &s->size, &s->row_size);
    HOL_DOUBLES(setup->arena, nv, &s->x, &s->w);
    HOL_TRY(hol_arena_status(setup->arena));
    HOL_TRY(hol_qr_create(setup->arena, s->pattern->m, s->pattern->nv, &s->choice));
    return hol_qr_create(setup->arena, s->pattern->m, s->pattern->nv, &s->dependent_qr);
}

/* Factors D_d, the dependent columns of the present D. */
static void factor_dependent(Partitioning *s, const HolTerms *terms)
{
    const HolPattern *p = s->pattern;
    hol_jacobian_dense_scaled(p, terms->D, s->dense, s->size);
    for (int i = 0; i < p->m; ++i)
        for (int j = 0; j < s->dependent_count; ++j)
            s->D_d[i * s->dependent_count + j] = s->dense[i * p->nv + s->order[j]];
    hol_qr_factor_fixed(s->dependent_qr, p->m, s->dependent_count, s->D_d);
}

/* The best choice at this point: as many dependent columns as the rank, by pivoted QR. */
static HolStatus partitioning_choose(Partitioning *s, const HolTerms *terms, bool *changed)
{
    const HolPattern *p = s->pattern;
    hol_jacobian_dense_scaled(p, terms->D, s->dense, s->size);
    int rank = hol_qr_factor(s->choice, p->m, p->nv, s->dense, RANK_TOLERANCE);
    if (rank < 0)
        return HOL_NOT_FINITE;
    *changed = rank != s->dependent_count;
    memset(s->is_dependent, 0, (size_t)p->nv);
    for (int j = 0; j < s->dependent_count; ++j)
        s->is_dependent[s->order[j]] = 1;
    for (int j = 0; j < rank; ++j)
        *changed = *changed || !s->is_dependent[s->choice->pivot[j]];
    memcpy(s->order, s->choice->pivot, (size_t)p->nv * sizeof *s->order);
    s->dependent_count = rank;
    return HOL_OK;
}

static HolStatus partitioning_create(const HolSetup *setup, const void *options, void **self)
{
    HOL_TRY(hol_setup_check_dense(setup, "coordinate-partitioning"));
    Partitioning *s = hol_arena_alloc(setup->arena, sizeof *s);
    HOL_TRY(hol_arena_status(setup->arena));
    *self = s;
    s->options = *(const Options *)options;
    s->pattern = hol_system_pattern(setup->system);
    HOL_TRY(coordinate_partitioning_take_memory(setup, s));
    HOL_TRY(hol_kkt_create(setup, &s->kkt));
    bool changed;
    return partitioning_choose(s, setup->work->terms, &changed);
}

static HolStatus partitioning_accelerate(void *self, HolWorkspace *work, double h, double *vdot, double *lambda,
                                         HolStepReport *report)
{
    (void)h;
    Partitioning *s = self;
    return hol_kkt_solve(s->kkt, work, work->terms->Q, work->terms->gamma, vdot, lambda, report);
}

/* The largest |d v_d / d v_i|: how much faster a dependent coordinate moves than an independent one. Its errors grow by
 * as much. */
static double amplification(Partitioning *s, const HolTerms *terms)
{
    const HolPattern *p = s->pattern;
    double largest = 0;
    factor_dependent(s, terms);
    for (int k = s->dependent_count; k < p->nv; ++k) {
        for (int i = 0; i < p->m; ++i)
            s->c[i] = s->dense[i * p->nv + s->order[k]];
        hol_qr_least_squares(s->dependent_qr, s->c, s->x);
        largest = fmax(largest, hol_max_norm(s->dependent_count, s->x));
    }
    return largest;
}

/* A choice is kept as long as it does not amplify errors much. */
static HolStatus partitioning_prepare(void *self, HolWorkspace *work, HolStepReport *report)
{
    Partitioning *s = self;
    HOL_TRY(hol_workspace_need(work, HOL_WANT_MASS | HOL_WANT_JACOBIAN));
    HOL_TRY(hol_kkt_review(s->kkt, work, report));
    if (amplification(s, work->terms) <= s->options.amplification)
        return HOL_OK;
    bool changed;
    HOL_TRY(partitioning_choose(s, work->terms, &changed));
    report->repartitions += changed;
    return HOL_OK;
}

/* w: the move of all coordinates that meets D w = c with its dependent part alone. */
static void dependent_move(Partitioning *s, const HolTerms *terms)
{
    factor_dependent(s, terms);
    for (int i = 0; i < s->pattern->m; ++i)
        s->c[i] /= s->size[i];
    hol_qr_least_squares(s->dependent_qr, s->c, s->x);
    memset(s->w, 0, (size_t)s->pattern->nv * sizeof *s->w);
    for (int j = 0; j < s->dependent_count; ++j)
        s->w[s->order[j]] = s->x[j];
    hol_times_units(s->pattern, 1, s->w);
}

static HolStatus complete_positions(Partitioning *s, HolWorkspace *work, double t, double *q, double *v,
                                    HolStepReport *report)
{
    HolRowConvergence convergence = {.tolerance = s->options.tolerance, .previous = HUGE_VAL, .size = s->row_size};
    for (int i = 0; i <= s->options.max_iterations; ++i) {
        hol_workspace_move(work, t, q, v);
        HOL_TRY(hol_workspace_need(work, HOL_WANT_PHI | HOL_WANT_JACOBIAN | HOL_WANT_NU));
        if (hol_positions_converged(&convergence, work, q))
            return HOL_OK;
        if (!isfinite(convergence.previous))
            return HOL_NOT_FINITE;
        hol_position_residual(s->pattern, work->terms->Phi, s->c);
        dependent_move(s, work->terms); /* (1) */
        hol_system_retract(work->system, q, s->w, q);
        hol_count_position_iteration(report, i + 1);
    }
    return HOL_NO_CONVERGENCE;
}

static HolStatus complete_velocities(Partitioning *s, HolWorkspace *work, double *v)
{
    enum { ITERATIONS = 6 }; /* for rows nonlinear in v; one is exact for the others */
    HolRowConvergence convergence = {.tolerance = s->options.tolerance, .previous = HUGE_VAL, .size = s->row_size};
    for (int i = 0; i < (s->pattern->nn > 0 ? ITERATIONS : 1); ++i) {
        HOL_TRY(hol_workspace_need(work, HOL_WANT_JACOBIAN | HOL_WANT_NU));
        hol_workspace_velocity_residual(work, s->c);
        if (i > 0 && hol_velocities_converged(&convergence, work, s->c, v))
            return HOL_OK;
        for (int row = 0; row < s->pattern->m; ++row)
            s->c[row] = -s->c[row];
        dependent_move(s, work->terms); /* (2) */
        hol_add_scaled(s->pattern->nv, 1, s->w, v);
        hol_workspace_new_velocity(work);
    }
    return s->pattern->nn > 0 ? HOL_NO_CONVERGENCE : HOL_OK;
}

/* Whether the present D has a higher rank than the choice, which was made in a singular configuration, such as the
 * initial one: then coordinates are chosen again. */
static bool partitioning_gains_rank(Partitioning *s, const HolTerms *terms, HolStepReport *report)
{
    int before = s->dependent_count;
    bool changed;
    if (before == s->pattern->m || partitioning_choose(s, terms, &changed) != HOL_OK)
        return false;
    report->repartitions += changed;
    return s->dependent_count > before;
}

static HolStatus partitioning_complete(void *self, HolWorkspace *work, double t, double *q, double *v,
                                       HolStepReport *report)
{
    HolStatus status = complete_positions(self, work, t, q, v, report);
    if (status == HOL_NO_CONVERGENCE && partitioning_gains_rank(self, work->terms, report))
        status = complete_positions(self, work, t, q, v, report);
    HOL_TRY(status);
    return complete_velocities(self, work, v);
}

static void partitioning_archive(void *self, HolArchive *archive)
{
    Partitioning *s = self;
    const int m = s->pattern->m, nv = s->pattern->nv;
    hol_archive_int(archive, &s->dependent_count, 0, m < nv ? m : nv);
    hol_archive_order(archive, s->order, nv);
    hol_kkt_archive(s->kkt, archive);
}

static const HolOption options_table[] = {
    HOL_REAL(Options, amplification, 1, 1, HOL_LARGEST, "",
             "new independent coordinates are chosen when a dependent one moves this many times faster"),
    HOL_REAL(Options, tolerance, HOL_TOL_CONVERGED, 0, 1, "",
             "ends the position iteration: largest |Phi_i| / max_j |D_ij|, relative to the size of the model"),
    HOL_INTEGER(Options, max_iterations, 20, 1, 1000, "position iterations per evaluation before giving up"),
};

static const HolRatesOps rates_ops = {.complete = partitioning_complete};

const HolFormulationKind hol_coordinate_partitioning = {
    .name = "coordinate-partitioning",
    .title = "coordinate partitioning: the dependent part follows from the constraints",
    .page = "docs/methods/coordinate-partitioning.md",
    .wants = HOL_WANT_MASS | HOL_WANT_FORCE | HOL_WANT_JACOBIAN | HOL_WANT_GAMMA,
    HOL_OPTIONS(Options, options_table),
    .create = partitioning_create,
    .accelerate = partitioning_accelerate,
    .prepare = partitioning_prepare,
    .archive = partitioning_archive,
    .project = partitioning_complete,
    .rates = &rates_ops,
};
