/* SPDX-License-Identifier: BSD-3-Clause */
/* What was found out, for programs; the keys are a contract. */
#include <holon/json.h>

#include "check.h"

static void write_redundant(HolJson *json, const HolJointInfo *joint, const HolJointDiagnosis *diagnosis)
{
    hol_json_array(json, "redundant");
    for (int i = 0; i < diagnosis->redundant_count; ++i)
        hol_json_text(json, NULL, joint->row_names[diagnosis->redundant[i]]);
    hol_json_end(json);
}

static void write_unique(HolJson *json, const CliFindings *f, const HolJointDiagnosis *diagnosis)
{
    if (!f->diagnosis->looked_at_reactions) {
        hol_json_null(json, "unique");
        return;
    }
    hol_json_object(json, "unique");
    for (const int *c = cli_components(f->mechanism); *c >= 0; ++c)
        hol_json_flag(json, cli_component_names[*c], diagnosis->unique[*c]);
    hol_json_end(json);
}

static void write_joint(HolJson *json, const CliFindings *f, int index)
{
    HolJointInfo joint = hol_mechanism_joint(f->mechanism, index);
    const HolJointDiagnosis *diagnosis = &f->diagnosis->joints[index];
    hol_json_object(json, NULL);
    hol_json_text(json, "name", joint.name);
    hol_json_text(json, "kind", joint.kind);
    hol_json_text(json, "first", joint.first);
    hol_json_text(json, "second", joint.second);
    hol_json_whole(json, "rows", joint.row_count);
    write_redundant(json, &joint, diagnosis);
    write_unique(json, f, diagnosis);
    hol_json_end(json);
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

static void write_bodies(HolJson *json, const HolMechanism *mechanism)
{
    hol_json_array(json, "bodies");
    for (int i = 0; i < hol_mechanism_body_count(mechanism); ++i)
        if (!is_node(mechanism, i))
            hol_json_text(json, NULL, hol_mechanism_body(mechanism, i));
    hol_json_end(json);
    hol_json_array(json, "beams");
    for (int i = 0; i < hol_mechanism_beam_count(mechanism); ++i) {
        HolBeamInfo beam = hol_mechanism_beam(mechanism, i);
        hol_json_object(json, NULL);
        hol_json_text(json, "name", beam.name);
        hol_json_number(json, "length", beam.length);
        hol_json_whole(json, "elements", beam.element_count);
        hol_json_whole(json, "order", beam.order);
        hol_json_whole(json, "nodes", beam.node_count);
        hol_json_end(json);
    }
    hol_json_end(json);
}

static void write_inputs(HolJson *json, const CliFindings *f)
{
    const HolSystem *system = hol_mechanism_system(f->mechanism);
    hol_json_array(json, "inputs");
    for (int i = 0; i < hol_system_input_count(system); ++i) {
        hol_json_object(json, NULL);
        hol_json_text(json, "name", hol_system_input_name(system, i));
        hol_json_number(json, "value", f->terms->u[i]);
        hol_json_end(json);
    }
    hol_json_end(json);
}

static void write_warnings(HolJson *json, const HolModel *model)
{
    hol_json_array(json, "warnings");
    for (int i = 0; i < hol_model_warning_count(model); ++i)
        hol_json_text(json, NULL, hol_model_warning(model, i));
    hol_json_end(json);
}

static void write_self_force(HolJson *json, const CliFindings *f, const HolSelfForce *force)
{
    hol_json_object(json, NULL);
    hol_json_text(json, "joint", hol_mechanism_joint(f->mechanism, force->joint).name);
    hol_json_array(json, "f");
    for (int i = 0; i < 6; ++i)
        hol_json_number(json, NULL, force->f[i]);
    hol_json_end(json);
    hol_json_end(json);
}

/* One list for each pattern. */
static void write_self_stress(HolJson *json, const CliFindings *f)
{
    const HolDiagnosis *d = f->diagnosis;
    if (!d->looked_at_reactions) {
        hol_json_null(json, "self_stress");
        return;
    }
    hol_json_array(json, "self_stress");
    for (int k = 0; k < d->self_stress_count; ++k) {
        hol_json_array(json, NULL);
        for (int i = 0; i < d->self_stresses[k].force_count; ++i)
            write_self_force(json, f, &d->self_stresses[k].forces[i]);
        hol_json_end(json);
    }
    hol_json_end(json);
}

void cli_findings_print_json(const CliFindings *findings)
{
    const HolDiagnosis *d = findings->diagnosis;
    HolJson json = hol_json_begin(stdout);
    hol_json_object(&json, NULL);
    hol_json_text(&json, "model", hol_model_name(findings->model));
    hol_json_whole(&json, "coordinates", d->nq);
    hol_json_whole(&json, "rows", d->m);
    hol_json_whole(&json, "rank", d->rank);
    hol_json_whole(&json, "dof", d->dof);
    hol_json_whole(&json, "redundant_rows", d->redundant_rows);
    hol_json_number(&json, "smallest_sine", d->smallest_sine);
    hol_json_flag(&json, "consistent_start", findings->consistent_start);
    write_bodies(&json, findings->mechanism);
    hol_json_array(&json, "joints");
    for (int i = 0; i < d->joint_count; ++i)
        write_joint(&json, findings, i);
    hol_json_end(&json);
    write_inputs(&json, findings);
    write_self_stress(&json, findings);
    write_warnings(&json, findings->model);
    hol_json_end(&json);
}
