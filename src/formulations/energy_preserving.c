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
#include "formulations/kkt.h"
#include "formulations/secant.h"
#include "linalg/blocks.h"

#include <math.h>
#include <string.h>

enum { PATIENCE = 4 }; /* passes that may bring nothing */

static const double DOMINANCE = 1e9; /* of the penalty over the mass that a row sees */
static const double HEAVIEST = 1e12; /* mass, in parts of its own, that is lent to an indefinite matrix */

typedef struct Options {
    double tolerance;
    int max_iterations;
} Options;

typedef struct Preserving {
    HolKkt *kkt; /* first, for hol_kkt_accelerate() */
    Options options;
    HolChord *chord;
    HolSecant *secant;
    HolPrimal *tangent;  /* (3), divided by */
    double heavier;      /* 1 where it is positive definite */
    double seen_mass, w; /* of the rows; their penalty times k */
    bool has_tangent;
    double *weights, *D; /* m; the D in (3) */
    double *lambda, *kept, *g, *y;
    double *delta, *v, *d, *x;
    double *change; /* nv + m: of delta, and of lambda as a displacement */
} Preserving;

/* ---- Set-up ---- */

static HolStatus check_system(const HolSetup *setup)
{
    const HolSystem *system = setup->system;
    if (hol_system_is_flat(system) && hol_system_has_constant_mass(system))
        return HOL_OK;
    return hol_fail(setup->message, HOL_UNSUPPORTED,
                    "'energy-preserving' needs coordinates whose rates are the velocities, and a constant mass: choose "
                    "natural coordinates");
}

static HolStatus create(const HolSetup *setup, const void *options, void **self)
{
    const HolPattern *p = hol_system_pattern(setup->system);
    Preserving *s = hol_arena_alloc(setup->arena, sizeof *s);
    if (!s)
        return HOL_NO_MEMORY;
    *self = s;
    HOL_TRY(check_system(setup));
    s->options = *(const Options *)options;
    s->has_tangent = hol_system_has_tangent(setup->system);
    double **of_rows[] = {&s->weights, &s->lambda, &s->kept, &s->g, &s->y};
    double **of_velocity[] = {&s->delta, &s->v, &s->d, &s->x};
    for (size_t i = 0; i < sizeof of_rows / sizeof *of_rows; ++i)
        *of_rows[i] = hol_arena_doubles(setup->arena, (size_t)p->m);
    for (size_t i = 0; i < sizeof of_velocity / sizeof *of_velocity; ++i)
        *of_velocity[i] = hol_arena_doubles(setup->arena, (size_t)p->nv);
    s->D = hol_arena_doubles(setup->arena, (size_t)p->pair_start[p->pair_count]);
    s->change = hol_arena_doubles(setup->arena, (size_t)p->nv + (size_t)p->m);
    if (hol_arena_failed(setup->arena))
        return HOL_NO_MEMORY;
    const HolTerms *terms = setup->work->terms;
    s->seen_mass = hol_seen_mass(p, terms->M, terms->D, s->g, s->y);
    s->w = DOMINANCE * s->seen_mass;
    HOL_TRY(hol_secant_create(setup->arena, p->nv + p->m, &s->secant));
    HOL_TRY(hol_chord_create(setup, &s->chord));
    HOL_TRY(hol_primal_create_tangent(setup->arena, p, &s->tangent));
    return hol_kkt_create(setup, &s->kkt);
}

/* ---- A step ---- */

/* A step under way. */
typedef struct Trial {
    const HolStepFrom *from;
    const double *q_i, *v_i, *vdot_i;
    double *q_f;
    double h, k;
} Trial;

static Trial begin(Preserving *s, const HolPattern *p, const HolStepFrom *from, double *y_new)
{
    Trial trial = {.from = from, .q_i = from->y, .v_i = from->y + p->nq, .vdot_i = from->ydot + p->nq};
    trial.q_f = y_new;
    trial.h = from->h;
    trial.k = from->h * from->h / 2;
    for (int i = 0; i < p->nv; ++i)
        s->delta[i] = trial.h * trial.v_i[i] + trial.k * trial.vdot_i[i];
    memcpy(s->lambda, s->kept, (size_t)p->m * sizeof *s->lambda);
    return trial;
}

/* Q, B and g of the present delta, and the largest gap in parts of its row's size. */
static HolStatus look(Preserving *s, HolWorkspace *work, const Trial *trial, double *gap)
{
    const HolPattern *p = work->pattern;
    double h = trial->h;
    for (int i = 0; i < p->nv; ++i) {
        trial->q_f[i] = trial->q_i[i] + s->delta[i];
        s->v[i] = s->delta[i] / h;
    }
    hol_workspace_move(work, trial->from->t + h, trial->q_f, s->v);
    HOL_TRY(hol_workspace_need(work, HOL_WANT_PHI));
    memcpy(s->g, work->terms->Phi, (size_t)p->nh * sizeof *s->g);
    HOL_TRY(hol_chord_end(s->chord, work, trial->q_f, s->delta, s->v));
    if (p->nn > 0)
        hol_workspace_velocity_residual(work, s->y);
    for (int i = p->nh; i < p->m; ++i)
        s->g[i] = h * s->y[i];
    *gap = 0;
    for (int i = 0; i < p->m; ++i) {
        double size = s->chord->size[i] > 0 ? s->chord->size[i] : 1;
        if (!(fabs(s->g[i]) <= *gap * size))
            *gap = fabs(s->g[i]) / size;
    }
    return HOL_OK;
}

static HolStatus factor_heavier(Preserving *s, const HolTerms *terms, const HolSlopes *slopes, double heavier)
{
    HolSlopes lighter = {terms->K, terms->C, slopes->k / heavier, slopes->c / heavier};
    s->heavier = heavier;
    for (int i = 0; i < terms->pattern->m; ++i)
        s->weights[i] = s->w / heavier;
    return hol_primal_factor_tangent(s->tangent, terms->M, s->has_tangent ? &lighter : NULL, s->D, s->weights);
}

/* (3), where the workspace stands. An indefinite matrix is lent more mass. */
static HolStatus factor(Preserving *s, HolWorkspace *work, const Trial *trial)
{
    HolTerms *terms = work->terms;
    HolSlopes slopes = {terms->K, terms->C, trial->h * trial->h / 4, trial->h / 2};
    HolStatus status = HOL_SINGULAR;
    hol_secant_begin(s->secant);
    memcpy(s->D, terms->D, (size_t)work->pattern->pair_start[work->pattern->pair_count] * sizeof *s->D);
    if (s->has_tangent)
        HOL_TRY(hol_system_tangent(work->system, &work->at, s->x, s->lambda, terms));
    for (double heavier = 1; heavier <= HEAVIEST && status == HOL_SINGULAR; heavier *= 10)
        status = factor_heavier(s, terms, &slopes, heavier);
    return status;
}

/* (4), improved by what the passes before have taught. */
static void take(Preserving *s, const HolPattern *p, const Trial *trial)
{
    double *of_rows = s->change + p->nv, per_move = s->seen_mass / trial->k;
    memcpy(s->change, s->d, (size_t)p->nv * sizeof *s->d);
    for (int i = 0; i < p->m; ++i)
        of_rows[i] = -DOMINANCE * (s->g[i] + s->y[i]);
    hol_secant_improve(s->secant, s->change);
    for (int i = 0; i < p->nv; ++i)
        s->delta[i] += s->change[i];
    for (int i = 0; i < p->m; ++i)
        s->lambda[i] += per_move * of_rows[i];
}

/* (3), (4); returns max |d| */
static double correct(Preserving *s, const HolWorkspace *work, const Trial *trial)
{
    const HolPattern *p = work->pattern;
    const HolChord *c = s->chord;
    memcpy(s->d, c->Q, (size_t)p->nv * sizeof *s->d);
    hol_jacobian_add_transposed(p, c->B, s->lambda, s->d);
    for (int i = 0; i < p->nv; ++i) {
        s->d[i] *= trial->k;
        s->v[i] = s->delta[i] - trial->h * trial->v_i[i];
    }
    hol_mass_times(p, work->terms->M, s->v, s->x);
    for (int i = 0; i < p->m; ++i)
        s->y[i] = -s->w * s->g[i];
    hol_jacobian_add_transposed(p, s->D, s->y, s->d);
    for (int i = 0; i < p->nv; ++i)
        s->d[i] = (s->d[i] - s->x[i]) / s->heavier;
    hol_primal_solve(s->tangent, s->d);
    hol_jacobian_times(p, s->D, s->d, s->y);
    double change = hol_max_norm(p->nv, s->d);
    take(s, p, trial);
    return change;
}

/* The changes of delta are small against the way of the step, or have come down to rounding and shrink no more; the
 * rows are met. Rounding is larger near singular configurations, where the rows hardly hold some direction. */
static bool has_settled(const Preserving *s, const HolPattern *p, const Trial *trial, const HolProgress *progress,
                        double gap)
{
    static const double ROUNDING = 1e-14, AMPLIFIED = 1e-9;
    double way = trial->h + hol_max_norm(p->nv, s->delta), goal = s->options.tolerance * way;
    double rounding = ROUNDING * (1 + hol_max_norm(p->nq, trial->q_f));
    bool stalled = progress->since >= PATIENCE && progress->change <= AMPLIFIED * way;
    return (progress->change <= goal || stalled) && gap <= fmax(goal, rounding);
}

static HolStatus iterate(Preserving *s, HolWorkspace *work, const Trial *trial, HolStepReport *report)
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
    Preserving *s = self;
    const HolPattern *p = work->pattern;
    Trial trial = begin(s, p, from, y_new);
    HOL_TRY(hol_chord_begin(s->chord, work, from->t + from->h / 2, trial.q_i));
    HOL_TRY(iterate(s, work, &trial, report));
    for (int i = 0; i < p->nv; ++i)
        y_new[p->nq + i] = 2 * s->delta[i] / trial.h - trial.v_i[i];
    y_new[p->nq + p->nv] = from->y[p->nq + p->nv] + hol_chord_work(s->chord, s->lambda);
    return HOL_OK;
}

/* The multipliers of an accepted step begin the next one. */
static HolStatus prepare(void *self, HolWorkspace *work, HolStepReport *report)
{
    Preserving *s = self;
    memcpy(s->kept, s->lambda, (size_t)work->pattern->m * sizeof *s->kept);
    return hol_kkt_prepare(self, work, report);
}

static const HolOption options_table[] = {
    {"tolerance", HOL_OPTION_REAL, offsetof(Options, tolerance), 1e-13, 1e-15, 1e-3, NULL, "",
     "ends the iteration: change of q over h + the way of the step, and largest |Phi_i| / max_j |D_ij| over that"},
    {"max_iterations", HOL_OPTION_INTEGER, offsetof(Options, max_iterations), 100, 1, 10000, NULL, "",
     "iterations per step before giving up"},
};

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
    .accelerate = hol_kkt_accelerate,
    .prepare = prepare,
    .step = step,
};
