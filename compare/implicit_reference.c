/* SPDX-License-Identifier: BSD-3-Clause */
/* The reference of a stiff model: implicit runs with halved steps.
 *
 * Runs x_k with steps h / 2^k are compared at the same times. With the change d_k = max |x_k - x_(k-1)| of one
 * coordinate and r = d_k / d_(k-1), a sequence that continues like that ends within
 *
 *     d_k (r + r^2 + ...) = d_k r / (1 - r)                                                              (1)
 *
 * of x_k; the largest of all coordinates counts. r is taken as 1/4 at least, the rate of order 2. Where r is not below
 * CONVERGED_RATIO, the sequence has not converged, and there is no reference unless the changes of that coordinate are
 * small. An estimate needs three runs.
 *
 * A vibration faster than the steps may drive slow motion, and all runs that do not resolve it miss that alike. So the
 * fraction of the kinetic energy in it (unresolved.h) times the range of the motion is a lower bound of the error. */
#include <holon/number.h>

#include "study.h"

#include <math.h>
#include <string.h>

enum { COARSER = 2, MOST_FINER = 8, LEAST_RUNS = 3 };

static const double MOST_WORK = 2.5e7; /* of all runs: half a minute of a beam */
static const double CONVERGED_RATIO = 0.75, ORDER_2 = 0.25;
static const double NEGLIGIBLE = 0.1;                /* change that need not converge, relative to (1) of the others */
static const double ROUNDING = HOL_COMPARE_ROUNDING; /* of the largest coordinate */
static const double LITTLE = 0.01; /* error due to what does not converge, relative to the range of the motion */
static const double MOST_UNRESOLVED = 0.01;
static const double ENOUGH = 0.01; /* relative to the least error of the measured runs */

/* The most accurate on stiff parts first: energy-decaying without dissipation. */
static const HolScheme schemes[] = {
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

/* Runs from level `first` to `last`, each with half the step of the previous one; level 0 has steps of h at most. */
typedef struct Refinement {
    const HolScheme *scheme;
    const HolSamples *times;
    double h;
    int nq;
    int *pieces;                   /* steps in each interval, at the present level */
    double *before, *last_changes; /* of each coordinate */
    int first, last;
    HolSamples levels[COARSER + 1 + MOST_FINER];
    double work, work_last;
} Refinement;

static HolSamples *level(Refinement *refinement, int k)
{
    return &refinement->levels[COARSER + k];
}

/* Divides every interval between two times at level k, so that all steps are halved. Returns the longest step. */
static double refinement_divide(Refinement *l, int k)
{
    double longest = 0;
    for (int i = 1; i < l->times->count; ++i) {
        double span = l->times->t[i] - l->times->t[i - 1];
        int coarsest = (int)fmax(1, ceil(span / (l->h * (1 << COARSER)) - HOL_COMPARE_SAME_STEP));
        l->pieces[i] = coarsest << (COARSER + k);
        longest = fmax(longest, span / l->pieces[i]);
    }
    return longest;
}

HolStatus hol_study_open_scheme(const HolStudy *s, const HolScheme *scheme, double step, HolSimulation **simulation,
                                HolMessage *message)
{
    HolSimulationOptions options = hol_mechanism_options(s->mechanism);
    HolInitialState start = hol_mechanism_initial_state(s->mechanism);
    hol_mechanism_choose_formulation(s->mechanism, scheme->formulation, &options);
    options.integrator = scheme->integrator;
    options.step = step;
    options.settings = scheme->settings;
    options.setting_count = scheme->setting_count;
    return hol_simulation_create(hol_mechanism_system(s->mechanism), &start, &options, simulation, message);
}

static HolStatus run_level(HolStudy *s, Refinement *l, int k, HolMessage *why)
{
    HolSimulation *simulation;
    char what[80];
    double longest = refinement_divide(l, k);
    hol_format(what, sizeof what, "the reference, step %.3g s", longest);
    HOL_TRY(hol_study_announce(s, what));
    HOL_TRY(hol_samples_create(&s->pool, &s->sampler, l->times->count, level(l, k)));
    /* Runs end with each step: the step of the options only has to be longer than any of them. */
    HOL_TRY(hol_study_open_scheme(s, l->scheme, 1.25 * longest, &simulation, why));
    s->sampler.work_limit = fmax(MOST_WORK - l->work, HOL_LEAST_WORK);
    HolStatus status = hol_sampler_divide(&s->sampler, simulation, l->times, l->pieces, level(l, k));
    s->sampler.work_limit = 0;
    l->work_last = hol_work_done(simulation, s->sampler.nq);
    l->work += l->work_last;
    s->reference_work = fmax(s->reference_work, l->work_last);
    if (status == HOL_GIVEN_UP)
        hol_fail(why, status, "steps of %.3g s would need too many evaluations", longest);
    else if (status != HOL_OK)
        hol_fail(why, status, "%s", hol_simulation_message(simulation));
    hol_simulation_destroy(simulation);
    return status;
}

/* (1); NAN: not converged. */
double hol_study_extrapolated_error(double before, double last)
{
    double ratio = before > 0 ? fmax(last / before, ORDER_2) : ORDER_2;
    return ratio < CONVERGED_RATIO ? last * ratio / (1 - ratio) : NAN;
}

/* Of the coordinates that do not converge, the one with the largest change counts. It is ignored if that is small
 * compared with the error of the others. If it is small compared with the motion and has not grown, as for a vibration
 * of little energy, the error is 1 / NEGLIGIBLE times the change. Otherwise the error is unknown. */
HolConvergence hol_study_convergence(const double *before, const double *last, int count, HolBounds bounds)
{
    HolConvergence all = {0}, loose = {0};
    double most = 0;
    for (int i = 0; i < count; ++i) {
        double error = last[i] > bounds.rounding ? hol_study_extrapolated_error(before[i], last[i]) : last[i];
        if (isnan(error) && !(last[i] <= loose.last))
            loose = (HolConvergence){NAN, before[i], last[i]};
        all.error = fmax(all.error, error);
        most = fmax(most, before[i]);
        if (last[i] >= all.last)
            all = (HolConvergence){all.error, before[i], last[i]};
    }
    if (loose.last <= NEGLIGIBLE * fmax(all.error, bounds.missed))
        return all;
    if (!(loose.last <= NEGLIGIBLE * LITTLE * bounds.range && loose.last <= most))
        return loose;
    all.error = fmax(all.error, loose.last / NEGLIGIBLE);
    return all;
}

static void list_changes(Refinement *l, int k, double *changes)
{
    for (int i = 0; i < l->nq; ++i)
        changes[i] = hol_samples_coordinate_difference(level(l, k), level(l, k - 1), i);
}

static double unresolved_fraction(Refinement *l)
{
    const HolSamples *finest = level(l, l->last);
    return hol_unresolved_fraction(level(l, l->last - 1)->unresolved, finest->unresolved, finest->kinetic);
}

static double unresolved_error(Refinement *l)
{
    return unresolved_fraction(l) * hol_samples_range(level(l, l->last));
}

static HolConvergence refinement_convergence(Refinement *l)
{
    list_changes(l, l->last - 1, l->before);
    list_changes(l, l->last, l->last_changes);
    HolBounds bounds = {ROUNDING * hol_samples_largest(level(l, l->last)), unresolved_error(l),
                        hol_samples_range(level(l, l->last))};
    return hol_study_convergence(l->before, l->last_changes, l->nq, bounds);
}

static bool has_estimate(const Refinement *l)
{
    return l->last - l->first + 1 >= LEAST_RUNS;
}

/* (1) of the sequence so far; NAN: not yet known. */
static double refinement_error(Refinement *l)
{
    return has_estimate(l) && unresolved_fraction(l) <= MOST_UNRESOLVED ? refinement_convergence(l).error : NAN;
}

/* Whether the errors of the measured runs, if any, are known to two digits. */
static bool is_enough(const HolStudy *s, Refinement *l)
{
    double least = NAN;
    for (const HolEntry *e = s->entries; e < s->entries + s->entry_count; ++e)
        if (e->shown && e->record.status == HOL_OK)
            least = fmin(least, hol_samples_position_difference(&e->samples, level(l, l->last)));
    return isnan(least) ? !isnan(refinement_error(l)) : refinement_error(l) <= ENOUGH * least;
}

static bool is_end(HolStatus status)
{
    return status == HOL_NO_MEMORY || status == HOL_STOPPED;
}

/* Refines while that improves the errors and the work limit allows it; then coarsens if an estimate needs more runs. */
static HolStatus refinement_run(HolStudy *s, Refinement *l, HolMessage *why)
{
    HolStatus status = run_level(s, l, 0, why);
    l->first = 0;
    l->last = status == HOL_OK ? 0 : -1;
    while (status == HOL_OK && l->last < MOST_FINER && !is_enough(s, l) && l->work + 2 * l->work_last <= MOST_WORK) {
        status = run_level(s, l, l->last + 1, why);
        l->last += status == HOL_OK;
    }
    while (!has_estimate(l) && l->first > -COARSER && (status == HOL_OK || status == HOL_GIVEN_UP)) {
        status = run_level(s, l, l->first - 1, why);
        l->first -= status == HOL_OK;
    }
    return !is_end(status) && has_estimate(l) ? HOL_OK : status;
}

/* Takes the first scheme whose runs finish. One that exceeds the work limit leaves no work for another. */
static HolStatus refinement_run_any(HolStudy *s, Refinement *l, HolMessage *why)
{
    HolStatus status = HOL_UNSUPPORTED;
    for (int i = 0; i < SCHEMES && status != HOL_OK && status != HOL_GIVEN_UP && !is_end(status); ++i) {
        l->scheme = &schemes[i];
        status = refinement_run(s, l, why);
    }
    return status;
}

static void refinement_report(HolStudy *s, Refinement *l)
{
    double step = refinement_divide(l, l->last), error = refinement_error(l), part = unresolved_fraction(l);
    HolConvergence convergence = refinement_convergence(l);
    char fast[120] = "";
    s->result.has_reference = !isnan(error);
    s->result.estimated_error = s->result.reference_error = isnan(error) ? NAN : fmax(error, unresolved_error(l));
    s->result.reference_step = s->result.has_reference ? step : NAN;
    if (unresolved_error(l) > convergence.error)
        hol_format(fast, sizeof fast, "; motion faster than its steps has %.1g of the kinetic energy", part);
    if (!isnan(error))
        hol_fail(&s->result.reference, HOL_OK, "%s, step %.3g s, halved until it changed by %.1g%s", l->scheme->title,
                 step, convergence.last, fast);
    else if (isnan(convergence.error))
        hol_fail(&s->result.reference, HOL_OK,
                 "none: the sequence has not converged. With steps of %.3g s a coordinate of %s changes by %.1g, with "
                 "twice that "
                 "by %.1g",
                 step, l->scheme->title, convergence.last, convergence.before);
    else
        hol_fail(&s->result.reference, HOL_OK,
                 "none: motion faster than the steps of %s, %.3g s, has %.1g of the kinetic energy, and its effect on "
                 "the rest is unknown",
                 l->scheme->title, step, part);
}

HolStatus hol_study_implicit_reference(HolStudy *s, const HolSamples *times)
{
    HolMessage why = {{0}};
    Refinement refinement = {.times = times, .h = hol_study_shortest_step(s), .nq = s->sampler.nq};
    int begun = s->done;
    refinement.pieces = hol_pool_alloc(&s->pool, (size_t)times->count * sizeof *refinement.pieces);
    refinement.before = hol_pool_doubles(&s->pool, (size_t)refinement.nq);
    refinement.last_changes = hol_pool_doubles(&s->pool, (size_t)refinement.nq);
    if (!refinement.pieces || !refinement.before || !refinement.last_changes)
        return HOL_NO_MEMORY;
    HolStatus status = refinement_run_any(s, &refinement, &why);
    s->done = begun + HOL_STUDY_HALVINGS;
    if (status == HOL_OK) {
        refinement_report(s, &refinement);
        s->reference = *level(&refinement, refinement.last);
        s->before = *level(&refinement, refinement.last - 1);
        if (s->result.has_reference)
            status = hol_study_confirm(s, times, refinement.scheme->formulation, refinement.scheme->title);
        s->result.reference_error = s->result.estimated_error;
    } else if (!is_end(status)) {
        hol_fail(&s->result.reference, HOL_OK, "none: too few of its runs finished: %.400s", why.text);
    }
    return is_end(status) ? status : HOL_OK;
}
