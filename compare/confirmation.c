/* SPDX-License-Identifier: BSD-3-Clause */
/* A second family of methods confirms the reference. One family may converge to a wrong motion: error control steps
 * over a short event, a projection changes to another branch, a scheme handles redundant constraints wrongly. Its own
 * runs then agree, and their difference says nothing.
 *
 * The second family takes equal steps of another formulation, halved until it agrees with the reference as well as
 * needed. With d, the largest difference of a coordinate from the reference, and c, the change by the last halving:
 *
 *     d <= GROSS range          the uncertainty of the reference is d at least
 *     d > GROSS range, c << d   both have converged, to different motions: there is no reference
 *     d > GROSS range, c ~ d    the second family has not converged: there is no reference either                  */
#include <holon/number.h>

#include "study.h"

#include <math.h>
#include <string.h>

enum { MOST_TIMES = 100, LEAST_STEPS = 1000, LEVELS = 6, LEAST_LEVELS = 2 };

static const double GROSS = 1e-3;    /* relative to the range of the motion */
static const double ROUNDINGS = 100; /* that a system at rest may show */
static const double CLOSE = 1e-6;    /* the same, where no other scheme is tried */
static const double ENOUGH = 0.01;   /* relative to the least error of the measured runs */
static const double CONVERGED = 0.3; /* c of a converged run, relative to d */
static const double IMPROVED = 0.75; /* d after a halving, relative to d before, where more halvings may help */
static const double MOST_WORK = 4e6; /* of a run that refines an agreement */
static const double MOST_SHARE = 1;  /* of a run that is needed, relative to the reference */
/* Growth of a difference in tolerance during the run, from which on its motion counts as sensitive. */
static const double SENSITIVE = 1e4;

static const HolScheme schemes[] = {
    {"generalized-inverse", "rk4", "generalized-inverse with rk4", {{0}}, 0},
    {"coordinate-partitioning", "rk4", "coordinate-partitioning with rk4", {{0}}, 0},
    {"index3-augmented-lagrangian",
     "newmark",
     "index3-augmented-lagrangian with newmark",
     {{"formulation.tolerance", "1e-12"}},
     1},
    {"energy-preserving", "built-in", "energy-preserving", {{"formulation.tolerance", "1e-12"}}, 1},
};
enum { SCHEMES = sizeof schemes / sizeof *schemes, EXPLICIT_SCHEMES = 2 };

/* The runs of the second family, the last one with the shortest steps. */
typedef struct Second {
    const HolScheme *scheme;
    HolSamples times;
    double h;                /* step of level 0 */
    double last_step;        /* of the last run that finished */
    int runs;                /* that finished */
    HolSamples runs_last[2]; /* runs_last[0] is the last one */
    double difference, before, change;
    double work;
} Second;

double hol_study_gross(const HolSamples *samples)
{
    return fmax(GROSS * hol_samples_range(samples), ROUNDINGS * HOL_COMPARE_ROUNDING * hol_samples_largest(samples));
}

/* Some of the times of the reference, evenly, with the first and the last one. */
static HolStatus second_thin(HolStudy *s, const HolSamples *all, Second *second)
{
    int stride = 1 + (all->count - 2) / MOST_TIMES, count = 0;
    double *t = hol_pool_doubles(&s->pool, (size_t)all->count);
    if (!t)
        return HOL_NO_MEMORY;
    for (int i = 0; i + 1 < all->count; i += stride)
        t[count++] = all->t[i];
    t[count++] = all->t[all->count - 1];
    second->times = (HolSamples){.t = t, .count = count};
    return HOL_OK;
}

static HolStatus second_run(HolStudy *s, Second *second, int level, HolMessage *why)
{
    HolSimulation *simulation;
    HolSamples samples;
    double step = ldexp(second->h, -level);
    char what[120];
    hol_format(what, sizeof what, "the second reference, step %.3g s", step);
    HOL_TRY(hol_study_announce(s, what));
    HOL_TRY(hol_samples_create(&s->pool, &s->sampler, second->times.count, &samples));
    HOL_TRY(hol_study_open_scheme(s, second->scheme, step, &simulation, why));
    s->sampler.work_limit = fmax(MOST_WORK, second->runs < LEAST_LEVELS ? MOST_SHARE * s->reference_work : 0);
    HolStatus status = hol_sampler_follow(&s->sampler, simulation, second->times.t, second->times.count, &samples);
    s->sampler.work_limit = 0;
    second->work = hol_work_done(simulation, s->sampler.nq);
    if (status == HOL_OK) {
        second->runs_last[1] = second->runs_last[0];
        second->runs_last[0] = samples;
        second->last_step = step;
        ++second->runs;
    } else
        hol_fail(why, status, "%s", hol_simulation_message(simulation));
    hol_simulation_destroy(simulation);
    return status;
}

static void second_measure(const HolStudy *s, Second *second)
{
    second->before = second->difference;
    second->difference = hol_samples_position_difference(&second->runs_last[0], &s->reference);
    if (second->runs >= 2)
        second->change = hol_samples_position_difference(&second->runs_last[0], &second->runs_last[1]);
}

/* The difference that does not matter: rounding, the uncertainty that the reference has anyway, or a hundredth of the
 * errors that are measured by it. */
static double second_enough(const HolStudy *s)
{
    double least = NAN;
    for (const HolEntry *e = s->entries; e < s->entries + s->entry_count; ++e)
        if (e->shown && e->record.status == HOL_OK)
            least = fmin(least, hol_samples_position_difference(&e->samples, &s->reference));
    double enough = fmax(s->result.estimated_error, HOL_COMPARE_ROUNDING * hol_samples_largest(&s->reference));
    return isnan(least) ? enough : fmax(enough, ENOUGH * least);
}

/* Halves the steps until the difference is small enough, no longer falls, or costs too much. A run that fails is
 * repeated with shorter steps. */
static HolStatus second_refine(HolStudy *s, Second *second, HolMessage *why)
{
    HolStatus status = HOL_OK;
    double enough = second_enough(s);
    second->runs = 0;
    second->difference = second->change = NAN;
    for (int level = 0; level < LEVELS; ++level) {
        status = second_run(s, second, level, why);
        if (status == HOL_NO_MEMORY || status == HOL_STOPPED || status == HOL_UNSUPPORTED || status == HOL_GIVEN_UP)
            break;
        if (status != HOL_OK)
            continue;
        second_measure(s, second);
        bool is_done =
            second->difference <= enough || !(second->runs <= 2 || second->difference <= IMPROVED * second->before);
        if (second->runs >= LEAST_LEVELS && (is_done || 2 * second->work > MOST_WORK))
            break;
    }
    return second->runs >= LEAST_LEVELS && status != HOL_NO_MEMORY && status != HOL_STOPPED ? HOL_OK : status;
}

static bool second_is_converged(const Second *second)
{
    return second->change <= CONVERGED * second->difference;
}

static void confirmation_refuse(HolStudy *s, const Second *second, const char *title)
{
    HolComparison *c = &s->result;
    double range = fmax(hol_samples_range(&s->reference), hol_samples_range(&second->runs_last[0]));
    double growth = c->estimated_error / (1e-11 * hol_samples_largest(&s->reference));
    bool is_converged = second_is_converged(second);
    s->is_sensitive = !is_converged && !c->is_stiff && growth > SENSITIVE;
    if (s->is_sensitive)
        hol_fail(
            &c->reference, HOL_OK,
            "none: the motion is too sensitive: a change of the tolerance from 1e-12 to 1e-11 grows to %.1g, and %s "
            "with steps of %.3g s differs by %.1g, the motion being %.2g; compare a shorter time",
            c->estimated_error, second->scheme->title, second->last_step, second->difference, range);
    else
        hol_fail(&c->reference, HOL_OK,
                 "none: two methods differ by %.1g, the motion being %.2g: %s, and %s with steps of %.3g s, %s %.1g",
                 second->difference, range, title, second->scheme->title, second->last_step,
                 is_converged ? "which a halving of its steps changes by only" : "which a halving still changes by",
                 second->change);
    c->has_reference = false;
    c->estimated_error = c->reference_error = c->reference_step = NAN;
}

static bool second_agrees(const HolStudy *s, const Second *second)
{
    return second->difference <= fmax(hol_study_gross(&s->reference), hol_study_gross(&second->runs_last[0]));
}

/* Tries one scheme after the other until one agrees closely or has converged to another motion, which *best then is;
 * otherwise the one nearest to the reference. HOL_OK if a scheme had enough runs. */
static HolStatus second_find(HolStudy *s, Second *second, const char *formulation, Second *best, HolMessage *why)
{
    bool has_best = false;
    bool needs_implicit = s->result.is_stiff || hol_mechanism_beam_count(s->mechanism) > 0;
    for (int i = needs_implicit ? EXPLICIT_SCHEMES : 0; i < SCHEMES; ++i) {
        second->scheme = &schemes[i];
        if (strcmp(schemes[i].formulation, formulation) == 0)
            continue;
        HolStatus status = second_refine(s, second, why);
        if (status == HOL_NO_MEMORY || status == HOL_STOPPED)
            return status;
        if (status != HOL_OK)
            continue;
        if (!has_best || second->difference < best->difference)
            *best = *second;
        has_best = true;
        if (second->difference <= fmax(second_enough(s), CLOSE * hol_samples_range(&s->reference)))
            break;
        if (!second_agrees(s, second) && second_is_converged(second)) {
            *best = *second;
            break;
        }
    }
    return has_best ? HOL_OK : HOL_UNSUPPORTED;
}

static void confirmation_decide(HolStudy *s, const Second *second, const char *title)
{
    HolComparison *c = &s->result;
    c->second_method = second->scheme->title;
    c->second_difference = second->difference;
    if (second_agrees(s, second))
        c->estimated_error = fmax(c->estimated_error, second->difference);
    else
        confirmation_refuse(s, second, title);
}

HolStatus hol_study_confirm(HolStudy *s, const HolSamples *times, const char *formulation, const char *title)
{
    HolMessage why = {{0}};
    double span = times->t[times->count - 1] - times->t[0];
    Second second = {.h = fmin(hol_study_shortest_step(s), span / LEAST_STEPS)}, best = {0};
    int begun = s->done;
    if (!(second.h > 0))
        return HOL_OK;
    HOL_TRY(second_thin(s, times, &second));
    HolStatus status = second_find(s, &second, formulation, &best, &why);
    s->done = begun + HOL_STUDY_CONFIRMATIONS;
    if (status == HOL_OK)
        confirmation_decide(s, &best, title);
    if (status != HOL_UNSUPPORTED)
        return status;
    s->result.has_reference = false;
    s->result.estimated_error = s->result.reference_error = s->result.reference_step = NAN;
    return hol_fail(&s->result.reference, HOL_OK, "none: no second method confirms %s: %.300s", title, why.text);
}
