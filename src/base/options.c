/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/options.h"

#include "base/expression/expression.h"
#include "base/message.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_OPTIONS = 32 };

static void options_store(const HolOption *option, double value, void *options)
{
    char *field = (char *)options + option->offset;
    if (option->type == HOL_OPTION_REAL)
        *(double *)(void *)field = value;
    else
        *(int *)(void *)field = (int)value;
}

void hol_options_defaults(const HolOption *table, int count, void *options)
{
    for (int i = 0; i < count; ++i)
        options_store(&table[i], table[i].fallback, options);
}

static const HolOption *options_find(const HolOption *table, int count, const char *name)
{
    for (int i = 0; i < count; ++i)
        if (strcmp(table[i].name, name) == 0)
            return &table[i];
    return NULL;
}

static HolStatus options_unknown_option(const HolOption *table, int count, const char *kind, const char *name,
                                        HolMessage *message)
{
    const char *names[MOST_OPTIONS + 1] = {NULL};
    for (int i = 0; i < count && i < MOST_OPTIONS; ++i)
        names[i] = table[i].name;
    const char *nearest = hol_nearest_name(name, names);
    if (nearest)
        return hol_fail(message, HOL_BAD_INPUT, "'%s' has no option '%s' (did you mean '%s'?)", kind, name, nearest);
    if (count == 0)
        return hol_fail(message, HOL_BAD_INPUT, "'%s' has no option '%s': it has no options", kind, name);
    char list[200] = "";
    for (int i = 0; i < count && strlen(list) + strlen(table[i].name) + 3 < sizeof list; ++i) {
        strcat(list, i ? ", " : "");
        strcat(list, table[i].name);
    }
    return hol_fail(message, HOL_BAD_INPUT, "'%s' has no option '%s' (it has: %s)", kind, name, list);
}

static HolStatus set_choice(const HolOption *option, const char *kind, const char *value, void *options,
                            HolMessage *message)
{
    for (int i = 0; option->choices[i]; ++i) {
        if (strcmp(option->choices[i], value) == 0) {
            options_store(option, i, options);
            return HOL_OK;
        }
    }
    const char *nearest = hol_nearest_name(value, option->choices);
    return hol_fail(message, HOL_BAD_INPUT, "'%s': option '%s' cannot be '%s' (did you mean '%s'?)", kind, option->name,
                    value, nearest ? nearest : option->choices[0]);
}

static HolStatus set_number(const HolOption *option, const char *kind, const char *text, void *options,
                            HolMessage *message)
{
    HolExpressionError error;
    HolDimension dimension;
    double value;
    if (hol_number_parse(text, &(HolSymbols){0}, &value, &dimension, &error) != HOL_OK)
        return hol_fail(message, HOL_BAD_INPUT, "'%s': option '%s' needs a number, not '%s'", kind, option->name, text);
    HolDimension wanted = option->unit[0] ? hol_dimension_of(option->unit) : (HolDimension){.state = HOL_KNOWN};
    if (!hol_dimension_fits(dimension, wanted))
        return hol_fail(message, HOL_BAD_INPUT, "'%s': option '%s' needs %s%s, not '%s'", kind, option->name,
                        option->unit[0] ? "a value in " : "a plain number", option->unit, text);
    if (option->type == HOL_OPTION_INTEGER && value != floor(value))
        return hol_fail(message, HOL_BAD_INPUT, "'%s': option '%s' needs a whole number, not '%s'", kind, option->name,
                        text);
    if (value < option->min || value > option->max)
        return hol_fail(message, HOL_BAD_INPUT, "'%s': option '%s' must lie between %g and %g, not %s", kind,
                        option->name, option->min, option->max, text);
    options_store(option, value, options);
    return HOL_OK;
}

HolStatus hol_options_set(const HolOption *table, int count, const char *kind, const char *name, const char *value,
                          void *options, HolMessage *message)
{
    const HolOption *option = options_find(table, count, name);
    if (!option)
        return options_unknown_option(table, count, kind, name, message);
    if (!value)
        return hol_fail(message, HOL_BAD_INPUT, "'%s': option '%s' has no value", kind, name);
    if (option->type == HOL_OPTION_CHOICE)
        return set_choice(option, kind, value, options, message);
    return set_number(option, kind, value, options, message);
}
