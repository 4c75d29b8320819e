/* SPDX-License-Identifier: BSD-3-Clause */
#include "simulate/watch.h"

#include "base/message.h"
#include "linalg/blocks.h"
#include "simulate/ways.h"

#include <math.h>
#include <string.h>

/* Sizes are told in parts of the largest that was met. */
static const double NEAR = 0.3;      /* the middle one of three on a line is smaller, */
static const double TOUCHING = 0.2;  /* and this small if they are on none */
static const double STRAIGHT = 0.2;  /* by which the third may miss the line, in parts of itself */
static const double SAME_WAY = 0.99; /* least cosine of (2) */
static const double JUMP = 0.01;     /* of energy, in parts of the kinetic one */
static const double REDUNDANT = 1e-9, ROUNDING = 1e-15;

static HolStatus take_ways(HolArena *arena, HolWatch *w)
{
    for (int i = 0; i <= HOL_MOST_WAYS; ++i) {
        HolWays *ways = i < HOL_MOST_WAYS ? &w->kept_ways[i] : &w->ways;
        ways->q = hol_arena_doubles(arena, (size_t)w->pattern->nq);
        for (int k = 0; k < 2; ++k)
            ways->v[k] = hol_arena_doubles(arena, (size_t)w->pattern->nv);
    }
    return hol_arena_failed(arena) ? HOL_NO_MEMORY : HOL_OK;
}

HolStatus hol_watch_create(HolArena *arena, HolWorkspace *work, const double *v, HolWatch **watch)
{
    const HolPattern *p = work->pattern;
    HolWatch *w = hol_arena_alloc(arena, sizeof *w);
    if (!w)
        return HOL_NO_MEMORY;
    *watch = w;
    w->pattern = p;
    w->is_idle = hol_system_has_no_loops(work->system);
    w->left_out = hol_arena_alloc(arena, (size_t)p->m);
    w->x = hol_arena_doubles(arena, (size_t)p->nv);
    w->z = hol_arena_doubles(arena, (size_t)p->nv);
    w->way = hol_arena_doubles(arena, (size_t)p->nv);
    w->y = hol_arena_doubles(arena, (size_t)p->m);
    for (int i = 0; i < HOL_WATCH_SAMPLES + 2; ++i) {
        HolWatchSample *others[] = {&w->trial, &w->start};
        HolWatchSample *sample = i < HOL_WATCH_SAMPLES ? &w->samples[i] : others[i - HOL_WATCH_SAMPLES];
        sample->q = hol_arena_doubles(arena, (size_t)p->nq);
        sample->v = hol_arena_doubles(arena, (size_t)p->nv);
        sample->vdot = hol_arena_doubles(arena, (size_t)p->nv);
    }
    if (hol_arena_failed(arena))
        return HOL_NO_MEMORY;
    memcpy(w->start.v, v, (size_t)p->nv * sizeof *v);
    HOL_TRY(take_ways(arena, w));
    HOL_TRY(hol_rows_create(arena, p, &w->rows));
    HOL_TRY(hol_rows_choose(w->rows, work->terms->D, REDUNDANT, w->left_out, &w->left_out_count));
    w->schur = hol_rows_solver(w->rows);
    return hol_smallest_create(arena, p, w->schur, w->left_out_count, &w->smallest);
}

/* ---- The size ---- */

HolStatus hol_watch_factor(HolWatch *watch, const HolTerms *terms)
{
    return hol_schur_factor(watch->schur, terms->D, ROUNDING, watch->left_out_count > 0 ? watch->left_out : NULL);
}

double hol_watch_sigma(HolWatch *watch, const HolTerms *terms)
{
    return hol_smallest_singular(watch->smallest, terms->D, watch->left_out_count > 0 ? watch->left_out : NULL);
}

static double size_of(HolWatch *w, const HolWorkspace *work, double pivot)
{
    if (pivot < 0)
        pivot = hol_watch_factor(w, work->terms) == HOL_OK ? hol_schur_pivot(w->schur) : 0;
    double size = sqrt(fmax(pivot, 0));
    w->largest = fmax(w->largest, size);
    return size;
}

static void take_trial(HolWatch *w, double size, const HolState *state, const HolMeasures *measures)
{
    size_t bytes = (size_t)w->pattern->nv * sizeof(double);
    HolWatchSample *trial = &w->trial;
    trial->t = state->t;
    trial->size = size;
    trial->drift = measures->drift;
    trial->kinetic = measures->kinetic;
    w->liveliest = fmax(w->liveliest, measures->kinetic);
    trial->is_lost = trial->is_recovered = trial->is_crossed = false;
    memcpy(trial->q, state->q, (size_t)w->pattern->nq * sizeof(double));
    memcpy(trial->v, state->v, bytes);
    memcpy(trial->vdot, state->vdot, bytes);
}

/* The memory of the oldest sample is the next trial's. What lies between the two ends of a crossing is forgotten. */
static void take_sample(HolWatch *w)
{
    int last = w->trial.is_crossed ? 0 : HOL_WATCH_SAMPLES - 1;
    HolWatchSample forgotten = w->samples[last];
    memmove(w->samples + 1, w->samples, (size_t)last * sizeof *w->samples);
    w->samples[0] = w->trial;
    w->trial = forgotten;
    if (w->sample_count < HOL_WATCH_SAMPLES && last > 0)
        ++w->sample_count;
}

const HolWatchSample *hol_watch_before(const HolWatch *watch, int index)
{
    return index + 1 < watch->sample_count ? &watch->samples[index + 1] : NULL;
}

/* ---- (1) ---- */

/* Where the line through (t0, s0) and (t1, s1) is zero, if it meets -s2 at t2; NAN if not. */
static double zero_of_line(double t0, double s0, double t1, double s1, double t2, double s2)
{
    double slope = (s1 - s0) / (t1 - t0), met = s1 + slope * (t2 - t1);
    return slope < 0 && fabs(met + s2) <= STRAIGHT * s2 ? t1 - s1 / slope : NAN;
}

double hol_watch_ahead(const HolWatch *watch)
{
    static const double MOST_STEPS = 20, SAME = 0.2;
    const HolWatchSample *a = &watch->samples[2], *b = &watch->samples[1], *c = &watch->samples[0];
    if (watch->is_idle ||
        watch->left_out_count > 0) /* the rows kept may come to depend on each other, and others take their place */
        return NAN;
    if (watch->sample_count < HOL_WATCH_SAMPLES || !(c->size < b->size && b->size < a->size) ||
        !(c->size < NEAR * watch->largest))
        return NAN;
    double h = c->t - b->t, before = b->t + b->size * (b->t - a->t) / (a->size - b->size);
    double left = c->size * h / (b->size - c->size);
    bool is_sure = left <= MOST_STEPS * h && fabs(c->t + left - before) <= SAME * (left + h);
    return is_sure ? c->t + left : NAN;
}

static bool is_lowest(const HolWatch *w, double part)
{
    const HolWatchSample *a = &w->samples[1], *b = &w->samples[0], *c = &w->trial;
    return w->sample_count >= 2 && b->size < a->size && b->size < c->size && b->size < part * w->largest;
}

/* The time of a passage between the last but one sample and the trial, NAN if there is none. */
static double time_of_passage(const HolWatch *w)
{
    const HolWatchSample *a = &w->samples[1], *b = &w->samples[0], *c = &w->trial;
    if (!is_lowest(w, NEAR))
        return NAN;
    double behind = zero_of_line(a->t, a->size, b->t, b->size, c->t, c->size);  /* b before, c behind it */
    double before = zero_of_line(a->t, a->size, b->t, -b->size, c->t, c->size); /* a before, b behind it */
    bool is_behind = behind >= b->t && behind <= c->t, is_before = before >= a->t && before <= b->t;
    if (is_behind && is_before)
        return c->size < a->size ? behind : before;
    return is_behind ? behind : is_before ? before : NAN;
}

/* ---- (2) ---- */

double hol_watch_product(HolWatch *watch, const HolTerms *terms, const double *a, const double *b)
{
    double sum = 0;
    hol_mass_times(watch->pattern, terms->M, a, watch->z);
    for (int i = 0; i < watch->pattern->nv; ++i)
        sum += watch->z[i] * b[i];
    return sum;
}

/* The cosine; 1 where one of them stands still. */
static double cosine(HolWatch *w, const HolTerms *terms)
{
    const HolWatchSample *a = &w->samples[1], *c = &w->trial;
    for (int i = 0; i < w->pattern->nv; ++i)
        w->x[i] = a->v[i] + (c->t - a->t) * a->vdot[i];
    double squares = hol_watch_product(w, terms, w->x, w->x) * hol_watch_product(w, terms, c->v, c->v);
    return squares > 0 ? hol_watch_product(w, terms, w->x, c->v) / sqrt(squares) : 1;
}

/* ---- All of it ---- */

/* Those that somebody may want to read about. */
static int keep_ways(HolWatch *w, const HolPassage *met)
{
    bool is_special = met->changed_branch || met->energy_jump || met->recovered || met->at_start;
    if (!is_special || !w->ways.are_known || w->ways_count == HOL_MOST_WAYS)
        return -1;
    HolWays free = w->kept_ways[w->ways_count];
    w->kept_ways[w->ways_count] = w->ways;
    w->ways = free;
    return w->ways_count++;
}

static void keep(HolWatch *w, HolWorkspace *work, HolPassage *met, const HolWatchSample *one,
                 const HolWatchSample *zero)
{
    hol_ways_find(w, work, one, zero, met);
    met->taken = hol_ways_taken(w, work->terms, w->trial.v);
    if (met->at_start && !w->began_singular) /* some methods take many steps to turn round: only now it shows */
        met->changed_branch = met->changed_branch || met->taken == 1;
    ++w->events;
    w->changes += met->changed_branch;
    w->jumps += met->energy_jump;
    if (w->count == HOL_MOST_PASSAGES)
        return;
    w->ways_index[w->count] = keep_ways(w, met);
    w->passages[w->count++] = *met;
}

static void keep_met(HolWatch *w, HolWorkspace *work)
{
    int from = w->sample_count > 1;
    if (w->met.at_start)
        keep(w, work, &w->met, &w->start, NULL);
    else
        keep(w, work, &w->met, &w->samples[from], hol_watch_before(w, from));
}

/* Rows that depended on others at the start and do not any more, one step later: it began in a singular configuration.
 * From now on they are watched too. */
static bool began_singular(HolWatch *w, const HolWorkspace *work, double violation)
{
    static const double PER_VIOLATION = 100, MOST = 1e-3; /* redundant rows that have drifted are not quite dependent */
    int before = w->left_out_count;
    double tolerance = fmin(fmax(REDUNDANT, PER_VIOLATION * violation), MOST);
    if (w->sample_count != 1)
        return false;
    if (before > 0 && !w->began_singular)
        w->began_singular =
            hol_rows_choose(w->rows, work->terms->D, tolerance, w->left_out, &w->left_out_count) == HOL_OK &&
            w->left_out_count < before;
    return w->began_singular;
}

bool hol_watch_has_jumped(const HolWatch *watch, const HolWatchSample *before, const HolWatchSample *now)
{
    static const double REST = 1e-4; /* what has all but come to rest has no energy to compare with */
    double kinetic = fmax(fmax(before->kinetic, now->kinetic), REST * watch->liveliest);
    return !(fabs(now->drift - before->drift) <= JUMP * kinetic);
}

/* What the two samples and the trial say about a passage at t. */
static HolPassage examine(HolWatch *w, const HolTerms *terms, double t)
{
    const HolWatchSample *a = &w->samples[1], *b = &w->samples[0], *c = &w->trial;
    HolPassage passage = {.t = t, .size = b->size, .cosine = cosine(w, terms), .group = -1, .blocks = {-1, -1}};
    passage.changed_branch = !(passage.cosine >= SAME_WAY);
    passage.energy_jump = hol_watch_has_jumped(w, a, c);
    return passage;
}

/* Behind a crossing the samples have a gap, in which its own passage would be found once more. */
static bool was_crossed(const HolWatch *w)
{
    return w->samples[0].is_crossed && w->samples[0].has_met;
}

void hol_watch_try(HolWatch *watch, HolWorkspace *work, double pivot, const HolState *state,
                   const HolMeasures *measures)
{
    HolWatch *w = watch;
    take_trial(w, size_of(w, work, pivot), state, measures);
    w->has_met = false;
    if (w->is_idle)
        return;
    w->met = (HolPassage){.t = w->samples[0].t, .cosine = 1, .at_start = true};
    w->has_met = began_singular(w, work, measures->position);
    w->met.energy_jump = w->has_met && hol_watch_has_jumped(w, &w->samples[0], &w->trial);
    if (w->has_met || !is_lowest(w, NEAR) || was_crossed(w))
        return;
    double t = time_of_passage(w);
    w->met = examine(w, work->terms, isnan(t) ? w->samples[0].t : t);
    /* Off the line it was no passage, unless something happened that belongs to one. */
    w->has_met = !isnan(t) || (is_lowest(w, TOUCHING) && (w->met.changed_branch || w->met.energy_jump));
}

bool hol_watch_has_lost_start(const HolWatch *watch)
{
    static const double GROWN = 5;
    return watch->start_is_suspect && watch->trial.size > GROWN * watch->start.size;
}

/* A start that is near a singular configuration, but not quite there, or not quite on its rows, may lose its way in the
 * first steps. That it was near is known as soon as the sizes have grown. */
static void watch_start(HolWatch *w, HolWorkspace *work)
{
    static const double SMALL = 0.1;
    if (w->is_idle)
        return;
    if (w->sample_count == 2 && !w->has_met && !w->began_singular && w->start.size < SMALL) {
        w->start_met = examine(w, work->terms, w->start.t);
        w->start_met.at_start = true;
        w->start_met.size = w->start.size;
        w->start_is_suspect = w->start_met.changed_branch || w->start_met.energy_jump;
    }
    if (!hol_watch_has_lost_start(w))
        return;
    w->start_is_suspect = false;
    keep(w, work, &w->start_met, &w->start, NULL);
}

static void take_start(HolWatch *w)
{
    const HolWatchSample *first = &w->samples[0];
    HolWatchSample *start = &w->start;
    start->t = first->t;
    start->size = first->size;
    memcpy(start->q, first->q, (size_t)w->pattern->nq * sizeof *start->q);
    memcpy(start->vdot, first->vdot, (size_t)w->pattern->nv * sizeof *start->vdot);
}

void hol_watch_accept(HolWatch *watch, HolWorkspace *work)
{
    HolWatch *w = watch;
    w->met.recovered = w->trial.is_recovered || w->samples[0].is_recovered || w->samples[1].is_recovered;
    if (w->has_met)
        keep_met(w, work);
    watch_start(w, work);
    w->recoveries += w->trial.is_recovered;
    w->trial.has_met = w->has_met;
    take_sample(w);
    if (w->sample_count == 1)
        take_start(w);
}

void hol_watch_refuse(HolWatch *watch, HolWorkspace *work)
{
    watch->met.refused = true;
    keep_met(watch, work);
}
