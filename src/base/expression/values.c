/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers with units, names, calls. */
#include "base/expression/parser.h"
#include "base/format.h"
#include "base/message.h"
#include "base/units.h"

#include <math.h>
#include <string.h>

/* Numbers and units */

static HolStatus no_unit(HolParser *p, HolToken number)
{
    HolName name = hol_parser_name(p, p->token);
    char given[HOL_NAME_LONGEST + 1];
    if (hol_name_is_value(p->symbols, name) || hol_name_is_function(p->symbols, name))
        return hol_parser_fail(p, p->token, "'%.*s' is not a unit (did you mean '%.*s*%.*s'?)", HOL_QUOTE(p, p->token),
                               HOL_QUOTE(p, number), HOL_QUOTE(p, p->token));
    const char *nearest = hol_name_copy(name, given) ? hol_unit_nearest(given) : NULL;
    if (nearest)
        return hol_parser_fail(p, p->token, "'%s' is not a unit (did you mean '%s'?)", given, nearest);
    return hol_parser_fail(p, p->token, "'%.*s' is not a unit", HOL_QUOTE(p, p->token));
}

static HolStatus parse_unit_power(HolParser *p, int *power)
{
    int sign = 1;
    *power = 1;
    if (!hol_parser_next_is(p, "^"))
        return HOL_OK;
    hol_parser_advance(p);
    if (hol_parser_next_is(p, "-")) {
        sign = -1;
        hol_parser_advance(p);
    }
    bool is_number = p->token.kind == HOL_TOKEN_NUMBER;
    double value = is_number ? hol_decimal_value(hol_parser_text(p, p->token), p->token.length) : NAN;
    if (!(value <= HOL_UNIT_HIGHEST_POWER && value == floor(value)))
        return hol_parser_fail(p, p->token, "the exponent of a unit must be a whole number up to %d",
                               HOL_UNIT_HIGHEST_POWER);
    *power = sign * (int)value;
    hol_parser_advance(p);
    return HOL_OK;
}

static HolStatus parse_unit_factor(HolParser *p, int sign, HolScale *scale)
{
    HolToken name = p->token;
    HolScale unit = hol_scale_of(hol_parser_text(p, name), (size_t)name.length);
    int power;
    hol_parser_advance(p);
    HOL_TRY(parse_unit_power(p, &power));
    if (!hol_scale_multiply(scale, &unit, sign * power))
        return hol_parser_fail(p, name, "the powers of the unit become too high");
    return HOL_OK;
}

/* The second factor of N/(mm/s): units in parentheses, which are not nested. */
static bool is_unit_group(const HolParser *p, HolToken token)
{
    return hol_parser_token_is(p, token, "(") && hol_parser_is_unit(p, hol_parser_after(p, token));
}

static HolStatus parse_unit_product(HolParser *p, bool in_parentheses, HolScale *scale);

static HolStatus parse_unit_group(HolParser *p, int sign, HolScale *scale)
{
    HolToken open = p->token;
    HolScale group = hol_scale_one();
    int power;
    hol_parser_advance(p);
    HOL_TRY(parse_unit_product(p, true, &group));
    HOL_TRY(hol_parser_expect_close(p));
    HOL_TRY(parse_unit_power(p, &power));
    if (!hol_scale_multiply(scale, &group, sign * power))
        return hol_parser_fail(p, open, "the powers of the unit become too high");
    return HOL_OK;
}

static HolStatus parse_unit_product(HolParser *p, bool in_parentheses, HolScale *scale)
{
    HOL_TRY(parse_unit_factor(p, 1, scale));
    while (hol_parser_next_is(p, "*") || hol_parser_next_is(p, "/")) {
        HolToken next = hol_parser_after(p, p->token);
        bool is_group = !in_parentheses && is_unit_group(p, next);
        if (!is_group && !hol_parser_is_unit(p, next))
            break;
        int sign = hol_parser_next_is(p, "/") ? -1 : 1;
        hol_parser_advance(p);
        HOL_TRY(is_group ? parse_unit_group(p, sign, scale) : parse_unit_factor(p, sign, scale));
    }
    return hol_parser_next_is(p, "^") ? hol_parser_unexpected(p) : HOL_OK;
}

static HolStatus parse_unit(HolParser *p, HolToken number, HolScale *scale)
{
    if (!hol_unit_exists(hol_parser_text(p, p->token), (size_t)p->token.length))
        return no_unit(p, number);
    *scale = hol_scale_one();
    return parse_unit_product(p, false, scale);
}

HolStatus hol_parse_number(HolParser *p)
{
    HolToken number = p->token;
    HolScale scale = {1, 1, {.state = HOL_PURE}};
    double value = hol_decimal_value(hol_parser_text(p, number), number.length);
    if (!isfinite(value))
        return hol_parser_fail(p, number, "'%.*s' is not a finite number", HOL_QUOTE(p, number));
    hol_parser_advance(p);
    if (hol_parser_is_name(p, p->token) && !hol_parser_calls_function(p, p->token))
        HOL_TRY(parse_unit(p, number, &scale));
    return hol_build_number(&p->build, number.start, value * scale.times / scale.over, scale.dimension);
}

/* Names */

static HolStatus unknown(HolParser *p, HolToken name, bool function)
{
    const char *nearest = hol_name_nearest(p->symbols, hol_parser_name(p, name), function);
    if (nearest)
        return hol_parser_fail(p, name, "'%.*s' is unknown (did you mean '%s'?)", HOL_QUOTE(p, name), nearest);
    if (function || p->symbols->variable_count == 0)
        return hol_parser_fail(p, name, "'%.*s' is unknown", HOL_QUOTE(p, name));
    char list[80] = "";
    for (int i = 0; i < p->symbols->variable_count; i++) {
        size_t used = strlen(list);
        hol_format(list + used, sizeof list - used, "%s%s", i ? ", " : "", p->symbols->variables[i]);
    }
    return hol_parser_fail(p, name, "'%.*s' is unknown (variables here: %s)", HOL_QUOTE(p, name), list);
}

static HolStatus no_value(HolParser *p, HolToken name)
{
    if (hol_name_is_infinite(hol_parser_name(p, name)))
        return hol_parser_fail(p, name, "'%.*s' is not a finite number", HOL_QUOTE(p, name));
    if (hol_name_is_function(p->symbols, hol_parser_name(p, name)))
        return hol_parser_fail(p, name, "'%.*s' is a function, '(' must follow", HOL_QUOTE(p, name));
    if (hol_parser_is_unit(p, name))
        return hol_parser_fail(p, name, "'%.*s' is unknown (a unit must follow a number)", HOL_QUOTE(p, name));
    return unknown(p, name, false);
}

HolStatus hol_parse_name(HolParser *p)
{
    HolToken token = p->token;
    HolName name = hol_parser_name(p, token);
    HolParameter parameter;
    double constant;
    hol_parser_advance(p);
    int variable = hol_name_variable(p->symbols, name);
    if (variable >= 0)
        return hol_build_variable(&p->build, token.start, variable);
    bool exists = hol_name_parameter(p->symbols, name, &parameter);
    if (exists && parameter.broken)
        return hol_parser_fail(p, token, "%s", "");
    if (exists)
        return hol_build_number(&p->build, token.start, parameter.value, parameter.dimension);
    if (hol_name_constant(name, &constant))
        return hol_build_number(&p->build, token.start, constant, (HolDimension){.state = HOL_PURE});
    return no_value(p, token);
}

/* Calls */

static HolStatus wrong_count(HolParser *p, HolToken name, const HolOperation *function, int count)
{
    int fewest = function->fewest;
    const char *values = fewest == 1 && !function->odd ? "value" : "values";
    if (function->odd)
        return hol_parser_fail(p, name, "'%.*s' takes an odd number of values, %d or more, not %d", HOL_QUOTE(p, name),
                               fewest, count);
    return hol_parser_fail(p, name, "'%.*s' takes %d %s%s, not %d", HOL_QUOTE(p, name), fewest,
                           function->most == 0 ? "or more " : "", values, count);
}

static HolStatus parse_values(HolParser *p, int *count)
{
    *count = 0;
    while (*count > 0 || !hol_parser_next_is(p, ")")) {
        HOL_TRY(hol_parse_expression(p, HOL_LEVEL_OR));
        ++*count;
        if (!hol_parser_next_is(p, ","))
            break;
        hol_parser_advance(p);
    }
    return hol_parser_expect_close(p);
}

HolStatus hol_parse_call(HolParser *p)
{
    static const HolOperation of_table = {.fewest = 1, .most = 1};
    HolToken token = p->token;
    HolName name = hol_parser_name(p, token);
    const HolTable *table = hol_name_table(p->symbols, name);
    const HolOperation *function = table ? &of_table : hol_operation_find(name.text, name.length);
    int count;
    if (!function && hol_name_is_value(p->symbols, name))
        return hol_parser_fail(p, token, "'%.*s' is not a function", HOL_QUOTE(p, token));
    if (!function)
        return unknown(p, token, true);
    hol_parser_advance(p);
    hol_parser_advance(p);
    HOL_TRY(parse_values(p, &count));
    bool too_many = function->most > 0 && count > function->most;
    if (count < function->fewest || too_many || (function->odd && count % 2 == 0))
        return wrong_count(p, token, function, count);
    if (table)
        return hol_build_table(&p->build, table, token.start);
    return hol_build_operation(&p->build, function, count, token.start, token.start);
}
