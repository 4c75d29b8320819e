/* SPDX-License-Identifier: BSD-3-Clause */
#include "simulate/singular/detector.h"

#include "base/message.h"
#include "base/tolerances.h"
#include "linalg/block/blocks.h"
#include "linalg/rank/rank.h"
#include "simulate/singular/branches.h"
#include "simulate/singular/critical.h"

#include <math.h>
#include <string.h>

static const double ROUNDING = HOL_TOL_PIVOT;

static HolStatus branches_alloc(HolArena *arena, HolDetector *w)
{
    for (int i = 0; i <= HOL_MAX_BRANCHES; ++i) {
        HolBranches *branches = i < HOL_MAX_BRANCHES ? &w->kept_branches[i] : &w->branches;
        branches->q = hol_arena_doubles(arena, (size_t)w->pattern->nq);
        for (int k = 0; k < 2; ++k)
            branches->v[k] = hol_arena_doubles(arena, (size_t)w->pattern->nv);
    }
    return hol_arena_status(arena);
}

HolStatus hol_detector_create(HolArena *arena, HolWorkspace *work, const double *v, HolDetector **detector)
{
    const HolPattern *p = work->pattern;
    HolDetector *w = hol_arena_alloc(arena, sizeof *w);
    HOL_TRY(hol_arena_status(arena));
    *detector = w;
    w->pattern = p;
    w->is_disabled = hol_system_has_no_loops(work->system);
    w->left_out = hol_arena_alloc(arena, (size_t)p->m);
    w->candidates = hol_arena_alloc(arena, (size_t)p->m);
    HOL_DOUBLES(arena, p->nv, &w->x, &w->z, &w->dq, &w->moved);
    HOL_DOUBLES(arena, p->m, &w->y, &w->r);
    for (int i = 0; i < HOL_DETECTOR_SAMPLES + 2; ++i) {
        HolDetectorSample *others[] = {&w->trial, &w->initial};
        HolDetectorSample *sample = i < HOL_DETECTOR_SAMPLES ? &w->samples[i] : others[i - HOL_DETECTOR_SAMPLES];
        sample->q = hol_arena_doubles(arena, (size_t)p->nq);
        HOL_DOUBLES(arena, p->nv, &sample->v, &sample->vdot);
    }
    HOL_TRY(hol_arena_status(arena));
    memcpy(w->initial.v, v, (size_t)p->nv * sizeof *v);
    HOL_TRY(branches_alloc(arena, w));
    HOL_TRY(hol_rows_create(arena, p, &w->rows));
    HOL_TRY(hol_rows_choose(w->rows, work->terms->D, HOL_TOL_RANK, w->left_out, &w->left_out_count));
    w->schur = hol_rows_solver(w->rows);
    return hol_smallest_create(arena, p, w->schur, w->left_out_count, &w->smallest);
}

HolStatus hol_detector_factor(HolDetector *detector, const HolTerms *terms)
{
    const double *D = hol_jacobian_in_units(detector->pattern, terms->D, detector->smallest->scaled);
    return hol_schur_factor(detector->schur, D, ROUNDING, detector->left_out_count > 0 ? detector->left_out : NULL);
}

double hol_detector_sigma_min(HolDetector *detector, const HolTerms *terms)
{
    return hol_smallest_singular(detector->smallest, terms->D,
                                 detector->left_out_count > 0 ? detector->left_out : NULL);
}

static double detector_sine(HolDetector *w, const HolWorkspace *work, double pivot)
{
    if (pivot < 0)
        pivot = hol_detector_factor(w, work->terms) == HOL_OK ? hol_schur_pivot(w->schur) : 0;
    double size = sqrt(fmax(pivot, 0));
    w->max_sine = fmax(w->max_sine, size);
    return size;
}

static void detector_take_trial(HolDetector *w, double size, const HolState *state, const HolMeasures *measures)
{
    size_t bytes = (size_t)w->pattern->nv * sizeof(double);
    HolDetectorSample *trial = &w->trial;
    trial->t = state->t;
    trial->sine = size;
    trial->drift = measures->drift;
    trial->kinetic = measures->kinetic;
    w->max_kinetic_energy = fmax(w->max_kinetic_energy, measures->kinetic);
    trial->has_lost_acceleration = trial->is_recovered = trial->is_after_crossing = false;
    memcpy(trial->q, state->q, (size_t)w->pattern->nq * sizeof(double));
    memcpy(trial->v, state->v, bytes);
    memcpy(trial->vdot, state->vdot, bytes);
}

/* The next trial uses the memory of the oldest sample. The state inside a crossing is dropped. */
static void detector_accept_trial(HolDetector *w)
{
    int last = w->trial.is_after_crossing ? 0 : HOL_DETECTOR_SAMPLES - 1;
    HolDetectorSample forgotten = w->samples[last];
    memmove(w->samples + 1, w->samples, (size_t)last * sizeof *w->samples);
    w->samples[0] = w->trial;
    w->trial = forgotten;
    if (w->sample_count < HOL_DETECTOR_SAMPLES && last > 0)
        ++w->sample_count;
}

const HolDetectorSample *hol_detector_previous(const HolDetector *detector, int index)
{
    return index + 1 < detector->sample_count ? &detector->samples[index + 1] : NULL;
}

/* The zero of the line through (t0, s0) and (t1, s1), if it comes to -s2 at t2; else NAN. */
static double line_zero(double t0, double s0, double t1, double s1, double t2, double s2)
{
    double slope = (s1 - s0) / (t1 - t0), end = s1 + slope * (t2 - t1);
    return slope < 0 && fabs(end + s2) <= HOL_PART_STRAIGHT * s2 ? t1 - s1 / slope : NAN;
}

double hol_detector_singular_time(const HolDetector *detector)
{
    static const double MOST_STEPS = 20;
    const HolDetectorSample *a = &detector->samples[2], *b = &detector->samples[1], *c = &detector->samples[0];
    if (detector->is_disabled ||
        detector->left_out_count > 0) /* another choice of rows may be regular where this one is not */
        return NAN;
    if (detector->sample_count < HOL_DETECTOR_SAMPLES || !(c->sine < b->sine && b->sine < a->sine) ||
        !(c->sine < HOL_PART_NEAR * detector->max_sine))
        return NAN;
    double h = c->t - b->t, before = b->t + b->sine * (b->t - a->t) / (a->sine - b->sine);
    double left = c->sine * h / (b->sine - c->sine);
    bool is_sure = left <= MOST_STEPS * h && fabs(c->t + left - before) <= HOL_PART_STRAIGHT * (left + h);
    return is_sure ? c->t + left : NAN;
}

static bool is_minimum(const HolDetector *w, double part)
{
    const HolDetectorSample *a = &w->samples[1], *b = &w->samples[0], *c = &w->trial;
    return w->sample_count >= 2 && b->sine < a->sine && b->sine < c->sine && b->sine < part * w->max_sine;
}

/* The time of a passage between the last but one sample and the trial, NAN if there is none. */
static double passage_time(const HolDetector *w)
{
    const HolDetectorSample *a = &w->samples[1], *b = &w->samples[0], *c = &w->trial;
    if (!is_minimum(w, HOL_PART_NEAR))
        return NAN;
    double behind = line_zero(a->t, a->sine, b->t, b->sine, c->t, c->sine);  /* b before, c behind it */
    double before = line_zero(a->t, a->sine, b->t, -b->sine, c->t, c->sine); /* a before, b behind it */
    bool is_behind = behind >= b->t && behind <= c->t, is_before = before >= a->t && before <= b->t;
    if (is_behind && is_before)
        return c->sine < a->sine ? behind : before;
    return is_behind ? behind : is_before ? before : NAN;
}

double hol_detector_mass_product(HolDetector *detector, const HolTerms *terms, const double *a, const double *b)
{
    return hol_mass_product(detector->pattern, terms->M, b, a, detector->z);
}

/* The cosine of (2) with a share of vdot_2 in the acceleration; 1 where one of the velocities is zero. */
static double detector_cosine_with(HolDetector *w, const HolTerms *terms, double share)
{
    const HolDetectorSample *a = &w->samples[1], *c = &w->trial;
    for (int i = 0; i < w->pattern->nv; ++i)
        w->x[i] = a->v[i] + (c->t - a->t) * ((1 - share) * a->vdot[i] + share * c->vdot[i]);
    double squares = hol_detector_mass_product(w, terms, w->x, w->x) * hol_detector_mass_product(w, terms, c->v, c->v);
    return squares > 0 ? hol_detector_mass_product(w, terms, w->x, c->v) / sqrt(squares) : 1;
}

/* Long steps curve the motion: then the mean acceleration continues it, which has an error of higher order. */
static double detector_cosine(HolDetector *w, const HolTerms *terms)
{
    double cosine = detector_cosine_with(w, terms, 0);
    return cosine >= HOL_COSINE_SAME_WAY ? cosine : fmax(cosine, detector_cosine_with(w, terms, 0.5));
}

/* Keeps the branches of a passage that is reported; their index, or -1. */
static int keep_branches(HolDetector *w, const HolPassage *passage)
{
    bool is_special = passage->changed_branch || passage->energy_jump || passage->recovered || passage->is_initial ||
                      passage->is_ambiguous;
    if (!is_special || !w->branches.are_known || w->branches_count == HOL_MAX_BRANCHES)
        return -1;
    HolBranches free = w->kept_branches[w->branches_count];
    w->kept_branches[w->branches_count] = w->branches;
    w->branches = free;
    return w->branches_count++;
}

static void detector_keep_passage(HolDetector *w, HolWorkspace *work, HolPassage *passage, const HolDetectorSample *one,
                                  const HolDetectorSample *zero)
{
    hol_branches_find(w, work, one, zero, passage);
    passage->branch_taken = hol_branches_taken(w, work->terms, w->trial.v);
    if (passage->is_initial && !w->began_singular) /* some methods need many steps to change the branch */
        passage->changed_branch = passage->changed_branch || passage->branch_taken == 1;
    ++w->events;
    w->changes += passage->changed_branch;
    w->jumps += passage->energy_jump;
    w->ambiguous += passage->is_ambiguous;
    if (w->count == HOL_MAX_PASSAGES)
        return;
    w->branches_index[w->count] = keep_branches(w, passage);
    w->passages[w->count++] = *passage;
}

static void keep_passage(HolDetector *w, HolWorkspace *work)
{
    int from = w->sample_count > 1;
    if (w->passage.is_initial)
        detector_keep_passage(w, work, &w->passage, &w->initial, NULL);
    else
        detector_keep_passage(w, work, &w->passage, &w->samples[from], hol_detector_previous(w, from));
}

/* Whether the initial configuration is singular: rows that were redundant there are independent one step later. From
 * then on they are examined too. A large violation makes rows look redundant that were not; these are still examined.
 */
static bool detect_initial_singularity(HolDetector *w, const HolWorkspace *work, double violation)
{
    int before = w->left_out_count, count = before;
    double tolerance = hol_rank_sine(HOL_TOL_RANK, violation / w->pattern->length);
    if (w->sample_count != 1)
        return false;
    if (before == 0 || w->began_singular ||
        hol_rows_choose(w->rows, work->terms->D, tolerance, w->candidates, &count) != HOL_OK || count > before)
        return w->began_singular;
    memcpy(w->left_out, w->candidates, (size_t)w->pattern->m);
    w->left_out_count = count;
    w->began_singular = count < before;
    return w->began_singular;
}

bool hol_detector_energy_jumped(const HolDetector *detector, const HolDetectorSample *before,
                                const HolDetectorSample *now)
{
    static const double REST = 0.1 * HOL_TOL_SMALL; /* of the largest kinetic energy: the least to compare with */
    double kinetic = fmax(fmax(before->kinetic, now->kinetic), REST * detector->max_kinetic_energy);
    return !(fabs(now->drift - before->drift) <= HOL_PART_JUMP * kinetic);
}

/* The passage at t between the two latest samples and the trial. */
static HolPassage detector_examine(HolDetector *w, const HolTerms *terms, double t)
{
    const HolDetectorSample *a = &w->samples[1], *b = &w->samples[0], *c = &w->trial;
    HolPassage passage = {
        .t = t, .sine = b->sine, .cosine = detector_cosine(w, terms), .group = -1, .blocks = {-1, -1}};
    passage.changed_branch = !(passage.cosine >= HOL_COSINE_SAME_WAY);
    passage.energy_jump = hol_detector_energy_jumped(w, a, c);
    return passage;
}

/* Redundant rows that drift apart may spoil a step where the rows chosen are nearly dependent, though the mechanism is
 * not singular: such a step is repaired, but no passage. */
static bool detector_confirm_repair(HolDetector *w)
{
    w->is_repair = w->critical.kind == HOL_CRITICAL_NONE && w->left_out_count > 0 &&
                   (w->passage.changed_branch || w->passage.energy_jump);
    return w->is_repair;
}

void hol_detector_sample(HolDetector *w, HolWorkspace *work, double pivot, const HolState *state,
                         const HolMeasures *measures)
{
    detector_take_trial(w, detector_sine(w, work, pivot), state, measures);
    w->has_passage = w->is_repair = false;
    if (w->is_disabled)
        return;
    w->passage = (HolPassage){.t = w->samples[0].t, .cosine = 1, .is_initial = true};
    w->has_passage = detect_initial_singularity(w, work, measures->position);
    w->passage.energy_jump = w->has_passage && hol_detector_energy_jumped(w, &w->samples[0], &w->trial);
    /* The samples around a crossing would show its passage a second time. */
    bool is_repeated = w->samples[0].is_after_crossing && w->samples[0].has_passage;
    if (w->has_passage || !is_minimum(w, HOL_PART_NEAR) || is_repeated)
        return;
    double t = passage_time(w);
    w->passage = detector_examine(w, work->terms, isnan(t) ? w->samples[0].t : t);
    /* Off the line it is a passage only if the branch has changed or the energy has jumped. */
    w->has_passage =
        !isnan(t) || (is_minimum(w, HOL_PART_TOUCHING) && (w->passage.changed_branch || w->passage.energy_jump));
    w->has_passage = w->has_passage && hol_detector_confirms(w, work, w->passage.t);
}

bool hol_detector_confirms(HolDetector *w, HolWorkspace *work, double t)
{
    int from = w->sample_count > 1;
    const HolDetectorSample *one = &w->samples[from];
    bool is_late = !(w->critical_sine > 0) || w->critical.kind == HOL_CRITICAL_NONE;
    if (is_late) {
        w->critical = hol_critical_find(w, work, one, hol_detector_previous(w, from), t, 2 * (w->trial.t - one->t));
        w->critical_sine = one->sine;
    }
    /* A turn that was not seen in time has been stepped over, unless the motion has turned. */
    bool is_over = is_late && w->critical.kind == HOL_CRITICAL_MISSED && !w->passage.changed_branch &&
                   w->trial.t - one->t > HOL_WIDTHS_OF_TURN * w->critical.width;
    w->passage.is_ambiguous = is_over || w->critical.kind == HOL_CRITICAL_AMBIGUOUS;
    return w->critical.kind > HOL_CRITICAL_MISSED || is_over || detector_confirm_repair(w);
}

double hol_detector_turn_distance(const HolDetector *detector, double t)
{
    return fabs(detector->critical.distance - fabs(t - detector->critical.seen));
}

double hol_detector_turn_step(const HolDetector *detector, double t)
{
    return HOL_PART_TURN * hypot(hol_detector_turn_distance(detector, t), detector->critical.width);
}

bool hol_detector_is_turning(const HolDetector *w, double t, double h)
{
    return w->critical.kind == HOL_CRITICAL_MISSED && h > hol_detector_turn_step(w, t);
}

static double detector_turn_end(const HolDetector *w)
{
    return w->critical.t + HOL_WIDTHS_OF_TURN * w->critical.width;
}

/* Forgets what lies behind. A violation of the size of the misfit gives the turn another shape or direction. */
static void detector_leave_critical(HolDetector *w)
{
    const HolDetectorSample *b = &w->samples[1], *c = &w->samples[0];
    const HolCritical *turn = &w->critical;
    if (!(w->critical_sine > 0 && w->sample_count > 1 && c->sine > b->sine && c->t > detector_turn_end(w)))
        return;
    w->critical_sine = 0;
    w->ambiguous += turn->kind == HOL_CRITICAL_MISSED && fabs(turn->residual) > HOL_PART_OF_MISFIT * fabs(turn->misfit);
}

void hol_detector_look_ahead(HolDetector *w, HolWorkspace *work, double h)
{
    const HolDetectorSample *b = &w->samples[1], *c = &w->samples[0];
    if (w->is_disabled || w->sample_count < 3 || !(c->sine < b->sine)) /* the first sine is not measured */
        return;
    double left = c->sine * (c->t - b->t) / (b->sine - c->sine);
    bool is_near =
        w->critical.kind != HOL_CRITICAL_MISSED || c->t < detector_turn_end(w) || hol_detector_is_turning(w, c->t, h);
    bool is_far = 2 * c->sine > w->critical_sine && left > 2 * h;
    bool is_known = w->critical_sine > 0 && (w->critical.kind == HOL_CRITICAL_NONE ? is_far : is_near);
    if (HOL_PART_TURN * left > h || is_known)
        return;
    w->critical = hol_critical_find(w, work, c, b, c->t + left, 2 * h / HOL_PART_TURN);
    w->critical_sine = c->sine;
}

bool hol_detector_lost_initial_branch(const HolDetector *detector)
{
    static const double GROWN = 5;
    return detector->initial_is_suspect && detector->trial.sine > GROWN * detector->initial.sine;
}

/* A run that begins near a singular configuration, or with violated constraints, may change its branch in the first
 * steps. That it was near shows once the sines have grown. */
static void detector_check_initial(HolDetector *w, HolWorkspace *work)
{
    if (w->is_disabled)
        return;
    if (w->sample_count == 2 && !w->has_passage && !w->began_singular && w->initial.sine < HOL_SINE_SMALL) {
        w->initial_passage = detector_examine(w, work->terms, w->initial.t);
        w->initial_passage.is_initial = true;
        w->initial_passage.sine = w->initial.sine;
        w->initial_is_suspect = w->initial_passage.changed_branch || w->initial_passage.energy_jump;
    }
    if (!hol_detector_lost_initial_branch(w))
        return;
    w->initial_is_suspect = false;
    detector_keep_passage(w, work, &w->initial_passage, &w->initial, NULL);
}

static void detector_take_initial(HolDetector *w)
{
    const HolDetectorSample *first = &w->samples[0];
    HolDetectorSample *start = &w->initial;
    start->t = first->t;
    start->sine = first->sine;
    memcpy(start->q, first->q, (size_t)w->pattern->nq * sizeof *start->q);
    memcpy(start->vdot, first->vdot, (size_t)w->pattern->nv * sizeof *start->vdot);
}

void hol_detector_accept(HolDetector *w, HolWorkspace *work)
{
    w->passage.recovered = w->trial.is_recovered || w->samples[0].is_recovered || w->samples[1].is_recovered;
    if (w->has_passage && !w->is_repair)
        keep_passage(w, work);
    detector_check_initial(w, work);
    w->recoveries += w->trial.is_recovered;
    w->trial.has_passage = w->has_passage;
    detector_accept_trial(w);
    detector_leave_critical(w);
    if (w->sample_count == 1)
        detector_take_initial(w);
}

void hol_detector_kick(HolDetector *detector, const double *dv)
{
    for (int i = 0; i < HOL_DETECTOR_SAMPLES; ++i)
        hol_add_scaled(detector->pattern->nv, 1, dv, detector->samples[i].v);
}

void hol_detector_stop(HolDetector *detector, HolWorkspace *work)
{
    detector->passage.stopped = true;
    keep_passage(detector, work);
}
