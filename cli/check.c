/* SPDX-License-Identifier: BSD-3-Clause */
/* holon check MODEL: what a model is, without running it. */
#include "check.h"

#include "model.h"

#include <stdio.h>

/* Joints that are open by less than this as drawn count as closed. */
static const double CLOSED = 1e-9;

typedef struct Settings {
    CliWords words;
    CliModelOptions model;
    bool json;
} Settings;

const char *const cli_component_names[6] = {"fx", "fy", "fz", "tx", "ty", "tz"};

const int *cli_components(const HolMechanism *mechanism)
{
    static const int planar[] = {0, 1, 5, -1}, spatial[] = {0, 1, 2, 3, 4, 5, -1};
    return hol_mechanism_is_planar(mechanism) ? planar : spatial;
}

static HolStatus find_energies(CliFindings *findings)
{
    const HolSystem *system = hol_mechanism_system(findings->mechanism);
    HolStart start = hol_mechanism_start(findings->mechanism);
    HolPoint at = {start.t, start.q, start.v};
    HolStatus status = hol_terms_create(system, &findings->terms);
    return status == HOL_OK ? hol_system_evaluate(system, &at, HOL_WANT_ENERGY, findings->terms) : status;
}

/* Velocities that the model does not give are solved for, so they cannot be inconsistent as drawn, unless the start is
 * taken as given. */
static bool is_consistent(const HolMechanism *mechanism, HolGap gap)
{
    return gap.position <= CLOSED && (gap.velocity <= CLOSED || !hol_mechanism_keeps_start(mechanism));
}

static int find(HolMechanism *mechanism, CliFindings *findings, HolDiagnosis **diagnosis)
{
    HolMessage message;
    int code = EXIT_DONE;
    findings->assembled = hol_mechanism_assemble(mechanism, &message) == HOL_OK;
    findings->gap = hol_mechanism_gap(mechanism);
    if (!findings->assembled)
        code = cli_fail("%s", message.text);
    findings->consistent_start = findings->assembled && is_consistent(mechanism, findings->gap);
    if (hol_mechanism_diagnose(mechanism, diagnosis, &message) != HOL_OK)
        return cli_fail("%s", message.text);
    findings->diagnosis = *diagnosis;
    HolStatus status = find_energies(findings);
    if (status != HOL_OK)
        return cli_fail("the energies at the start cannot be told: %s", hol_status_name(status));
    return code;
}

static int run(const void *settings)
{
    const Settings *s = settings;
    HolModel *model;
    HolMechanism *mechanism;
    HolDiagnosis *diagnosis = NULL;
    int code = cli_model_open(s->words.items[0], &s->model, true, &model, &mechanism);
    if (code != EXIT_DONE)
        return code;
    CliFindings findings = {.model = model, .mechanism = mechanism};
    code = find(mechanism, &findings, &diagnosis);
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
     "what bodies are described by: reference-point or natural"},
    CLI_MODEL_OPTIONS(Settings, model),
};

const CliCommand cli_check = {
    .name = "check",
    .arguments = "MODEL",
    .title = "Explain a model: its freedoms, redundant rows, reactions that are unique, its inputs and its start.",
    .notes = "A row is redundant if others say the same; then not all reactions can be told from the motion.\n"
             "Exit codes: 0 the model can be run, 2 it cannot.\n",
    .least_words = 1,
    .most_words = 1,
    .without = "check needs a MODEL: a file, or a built-in model ('holon list models')",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .settings_size = sizeof(Settings),
    .run = run,
};
