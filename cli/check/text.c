/* SPDX-License-Identifier: BSD-3-Clause */
/* The findings of `holon check` as text. */
#include "terminal/text.h"

#include "check/check.h"
#include "terminal/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A model with more joints gets a table of their kinds; further redundant joints are left out. */
enum { MAX_LISTED = 30, MAX_KINDS = 64 };

static bool is_driver(const char *kind)
{
    for (int i = 0; i < hol_part_kind_count(HOL_DRIVERS); ++i)
        if (strcmp(hol_part_kind(HOL_DRIVERS, i).name, kind) == 0)
            return true;
    return false;
}

/* "13 joints and 1 driver" */
static void add_joints(CliText *text, const CliFindings *f)
{
    int count = f->diagnosis->joint_count, drivers = 0;
    for (int i = 0; i < count; ++i)
        drivers += is_driver(hol_mechanism_joint(f->mechanism, i).kind);
    cli_text_add_count(text, count - drivers, "joint", "joints");
    if (drivers > 0) {
        cli_text_add(text, " and ");
        cli_text_add_count(text, drivers, "driver", "drivers");
    }
}

/* "1 body and 2 beams with 14 nodes" */
static void add_bodies(CliText *text, const HolMechanism *mechanism)
{
    int beams = hol_mechanism_beam_count(mechanism), nodes = 0;
    for (int i = 0; i < beams; ++i)
        nodes += hol_mechanism_beam(mechanism, i).node_count;
    int bodies = hol_mechanism_body_count(mechanism) - nodes;
    if (bodies > 0 || beams == 0)
        cli_text_add_count(text, bodies, "body", "bodies");
    if (bodies > 0 && beams > 0)
        cli_text_add(text, " and ");
    if (beams > 0) {
        cli_text_add_count(text, beams, "beam", "beams");
        cli_text_add(text, " with %d nodes", nodes);
    }
}

static void print_sizes(const CliFindings *f)
{
    const HolDiagnosis *d = f->diagnosis;
    CliText text = {.length = 0};
    cli_text_add_heading(&text, hol_model_title(f->model), hol_model_name(f->model));
    add_bodies(&text, f->mechanism);
    cli_text_add(&text, " %s: ", hol_mechanism_is_planar(f->mechanism) ? "in the plane" : "in space");
    cli_text_add_count(&text, d->nq, "coordinate", "coordinates");
    cli_text_add(&text, " (%s), ", hol_mechanism_coordinates(f->mechanism));
    cli_text_add_count(&text, d->nv, "velocity.\n", "velocities.\n");
    add_joints(&text, f);
    cli_text_add(&text, ": ");
    cli_text_add_count(&text, d->m, "constraint equation", "constraint equations");
    cli_text_add(&text, " of rank %d, ", d->rank);
    cli_text_add_count(&text, d->dof, "degree of freedom.", "degrees of freedom.");
    cli_text_print(&text);
}

void cli_add_not_unique(CliText *text, const HolMechanism *mechanism, const HolDiagnosis *diagnosis, int joint)
{
    const char *blank = "";
    for (const int *c = cli_components(mechanism); *c >= 0; ++c) {
        if (!diagnosis->joints[joint].unique[*c]) {
            cli_text_add(text, "%s%s", blank, cli_component_names[*c]);
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
    cli_text_add_count(&rows, joint.row_count, "equation", "equations");
    if (redundant)
        cli_text_add(&rows, ", %d redundant", redundant);
    cli_add_not_unique(&not_unique, f->mechanism, f->diagnosis, index);
    if (f->diagnosis->reactions_examined && not_unique.length > 0)
        cli_text_add(&reaction, "reaction not unique: %s", not_unique.text);
    else if (f->diagnosis->reactions_examined && f->diagnosis->redundant_rows > 0)
        cli_text_add(&reaction, "reaction unique");
    cli_table_add(table, joint.name, joint.kind, bodies, rows.text, reaction.text);
}

static void print_joints(const CliFindings *f)
{
    CliTable table = {.columns = 5};
    for (int i = 0; i < f->diagnosis->joint_count; ++i)
        add_joint(&table, f, i);
    cli_table_print(&table, 2);
}

/* The totals of all joints of one kind. */
typedef struct Kind {
    const char *name;
    int joints, rows, redundant;
} Kind;

static Kind *kind_named(Kind *kinds, int *count, const char *name)
{
    for (int i = 0; i < *count; ++i)
        if (strcmp(kinds[i].name, name) == 0)
            return &kinds[i];
    if (*count == MAX_KINDS)
        return &kinds[MAX_KINDS - 1];
    kinds[*count] = (Kind){.name = name};
    return &kinds[(*count)++];
}

static void print_kinds(const CliFindings *f)
{
    Kind kinds[MAX_KINDS];
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
        cli_text_add_count(&joints, kinds[i].joints, "joint", "joints");
        cli_text_add_count(&rows, kinds[i].rows, "equation", "equations");
        if (kinds[i].redundant)
            cli_text_add(&redundant, "%d redundant", kinds[i].redundant);
        cli_table_add(&table, kinds[i].name, joints.text, rows.text, redundant.text);
    }
    cli_table_print(&table, 2);
}

/* "pin_C (x of the point), ..." */
static void add_redundant_joints(CliText *text, const CliFindings *f)
{
    int said = 0;
    for (int i = 0; i < f->diagnosis->joint_count; ++i) {
        const HolJointDiagnosis *diagnosis = &f->diagnosis->joints[i];
        HolJointInfo joint = hol_mechanism_joint(f->mechanism, i);
        if (diagnosis->redundant_count == 0)
            continue;
        if (++said > MAX_LISTED) {
            cli_text_add(text, ", ...");
            return;
        }
        cli_text_add(text, "%s%s (", said > 1 ? ", " : "", joint.name);
        for (int k = 0; k < diagnosis->redundant_count; ++k)
            cli_text_add(text, "%s%s", k ? ", " : "", joint.row_names[diagnosis->redundant[k]]);
        cli_text_add(text, ")");
    }
}

static void print_redundancy(const CliFindings *f)
{
    const HolDiagnosis *d = f->diagnosis;
    CliText text = {.length = 0};
    if (d->m == 0)
        cli_text_add(&text, "The bodies are unconstrained.");
    else if (d->redundant_rows == 0)
        cli_text_add(&text, "No constraint equation is redundant: every reaction is unique.");
    else {
        cli_text_add_count(&text, d->redundant_rows, "constraint equation is redundant",
                           "constraint equations are redundant");
        cli_text_add(&text, " (linearly dependent on the others), counted as: ");
        add_redundant_joints(&text, f);
        if (d->singular_rows > 0)
            cli_text_add(&text,
                         ". The initial configuration is singular: %d of them %s independent in neighbouring "
                         "configurations, so that the motion can continue on more than one branch",
                         d->singular_rows, d->singular_rows == 1 ? "is" : "are");
        cli_text_add(&text, ". The choice among dependent equations does not change the motion; it does change "
                            "reactions that are not unique.");
    }
    cli_text_print(&text);
    if (d->m > 0 && !d->reactions_examined)
        cli_print_text("The model is too large to find out which reactions are unique.");
}

/* Which configurations decide, and what the initial one alone would hide. */
static void print_examination(const CliFindings *f)
{
    const HolDiagnosis *d = f->diagnosis;
    CliText text = {.length = 0};
    char initially[400];
    if (!d->reactions_examined || d->redundant_rows == 0)
        return;
    cli_text_add(&text, "Reactions were examined in the initial configuration");
    if (d->configuration_count > 1)
        cli_text_add(&text, " and in %d other%s:", d->configuration_count - 1, d->configuration_count == 2 ? "" : "s");
    if (d->excursion > 0)
        cli_text_add(&text, " displaced by %g of the size of the model in all degrees of freedom%s", d->excursion,
                     d->examined_until > d->examined_from ? "," : "");
    if (d->examined_until > d->examined_from)
        cli_text_add(&text, " along the motion of the drivers until t = %.4g s", d->examined_until);
    cli_text_add(&text, d->configuration_count > 1 ? "." : " only: there is no other one near.");
    cli_initially_unique_text(f->mechanism, d, initially, sizeof initially);
    if (initially[0])
        cli_text_add(&text, " In the initial configuration alone these would be unique: %s.", initially);
    cli_text_print(&text);
}

/* A sine of 10^-n costs reactions n digits; below this one a warning is due. */
static const double NEARLY = 1e-6;

static void print_near_redundancy(const CliFindings *f)
{
    const HolDiagnosis *d = f->diagnosis;
    CliText text = {.length = 0};
    if (!d->nearly_redundant || !(d->smallest_sine < NEARLY))
        return;
    cli_text_add(&text,
                 "Warning: nearly redundant: a constraint equation of '%s' is almost linearly dependent on the others "
                 "(smallest sine %.2g). Its reactions are large or inaccurate. Below 1e-9 it counts as redundant.",
                 d->nearly_redundant, d->smallest_sine);
    cli_text_print(&text);
}

/* A violation that run: {start: as-given} keeps, of positions or of velocities. */
static void add_open_joint(const CliFindings *f, CliText *text)
{
    const char *where = f->gap.where ? f->gap.where : "";
    if (f->gap.position > f->closed)
        cli_text_add(text, "'%s' has a position violation of %.3g (m or rad): the initial state is taken as given.",
                     where, f->gap.position);
    else
        cli_text_add(text, "'%s' has a velocity violation of %.3g (m/s or rad/s): the initial state is taken as given.",
                     where, f->gap.velocity);
}

/* "Inputs, in SI units: push = 2000, brake = 0.5." */
static void print_inputs(const CliFindings *f)
{
    const HolSystem *system = hol_mechanism_system(f->mechanism);
    CliText text = {.length = 0};
    for (int i = 0; i < hol_system_input_count(system); ++i)
        cli_text_add(&text, "%s%s = %.9g", i > 0 ? ", " : "Inputs, in SI units: ", hol_system_input_name(system, i),
                     f->terms->u[i]);
    if (text.length > 0) {
        cli_text_add(&text, ".");
        cli_text_print(&text);
    }
}

static void print_start(const CliFindings *f)
{
    CliText text = {.length = 0};
    bool is_kept = hol_mechanism_keeps_initial_state(f->mechanism);
    if (f->consistent_start)
        cli_text_add(&text, "The initial configuration is consistent as drawn.");
    else if (is_kept)
        add_open_joint(f, &text);
    else if (f->assembled)
        cli_text_add(&text, "'%s' was open by %.3g (m or rad) as drawn; assembly closed it.",
                     f->gap.where ? f->gap.where : "", f->gap.position);
    else
        cli_text_add(&text, "The initial configuration cannot be assembled: the above describes the model as drawn.");
    if (f->assembled && !is_kept && f->gap.velocity > f->closed)
        cli_text_add(&text, " Velocities that the model does not give were computed from the constraints.");
    cli_text_print(&text);
    double kinetic = f->terms->kinetic, potential = f->terms->potential;
    printf("Initial energy: kinetic %.9g J, potential %.9g J, total %.9g J.\n", kinetic, potential,
           kinetic + potential);
}

/* "Time scales: fastest motion 1.41e+05 rad/s, in 'link': rk4 needs steps of at most 2e-05 s." */
static void print_time_scales(const CliFindings *f)
{
    const HolTimeScales *s = &f->scales;
    const HolChoice *choice = hol_mechanism_options(f->mechanism).choice;
    CliText text = {.length = 0};
    if (!f->assembled || isnan(s->fastest))
        return;
    cli_text_add(&text, "Time scales: fastest motion %.3g rad/s", s->fastest);
    if (s->body)
        cli_text_add(&text, ", mostly of '%s'", s->body);
    if (isfinite(s->explicit_step))
        cli_text_add(&text, "; rk4 is stable with steps up to about %.1g s", s->explicit_step);
    if (s->rotation > 0)
        cli_text_add(&text, "; '%s' rotates at %.3g rad/s", s->rotating, s->rotation);
    if (s->stop_name)
        cli_text_add(&text, "; '%s', where it is stiffest, %.3g rad/s", s->stop_name, s->stop);
    cli_text_add(&text, ".\n");
    if (choice)
        cli_text_add(&text, "Integrator: %s.\n", choice->text);
    cli_text_print(&text);
}

void cli_findings_print(const CliFindings *findings)
{
    print_sizes(findings);
    if (findings->diagnosis->joint_count <= MAX_LISTED)
        print_joints(findings);
    else
        print_kinds(findings);
    print_redundancy(findings);
    print_examination(findings);
    print_near_redundancy(findings);
    cli_self_stress_print(findings);
    print_inputs(findings);
    print_start(findings);
    print_time_scales(findings);
    for (int i = 0; i < hol_model_warning_count(findings->model); ++i)
        printf("Warning: %s\n", hol_model_warning(findings->model, i));
}
