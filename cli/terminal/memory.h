/* SPDX-License-Identifier: BSD-3-Clause */
/* Text that is printed into memory. */
#ifndef HOLON_CLI_TERMINAL_MEMORY_H
#define HOLON_CLI_TERMINAL_MEMORY_H

#include <stdbool.h>
#include <stdio.h>

/* Closes a stream of open_memstream(), NULL if that failed. False if its text is missing or incomplete for lack of
 * memory; *text is then NULL. */
bool cli_memory_close(FILE *memory, char **text);

#endif
