/* SPDX-License-Identifier: BSD-3-Clause */
/* Signals (Ctrl-C, kill, a closed terminal) act at once in every command.
 *
 * A command that has nothing to keep ends by the signal. One that has results calls cli_interrupt_watch(): from then on
 * the first signal sets a flag, which the command reads wherever it can end in good order. If it has not read it within
 * 0.1 s, as in a long step, the step is left (cli_interrupt_guard()) or the process ends. A second signal always ends
 * it. */
#ifndef HOLON_CLI_TERMINAL_INTERRUPT_H
#define HOLON_CLI_TERMINAL_INTERRUPT_H

#include <setjmp.h>
#include <stdbool.h>

/* What a watched command is doing: searching, and writing to a pipe, may end by the signal; writing a file must not; a
 * step can be left. */
typedef enum CliActivity { CLI_SEARCHING, CLI_WRITING, CLI_STEPPING } CliActivity;

void cli_interrupt_watch(void);
bool cli_interrupted(void);
/* Returns the activity before, so that a function called from a step can write and then let the step continue. */
CliActivity cli_interrupt_activity(CliActivity activity);

/* Calls a function that takes steps of a simulation, which neither allocate nor lock. False: it was left in a step
 * because of a signal. Nothing but the state before that step may then be used. */
bool cli_interrupt_guard(void (*steps)(void *user), void *user);

#endif
