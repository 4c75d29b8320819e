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
#include "formulations/whole_step.h"
#include "linalg/blocks.h"
#include "linalg/twofold.h"

#include <math.h>
#include <string.h>

typedef struct Options {
    double alpha;
    HolWholeOptions whole;
} Options;

typedef struct Decaying {
    HolKkt *kkt;
    HolWholeStep *whole;
    double alpha;
    HolChord *g, *ij;
    HolTwofold *tangent; /* (6) */
    bool has_tangent;
    double *y;                             /* m */
    double *x_f, *x_j, *r_f, *r_j, *a, *b; /* nv, as all below */
    double *q_j, *across, *v;              /* across: q_f - q_j */
    double *Q_i, *Q_j, *zero;
} Decaying;

/* ---- Where the unknowns lead ---- */

/* (5) and the states that follow from the unknowns. */
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
    for (int i = 0; i < p->nv; ++i)
        s->v[i] = s->x_f[i] / h;
    HOL_TRY(hol_chord_begin(s->g, work, part->t + h / 2, s->q_j));
    HOL_TRY(hol_chord_end(s->g, work, part->q_new, s->across, s->v));
    if (p->nn > 0)
        find_velocity_gaps(s, p, part);
    return HOL_OK;
}

/* ---- A pass ---- */

/* (6), where the workspace stands. */
static HolStatus factor(void *self, HolWorkspace *work, const HolWholePart *part)
{
    Decaying *s = self;
    HolTerms *terms = work->terms;
    double alpha = s->alpha, e = part->h * part->h * (1 + alpha) / 4;
    HolTwofoldParts parts = {.M = terms->M,
                             .D = s->whole->D,
                             .w = s->whole->w,
                             .m_jj = -9,
                             .m_jf = -3,
                             .m_ff = alpha,
                             .k_jj = -alpha * e,
                             .k_jf = e,
                             .k_ff = e,
                             .c = 2 * e / part->h};
    memcpy(s->whole->D, terms->D, (size_t)work->pattern->pair_start[work->pattern->pair_count] * sizeof *terms->D);
    if (s->has_tangent) {
        HOL_TRY(hol_system_tangent(work->system, &work->at, s->zero, s->whole->lambda, terms));
        parts.K = terms->K;
        parts.C = terms->C;
        HolStatus status = hol_twofold_factor(s->tangent, &parts);
        if (status != HOL_SINGULAR)
            return status;
        parts.K = parts.C = NULL; /* compressed springs may make it indefinite */
    }
    return hol_twofold_factor(s->tangent, &parts);
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
    hol_jacobian_add_transposed(p, ij->B, s->whole->lambda, s->r_j);
    hol_mass_times(p, work->terms->M, s->a, Ma);
    hol_mass_times(p, work->terms->M, s->b, Mb);
    for (int i = 0; i < p->nv; ++i) {
        double r_j = s->r_f[i] - s->r_j[i] - s->alpha / 2 * (s->Q_j[i] - s->Q_i[i]) + 3 / h * Mb[i];
        s->r_j[i] = scale * r_j;
        s->r_f[i] = scale * (s->r_f[i] - Ma[i] / h);
    }
}

static double correct(void *self, HolWorkspace *work, const HolWholePart *part)
{
    Decaying *s = self;
    const HolPattern *p = work->pattern;
    double *of_f = s->whole->change, *of_j = of_f + p->nv, scale = part->h * part->h * (1 + s->alpha) / 2;
    find_residuals(s, work, part->h, scale);
    for (int i = 0; i < p->m; ++i)
        s->y[i] = -s->whole->w[i] * s->whole->gap[i];
    hol_jacobian_add_transposed(p, s->whole->D, s->y, s->r_f);
    hol_twofold_solve(s->tangent, s->r_j, s->r_f);
    hol_jacobian_times(p, s->whole->D, s->r_f, s->y);
    double change = fmax(hol_max_norm(p->nv, s->r_f), hol_max_norm(p->nv, s->r_j));
    memcpy(of_f, s->r_f, (size_t)p->nv * sizeof *of_f);
    memcpy(of_j, s->r_j, (size_t)p->nv * sizeof *of_j);
    hol_whole_take(s->whole, scale, s->y);
    for (int i = 0; i < p->nv; ++i) {
        s->x_f[i] += of_f[i];
        s->x_j[i] += of_j[i];
    }
    return change;
}

static HolStatus end(void *self, HolWorkspace *work, const HolWholePart *part, double *v_new, double *done)
{
    Decaying *s = self;
    double first, second;
    for (int i = 0; i < work->pattern->nv; ++i)
        v_new[i] = part->v[i] + s->a[i];
    HOL_TRY(hol_chord_work(s->ij, work, s->whole->lambda, &first));
    HOL_TRY(hol_chord_work(s->g, work, s->whole->lambda, &second));
    *done = first + second;
    return HOL_OK;
}

/* ---- Set-up ---- */

static void take_memory(const HolSetup *setup, Decaying *s)
{
    const HolPattern *p = hol_system_pattern(setup->system);
    double **of_velocity[] = {&s->x_f, &s->x_j,    &s->r_f, &s->r_j, &s->a,   &s->b,
                              &s->q_j, &s->across, &s->v,   &s->Q_i, &s->Q_j, &s->zero};
    for (size_t i = 0; i < sizeof of_velocity / sizeof *of_velocity; ++i)
        *of_velocity[i] = hol_arena_doubles(setup->arena, (size_t)p->nv);
    s->y = hol_arena_doubles(setup->arena, (size_t)p->m);
}

/* Without mass nothing holds a coordinate at j, where no row does. */
static HolStatus check_masses(const HolSetup *setup, const Decaying *s)
{
    const HolTerms *terms = setup->work->terms;
    HolTwofoldParts parts = {.M = terms->M, .D = terms->D, .w = s->whole->w, .m_jj = -1, .m_ff = 1};
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
    HOL_TRY(hol_whole_create(setup, "energy-decaying", &ops, &o->whole, 2 * p->nv, s));
    s->alpha = o->alpha;
    s->has_tangent = hol_system_has_tangent(setup->system);
    take_memory(setup, s);
    if (hol_arena_failed(setup->arena))
        return HOL_NO_MEMORY;
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
    .accelerate = hol_whole_accelerate,
    .prepare = hol_whole_prepare,
    .own_size = hol_whole_own_size,
    .open = hol_whole_open,
    .close = hol_whole_close,
    .kinetic = hol_whole_kinetic,
    .step = hol_whole_step,
};
