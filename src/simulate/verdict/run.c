/* SPDX-License-Identifier: BSD-3-Clause */
/* The verdict on a run. Every measure is divided by a size of its own kind:
 *
 *     position violation      by the range of the motion, but at most the size of the model; of angles and directions
 *                             as displacements at the lever arm, like the motion
 *     velocity violation      by the largest speed
 *     energy drift            by the energy that moves: the larger of max T and max V - min V
 *     off-manifold energy     by max T
 *     estimated error         is relative already (run/estimate.h) */
#include "base/format.h"
#include "base/tolerances.h"
#include "integrators/integrator.h"
#include "simulate/verdict/findings.h"

#include <math.h>
#include <string.h>

static const char SHORTER[] = "Take a shorter step, or an adaptive integrator such as dopri5.";

/* Steps that must have been taken twice for each one that could not. */
enum { PROBES_EACH_FAILURE = 4 };

enum { ERROR_SIZE = 40 };

/* a / b, where 0 / 0 is 0 */
static double part_of(double a, double b)
{
    return a > 0 ? a / b : 0;
}

static double energy_in_motion(const HolSummary *run)
{
    return fmax(run->max_kinetic_energy, run->potential_high - run->potential_low);
}

static void judge_end(const HolSummary *run, const char *why, HolFindings *findings)
{
    if (run->status == HOL_OK)
        return;
    HolJudged end = {"end", 1, 0, 0};
    const size_t length = strlen(why);
    const char *stop = length > 0 && why[length - 1] == '.' ? "" : ".";
    HolFinding *f =
        hol_findings_add(findings, end, "The run stopped early, at t = %.6g s: %s%s", run->reached, why, stop);
    hol_finding_advise(f, "Results exist up to that time only.");
}

/* What violations are relative to. */
static double size_of_motion(const HolSummary *run)
{
    return run->motion > 0 ? fmin(run->motion, run->length) : run->length;
}

static void judge_constraints(const HolSummary *run, HolFindings *findings)
{
    const double size = size_of_motion(run);
    static const char advice[] = "Take a shorter step, or a formulation that projects onto the constraints, such as "
                                 "direct-correction.";
    if (run->constraint_equations == 0)
        return;
    HolJudged position = {"position violation", part_of(run->max_displacement, size), HOL_GOOD_VIOLATION,
                          HOL_DOUBTFUL_VIOLATION};
    HolJudged velocity = {"velocity violation", part_of(run->max_displacement_rate, run->max_speed), HOL_GOOD_VIOLATION,
                          HOL_DOUBTFUL_VIOLATION};
    if (run->max_displacement <= HOL_TOL_EQUAL * run->length)
        position.value = fmin(position.value, position.good);
    if (run->max_displacement_rate <= HOL_TOL_EQUAL * run->length)
        velocity.value = fmin(velocity.value, velocity.good);
    hol_finding_advise(hol_findings_add(findings, position, "Max position violation %.2g, %.2g of the motion (%.3g m).",
                                        run->max_position_violation, position.value, size),
                       advice);
    hol_finding_advise(hol_findings_add(findings, velocity,
                                        "Max velocity violation %.2g, %.2g of the max speed (%.3g m/s).",
                                        run->max_velocity_violation, velocity.value, run->max_speed),
                       advice);
}

/* Whether a scheme with numerical damping has lost energy as designed. A rise, or an oscillation, is an error of any
 * scheme. */
static bool has_decayed(const HolSummary *run)
{
    return run->undamped && run->max_energy_rise <=
                                fmin(HOL_GOOD_ENERGY * energy_in_motion(run), HOL_PART_REDUCED * run->max_energy_drift);
}

/* Rounding of the energy itself is no drift, however little energy moves. */
static double relative_drift(const HolSummary *run)
{
    double size = fmax(fmax(fabs(run->energy_initial), fabs(run->energy_final)),
                       fmax(fabs(run->potential_high), fabs(run->potential_low)));
    return run->max_energy_drift <= HOL_TOL_ROUNDING * size ? 0 : part_of(run->max_energy_drift, energy_in_motion(run));
}

static void judge_energy(const HolSummary *run, HolFindings *findings)
{
    /* Drivers that prescribe the whole motion leave nothing to the energy but the integration of their work. */
    HolJudged energy = {"energy balance", relative_drift(run), HOL_GOOD_ENERGY,
                        run->dof == 0 ? HUGE_VAL : HOL_DOUBTFUL_ENERGY};
    double moved = energy_in_motion(run);
    if (has_decayed(run)) {
        energy.doubtful = HUGE_VAL;
        HolFinding *f = hol_findings_add(findings, energy,
                                         "The scheme dissipates energy by design: %.2g J, %.2g of the energy in motion "
                                         "(%.3g J).",
                                         run->max_energy_drift, energy.value, moved);
        if (f)
            hol_format(f->advice, sizeof f->advice, "Take a shorter step, or %s, which conserves energy.",
                       run->undamped);
        return;
    }
    hol_finding_advise(hol_findings_add(findings, energy,
                                        "Max energy drift %.2g J, %.2g of the energy in motion (%.3g J).",
                                        run->max_energy_drift, energy.value, moved),
                       SHORTER);
}

/* A conserved energy means little if part of it is off the constraint manifold. */
static void judge_off_manifold_energy(const HolSummary *run, HolFindings *findings)
{
    HolJudged off = {"off-manifold energy", part_of(run->max_off_manifold_energy, run->max_kinetic_energy),
                     HOL_GOOD_ENERGY, HOL_DOUBTFUL_ENERGY};
    if (run->max_off_manifold_energy > 0)
        hol_finding_advise(hol_findings_add(findings, off,
                                            "Up to %.2g J of %.3g J of kinetic energy belong to velocities that "
                                            "violate the constraints.",
                                            run->max_off_manifold_energy, run->max_kinetic_energy),
                           "Take a shorter step.");
}

/* A number of something that should not be: doubtful. */
static HolJudged judged_count(const char *what, long count)
{
    return (HolJudged){what, (double)count, 0, HUGE_VAL};
}

static const char *plural(long count)
{
    return count == 1 ? "" : "s";
}

/* "about 0.02 of the motion" */
static const char *error_text(double error, const char *about, char text[ERROR_SIZE])
{
    if (error <= 1)
        hol_format(text, ERROR_SIZE, "%s%.2g of the motion", about, error);
    else
        hol_format(text, ERROR_SIZE, "larger than the motion");
    return text;
}

static void judge_error(const HolSummary *run, HolFindings *findings)
{
    HolJudged error = {"estimated error", run->phase_error, HOL_GOOD_ERROR, HUGE_VAL};
    /* Steps that cannot be taken twice are not those that are easy. */
    bool is_unknown = run->unchecked_steps > 0 && PROBES_EACH_FAILURE * run->unchecked_steps > run->checked_steps;
    char text[ERROR_SIZE];
    HolJudged unknown = judged_count("unchecked steps", run->unchecked_steps);
    if (is_unknown)
        hol_finding_advise(hol_findings_add(findings, unknown,
                                            "%ld of %ld steps could not be taken twice to estimate the error: the "
                                            "steps are at the limit of convergence.",
                                            run->unchecked_steps, run->unchecked_steps + run->checked_steps),
                           "Take a shorter step; --verify measures the error.");
    if (!isnan(run->estimated_error))
        hol_finding_advise(hol_findings_add(findings, error,
                                            "Steps that were taken twice differ: the error of the run is %s.",
                                            error_text(error.value, "about ", text)),
                           "Take a shorter step; --verify measures the error.");
}

/* Errors below the limit would be good even in the most sensitive of regular motions. */
static void judge_unknown_sensitivity(const HolSummary *run, HolFindings *findings)
{
    static const double LEAST_ERROR = HOL_GOOD_ERROR / (HOL_GOOD_SENSITIVITY * HOL_GOOD_SENSITIVITY);
    HolJudged unknown = {"sensitivity", run->unknown_sensitivity, HOL_PART_REDUCED, HUGE_VAL};
    if (unknown.value > unknown.good && run->phase_error > LEAST_ERROR)
        hol_finding_advise(hol_findings_add(findings, unknown,
                                            "By how much the motion enlarges errors is not known: it could not be "
                                            "measured in %.0f %% of the run.",
                                            100 * unknown.value),
                           "Take a shorter step; --verify measures the error.");
}

/* A motion that enlarges errors: the estimate counts that much more. */
/* A state that violates constraints is as far from the right one. With one degree of freedom sensitivity is that along
 * the motion, to which a violation adds nothing. */
static double error_of_state(const HolSummary *run)
{
    bool is_drift = run->dof > 1 && run->max_displacement > HOL_TOL_EQUAL * run->length;
    return fmax(run->estimated_error, is_drift ? part_of(run->max_displacement, size_of_motion(run)) : 0);
}

static void judge_sensitivity(const HolSummary *run, HolFindings *findings)
{
    HolJudged error = {"sensitivity", error_of_state(run) * run->sensitivity, HOL_GOOD_ERROR, HUGE_VAL};
    char text[ERROR_SIZE];
    const bool is_sensitive = run->sensitivity > HOL_GOOD_SENSITIVITY && !isnan(run->estimated_error);
    if (!is_sensitive || !(error.value > error.good))
        judge_unknown_sensitivity(run, findings);
    if (is_sensitive)
        hol_finding_advise(hol_findings_add(findings, error,
                                            "The motion is sensitive: it enlarges small errors by up to %.2g, so the "
                                            "error of the run may be %s.",
                                            run->sensitivity, error_text(error.value, "", text)),
                           "Take a shorter step or a shorter run; --verify measures the error.");
}

static void judge_events(const HolSummary *run, HolFindings *findings)
{
    HolJudged events = judged_count("events", run->unresolved_events);
    if (run->unresolved_events > 0)
        hol_finding_advise(hol_findings_add(findings, events,
                                            "%ld event%s not resolved: the next follows within three steps, or no step "
                                            "ends there with all of its stages.",
                                            run->unresolved_events, run->unresolved_events == 1 ? " is" : "s are"),
                           SHORTER);
}

static void judge_resolution(const HolSummary *run, HolFindings *findings)
{
    HolJudged steps = judged_count("functions of time", run->unresolved_steps);
    if (run->unresolved_steps > 0)
        hol_finding_advise(hol_findings_add(findings, steps,
                                            "A function of time changes too fast to be resolved, even by shorter "
                                            "steps: %s.",
                                            run->unresolved_function),
                           "Take a shorter step.");
}

static void judge_functions_of_state(const HolSummary *run, HolFindings *findings)
{
    HolJudged steps = judged_count("functions of the state", run->missed_steps);
    if (run->missed_steps > 0)
        hol_finding_advise(hol_findings_add(findings, steps,
                                            "A force changes between the points at which the steps evaluate it, in %ld "
                                            "step%s: %s.",
                                            run->missed_steps, plural(run->missed_steps), run->missed_function),
                           "Take a step in which the motion passes a small part of the narrowest change of the force.");
}

static void judge_branch(const HolSummary *run, HolFindings *findings)
{
    HolJudged branch = {"branch", (double)(run->branch_changes + run->energy_jumps), 0, 0};
    if (run->singular_events > 0)
        hol_finding_advise(hol_findings_add(findings, branch,
                                            "%ld singular configuration%s passed, with %ld branch change%s and %ld "
                                            "energy jump%s.",
                                            run->singular_events, plural(run->singular_events), run->branch_changes,
                                            plural(run->branch_changes), run->energy_jumps, plural(run->energy_jumps)),
                           "Results after the first of them are not reliable: take a shorter step.");
}

/* Nearer to a singular configuration than rounding or violated constraints can tell: either branch may be the right
 * one. */
static void judge_ambiguity(const HolSummary *run, HolFindings *findings)
{
    HolJudged ambiguous = judged_count("ambiguous branch", run->ambiguous_branches);
    if (run->ambiguous_branches > 0)
        hol_finding_advise(hol_findings_add(findings, ambiguous,
                                            "%ld time%s the run passed a singular configuration so closely that "
                                            "rounding or the violation of constraints decided its branch.",
                                            run->ambiguous_branches, plural(run->ambiguous_branches)),
                           "Make the dimensions exact or different by more than rounding, or take a formulation that "
                           "projects onto the constraints, such as direct-correction.");
}

/* The steps of an adaptive integrator follow from its tolerance. */
static bool chooses_steps(const char *integrator)
{
    const HolIntegratorKind *kind = integrator ? hol_integrator_find(integrator, NULL) : NULL;
    return kind && kind->adapt;
}

static void judge_convergence(const HolSummary *run, HolFindings *findings)
{
    HolJudged unconverged = judged_count("convergence", run->unconverged);
    if (run->unconverged > run->singular_events) /* steps across singular configurations are meant to be so */
        hol_finding_advise(hol_findings_add(findings, unconverged,
                                            "%ld of %ld steps were accepted without convergence.", run->unconverged,
                                            run->steps),
                           chooses_steps(run->integrator) ? "Take a smaller tolerance, or another formulation."
                                                          : "Take a shorter step or allow more iterations.");
}

static void judge_run(const HolSummary *run, const char *why, HolFindings *findings)
{
    judge_end(run, why, findings);
    judge_constraints(run, findings);
    judge_energy(run, findings);
    judge_off_manifold_energy(run, findings);
    judge_error(run, findings);
    judge_sensitivity(run, findings);
    judge_events(run, findings);
    judge_resolution(run, findings);
    judge_functions_of_state(run, findings);
    judge_branch(run, findings);
    judge_ambiguity(run, findings);
    judge_convergence(run, findings);
    hol_findings_finish(findings);
}

static bool is_estimate(const char *what)
{
    return strcmp(what, "estimated error") == 0 || strcmp(what, "sensitivity") == 0 ||
           strcmp(what, "unchecked steps") == 0;
}

void hol_findings_verify(HolFindings *findings, double error)
{
    static const char what[] = "verified error";
    char text[ERROR_SIZE];
    int kept = 0;
    if (!findings)
        return;
    if (findings->count < 0 || findings->count > HOL_MAX_FINDINGS)
        findings->count = 0; /* never filled */
    for (int i = 0; i < findings->count; ++i)
        if (!is_estimate(findings->list[i].what))
            findings->list[kept++] = findings->list[i];
    findings->count = kept;
    HolJudged verified = {what, error, HOL_GOOD_ERROR, HOL_WRONG_ERROR};
    hol_finding_advise(isfinite(error) ? hol_findings_add(findings, verified,
                                                          "The error, from the difference to a repeated run, is %s.",
                                                          error_text(error, "", text))
                                       : hol_findings_add(findings, verified, "The repeated run failed."),
                       SHORTER);
    hol_findings_finish(findings);
}

void hol_summary_findings(const HolSummary *summary, HolFindings *findings)
{
    if (hol_findings_begin(findings, summary))
        judge_run(summary, hol_status_cause(summary->status), findings);
}

void hol_simulation_findings(const HolSimulation *simulation, HolFindings *findings)
{
    if (!hol_findings_begin(findings, simulation))
        return;
    HolSummary summary = hol_simulation_summary(simulation);
    judge_run(&summary, hol_simulation_message(simulation), findings);
}

HolVerdict hol_simulation_verdict(const HolSimulation *simulation)
{
    HolFindings findings;
    hol_simulation_findings(simulation, &findings);
    return findings.verdict;
}
