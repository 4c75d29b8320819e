/* SPDX-License-Identifier: BSD-3-Clause */
/* All commands, one line each, in the order of the help. */
#include "command.h"

#define COMMANDS(COMMAND)                                                                                              \
    COMMAND(cli_run)                                                                                                   \
    COMMAND(cli_compare)                                                                                               \
    COMMAND(cli_view)                                                                                                  \
    COMMAND(cli_static)                                                                                                \
    COMMAND(cli_modes)                                                                                                 \
    COMMAND(cli_check)                                                                                                 \
    COMMAND(cli_list)                                                                                                  \
    COMMAND(cli_help)

#define DECLARE(command) extern const CliCommand command;
#define LIST(command) &command,

COMMANDS(DECLARE)
const CliCommand *const cli_commands[] = {COMMANDS(LIST) NULL};
