/* SPDX-License-Identifier: BSD-3-Clause */
/* Other families of methods confirm the reference. One family may converge to a wrong motion: error control steps
 * over a short event, a projection changes to another branch, a scheme handles redundant constraints wrongly. Its own
 * runs then agree, and their difference says nothing.
 *
 * A second family takes equal steps of another formulation, halved until it agrees with the reference as well as
 * needed, or is IDA (ida.h) with tolerances of a tenth each time. IDA is always tried: no integrator and no formulation
 * of holon has a part in it. With d, the largest difference of a coordinate from the reference, and c, the change by
 * the last refinement:
 *
 *     d <= GROSS range          the uncertainty of the reference is d at least
 *     d > GROSS range, c << d   both have converged, to different motions: there is no reference
 *     d > GROSS range, c ~ d    the second family has not converged: there is no reference either                  */
#include <holon/number.h>

#include "study.h"

#include <math.h>
#include <string.h>

enum { MOST_TIMES = 100, LEAST_STEPS = 1000, LEVELS = 6, IDA_LEVELS = 9, LEAST_LEVELS = 2 };

static const double FIRST_TOLERANCE = 1e-5; /* of IDA */
static const double GROSS = 1e-3;           /* relative to the range of the motion */
static const double ROUNDINGS = 100;        /* that a system at rest may show */
static const double CLOSE = 1e-6;           /* the same, where no other scheme is tried */
static const double ENOUGH = 0.01;          /* relative to the least error of the measured runs */
static const double CONVERGED = 0.3;        /* c of a converged run, relative to d */
static const double IMPROVED = 0.75;        /* d after a halving, relative to d before, where more halvings may help */
static const double MOST_WORK = 4e6;        /* of a run that refines an agreement */
static const double MOST_IDA_WORK = 2.5e7;  /* of a run of IDA that is needed: five seconds of a large model */
static const double MOST_SHARE = 1;         /* of a run that is needed, relative to the reference */
/* Growth of a difference in tolerance during the run, from which on its motion counts as sensitive. */
static const double SENSITIVE = 1e4;

static const HolScheme schemes[] = {
    {"generalized-inverse", "rk4", "generalized-inverse with rk4", {{0}}, 0},
    {"coordinate-partitioning", "rk4", "coordinate-partitioning with rk4", {{0}}, 0},
    {NULL, NULL, "ida", {{0}}, 0},
    {"index3-augmented-lagrangian",
     "newmark",
     "index3-augmented-lagrangian with newmark",
     {{"formulation.tolerance", "1e-12"}},
     1},
    {"energy-preserving", "built-in", "energy-preserving", {{"formulation.tolerance", "1e-12"}}, 1},
};
enum { SCHEMES = sizeof schemes / sizeof *schemes, EXPLICIT_SCHEMES = 2, IDA = EXPLICIT_SCHEMES };

/* The runs of the second family, the last one with the shortest steps. */
typedef struct Second {
    const HolScheme *scheme;
    HolSamples times;
    double h;                /* step of level 0 */
    double last_step;        /* of the last run that finished; of IDA its tolerance */
    int runs;                /* that finished */
    HolSamples runs_last[2]; /* runs_last[0] is the last one */
    double difference, before, change;
    double work;
} Second;

double hol_study_gross(const HolSamples *samples)
{
    return fmax(GROSS * hol_samples_range(samples), ROUNDINGS * HOL_COMPARE_ROUNDING * hol_samples_largest(samples));
}

static bool needs_implicit(const HolStudy *s)
{
    return s->result.is_stiff || hol_mechanism_beam_count(s->mechanism) > 0;
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

static bool is_ida(const Second *second)
{
    return !second->scheme->formulation;
}

/* "steps of 0.001 s" */
static const char *second_resolution(const Second *second, double value, HolMessage *text)
{
    hol_fail(text, HOL_OK, is_ida(second) ? "a tolerance of %.0e" : "steps of %.3g s", value);
    return text->text;
}

static HolStatus second_run_scheme(HolStudy *s, Second *second, double step, HolSamples *samples, HolMessage *why)
{
    HolSimulation *simulation;
    HOL_TRY(hol_study_open_scheme(s, second->scheme, step, &simulation, why));
    HolStatus status = hol_sampler_follow(&s->sampler, simulation, second->times.t, second->times.count, samples);
    second->work = hol_work_done(simulation, s->sampler.nq);
    if (status != HOL_OK)
        hol_fail(why, status, "%s", hol_simulation_message(simulation));
    hol_simulation_destroy(simulation);
    return status;
}

static HolStatus second_run_ida(HolStudy *s, Second *second, double tolerance, HolSamples *samples, HolMessage *why)
{
    HolIda *ida;
    HolInitialState start = hol_mechanism_initial_state(s->mechanism);
    HolIdaOptions options = {.tolerance = tolerance,
                             .is_stiff = needs_implicit(s),
                             .until = second->times.t[second->times.count - 1],
                             .work_limit = s->sampler.work_limit,
                             .after_step = hol_study_after_step,
                             .user = (void *)(size_t)s->options};
    HOL_TRY(hol_ida_create(hol_mechanism_system(s->mechanism), &start, &options, &ida, why));
    HolStatus status = hol_sampler_follow_ida(&s->sampler, ida, second->times.t, second->times.count, samples);
    second->work = hol_ida_work(ida);
    if (status != HOL_OK)
        hol_fail(why, status, "%s", hol_ida_message(ida));
    hol_ida_destroy(ida);
    return status;
}

static HolStatus second_run(HolStudy *s, Second *second, int level, HolMessage *why)
{
    HolSamples samples;
    double value = is_ida(second) ? FIRST_TOLERANCE / pow(10, level) : ldexp(second->h, -level);
    char what[120];
    hol_format(what, sizeof what, is_ida(second) ? "a reference by ida" : "the second reference, step %.3g s", value);
    if (!is_ida(second) || (level == 0 && hol_compare_has_ida())) /* all its runs take little time */
        HOL_TRY(hol_study_announce(s, what));
    HOL_TRY(hol_samples_create(&s->pool, &s->sampler, second->times.count, &samples));
    double needed = fmax(MOST_SHARE * s->reference_work, is_ida(second) ? MOST_IDA_WORK : 0);
    s->sampler.work_limit = fmax(MOST_WORK, second->runs < LEAST_LEVELS ? needed : 0);
    HolStatus status = is_ida(second) ? second_run_ida(s, second, value, &samples, why)
                                      : second_run_scheme(s, second, value, &samples, why);
    s->sampler.work_limit = 0;
    if (status == HOL_OK) {
        second->runs_last[1] = second->runs_last[0];
        second->runs_last[0] = samples;
        second->last_step = value;
        ++second->runs;
    }
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

static void second_list(HolStudy *s, const Second *second)
{
    HolComparison *c = &s->result;
    bool ida = is_ida(second);
    if (c->confirmation_count == HOL_MAX_CONFIRMATIONS)
        return;
    c->confirmations[c->confirmation_count++] = (HolConfirmation){.method = second->scheme->title,
                                                                  .step = ida ? NAN : second->last_step,
                                                                  .tolerance = ida ? second->last_step : NAN,
                                                                  .difference = second->difference,
                                                                  .change = second->change,
                                                                  .is_independent = ida};
}

static bool second_agrees(const HolStudy *s, const Second *second)
{
    return second->difference <= fmax(hol_study_gross(&s->reference), hol_study_gross(&second->runs_last[0]));
}

/* Halves the steps until the difference is small enough and does not speak against the reference, no longer falls, or
 * costs too much. A run that fails is repeated with shorter steps. */
static HolStatus second_refine(HolStudy *s, Second *second, HolMessage *why)
{
    HolStatus status = HOL_OK;
    double enough = second_enough(s);
    second->runs = 0;
    second->difference = second->change = NAN;
    for (int level = 0; level < (is_ida(second) ? IDA_LEVELS : LEVELS); ++level) {
        status = second_run(s, second, level, why);
        if (status == HOL_NO_MEMORY || status == HOL_STOPPED || status == HOL_UNSUPPORTED || status == HOL_GIVEN_UP)
            break;
        if (status != HOL_OK && is_ida(second)) /* a smaller tolerance makes it no easier */
            break;
        if (status != HOL_OK)
            continue;
        second_measure(s, second);
        bool may_improve = is_ida(second) || second->runs <= 2 || second->difference <= IMPROVED * second->before;
        bool is_done = (second->difference <= enough && second_agrees(s, second)) || !may_improve;
        if (second->runs >= LEAST_LEVELS && (is_done || 2 * second->work > MOST_WORK))
            break;
    }
    if (status == HOL_NO_MEMORY || status == HOL_STOPPED)
        return status;
    if (second->runs >= LEAST_LEVELS)
        second_list(s, second);
    else if (is_ida(second))
        s->result.without_ida = *why;
    return second->runs >= LEAST_LEVELS ? HOL_OK : status;
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
    HolMessage resolution;
    second_resolution(second, second->last_step, &resolution);
    s->is_sensitive = !is_converged && !c->is_stiff && growth > SENSITIVE;
    if (s->is_sensitive)
        hol_fail(
            &c->reference, HOL_OK,
            "none: the motion is too sensitive: a change of the tolerance from 1e-12 to 1e-11 grows to %.1g, and %s "
            "with %.100s differs by %.1g, the motion being %.2g; compare a shorter time",
            c->estimated_error, second->scheme->title, resolution.text, second->difference, range);
    else
        hol_fail(&c->reference, HOL_OK,
                 "none: two methods differ by %.1g, the motion being %.2g: %s, and %s with %.100s, %s %.1g",
                 second->difference, range, title, second->scheme->title, resolution.text,
                 is_converged ? "which a refinement changes by only" : "which a refinement still changes by",
                 second->change);
    c->has_reference = false;
    c->reference_method = NULL;
    c->estimated_error = c->reference_error = c->reference_step = NAN;
}

/* Tries one scheme after the other until one agrees closely or has converged to another motion, which *best then is;
 * otherwise the one nearest to the reference. HOL_OK if a scheme had enough runs. */
static HolStatus second_find(HolStudy *s, Second *second, const char *formulation, Second *best, HolMessage *why)
{
    bool has_best = false;
    for (int i = needs_implicit(s) ? EXPLICIT_SCHEMES : 0; i < SCHEMES; ++i) {
        second->scheme = &schemes[i];
        if (schemes[i].formulation && strcmp(schemes[i].formulation, formulation) == 0)
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

static bool has_tried_ida(const HolComparison *c)
{
    for (int i = 0; i < c->confirmation_count; ++i)
        if (c->confirmations[i].is_independent)
            return true;
    return *c->without_ida.text != '\0';
}

/* IDA does not replace a second method that agrees better; but where it has converged to another motion, there is no
 * reference. */
static HolStatus confirm_by_ida(HolStudy *s, Second *second, const char *title)
{
    HolMessage why = {{0}};
    if (!s->result.has_reference || has_tried_ida(&s->result))
        return HOL_OK;
    second->scheme = &schemes[IDA];
    HolStatus status = second_refine(s, second, &why);
    if (status == HOL_OK && !second_agrees(s, second) && second_is_converged(second))
        confirmation_decide(s, second, title);
    return status == HOL_NO_MEMORY || status == HOL_STOPPED ? status : HOL_OK;
}

HolStatus hol_study_confirm(HolStudy *s, const HolSamples *times, const char *formulation, const char *method)
{
    HolMessage why = {{0}};
    double span = times->t[times->count - 1] - times->t[0];
    Second second = {.h = fmin(hol_study_shortest_step(s), span / LEAST_STEPS)}, best = {0};
    int begun = s->done;
    s->result.reference_method = method;
    if (!(second.h > 0))
        return HOL_OK;
    HOL_TRY(second_thin(s, times, &second));
    HolStatus status = second_find(s, &second, formulation, &best, &why);
    if (status == HOL_OK) {
        confirmation_decide(s, &best, method);
        status = confirm_by_ida(s, &second, method);
    }
    s->done = begun + HOL_STUDY_CONFIRMATIONS + hol_compare_has_ida();
    if (status != HOL_UNSUPPORTED)
        return status;
    s->result.has_reference = false;
    s->result.reference_method = NULL;
    s->result.estimated_error = s->result.reference_error = s->result.reference_step = NAN;
    return hol_fail(&s->result.reference, HOL_OK, "none: no second method confirms %s: %.300s", method, why.text);
}
