/* SPDX-License-Identifier: BSD-3-Clause */
/* What a name in an expression means: the caller's names first, then constants and functions. */
#ifndef HOLON_BASE_EXPRESSION_NAMES_H
#define HOLON_BASE_EXPRESSION_NAMES_H

#include "base/expression/code.h"

enum { HOL_NAME_LONGEST = 64 }; /* that is compared with others for "did you mean" */

typedef struct HolName {
    const char *text; /* not terminated */
    size_t length;
} HolName;

typedef struct HolParameter {
    double value;
    HolDimension dimension;
    bool broken;
} HolParameter;

int hol_name_variable(const HolSymbols *symbols, HolName name); /* -1: there is none */
bool hol_name_parameter(const HolSymbols *symbols, HolName name, HolParameter *parameter);
bool hol_name_constant(HolName name, double *value);                     /* pi, e */
const HolTable *hol_name_table(const HolSymbols *symbols, HolName name); /* NULL: there is none */
bool hol_name_is_infinite(HolName name);                                 /* nan, inf, .nan, .inf, -- in any case */

/* Whether the name, without parentheses, has a value; whether it can be called. */
bool hol_name_is_value(const HolSymbols *symbols, HolName name);
bool hol_name_is_function(const HolSymbols *symbols, HolName name);

/* A terminated copy; false if the name is too long for that. */
bool hol_name_copy(HolName name, char copy[HOL_NAME_LONGEST + 1]);
/* The most similar value (function: what can be called), or NULL. */
const char *hol_name_nearest(const HolSymbols *symbols, HolName name, bool function);

#endif
