/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that a command writes: never the model, and never half. */
#ifndef HOLON_CLI_FILES_H
#define HOLON_CLI_FILES_H

#include <stddef.h>

/* An option and the path it names; NULL or "-" is no file. */
typedef struct CliFile {
    const char *option, *path;
} CliFile;

/* Refuses files that are the model, or the same as another one, whatever the path. Returns an exit code. */
int cli_files_check(const char *model, const CliFile *files, int count);

/* Whether a file could be written, without touching it. Returns an exit code. */
int cli_file_check(const char *path);
/* Writes all of it, or leaves a file that is there as it is: a new one takes its place when it is complete. Returns
 * EXIT_DONE, or EXIT_EARLY after a sentence. */
int cli_file_write(const char *path, const char *text, size_t size);

#endif
