/* SPDX-License-Identifier: BSD-3-Clause */
#include <holon/limits.h>

#include "wrong_arguments.h"

static void check_usual(const HolLimits *limits)
{
    CHECK(limits->parts == 1e6 && limits->memory == 4e9 && limits->file == 64e6);
}

static void wrong_hol_limits(void)
{
    HolLimits limits = hol_limits(); /* it has no argument */
    check_usual(&limits);
}

static void wrong_hol_model_set_limits(void)
{
    HolModel *model = hol_model_create();
    HolLimits limits = hol_limits(), kept;
    REFUSED("hol_model_set_limits: model must not be NULL", hol_model_set_limits(NULL, &limits, message));
    REFUSED("hol_model_set_limits: limits must not be NULL", hol_model_set_limits(model, NULL, message));
    for (int i = 0; i < WRONG_NUMBERS; ++i) {
        HolLimits parts = limits, memory = limits, file = limits;
        parts.parts = memory.memory = file.file = wrong_numbers[i];
        REFUSED("'parts'", hol_model_set_limits(model, &parts, message));
        REFUSED("'memory'", hol_model_set_limits(model, &memory, message));
        REFUSED("'file'", hol_model_set_limits(model, &file, message));
    }
    limits.parts = 0;
    REFUSED("'parts'", hol_model_set_limits(model, &limits, message));
    kept = hol_model_limits(model);
    check_usual(&kept);
    hol_model_destroy(model);
}

static void wrong_hol_model_limits(void)
{
    HolLimits limits = hol_model_limits(NULL);
    check_usual(&limits);
}

static void wrong_hol_limits_parse(void)
{
    static const char *const texts[] = {"",         "=",         "parts",     "parts=",    "parts=x",      "parts=0",
                                        "parts=-1", "parts=nan", "parts=1GB", "memory=GB", "memory=1e999", "speed=1",
                                        "\xff=1",   "file=\xff", "file=inf",  "file=1PB"};
    HolLimits limits = hol_limits();
    char longest[1000];
    memset(longest, '1', sizeof longest - 1);
    memcpy(longest, "parts=", 6);
    longest[sizeof longest - 1] = '\0';
    REFUSED("hol_limits_parse: text must not be NULL", hol_limits_parse(NULL, &limits, message));
    REFUSED("hol_limits_parse: limits must not be NULL", hol_limits_parse("parts=1", NULL, message));
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i)
        REFUSED("limit", hol_limits_parse(texts[i], &limits, message));
    REFUSED("'parts'", hol_limits_parse(longest, &limits, message));
    check_usual(&limits);
}

WRONG_ARGUMENTS_MAIN()
