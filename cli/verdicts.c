/* SPDX-License-Identifier: BSD-3-Clause */
#include "verdicts.h"

#include "passages.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

enum { LONGEST = 800, MOST_LISTED = 8 };

void cli_verdict(HolJson *json, const char *level, const char *format, ...)
{
    char text[LONGEST];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    hol_json_object(json, NULL);
    hol_json_text(json, "level", level);
    hol_json_text(json, "text", text);
    hol_json_end(json);
}

static void judge_end(const CliOutcome *o, HolJson *json)
{
    const HolSummary *run = &o->summary->run;
    if (o->why)
        cli_verdict(json, "bad", "The run ended early, at t = %.6g s of %.6g s: %s%s%s", run->reached,
                    o->summary->until, o->why, o->advice ? ". What may help: " : "", o->advice ? o->advice : "");
    else
        cli_verdict(json, "good",
                    "The run came to its end, t = %.6g s, in %ld steps with %s and %s, in %.2g s of time.",
                    run->reached, run->steps, run->formulation, run->integrator, run->wall_s);
}

static int row_count(const CliSummary *summary)
{
    const HolPattern *pattern = hol_system_pattern(hol_mechanism_system(summary->mechanism));
    return pattern->nh + pattern->nn;
}

static void judge_constraints(const CliOutcome *o, HolJson *json)
{
    static const double GOOD[] = {1e-9, 1e-7}, FAIR[] = {1e-5, 1e-3}; /* positions, velocities */
    double position = o->summary->run.max_position_violation, velocity = o->summary->run.max_velocity_violation;
    if (row_count(o->summary) == 0)
        cli_verdict(json, "good", "There are no constraints.");
    else if (position <= GOOD[0] && velocity <= GOOD[1])
        cli_verdict(json, "good", "Constraints held to %.2g (positions) and %.2g (velocities).", position, velocity);
    else if (position <= FAIR[0] && velocity <= FAIR[1])
        cli_verdict(json, "note",
                    "Constraints held to %.2g (positions) and %.2g (velocities); a smaller step, or a formulation that "
                    "corrects positions and velocities, meets them better.",
                    position, velocity);
    else
        cli_verdict(json, "bad",
                    "Constraints came apart: by up to %.2g (positions) and %.2g (velocities). Take a smaller step, or "
                    "a formulation that corrects positions and velocities.",
                    position, velocity);
}

/* What is lost of energies of this size by rounding alone: nothing to compare with the motion, which may be none. */
static bool is_rounding(const HolSummary *run)
{
    return run->max_energy_drift <= 1e-13 * fmax(fabs(run->energy_initial), fabs(run->energy_final));
}

static const double ENERGY_GOOD = 1e-6, ENERGY_FAIR = 1e-2; /* of the largest kinetic energy */

/* A scheme that lets energy decay on purpose has not failed where it did. It has where energy grew, or went up and
 * down: a drift that is all but free of rises has fallen. */
static bool has_decayed(const CliOutcome *o)
{
    const HolSummary *run = &o->summary->run;
    return run->undamped && o->kinetic > 0 && run->max_energy_drift > ENERGY_GOOD * o->kinetic &&
           run->max_energy_rise <= fmin(ENERGY_FAIR * o->kinetic, 0.1 * run->max_energy_drift);
}

static void judge_decay(const CliOutcome *o, HolJson *json)
{
    const HolSummary *run = &o->summary->run;
    double part = run->max_energy_drift / o->kinetic;
    char rise[80] = "it never grew", advice[160] = "";
    if (run->max_energy_rise > ENERGY_GOOD * o->kinetic)
        snprintf(rise, sizeof rise, "on the way it grew by at most %.2g J", run->max_energy_rise);
    if (part > ENERGY_FAIR)
        snprintf(advice, sizeof advice,
                 " That is more than %g %%, and may be a part of the motion: shorter steps, or %s, keep it.",
                 100 * ENERGY_FAIR, run->undamped);
    cli_verdict(json, part > ENERGY_FAIR ? "warn" : "note",
                "The scheme let energy decay, as it is meant to: by %.2g J, %.3g %% of the largest kinetic energy "
                "(%.3g J); %s.%s",
                run->max_energy_drift, 100 * part, o->kinetic, rise, advice);
}

static void judge_energy(const CliOutcome *o, HolJson *json)
{
    const HolSummary *run = &o->summary->run;
    double drift = run->max_energy_drift;
    double part = o->kinetic > 0 ? drift / o->kinetic : drift;
    const char *level = part <= ENERGY_GOOD ? "good" : part <= ENERGY_FAIR ? "note" : "bad";
    if (is_rounding(run))
        cli_verdict(json, "good", "Energy was kept: the balance of energy and work drifted by at most %.2g J.", drift);
    else if (has_decayed(o))
        judge_decay(o, json);
    else if (o->kinetic > 0)
        cli_verdict(json, level,
                    "Energy %s: the balance of energy and work drifted by at most %.2g J, %.2g of the largest kinetic "
                    "energy (%.3g J).",
                    part <= ENERGY_FAIR ? "was kept" : "was not kept", drift, part, o->kinetic);
    else
        cli_verdict(json, level, "The balance of energy and work drifted by at most %.2g J.", drift);
}

/* A kept energy says little where it is not that of the bodies. */
static void judge_stray(const CliOutcome *o, HolJson *json)
{
    const HolSummary *run = &o->summary->run;
    bool is_much = run->max_stray_energy > ENERGY_FAIR * run->max_kinetic_energy;
    if (cli_strays(run))
        cli_verdict(json, is_much ? "warn" : "note",
                    "Of the kinetic energy up to %.2g J of %.3g J went astray, into motion that the constraints forbid "
                    "and no body makes; a shorter step leaves less.",
                    run->max_stray_energy, run->max_kinetic_energy);
}

static bool is_unique(const HolJointDiagnosis *joint)
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
        if (!is_unique(&d->joints[i]) && ++count <= MOST_LISTED && used < LONGEST / 2)
            used += (size_t)snprintf(text + used, LONGEST / 2 - used, "%s%.60s", count > 1 ? ", " : "",
                                     hol_mechanism_joint(summary->mechanism, i).name);
    if (count > MOST_LISTED)
        snprintf(text, LONGEST, "%d joints", count);
}

static void judge_reactions(const CliOutcome *o, HolJson *json)
{
    const CliSummary *s = o->summary;
    char joints[LONGEST], rows[40];
    int count = s->run.redundant_rows;
    snprintf(rows, sizeof rows, count == 1 ? "%d row is redundant" : "%d rows are redundant", count);
    if (row_count(s) == 0)
        return;
    if (count == 0)
        cli_verdict(json, "good", "All reactions are unique: no row is redundant.");
    else if (!s->diagnosis || !s->diagnosis->looked_at_reactions)
        cli_verdict(json, "note", "%s, so some reactions are not unique; the model is too large to tell which.", rows);
    else {
        list_joints(s, joints);
        if (joints[0])
            cli_verdict(json, "note", "%s; the motion does not tell all reactions of %s: %s.", rows, joints,
                        cli_reactions_words(s->mechanism));
        else
            cli_verdict(json, "good", "%s, but all reactions are unique.", rows);
    }
    if (isfinite(s->unresolved_since))
        cli_verdict(json, "note",
                    "From t = %.6g s on these reactions could not be resolved: the joints were too far open.",
                    s->unresolved_since);
}

static void judge_singularities(const CliOutcome *o, HolJson *json)
{
    const HolSummary *run = &o->summary->run;
    char text[LONGEST / 2];
    if (run->singular_events == 0)
        return;
    cli_passages_text(o->summary->mechanism, o->simulation, text, sizeof text);
    cli_verdict(json, run->branch_changes + run->energy_jumps > 0 ? "bad" : "note", "Singular configurations: %s.%s",
                text,
                run->branch_changes + run->energy_jumps > 0 ? " From there on the results are not to be trusted." : "");
}

void cli_verdicts(const CliOutcome *outcome, HolJson *json)
{
    hol_json_array(json, "verdicts");
    judge_end(outcome, json);
    judge_constraints(outcome, json);
    judge_energy(outcome, json);
    judge_stray(outcome, json);
    judge_reactions(outcome, json);
    judge_singularities(outcome, json);
    if (outcome->summary->realtime)
        cli_verdict(json, "note", "Clock: %s.", outcome->summary->realtime);
    hol_json_end(json);
}

static const char *kind_of(const HolPassage *passage)
{
    if (passage->changed_branch || passage->energy_jump)
        return "branch";
    return passage->recovered ? "recovery" : "singular";
}

static void write_event(HolJson *json, double t, const char *kind, const char *text)
{
    hol_json_object(json, NULL);
    hol_json_number(json, "t", t);
    hol_json_text(json, "kind", kind);
    hol_json_text(json, "text", text);
    hol_json_end(json);
}

void cli_events(const CliOutcome *outcome, HolJson *json)
{
    char text[LONGEST];
    hol_json_array(json, "events");
    for (int i = 0; i < hol_simulation_passage_count(outcome->simulation); ++i) {
        HolPassage passage = hol_simulation_passage(outcome->simulation, i);
        cli_passage_text(outcome->summary->mechanism, outcome->simulation, i, text, sizeof text);
        write_event(json, passage.t, kind_of(&passage), text);
    }
    if (outcome->why)
        write_event(json, outcome->summary->run.reached, "end", outcome->why);
    hol_json_end(json);
}
