/* SPDX-License-Identifier: BSD-3-Clause */
#include <holon/model.h>

#include "base/expression/expression.h"
#include "base/message.h"

HolStatus hol_quantity_parse(const char *text, const char *unit, double *value, HolMessage *message)
{
    HolExpressionError error = {0};
    HolDimension dimension = {0};
    char name[32];
    HolStatus status = hol_number_parse(text, NULL, value, &dimension, &error);
    if (status != HOL_OK)
        return hol_fail(message, status, "%s", error.message.text);
    if (hol_dimension_fits(dimension, hol_dimension_of(unit)))
        return HOL_OK;
    hol_dimension_name(dimension, name);
    return hol_fail(message, HOL_BAD_INPUT, "a value in %s is expected, not in %s", unit, name);
}
