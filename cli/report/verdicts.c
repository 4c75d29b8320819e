/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/verdicts.h"

#include "run/passages.h"
#include "uniqueness.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 800 };

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
        cli_verdict(json, "good", "The run reached t = %.6g s in %ld steps with %s and %s, wall time %.*f s.",
                    run->reached, run->steps, run->formulation, run->integrator, run->wall_s < 10 ? 2 : 0, run->wall_s);
}

static const HolPattern *summary_pattern(const CliSummary *summary)
{
    return hol_system_pattern(hol_mechanism_system(summary->mechanism));
}

static int row_count(const CliSummary *summary)
{
    return summary_pattern(summary)->nh + summary_pattern(summary)->nn;
}

/* The findings of the library, with its words. That the run ended early is said above, with more detail. */
static void show_findings(const CliOutcome *o, CliJson *json)
{
    const HolFindings *findings = &o->summary->findings;
    for (int i = 0; i < findings->count; ++i) {
        const HolFinding *f = &findings->list[i];
        if (strcmp(f->what, "end") != 0)
            cli_verdict(json, hol_verdict_name(f->verdict), "%s%s%s", f->reason, *f->advice ? " " : "", f->advice);
    }
}

static void judge_reactions(const CliOutcome *o, CliJson *json)
{
    const CliSummary *s = o->summary;
    char joints[LONGEST / 2], changing[LONGEST / 2], rows[60];
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
        cli_not_unique_text(s->mechanism, s->diagnosis, joints, sizeof joints);
        cli_changing_text(s->mechanism, s->diagnosis, changing, sizeof changing);
        if (joints[0])
            cli_verdict(json, "note", "%s. The motion does not determine all reactions of %s: %s.", rows, joints,
                        cli_reaction_rule_text(s->mechanism));
        else
            cli_verdict(json, "good", "%s, but all reactions are unique.", rows);
        if (changing[0])
            cli_verdict(json, "note", "Components of reactions are not unique in a part of the run: %s.", changing);
    }
    if (isfinite(s->unresolved_since))
        cli_verdict(json, "note",
                    "After t = %.6g s these reactions could not be resolved: the position violation was too large.",
                    s->unresolved_since);
}

static void describe_singularities(const CliOutcome *o, CliJson *json)
{
    char text[LONGEST / 2];
    if (o->summary->run.singular_events == 0)
        return;
    cli_passages_summary(o->summary->mechanism, o->simulation, text, sizeof text);
    cli_verdict(json, "note", "%s.", text);
}

void cli_verdicts(const CliOutcome *outcome, CliJson *json)
{
    cli_json_array(json, "verdicts");
    judge_end(outcome, json);
    show_findings(outcome, json);
    judge_reactions(outcome, json);
    describe_singularities(outcome, json);
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
