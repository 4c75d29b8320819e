/* SPDX-License-Identifier: BSD-3-Clause */
#include "model.h"

#include <holon/limits.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Options that set the value at a path of the model. */
typedef struct Path {
    size_t offset;
    const char *option, *path;
} Path;

static const Path paths[] = {
    {offsetof(CliModelOptions, formulation), "--formulation", "run.formulation.kind"},
    {offsetof(CliModelOptions, integrator), "--integrator", "run.integrator.kind"},
    {offsetof(CliModelOptions, coordinates), "--coordinates", "run.coordinates"},
    {offsetof(CliModelOptions, reactions), "--reactions", "run.reactions"},
    {offsetof(CliModelOptions, branch), "--branch", "run.branch"},
    {offsetof(CliModelOptions, step), "--step", "run.step"},
    {offsetof(CliModelOptions, until), "--until", "run.until"},
    {offsetof(CliModelOptions, every), "--every", "run.every"},
};

static int print_errors(const HolModel *model, const char *name, HolStatus status)
{
    int count = hol_model_error_count(model);
    for (int i = 0; i < count; ++i)
        fprintf(stderr, "%s\n", hol_model_error(model, i));
    if (count == 0)
        cli_fail("'%s' cannot be read: %s", name, hol_status_cause(status));
    return EXIT_BAD_INPUT;
}

static void print_warnings(const HolModel *model)
{
    for (int i = 0; i < hol_model_warning_count(model); ++i)
        fprintf(stderr, "warning: %s\n", hol_model_warning(model, i));
}

/* The model reports mistakes in a value, but not that it could not take it. */
static int model_took(HolStatus status)
{
    return status == HOL_NO_MEMORY ? cli_fail("not enough memory for the options of the model") : EXIT_DONE;
}

/* Applies one --set. */
static int apply_set(HolModel *model, const char *word)
{
    const char *sign = strchr(word, '=');
    if (!sign || sign == word)
        return cli_fail("--set needs PATH=VALUE, as in --set bodies.crank.mass=2, not '%s'", word);
    char *path = strndup(word, (size_t)(sign - word));
    if (!path)
        return cli_fail("not enough memory");
    HolStatus status = hol_model_set(model, path, "%s", sign + 1);
    free(path);
    return model_took(status);
}

/* Options in the file belong to the kind that it names, so another kind begins without them. */
static HolStatus begin_kind(HolModel *model, const char *option, const char *kind, const char *path,
                            const char *kind_path)
{
    const char *present = kind ? hol_model_get(model, kind_path) : NULL;
    return present && strcmp(present, kind) != 0 ? hol_model_set_as(model, option, path, kind) : HOL_OK;
}

static bool model_begins_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

static bool sets(const CliModelOptions *options, const char *path)
{
    for (int i = 0; i < options->set.count; ++i)
        if (model_begins_with(options->set.items[i], path))
            return true;
    return false;
}

/* A formulation chosen by an option replaces an integrator of the file that cannot run it. */
static HolStatus fit_integrator(HolModel *model, const CliModelOptions *options)
{
    const char *formulation = hol_model_get(model, "run.formulation.kind");
    const char *integrator = hol_model_get(model, "run.integrator.kind");
    bool is_chosen = options->formulation || sets(options, "run.formulation");
    if (!is_chosen || options->integrator || sets(options, "run.integrator") || !formulation || !integrator ||
        hol_pair_supported(formulation, integrator, NULL) != HOL_UNSUPPORTED)
        return HOL_OK;
    for (int i = 0; i < hol_formulation_count(); ++i)
        if (strcmp(hol_formulation_info(i).name, formulation) == 0)
            return hol_model_set_as(model, "--formulation", "run.integrator", hol_formulation_info(i).integrator);
    return HOL_OK;
}

static int model_apply(HolModel *model, const CliModelOptions *options)
{
    int code = options->variant ? model_took(hol_model_choose(model, options->variant)) : EXIT_DONE;
    if (code == EXIT_DONE)
        code = model_took(
            begin_kind(model, "--formulation", options->formulation, "run.formulation", "run.formulation.kind"));
    if (code == EXIT_DONE)
        code =
            model_took(begin_kind(model, "--integrator", options->integrator, "run.integrator", "run.integrator.kind"));
    for (int i = 0; i < options->set.count && code == EXIT_DONE; ++i)
        code = apply_set(model, options->set.items[i]);
    for (size_t i = 0; i < sizeof paths / sizeof *paths && code == EXIT_DONE; ++i) {
        const char *value = *(const char *const *)(const void *)((const char *)options + paths[i].offset);
        if (value)
            code = model_took(hol_model_set_as(model, paths[i].option, paths[i].path, value));
    }
    return code == EXIT_DONE ? model_took(fit_integrator(model, options)) : code;
}

static int model_set_limits(HolModel *model, const CliWords *words)
{
    HolLimits limits = hol_limits();
    HolMessage message;
    for (int i = 0; i < words->count; ++i)
        if (hol_limits_parse(words->items[i], &limits, &message) != HOL_OK)
            return cli_fail("--limit: %s", message.text);
    return hol_model_set_limits(model, &limits, &message) == HOL_OK ? EXIT_DONE : cli_fail("%s", message.text);
}

static int model_open_model(const char *name, const CliModelOptions *options, bool quiet, HolModel *model,
                            HolMechanism **mechanism)
{
    int code = model_set_limits(model, &options->limit);
    if (code != EXIT_DONE)
        return code;
    HolStatus status = hol_model_load(model, name);
    if (status != HOL_OK)
        return print_errors(model, name, status);
    code = model_apply(model, options);
    if (code != EXIT_DONE)
        return code;
    status = hol_mechanism_create(model, mechanism);
    if (!quiet)
        print_warnings(model);
    if (status == HOL_OK && hol_model_error_count(model) == 0)
        return EXIT_DONE;
    return print_errors(model, name, status);
}

int cli_model_open(const char *name, const CliModelOptions *options, bool quiet, HolModel **model,
                   HolMechanism **mechanism)
{
    *mechanism = NULL;
    *model = hol_model_create();
    if (!*model)
        return cli_fail("not enough memory");
    int code = model_open_model(name, options, quiet, *model, mechanism);
    if (code == EXIT_DONE)
        return code;
    hol_mechanism_destroy(*mechanism);
    hol_model_destroy(*model);
    *mechanism = NULL;
    *model = NULL;
    return code;
}

int cli_model_assemble(const char *name, const CliModelOptions *options, bool quiet, HolModel **model,
                       HolMechanism **mechanism)
{
    HolMessage message;
    int code = cli_model_open(name, options, quiet, model, mechanism);
    if (code != EXIT_DONE || hol_mechanism_assemble(*mechanism, &message) == HOL_OK)
        return code;
    return cli_fail("%s", message.text);
}

int cli_model_check_jumps(const char *name, HolModel *model, HolMechanism *mechanism)
{
    HolStatus status = hol_mechanism_check_jumps(mechanism, model);
    return status == HOL_OK ? EXIT_DONE : print_errors(model, name, status);
}

int cli_search_code(HolStatus status)
{
    return status == HOL_BAD_INPUT || status == HOL_UNSUPPORTED ? EXIT_BAD_INPUT : EXIT_EARLY;
}
