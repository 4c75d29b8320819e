/* SPDX-License-Identifier: BSD-3-Clause */
#include "summary.h"

#include "table.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool is_unique(const HolJointDiagnosis *joint)
{
    for (int i = 0; i < 6; ++i)
        if (!joint->unique[i])
            return false;
    return true;
}

/* The joints whose reactions the motion does not tell, at the start. */
static void write_not_unique(const CliSummary *summary, HolJson *json)
{
    const HolDiagnosis *d = summary->diagnosis;
    if (summary->run.redundant_rows > 0 && !(d && d->looked_at_reactions)) {
        hol_json_null(json, "non_unique_reactions");
        return;
    }
    hol_json_array(json, "non_unique_reactions");
    for (int i = 0; d && i < d->joint_count; ++i)
        if (!is_unique(&d->joints[i]))
            hol_json_text(json, NULL, hol_mechanism_joint(summary->mechanism, i).name);
    hol_json_end(json);
}

void cli_summary_members(const CliSummary *summary, HolJson *json)
{
    const HolSummary *run = &summary->run;
    hol_json_text(json, "model", hol_model_name(summary->model));
    hol_json_text(json, "formulation", run->formulation);
    hol_json_text(json, "integrator", run->integrator);
    hol_json_text(json, "coordinates", hol_mechanism_coordinates(summary->mechanism));
    hol_json_number(json, "step", run->step);
    hol_json_number(json, "until", summary->until);
    hol_json_number(json, "reached", run->reached);
    hol_json_text(json, "status", hol_status_name(run->status));
    hol_json_whole(json, "steps", run->steps);
    hol_json_whole(json, "evaluations", run->evaluations);
    hol_json_whole(json, "iterations", run->iterations);
    hol_json_whole(json, "divisions", run->divisions);
    hol_json_whole(json, "position_iterations", run->projections);
    hol_json_whole(json, "max_position_iterations", run->max_projection);
    hol_json_number(json, "wall_s", run->wall_s);
    hol_json_number(json, "processor_s", run->processor_s);
    hol_json_number(json, "max_position_violation", run->max_position_violation);
    hol_json_number(json, "max_velocity_violation", run->max_velocity_violation);
    hol_json_number(json, "mean_position_violation_sq", run->mean_position_violation_sq);
    hol_json_number(json, "energy_initial", run->energy_initial);
    hol_json_number(json, "energy_final", run->energy_final);
    hol_json_number(json, "max_energy_drift", run->max_energy_drift);
    hol_json_number(json, "max_stray_energy", run->max_stray_energy);
    hol_json_whole(json, "dof", run->dof);
    hol_json_whole(json, "redundant_rows", run->redundant_rows);
    hol_json_text(json, "reactions", hol_mechanism_resolution(summary->mechanism));
    write_not_unique(summary, json);
    hol_json_number(json, "reactions_unresolved_since", summary->unresolved_since);
    hol_json_whole(json, "singular_events", run->singular_events);
    hol_json_whole(json, "branch_changes", run->branch_changes);
    hol_json_whole(json, "recoveries", run->recoveries);
}

bool cli_strays(const HolSummary *run)
{
    static const double SMALL = 1e-3;
    return run->max_stray_energy > SMALL * run->max_kinetic_energy;
}

__attribute__((format(printf, 3, 4))) static void add_line(CliTable *table, const char *what, const char *format, ...)
{
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    cli_table_add(table, what, text);
}

static void add_cost(CliTable *table, const HolSummary *run)
{
    char rejected[40] = "", unsettled[60] = "", divided[60] = "";
    if (run->rejections > 0)
        snprintf(rejected, sizeof rejected, " (%ld rejected)", run->rejections);
    if (run->unsettled > 0)
        snprintf(unsettled, sizeof unsettled, ", %ld of them not converged", run->unsettled);
    if (run->divisions > 0)
        snprintf(divided, sizeof divided, " (%ld divisions into shorter ones)", run->divisions);
    add_line(table, "cost", "%ld steps%s%s%s, %ld evaluations, %ld iterations, %.3g s of time", run->steps, rejected,
             divided, unsettled, run->evaluations, run->iterations, run->wall_s);
    if (run->projections > 0)
        add_line(table, "moves", "%ld position iterations, at most %d at once", run->projections, run->max_projection);
}

const char *cli_reactions_words(const HolMechanism *mechanism)
{
    const char *resolution = hol_mechanism_resolution(mechanism);
    static const char *const words[][2] = {{"as-computed", "told as the formulation computed them"},
                                           {"minimum-norm", "the smallest are told"},
                                           {"stiffness", "shared by stiffness"},
                                           {"elimination", "redundant rows carry nothing"}};
    if (strcmp(resolution, "as-computed") == 0 && hol_mechanism_formulation_shares(mechanism))
        return "shared by stiffness, by the formulation";
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
        if (strcmp(words[i][0], resolution) == 0)
            return words[i][1];
    return resolution;
}

/* "not unique in rod1, rod2: shared by stiffness" */
static void add_reactions(CliTable *table, const CliSummary *summary)
{
    enum { MOST_LISTED = 10 };
    const HolDiagnosis *d = summary->diagnosis;
    char names[300] = "", unresolved[60] = "";
    size_t used = 0;
    int count = 0;
    for (int i = 0; d && d->looked_at_reactions && i < d->joint_count; ++i)
        if (!is_unique(&d->joints[i]) && ++count <= MOST_LISTED && used < sizeof names)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", count > 1 ? ", " : "",
                                     hol_mechanism_joint(summary->mechanism, i).name);
    if (count > MOST_LISTED)
        snprintf(names, sizeof names, "%d joints", count);
    if (isfinite(summary->unresolved_since))
        snprintf(unresolved, sizeof unresolved, ", but not resolved from t = %g s on", summary->unresolved_since);
    if (count > 0)
        add_line(table, "reactions", "not unique in %s: %s%s", names, cli_reactions_words(summary->mechanism),
                 unresolved);
}

void cli_summary_print(const CliSummary *summary)
{
    const HolSummary *run = &summary->run;
    const char *title = hol_model_title(summary->model), *name = hol_model_name(summary->model);
    CliTable table = {.columns = 2};
    if (*title)
        printf("%s (%s)\n", title, name);
    else
        printf("%s\n", name);
    add_line(&table, "method", "%s, %s, step %.6g s, %s coordinates", run->formulation, run->integrator, run->step,
             hol_mechanism_coordinates(summary->mechanism));
    add_line(&table, "reached", "%.9g s of %.9g s", run->reached, summary->until);
    add_cost(&table, run);
    if (summary->realtime)
        cli_table_add(&table, "realtime", summary->realtime);
    add_line(&table, "violation", "position %.3g, velocity %.3g (largest)", run->max_position_violation,
             run->max_velocity_violation);
    add_line(&table, "energy", "%.9g J at the start, %.9g J at the end, drift %.3g J (largest)", run->energy_initial,
             run->energy_final, run->max_energy_drift);
    if (cli_strays(run))
        add_line(&table, "", "up to %.3g J of %.3g J in motion that the constraints forbid", run->max_stray_energy,
                 run->max_kinetic_energy);
    add_line(&table, "freedom", "%d degree%s of freedom, %d redundant row%s", run->dof, run->dof == 1 ? "" : "s",
             run->redundant_rows, run->redundant_rows == 1 ? "" : "s");
    add_reactions(&table, summary);
    if (summary->passages)
        cli_table_add(&table, "singular", summary->passages);
    if (summary->results)
        cli_table_add(&table, "results", summary->results);
    add_line(&table, "status", "%s", hol_status_name(run->status));
    cli_table_print(&table, 2);
}
