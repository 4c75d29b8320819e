/* SPDX-License-Identifier: BSD-3-Clause */
#include "solve/steps/energy_step.h"

#include "base/message.h"
#include "base/tolerances.h"
#include "linalg/block/blocks.h"

#include <math.h>
#include <string.h>

enum {
    PATIENCE = 4, /* iterations without progress before the matrix is factored anew */
    SECOND = 2,   /* iteration that begins with a new matrix where there are stiff parts */
    LEVELS = 6    /* of subdivision */
};

static const double DOMINANCE = 1e7;   /* of a penalty over the effective mass of its row, */
static const double STIFFER = 1e3;     /* and over the stiffness */
static const double DIVISION = 0.3819; /* where a step is divided */

/* The first members of the self of each of these formulations. */
typedef struct Self {
    HolKkt *kkt;
    HolEnergyStep *energy_step;
} Self;

/* h^2/4 |K_jj| of each coordinate into x, and whether that is more than M_jj: then it moves through more than about two
 * radians in a step. */
static void find_stiffness(HolEnergyStep *s, const HolTerms *terms, double h, double *x)
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

/* (1). A row of zeros in the initial configuration gets size 1 and the largest effective mass of the others. */
static void weigh_rows(HolEnergyStep *s, const HolTerms *terms)
{
    const HolPattern *p = s->pattern;
    double *square = s->residual, *mass = s->y, largest = 0;
    memset(square, 0, (size_t)p->m * sizeof *square);
    memset(mass, 0, (size_t)p->m * sizeof *mass);
    hol_add_row_masses(p, terms->M, terms->D, square, mass);
    for (int i = 0; i < p->m; ++i)
        largest = square[i] > 0 ? fmax(largest, mass[i] / square[i]) : largest;
    for (int i = 0; i < p->m; ++i) {
        double seen = mass[i] > 0 ? mass[i] / square[i] : largest > 0 ? largest : 1;
        double unit = square[i] > 0 ? square[i] : 1;
        s->w[i] = DOMINANCE * seen / unit;
        s->force[i] = seen / sqrt(unit);
    }
}

/* The stiffness term of (1). */
static HolStatus add_stiffness(const HolSetup *setup, HolEnergyStep *s)
{
    const HolPattern *p = s->pattern;
    HolTerms *terms = setup->work->terms;
    double *x = s->projection->x, *square = s->residual, *seen = s->y;
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

static HolStatus energy_step_take_memory(const HolSetup *setup, HolEnergyStep *s)
{
    const HolPattern *p = s->pattern;
    HOL_DOUBLES(setup->arena, p->m, &s->w, &s->force, &s->lambda, &s->residual, &s->known, &s->kept, &s->latest, &s->y);
    s->is_fast = hol_arena_alloc(setup->arena, (size_t)p->nv * sizeof *s->is_fast);
    s->D = hol_arena_doubles(setup->arena, (size_t)p->pair_start[p->pair_count]);
    for (int i = 0; i < 2; ++i)
        s->of_step[i] = hol_arena_doubles(setup->arena, (size_t)p->m + (size_t)p->nv);
    s->change = hol_arena_doubles(setup->arena, (size_t)s->displacement_count + (size_t)p->m);
    s->parts = hol_arena_doubles(setup->arena, LEVELS * ((size_t)p->nq + 2 * (size_t)p->nv + 1));
    return hol_arena_status(setup->arena);
}

HolStatus hol_energy_step_create(const HolSetup *setup, const char *name, const HolEnergyStepOps *ops,
                                 const HolEnergyStepOptions *options, int displacement_count, void *self)
{
    Self *of = self;
    HOL_TRY(hol_setup_check_mean(setup, name));
    HolEnergyStep *s = hol_arena_alloc(setup->arena, sizeof *s);
    HOL_TRY(hol_arena_status(setup->arena));
    of->energy_step = s;
    s->pattern = hol_system_pattern(setup->system);
    s->ops = ops;
    s->options = *options;
    s->displacement_count = displacement_count;
    HOL_TRY(energy_step_take_memory(setup, s));
    HOL_TRY(hol_anderson_create(setup->arena, displacement_count + s->pattern->m, &s->anderson));
    HOL_TRY(hol_kkt_create(setup, &of->kkt));
    HOL_TRY(hol_projection_create(setup, of->kkt, false, &s->projection));
    weigh_rows(s, setup->work->terms);
    return add_stiffness(setup, s);
}

/* A row of weight zero keeps its lambda. */
static void energy_step_leave_out(Self *self)
{
    HolEnergyStep *s = self->energy_step;
    for (int i = 0; s->all_w && i < s->pattern->m; ++i)
        s->w[i] = self->kkt->left_out[i] ? 0 : s->all_w[i];
}

/* The rows left out must follow from the others to the tolerance of the step: others are chosen early. */
HolStatus hol_energy_step_omit_redundant(const HolSetup *setup, void *self)
{
    static const double POOR = 0.5;
    HolEnergyStep *s = ((Self *)self)->energy_step;
    if (((Self *)self)->kkt->left_out_count == 0)
        return HOL_OK;
    ((Self *)self)->kkt->poor = POOR;
    s->all_w = hol_arena_doubles(setup->arena, (size_t)s->pattern->m);
    HOL_TRY(hol_arena_status(setup->arena));
    memcpy(s->all_w, s->w, (size_t)s->pattern->m * sizeof *s->w);
    energy_step_leave_out(self);
    return HOL_OK;
}

void hol_energy_step_update(HolEnergyStep *s, double scale, const double *D_d)
{
    double *of_rows = s->change + s->displacement_count;
    for (int i = 0; i < s->pattern->m; ++i)
        of_rows[i] = -(s->residual[i] + D_d[i]) * s->w[i] / s->force[i];
    hol_anderson_accelerate(s->anderson, s->change);
    for (int i = 0; i < s->pattern->m; ++i)
        s->lambda[i] += s->force[i] / scale * of_rows[i];
}

/* The largest change of a coordinate, at least a thousandth of the size of the system; and the size of positions. */
static double step_length(const HolPattern *p, const HolSubstep *part, double *largest)
{
    double way = 0;
    *largest = hol_position_size(p, part->q_new);
    for (int i = 0; i < p->nq; ++i)
        way = fmax(way, fabs(part->q_new[i] - part->q[i]) * (p->pure && p->pure[i] ? p->arm : 1));
    return HOL_TOL_SMALL * p->length + way;
}

/* The largest residual as a distance. Residuals of the size of rounding are set to zero: near a singular configuration
 * the coordinates would follow them far, and where rows are redundant lambda would. */
static double energy_step_max_residual(HolEnergyStep *s, double way, double largest)
{
    static const double ROUNDING = HOL_ROUNDINGS(1), AMPLIFICATION = HOL_TOL_AMPLIFIED / HOL_TOL_CONVERGED;
    double most = 0;
    for (int i = 0; i < s->pattern->m; ++i) {
        double size = s->size[i] > 0 ? s->size[i] : 1, scale = i < s->pattern->nh ? largest : way;
        if (fabs(s->residual[i]) <= ROUNDING * scale * size)
            s->residual[i] = 0;
        if (s->w[i] == 0) /* a row left out follows from the others but for the amplification of their rounding */
            size *= AMPLIFICATION;
        if (!(fabs(s->residual[i]) <= most * size))
            most = fabs(s->residual[i]) / size;
    }
    return most;
}

/* The changes are small relative to the step, or have stalled at the level of rounding; the rows are satisfied. */
static bool energy_step_has_converged(const HolProgress *progress, double residual, double goal, double way,
                                      double largest)
{
    static const double ROUNDING = HOL_TOL_CONVERGED, AMPLIFIED = 10 * HOL_TOL_AMPLIFIED;
    double rounding = fmax(AMPLIFIED * way, HOL_TOL_ROUNDING * largest); /* stiff forces amplify that of positions */
    bool stalled = progress->since >= PATIENCE && progress->change <= rounding;
    return (progress->change <= goal || stalled) && residual <= fmax(goal, ROUNDING * largest);
}

static HolStatus energy_step_iterate(Self *self, HolWorkspace *work, const HolSubstep *part, HolStepReport *report)
{
    HolEnergyStep *s = self->energy_step;
    HolProgress progress = hol_progress_begin();
    for (int i = 0; i < s->pattern->m; ++i)
        s->lambda[i] = s->w[i] > 0 ? s->known[i] : 0;
    HOL_TRY(s->ops->begin(self, work, part));
    for (int i = 0; i <= s->options.max_iterations; ++i) {
        HOL_TRY(s->ops->evaluate(self, work, part));
        double largest, way = step_length(s->pattern, part, &largest),
                        residual = energy_step_max_residual(s, way, largest);
        ++report->evaluations;
        if (!isfinite(residual) || isnan(progress.change))
            return HOL_NOT_FINITE;
        if (i > 0 && energy_step_has_converged(&progress, residual, s->options.tolerance * way, way, largest))
            return HOL_OK;
        if (progress.since >= 3 * PATIENCE && progress.change > progress.best)
            return HOL_NO_CONVERGENCE;
        if (i == 0 || (i == SECOND && s->has_fast) ||
            (s->anderson->passes > s->anderson->depth && progress.since >= PATIENCE)) {
            hol_anderson_begin(s->anderson);
            HolStatus status = s->ops->factor(self, work, part);
            if (status == HOL_SINGULAR && i > 0) /* the matrix of an iterate that has diverged */
                return HOL_NO_CONVERGENCE;
            HOL_TRY(status);
        }
        hol_progress_note(&progress, s->ops->correct(self, work, part));
        ++report->iterations;
    }
    return HOL_NO_CONVERGENCE;
}

static HolStatus energy_step_take(Self *self, HolWorkspace *work, const HolStepFrom *from, double *y_new,
                                  HolStepReport *report)
{
    HolEnergyStep *s = self->energy_step;
    const HolPattern *p = s->pattern;
    HolSubstep part = {from->t, from->h, from->y, from->y + p->nq, from->ydot + p->nq, y_new};
    double done;
    HOL_TRY(energy_step_iterate(self, work, &part, report));
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

/* Takes the step, or two substeps if it fails. Of ydot only vdot is used; the second substep begins with the mean
 * acceleration of the first. */
static HolStatus energy_step_divide(Self *self, HolWorkspace *work, const HolStepFrom *from, int level, double *y_new,
                                    HolStepReport *report)
{
    HolEnergyStep *s = self->energy_step;
    const HolPattern *p = s->pattern;
    HolStatus status = energy_step_take(self, work, from, y_new, report);
    if (!may_divide(status) || level == LEVELS)
        return status;
    ++report->divisions;
    double *y = s->parts + (size_t)level * (size_t)(p->nq + 2 * p->nv + 1), *vdot = y + p->nq + p->nv + 1;
    HolStepFrom first = {from->t, DIVISION * from->h, from->y, from->ydot};
    HOL_TRY(energy_step_divide(self, work, &first, level + 1, y, report));
    mean_acceleration(p, from->y, y, first.h, vdot);
    HolStepFrom second = {first.t + first.h, from->h - first.h, y, vdot - p->nq};
    return energy_step_divide(self, work, &second, level + 1, y_new, report);
}

HolStatus hol_energy_step_take(void *self, HolWorkspace *work, const HolStepFrom *from, double *y_new,
                               HolStepReport *report)
{
    HolEnergyStep *s = ((Self *)self)->energy_step;
    const HolPattern *p = s->pattern;
    size_t rows = (size_t)p->m * sizeof *s->known;
    memcpy(s->known, s->kept, rows);
    HolStatus status = s->has_fast ? HOL_NO_CONVERGENCE : energy_step_take(self, work, from, y_new, report);
    if (may_divide(status)) {
        HolStepFrom again = {from->t, from->h, from->y, s->of_step[0] + p->m - p->nq};
        memcpy(s->known, s->of_step[0], rows);
        status = energy_step_divide(self, work, &again, 0, y_new, report);
    }
    HOL_TRY(status);
    memcpy(s->of_step[1], s->known, rows);
    mean_acceleration(p, from->y, y_new, from->h, s->of_step[1] + p->m);
    if (s->before)
        memcpy(s->reported, s->before, (size_t)p->nq * sizeof *s->reported);
    s->from = from->t;
    s->to = from->t + from->h;
    return HOL_OK;
}

/* The next step begins with the multipliers of the state. Those of the step would accumulate rounding where redundant
 * rows leave them undetermined. */
HolStatus hol_energy_step_accelerate(void *self, HolWorkspace *work, double h, double *vdot, double *lambda,
                                     HolStepReport *report)
{
    HolEnergyStep *s = ((Self *)self)->energy_step;
    size_t rows = (size_t)s->pattern->m * sizeof *lambda;
    if (hol_energy_step_q_before(self, work->at.t)) {
        memcpy(lambda, s->of_step[1], rows);
        memcpy(vdot, s->of_step[1] + s->pattern->m, (size_t)s->pattern->nv * sizeof *vdot);
    } else {
        HOL_TRY(hol_kkt_accelerate(self, work, h, vdot, lambda, report));
    }
    memcpy(s->latest, lambda, rows);
    return HOL_OK;
}

const double *hol_energy_step_q_before(void *self, double t)
{
    const HolEnergyStep *s = ((Self *)self)->energy_step;
    double rounding = HOL_TOL_STEP * (s->to - s->from);
    return s->before && t > s->from + rounding && t < s->to + rounding ? s->reported : NULL;
}

const double *hol_energy_step_midpoint_multipliers(void *self)
{
    const HolEnergyStep *s = ((Self *)self)->energy_step;
    return s->to > s->from ? s->of_step[1] : NULL;
}

HolStatus hol_energy_step_prepare(void *self, HolWorkspace *work, HolStepReport *report)
{
    HolEnergyStep *s = ((Self *)self)->energy_step;
    memcpy(s->kept, s->latest, (size_t)s->pattern->m * sizeof *s->kept);
    memcpy(s->of_step[0], s->of_step[1], (size_t)(s->pattern->m + s->pattern->nv) * sizeof *s->kept);
    HOL_TRY(hol_kkt_prepare(self, work, report));
    energy_step_leave_out(self);
    return HOL_OK;
}

/* Anderson acceleration begins anew in each step and has nothing to list. */
void hol_energy_step_archive(void *self, HolArchive *archive)
{
    HolEnergyStep *s = ((Self *)self)->energy_step;
    const int nq = s->pattern->nq, nv = s->pattern->nv, m = s->pattern->m;
    hol_archive_doubles(archive, s->kept, m);
    hol_archive_doubles(archive, s->latest, m);
    for (int i = 0; i < 2; ++i)
        hol_archive_doubles(archive, s->of_step[i], m + nv);
    HOL_ARCHIVE_EACH(archive, &s->from, &s->to);
    if (s->before)
        hol_archive_doubles(archive, s->reported, nq);
    hol_kkt_archive_of(self, archive);
    if (hol_archive_reads(archive))
        energy_step_leave_out(self);
}

int hol_energy_step_state_size(const HolPattern *pattern)
{
    return pattern->nv;
}

void hol_energy_step_open(void *self, HolWorkspace *work, double *x)
{
    (void)self;
    memcpy(x, work->at.v, (size_t)work->pattern->nv * sizeof *x);
}

HolStatus hol_energy_step_close(void *self, HolWorkspace *work, double t, const double *y, double *v,
                                HolStepReport *report)
{
    HolEnergyStep *s = ((Self *)self)->energy_step;
    memcpy(v, y + s->pattern->nq, (size_t)s->pattern->nv * sizeof *v);
    hol_workspace_move(work, t, y, v);
    return hol_projection_velocities(s->projection, work, v, report);
}

static double kinetic_of(const HolEnergyStep *s, const double *M, const double *x)
{
    return hol_mass_product(s->pattern, M, x, x, s->projection->x) / 2;
}

double hol_energy_step_kinetic(void *self, HolWorkspace *work, const double *x, double *off_manifold_energy)
{
    HolEnergyStep *s = ((Self *)self)->energy_step;
    for (int i = 0; i < s->pattern->nv; ++i)
        s->change[i] = x[i] - work->at.v[i];
    *off_manifold_energy = kinetic_of(s, work->terms->M, s->change);
    return kinetic_of(s, work->terms->M, x);
}
