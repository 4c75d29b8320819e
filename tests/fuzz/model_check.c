/* SPDX-License-Identifier: BSD-3-Clause */
#include "model_check.h"

#include "fuzz.h"

#include <string.h>

static const char NAME[] = "fuzz.yaml";

FuzzChoice fuzz_choice(const char *text)
{
    FuzzChoice choice = {0};
    const char *last = NULL, *next = strstr(text, FUZZ_CHOICE_MARK);
    for (; next; next = strstr(next + 1, FUZZ_CHOICE_MARK))
        last = next;
    if (!last)
        return choice;
    uint32_t bits = (uint32_t)strtoul(last + strlen(FUZZ_CHOICE_MARK), NULL, 16);
    unsigned formulation = bits & 0x3f, integrator = bits >> 6 & 0x3f;
    if (formulation > 0)
        choice.formulation = hol_formulation_info((int)(formulation % (unsigned)hol_formulation_count())).name;
    if (integrator > 0)
        choice.integrator = hol_integrator_info((int)(integrator % (unsigned)hol_integrator_count())).name;
    choice.flags = bits >> 12 & 0xf;
    choice.failing = bits >> 16 & 0xfff;
    if (bits >> 28 != 0xf)
        choice.failing = 0;
    return choice;
}

static void check_problems(const HolModel *model)
{
    for (int i = 0; i < hol_model_error_count(model); ++i)
        fuzz_check_sentence(hol_model_error(model, i));
    for (int i = 0; i < hol_model_warning_count(model); ++i)
        fuzz_check_sentence(hol_model_warning(model, i));
}

/* Devices would block or never end. */
static bool names_device(const char *text)
{
    return strstr(text, "/dev") || strstr(text, "/proc");
}

static HolMechanism *compile(const char *text, HolModel **model)
{
    HolMechanism *mechanism = NULL;
    *model = names_device(text) ? NULL : hol_model_create();
    if (!*model)
        return NULL;
    HolStatus status = hol_model_parse(*model, text, NAME);
    if (status == HOL_OK)
        status = hol_mechanism_create(*model, &mechanism);
    FUZZ_CHECK((status == HOL_OK) == (mechanism != NULL), "status %d", (int)status);
    FUZZ_CHECK(status == HOL_OK || status == HOL_NO_MEMORY || hol_model_error_count(*model) > 0,
               "the model is refused without a sentence");
    check_problems(*model);
    return mechanism;
}

HolMechanism *fuzz_mechanism(const char *text, const FuzzChoice *choice, HolModel **model)
{
    HolMessage message = {""};
    fuzz_memory_begin(FUZZ_MODEL_MEMORY, choice->failing);
    HolMechanism *mechanism = compile(text, model);
    HolStatus status = mechanism ? hol_mechanism_assemble(mechanism, &message) : HOL_BAD_INPUT;
    fuzz_check_sentence(message.text);
    if (status == HOL_OK)
        return mechanism;
    hol_mechanism_destroy(mechanism);
    return NULL;
}

static char *messages_of(const char *text)
{
    HolModel *model;
    char *all = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&all, &size);
    fuzz_memory_begin(FUZZ_MODEL_MEMORY, 0);
    HolMechanism *mechanism = compile(text, &model);
    for (int i = 0; model && i < hol_model_error_count(model); ++i)
        fprintf(memory, "%s\n", hol_model_error(model, i));
    for (int i = 0; model && i < hol_model_warning_count(model); ++i)
        fprintf(memory, "%s\n", hol_model_warning(model, i));
    hol_mechanism_destroy(mechanism);
    hol_model_destroy(model);
    fuzz_memory_end();
    fclose(memory);
    return all;
}

void fuzz_check_repeatable(const char *text)
{
    char *first = messages_of(text), *second = messages_of(text);
    FUZZ_CHECK(strcmp(first, second) == 0, "other messages the second time:\n%s\n%s", first, second);
    free(first);
    free(second);
}
