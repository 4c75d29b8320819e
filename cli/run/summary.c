/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/summary.h"

#include "terminal/table.h"
#include "uniqueness.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The joints whose reactions are not unique along the run. */
static void write_not_unique(const CliSummary *summary, CliJson *json)
{
    const HolDiagnosis *d = summary->diagnosis;
    if (summary->run.redundant_rows > 0 && !(d && d->reactions_examined)) {
        cli_json_null(json, "non_unique_reactions");
        return;
    }
    cli_json_array(json, "non_unique_reactions");
    for (int i = 0; d && i < d->joint_count; ++i)
        if (!cli_is_unique(&d->joints[i]))
            cli_json_text(json, NULL, hol_mechanism_joint(summary->mechanism, i).name);
    cli_json_end(json);
}

void cli_summary_members(const CliSummary *summary, CliJson *json)
{
    const HolSummary *run = &summary->run;
    cli_json_text(json, "model", hol_model_name(summary->model));
    cli_json_text(json, "formulation", run->formulation);
    cli_json_text(json, "integrator", run->integrator);
    cli_json_text(json, "coordinates", hol_mechanism_coordinates(summary->mechanism));
    cli_json_number(json, "step", run->step);
    if (run->choice)
        cli_json_text(json, "choice", run->choice);
    else
        cli_json_null(json, "choice");
    cli_json_number(json, "until", summary->until);
    cli_json_number(json, "reached", run->reached);
    cli_json_text(json, "status", hol_status_name(run->status));
    cli_json_whole(json, "steps", run->steps);
    cli_json_whole(json, "shortened_steps", run->shortened_steps);
    cli_json_whole(json, "evaluations", run->evaluations);
    cli_json_whole(json, "iterations", run->iterations);
    cli_json_whole(json, "divisions", run->divisions);
    cli_json_whole(json, "position_iterations", run->position_iterations);
    cli_json_whole(json, "max_position_iterations", run->max_position_iterations);
    cli_json_number(json, "wall_s", run->wall_s);
    cli_json_number(json, "processor_s", run->processor_s);
    cli_json_number(json, "max_position_violation", run->max_position_violation);
    cli_json_number(json, "max_velocity_violation", run->max_velocity_violation);
    cli_json_number(json, "mean_position_violation_sq", run->mean_position_violation_sq);
    cli_json_number(json, "energy_initial", run->energy_initial);
    cli_json_number(json, "energy_final", run->energy_final);
    cli_json_number(json, "max_energy_drift", run->max_energy_drift);
    cli_json_number(json, "max_off_manifold_energy", run->max_off_manifold_energy);
    cli_json_whole(json, "dof", run->dof);
    cli_json_whole(json, "redundant_rows", run->redundant_rows);
    cli_json_text(json, "reactions", hol_mechanism_reaction_rule(summary->mechanism));
    write_not_unique(summary, json);
    cli_uniqueness_members(summary->mechanism, summary->diagnosis, json);
    cli_json_number(json, "reactions_unresolved_since", summary->unresolved_since);
    cli_json_whole(json, "singular_events", run->singular_events);
    cli_json_whole(json, "branch_changes", run->branch_changes);
    cli_json_whole(json, "ambiguous_branches", run->ambiguous_branches);
    cli_json_whole(json, "recoveries", run->recoveries);
    cli_json_number(json, "estimated_error", run->estimated_error);
    cli_findings_members(&summary->findings, json);
}

__attribute__((format(printf, 3, 4))) static void add_line(CliTable *table, const char *what, const char *format, ...)
{
    char text[800];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    cli_table_add(table, what, text);
}

static void add_cost(CliTable *table, const HolSummary *run)
{
    char rejected[40] = "", unconverged[60] = "", divided[60] = "", shortened[60] = "";
    if (run->rejections > 0)
        snprintf(rejected, sizeof rejected, " (%ld rejected)", run->rejections);
    if (run->unconverged > 0)
        snprintf(unconverged, sizeof unconverged, " (%ld not converged)", run->unconverged);
    if (run->divisions > 0)
        snprintf(divided, sizeof divided, " (%ld subdivisions)", run->divisions);
    if (run->shortened_steps > 0)
        snprintf(shortened, sizeof shortened, " (%ld shortened for functions of time)", run->shortened_steps);
    add_line(table, "cost", "%ld steps%s%s%s%s, %ld evaluations, %ld iterations, wall time %.3g s", run->steps,
             rejected, shortened, divided, unconverged, run->evaluations, run->iterations, run->wall_s);
    if (run->position_iterations > 0)
        add_line(table, "corrections", "%ld position corrections, max %d per projection", run->position_iterations,
                 run->max_position_iterations);
}

const char *cli_reaction_rule_text(const HolMechanism *mechanism)
{
    const char *rule = hol_mechanism_reaction_rule(mechanism);
    static const char *const texts[][2] = {{"as-computed", "shown as the formulation computed them"},
                                           {"minimum-norm", "the minimum-norm solution is shown"},
                                           {"stiffness", "distributed by stiffness"},
                                           {"elimination", "redundant constraint equations carry no force"}};
    if (strcmp(rule, "as-computed") == 0 && hol_mechanism_formulation_shares(mechanism))
        return "distributed by stiffness within the formulation";
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i)
        if (strcmp(texts[i][0], rule) == 0)
            return texts[i][1];
    return rule;
}

/* "not unique in rod1, rod2: distributed by stiffness" */
static void add_reactions(CliTable *table, const CliSummary *summary)
{
    const HolDiagnosis *d = summary->diagnosis;
    char names[300] = "", changing[300] = "", unresolved[60] = "";
    if (!d || !d->reactions_examined)
        return;
    cli_not_unique_text(summary->mechanism, d, names, sizeof names);
    cli_changing_text(summary->mechanism, d, changing, sizeof changing);
    if (isfinite(summary->unresolved_since))
        snprintf(unresolved, sizeof unresolved, ", but not resolved after t = %g s", summary->unresolved_since);
    if (names[0])
        add_line(table, "reactions", "not unique in %s: %s%s", names, cli_reaction_rule_text(summary->mechanism),
                 unresolved);
    if (changing[0])
        add_line(table, "", "of these %s (%d configurations examined)", changing, d->configuration_count);
}

void cli_summary_print(const CliSummary *summary)
{
    const HolSummary *run = &summary->run;
    const char *title = hol_model_title(summary->model), *name = hol_model_name(summary->model);
    CliTable table = {.columns = 2};
    cli_put_line(stdout, *title ? "%s (%s)" : "%s%s", title, name);
    add_line(&table, "method", "%s, %s, step %.6g s, %s coordinates", run->formulation, run->integrator, run->step,
             hol_mechanism_coordinates(summary->mechanism));
    if (run->choice)
        cli_table_add(&table, "choice", run->choice);
    add_line(&table, "reached", "%.9g s of %.9g s", run->reached, summary->until);
    add_cost(&table, run);
    if (summary->realtime)
        cli_table_add(&table, "realtime", summary->realtime);
    add_line(&table, "violation", "max position violation %.3g, max velocity violation %.3g",
             run->max_position_violation, run->max_velocity_violation);
    add_line(&table, "energy", "initial %.9g J, final %.9g J, max energy drift %.3g J", run->energy_initial,
             run->energy_final, run->max_energy_drift);
    if (run->max_off_manifold_energy > 0)
        add_line(&table, "", "max off-manifold energy %.3g J, max kinetic energy %.3g J", run->max_off_manifold_energy,
                 run->max_kinetic_energy);
    add_line(&table, "dof", "%d degree%s of freedom, %d redundant constraint equation%s", run->dof,
             run->dof == 1 ? "" : "s", run->redundant_rows, run->redundant_rows == 1 ? "" : "s");
    add_reactions(&table, summary);
    if (summary->passages)
        cli_table_add(&table, "singular", summary->passages);
    if (summary->events)
        cli_table_add(&table, "events", summary->events);
    if (summary->impulses)
        cli_table_add(&table, "impulses", summary->impulses);
    if (summary->results)
        cli_table_add(&table, "results", summary->results);
    add_line(&table, "status", "%s", hol_status_name(run->status));
    cli_findings_add(&summary->findings, &table);
    cli_table_print(&table, 2);
}
