/* SPDX-License-Identifier: BSD-3-Clause */
/* Output files of a command: never the model, and written completely or not at all. */
#ifndef HOLON_CLI_TERMINAL_FILES_H
#define HOLON_CLI_TERMINAL_FILES_H

#include <holon/model.h>

#include <stdbool.h>
#include <stddef.h>

/* An option and its path; NULL or "-" is no file. */
typedef struct CliFile {
    const char *option, *path;
} CliFile;

/* Rejects files that are the model, the same as another, by whatever path, or one that is written beside another: its
 * scene or its temporary file. Returns an exit code. */
int cli_files_check(const char *model, const CliFile *files, int count);

/* The same for all files of a model that was read, also those that it extends. */
int cli_files_check_model(const HolModel *model, const CliFile *files, int count);

/* Checks that a file can be written, without touching it. Returns an exit code. */
int cli_file_check(const char *path);
/* Writes a file and replaces an existing one only when complete. Returns EXIT_DONE, or EXIT_EARLY after a message. */
int cli_file_write(const char *path, const char *text, size_t size);

/* A pipe or a device, which can be read once only. */
bool cli_file_is_stream(const char *path);

#endif
