/* SPDX-License-Identifier: BSD-3-Clause */
/* What was found out, in sentences. */
#include "check.h"
#include "table.h"
#include "text.h"

#include <stdio.h>
#include <string.h>

/* Of more joints only the kinds are listed, and of those that are redundant only the first. */
enum { MOST_LISTED = 30, MOST_KINDS = 64 };

static bool is_driver(const char *kind)
{
    for (int i = 0; i < hol_part_kind_count(HOL_DRIVERS); ++i)
        if (strcmp(hol_part_kind(HOL_DRIVERS, i).name, kind) == 0)
            return true;
    return false;
}

/* "13 joints and 1 driver" */
static void say_joints(CliText *text, const CliFindings *f)
{
    int count = f->diagnosis->joint_count, drivers = 0;
    for (int i = 0; i < count; ++i)
        drivers += is_driver(hol_mechanism_joint(f->mechanism, i).kind);
    cli_say_count(text, count - drivers, "joint", "joints");
    if (drivers > 0) {
        cli_say(text, " and ");
        cli_say_count(text, drivers, "driver", "drivers");
    }
}

/* "1 body and 2 beams with 14 nodes" */
static void say_bodies(CliText *text, const HolMechanism *mechanism)
{
    int beams = hol_mechanism_beam_count(mechanism), nodes = 0;
    for (int i = 0; i < beams; ++i)
        nodes += hol_mechanism_beam(mechanism, i).node_count;
    int bodies = hol_mechanism_body_count(mechanism) - nodes;
    if (bodies > 0 || beams == 0)
        cli_say_count(text, bodies, "body", "bodies");
    if (bodies > 0 && beams > 0)
        cli_say(text, " and ");
    if (beams > 0) {
        cli_say_count(text, beams, "beam", "beams");
        cli_say(text, " with %d nodes", nodes);
    }
}

static void print_sizes(const CliFindings *f)
{
    const HolDiagnosis *d = f->diagnosis;
    CliText text = {.length = 0};
    const char *title = hol_model_title(f->model);
    cli_say(&text, *title ? "%s (%s)\n" : "%s%s\n", title, hol_model_name(f->model));
    say_bodies(&text, f->mechanism);
    cli_say(&text, " %s: ", hol_mechanism_is_planar(f->mechanism) ? "in the plane" : "in space");
    cli_say_count(&text, d->nq, "coordinate", "coordinates");
    cli_say(&text, " (%s), ", hol_mechanism_coordinates(f->mechanism));
    cli_say_count(&text, d->nv, "velocity.\n", "velocities.\n");
    say_joints(&text, f);
    cli_say(&text, ": ");
    cli_say_count(&text, d->m, "row", "rows");
    cli_say(&text, " of rank %d. That leaves ", d->rank);
    cli_say_count(&text, d->dof, "degree of freedom.", "degrees of freedom.");
    cli_text_print(&text);
}

/* "fx tz", or "" if all are unique. */
static void say_not_unique(CliText *text, const CliFindings *f, int joint)
{
    const char *blank = "";
    for (const int *c = cli_components(f->mechanism); *c >= 0; ++c) {
        if (!f->diagnosis->joints[joint].unique[*c]) {
            cli_say(text, "%s%s", blank, cli_component_names[*c]);
            blank = " ";
        }
    }
}

static void add_joint(CliTable *table, const CliFindings *f, int index)
{
    HolJointInfo joint = hol_mechanism_joint(f->mechanism, index);
    int redundant = f->diagnosis->joints[index].redundant_count;
    char bodies[200];
    CliText rows = {.length = 0}, reaction = {.length = 0}, not_unique = {.length = 0};
    snprintf(bodies, sizeof bodies, "%s, %s", joint.first ? joint.first : "", joint.second ? joint.second : "");
    cli_say_count(&rows, joint.row_count, "row", "rows");
    if (redundant)
        cli_say(&rows, ", %d redundant", redundant);
    say_not_unique(&not_unique, f, index);
    if (f->diagnosis->looked_at_reactions && not_unique.length > 0)
        cli_say(&reaction, "reaction not unique: %s", not_unique.text);
    else if (f->diagnosis->looked_at_reactions && f->diagnosis->redundant_rows > 0)
        cli_say(&reaction, "reaction unique");
    cli_table_add(table, joint.name, joint.kind, bodies, rows.text, reaction.text);
}

static void print_joints(const CliFindings *f)
{
    CliTable table = {.columns = 5};
    for (int i = 0; i < f->diagnosis->joint_count; ++i)
        add_joint(&table, f, i);
    cli_table_print(&table, 2);
}

/* What joints of one kind have together. */
typedef struct Kind {
    const char *name;
    int joints, rows, redundant;
} Kind;

static Kind *kind_named(Kind *kinds, int *count, const char *name)
{
    for (int i = 0; i < *count; ++i)
        if (strcmp(kinds[i].name, name) == 0)
            return &kinds[i];
    if (*count == MOST_KINDS)
        return &kinds[MOST_KINDS - 1];
    kinds[*count] = (Kind){.name = name};
    return &kinds[(*count)++];
}

static void print_kinds(const CliFindings *f)
{
    Kind kinds[MOST_KINDS];
    int count = 0;
    CliTable table = {.columns = 4};
    for (int i = 0; i < f->diagnosis->joint_count; ++i) {
        HolJointInfo joint = hol_mechanism_joint(f->mechanism, i);
        Kind *kind = kind_named(kinds, &count, joint.kind);
        ++kind->joints;
        kind->rows += joint.row_count;
        kind->redundant += f->diagnosis->joints[i].redundant_count;
    }
    for (int i = 0; i < count; ++i) {
        CliText joints = {.length = 0}, rows = {.length = 0}, redundant = {.length = 0};
        cli_say(&joints, "%d of them", kinds[i].joints);
        cli_say(&rows, "%d rows", kinds[i].rows);
        if (kinds[i].redundant)
            cli_say(&redundant, "%d redundant", kinds[i].redundant);
        cli_table_add(&table, kinds[i].name, joints.text, rows.text, redundant.text);
    }
    cli_table_print(&table, 2);
}

/* "pin_C (x of the point), ..." */
static void say_redundant_joints(CliText *text, const CliFindings *f)
{
    int said = 0;
    for (int i = 0; i < f->diagnosis->joint_count; ++i) {
        const HolJointDiagnosis *diagnosis = &f->diagnosis->joints[i];
        HolJointInfo joint = hol_mechanism_joint(f->mechanism, i);
        if (diagnosis->redundant_count == 0)
            continue;
        if (++said > MOST_LISTED) {
            cli_say(text, ", ...");
            return;
        }
        cli_say(text, "%s%s (", said > 1 ? ", " : "", joint.name);
        for (int k = 0; k < diagnosis->redundant_count; ++k)
            cli_say(text, "%s%s", k ? ", " : "", joint.row_names[diagnosis->redundant[k]]);
        cli_say(text, ")");
    }
}

static void print_redundancy(const CliFindings *f)
{
    const HolDiagnosis *d = f->diagnosis;
    CliText text = {.length = 0};
    if (d->m == 0)
        cli_say(&text, "Nothing constrains the bodies.");
    else if (d->redundant_rows == 0)
        cli_say(&text, "No row is redundant: every reaction is unique.");
    else {
        cli_say_count(&text, d->redundant_rows, "row is redundant, repeating", "rows are redundant, repeating");
        cli_say(&text, " what others say. Counted as such: ");
        say_redundant_joints(&text, f);
        cli_say(&text,
                ". Which of several dependent rows counts is a choice; the motion does not depend on it, reactions "
                "that are not unique do.");
    }
    cli_text_print(&text);
    if (d->m > 0 && !d->looked_at_reactions)
        cli_print_text("Which reactions are unique was not looked at: the model is too large for that.");
}

/* Sines below this make reactions lose the digits that they are below 1. */
static const double NEARLY = 1e-6;

static void print_near_redundancy(const CliFindings *f)
{
    const HolDiagnosis *d = f->diagnosis;
    CliText text = {.length = 0};
    if (!d->nearly_redundant || !(d->smallest_sine < NEARLY))
        return;
    cli_say(&text,
            "Warning: nearly redundant: a row of '%s' differs from what others say by a sine of %.2g only (smallest "
            "sine). Its reactions are large or inaccurate; redundant rows are told where it is below 1e-9.",
            d->nearly_redundant, d->smallest_sine);
    cli_text_print(&text);
}

/* Left open by run: {start: as-given}, which may be at rest in one place and moving in another. */
static void say_what_is_open(const CliFindings *f, CliText *text)
{
    const char *where = f->gap.where ? f->gap.where : "";
    if (f->gap.position > 1e-9)
        cli_say(text, "'%s' is open by %.3g (m or rad), and stays so: the start is taken as given.", where,
                f->gap.position);
    else
        cli_say(text, "'%s' opens by %.3g per second: the start is taken as given.", where, f->gap.velocity);
}

/* "Inputs, in SI units: push = 2000, brake = 0.5." */
static void print_inputs(const CliFindings *f)
{
    const HolSystem *system = hol_mechanism_system(f->mechanism);
    CliText text = {.length = 0};
    for (int i = 0; i < hol_system_input_count(system); ++i)
        cli_say(&text, "%s%s = %.9g", i > 0 ? ", " : "Inputs, in SI units: ", hol_system_input_name(system, i),
                f->terms->u[i]);
    if (text.length > 0) {
        cli_say(&text, ".");
        cli_text_print(&text);
    }
}

static void print_start(const CliFindings *f)
{
    CliText text = {.length = 0};
    bool is_kept = hol_mechanism_keeps_start(f->mechanism);
    if (f->consistent_start)
        cli_say(&text, "The start is consistent as drawn.");
    else if (is_kept)
        say_what_is_open(f, &text);
    else if (f->assembled)
        cli_say(&text, "'%s' was open by %.3g (m or rad) as drawn; assembly closed it.",
                f->gap.where ? f->gap.where : "", f->gap.position);
    else
        cli_say(&text, "The start cannot be assembled; all this is told of the model as drawn.");
    if (f->assembled && !is_kept && f->gap.velocity > 1e-9)
        cli_say(&text, " Velocities that the model does not give were solved for.");
    cli_text_print(&text);
    double kinetic = f->terms->kinetic, potential = f->terms->potential;
    printf("Energy at the start: kinetic %.9g J, potential %.9g J, together %.9g J.\n", kinetic, potential,
           kinetic + potential);
}

void cli_findings_print(const CliFindings *findings)
{
    print_sizes(findings);
    if (findings->diagnosis->joint_count <= MOST_LISTED)
        print_joints(findings);
    else
        print_kinds(findings);
    print_redundancy(findings);
    print_near_redundancy(findings);
    cli_self_stress_print(findings);
    print_inputs(findings);
    print_start(findings);
    for (int i = 0; i < hol_model_warning_count(findings->model); ++i)
        printf("Warning: %s\n", hol_model_warning(findings->model, i));
}
