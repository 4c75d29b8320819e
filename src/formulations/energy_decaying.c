/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps whose energy can only decay and that satisfy the constraints exactly (ED). See docs/methods/energy-decaying.md.
 *
 * A state j beside the initial one i and the final one f; the subscripts g and ij denote the discrete gradients from j
 * to f and from i to j (discrete_gradient.h):
 *
 *     M (v_f - v_i) / h = Q_g + B_g^T lambda                                                              (1)
 *     M (v_j - v_i) / h = -(Q_g - Q_ij) / 3 + alpha/6 (Q_j - Q_i) - (B_g^T lambda - B_ij^T (lambda + mu)) / 3
 *                                                                                                         (2)
 *     (q_f - q_i) / h = (v_f + v_j) / 2,    (q_j - q_i) / h = -((v_f - v_i) - alpha (v_j - v_i)) / 6      (3)
 *     Phi(t_f, q_f) = 0,   D v - nu = 0 in the middle of g for nonholonomic rows                          (4)
 *     Phi(t_i, q_j) = 0    for the rows that have a mu: those that constrain massless coordinates         (5)
 *
 * in coordinates that move as qdot = v with a constant M. Q_j - Q_i is the change of the forces of the potential. The
 * unknowns are x_f = q_f - q_i, x_j = q_j - q_i, lambda and mu; by (3) b = v_j - v_i and a = v_f - v_i are
 *
 *     b = (2 x_f / h - 2 v_i + 6 x_j / h) / (1 + alpha),    a = 2 x_f / h - 2 v_i - b                     (6)
 *
 * With (2) multiplied by -3, and both by s = h^2 (1 + alpha) / 2, the tangent is symmetric and quasi-definite:
 *
 *     f: alpha M + e K_g + 2e/h C + s w D_g^T D_g   -3 M + e K_g                       e = h^2 (1 + alpha) / 4
 *     j:                       -9 M + e (K_g - K_ij - alpha K_j) - s w D_ij^T D_ij                        (7)
 *
 * with the penalties of j for the rows (5) alone. Each K is evaluated where its force is: otherwise stiff directions
 * that rotate within the step would act on soft ones. */
#include "base/message.h"
#include "base/options.h"
#include "base/tolerances.h"
#include "formulations/formulation.h"
#include "linalg/block/blocks.h"
#include "linalg/schur/two_state_matrix.h"
#include "solve/steps/discrete_gradient.h"
#include "solve/steps/energy_step.h"

#include <math.h>
#include <string.h>

static const double MAX_MASS_FACTOR = 1e12; /* largest factor on the mass to make the matrix quasi-definite */

typedef struct Options {
    HolEnergyStepOptions step;
    double alpha;
} Options;

typedef struct Decaying {
    HolKkt *kkt;
    HolEnergyStep *energy_step;
    double alpha;
    HolDiscreteGradient *g, *ij;
    HolTwoStateMatrix *tangent; /* (7) */
    bool has_tangent;
    double *K, *K_jj, *C; /* in the middle of g, in block jj, in the middle of g */
    int rows_j_count;
    int *rows_j;                           /* rows (5) */
    double *mu, *w_j, *D_j;                /* m, zero but for these rows; the penalties, and D in the matrix */
    double *gap_j;                         /* rows_j_count: their residuals */
    double *y, *sum;                       /* m; lambda + mu */
    double *x_f, *x_j, *r_f, *r_j, *a, *b; /* nv, as all below */
    double *q_j, *across, *v;              /* across: q_f - q_j */
    double *Q_i, *Q_j, *zero;
} Decaying;

/* (6) and the states that follow from the unknowns. */
static void energy_decaying_move(Decaying *s, const HolPattern *p, const HolSubstep *part)
{
    double h = part->h;
    for (int i = 0; i < p->nv; ++i) {
        double sum = 2 * (s->x_f[i] / h - part->v[i]);
        s->b[i] = (sum + 6 * s->x_j[i] / h) / (1 + s->alpha);
        s->a[i] = sum - s->b[i];
        s->across[i] = s->x_f[i] - s->x_j[i];
        part->q_new[i] = part->q[i] + s->x_f[i];
        s->q_j[i] = part->q[i] + s->x_j[i];
    }
}

/* Forces at zero velocity at the initial time: their change between two configurations is that of all forces that
 * depend on the configuration. */
static HolStatus force_at(Decaying *s, HolWorkspace *work, double t, const double *q, double *Q)
{
    hol_workspace_move(work, t, q, s->zero);
    HOL_TRY(hol_workspace_need(work, HOL_WANT_FORCE));
    memcpy(Q, work->terms->Q, (size_t)work->pattern->nv * sizeof *Q);
    return HOL_OK;
}

static HolStatus energy_decaying_begin(void *self, HolWorkspace *work, const HolSubstep *part)
{
    Decaying *s = self;
    double h = part->h;
    for (int i = 0; i < work->pattern->nv; ++i) {
        s->x_f[i] = h * part->v[i] + h * h / 2 * part->vdot[i];
        s->x_j[i] = -h * h / 6 * part->vdot[i];
    }
    memset(s->mu, 0, (size_t)work->pattern->m * sizeof *s->mu);
    HOL_TRY(force_at(s, work, part->t, part->q, s->Q_i));
    return hol_discrete_gradient_begin(s->ij, work, part->t, part->q);
}

/* Residuals of nonholonomic rows along both discrete gradients, on whose sum lambda acts. */
static void find_velocity_gaps(Decaying *s, const HolPattern *p, const HolSubstep *part)
{
    double *gap = s->energy_step->residual;
    hol_jacobian_times(p, s->g->B, s->across, s->g->along);
    hol_jacobian_times(p, s->ij->B, s->x_j, s->ij->along);
    for (int i = p->nh; i < p->m; ++i)
        gap[i] = s->g->along[i] + s->ij->along[i] - part->h * s->g->nu[i];
}

/* Residuals of the size of rounding are set to zero, as energy_step.c does at f. */
static void find_gaps_at_j(Decaying *s, const HolPattern *p)
{
    static const double ROUNDING = HOL_ROUNDINGS(8);
    double scale = hol_position_size(p, s->q_j);
    for (int i = 0; i < s->rows_j_count; ++i) {
        double gap = s->ij->b.Phi[s->rows_j[i]];
        s->gap_j[i] = fabs(gap) <= ROUNDING * scale * s->ij->size[s->rows_j[i]] ? 0 : gap;
    }
}

/* Everything at the present unknowns; the workspace is left in the middle of g. */
static HolStatus energy_decaying_evaluate(void *self, HolWorkspace *work, const HolSubstep *part)
{
    Decaying *s = self;
    const HolPattern *p = work->pattern;
    double h = part->h, *gap = s->energy_step->residual;
    energy_decaying_move(s, p, part);
    hol_workspace_move(work, part->t + h, part->q_new, s->zero);
    HOL_TRY(hol_workspace_need(work, HOL_WANT_PHI));
    memcpy(gap, work->terms->Phi, (size_t)p->nh * sizeof *gap);
    HOL_TRY(force_at(s, work, part->t, s->q_j, s->Q_j));
    for (int i = 0; i < p->nv; ++i)
        s->v[i] = part->v[i] + s->b[i] / 2;
    HOL_TRY(hol_discrete_gradient_end(s->ij, work, s->q_j, s->x_j, s->v));
    find_gaps_at_j(s, p);
    for (int i = 0; i < p->nv; ++i)
        s->v[i] = s->x_f[i] / h;
    HOL_TRY(hol_discrete_gradient_begin(s->g, work, part->t + h / 2, s->q_j));
    HOL_TRY(hol_discrete_gradient_end(s->g, work, part->q_new, s->across, s->v));
    if (p->nn > 0)
        find_velocity_gaps(s, p, part);
    return HOL_OK;
}

static void add_multipliers(Decaying *s, const HolPattern *p)
{
    for (int i = 0; i < p->m; ++i)
        s->sum[i] = s->energy_step->lambda[i] + s->mu[i];
}

/* K, C and K_jj of (7); the workspace is at the midpoint of g. */
static HolStatus energy_decaying_find_slopes(Decaying *s, HolWorkspace *work, const HolSubstep *part, double e)
{
    const HolPattern *p = work->pattern;
    const HolTerms *terms = work->terms;
    int n = p->tangent_start[p->tangent_count];
    HolPoint of_j = {part->t, s->q_j, s->zero};
    HOL_TRY(hol_discrete_gradient_tangent(s->g, work, s->energy_step->lambda));
    memcpy(s->K, terms->K, (size_t)n * sizeof *s->K);
    memcpy(s->C, terms->C, (size_t)n * sizeof *s->C);
    memset(s->K_jj, 0, (size_t)n * sizeof *s->K_jj);
    hol_add_scaled(n, e, terms->K, s->K_jj);
    add_multipliers(s, p);
    HOL_TRY(hol_discrete_gradient_tangent(s->ij, work, s->sum));
    hol_add_scaled(n, -e, terms->K, s->K_jj);
    memset(s->sum, 0, (size_t)p->m * sizeof *s->sum);
    HOL_TRY(hol_system_tangent(work->system, &of_j, s->zero, s->sum, work->terms));
    hol_add_scaled(n, -s->alpha * e, terms->K, s->K_jj);
    return HOL_OK;
}

/* (7) */
static HolStatus energy_decaying_factor(void *self, HolWorkspace *work, const HolSubstep *part)
{
    Decaying *s = self;
    HolTerms *terms = work->terms;
    size_t size = (size_t)work->pattern->pair_start[work->pattern->pair_count] * sizeof *terms->D;
    double alpha = s->alpha, e = part->h * part->h * (1 + alpha) / 4;
    HolTwoStateParts parts = {.M = terms->M,
                              .D = s->energy_step->D,
                              .w = s->energy_step->w,
                              .D_j = s->D_j,
                              .w_j = s->rows_j_count > 0 ? s->w_j : NULL,
                              .m_jj = -9,
                              .m_jf = -3,
                              .m_ff = alpha,
                              .k_jf = e,
                              .k_ff = e,
                              .c = 2 * e / part->h};
    memcpy(s->energy_step->D, terms->D, size);
    memcpy(s->D_j, s->ij->B, size);
    if (s->has_tangent) {
        HOL_TRY(energy_decaying_find_slopes(s, work, part, e));
        parts.K = s->K;
        parts.K_jj = s->K_jj;
        parts.C = s->C;
    }
    HolStatus status = HOL_SINGULAR;
    for (double mass_factor = 0; mass_factor <= MAX_MASS_FACTOR && status == HOL_SINGULAR;
         mass_factor = fmax(1, 10 * mass_factor)) {
        parts.m_ff = alpha + mass_factor;
        parts.m_jj = -9 * (1 + mass_factor);
        status = hol_two_state_factor(s->tangent, &parts);
    }
    return status;
}

/* r_f and r_j: what (1) and -3 (2), times scale, still miss */
static void find_residuals(Decaying *s, const HolWorkspace *work, double h, double scale)
{
    const HolPattern *p = work->pattern;
    const HolDiscreteGradient *g = s->g, *ij = s->ij;
    double *Ma = s->v, *Mb = s->across;
    memcpy(s->r_f, g->Q, (size_t)p->nv * sizeof *s->r_f);
    hol_jacobian_add_transposed(p, g->B, s->energy_step->lambda, s->r_f);
    memcpy(s->r_j, ij->Q, (size_t)p->nv * sizeof *s->r_j);
    add_multipliers(s, p);
    hol_jacobian_add_transposed(p, ij->B, s->sum, s->r_j);
    hol_mass_times(p, work->terms->M, s->a, Ma);
    hol_mass_times(p, work->terms->M, s->b, Mb);
    for (int i = 0; i < p->nv; ++i) {
        double r_j = s->r_f[i] - s->r_j[i] - s->alpha / 2 * (s->Q_j[i] - s->Q_i[i]) + 3 / h * Mb[i];
        s->r_j[i] = scale * r_j;
        s->r_f[i] = scale * (s->r_f[i] - Ma[i] / h);
    }
}

/* s times w D^T gap of j, into r_j */
static void add_gaps_at_j(Decaying *s, const HolPattern *p)
{
    memset(s->y, 0, (size_t)p->m * sizeof *s->y);
    for (int i = 0; i < s->rows_j_count; ++i)
        s->y[s->rows_j[i]] = s->w_j[s->rows_j[i]] * s->gap_j[i];
    hol_jacobian_add_transposed(p, s->D_j, s->y, s->r_j);
}

/* The change of mu, as a displacement; returns the largest gap of its rows. */
static double find_mu(Decaying *s, const HolPattern *p, double *of_mu)
{
    double gap = 0;
    hol_jacobian_times(p, s->D_j, s->r_j, s->y);
    for (int i = 0; i < s->rows_j_count; ++i) {
        int row = s->rows_j[i];
        of_mu[i] = -(s->gap_j[i] + s->y[row]) * s->w_j[row] / s->energy_step->force[row];
        gap = fmax(gap, fabs(s->gap_j[i]) / s->ij->size[row]);
    }
    return gap;
}

static double energy_decaying_correct(void *self, HolWorkspace *work, const HolSubstep *part)
{
    Decaying *s = self;
    const HolPattern *p = work->pattern;
    double *of_f = s->energy_step->change, *of_j = of_f + p->nv, *of_mu = of_j + p->nv;
    double scale = part->h * part->h * (1 + s->alpha) / 2;
    find_residuals(s, work, part->h, scale);
    if (s->rows_j_count > 0)
        add_gaps_at_j(s, p);
    for (int i = 0; i < p->m; ++i)
        s->y[i] = -s->energy_step->w[i] * s->energy_step->residual[i];
    hol_jacobian_add_transposed(p, s->energy_step->D, s->y, s->r_f);
    hol_two_state_solve(s->tangent, s->r_j, s->r_f);
    double change = fmax(hol_motion_norm(p, s->r_f), hol_motion_norm(p, s->r_j));
    if (s->rows_j_count > 0)
        change = fmax(change, find_mu(s, p, of_mu));
    hol_jacobian_times(p, s->energy_step->D, s->r_f, s->y);
    memcpy(of_f, s->r_f, (size_t)p->nv * sizeof *of_f);
    memcpy(of_j, s->r_j, (size_t)p->nv * sizeof *of_j);
    hol_energy_step_update(s->energy_step, scale, s->y);
    for (int i = 0; i < p->nv; ++i) {
        s->x_f[i] += of_f[i];
        s->x_j[i] += of_j[i];
    }
    for (int i = 0; i < s->rows_j_count; ++i)
        s->mu[s->rows_j[i]] += s->energy_step->force[s->rows_j[i]] / scale * of_mu[i];
    return change;
}

static HolStatus energy_decaying_end(void *self, HolWorkspace *work, const HolSubstep *part, double *v_new,
                                     double *done)
{
    Decaying *s = self;
    double first, second;
    for (int i = 0; i < work->pattern->nv; ++i)
        v_new[i] = part->v[i] + s->a[i];
    if (s->energy_step->before)
        memcpy(s->energy_step->before, s->q_j, (size_t)work->pattern->nq * sizeof *s->q_j);
    HOL_TRY(hol_discrete_gradient_work(s->ij, work, s->energy_step->lambda, &first));
    HOL_TRY(hol_discrete_gradient_work(s->g, work, s->energy_step->lambda, &second));
    *done = first + second;
    return HOL_OK;
}

static void energy_decaying_take_memory(const HolSetup *setup, int candidates, Decaying *s)
{
    const HolPattern *p = hol_system_pattern(setup->system);
    HOL_DOUBLES(setup->arena, p->nv, &s->x_f, &s->x_j, &s->r_f, &s->r_j, &s->a, &s->b, &s->q_j, &s->across, &s->v,
                &s->Q_i, &s->Q_j, &s->zero);
    if (s->has_tangent)
        HOL_DOUBLES(setup->arena, p->tangent_start[p->tangent_count], &s->K, &s->K_jj, &s->C);
    HOL_DOUBLES(setup->arena, p->m, &s->y, &s->sum, &s->mu, &s->w_j);
    /* Where stiffness determines q_j, the stresses at j and f differ by a multiple of their mean. */
    if (s->energy_step->has_fast)
        HOL_DOUBLES(setup->arena, p->nq, &s->energy_step->before, &s->energy_step->reported);
    s->D_j = hol_arena_doubles(setup->arena, (size_t)p->pair_start[p->pair_count]);
    s->rows_j = hol_arena_ints(setup->arena, (size_t)candidates);
    s->gap_j = hol_arena_doubles(setup->arena, (size_t)candidates);
}

static bool energy_decaying_has_mass(const HolPattern *p, const double *M, int block, int index)
{
    int n = hol_part_size(p->block_start, block);
    return M[p->mass_start[block] + index * n + index] != 0;
}

/* Whether a row of a block's own group constrains a coordinate without mass. */
static bool constrains_massless(const HolPattern *p, const HolTerms *terms, int g, int row)
{
    int pair = p->group_pairs[g], block = p->pairs[pair].column, n = hol_part_size(p->block_start, block);
    const double *D = terms->D + p->pair_start[pair] + (row - p->group_start[g]) * n;
    for (int i = 0; i < n; ++i)
        if (D[i] != 0 && !energy_decaying_has_mass(p, terms->M, block, i))
            return true;
    return false;
}

/* Whether a group constrains a coordinate with mass whose oscillation is faster than the step resolves. */
static bool constrains_fast(const HolPattern *p, const HolTerms *terms, const bool *is_fast, int g)
{
    int pair = p->group_pairs[g], block = p->pairs[pair].column, n = hol_part_size(p->block_start, block);
    const double *D = terms->D + p->pair_start[pair];
    for (int i = 0; i < hol_part_size(p->group_start, g) * n; ++i)
        if (D[i] != 0 && energy_decaying_has_mass(p, terms->M, block, i % n) && is_fast[p->block_start[block] + i % n])
            return true;
    return false;
}

/* Whether a group is one of a block's own, with a row that constrains a coordinate without mass. */
static bool has_massless(const HolPattern *p, const HolTerms *terms, int g)
{
    bool found = false;
    for (int row = p->group_start[g]; row < p->group_start[g + 1] && p->own_groups[g]; ++row)
        found = found || constrains_massless(p, terms, g, row);
    return found;
}

static int count_candidates(const HolPattern *p, const HolTerms *terms)
{
    int count = 0;
    for (int g = 0; g < p->group_count; ++g)
        count += has_massless(p, terms, g) ? hol_part_size(p->group_start, g) : 0;
    return count;
}

/* The rows (5). Coordinates without mass follow from the others of their block by its own rows, as the axis a_1 of a
 * beam's node from a_2 and a_3; with these rows at j too they are eliminated. Where the others are faster than the
 * step, their mass is negligible too: without these rows, stresses of either sign would determine them at j. No other
 * row may be satisfied at j, since q_j violates it by order h^2. */
static void find_rows_j(const HolTerms *terms, Decaying *s)
{
    const HolPattern *p = s->energy_step->pattern;
    for (int g = 0; g < p->group_count; ++g)
        for (int row = p->group_start[g]; row < p->group_start[g + 1] && has_massless(p, terms, g); ++row)
            if (constrains_massless(p, terms, g, row) || constrains_fast(p, terms, s->energy_step->is_fast, g))
                s->rows_j[s->rows_j_count++] = row;
    for (int i = 0; i < s->rows_j_count; ++i)
        s->w_j[s->rows_j[i]] = s->energy_step->w[s->rows_j[i]];
}

/* A coordinate without mass is determined at j by the rows (5) alone. */
static HolStatus check_masses(const HolSetup *setup, const Decaying *s)
{
    const HolTerms *terms = setup->work->terms;
    HolTwoStateParts parts = {
        .M = terms->M, .D = terms->D, .w = s->energy_step->w, .D_j = terms->D, .w_j = s->w_j, .m_jj = -1, .m_ff = 1};
    if (hol_two_state_factor(s->tangent, &parts) != HOL_SINGULAR)
        return HOL_OK;
    return hol_fail(setup->message, HOL_UNSUPPORTED,
                    "'energy-decaying' requires mass on every coordinate, but '%s' has some without; choose "
                    "'energy-preserving'",
                    hol_system_name(setup->system));
}

static HolStatus energy_decaying_create(const HolSetup *setup, const void *options, void **self)
{
    static const HolEnergyStepOps ops = {energy_decaying_begin, energy_decaying_evaluate, energy_decaying_factor,
                                         energy_decaying_correct, energy_decaying_end};
    const Options *o = options;
    const HolPattern *p = hol_system_pattern(setup->system);
    Decaying *s = hol_arena_alloc(setup->arena, sizeof *s);
    HOL_TRY(hol_arena_status(setup->arena));
    HOL_TRY(hol_setup_check_flat(setup, "energy-decaying"));
    *self = s;
    int candidates = count_candidates(p, setup->work->terms);
    HOL_TRY(hol_energy_step_create(setup, "energy-decaying", &ops, &o->step, 2 * p->nv + candidates, s));
    s->alpha = o->alpha;
    s->has_tangent = hol_system_has_tangent(setup->system);
    energy_decaying_take_memory(setup, candidates, s);
    HOL_TRY(hol_arena_status(setup->arena));
    find_rows_j(setup->work->terms, s);
    HOL_TRY(hol_discrete_gradient_create(setup, &s->g));
    HOL_TRY(hol_discrete_gradient_create(setup, &s->ij));
    s->energy_step->size = s->g->size;
    HOL_TRY(hol_two_state_create(setup->arena, p, &s->tangent));
    HOL_TRY(check_masses(setup, s));
    return hol_energy_step_omit_redundant(setup, s);
}

static const HolOption options_table[] = {
    HOL_REAL(Options, alpha, 1, 0, 1, "", "numerical damping: 0 none, 1 removes infinitely fast modes"),
    HOL_ENERGY_STEP_OPTION_ROWS,
};

static const char *energy_decaying_undamped(const void *options)
{
    return ((const Options *)options)->alpha > 0 ? "energy-preserving" : NULL;
}

static const HolOwnStepOps own_step_ops = {.step = hol_energy_step_take, .q_before = hol_energy_step_q_before};

static const HolStateOps state_ops = {.size = hol_energy_step_state_size,
                                      .open = hol_energy_step_open,
                                      .close = hol_energy_step_close,
                                      .kinetic = hol_energy_step_kinetic};

const HolFormulationKind hol_energy_decaying = {
    .name = "energy-decaying",
    .title = "energy-decaying steps: high frequencies are damped, constraints exact",
    .page = "docs/methods/energy-decaying.md",
    .advice = "take a smaller step or a larger max_iterations",
    .integrator = "built-in",
    .wants = HOL_WANT_MASS | HOL_WANT_FORCE | HOL_WANT_JACOBIAN | HOL_WANT_GAMMA,
    HOL_OPTIONS(Options, options_table),
    .undamped = energy_decaying_undamped,
    .create = energy_decaying_create,
    .accelerate = hol_energy_step_accelerate,
    .prepare = hol_energy_step_prepare,
    .archive = hol_energy_step_archive,
    .own_step = &own_step_ops,
    .state = &state_ops,
};
