/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/expression/rules.h"

#include "base/message.h"
#include "base/units.h"

#include <math.h>
#include <string.h>

static const HolDimension pure = {.state = HOL_PURE}, any = {.state = HOL_FREE};

static HolStatus rules_check(bool holds, HolMessage *message, const char *name, const char *wanted, HolDimension found)
{
    char unit[32];
    if (holds)
        return HOL_OK;
    hol_dimension_name(found, unit);
    return hol_fail(message, HOL_BAD_INPUT, "'%s' takes %s, not %s", name, wanted, unit);
}

static HolStatus check_power(bool holds, HolMessage *message)
{
    return holds ? HOL_OK : hol_fail(message, HOL_BAD_INPUT, "the powers of the unit become too high");
}

static HolStatus cannot_mix(const HolOperation *operation, HolDimension a, HolDimension b, HolMessage *message)
{
    char first[32], second[32];
    const char *name = operation->name;
    hol_dimension_name(a, first);
    hol_dimension_name(b, second);
    if (strcmp(name, "+") == 0)
        return hol_fail(message, HOL_BAD_INPUT, "cannot add %s and %s", first, second);
    if (strcmp(name, "-") == 0)
        return hol_fail(message, HOL_BAD_INPUT, "cannot subtract %s from %s", second, first);
    if (strchr("<>=!", name[0]))
        return hol_fail(message, HOL_BAD_INPUT, "cannot compare %s and %s", first, second);
    return hol_fail(message, HOL_BAD_INPUT, "'%s' cannot mix %s and %s", name, first, second);
}

HolStatus hol_rule_merge(const HolOperation *operation, HolDimension a, HolDimension b, HolDimension *common,
                         HolMessage *message)
{
    return hol_dimension_merge(a, b, common) ? HOL_OK : cannot_mix(operation, a, b, message);
}

HolStatus hol_rule_of_one(const HolOperation *operation, HolDimension a, HolDimension *result, HolMessage *message)
{
    const char *name = operation->name;
    *result = pure;
    switch (operation->rule) {
    case HOL_RULE_OF_ANGLE:
        return rules_check(hol_dimension_is_angle(a), message, name, "an angle or a pure number", a);
    case HOL_RULE_OF_NUMBER: return rules_check(hol_dimension_is_number(a), message, name, "a pure number", a);
    case HOL_RULE_OF_ANY: return HOL_OK;
    case HOL_RULE_SQUARE_ROOT: return check_power(hol_dimension_power(a, 1.0 / 2, result), message);
    case HOL_RULE_CUBE_ROOT: return check_power(hol_dimension_power(a, 1.0 / 3, result), message);
    default: *result = a; return HOL_OK;
    }
}

/* A known dimension to an exponent that is not, could be anything. */
static HolStatus rule_of_power(HolDimension a, HolDimension b, double exponent, HolDimension *result,
                               HolMessage *message)
{
    char unit[32];
    hol_dimension_name(b, unit);
    if (!hol_dimension_is_angle(b))
        return hol_fail(message, HOL_BAD_INPUT, "an exponent must be a pure number, not %s", unit);
    *result = a.state == HOL_KNOWN ? any : a;
    return isnan(exponent) ? HOL_OK : check_power(hol_dimension_power(a, exponent, result), message);
}

HolStatus hol_rule_of_two(const HolOperation *operation, HolDimension a, HolDimension b, double exponent,
                          HolDimension *result, HolMessage *message)
{
    HolDimension common;
    switch (operation->rule) {
    case HOL_RULE_MULTIPLY: return check_power(hol_dimension_multiply(a, b, 1, result), message);
    case HOL_RULE_DIVIDE: return check_power(hol_dimension_multiply(a, b, -1, result), message);
    case HOL_RULE_POWER: return rule_of_power(a, b, exponent, result, message);
    case HOL_RULE_SAME: return hol_rule_merge(operation, a, b, result, message);
    case HOL_RULE_COMPARE: *result = pure; return hol_rule_merge(operation, a, b, &common, message);
    default: *result = pure; return HOL_OK;
    }
}
