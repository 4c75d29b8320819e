/* SPDX-License-Identifier: BSD-3-Clause */
/* Options and --set. The first line of the input is a path, the second a value, both set in a small model; the path is
 * also read. The same two are a setting of a formulation and an integrator. */
#include <holon/mechanism.h>
#include <holon/option.h>

#include "base/options.h"
#include "fuzz.h"

#include <string.h>

static const char base[] = "plane: xy\nparameters: {a: 1}\npoints: {O: [0, 0]}\nbodies: {b: {bar: [O, O], mass: 1}}\n"
                           "run: {formulation: penalty, record: [b]}\nvariants: {w: {gravity: [0, 1]}}\n";

static void check_problems(const HolModel *model)
{
    for (int i = 0; i < hol_model_error_count(model); ++i)
        fuzz_check_sentence(hol_model_error(model, i));
    for (int i = 0; i < hol_model_warning_count(model); ++i)
        fuzz_check_sentence(hol_model_warning(model, i));
}

static void check_model(const char *path, const char *value)
{
    HolModel *model = hol_model_create();
    FUZZ_CHECK(hol_model_parse(model, base, "base") == HOL_OK, "the model is refused");
    hol_model_get(model, path);
    HolStatus status = hol_model_set_as(model, "--set", path, value);
    FUZZ_CHECK(status == HOL_OK || hol_model_error_count(model) > 0, "no sentence for '%s'", path);
    const char *text = hol_model_get(model, path);
    if (status == HOL_OK && text) { /* what was set can be set again */
        char *copy = strdup(text);
        hol_model_set_as(model, "--again", path, copy);
        free(copy);
    }
    hol_model_choose(model, value);
    check_problems(model);
    hol_model_destroy(model);
}

static void check_option(const HolKindInfo *kind, const char *name, const char *value)
{
    double options[64]; /* enough for all structs of options */
    HolMessage message = {""};
    memset(options, 0, sizeof options);
    HolStatus status = hol_options_set(kind->options, kind->option_count, kind->name, name, value, options, &message);
    FUZZ_CHECK(status == HOL_OK || message.text[0], "no sentence for '%s'", name);
    fuzz_check_sentence(message.text);
}

static void check_options(uint32_t hash, const char *name, const char *value)
{
    HolKindInfo formulation = hol_formulation_info((int)(hash % (unsigned)hol_formulation_count()));
    HolKindInfo integrator = hol_integrator_info((int)(hash % (unsigned)hol_integrator_count()));
    HolMessage message = {""};
    check_option(&formulation, name, value);
    check_option(&integrator, name, value);
    for (int i = 0; i < formulation.option_count; ++i)
        check_option(&formulation, formulation.options[i].name, value);
    hol_pair_supported(name, value, &message);
    fuzz_check_sentence(message.text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *path = fuzz_text(data, size), *value = strchr(path, '\n');
    if (value)
        *value++ = '\0';
    if (value && strstr(path, "extends") == NULL)
        check_model(path, value);
    if (value)
        check_options(fuzz_hash(data, size), path, value);
    free(path);
    return 0;
}
