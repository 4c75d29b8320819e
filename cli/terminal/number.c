/* SPDX-License-Identifier: BSD-3-Clause */
#include "terminal/number.h"

#include "command.h"

#include <math.h>
#include <stdlib.h>

bool cli_read_number(const char *text, double *value)
{
    char *end;
    double number = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(number))
        return false;
    *value = number;
    return true;
}

bool cli_read_whole(const char *command, const char *option, const char *text, int least, int most, int *value)
{
    double number;
    if (!text)
        return true;
    if (cli_read_number(text, &number) && number == floor(number) && number >= least && number <= most) {
        *value = (int)number;
        return true;
    }
    cli_fail("%s: %s takes a whole number from %d to %d, but got '%s'", command, option, least, most, text);
    return false;
}

bool cli_read_between(const char *command, const char *option, const char *text, double low, double high, double *value)
{
    double number;
    if (!text)
        return true;
    if (cli_read_number(text, &number) && number > low && number < high) {
        *value = number;
        return true;
    }
    cli_fail("%s: %s takes a number between %g and %g, but got '%s'", command, option, low, high, text);
    return false;
}
