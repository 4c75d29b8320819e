/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers given to options. Each function keeps the value if the option was not given (text NULL), and returns false
 * after an error message with the command, the option and the text. */
#ifndef HOLON_CLI_TERMINAL_NUMBER_H
#define HOLON_CLI_TERMINAL_NUMBER_H

#include <stdbool.h>

bool cli_read_whole(const char *command, const char *option, const char *text, int least, int most, int *value);
/* low < value < high */
bool cli_read_between(const char *command, const char *option, const char *text, double low, double high,
                      double *value);
bool cli_read_number(const char *text, double *value); /* the whole text, finite; prints nothing */

#endif
