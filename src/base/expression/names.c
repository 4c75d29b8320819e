/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/expression/names.h"

#include "base/message.h"

#include <string.h>
#include <strings.h>

static const struct {
    const char *name;
    double value;
} constants[] = {{"pi", 3.14159265358979323846}, {"e", 2.71828182845904523536}};

enum { CONSTANTS = sizeof constants / sizeof constants[0] };

static bool names_is_same(HolName name, const char *word)
{
    return strlen(word) == name.length && memcmp(word, name.text, name.length) == 0;
}

int hol_name_variable(const HolSymbols *symbols, HolName name)
{
    for (int i = 0; i < symbols->variable_count; i++) {
        if (names_is_same(name, symbols->variables[i]))
            return i;
    }
    return -1;
}

bool hol_name_parameter(const HolSymbols *symbols, HolName name, HolParameter *p)
{
    *p = (HolParameter){.dimension = {.state = HOL_FREE}};
    return symbols->parameter &&
           symbols->parameter(symbols->scope, name.text, name.length, &p->value, &p->dimension, &p->broken);
}

bool hol_name_constant(HolName name, double *value)
{
    for (int i = 0; i < CONSTANTS; i++) {
        if (names_is_same(name, constants[i].name)) {
            *value = constants[i].value;
            return true;
        }
    }
    return false;
}

const HolTable *hol_name_table(const HolSymbols *symbols, HolName name)
{
    return symbols->table ? symbols->table(symbols->scope, name.text, name.length) : NULL;
}

bool hol_name_is_infinite(HolName name)
{
    bool dot = name.length > 0 && name.text[0] == '.';
    const char *word = name.text + dot;
    size_t length = name.length - dot;
    return (length == 3 && (strncasecmp(word, "nan", 3) == 0 || strncasecmp(word, "inf", 3) == 0)) ||
           (length == 8 && strncasecmp(word, "infinity", 8) == 0);
}

bool hol_name_is_value(const HolSymbols *symbols, HolName name)
{
    HolParameter parameter;
    double value;
    return hol_name_variable(symbols, name) >= 0 || hol_name_parameter(symbols, name, &parameter) ||
           hol_name_constant(name, &value);
}

bool hol_name_is_function(const HolSymbols *symbols, HolName name)
{
    return hol_name_table(symbols, name) || hol_operation_find(name.text, name.length);
}

bool hol_name_copy(HolName name, char copy[HOL_NAME_LONGEST + 1])
{
    if (name.length > HOL_NAME_LONGEST)
        return false;
    memcpy(copy, name.text, name.length);
    copy[name.length] = '\0';
    return true;
}

static const char *nearer(const char *given, const char *best, const char *other)
{
    const char *names[] = {best ? best : other, best ? other : NULL, NULL};
    return other ? hol_nearest_name(given, names) : best;
}

static const char *nearest_function(const char *given)
{
    const char *best = NULL;
    for (const HolOperation *o = hol_operations; o->name; o++) {
        bool is_word = o->name[0] >= 'a' && o->name[0] <= 'z';
        if (is_word)
            best = nearer(given, best, o->name);
    }
    return best;
}

static const char *nearest_value(const HolSymbols *symbols, const char *given)
{
    const char *best = NULL;
    for (int i = 0; i < symbols->variable_count; i++)
        best = nearer(given, best, symbols->variables[i]);
    for (int i = 0; i < CONSTANTS; i++)
        best = nearer(given, best, constants[i].name);
    return best;
}

const char *hol_name_nearest(const HolSymbols *symbols, HolName name, bool function)
{
    char given[HOL_NAME_LONGEST + 1];
    if (!hol_name_copy(name, given))
        return NULL;
    const char *best = function ? nearest_function(given) : nearest_value(symbols, given);
    const char *own = symbols->nearest ? symbols->nearest(symbols->scope, name.text, name.length) : NULL;
    return nearer(given, best, own);
}
