/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps whose energy can only decay, with constraints kept exactly (ED). See docs/methods/energy-decaying.md.
 *
 * A state j beside the initial one i, and the final one f; g is the chord from j to f, ij that from i to j (chord.h):
 *
 *     M (v_f - v_i) / h = Q_g + B_g^T lambda                                                              (1)
 *     M (v_j - v_i) / h = -(Q_g - Q_ij) / 3 + alpha/6 (Q_j - Q_i) - (B_g^T lambda - B_ij^T (lambda + mu)) / 3
 *                                                                                                         (2)
 *     (q_f - q_i) / h = (v_f + v_j) / 2,    (q_j - q_i) / h = -((v_f - v_i) - alpha (v_j - v_i)) / 6      (3)
 *     Phi(t_f, q_f) = 0,   D v - nu = 0 in the middle of g for nonholonomic rows                          (4)
 *     Phi(t_i, q_j) = 0    for the rows that have a mu: those that hold coordinates without mass          (5)
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
 * with the penalties of j for the rows (5) alone. Each K stands where its force does: stiff directions that turn within
 * the step would else push into soft ones. */
#include "base/message.h"
#include "base/options.h"
#include "formulations/chord.h"
#include "formulations/whole_step.h"
#include "linalg/blocks.h"
#include "linalg/twofold.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double HEAVIEST = 1e12; /* mass, in parts of its own, that is lent to an indefinite matrix */

typedef struct Options {
    double alpha;
    HolWholeOptions whole;
} Options;

typedef struct Decaying {
    HolKkt *kkt;
    HolWholeStep *whole;
    double alpha;
    HolChord *g, *ij;
    HolTwofold *tangent; /* (7) */
    bool has_tangent;
    double *K, *K_jj, *C; /* in the middle of g, in block jj, in the middle of g */
    int held_count;
    int *held;                             /* rows (5) */
    double *mu, *w_j, *D_j;                /* m, zero but for these rows; the penalties, and D in the matrix */
    double *gap_j;                         /* held_count: what they miss */
    double *y, *sum;                       /* m; lambda + mu */
    double *x_f, *x_j, *r_f, *r_j, *a, *b; /* nv, as all below */
    double *q_j, *across, *v;              /* across: q_f - q_j */
    double *Q_i, *Q_j, *zero;
} Decaying;

/* ---- Where the unknowns lead ---- */

/* (6) and the states that follow from the unknowns. */
static void move(Decaying *s, const HolPattern *p, const HolWholePart *part)
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

/* Forces at rest at the beginning of the step: their change between two places is that of the potential's, and of what
 * else depends on the place. */
static HolStatus force_at(Decaying *s, HolWorkspace *work, double t, const double *q, double *Q)
{
    hol_workspace_move(work, t, q, s->zero);
    HOL_TRY(hol_workspace_need(work, HOL_WANT_FORCE));
    memcpy(Q, work->terms->Q, (size_t)work->pattern->nv * sizeof *Q);
    return HOL_OK;
}

static HolStatus begin(void *self, HolWorkspace *work, const HolWholePart *part)
{
    Decaying *s = self;
    double h = part->h;
    for (int i = 0; i < work->pattern->nv; ++i) {
        s->x_f[i] = h * part->v[i] + h * h / 2 * part->vdot[i];
        s->x_j[i] = -h * h / 6 * part->vdot[i];
    }
    memset(s->mu, 0, (size_t)work->pattern->m * sizeof *s->mu);
    HOL_TRY(force_at(s, work, part->t, part->q, s->Q_i));
    return hol_chord_begin(s->ij, work, part->t, part->q);
}

/* What nonholonomic rows miss along both chords, whose sum is what lambda works on. */
static void find_velocity_gaps(Decaying *s, const HolPattern *p, const HolWholePart *part)
{
    double *gap = s->whole->gap;
    hol_jacobian_times(p, s->g->B, s->across, s->g->along);
    hol_jacobian_times(p, s->ij->B, s->x_j, s->ij->along);
    for (int i = p->nh; i < p->m; ++i)
        gap[i] = s->g->along[i] + s->ij->along[i] - part->h * s->g->nu[i];
}

/* Gaps of rounding are closed, as whole steps do it at f. */
static void find_held_gaps(Decaying *s, const HolPattern *p)
{
    static const double ROUNDING = 8 * DBL_EPSILON;
    double scale = 1 + hol_max_norm(p->nq, s->q_j);
    for (int i = 0; i < s->held_count; ++i) {
        double gap = s->ij->b.Phi[s->held[i]];
        s->gap_j[i] = fabs(gap) <= ROUNDING * scale * s->ij->size[s->held[i]] ? 0 : gap;
    }
}

/* Everything at the present unknowns; the workspace is left in the middle of g. */
static HolStatus look(void *self, HolWorkspace *work, const HolWholePart *part)
{
    Decaying *s = self;
    const HolPattern *p = work->pattern;
    double h = part->h, *gap = s->whole->gap;
    move(s, p, part);
    hol_workspace_move(work, part->t + h, part->q_new, s->zero);
    HOL_TRY(hol_workspace_need(work, HOL_WANT_PHI));
    memcpy(gap, work->terms->Phi, (size_t)p->nh * sizeof *gap);
    HOL_TRY(force_at(s, work, part->t, s->q_j, s->Q_j));
    for (int i = 0; i < p->nv; ++i)
        s->v[i] = part->v[i] + s->b[i] / 2;
    HOL_TRY(hol_chord_end(s->ij, work, s->q_j, s->x_j, s->v));
    find_held_gaps(s, p);
    for (int i = 0; i < p->nv; ++i)
        s->v[i] = s->x_f[i] / h;
    HOL_TRY(hol_chord_begin(s->g, work, part->t + h / 2, s->q_j));
    HOL_TRY(hol_chord_end(s->g, work, part->q_new, s->across, s->v));
    if (p->nn > 0)
        find_velocity_gaps(s, p, part);
    return HOL_OK;
}

/* ---- A pass ---- */

static void add_multiple(int n, double factor, const double *x, double *y)
{
    for (int i = 0; i < n; ++i)
        y[i] += factor * x[i];
}

static void add_multipliers(Decaying *s, const HolPattern *p)
{
    for (int i = 0; i < p->m; ++i)
        s->sum[i] = s->whole->lambda[i] + s->mu[i];
}

/* K, C and K_jj of (7); the workspace stands in the middle of g. */
static HolStatus find_slopes(Decaying *s, HolWorkspace *work, const HolWholePart *part, double e)
{
    const HolPattern *p = work->pattern;
    const HolTerms *terms = work->terms;
    int n = p->tangent_start[p->tangent_count];
    HolPoint of_j = {part->t, s->q_j, s->zero};
    HOL_TRY(hol_chord_tangent(s->g, work, s->whole->lambda));
    memcpy(s->K, terms->K, (size_t)n * sizeof *s->K);
    memcpy(s->C, terms->C, (size_t)n * sizeof *s->C);
    memset(s->K_jj, 0, (size_t)n * sizeof *s->K_jj);
    add_multiple(n, e, terms->K, s->K_jj);
    add_multipliers(s, p);
    HOL_TRY(hol_chord_tangent(s->ij, work, s->sum));
    add_multiple(n, -e, terms->K, s->K_jj);
    memset(s->sum, 0, (size_t)p->m * sizeof *s->sum);
    HOL_TRY(hol_system_tangent(work->system, &of_j, s->zero, s->sum, work->terms));
    add_multiple(n, -s->alpha * e, terms->K, s->K_jj);
    return HOL_OK;
}

/* (7) */
static HolStatus factor(void *self, HolWorkspace *work, const HolWholePart *part)
{
    Decaying *s = self;
    HolTerms *terms = work->terms;
    size_t size = (size_t)work->pattern->pair_start[work->pattern->pair_count] * sizeof *terms->D;
    double alpha = s->alpha, e = part->h * part->h * (1 + alpha) / 4;
    HolTwofoldParts parts = {.M = terms->M,
                             .D = s->whole->D,
                             .w = s->whole->w,
                             .D_j = s->D_j,
                             .w_j = s->held_count > 0 ? s->w_j : NULL,
                             .m_jj = -9,
                             .m_jf = -3,
                             .m_ff = alpha,
                             .k_jf = e,
                             .k_ff = e,
                             .c = 2 * e / part->h};
    memcpy(s->whole->D, terms->D, size);
    memcpy(s->D_j, s->ij->B, size);
    if (s->has_tangent) {
        HOL_TRY(find_slopes(s, work, part, e));
        parts.K = s->K;
        parts.K_jj = s->K_jj;
        parts.C = s->C;
    }
    HolStatus status = HOL_SINGULAR;
    for (double heavier = 0; heavier <= HEAVIEST && status == HOL_SINGULAR; heavier = fmax(1, 10 * heavier)) {
        parts.m_ff = alpha + heavier;
        parts.m_jj = -9 * (1 + heavier);
        status = hol_twofold_factor(s->tangent, &parts);
    }
    return status;
}

/* r_f and r_j: what (1) and -3 (2), times scale, still miss */
static void find_residuals(Decaying *s, const HolWorkspace *work, double h, double scale)
{
    const HolPattern *p = work->pattern;
    const HolChord *g = s->g, *ij = s->ij;
    double *Ma = s->v, *Mb = s->across;
    memcpy(s->r_f, g->Q, (size_t)p->nv * sizeof *s->r_f);
    hol_jacobian_add_transposed(p, g->B, s->whole->lambda, s->r_f);
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
static void add_held_gaps(Decaying *s, const HolPattern *p)
{
    memset(s->y, 0, (size_t)p->m * sizeof *s->y);
    for (int i = 0; i < s->held_count; ++i)
        s->y[s->held[i]] = s->w_j[s->held[i]] * s->gap_j[i];
    hol_jacobian_add_transposed(p, s->D_j, s->y, s->r_j);
}

/* What mu changes by, as a displacement, and the largest gap of its rows. */
static double find_mu(Decaying *s, const HolPattern *p, double *of_mu)
{
    double gap = 0;
    hol_jacobian_times(p, s->D_j, s->r_j, s->y);
    for (int i = 0; i < s->held_count; ++i) {
        int row = s->held[i];
        of_mu[i] = -(s->gap_j[i] + s->y[row]) * s->w_j[row] / s->whole->force[row];
        gap = fmax(gap, fabs(s->gap_j[i]) / s->ij->size[row]);
    }
    return gap;
}

static double correct(void *self, HolWorkspace *work, const HolWholePart *part)
{
    Decaying *s = self;
    const HolPattern *p = work->pattern;
    double *of_f = s->whole->change, *of_j = of_f + p->nv, *of_mu = of_j + p->nv;
    double scale = part->h * part->h * (1 + s->alpha) / 2;
    find_residuals(s, work, part->h, scale);
    if (s->held_count > 0)
        add_held_gaps(s, p);
    for (int i = 0; i < p->m; ++i)
        s->y[i] = -s->whole->w[i] * s->whole->gap[i];
    hol_jacobian_add_transposed(p, s->whole->D, s->y, s->r_f);
    hol_twofold_solve(s->tangent, s->r_j, s->r_f);
    double change = fmax(hol_max_norm(p->nv, s->r_f), hol_max_norm(p->nv, s->r_j));
    if (s->held_count > 0)
        change = fmax(change, find_mu(s, p, of_mu));
    hol_jacobian_times(p, s->whole->D, s->r_f, s->y);
    memcpy(of_f, s->r_f, (size_t)p->nv * sizeof *of_f);
    memcpy(of_j, s->r_j, (size_t)p->nv * sizeof *of_j);
    hol_whole_take(s->whole, scale, s->y);
    for (int i = 0; i < p->nv; ++i) {
        s->x_f[i] += of_f[i];
        s->x_j[i] += of_j[i];
    }
    for (int i = 0; i < s->held_count; ++i)
        s->mu[s->held[i]] += s->whole->force[s->held[i]] / scale * of_mu[i];
    return change;
}

static HolStatus end(void *self, HolWorkspace *work, const HolWholePart *part, double *v_new, double *done)
{
    Decaying *s = self;
    double first, second;
    for (int i = 0; i < work->pattern->nv; ++i)
        v_new[i] = part->v[i] + s->a[i];
    if (s->whole->before)
        memcpy(s->whole->before, s->q_j, (size_t)work->pattern->nq * sizeof *s->q_j);
    HOL_TRY(hol_chord_work(s->ij, work, s->whole->lambda, &first));
    HOL_TRY(hol_chord_work(s->g, work, s->whole->lambda, &second));
    *done = first + second;
    return HOL_OK;
}

/* ---- Set-up ---- */

static void take_memory(const HolSetup *setup, int candidates, Decaying *s)
{
    const HolPattern *p = hol_system_pattern(setup->system);
    double **of_velocity[] = {&s->x_f, &s->x_j,    &s->r_f, &s->r_j, &s->a,   &s->b,
                              &s->q_j, &s->across, &s->v,   &s->Q_i, &s->Q_j, &s->zero};
    double **of_slopes[] = {&s->K, &s->K_jj, &s->C}, **of_rows[] = {&s->y, &s->sum, &s->mu, &s->w_j};
    for (size_t i = 0; i < sizeof of_velocity / sizeof *of_velocity; ++i)
        *of_velocity[i] = hol_arena_doubles(setup->arena, (size_t)p->nv);
    for (size_t i = 0; i < sizeof of_slopes / sizeof *of_slopes && s->has_tangent; ++i)
        *of_slopes[i] = hol_arena_doubles(setup->arena, (size_t)p->tangent_start[p->tangent_count]);
    for (size_t i = 0; i < sizeof of_rows / sizeof *of_rows; ++i)
        *of_rows[i] = hol_arena_doubles(setup->arena, (size_t)p->m);
    if (s->whole
            ->has_fast) { /* stiffness holds j, and stresses at j and f differ by multiples of what moves the bodies */
        s->whole->before = hol_arena_doubles(setup->arena, (size_t)p->nq);
        s->whole->told = hol_arena_doubles(setup->arena, (size_t)p->nq);
    }
    s->D_j = hol_arena_doubles(setup->arena, (size_t)p->pair_start[p->pair_count]);
    s->held = hol_arena_ints(setup->arena, (size_t)candidates);
    s->gap_j = hol_arena_doubles(setup->arena, (size_t)candidates);
}

static bool has_mass(const HolPattern *p, const double *M, int block, int index)
{
    int n = hol_part_size(p->block_start, block);
    return M[p->mass_start[block] + index * n + index] != 0;
}

/* Whether a row of a block's own takes hold of a coordinate without mass. */
static bool holds_massless(const HolPattern *p, const HolTerms *terms, int g, int row)
{
    int pair = p->group_pairs[g], block = p->pairs[pair].column, n = hol_part_size(p->block_start, block);
    const double *D = terms->D + p->pair_start[pair] + (row - p->group_start[g]) * n;
    for (int i = 0; i < n; ++i)
        if (D[i] != 0 && !has_mass(p, terms->M, block, i))
            return true;
    return false;
}

/* Whether something with mass that the rows of a group take hold of is faster than the step. */
static bool holds_fast(const HolPattern *p, const HolTerms *terms, const bool *is_fast, int g)
{
    int pair = p->group_pairs[g], block = p->pairs[pair].column, n = hol_part_size(p->block_start, block);
    const double *D = terms->D + p->pair_start[pair];
    for (int i = 0; i < hol_part_size(p->group_start, g) * n; ++i)
        if (D[i] != 0 && has_mass(p, terms->M, block, i % n) && is_fast[p->block_start[block] + i % n])
            return true;
    return false;
}

static bool may_hold(const HolPattern *p, const HolTerms *terms, int g)
{
    bool holds = false;
    for (int row = p->group_start[g]; row < p->group_start[g + 1] && p->own_groups[g]; ++row)
        holds = holds || holds_massless(p, terms, g, row);
    return holds;
}

static int count_candidates(const HolPattern *p, const HolTerms *terms)
{
    int count = 0;
    for (int g = 0; g < p->group_count; ++g)
        count += may_hold(p, terms, g) ? hol_part_size(p->group_start, g) : 0;
    return count;
}

/* The rows (5). Coordinates without mass follow from the others of their block by its own rows, as the axis a_1 of a
 * beam's node from a_2 and a_3: with these rows at j too it is as if they had been eliminated. Where the others are
 * faster than the step, they have next to no mass either, and along a row that does not hold them stresses would rule
 * at j, of whatever sign. More rows must not be held there: q_j lies off the rows by its nature, as h^2. */
static void find_held(const HolTerms *terms, Decaying *s)
{
    const HolPattern *p = s->whole->pattern;
    for (int g = 0; g < p->group_count; ++g)
        for (int row = p->group_start[g]; row < p->group_start[g + 1] && may_hold(p, terms, g); ++row)
            if (holds_massless(p, terms, g, row) || holds_fast(p, terms, s->whole->is_fast, g))
                s->held[s->held_count++] = row;
    for (int i = 0; i < s->held_count; ++i)
        s->w_j[s->held[i]] = s->whole->w[s->held[i]];
}

/* Without mass nothing holds a coordinate at j but the rows (5). */
static HolStatus check_masses(const HolSetup *setup, const Decaying *s)
{
    const HolTerms *terms = setup->work->terms;
    HolTwofoldParts parts = {
        .M = terms->M, .D = terms->D, .w = s->whole->w, .D_j = terms->D, .w_j = s->w_j, .m_jj = -1, .m_ff = 1};
    if (hol_twofold_factor(s->tangent, &parts) != HOL_SINGULAR)
        return HOL_OK;
    return hol_fail(setup->message, HOL_UNSUPPORTED,
                    "'energy-decaying' needs mass on every coordinate, which '%s' has not; take 'energy-preserving'",
                    hol_system_name(setup->system));
}

static HolStatus create(const HolSetup *setup, const void *options, void **self)
{
    static const HolWholeOps ops = {begin, look, factor, correct, end};
    const Options *o = options;
    const HolPattern *p = hol_system_pattern(setup->system);
    Decaying *s = hol_arena_alloc(setup->arena, sizeof *s);
    if (!s)
        return HOL_NO_MEMORY;
    *self = s;
    int candidates = count_candidates(p, setup->work->terms);
    HOL_TRY(hol_whole_create(setup, "energy-decaying", &ops, &o->whole, 2 * p->nv + candidates, s));
    s->alpha = o->alpha;
    s->has_tangent = hol_system_has_tangent(setup->system);
    take_memory(setup, candidates, s);
    if (hol_arena_failed(setup->arena))
        return HOL_NO_MEMORY;
    find_held(setup->work->terms, s);
    HOL_TRY(hol_chord_create(setup, &s->g));
    HOL_TRY(hol_chord_create(setup, &s->ij));
    s->whole->size = s->g->size;
    HOL_TRY(hol_twofold_create(setup->arena, p, &s->tangent));
    return check_masses(setup, s);
}

static const HolOption options_table[] = {
    {"alpha", HOL_OPTION_REAL, offsetof(Options, alpha), 1, 0, 1, NULL, "",
     "how much decays: 0 nothing, 1 all that is infinitely fast"},
    HOL_WHOLE_OPTIONS(Options, whole),
};

static const char *undamped(const void *options)
{
    return ((const Options *)options)->alpha > 0 ? "energy-preserving" : NULL;
}

const HolFormulationKind hol_energy_decaying = {
    .name = "energy-decaying",
    .title = "energy-decaying steps: high frequencies die out, constraints exact",
    .page = "docs/methods/energy-decaying.md",
    .advice = "take a smaller step or more max_iterations",
    .integrator = "built-in",
    .offers = HOL_OWN_STEP,
    .wants = HOL_WANT_MASS | HOL_WANT_FORCE | HOL_WANT_JACOBIAN | HOL_WANT_GAMMA,
    .options_size = sizeof(Options),
    .options = options_table,
    .option_count = sizeof options_table / sizeof *options_table,
    .undamped = undamped,
    .create = create,
    .accelerate = hol_whole_accelerate,
    .prepare = hol_whole_prepare,
    .own_size = hol_whole_own_size,
    .open = hol_whole_open,
    .close = hol_whole_close,
    .q_before = hol_whole_q_before,
    .kinetic = hol_whole_kinetic,
    .step = hol_whole_step,
};
