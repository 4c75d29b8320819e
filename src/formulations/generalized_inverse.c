/* SPDX-License-Identifier: BSD-3-Clause */
/* The Moore-Penrose inverse of the equations of motion, with stabilisation. See docs/methods/generalized-inverse.md.
 *
 *     [vdot; lambda] = [M -D^T; D 0]^+ [Q; c],   c = gamma - 2 xi omega (D v - nu) - omega^2 Phi      (1)
 *
 * Where the rows and M leave no direction free, the inverse falls apart into steps that never add a force to a length:
 *
 *     D ~ B Q1^T,   B = D Q1,   Q1 the r directions that the rows hold, Q2 the others                 (2)
 *     x = Q1 y,   y minimises |B y - c|                                                               (3)
 *     vdot = x + Q2 z,   (Q2^T M Q2) z = Q2^T (Q - M x)                                               (4)
 *     lambda = the shortest solution of B^T lambda = Q1^T (M vdot - Q)                                (5) */
#include "base/message.h"
#include "base/options.h"
#include "formulations/admissible.h"
#include "formulations/stabilization.h"
#include "linalg/blocks.h"
#include "linalg/dense_qr.h"

#include <math.h>
#include <string.h>

/* A direction that the rows did not hold at the accepted state before counts only if its pivot exceeds what the present
 * violation makes of redundant rows; at accepted states this asks for no more than MOST. */
static const double PIVOT_PER_VIOLATION = 10, MOST = 1e-3, ROUNDING = 1e-13;

typedef struct Options {
    double omega, xi, rank_tolerance;
} Options;

typedef struct GeneralizedInverse {
    const HolPattern *pattern;
    HolGains gains;
    double rank_tolerance;
    int rank, found;           /* at the latest accepted state; pivots at hand */
    HolQr *qr, *basis, *rows;  /* of D^T with rows scaled; of Q1; of B */
    HolAdmissible *admissible; /* whose Z is Q2 */
    long stamp;
    double *D, *A, *B; /* D with rows scaled; nv x r: Q1 before it is made orthonormal; m x r */
    double *size, *c, *mu, *x;
} GeneralizedInverse;

/* The number of pivots above the tolerance, of which more are asked beyond those of the accepted state. */
static int count_pivots(const GeneralizedInverse *s, double extra)
{
    double largest = s->found > 0 ? hol_qr_pivot(s->qr, 0) : 0;
    int rank = 0;
    while (rank < s->found &&
           hol_qr_pivot(s->qr, rank) > largest * (rank < s->rank ? s->rank_tolerance : fmax(s->rank_tolerance, extra)))
        ++rank;
    return rank;
}

/* max |Phi_i| / max_j |D_ij| */
static double violation(const GeneralizedInverse *s, const HolTerms *terms)
{
    double largest = 0;
    for (int i = 0; i < s->pattern->nh; ++i)
        largest = fmax(largest, fabs(terms->Phi[i]) / s->size[i]);
    return largest;
}

/* x <- column k of Q */
static void take_direction(const HolQr *qr, int k, double *x)
{
    memset(x, 0, (size_t)qr->rows * sizeof *x);
    x[k] = 1;
    hol_qr_apply_q(qr, x);
}

/* Q1 of the factorisation at hand depends on which of the redundant rows were taken first. One step of orthogonal
 * iteration, Q1 <- D^T (D^T)^+ Q1, makes it that of the nearest matrix of rank r, which depends on D smoothly. */
static void smooth_basis(GeneralizedInverse *s, const HolTerms *terms)
{
    const HolPattern *p = s->pattern;
    int r = s->qr->rank;
    for (int k = 0; k < r; ++k) {
        take_direction(s->qr, k, s->x);
        hol_qr_min_norm(s->qr, s->x, s->mu);
        for (int i = 0; i < p->m; ++i)
            s->mu[i] /= s->size[i];
        memset(s->x, 0, (size_t)p->nv * sizeof *s->x);
        hol_jacobian_add_transposed(p, terms->D, s->mu, s->x);
        for (int j = 0; j < p->nv; ++j)
            s->A[j * r + k] = s->x[j];
    }
    hol_qr_factor_fixed(s->basis, p->nv, r, s->A);
}

/* (2): B, of rows as they are */
static void factor_rows(GeneralizedInverse *s, const HolTerms *terms)
{
    const HolPattern *p = s->pattern;
    int r = s->basis->rank;
    for (int k = 0; k < r; ++k) {
        take_direction(s->basis, k, s->x);
        hol_jacobian_times(p, terms->D, s->x, s->mu);
        for (int i = 0; i < p->m; ++i)
            s->B[i * r + k] = s->mu[i];
    }
    hol_qr_factor_fixed(s->rows, p->m, r, s->B);
}

static HolStatus factor_pivots(GeneralizedInverse *s, const HolTerms *terms)
{
    const HolPattern *p = s->pattern;
    s->stamp = -1;
    hol_jacobian_dense_scaled(p, terms->D, s->D, s->size);
    s->found = hol_qr_factor_transposed(s->qr, p->m, p->nv, s->D, ROUNDING);
    return s->found < 0 ? HOL_NOT_FINITE : HOL_OK;
}

static bool has_redundant_rows(const GeneralizedInverse *s)
{
    return s->qr->rank < s->pattern->m;
}

static HolStatus factor(GeneralizedInverse *s, HolWorkspace *work)
{
    if (s->stamp == work->stamp)
        return HOL_OK;
    HOL_TRY(factor_pivots(s, work->terms));
    hol_qr_limit_rank(s->qr, count_pivots(s, PIVOT_PER_VIOLATION * violation(s, work->terms)));
    if (has_redundant_rows(s)) {
        smooth_basis(s, work->terms);
        factor_rows(s, work->terms);
    }
    hol_qr_null_space(has_redundant_rows(s) ? s->basis : s->qr, s->admissible->Z);
    HOL_TRY(hol_admissible_factor(s->admissible, work->terms, s->pattern->nv - s->qr->rank));
    s->stamp = work->stamp;
    return HOL_OK;
}

/* (3) */
static void solve_rows(GeneralizedInverse *s, double *x)
{
    const HolPattern *p = s->pattern;
    if (has_redundant_rows(s)) {
        memset(x, 0, (size_t)p->nv * sizeof *x);
        hol_qr_least_squares(s->rows, s->c, x);
        hol_qr_apply_q(s->basis, x);
        return;
    }
    for (int i = 0; i < p->m; ++i)
        s->mu[i] = s->c[i] / s->size[i];
    hol_qr_solve_transposed(s->qr, s->mu, x);
}

/* (5) */
static void solve_multipliers(GeneralizedInverse *s, double *lambda)
{
    double *force = s->admissible->force;
    if (has_redundant_rows(s)) {
        hol_qr_apply_qt(s->basis, force);
        hol_qr_solve_transposed(s->rows, force, lambda);
        return;
    }
    hol_qr_least_squares(s->qr, force, lambda);
    for (int i = 0; i < s->pattern->m; ++i)
        lambda[i] /= s->size[i];
}

static HolStatus accelerate(void *self, HolWorkspace *work, double h, double *vdot, double *lambda,
                            HolStepReport *report)
{
    (void)h;
    GeneralizedInverse *s = self;
    hol_stabilized_gamma(work, s->gains, s->c);
    HOL_TRY(factor(s, work));
    solve_rows(s, vdot);
    hol_admissible_move(s->admissible, work->terms, vdot); /* (4) */
    hol_admissible_force(s->admissible, work->terms, vdot);
    solve_multipliers(s, lambda);
    report->rank = s->qr->rank;
    report->pivot = hol_qr_quality(s->qr) * hol_qr_quality(s->qr);
    return HOL_OK;
}

/* Counts the directions that the rows hold at an accepted state. */
static HolStatus prepare(void *self, HolWorkspace *work, HolStepReport *report)
{
    (void)report;
    GeneralizedInverse *s = self;
    HOL_TRY(hol_workspace_need(work, HOL_WANT_PHI | HOL_WANT_JACOBIAN));
    if (s->stamp != work->stamp)
        HOL_TRY(factor_pivots(s, work->terms));
    s->rank = count_pivots(s, fmin(MOST, PIVOT_PER_VIOLATION * violation(s, work->terms)));
    if (s->rank != s->qr->rank)
        s->stamp = -1;
    return HOL_OK;
}

static HolStatus take_memory(const HolSetup *setup, GeneralizedInverse *s)
{
    size_t m = (size_t)s->pattern->m, nv = (size_t)s->pattern->nv, most = m < nv ? m : nv;
    s->D = hol_arena_doubles(setup->arena, m * nv);
    s->A = hol_arena_doubles(setup->arena, nv * most);
    s->B = hol_arena_doubles(setup->arena, m * most);
    s->size = hol_arena_doubles(setup->arena, m);
    s->c = hol_arena_doubles(setup->arena, m);
    s->mu = hol_arena_doubles(setup->arena, m);
    s->x = hol_arena_doubles(setup->arena, nv);
    if (hol_arena_failed(setup->arena))
        return HOL_NO_MEMORY;
    HOL_TRY(hol_qr_create(setup->arena, (int)nv, (int)m, &s->qr));
    HOL_TRY(hol_qr_create(setup->arena, (int)nv, (int)most, &s->basis));
    HOL_TRY(hol_qr_create(setup->arena, (int)m, (int)most, &s->rows));
    return hol_admissible_create(setup, &s->admissible);
}

static HolStatus create(const HolSetup *setup, const void *options, void **self)
{
    const Options *o = options;
    HOL_TRY(hol_formulation_check_dense(setup, "generalized-inverse"));
    GeneralizedInverse *s = hol_arena_alloc(setup->arena, sizeof *s);
    if (!s)
        return HOL_NO_MEMORY;
    *self = s;
    s->pattern = hol_system_pattern(setup->system);
    s->gains = (HolGains){.damping = 2 * o->xi * o->omega, .stiffness = o->omega * o->omega};
    s->rank_tolerance = o->rank_tolerance;
    s->rank = 0;
    s->stamp = -1;
    HOL_TRY(take_memory(setup, s));
    return prepare(s, setup->work, NULL);
}

static const HolOption options_table[] = {
    {"omega", HOL_OPTION_REAL, offsetof(Options, omega), 10, 0, HOL_LARGEST, NULL, "rad/s",
     "rate at which a violation dies out"},
    {"xi", HOL_OPTION_REAL, offsetof(Options, xi), 1, 0, HOL_LARGEST, NULL, "", "its damping ratio"},
    {"rank_tolerance", HOL_OPTION_REAL, offsetof(Options, rank_tolerance), 1e-6, 0, 0.5, NULL, "",
     "rows hold no direction whose pivot is smaller than this part of the largest"},
};

const HolFormulationKind hol_generalized_inverse = {
    .name = "generalized-inverse",
    .title = "generalised inverse of the equations of motion: the shortest multipliers, stabilised",
    .page = "docs/methods/generalized-inverse.md",
    .offers = HOL_RATES | HOL_SPLIT,
    .shares_rows = true,
    .wants = HOL_WANT_MASS | HOL_WANT_FORCE | HOL_WANT_STABILIZATION,
    .options_size = sizeof(Options),
    .options = options_table,
    .option_count = sizeof options_table / sizeof *options_table,
    .create = create,
    .accelerate = accelerate,
    .prepare = prepare,
};
