/* SPDX-License-Identifier: BSD-3-Clause */
/* The reference of models that are too stiff for an explicit one: implicit steps, halved again and again.
 *
 * Runs x_k with steps h / 2^k are looked at at the same times. With d_k = max |x_k - x_(k-1)| of one coordinate and
 * r = d_k / d_(k-1), a sequence that goes on like that ends within
 *
 *     d_k (r + r^2 + ...) = d_k r / (1 - r)                                                              (1)
 *
 * of x_k; the largest of all coordinates counts. Better than order 2, r = 1/4, is never believed; where r is not below
 * SETTLED, the sequence shows no end, and there is no reference unless what that coordinate changes by is little. Three
 * runs are the least that tell it.
 *
 * A vibration that is faster than the steps may push what is slow, and steps that pass by it all miss that alike. So
 * the part of the kinetic energy in it, unresolved.h, bounds what is believed: that part of the range of the motion. */
#include "base/message.h"
#include "study/study.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { COARSER = 2, MOST_FINER = 8, LEAST_RUNS = 3 };

static const double MOST_WORK = 7.5e7; /* of all runs together */
static const double SETTLED = 0.75, ORDER_2 = 0.25;
static const double NEGLIGIBLE = 0.1; /* change that need not settle, of (1) of the others */
static const double ROUNDING = 1e-12; /* of the largest coordinate */
static const double LITTLE = 0.01;    /* uncertainty by what does not settle, of the range of the motion */
static const double MOST_UNRESOLVED = 0.01;
static const double ENOUGH = 0.01; /* of the least error of the runs that are measured */

/* The most accurate on stiff parts first: energy-decaying that lets nothing decay. */
typedef struct Scheme {
    const char *formulation, *integrator, *title;
    HolSetting settings[2];
    int setting_count;
} Scheme;

static const Scheme schemes[] = {
    {"energy-decaying",
     "built-in",
     "energy-decaying with alpha = 0",
     {{"formulation.alpha", "0"}, {"formulation.tolerance", "1e-12"}},
     2},
    {"energy-preserving", "built-in", "energy-preserving", {{"formulation.tolerance", "1e-12"}}, 1},
    {"index3-augmented-lagrangian",
     "newmark",
     "index3-augmented-lagrangian with newmark",
     {{"formulation.tolerance", "1e-12"}},
     1},
};
enum { SCHEMES = sizeof schemes / sizeof *schemes };

/* Runs from rung `first` to rung `last`, each with half the step of the one before; rung 0 has steps of h at most. */
typedef struct Ladder {
    const Scheme *scheme;
    const HolSamples *times;
    double h;
    int nq;
    int *pieces;                   /* of each interval, at the rung that runs */
    double *before, *last_changes; /* of each coordinate */
    int first, last;
    HolSamples rungs[COARSER + 1 + MOST_FINER];
    double work, work_last;
} Ladder;

static HolSamples *rung(Ladder *ladder, int k)
{
    return &ladder->rungs[COARSER + k];
}

/* Every interval between two times is divided at all rungs, so that steps are halved everywhere. The longest step. */
static double divide(Ladder *l, int k)
{
    double longest = 0;
    for (int i = 1; i < l->times->count; ++i) {
        double span = l->times->t[i] - l->times->t[i - 1];
        int coarsest = (int)fmax(1, ceil(span / (l->h * (1 << COARSER)) - 1e-6));
        l->pieces[i] = coarsest << (COARSER + k);
        longest = fmax(longest, span / l->pieces[i]);
    }
    return longest;
}

/* The option of the step only has to be longer than any that is taken. */
static HolStatus open_rung(const HolStudy *s, const Scheme *scheme, double longest, HolSimulation **simulation,
                           HolMessage *message)
{
    HolSimulationOptions options = hol_mechanism_options(s->mechanism);
    HolStart start = hol_mechanism_start(s->mechanism);
    hol_mechanism_choose(s->mechanism, scheme->formulation, &options);
    options.integrator = scheme->integrator;
    options.step = 1.25 * longest;
    options.settings = scheme->settings;
    options.setting_count = scheme->setting_count;
    return hol_simulation_create(hol_mechanism_system(s->mechanism), &start, &options, simulation, message);
}

static HolStatus run_rung(HolStudy *s, Ladder *l, int k, HolMessage *why)
{
    HolSimulation *simulation;
    char what[80];
    double longest = divide(l, k);
    snprintf(what, sizeof what, "the reference, step %.3g s", longest);
    HOL_TRY(hol_study_announce(s, what));
    HOL_TRY(hol_samples_create(s->arena, &s->sampler, l->times->count, rung(l, k)));
    HOL_TRY(open_rung(s, l->scheme, longest, &simulation, why));
    s->sampler.most_work = fmax(MOST_WORK - l->work, HOL_WORK_TO_TELL);
    HolStatus status = hol_sampler_divide(&s->sampler, simulation, l->times, l->pieces, rung(l, k));
    s->sampler.most_work = 0;
    l->work_last = hol_work_done(simulation, s->sampler.nq);
    l->work += l->work_last;
    if (status == HOL_GIVEN_UP)
        hol_fail(why, status, "steps of %.3g s would be too much work", longest);
    else if (status != HOL_OK)
        hol_fail(why, status, "%s", hol_simulation_message(simulation));
    hol_simulation_destroy(simulation);
    return status;
}

/* (1); NAN: it does not settle. */
double hol_study_halving_error(double before, double last)
{
    double ratio = before > 0 ? fmax(last / before, ORDER_2) : ORDER_2;
    return ratio < SETTLED ? last * ratio / (1 - ratio) : NAN;
}

/* Of those that do not settle, the one that changes most counts: not at all if that is little beside the rest, with
 * 1 / NEGLIGIBLE times its change if that is little beside the motion and no more than before, as of a vibration that
 * carries little; else nothing is known. */
HolHalving hol_study_judge_halving(const double *before, const double *last, int count, HolBounds bounds)
{
    HolHalving all = {0}, loose = {0};
    double most = 0;
    for (int i = 0; i < count; ++i) {
        double error = last[i] > bounds.rounding ? hol_study_halving_error(before[i], last[i]) : last[i];
        if (isnan(error) && !(last[i] <= loose.last))
            loose = (HolHalving){NAN, before[i], last[i]};
        all.error = fmax(all.error, error);
        most = fmax(most, before[i]);
        if (last[i] >= all.last)
            all = (HolHalving){all.error, before[i], last[i]};
    }
    if (loose.last <= NEGLIGIBLE * fmax(all.error, bounds.missed))
        return all;
    if (!(loose.last <= NEGLIGIBLE * LITTLE * bounds.range && loose.last <= most))
        return loose;
    all.error = fmax(all.error, loose.last / NEGLIGIBLE);
    return all;
}

static void list_changes(Ladder *l, int k, double *changes)
{
    for (int i = 0; i < l->nq; ++i)
        changes[i] = hol_samples_coordinate_difference(rung(l, k), rung(l, k - 1), i);
}

static double unresolved_part(Ladder *l)
{
    const HolSamples *finest = rung(l, l->last);
    return hol_unresolved_part(rung(l, l->last - 1)->unresolved, finest->unresolved, finest->kinetic);
}

static double missed(Ladder *l)
{
    return unresolved_part(l) * hol_samples_range(rung(l, l->last));
}

static HolHalving halving_of(Ladder *l)
{
    list_changes(l, l->last - 1, l->before);
    list_changes(l, l->last, l->last_changes);
    HolBounds bounds = {ROUNDING * hol_samples_largest(rung(l, l->last)), missed(l),
                        hol_samples_range(rung(l, l->last))};
    return hol_study_judge_halving(l->before, l->last_changes, l->nq, bounds);
}

static bool tells(const Ladder *l)
{
    return l->last - l->first + 1 >= LEAST_RUNS;
}

/* (1), which shorter steps may improve. */
static double error_of(Ladder *l)
{
    return tells(l) && unresolved_part(l) <= MOST_UNRESOLVED ? halving_of(l).error : NAN;
}

/* Whether the errors that are to be measured, if any, will be known to two digits. */
static bool is_enough(const HolStudy *s, Ladder *l)
{
    double least = NAN;
    for (const HolEntry *e = s->entries; e < s->entries + s->entry_count; ++e)
        if (e->shown && e->record.status == HOL_OK)
            least = fmin(least, hol_samples_position_difference(&e->samples, rung(l, l->last)));
    return isnan(least) ? !isnan(error_of(l)) : error_of(l) <= ENOUGH * least;
}

static bool is_end(HolStatus status)
{
    return status == HOL_NO_MEMORY || status == HOL_STOPPED;
}

/* Finer while it is worth it and may be done; then coarser if too few runs tell the error. */
static HolStatus climb(HolStudy *s, Ladder *l, HolMessage *why)
{
    HolStatus status = run_rung(s, l, 0, why);
    l->first = 0;
    l->last = status == HOL_OK ? 0 : -1;
    while (status == HOL_OK && l->last < MOST_FINER && !is_enough(s, l) && l->work + 2 * l->work_last <= MOST_WORK) {
        status = run_rung(s, l, l->last + 1, why);
        l->last += status == HOL_OK;
    }
    while (!tells(l) && l->first > -COARSER && (status == HOL_OK || status == HOL_GIVEN_UP)) {
        status = run_rung(s, l, l->first - 1, why);
        l->first -= status == HOL_OK;
    }
    return !is_end(status) && tells(l) ? HOL_OK : status;
}

/* By the first scheme whose runs come to their end. One that takes too long leaves no time for another. */
static HolStatus climb_by_any(HolStudy *s, Ladder *l, HolMessage *why)
{
    HolStatus status = HOL_UNSUPPORTED;
    for (int i = 0; i < SCHEMES && status != HOL_OK && status != HOL_GIVEN_UP && !is_end(status); ++i) {
        l->scheme = &schemes[i];
        status = climb(s, l, why);
    }
    return status;
}

static void tell(HolStudy *s, Ladder *l)
{
    double step = divide(l, l->last), error = error_of(l), part = unresolved_part(l);
    HolHalving halving = halving_of(l);
    char fast[120] = "";
    s->shown.has_reference = !isnan(error);
    s->shown.estimated_error = s->shown.reference_error = isnan(error) ? NAN : fmax(error, missed(l));
    s->shown.reference_step = s->shown.has_reference ? step : NAN;
    if (missed(l) > halving.error)
        snprintf(fast, sizeof fast, "; motion faster than its steps holds %.1g of the kinetic energy", part);
    if (!isnan(error))
        hol_fail(&s->shown.reference, HOL_OK, "%s, step %.3g s, halved until it changed by %.1g%s", l->scheme->title,
                 step, halving.last, fast);
    else if (isnan(halving.error))
        hol_fail(&s->shown.reference, HOL_OK,
                 "none: it does not settle. With steps of %.3g s a coordinate of %s changes by %.1g, with twice that "
                 "by %.1g",
                 step, l->scheme->title, halving.last, halving.before);
    else
        hol_fail(&s->shown.reference, HOL_OK,
                 "none: motion faster than the steps of %s, %.3g s, holds %.1g of the kinetic energy, and what it does "
                 "to the rest is not known",
                 l->scheme->title, step, part);
}

HolStatus hol_study_halve(HolStudy *s, const HolSamples *times)
{
    HolMessage why = {{0}};
    Ladder ladder = {.times = times, .h = hol_study_shortest_step(s), .nq = s->sampler.nq};
    int begun = s->done;
    ladder.pieces = hol_arena_alloc(s->arena, (size_t)times->count * sizeof *ladder.pieces);
    ladder.before = hol_arena_doubles(s->arena, (size_t)ladder.nq);
    ladder.last_changes = hol_arena_doubles(s->arena, (size_t)ladder.nq);
    if (!ladder.pieces || !ladder.before || !ladder.last_changes)
        return HOL_NO_MEMORY;
    HolStatus status = climb_by_any(s, &ladder, &why);
    s->done = begun + HOL_STUDY_HALVINGS;
    if (status == HOL_OK) {
        tell(s, &ladder);
        s->reference = *rung(&ladder, ladder.last);
        s->before = *rung(&ladder, ladder.last - 1);
    } else if (!is_end(status)) {
        hol_fail(&s->shown.reference, HOL_OK, "none, too few runs for it came to their end: %.400s", why.text);
    }
    return is_end(status) ? status : HOL_OK;
}
