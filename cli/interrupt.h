/* SPDX-License-Identifier: BSD-3-Clause */
/* Lets a long command end in good order when it is asked to (Ctrl-C, kill, a closed terminal). */
#ifndef HOLON_CLI_INTERRUPT_H
#define HOLON_CLI_INTERRUPT_H

#include <stdbool.h>

/* From now on the first signal is noted; a second one ends the process at once, whatever it is doing. */
void cli_interrupt_watch(void);
bool cli_interrupted(void);

#endif
