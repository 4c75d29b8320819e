/* SPDX-License-Identifier: BSD-3-Clause */
#include "formulations/whole_step.h"

#include "base/message.h"
#include "linalg/blocks.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    PATIENCE = 4, /* passes that may bring nothing */
    SECOND = 2,   /* pass that begins with another matrix where the first one stood too far off: with stiff parts */
    LEVELS = 6    /* of division */
};

static const double DOMINANCE = 1e7;   /* of a penalty over the mass that its row sees, */
static const double STIFFER = 1e3;     /* and over the stiffness */
static const double DIVISION = 0.3819; /* where a step is divided */

/* What the selves of all these formulations begin with. */
typedef struct Self {
    HolKkt *kkt;
    HolWholeStep *whole;
} Self;

/* ---- Set-up ---- */

/* h^2/4 |K_jj| of each coordinate into x, and whether that is more than M_jj: then it moves through more than about two
 * radians in a step. */
static void find_stiffness(HolWholeStep *s, const HolTerms *terms, double h, double *x)
{
    const HolPattern *p = s->pattern;
    memset(x, 0, (size_t)p->nv * sizeof *x);
    for (int k = 0; k < p->tangent_count; ++k) {
        int b = p->tangents[k].row, n = hol_part_size(p->block_start, b);
        for (int i = 0; i < n && p->tangents[k].column == b; ++i) {
            int at = p->block_start[b] + i;
            x[at] = h * h / 4 * fabs(terms->K[p->tangent_start[k] + (n + 1) * i]);
            s->is_fast[at] = x[at] > terms->M[p->mass_start[b] + (n + 1) * i];
            s->has_fast = s->has_fast || s->is_fast[at];
        }
    }
}

/* (1). A row that touches nothing at the start is taken as one of size 1 on the largest mass of the others. */
static void weigh_rows(HolWholeStep *s, const HolTerms *terms)
{
    const HolPattern *p = s->pattern;
    double *square = s->gap, *mass = s->y, largest = 0;
    memset(square, 0, (size_t)p->m * sizeof *square);
    memset(mass, 0, (size_t)p->m * sizeof *mass);
    hol_add_seen_masses(p, terms->M, terms->D, square, mass);
    for (int i = 0; i < p->m; ++i)
        largest = square[i] > 0 ? fmax(largest, mass[i] / square[i]) : largest;
    for (int i = 0; i < p->m; ++i) {
        double seen = mass[i] > 0 ? mass[i] / square[i] : largest > 0 ? largest : 1;
        double unit = square[i] > 0 ? square[i] : 1;
        s->w[i] = DOMINANCE * seen / unit;
        s->force[i] = seen / sqrt(unit);
    }
}

/* What (1) adds for stiffness. */
static HolStatus add_stiffness(const HolSetup *setup, HolWholeStep *s)
{
    const HolPattern *p = s->pattern;
    HolTerms *terms = setup->work->terms;
    double *x = s->projection->x, *square = s->gap, *seen = s->y;
    if (!hol_system_has_tangent(setup->system))
        return HOL_OK;
    memset(x, 0, (size_t)p->nv * sizeof *x);
    memset(s->lambda, 0, (size_t)p->m * sizeof *s->lambda);
    HOL_TRY(hol_system_tangent(setup->system, &setup->work->at, x, s->lambda, terms));
    find_stiffness(s, terms, setup->h, x);
    memset(square, 0, (size_t)p->m * sizeof *square);
    memset(seen, 0, (size_t)p->m * sizeof *seen);
    for (int i = 0; i < p->pair_count; ++i) {
        int n = hol_part_size(p->block_start, p->pairs[i].column), row = p->group_start[p->pairs[i].row];
        for (int k = 0; k < hol_part_size(p->group_start, p->pairs[i].row) * n; ++k) {
            double D = terms->D[p->pair_start[i] + k];
            seen[row + k / n] += D * D * x[p->block_start[p->pairs[i].column] + k % n];
            square[row + k / n] += D * D;
        }
    }
    for (int i = 0; i < p->m; ++i)
        s->w[i] += square[i] > 0 ? STIFFER * seen[i] / (square[i] * square[i]) : 0;
    return HOL_OK;
}

static HolStatus check_system(const HolSetup *setup, const char *name)
{
    if (hol_system_is_flat(setup->system) && hol_system_has_constant_mass(setup->system))
        return HOL_OK;
    return hol_fail(setup->message, HOL_UNSUPPORTED,
                    "'%s' needs coordinates whose rates are the velocities and a constant mass, which '%s' has not: "
                    "choose natural coordinates",
                    name, hol_system_name(setup->system));
}

static HolStatus take_memory(const HolSetup *setup, HolWholeStep *s)
{
    const HolPattern *p = s->pattern;
    double **of_rows[] = {&s->w, &s->force, &s->lambda, &s->gap, &s->known, &s->kept, &s->latest, &s->y};
    for (size_t i = 0; i < sizeof of_rows / sizeof *of_rows; ++i)
        *of_rows[i] = hol_arena_doubles(setup->arena, (size_t)p->m);
    s->is_fast = hol_arena_alloc(setup->arena, (size_t)p->nv * sizeof *s->is_fast);
    s->D = hol_arena_doubles(setup->arena, (size_t)p->pair_start[p->pair_count]);
    for (int i = 0; i < 2; ++i)
        s->of_step[i] = hol_arena_doubles(setup->arena, (size_t)p->m + (size_t)p->nv);
    s->change = hol_arena_doubles(setup->arena, (size_t)s->moves + (size_t)p->m);
    s->parts = hol_arena_doubles(setup->arena, LEVELS * ((size_t)p->nq + 2 * (size_t)p->nv + 1));
    return hol_arena_failed(setup->arena) ? HOL_NO_MEMORY : HOL_OK;
}

HolStatus hol_whole_create(const HolSetup *setup, const char *name, const HolWholeOps *ops,
                           const HolWholeOptions *options, int moves, void *self)
{
    Self *of = self;
    HOL_TRY(check_system(setup, name));
    HolWholeStep *s = hol_arena_alloc(setup->arena, sizeof *s);
    if (!s)
        return HOL_NO_MEMORY;
    of->whole = s;
    s->pattern = hol_system_pattern(setup->system);
    s->ops = ops;
    s->options = *options;
    s->moves = moves;
    HOL_TRY(take_memory(setup, s));
    HOL_TRY(hol_secant_create(setup->arena, moves + s->pattern->m, &s->secant));
    HOL_TRY(hol_kkt_create(setup, &of->kkt));
    HOL_TRY(hol_projection_create(setup, of->kkt, false, &s->projection));
    weigh_rows(s, setup->work->terms);
    return add_stiffness(setup, s);
}

/* ---- Passes ---- */

void hol_whole_take(HolWholeStep *whole, double scale, const double *D_d)
{
    HolWholeStep *s = whole;
    double *of_rows = s->change + s->moves;
    for (int i = 0; i < s->pattern->m; ++i)
        of_rows[i] = -(s->gap[i] + D_d[i]) * s->w[i] / s->force[i];
    hol_secant_improve(s->secant, s->change);
    for (int i = 0; i < s->pattern->m; ++i)
        s->lambda[i] += s->force[i] / scale * of_rows[i];
}

/* The way of the step, and how large coordinates are. */
static double way_of(const HolPattern *p, const HolWholePart *part, double *largest)
{
    double way = 0;
    *largest = hol_max_norm(p->nq, part->q_new);
    for (int i = 0; i < p->nq; ++i)
        way = fmax(way, fabs(part->q_new[i] - part->q[i]));
    return part->h + way;
}

/* The largest gap as a distance. Gaps of rounding are closed: next to a singular configuration the coordinates would
 * follow them far, and where rows are redundant lambda would. */
static double look_at_gaps(HolWholeStep *s, double way, double largest)
{
    static const double ROUNDING = 8 * DBL_EPSILON;
    double most = 0;
    for (int i = 0; i < s->pattern->m; ++i) {
        double size = s->size[i] > 0 ? s->size[i] : 1, scale = i < s->pattern->nh ? 1 + largest : way;
        if (fabs(s->gap[i]) <= ROUNDING * scale * size)
            s->gap[i] = 0;
        if (!(fabs(s->gap[i]) <= most * size))
            most = fabs(s->gap[i]) / size;
    }
    return most;
}

/* The changes are small against the way of the step, or have come down to rounding and shrink no more; the rows are
 * met. */
static bool has_settled(const HolProgress *progress, double gap, double goal, double way, double largest)
{
    static const double ROUNDING = 1e-14, AMPLIFIED = 1e-11;
    bool stalled = progress->since >= PATIENCE && progress->change <= AMPLIFIED * way;
    return (progress->change <= goal || stalled) && gap <= fmax(goal, ROUNDING * (1 + largest));
}

static HolStatus settle(Self *self, HolWorkspace *work, const HolWholePart *part, HolStepReport *report)
{
    HolWholeStep *s = self->whole;
    HolProgress progress = hol_progress_begin();
    memcpy(s->lambda, s->known, (size_t)s->pattern->m * sizeof *s->lambda);
    HOL_TRY(s->ops->begin(self, work, part));
    for (int i = 0; i <= s->options.max_iterations; ++i) {
        HOL_TRY(s->ops->look(self, work, part));
        double largest, way = way_of(s->pattern, part, &largest), gap = look_at_gaps(s, way, largest);
        ++report->evaluations;
        if (!isfinite(gap) || isnan(progress.change))
            return HOL_NOT_FINITE;
        if (i > 0 && has_settled(&progress, gap, s->options.tolerance * way, way, largest))
            return HOL_OK;
        if (progress.since >= 3 * PATIENCE && progress.change > progress.best)
            return HOL_NO_CONVERGENCE;
        if (i == 0 || (i == SECOND && s->has_fast) ||
            (s->secant->passes > HOL_SECANT_DEPTH && progress.since >= PATIENCE)) {
            hol_secant_begin(s->secant);
            HOL_TRY(s->ops->factor(self, work, part));
        }
        hol_progress_note(&progress, s->ops->correct(self, work, part));
        ++report->iterations;
    }
    return HOL_NO_CONVERGENCE;
}

/* ---- Steps and their parts ---- */

static HolStatus take_whole(Self *self, HolWorkspace *work, const HolStepFrom *from, double *y_new,
                            HolStepReport *report)
{
    HolWholeStep *s = self->whole;
    const HolPattern *p = s->pattern;
    HolWholePart part = {from->t, from->h, from->y, from->y + p->nq, from->ydot + p->nq, y_new};
    double done;
    HOL_TRY(settle(self, work, &part, report));
    HOL_TRY(s->ops->end(self, work, &part, y_new + p->nq, &done));
    y_new[p->nq + p->nv] = from->y[p->nq + p->nv] + done;
    memcpy(s->known, s->lambda, (size_t)p->m * sizeof *s->known);
    return HOL_OK;
}

static bool may_divide(HolStatus status)
{
    return status == HOL_NO_CONVERGENCE || status == HOL_SINGULAR || status == HOL_NOT_FINITE;
}

/* a = (v_new - v) / h */
static void mean_acceleration(const HolPattern *p, const double *y, const double *y_new, double h, double *a)
{
    for (int i = 0; i < p->nv; ++i)
        a[i] = (y_new[p->nq + i] - y[p->nq + i]) / h;
}

/* One part after the other; of ydot only vdot is looked at, and the second part begins with the mean of the first. */
static HolStatus take(Self *self, HolWorkspace *work, const HolStepFrom *from, int level, double *y_new,
                      HolStepReport *report)
{
    HolWholeStep *s = self->whole;
    const HolPattern *p = s->pattern;
    HolStatus status = take_whole(self, work, from, y_new, report);
    if (!may_divide(status) || level == LEVELS)
        return status;
    ++report->divisions;
    double *y = s->parts + (size_t)level * (size_t)(p->nq + 2 * p->nv + 1), *vdot = y + p->nq + p->nv + 1;
    HolStepFrom first = {from->t, DIVISION * from->h, from->y, from->ydot};
    HOL_TRY(take(self, work, &first, level + 1, y, report));
    mean_acceleration(p, from->y, y, first.h, vdot);
    HolStepFrom second = {first.t + first.h, from->h - first.h, y, vdot - p->nq};
    return take(self, work, &second, level + 1, y_new, report);
}

HolStatus hol_whole_step(void *self, HolWorkspace *work, const HolStepFrom *from, double *y_new, HolStepReport *report)
{
    HolWholeStep *s = ((Self *)self)->whole;
    const HolPattern *p = s->pattern;
    size_t rows = (size_t)p->m * sizeof *s->known;
    memcpy(s->known, s->kept, rows);
    HolStatus status = s->has_fast ? HOL_NO_CONVERGENCE : take_whole(self, work, from, y_new, report);
    if (may_divide(status)) {
        HolStepFrom again = {from->t, from->h, from->y, s->of_step[0] + p->m - p->nq};
        memcpy(s->known, s->of_step[0], rows);
        status = take(self, work, &again, 0, y_new, report);
    }
    HOL_TRY(status);
    memcpy(s->of_step[1], s->known, rows);
    mean_acceleration(p, from->y, y_new, from->h, s->of_step[1] + p->m);
    if (s->before)
        memcpy(s->told, s->before, (size_t)p->nq * sizeof *s->told);
    s->from = from->t;
    s->to = from->t + from->h;
    return HOL_OK;
}

/* ---- The state that others see ---- */

/* The multipliers of the state begin the next step. Those of the step itself would carry on what rounding has put where
 * redundant rows leave them open. */
HolStatus hol_whole_accelerate(void *self, HolWorkspace *work, double h, double *vdot, double *lambda,
                               HolStepReport *report)
{
    HolWholeStep *s = ((Self *)self)->whole;
    size_t rows = (size_t)s->pattern->m * sizeof *lambda;
    if (hol_whole_q_before(self, work->at.t)) {
        memcpy(lambda, s->of_step[1], rows);
        memcpy(vdot, s->of_step[1] + s->pattern->m, (size_t)s->pattern->nv * sizeof *vdot);
    } else {
        HOL_TRY(hol_kkt_accelerate(self, work, h, vdot, lambda, report));
    }
    memcpy(s->latest, lambda, rows);
    return HOL_OK;
}

const double *hol_whole_q_before(void *self, double t)
{
    const HolWholeStep *s = ((Self *)self)->whole;
    double rounding = 1e-6 * (s->to - s->from);
    return s->before && t > s->from + rounding && t < s->to + rounding ? s->told : NULL;
}

HolStatus hol_whole_prepare(void *self, HolWorkspace *work, HolStepReport *report)
{
    HolWholeStep *s = ((Self *)self)->whole;
    memcpy(s->kept, s->latest, (size_t)s->pattern->m * sizeof *s->kept);
    memcpy(s->of_step[0], s->of_step[1], (size_t)(s->pattern->m + s->pattern->nv) * sizeof *s->kept);
    return hol_kkt_prepare(self, work, report);
}

int hol_whole_own_size(const HolPattern *pattern)
{
    return pattern->nv;
}

void hol_whole_open(void *self, HolWorkspace *work, double *x)
{
    (void)self;
    memcpy(x, work->at.v, (size_t)work->pattern->nv * sizeof *x);
}

HolStatus hol_whole_close(void *self, HolWorkspace *work, double t, const double *y, double *v, HolStepReport *report)
{
    HolWholeStep *s = ((Self *)self)->whole;
    memcpy(v, y + s->pattern->nq, (size_t)s->pattern->nv * sizeof *v);
    hol_workspace_move(work, t, y, v);
    return hol_projection_velocities(s->projection, work, v, report);
}

static double kinetic_of(const HolWholeStep *s, const double *M, const double *x)
{
    double sum = 0, *Mx = s->projection->x;
    hol_mass_times(s->pattern, M, x, Mx);
    for (int i = 0; i < s->pattern->nv; ++i)
        sum += x[i] * Mx[i];
    return sum / 2;
}

double hol_whole_kinetic(void *self, HolWorkspace *work, const double *x, double *stray)
{
    HolWholeStep *s = ((Self *)self)->whole;
    for (int i = 0; i < s->pattern->nv; ++i)
        s->change[i] = x[i] - work->at.v[i];
    *stray = kinetic_of(s, work->terms->M, s->change);
    return kinetic_of(s, work->terms->M, x);
}
