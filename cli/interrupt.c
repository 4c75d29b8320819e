/* SPDX-License-Identifier: BSD-3-Clause */
#include "interrupt.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t noted;

static void note(int number)
{
    noted = number;
}

void cli_interrupt_watch(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction now, before;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; ++i) {
        sigaction(signals[i], NULL, &before);
        if (before.sa_handler == SIG_IGN)
            continue; /* nohup, or a job in the background */
        now = (struct sigaction){.sa_handler = note, .sa_flags = (int)SA_RESETHAND};
        sigaction(signals[i], &now, NULL);
    }
}

bool cli_interrupted(void)
{
    return noted != 0;
}
