/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps whose energy can only decay, with constraints kept exactly (ED). See docs/methods/energy-decaying.md.
 *
 * A state j beside the initial one i, and the final one f; g is the chord from j to f, ij that from i to j (chord.h):
 *
 *     M (v_f - v_i) / h = Q_g + B_g^T lambda                                                              (1)
 *     M (v_j - v_i) / h = -(Q_g - Q_ij) / 3 + alpha/6 (Q_j - Q_i) - (B_g - B_ij)^T lambda / 3             (2)
 *     (q_f - q_i) / h = (v_f + v_j) / 2,    (q_j - q_i) / h = -((v_f - v_i) - alpha (v_j - v_i)) / 6      (3)
 *     Phi(t_f, q_f) = 0,   D v - nu = 0 in the middle of g for nonholonomic rows                          (4)
 *
 * in coordinates that move as qdot = v with a constant M. Q_j - Q_i is the change of the forces of the potential. The
 * unknowns are x_f = q_f - q_i, x_j = q_j - q_i and lambda; by (3) b = v_j - v_i and a = v_f - v_i are
 *
 *     b = (2 x_f / h - 2 v_i + 6 x_j / h) / (1 + alpha),    a = 2 x_f / h - 2 v_i - b                     (5)
 *
 * With (2) multiplied by -3, and both by s = h^2 (1 + alpha) / 2, the tangent is symmetric and quasi-definite:
 *
 *     j: -9 M - alpha e K        -3 M + e K                             e = h^2 (1 + alpha) / 4
 *     f:                         alpha M + e K + 2e/h C + s w D^T D                                        (6) */
#include "base/message.h"
#include "base/options.h"
#include "formulations/chord.h"
#include "formulations/kkt.h"
#include "formulations/secant.h"
#include "linalg/blocks.h"
#include "linalg/twofold.h"

#include <math.h>
#include <string.h>

enum { PATIENCE = 4 }; /* passes that may bring nothing */

static const double DOMINANCE = 1e9; /* of the penalty over the mass that a row sees */

typedef struct Options {
    double alpha, tolerance;
    int max_iterations;
} Options;

typedef struct Decaying {
    HolKkt *kkt; /* first, for hol_kkt_accelerate() */
    Options options;
    HolChord *g, *ij;
    HolSecant *secant;
    HolTwofold *tangent; /* (6) */
    double seen_mass;
    bool has_tangent;
    double *D; /* in (6) */
    double *lambda, *kept, *gap, *y;
    double *x_f, *x_j, *r_f, *r_j, *a, *b;
    double *q_j, *across, *v; /* across: q_f - q_j */
    double *Q_i, *Q_j, *zero;
    double *change; /* 2 nv + m: of x_f, x_j, and of lambda as a displacement */
} Decaying;

/* ---- Set-up ---- */

static HolStatus check_system(const HolSetup *setup)
{
    const HolSystem *system = setup->system;
    if (hol_system_is_flat(system) && hol_system_has_constant_mass(system))
        return HOL_OK;
    return hol_fail(setup->message, HOL_UNSUPPORTED,
                    "'energy-decaying' needs coordinates whose rates are the velocities, and a constant mass: choose "
                    "natural coordinates");
}

static void take_memory(const HolSetup *setup, Decaying *s)
{
    const HolPattern *p = hol_system_pattern(setup->system);
    double **of_rows[] = {&s->lambda, &s->kept, &s->gap, &s->y};
    double **of_velocity[] = {&s->x_f, &s->x_j,    &s->r_f, &s->r_j, &s->a,   &s->b,
                              &s->q_j, &s->across, &s->v,   &s->Q_i, &s->Q_j, &s->zero};
    for (size_t i = 0; i < sizeof of_rows / sizeof *of_rows; ++i)
        *of_rows[i] = hol_arena_doubles(setup->arena, (size_t)p->m);
    for (size_t i = 0; i < sizeof of_velocity / sizeof *of_velocity; ++i)
        *of_velocity[i] = hol_arena_doubles(setup->arena, (size_t)p->nv);
    s->D = hol_arena_doubles(setup->arena, (size_t)p->pair_start[p->pair_count]);
    s->change = hol_arena_doubles(setup->arena, 2 * (size_t)p->nv + (size_t)p->m);
}

static HolStatus create(const HolSetup *setup, const void *options, void **self)
{
    const HolPattern *p = hol_system_pattern(setup->system);
    Decaying *s = hol_arena_alloc(setup->arena, sizeof *s);
    if (!s)
        return HOL_NO_MEMORY;
    *self = s;
    HOL_TRY(check_system(setup));
    s->options = *(const Options *)options;
    s->has_tangent = hol_system_has_tangent(setup->system);
    take_memory(setup, s);
    if (hol_arena_failed(setup->arena))
        return HOL_NO_MEMORY;
    const HolTerms *terms = setup->work->terms;
    s->seen_mass = hol_seen_mass(p, terms->M, terms->D, s->gap, s->y);
    HOL_TRY(hol_secant_create(setup->arena, 2 * p->nv + p->m, &s->secant));
    HOL_TRY(hol_chord_create(setup, &s->g));
    HOL_TRY(hol_chord_create(setup, &s->ij));
    HOL_TRY(hol_twofold_create(setup->arena, p, &s->tangent));
    return hol_kkt_create(setup, &s->kkt);
}

/* ---- A step ---- */

/* A step under way. */
typedef struct Trial {
    const HolStepFrom *from;
    const double *q_i, *v_i, *vdot_i;
    double *q_f;
    double h, s, e;
} Trial;

static Trial begin(Decaying *s, const HolPattern *p, const HolStepFrom *from, double *y_new)
{
    Trial trial = {.from = from, .q_i = from->y, .v_i = from->y + p->nq, .vdot_i = from->ydot + p->nq};
    double h = from->h;
    trial.q_f = y_new;
    trial.h = h;
    trial.s = h * h * (1 + s->options.alpha) / 2;
    trial.e = trial.s / 2;
    for (int i = 0; i < p->nv; ++i) {
        s->x_f[i] = h * trial.v_i[i] + h * h / 2 * trial.vdot_i[i];
        s->x_j[i] = -h * h / 6 * trial.vdot_i[i];
    }
    memcpy(s->lambda, s->kept, (size_t)p->m * sizeof *s->lambda);
    return trial;
}

/* (5) and the states that follow from the unknowns. */
static void move(Decaying *s, const HolPattern *p, const Trial *trial)
{
    double h = trial->h;
    for (int i = 0; i < p->nv; ++i) {
        double sum = 2 * (s->x_f[i] / h - trial->v_i[i]);
        s->b[i] = (sum + 6 * s->x_j[i] / h) / (1 + s->options.alpha);
        s->a[i] = sum - s->b[i];
        s->across[i] = s->x_f[i] - s->x_j[i];
        trial->q_f[i] = trial->q_i[i] + s->x_f[i];
        s->q_j[i] = trial->q_i[i] + s->x_j[i];
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

/* The largest gap in parts of its row's size; needs D and nu of the middle of g in the workspace. */
static double find_gaps(Decaying *s, const HolWorkspace *work, const Trial *trial)
{
    const HolPattern *p = work->pattern;
    double largest = 0;
    if (p->nn > 0)
        hol_workspace_velocity_residual(work, s->y);
    for (int i = p->nh; i < p->m; ++i)
        s->gap[i] = trial->h * s->y[i];
    for (int i = 0; i < p->m; ++i) {
        double size = s->g->size[i] > 0 ? s->g->size[i] : 1;
        if (!(fabs(s->gap[i]) <= largest * size))
            largest = fabs(s->gap[i]) / size;
    }
    return largest;
}

/* Everything at the present unknowns; the workspace is left in the middle of g. */
static HolStatus look(Decaying *s, HolWorkspace *work, const Trial *trial, double *gap)
{
    const HolPattern *p = work->pattern;
    double t = trial->from->t, h = trial->h;
    move(s, p, trial);
    hol_workspace_move(work, t + h, trial->q_f, s->zero);
    HOL_TRY(hol_workspace_need(work, HOL_WANT_PHI));
    memcpy(s->gap, work->terms->Phi, (size_t)p->nh * sizeof *s->gap);
    HOL_TRY(force_at(s, work, t, s->q_j, s->Q_j));
    for (int i = 0; i < p->nv; ++i)
        s->v[i] = trial->v_i[i] + s->b[i] / 2;
    HOL_TRY(hol_chord_end(s->ij, work, s->q_j, s->x_j, s->v));
    for (int i = 0; i < p->nv; ++i)
        s->v[i] = s->x_f[i] / h;
    HOL_TRY(hol_chord_begin(s->g, work, t + h / 2, s->q_j));
    HOL_TRY(hol_chord_end(s->g, work, trial->q_f, s->across, s->v));
    *gap = find_gaps(s, work, trial);
    return HOL_OK;
}

/* (6), where the workspace stands. */
static HolStatus factor(Decaying *s, HolWorkspace *work, const Trial *trial)
{
    HolTerms *terms = work->terms;
    double alpha = s->options.alpha;
    HolTwofoldParts parts = {.M = terms->M,
                             .D = s->D,
                             .m_jj = -9,
                             .m_jf = -3,
                             .m_ff = alpha,
                             .k_jj = -alpha * trial->e,
                             .k_jf = trial->e,
                             .k_ff = trial->e,
                             .c = 2 * trial->e / trial->h,
                             .w = DOMINANCE * s->seen_mass};
    hol_secant_begin(s->secant);
    memcpy(s->D, terms->D, (size_t)work->pattern->pair_start[work->pattern->pair_count] * sizeof *s->D);
    if (s->has_tangent) {
        HOL_TRY(hol_system_tangent(work->system, &work->at, s->zero, s->lambda, terms));
        parts.K = terms->K;
        parts.C = terms->C;
        HolStatus status = hol_twofold_factor(s->tangent, &parts);
        if (status != HOL_SINGULAR)
            return status;
        parts.K = parts.C = NULL; /* compressed springs may make it indefinite */
    }
    return hol_twofold_factor(s->tangent, &parts);
}

/* r_f and r_j: what (1) and -3 (2), times s, still miss */
static void find_residuals(Decaying *s, const HolWorkspace *work, const Trial *trial)
{
    const HolPattern *p = work->pattern;
    const HolChord *g = s->g, *ij = s->ij;
    double per_h = 1 / trial->h, *Ma = s->v, *Mb = s->across, alpha = s->options.alpha;
    memcpy(s->r_f, g->Q, (size_t)p->nv * sizeof *s->r_f);
    hol_jacobian_add_transposed(p, g->B, s->lambda, s->r_f);
    memcpy(s->r_j, ij->Q, (size_t)p->nv * sizeof *s->r_j);
    hol_jacobian_add_transposed(p, ij->B, s->lambda, s->r_j);
    hol_mass_times(p, work->terms->M, s->a, Ma);
    hol_mass_times(p, work->terms->M, s->b, Mb);
    for (int i = 0; i < p->nv; ++i) {
        s->r_j[i] = s->r_f[i] - s->r_j[i] - alpha / 2 * (s->Q_j[i] - s->Q_i[i]) + 3 * per_h * Mb[i];
        s->r_f[i] -= per_h * Ma[i];
        s->r_j[i] *= trial->s;
        s->r_f[i] *= trial->s;
    }
}

/* One pass; returns max |dx| */
static double correct(Decaying *s, const HolWorkspace *work, const Trial *trial)
{
    const HolPattern *p = work->pattern;
    double *of_j = s->change + p->nv, *of_rows = of_j + p->nv;
    find_residuals(s, work, trial);
    for (int i = 0; i < p->m; ++i)
        s->y[i] = -DOMINANCE * s->seen_mass * s->gap[i];
    hol_jacobian_add_transposed(p, s->D, s->y, s->r_f);
    hol_twofold_solve(s->tangent, s->r_j, s->r_f);
    hol_jacobian_times(p, s->D, s->r_f, s->y);
    double change = fmax(hol_max_norm(p->nv, s->r_f), hol_max_norm(p->nv, s->r_j));
    memcpy(s->change, s->r_f, (size_t)p->nv * sizeof *s->change);
    memcpy(of_j, s->r_j, (size_t)p->nv * sizeof *of_j);
    for (int i = 0; i < p->m; ++i)
        of_rows[i] = -DOMINANCE * (s->gap[i] + s->y[i]);
    hol_secant_improve(s->secant, s->change);
    for (int i = 0; i < p->nv; ++i) {
        s->x_f[i] += s->change[i];
        s->x_j[i] += of_j[i];
    }
    for (int i = 0; i < p->m; ++i)
        s->lambda[i] += s->seen_mass / trial->s * of_rows[i];
    return change;
}

/* As for energy-preserving steps: small against the way of the step, or come down to rounding. */
static bool has_settled(const Decaying *s, const HolPattern *p, const Trial *trial, const HolProgress *progress,
                        double gap)
{
    static const double ROUNDING = 1e-14, AMPLIFIED = 1e-9;
    double way = trial->h + hol_max_norm(p->nv, s->x_f), goal = s->options.tolerance * way;
    double rounding = ROUNDING * (1 + hol_max_norm(p->nq, trial->q_f));
    bool stalled = progress->since >= PATIENCE && progress->change <= AMPLIFIED * way;
    return (progress->change <= goal || stalled) && gap <= fmax(goal, rounding);
}

static HolStatus iterate(Decaying *s, HolWorkspace *work, const Trial *trial, HolStepReport *report)
{
    HolProgress progress = hol_progress_begin();
    double gap;
    for (int i = 0; i <= s->options.max_iterations; ++i) {
        HOL_TRY(look(s, work, trial, &gap));
        ++report->evaluations;
        if (!isfinite(gap) || isnan(progress.change))
            return HOL_NOT_FINITE;
        if (i > 0 && has_settled(s, work->pattern, trial, &progress, gap))
            return HOL_OK;
        if (progress.since >= 3 * PATIENCE && progress.change > progress.best)
            return HOL_NO_CONVERGENCE;
        if (i == 0 || (s->secant->passes > HOL_SECANT_DEPTH && progress.since >= PATIENCE))
            HOL_TRY(factor(s, work, trial));
        hol_progress_note(&progress, correct(s, work, trial));
        ++report->iterations;
    }
    return HOL_NO_CONVERGENCE;
}

static HolStatus step(void *self, HolWorkspace *work, const HolStepFrom *from, double *y_new, HolStepReport *report)
{
    Decaying *s = self;
    const HolPattern *p = work->pattern;
    const int W = p->nq + p->nv;
    Trial trial = begin(s, p, from, y_new);
    HOL_TRY(force_at(s, work, from->t, trial.q_i, s->Q_i));
    HOL_TRY(hol_chord_begin(s->ij, work, from->t, trial.q_i));
    HOL_TRY(iterate(s, work, &trial, report));
    for (int i = 0; i < p->nv; ++i)
        y_new[p->nq + i] = trial.v_i[i] + s->a[i];
    y_new[W] = from->y[W] + hol_chord_work(s->g, s->lambda) + hol_chord_work(s->ij, s->lambda);
    return HOL_OK;
}

/* The multipliers of an accepted step begin the next one. */
static HolStatus prepare(void *self, HolWorkspace *work, HolStepReport *report)
{
    Decaying *s = self;
    memcpy(s->kept, s->lambda, (size_t)work->pattern->m * sizeof *s->kept);
    return hol_kkt_prepare(self, work, report);
}

static const HolOption options_table[] = {
    {"alpha", HOL_OPTION_REAL, offsetof(Options, alpha), 1, 0, 1, NULL, "",
     "how much decays: 0 nothing, 1 all that is infinitely fast"},
    {"tolerance", HOL_OPTION_REAL, offsetof(Options, tolerance), 1e-13, 1e-15, 1e-3, NULL, "",
     "ends the iteration: change of q over h + the way of the step, and largest |Phi_i| / max_j |D_ij| over that"},
    {"max_iterations", HOL_OPTION_INTEGER, offsetof(Options, max_iterations), 100, 1, 10000, NULL, "",
     "iterations per step before giving up"},
};

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
    .create = create,
    .accelerate = hol_kkt_accelerate,
    .prepare = prepare,
    .step = step,
};
