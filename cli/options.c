/* SPDX-License-Identifier: BSD-3-Clause */
/* Parses words by the option table of a command: "--name value", "--name=value"; after "--" all words are arguments. */
#include <holon/status.h>

#include "command.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_OPTIONS = 32, HELP_ASKED = 1000 };

typedef struct Parser {
    const CliCommand *command;
    int count, next;
    char **words;
    char *settings;
    const CliOption *bare; /* an option whose value was left out, NULL: none */
} Parser;

int cli_fail(const char *format, ...)
{
    enum { LONGEST = 8000 }; /* two paths and a sentence */
    char text[LONGEST];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(stderr, "holon: %s\n", hol_make_printable(text));
    return EXIT_BAD_INPUT;
}

void cli_hint(const char *given, const char *const *names, char text[CLI_HINT_SIZE])
{
    const char *nearest = hol_nearest_name(given, names);
    text[0] = '\0';
    if (nearest)
        snprintf(text, CLI_HINT_SIZE, " (did you mean '%s'?)", nearest);
}

/* The part before '=' is the name. */
static size_t options_name_length(const char *word)
{
    return strcspn(word, "=");
}

static const CliOption *find_option(const CliCommand *command, const char *word)
{
    size_t length = options_name_length(word);
    for (int i = 0; i < command->option_count; ++i) {
        const char *name = command->options[i].name;
        if (strlen(name) == length && strncmp(name, word, length) == 0)
            return &command->options[i];
    }
    return NULL;
}

static int options_unknown_option(const CliCommand *command, const char *word)
{
    char hint[CLI_HINT_SIZE], given[64];
    const char *names[MAX_OPTIONS + 2] = {"--help"};
    for (int i = 0; i < command->option_count && i < MAX_OPTIONS; ++i)
        names[i + 1] = command->options[i].name;
    snprintf(given, sizeof given, "%.*s", (int)options_name_length(word), word);
    cli_hint(given, names, hint);
    if (hint[0])
        return cli_fail("%s: option '%s' is unknown%s", command->name, given, hint);
    return cli_fail("%s: option '%s' is unknown; 'holon %s --help' lists them", command->name, given, command->name);
}

static int options_append(CliWords *words, const char *word, int most)
{
    if (!words->items)
        words->items = calloc((size_t)most, sizeof *words->items);
    if (!words->items)
        return cli_fail("not enough memory");
    words->items[words->count++] = word;
    return -1;
}

static int options_store(Parser *p, const CliOption *option, const char *value)
{
    char *field = p->settings + option->offset;
    if (option->type == OPTION_LIST)
        return options_append((CliWords *)(void *)field, value, p->count);
    if (option->type == OPTION_FLAG)
        *(bool *)(void *)field = true;
    else
        *(const char **)(void *)field = value;
    return -1;
}

static int parse_option(Parser *p, const char *word)
{
    const char *name = p->command->name;
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
        return HELP_ASKED;
    const CliOption *option = find_option(p->command, word);
    if (!option)
        return options_unknown_option(p->command, word);
    const char *value = word[options_name_length(word)] == '=' ? word + options_name_length(word) + 1 : NULL;
    if (option->type == OPTION_FLAG && value)
        return cli_fail("%s: option '%s' takes no value, but got '%s'", name, option->name, value);
    if (option->type == OPTION_OPTIONAL && !value) {
        p->bare = option;
        value = "";
    }
    if (option->type != OPTION_FLAG && !value) {
        if (p->next == p->count || strncmp(p->words[p->next], "--", 2) == 0)
            return cli_fail("%s: option '%s' needs a value: %s %s", name, option->name, option->name, option->value);
        value = p->words[p->next++];
    }
    return options_store(p, option, value);
}

static int parse_words(Parser *p)
{
    CliWords *arguments = (CliWords *)(void *)p->settings;
    bool only_words = false;
    while (p->next < p->count) {
        const char *word = p->words[p->next++];
        int code = -1;
        if (!only_words && strcmp(word, "--") == 0)
            only_words = true;
        else if (!only_words && word[0] == '-' && word[1] != '\0')
            code = parse_option(p, word);
        else
            code = options_append(arguments, word, p->count);
        if (code >= 0)
            return code;
    }
    return -1;
}

int cli_parse(const CliCommand *command, int count, char **words, void *settings)
{
    Parser p = {.command = command, .count = count, .words = words, .settings = settings};
    const CliWords *arguments = settings;
    int code = parse_words(&p);
    if (code == HELP_ASKED) {
        cli_command_help(command);
        return EXIT_DONE;
    }
    if (code >= 0)
        return code;
    if (arguments->count < command->min_words)
        return cli_fail("%s", command->without);
    if (arguments->count > command->max_words && p.bare)
        return cli_fail("%s: unexpected argument '%s'; if it is the value of %s, write %s=%s", command->name,
                        arguments->items[command->max_words], p.bare->name, p.bare->name,
                        arguments->items[command->max_words]);
    if (arguments->count > command->max_words)
        return cli_fail("%s: unexpected argument '%s'; usage: holon %s %s", command->name,
                        arguments->items[command->max_words], command->name, command->arguments);
    return -1;
}

void cli_settings_free(const CliCommand *command, void *settings)
{
    char *fields = settings;
    free(((CliWords *)settings)->items);
    for (int i = 0; i < command->option_count; ++i)
        if (command->options[i].type == OPTION_LIST)
            free(((CliWords *)(void *)(fields + command->options[i].offset))->items);
}
