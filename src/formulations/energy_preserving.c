/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps that keep the energy and the constraints exactly (EP). See docs/methods/energy-preserving.md.
 *
 * From i to f, with delta = q_f - q_i, in coordinates that move as qdot = v with a constant M:
 *
 *     M (v_f - v_i) / h = Q + B^T lambda,   delta / h = (v_f + v_i) / 2                                 (1)
 *     Phi(t_f, q_f) = 0,   D v - nu = 0 in the middle for nonholonomic rows                             (2)
 *
 * Q and B are those of the chord from q_i to q_f (chord.h). Multiplied by delta, (1) says T_f - T_i = V_i - V_f + work:
 * the energy changes by the work alone, whatever h. The unknowns are delta and lambda; a pass with the tangent in the
 * middle is
 *
 *     (M + h^2/4 K + h/2 C + k w D^T D) d = k (Q + B^T lambda) - M (delta - h v_i) - k w B^T g           (3)
 *     delta <- delta + d,   lambda <- lambda - w (g + B d),   k = h^2/2                                  (4)
 *
 * with g = Phi(t_f, q_f) and h (D v - nu), as in index3_augmented_lagrangian.c: at the end (1) and (2) hold whatever w.
 * The velocity carried on obeys the rows in the middle of steps, not at their ends. */
#include "base/message.h"
#include "base/options.h"
#include "formulations/chord.h"
#include "formulations/whole_step.h"
#include "linalg/blocks.h"

#include <math.h>
#include <string.h>

static const double HEAVIEST = 1e12; /* mass, in parts of its own, that is lent to an indefinite matrix */

typedef struct Options {
    HolWholeOptions whole;
} Options;

typedef struct Preserving {
    HolKkt *kkt;
    HolWholeStep *whole;
    HolChord *chord;
    HolPrimal *tangent; /* (3), divided by */
    double heavier;     /* 1 where it is positive definite */
    bool has_tangent;
    double *weights, *y;   /* m */
    double *delta, *v, *x; /* nv */
} Preserving;

/* Q, B and g of the present delta. */
static HolStatus look(void *self, HolWorkspace *work, const HolWholePart *part)
{
    Preserving *s = self;
    const HolPattern *p = work->pattern;
    double *g = s->whole->gap;
    for (int i = 0; i < p->nv; ++i) {
        part->q_new[i] = part->q[i] + s->delta[i];
        s->v[i] = s->delta[i] / part->h;
    }
    hol_workspace_move(work, part->t + part->h, part->q_new, s->v);
    HOL_TRY(hol_workspace_need(work, HOL_WANT_PHI));
    memcpy(g, work->terms->Phi, (size_t)p->nh * sizeof *g);
    HOL_TRY(hol_chord_end(s->chord, work, part->q_new, s->delta, s->v));
    if (p->nn > 0)
        hol_workspace_velocity_residual(work, s->y);
    for (int i = p->nh; i < p->m; ++i)
        g[i] = part->h * s->y[i];
    return HOL_OK;
}

static HolStatus begin(void *self, HolWorkspace *work, const HolWholePart *part)
{
    Preserving *s = self;
    for (int i = 0; i < work->pattern->nv; ++i)
        s->delta[i] = part->h * part->v[i] + part->h * part->h / 2 * part->vdot[i];
    return hol_chord_begin(s->chord, work, part->t + part->h / 2, part->q);
}

static HolStatus factor_heavier(Preserving *s, const HolTerms *terms, const HolSlopes *slopes, double heavier)
{
    HolSlopes lighter = {terms->K, terms->C, slopes->k / heavier, slopes->c / heavier};
    s->heavier = heavier;
    for (int i = 0; i < terms->pattern->m; ++i)
        s->weights[i] = s->whole->w[i] / heavier;
    return hol_primal_factor_tangent(s->tangent, terms->M, s->has_tangent ? &lighter : NULL, s->whole->D, s->weights);
}

/* (3), where the workspace stands. An indefinite matrix is lent more mass. */
static HolStatus factor(void *self, HolWorkspace *work, const HolWholePart *part)
{
    Preserving *s = self;
    HolTerms *terms = work->terms;
    HolSlopes slopes = {terms->K, terms->C, part->h * part->h / 4, part->h / 2};
    HolStatus status = HOL_SINGULAR;
    memcpy(s->whole->D, terms->D, (size_t)work->pattern->pair_start[work->pattern->pair_count] * sizeof *terms->D);
    if (s->has_tangent)
        HOL_TRY(hol_chord_tangent(s->chord, work, s->whole->lambda));
    for (double heavier = 1; heavier <= HEAVIEST && status == HOL_SINGULAR; heavier *= 10)
        status = factor_heavier(s, terms, &slopes, heavier);
    return status;
}

/* (3), (4) */
static double correct(void *self, HolWorkspace *work, const HolWholePart *part)
{
    Preserving *s = self;
    const HolPattern *p = work->pattern;
    const HolChord *c = s->chord;
    double *d = s->whole->change, k = part->h * part->h / 2;
    memcpy(d, c->Q, (size_t)p->nv * sizeof *d);
    hol_jacobian_add_transposed(p, c->B, s->whole->lambda, d);
    for (int i = 0; i < p->nv; ++i) {
        d[i] *= k;
        s->v[i] = s->delta[i] - part->h * part->v[i];
    }
    hol_mass_times(p, work->terms->M, s->v, s->x);
    for (int i = 0; i < p->m; ++i)
        s->y[i] = -s->whole->w[i] * s->whole->gap[i];
    hol_jacobian_add_transposed(p, s->whole->D, s->y, d);
    for (int i = 0; i < p->nv; ++i)
        d[i] = (d[i] - s->x[i]) / s->heavier;
    hol_primal_solve(s->tangent, d);
    hol_jacobian_times(p, s->whole->D, d, s->y);
    double change = hol_max_norm(p->nv, d);
    hol_whole_take(s->whole, k, s->y);
    for (int i = 0; i < p->nv; ++i)
        s->delta[i] += d[i];
    return change;
}

/* The velocity loses what rows at rest have done. They end within rounding of zero, and lambda times that, which is not
 * even to both sides, is nearly all that the energy would drift by. */
static void give_back(const Preserving *s, const HolWorkspace *work, double *v)
{
    static const double ROUNDING = 1e-9; /* more than that is none */
    const HolPattern *p = work->pattern;
    double leak = s->chord->leak, square = 0;
    hol_mass_times(p, work->terms->M, v, s->x);
    for (int i = 0; i < p->nv; ++i)
        square += v[i] * s->x[i];
    for (int i = 0; i < p->nv && fabs(leak) < ROUNDING * square; ++i)
        v[i] -= leak / square * v[i];
}

static HolStatus end(void *self, HolWorkspace *work, const HolWholePart *part, double *v_new, double *done)
{
    Preserving *s = self;
    for (int i = 0; i < work->pattern->nv; ++i)
        v_new[i] = 2 * s->delta[i] / part->h - part->v[i];
    HOL_TRY(hol_chord_work(s->chord, work, s->whole->lambda, done));
    give_back(s, work, v_new);
    return HOL_OK;
}

static HolStatus create(const HolSetup *setup, const void *options, void **self)
{
    static const HolWholeOps ops = {begin, look, factor, correct, end};
    const HolPattern *p = hol_system_pattern(setup->system);
    Preserving *s = hol_arena_alloc(setup->arena, sizeof *s);
    if (!s)
        return HOL_NO_MEMORY;
    *self = s;
    HOL_TRY(hol_whole_create(setup, "energy-preserving", &ops, &((const Options *)options)->whole, p->nv, s));
    s->has_tangent = hol_system_has_tangent(setup->system);
    double **of_velocity[] = {&s->delta, &s->v, &s->x};
    for (size_t i = 0; i < sizeof of_velocity / sizeof *of_velocity; ++i)
        *of_velocity[i] = hol_arena_doubles(setup->arena, (size_t)p->nv);
    s->weights = hol_arena_doubles(setup->arena, (size_t)p->m);
    s->y = hol_arena_doubles(setup->arena, (size_t)p->m);
    if (hol_arena_failed(setup->arena))
        return HOL_NO_MEMORY;
    HOL_TRY(hol_chord_create(setup, &s->chord));
    s->whole->size = s->chord->size;
    return hol_primal_create_tangent(setup->arena, p, &s->tangent);
}

static const HolOption options_table[] = {HOL_WHOLE_OPTIONS(Options, whole)};

const HolFormulationKind hol_energy_preserving = {
    .name = "energy-preserving",
    .title = "energy-preserving steps: mid-point form with discrete gradients, constraints exact",
    .page = "docs/methods/energy-preserving.md",
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
