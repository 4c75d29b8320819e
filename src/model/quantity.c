/* SPDX-License-Identifier: BSD-3-Clause */
#include <holon/argument.h>
#include <holon/model.h>

#include "base/expression/expression.h"
#include "base/message.h"

HolStatus hol_quantity_parse(const char *text, const char *unit, double *value, HolMessage *message)
{
    HolExpressionError error = {0};
    HolDimension dimension = {0}, wanted;
    char name[32];
    HOL_TRY(HOL_CHECK_POINTER(message, text));
    HOL_TRY(HOL_CHECK_POINTER(message, unit));
    HOL_TRY(HOL_CHECK_POINTER(message, value));
    double number;
    if (!hol_dimension_read(unit, &wanted))
        return hol_fail(message, HOL_BAD_INPUT, "%s: the unit '%s' is unknown", __func__, unit);
    HolStatus status = hol_number_parse(text, NULL, &number, &dimension, &error);
    if (status != HOL_OK)
        return hol_fail(message, status, "%s", error.message.text);
    if (hol_dimension_fits(dimension, wanted)) {
        *value = number;
        return HOL_OK;
    }
    hol_dimension_name(dimension, name);
    return hol_fail(message, HOL_BAD_INPUT, "a value in %s is expected, not in %s", unit, name);
}
