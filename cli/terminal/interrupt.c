/* SPDX-License-Identifier: BSD-3-Clause */
#include "terminal/interrupt.h"

#include <signal.h>
#include <stddef.h>
#include <time.h>

static volatile sig_atomic_t noted;
static struct timespec first;   /* read by later signals only */
static const double PAIR = 0.2; /* s */

/* Signals often come in pairs, to a process and to its group: only a later one counts as the second. */
static void interrupt_handle(int number)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    double since = (double)(now.tv_sec - first.tv_sec) + 1e-9 * (double)(now.tv_nsec - first.tv_nsec);
    if (noted && since > PAIR) {
        signal(number, SIG_DFL);
        raise(number);
    } else if (!noted) {
        first = now;
        noted = number;
    }
}

void cli_interrupt_watch(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction now = {.sa_handler = interrupt_handle}, before;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; ++i)
        sigaddset(&now.sa_mask, signals[i]);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; ++i) {
        sigaction(signals[i], NULL, &before);
        if (before.sa_handler != SIG_IGN) /* nohup, or a job in the background */
            sigaction(signals[i], &now, NULL);
    }
}

bool cli_interrupted(void)
{
    return noted != 0;
}
