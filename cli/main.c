/* SPDX-License-Identifier: BSD-3-Clause */
/* holon: finds the requested command, parses its words and runs it. */
#include <holon/holon.h>

#include "command.h"
#include "terminal/table.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int run_command(const CliCommand *command, int count, char **words)
{
    void *settings = calloc(1, command->settings_size);
    if (!settings)
        return cli_fail("not enough memory");
    int code = cli_parse(command, count, words, settings);
    if (code < 0)
        code = command->run(settings);
    cli_settings_free(command, settings);
    free(settings);
    return code;
}

static int print_version(void)
{
    puts("holon " HOL_VERSION);
    return EXIT_DONE;
}

static int dispatch(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : NULL;
    if (!name)
        return cli_fail("a command is needed, e.g. 'holon run four-bar'; 'holon help' lists them");
    if (strcmp(name, "--version") == 0)
        return print_version();
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        name = "help";
    const CliCommand *command = cli_command_find(name);
    return command ? run_command(command, argc - 2, argv + 2) : EXIT_BAD_INPUT;
}

static volatile sig_atomic_t pipe_is_closed;

static void note_closed_pipe(int signal_number)
{
    (void)signal_number;
    pipe_is_closed = 1;
}

/* Reports output that could not be written, but not a closed pipe (holon list | head -1): that ends silently, with the
 * code that shells show for programs that end by the signal. */
static int close_output(int code)
{
    if (cli_table_has_lost_cells()) {
        fprintf(stderr, "holon: not enough memory: parts of a table are missing\n");
        code = code == EXIT_DONE ? EXIT_EARLY : code;
    }
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    if (pipe_is_closed)
        return code == EXIT_DONE ? 128 + SIGPIPE : code;
    fprintf(stderr, "holon: cannot write the output: %s\n", errno ? strerror(errno) : "write error");
    return code == EXIT_DONE ? EXIT_EARLY : code;
}

int main(int argc, char **argv)
{
    /* A closed pipe and a file that may not grow are failures to write, so that results are still kept. */
    signal(SIGPIPE, note_closed_pipe);
    signal(SIGXFSZ, SIG_IGN);
    return close_output(dispatch(argc, argv));
}
