/* SPDX-License-Identifier: BSD-3-Clause */
/* The findings of `holon check` as JSON, whose keys are a contract. */
#include "json.h"

#include "check/check.h"

static void write_redundant(CliJson *json, const HolJointInfo *joint, const HolJointDiagnosis *diagnosis)
{
    cli_json_array(json, "redundant");
    for (int i = 0; i < diagnosis->redundant_count; ++i)
        cli_json_text(json, NULL, joint->row_names[diagnosis->redundant[i]]);
    cli_json_end(json);
}

static void write_unique(CliJson *json, const CliFindings *f, const HolJointDiagnosis *diagnosis)
{
    if (!f->diagnosis->reactions_examined) {
        cli_json_null(json, "unique");
        return;
    }
    cli_json_object(json, "unique");
    for (const int *c = cli_components(f->mechanism); *c >= 0; ++c)
        cli_json_flag(json, cli_component_names[*c], diagnosis->unique[*c]);
    cli_json_end(json);
}

static void json_write_joint(CliJson *json, const CliFindings *f, int index)
{
    HolJointInfo joint = hol_mechanism_joint(f->mechanism, index);
    const HolJointDiagnosis *diagnosis = &f->diagnosis->joints[index];
    cli_json_object(json, NULL);
    cli_json_text(json, "name", joint.name);
    cli_json_text(json, "kind", joint.kind);
    cli_json_text(json, "first", joint.first);
    cli_json_text(json, "second", joint.second);
    cli_json_whole(json, "rows", joint.row_count);
    write_redundant(json, &joint, diagnosis);
    write_unique(json, f, diagnosis);
    cli_json_end(json);
}

static bool is_node(const HolMechanism *mechanism, int body)
{
    bool found = false;
    for (int i = 0; i < hol_mechanism_beam_count(mechanism); ++i) {
        HolBeamInfo beam = hol_mechanism_beam(mechanism, i);
        found = found || (body >= beam.first_node && body < beam.first_node + beam.node_count);
    }
    return found;
}

static void write_bodies(CliJson *json, const HolMechanism *mechanism)
{
    cli_json_array(json, "bodies");
    for (int i = 0; i < hol_mechanism_body_count(mechanism); ++i)
        if (!is_node(mechanism, i))
            cli_json_text(json, NULL, hol_mechanism_body(mechanism, i));
    cli_json_end(json);
    cli_json_array(json, "beams");
    for (int i = 0; i < hol_mechanism_beam_count(mechanism); ++i) {
        HolBeamInfo beam = hol_mechanism_beam(mechanism, i);
        cli_json_object(json, NULL);
        cli_json_text(json, "name", beam.name);
        cli_json_number(json, "length", beam.length);
        cli_json_whole(json, "elements", beam.element_count);
        cli_json_whole(json, "order", beam.order);
        cli_json_whole(json, "nodes", beam.node_count);
        cli_json_end(json);
    }
    cli_json_end(json);
}

static void write_inputs(CliJson *json, const CliFindings *f)
{
    const HolSystem *system = hol_mechanism_system(f->mechanism);
    cli_json_array(json, "inputs");
    for (int i = 0; i < hol_system_input_count(system); ++i) {
        cli_json_object(json, NULL);
        cli_json_text(json, "name", hol_system_input_name(system, i));
        cli_json_number(json, "value", f->terms->u[i]);
        cli_json_end(json);
    }
    cli_json_end(json);
}

static void write_warnings(CliJson *json, const HolModel *model)
{
    cli_json_array(json, "warnings");
    for (int i = 0; i < hol_model_warning_count(model); ++i)
        cli_json_text(json, NULL, hol_model_warning(model, i));
    cli_json_end(json);
}

static void write_self_force(CliJson *json, const CliFindings *f, const HolSelfForce *force)
{
    cli_json_object(json, NULL);
    cli_json_text(json, "joint", hol_mechanism_joint(f->mechanism, force->joint).name);
    cli_json_array(json, "f");
    for (int i = 0; i < 6; ++i)
        cli_json_number(json, NULL, force->f[i]);
    cli_json_end(json);
    cli_json_end(json);
}

/* Writes one list for each independent state of self-stress. */
static void write_self_stress(CliJson *json, const CliFindings *f)
{
    const HolDiagnosis *d = f->diagnosis;
    if (!d->reactions_examined) {
        cli_json_null(json, "self_stress");
        return;
    }
    cli_json_array(json, "self_stress");
    for (int k = 0; k < d->self_stress_count; ++k) {
        cli_json_array(json, NULL);
        for (int i = 0; i < d->self_stresses[k].force_count; ++i)
            write_self_force(json, f, &d->self_stresses[k].forces[i]);
        cli_json_end(json);
    }
    cli_json_end(json);
}

static void write_name(CliJson *json, const char *key, const char *name)
{
    if (name)
        cli_json_text(json, key, name);
    else
        cli_json_null(json, key);
}

static void write_time_scales(CliJson *json, const CliFindings *f)
{
    const HolTimeScales *s = &f->scales;
    const HolChoice *choice = hol_mechanism_options(f->mechanism).choice;
    cli_json_object(json, "time_scales");
    cli_json_number(json, "fastest", s->fastest);
    write_name(json, "body", s->body);
    cli_json_number(json, "rotation", s->rotation);
    write_name(json, "rotating", s->rotating);
    cli_json_number(json, "stop", s->stop);
    write_name(json, "stop_name", s->stop_name);
    cli_json_number(json, "explicit_step", s->explicit_step);
    write_name(json, "choice", choice ? choice->text : NULL);
    cli_json_end(json);
}

void cli_findings_print_json(const CliFindings *findings)
{
    const HolDiagnosis *d = findings->diagnosis;
    CliJson json = cli_json_begin(stdout);
    cli_json_object(&json, NULL);
    cli_json_text(&json, "model", hol_model_name(findings->model));
    cli_json_whole(&json, "coordinates", d->nq);
    cli_json_whole(&json, "rows", d->m);
    cli_json_whole(&json, "rank", d->rank);
    cli_json_whole(&json, "dof", d->dof);
    cli_json_whole(&json, "redundant_rows", d->redundant_rows);
    cli_json_whole(&json, "singular_rows", d->singular_rows);
    cli_json_number(&json, "smallest_sine", d->smallest_sine);
    cli_json_flag(&json, "consistent_start", findings->consistent_start);
    write_bodies(&json, findings->mechanism);
    cli_json_array(&json, "joints");
    for (int i = 0; i < d->joint_count; ++i)
        json_write_joint(&json, findings, i);
    cli_json_end(&json);
    cli_uniqueness_members(findings->mechanism, d, &json);
    write_time_scales(&json, findings);
    write_inputs(&json, findings);
    write_self_stress(&json, findings);
    write_warnings(&json, findings->model);
    cli_json_end(&json);
}
