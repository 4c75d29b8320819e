/* SPDX-License-Identifier: BSD-3-Clause */
/* Text that is printed into memory. */
#ifndef HOLON_CLI_TERMINAL_MEMORY_H
#define HOLON_CLI_TERMINAL_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Closes a stream of open_memstream(), NULL if that failed. False if its text is missing or incomplete for lack of
 * memory; *text is then NULL. */
bool cli_memory_close(FILE *memory, char **text);

/* Closes the stream and writes its text to a file (cli_file_write()). Returns an exit code. */
int cli_memory_write(FILE *memory, char **text, const size_t *size, const char *path);

#endif
