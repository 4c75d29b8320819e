/* SPDX-License-Identifier: BSD-3-Clause */
/* A command is one file that ends in one const table, plus one line in registry.c.
 *
 * Its options are a table too. The parser fills the settings of the command from it, and `holon help`, `--help` and
 * error messages read the same table. */
#ifndef HOLON_CLI_COMMAND_H
#define HOLON_CLI_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

/* Exit codes: a contract. */
enum { EXIT_DONE = 0, EXIT_EARLY = 1, EXIT_BAD_INPUT = 2, EXIT_BAD = 3 }; /* EXIT_BAD: complete, but wrong */

typedef struct CliWords {
    const char **items;
    int count;
} CliWords;

typedef enum CliOptionType {
    OPTION_FLAG,     /* bool */
    OPTION_TEXT,     /* const char *, NULL if not given; the last one counts */
    OPTION_OPTIONAL, /* the same, but the value may be left out and is then ""; if given, only as --name=value */
    OPTION_LIST      /* CliWords, one for each time it is given */
} CliOptionType;

typedef struct CliOption {
    const char *name;  /* "--step" */
    const char *value; /* placeholder of its value in the help: "H"; NULL for a flag, "[=H]" if optional */
    CliOptionType type;
    size_t offset; /* of the field in the command's settings */
    const char *help;
} CliOption;

/* An option whose value goes to a text field of a command's `Settings`. */
#define CLI_TEXT(name, value, field, help)                                                                             \
    {                                                                                                                  \
        name, value, OPTION_TEXT, offsetof(Settings, field), help                                                      \
    }

typedef struct CliCommand {
    const char *name;
    const char *arguments; /* "MODEL", or "" */
    const char *title;     /* one line */
    const char *notes;     /* help below the options, or NULL */
    int min_words, max_words;
    const char *without; /* error message when there are too few words */
    const CliOption *options;
    int option_count;
    size_t settings_size;             /* the settings begin with the CliWords of the arguments */
    int (*run)(const void *settings); /* returns an exit code */
} CliCommand;

extern const CliCommand *const cli_commands[]; /* NULL-terminated, in the order of the help */

const CliCommand *cli_command_find(const char *name); /* NULL after an error message */
void cli_command_help(const CliCommand *command);

/* Parses the words after the name of the command into settings (settings_size zeros). Returns -1 to continue, or an
 * exit code after --help or an error message. cli_settings_free() frees the lists of words. */
int cli_parse(const CliCommand *command, int count, char **words, void *settings);
void cli_settings_free(const CliCommand *command, void *settings);

/* Prints "holon: message" on stderr; returns EXIT_BAD_INPUT. */
__attribute__((format(printf, 1, 2))) int cli_fail(const char *format, ...);

/* " (did you mean 'x'?)" into text of some 100 bytes, or "" if no name is near; names is NULL-terminated. */
enum { CLI_HINT_SIZE = 100 };
void cli_hint(const char *given, const char *const *names, char text[CLI_HINT_SIZE]);

#endif
