/* SPDX-License-Identifier: BSD-3-Clause */
/* holon check MODEL: analyses a model without running it. */
#include "check/check.h"

#include "model.h"

#include <stdio.h>

/* Violations up to this part of the size of the model count as consistent. */
static const double CLOSED = 1e-9;

typedef struct Settings {
    CliWords words;
    CliModelOptions model;
    bool json;
} Settings;

static HolStatus find_energies(CliFindings *findings)
{
    const HolSystem *system = hol_mechanism_system(findings->mechanism);
    HolInitialState start = hol_mechanism_initial_state(findings->mechanism);
    HolPoint at = {start.t, start.q, start.v};
    HolStatus status = hol_terms_create(system, &findings->terms);
    return status == HOL_OK ? hol_system_evaluate(system, &at, HOL_WANT_ENERGY, findings->terms) : status;
}

/* Velocities that the model does not give are computed, so they cannot be inconsistent as drawn unless the initial
 * state is taken as given. */
static bool is_consistent(const CliFindings *f)
{
    return f->gap.position <= f->closed &&
           (f->gap.velocity <= f->closed || !hol_mechanism_keeps_initial_state(f->mechanism));
}

static int check_find(HolMechanism *mechanism, CliFindings *findings, HolDiagnosis **diagnosis)
{
    HolMessage message;
    int code = EXIT_DONE;
    findings->assembled = hol_mechanism_assemble(mechanism, &message) == HOL_OK;
    findings->gap = hol_mechanism_gap(mechanism);
    findings->closed = CLOSED * hol_system_pattern(hol_mechanism_system(mechanism))->length;
    if (!findings->assembled)
        code = cli_fail("%s", message.text);
    findings->consistent_start = findings->assembled && is_consistent(findings);
    if (hol_mechanism_diagnose(mechanism, NULL, diagnosis, &message) != HOL_OK)
        return cli_fail("%s", message.text);
    findings->diagnosis = *diagnosis;
    hol_mechanism_time_scales(mechanism, &findings->scales); /* what it cannot find is NAN */
    HolStatus status = find_energies(findings);
    if (status != HOL_OK)
        return cli_fail("the initial energies cannot be evaluated: %s", hol_status_cause(status));
    return code;
}

static int check_run(const void *settings)
{
    const Settings *s = settings;
    HolModel *model;
    HolMechanism *mechanism;
    HolDiagnosis *diagnosis = NULL;
    int code = cli_model_open(s->words.items[0], &s->model, true, &model, &mechanism);
    if (code != EXIT_DONE)
        return code;
    CliFindings findings = {.model = model, .mechanism = mechanism};
    code = cli_model_check_jumps(s->words.items[0], model, mechanism);
    if (code == EXIT_DONE)
        code = check_find(mechanism, &findings, &diagnosis);
    if (findings.terms && s->json)
        cli_findings_print_json(&findings);
    else if (findings.terms)
        cli_findings_print(&findings);
    hol_terms_destroy(findings.terms);
    hol_diagnosis_destroy(diagnosis);
    hol_mechanism_destroy(mechanism);
    hol_model_destroy(model);
    return code;
}

static const CliOption options[] = {
    {"--json", NULL, OPTION_FLAG, offsetof(Settings, json), "print JSON"},
    {"--coordinates", "KIND", OPTION_TEXT, offsetof(Settings, model.coordinates),
     "coordinates of bodies: reference-point or natural"},
    CLI_MODEL_OPTIONS(Settings, model),
};

const CliCommand cli_check = {
    .name = "check",
    .arguments = "MODEL",
    .title = "Analyse a model: degrees of freedom, redundant constraint equations, reactions, inputs, initial state.",
    .notes =
        "A constraint equation is redundant if it is linearly dependent on the others. Then some reactions are not\n"
        "unique: the motion does not determine them. They are examined in the initial configuration and in others,\n"
        "which the output names; 'holon run' examines those of its own motion.\n"
        "The time scales of the initial state determine the integrator and the step where the model names none.\n"
        "Exit codes: 0 the model can be run, 2 it cannot.\n",
    .min_words = 1,
    .max_words = 1,
    .without = "check needs a MODEL: a file, or a built-in model ('holon list models')",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .settings_size = sizeof(Settings),
    .run = check_run,
};
