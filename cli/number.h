/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers given to options. Each function leaves the value alone where the option was not given (text NULL), and
 * returns false after a sentence that names the command, the option and what stands there. */
#ifndef HOLON_CLI_NUMBER_H
#define HOLON_CLI_NUMBER_H

#include <stdbool.h>

bool cli_read_whole(const char *command, const char *option, const char *text, int least, int most, int *value);
/* Strictly between. */
bool cli_read_between(const char *command, const char *option, const char *text, double low, double high,
                      double *value);
bool cli_read_number(const char *text, double *value); /* all of it, finite; says nothing */

#endif
