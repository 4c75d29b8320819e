/* SPDX-License-Identifier: BSD-3-Clause */
#include <holon/argument.h>

#include "base/format.h"
#include "base/message.h"
#include "base/units.h"
#include "model/model.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct Limit {
    const char *name;
    size_t offset;
    double usual, most;
    bool is_size;
} Limit;

#define MOST_COUNT 1e9 /* counters of parts and characters are ints */

static const Limit all[] = {
    {"parts", offsetof(HolLimits, parts), 1e6, MOST_COUNT, false},
    {"memory", offsetof(HolLimits, memory), (double)HOL_MOST_MEMORY, 1e15, true},
    {"file", offsetof(HolLimits, file), 64e6, MOST_COUNT, true},
};
enum { LIMIT_COUNT = sizeof all / sizeof *all };

static double *limit_at(HolLimits *limits, const Limit *limit)
{
    return (double *)(void *)((char *)limits + limit->offset);
}

HolLimits hol_limits(void)
{
    HolLimits limits;
    for (int i = 0; i < LIMIT_COUNT; ++i)
        *limit_at(&limits, &all[i]) = all[i].usual;
    return limits;
}

static HolStatus limit_check(const Limit *limit, double value, HolMessage *message)
{
    if (value >= 1 && value <= limit->most)
        return HOL_OK;
    return hol_fail(message, HOL_BAD_INPUT, "the limit '%s' must be from 1 to %g%s, not %g", limit->name, limit->most,
                    limit->is_size ? " bytes" : "", value);
}

HolStatus hol_model_set_limits(HolModel *model, const HolLimits *limits, HolMessage *message)
{
    HOL_TRY(HOL_CHECK_POINTER(message, model));
    HOL_TRY(HOL_CHECK_POINTER(message, limits));
    HolLimits copy = *limits;
    for (int i = 0; i < LIMIT_COUNT; ++i)
        HOL_TRY(limit_check(&all[i], *limit_at(&copy, &all[i]), message));
    model->limits = copy;
    hol_arena_set_limit(model->arena, hol_limits_memory(&copy));
    return HOL_OK;
}

HolLimits hol_model_limits(const HolModel *model)
{
    return model ? model->limits : hol_limits();
}

size_t hol_limits_memory(const HolLimits *limits)
{
    return limits->memory < (double)(SIZE_MAX / 4) ? (size_t)limits->memory : SIZE_MAX / 4;
}

static const Limit *limit_find(const char *name, size_t length)
{
    for (int i = 0; i < LIMIT_COUNT; ++i)
        if (strlen(all[i].name) == length && strncmp(all[i].name, name, length) == 0)
            return &all[i];
    return NULL;
}

/* Takes a unit of bytes from the end of the text; 1 if there is none. */
static double take_unit(char *text)
{
    static const struct {
        const char *name;
        double bytes;
    } units[] = {{"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}, {"B", 1}};
    for (size_t i = 0; i < sizeof units / sizeof *units; ++i) {
        size_t length = strlen(text), end = strlen(units[i].name);
        if (length <= end || strcmp(text + length - end, units[i].name) != 0)
            continue;
        text[length - end] = '\0';
        return units[i].bytes;
    }
    return 1;
}

HolStatus hol_limits_parse(const char *text, HolLimits *limits, HolMessage *message)
{
    char number[64];
    HOL_TRY(HOL_CHECK_POINTER(message, text));
    HOL_TRY(HOL_CHECK_POINTER(message, limits));
    size_t name = strcspn(text, "=");
    const Limit *limit = limit_find(text, name);
    if (!limit || text[name] != '=')
        return hol_fail(message, HOL_BAD_INPUT, "'%.60s' is no limit; write parts=N, memory=16GB or file=200MB", text);
    if (hol_format(number, sizeof number, "%s", text + name + 1) >= (int)sizeof number)
        return hol_fail(message, HOL_BAD_INPUT, "the limit '%s' is no number: '%.60s'", limit->name, text + name + 1);
    double value, unit = limit->is_size ? take_unit(number) : 1;
    if (hol_quantity_parse(number, "", &value, NULL) != HOL_OK)
        return hol_fail(message, HOL_BAD_INPUT, "the limit '%s' is no number%s: '%.60s'", limit->name,
                        limit->is_size ? " of B, kB, MB, GB or TB" : "", text + name + 1);
    HOL_TRY(limit_check(limit, value * unit, message));
    *limit_at(limits, limit) = value * unit;
    return HOL_OK;
}
