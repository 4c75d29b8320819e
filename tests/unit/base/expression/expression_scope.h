/* SPDX-License-Identifier: BSD-3-Clause */
/* Names for the tests of expressions: variables x, y, t; parameters with and without units, and a wrong one; a table. */
#ifndef HOLON_TESTS_UNIT_EXPRESSION_SCOPE_H
#define HOLON_TESTS_UNIT_EXPRESSION_SCOPE_H

#include "base/expression/expression.h"
#include "base/message.h"
#include "check.h"

static const char *const scope_variables[] = {"x", "y", "t"};

static const struct {
    const char *name;
    double value;
    const char *unit; /* NULL: given without */
    bool broken;
} scope_parameters[] = {
    {"length", 2, NULL, false}, {"g", 9.81, NULL, false}, {"zero", 0, NULL, false},     {"width", 0.5, "m", false},
    {"load", 30, "N", false},   {"wrong", 0, NULL, true}, {"angle", 0.5, "rad", false},
};

enum { SCOPE_PARAMETERS = sizeof scope_parameters / sizeof scope_parameters[0] };

/* Names come without an end: they are compared by length. */
static inline bool scope_is(const char *known, const char *name, size_t length)
{
    return strlen(known) == length && memcmp(known, name, length) == 0;
}

static inline bool scope_parameter(void *scope, const char *name, size_t length, double *value, HolDimension *dimension,
                                   bool *broken)
{
    (void)scope;
    for (int i = 0; i < SCOPE_PARAMETERS; i++) {
        if (scope_is(scope_parameters[i].name, name, length)) {
            const char *unit = scope_parameters[i].unit;
            *value = scope_parameters[i].value;
            *dimension = unit ? hol_dimension_of(unit) : (HolDimension){.state = HOL_FREE};
            *broken = scope_parameters[i].broken;
            return true;
        }
    }
    return false;
}

/* The scope is the table called "road", or NULL. */
static inline const HolTable *scope_table(void *scope, const char *name, size_t length)
{
    return scope_is("road", name, length) ? scope : NULL;
}

static inline const char *scope_nearest(void *scope, const char *name, size_t length)
{
    const char *names[SCOPE_PARAMETERS + 2] = {NULL};
    char given[65] = "";
    if (length > 64)
        return NULL;
    memcpy(given, name, length);
    for (int i = 0; i < SCOPE_PARAMETERS; i++)
        names[i] = scope_parameters[i].name;
    names[SCOPE_PARAMETERS] = scope ? "road" : NULL;
    return hol_nearest_name(given, names);
}

static inline HolSymbols scope_symbols(HolTable *road)
{
    return (HolSymbols){scope_variables, 3, road, scope_parameter, scope_table, scope_nearest};
}

/* A number, or NaN and a failed check. */
static inline double scope_number(const char *text, HolDimension *dimension)
{
    HolSymbols symbols = scope_symbols(NULL);
    HolExpressionError error = {0, {""}};
    double value = NAN;
    HolStatus status = hol_number_parse(text, &symbols, &value, dimension, &error);
    check_that(status == HOL_OK, __FILE__, __LINE__, "'%s' at %d: %s", text, error.offset, error.message.text);
    return value;
}

/* NULL and a failed check if it is wrong. */
static inline HolExpression *scope_expression(const char *text, HolTable *road, HolArena *arena)
{
    HolSymbols symbols = scope_symbols(road);
    HolExpressionError error = {0, {""}};
    HolExpression *expression = NULL;
    HolStatus status = hol_expression_parse(text, &symbols, arena, &expression, &error);
    check_that(status == HOL_OK, __FILE__, __LINE__, "'%s' at %d: %s", text, error.offset, error.message.text);
    return expression;
}

#endif
