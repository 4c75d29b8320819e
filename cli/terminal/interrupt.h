/* SPDX-License-Identifier: BSD-3-Clause */
/* Lets a long command end in good order on a signal (Ctrl-C, kill, a closed terminal). */
#ifndef HOLON_CLI_TERMINAL_INTERRUPT_H
#define HOLON_CLI_TERMINAL_INTERRUPT_H

#include <stdbool.h>

/* From now on the first signal sets a flag; a second one ends the process at once. */
void cli_interrupt_watch(void);
bool cli_interrupted(void);

#endif
