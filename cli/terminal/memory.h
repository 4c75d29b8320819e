/* SPDX-License-Identifier: BSD-3-Clause */
/* Text that is printed into memory. */
#ifndef HOLON_CLI_TERMINAL_MEMORY_H
#define HOLON_CLI_TERMINAL_MEMORY_H

#include <holon/results.h>

#include <stddef.h>
#include <stdio.h>

/* Closes a stream of hol_text_open() and writes its text to a file (cli_file_write()). Returns an exit code. */
int cli_memory_write(FILE *memory, char **text, const size_t *size, const char *path);

#endif
