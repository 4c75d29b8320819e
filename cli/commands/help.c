/* SPDX-License-Identifier: BSD-3-Clause */
/* holon help [COMMAND]: describes all commands or one, from their tables; holon help glossary defines the terms. */
#include <holon/holon.h>

#include "command.h"
#include "terminal/table.h"

#include <stdio.h>
#include <string.h>

enum { MAX_COMMANDS = 32 };

typedef struct Settings {
    CliWords words;
} Settings;

const CliCommand *cli_command_find(const char *name)
{
    const char *names[MAX_COMMANDS + 1] = {NULL};
    char hint[CLI_HINT_SIZE];
    for (int i = 0; cli_commands[i] && i < MAX_COMMANDS; ++i) {
        names[i] = cli_commands[i]->name;
        if (strcmp(names[i], name) == 0)
            return cli_commands[i];
    }
    cli_hint(name, names, hint);
    cli_fail("command '%s' is unknown%s", name, hint[0] ? hint : "; 'holon help' lists them");
    return NULL;
}

static void help_print_options(const CliCommand *command)
{
    CliTable table = {.columns = 2};
    char left[80];
    for (int i = 0; i < command->option_count; ++i) {
        const CliOption *option = &command->options[i];
        snprintf(left, sizeof left, "%s%s%s", option->name, option->value && option->type != OPTION_OPTIONAL ? " " : "",
                 option->value ? option->value : "");
        cli_table_add(&table, left, option->help);
    }
    cli_table_add(&table, "--help", "print this");
    cli_table_print(&table, 2);
}

void cli_command_help(const CliCommand *command)
{
    printf("holon %s %s%s[options]\n\n", command->name, command->arguments, *command->arguments ? " " : "");
    cli_print_text(command->title);
    puts("\nOptions:");
    help_print_options(command);
    if (command->notes) {
        putchar('\n');
        cli_print_text(command->notes);
    }
}

static void print_commands(void)
{
    CliTable table = {.columns = 2};
    char left[80];
    for (int i = 0; cli_commands[i]; ++i) {
        snprintf(left, sizeof left, "%s %s", cli_commands[i]->name, cli_commands[i]->arguments);
        cli_table_add(&table, left, cli_commands[i]->title);
    }
    cli_table_print(&table, 2);
}

/* The text of docs/glossary.md, HOLON_GLOSSARY_FILE. */
__asm__(".section .rodata\n"
        ".global cli_glossary\n"
        "cli_glossary:\n"
        ".incbin \"" HOLON_GLOSSARY_FILE "\"\n"
        ".byte 0\n"
        ".previous\n");
extern const char cli_glossary[];

/* Prints the page without its Markdown: no '#' before headings, no '*' and '`' around words. */
static void print_glossary(void)
{
    for (const char *c = cli_glossary; *c; ++c) {
        if (*c == '#' && (c == cli_glossary || c[-1] == '\n'))
            c += strspn(c, "# ");
        if (*c != '*' && *c != '`')
            putchar(*c);
    }
}

static int help_run(const void *settings)
{
    const CliWords *words = &((const Settings *)settings)->words;
    if (words->count > 0 && strcmp(words->items[0], "glossary") == 0) {
        print_glossary();
        return EXIT_DONE;
    }
    if (words->count > 0) {
        const CliCommand *command = cli_command_find(words->items[0]);
        if (!command)
            return EXIT_BAD_INPUT;
        cli_command_help(command);
        return EXIT_DONE;
    }
    puts("holon " HOL_VERSION ": constrained multibody dynamics\n\nCommands:");
    print_commands();
    putchar('\n');
    cli_print_text(
        "'holon help COMMAND' and 'holon COMMAND --help' describe one command, 'holon help glossary' defines the\n"
        "terms of the output, 'holon --version' prints the version.\n"
        "MODEL is a file or the name of a built-in model ('holon list models').\n"
        "Exit codes: 0 success, 1 the simulation ended early, 2 bad input or usage, 3 the verdict on a run is bad.\n");
    return EXIT_DONE;
}

const CliCommand cli_help = {
    .name = "help",
    .arguments = "[COMMAND | glossary]",
    .title = "Describe all commands, one command, or the terms of the output.",
    .max_words = 1,
    .settings_size = sizeof(Settings),
    .run = help_run,
};
