/* SPDX-License-Identifier: BSD-3-Clause */
#include <holon/argument.h>

#include "base/message.h"

#include <math.h>

static const char *argument_text(const char *name)
{
    return name ? name : "?";
}

HolStatus hol_argument_pointer(HolMessage *message, const char *function, const char *argument, const void *pointer)
{
    if (pointer)
        return HOL_OK;
    return hol_fail(message, HOL_BAD_INPUT, "%s: %s must not be NULL", argument_text(function),
                    argument_text(argument));
}

HolStatus hol_argument_index(HolMessage *message, const char *function, const char *argument, long index, long count)
{
    if (index >= 0 && index < count)
        return HOL_OK;
    if (count <= 0)
        return hol_fail(message, HOL_BAD_INPUT, "%s: %s %ld is out of range: there is none", argument_text(function),
                        argument_text(argument), index);
    return hol_fail(message, HOL_BAD_INPUT, "%s: %s %ld is out of range 0 ... %ld", argument_text(function),
                    argument_text(argument), index, count - 1);
}

HolStatus hol_argument_count(HolMessage *message, const char *function, const char *argument, long count)
{
    if (count >= 0)
        return HOL_OK;
    return hol_fail(message, HOL_BAD_INPUT, "%s: %s = %ld must not be negative", argument_text(function),
                    argument_text(argument), count);
}

HolStatus hol_argument_finite(HolMessage *message, const char *function, const char *argument, double number)
{
    if (isfinite(number))
        return HOL_OK;
    return hol_fail(message, HOL_BAD_INPUT, "%s: %s = %g must be finite", argument_text(function),
                    argument_text(argument), number);
}

HolStatus hol_argument_numbers(HolMessage *message, const char *function, const char *argument, const double *numbers,
                               long count)
{
    HOL_TRY(hol_argument_pointer(message, function, argument, numbers));
    for (long i = 0; i < count; ++i)
        if (!isfinite(numbers[i]))
            return hol_fail(message, HOL_BAD_INPUT, "%s: %s[%ld] = %g must be finite", argument_text(function),
                            argument_text(argument), i, numbers[i]);
    return HOL_OK;
}

HolStatus hol_argument_names(HolMessage *message, const char *function, const char *argument, const char *const *names,
                             long count)
{
    HOL_TRY(hol_argument_count(message, function, "the number of names", count));
    if (count > 0)
        HOL_TRY(hol_argument_pointer(message, function, argument, names));
    for (long i = 0; i < count; ++i)
        if (!names[i])
            return hol_fail(message, HOL_BAD_INPUT, "%s: %s[%ld] must not be NULL", argument_text(function),
                            argument_text(argument), i);
    return HOL_OK;
}
