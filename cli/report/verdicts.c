/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/verdicts.h"

#include "run/passages.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

enum { LONGEST = 800, MAX_LISTED = 8 };

void cli_verdict(CliJson *json, const char *level, const char *format, ...)
{
    char text[LONGEST];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    cli_json_object(json, NULL);
    cli_json_text(json, "level", level);
    cli_json_text(json, "text", text);
    cli_json_end(json);
}

static void judge_end(const CliOutcome *o, CliJson *json)
{
    const HolSummary *run = &o->summary->run;
    if (o->why)
        cli_verdict(json, "bad", "The run ended early, at t = %.6g s of %.6g s: %s%s%s", run->reached,
                    o->summary->until, o->why, o->advice ? ". What may help: " : "", o->advice ? o->advice : "");
    else
        cli_verdict(json, "good", "The run reached t = %.6g s in %ld steps with %s and %s, wall time %.2g s.",
                    run->reached, run->steps, run->formulation, run->integrator, run->wall_s);
}

static const HolPattern *summary_pattern(const CliSummary *summary)
{
    return hol_system_pattern(hol_mechanism_system(summary->mechanism));
}

static int row_count(const CliSummary *summary)
{
    return summary_pattern(summary)->nh + summary_pattern(summary)->nn;
}

static void judge_constraints(const CliOutcome *o, CliJson *json)
{
    static const double GOOD[] = {1e-9, 1e-7}, FAIR[] = {1e-5, 1e-3}; /* of the size of the model, and of that per s */
    const double size = summary_pattern(o->summary)->length;
    double position = o->summary->run.max_position_violation, velocity = o->summary->run.max_velocity_violation;
    if (row_count(o->summary) == 0)
        cli_verdict(json, "good", "There are no constraints.");
    else if (position <= GOOD[0] * size && velocity <= GOOD[1] * size)
        cli_verdict(json, "good", "Constraints satisfied: max position violation %.2g, max velocity violation %.2g.",
                    position, velocity);
    else if (position <= FAIR[0] * size && velocity <= FAIR[1] * size)
        cli_verdict(json, "note",
                    "Constraints satisfied approximately: max position violation %.2g, max velocity violation %.2g. A "
                    "smaller step, or a formulation that corrects positions and velocities, reduces them.",
                    position, velocity);
    else
        cli_verdict(json, "bad",
                    "Constraints violated: max position violation %.2g, max velocity violation %.2g. Try a smaller "
                    "step, or a formulation that corrects positions and velocities.",
                    position, velocity);
}

/* Whether the drift is rounding of the energy itself: it must not be compared with the kinetic energy, maybe zero. */
static bool is_rounding(const HolSummary *run)
{
    return run->max_energy_drift <= 1e-13 * fmax(fabs(run->energy_initial), fabs(run->energy_final));
}

static const double ENERGY_GOOD = 1e-6, ENERGY_FAIR = 1e-2; /* of the largest kinetic energy */

/* Whether a dissipative scheme has lost energy as designed. A rise, or an oscillation, is an error of any scheme. */
static bool has_decayed(const CliOutcome *o)
{
    const HolSummary *run = &o->summary->run;
    return run->undamped && o->kinetic > 0 && run->max_energy_drift > ENERGY_GOOD * o->kinetic &&
           run->max_energy_rise <= fmin(ENERGY_FAIR * o->kinetic, 0.1 * run->max_energy_drift);
}

static void judge_decay(const CliOutcome *o, CliJson *json)
{
    const HolSummary *run = &o->summary->run;
    double part = run->max_energy_drift / o->kinetic;
    char rise[80] = "it never rose", advice[160] = "";
    if (run->max_energy_rise > ENERGY_GOOD * o->kinetic)
        snprintf(rise, sizeof rise, "temporary rises were at most %.2g J", run->max_energy_rise);
    if (part > ENERGY_FAIR)
        snprintf(advice, sizeof advice,
                 " That is more than %g %% and may affect the motion: shorter steps, or %s, conserve energy better.",
                 100 * ENERGY_FAIR, run->undamped);
    cli_verdict(json, part > ENERGY_FAIR ? "warn" : "note",
                "The scheme dissipates energy by design: %.2g J, %.3g %% of the max kinetic energy (%.3g J); %s.%s",
                run->max_energy_drift, 100 * part, o->kinetic, rise, advice);
}

static void judge_energy(const CliOutcome *o, CliJson *json)
{
    const HolSummary *run = &o->summary->run;
    double drift = run->max_energy_drift;
    double part = o->kinetic > 0 ? drift / o->kinetic : drift;
    const char *level = part <= ENERGY_GOOD ? "good" : part <= ENERGY_FAIR ? "note" : "bad";
    if (is_rounding(run))
        cli_verdict(json, "good", "Energy balance satisfied: max energy drift %.2g J.", drift);
    else if (has_decayed(o))
        judge_decay(o, json);
    else if (o->kinetic > 0)
        cli_verdict(json, level, "Energy balance %s: max energy drift %.2g J, %.2g of the max kinetic energy (%.3g J).",
                    part <= ENERGY_FAIR ? "satisfied" : "violated", drift, part, o->kinetic);
    else
        cli_verdict(json, level, "Max energy drift %.2g J.", drift);
}

/* A conserved energy means little where part of it is off the constraint manifold. */
static void judge_off_manifold_energy(const CliOutcome *o, CliJson *json)
{
    const HolSummary *run = &o->summary->run;
    bool is_much = run->max_off_manifold_energy > ENERGY_FAIR * run->max_kinetic_energy;
    if (cli_has_off_manifold_energy(run))
        cli_verdict(json, is_much ? "warn" : "note",
                    "Off-manifold energy: up to %.2g J of %.3g J of kinetic energy belong to velocities that violate "
                    "the constraints. A smaller step reduces it.",
                    run->max_off_manifold_energy, run->max_kinetic_energy);
}

static bool verdicts_is_unique(const HolJointDiagnosis *joint)
{
    for (int i = 0; i < 6; ++i)
        if (!joint->unique[i])
            return false;
    return true;
}

static void list_joints(const CliSummary *summary, char text[LONGEST])
{
    const HolDiagnosis *d = summary->diagnosis;
    size_t used = 0;
    int count = 0;
    text[0] = '\0';
    for (int i = 0; i < d->joint_count; ++i)
        if (!verdicts_is_unique(&d->joints[i]) && ++count <= MAX_LISTED && used < LONGEST / 2)
            used += (size_t)snprintf(text + used, LONGEST / 2 - used, "%s%.60s", count > 1 ? ", " : "",
                                     hol_mechanism_joint(summary->mechanism, i).name);
    if (count > MAX_LISTED)
        snprintf(text, LONGEST, "%d joints", count);
}

static void judge_reactions(const CliOutcome *o, CliJson *json)
{
    const CliSummary *s = o->summary;
    char joints[LONGEST], rows[60];
    int count = s->run.redundant_rows;
    snprintf(rows, sizeof rows,
             count == 1 ? "%d constraint equation is redundant" : "%d constraint equations are redundant", count);
    if (row_count(s) == 0)
        return;
    if (count == 0)
        cli_verdict(json, "good", "All reactions are unique: no constraint equation is redundant.");
    else if (!s->diagnosis || !s->diagnosis->reactions_examined)
        cli_verdict(json, "note", "%s, so some reactions are not unique; the model is too large to find out which.",
                    rows);
    else {
        list_joints(s, joints);
        if (joints[0])
            cli_verdict(json, "note", "%s. The motion does not determine all reactions of %s: %s.", rows, joints,
                        cli_reaction_rule_text(s->mechanism));
        else
            cli_verdict(json, "good", "%s, but all reactions are unique.", rows);
    }
    if (isfinite(s->unresolved_since))
        cli_verdict(json, "note",
                    "After t = %.6g s these reactions could not be resolved: the position violation was too large.",
                    s->unresolved_since);
}

static void judge_singularities(const CliOutcome *o, CliJson *json)
{
    const HolSummary *run = &o->summary->run;
    char text[LONGEST / 2];
    if (run->singular_events == 0)
        return;
    cli_passages_summary(o->summary->mechanism, o->simulation, text, sizeof text);
    bool is_wrong = run->branch_changes + run->energy_jumps + run->ambiguous_branches > 0;
    cli_verdict(json, is_wrong ? "bad" : "note", "%s.%s", text, is_wrong ? " Later results are not reliable." : "");
}

void cli_verdicts(const CliOutcome *outcome, CliJson *json)
{
    cli_json_array(json, "verdicts");
    judge_end(outcome, json);
    judge_constraints(outcome, json);
    judge_energy(outcome, json);
    judge_off_manifold_energy(outcome, json);
    judge_reactions(outcome, json);
    judge_singularities(outcome, json);
    if (outcome->summary->realtime)
        cli_verdict(json, "note", "Real time: %s.", outcome->summary->realtime);
    cli_json_end(json);
}

static const char *event_kind(const HolPassage *passage)
{
    if (passage->changed_branch || passage->energy_jump)
        return "branch";
    return passage->recovered ? "recovery" : "singular";
}

static void write_event(CliJson *json, double t, const char *kind, const char *text)
{
    cli_json_object(json, NULL);
    cli_json_number(json, "t", t);
    cli_json_text(json, "kind", kind);
    cli_json_text(json, "text", text);
    cli_json_end(json);
}

void cli_events(const CliOutcome *outcome, CliJson *json)
{
    char text[LONGEST];
    cli_json_array(json, "events");
    for (int i = 0; i < hol_simulation_passage_count(outcome->simulation); ++i) {
        HolPassage passage = hol_simulation_passage(outcome->simulation, i);
        cli_passage_text(outcome->summary->mechanism, outcome->simulation, i, text, sizeof text);
        write_event(json, passage.t, event_kind(&passage), text);
    }
    if (outcome->why)
        write_event(json, outcome->summary->run.reached, "end", outcome->why);
    cli_json_end(json);
}
