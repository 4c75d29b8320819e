/* SPDX-License-Identifier: BSD-3-Clause */
#include "terminal/interrupt.h"

#include <fenv.h>
#include <signal.h>
#include <stddef.h>
#include <sys/time.h>
#include <time.h>

static volatile sig_atomic_t noted, heard; /* the first signal; whether the command knows of it */
static volatile sig_atomic_t is_watching, may_escape;
static struct timespec first; /* read by later signals only */
static sigjmp_buf escape;
static const double PAIR = 0.2;         /* s */
enum { DEADLINE_MICROSECONDS = 80000 }; /* to hear of a signal */

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
enum { SIGNAL_COUNT = sizeof signals / sizeof *signals };

/* Calls only what is safe in a handler. */
static void interrupt_end(int number)
{
    signal(number, SIG_DFL);
    raise(number);
}

static void interrupt_set_deadline(void)
{
    struct itimerval once = {.it_value.tv_usec = DEADLINE_MICROSECONDS};
    setitimer(ITIMER_REAL, &once, NULL);
}

/* Signals often come in pairs, to a process and to its group: only a later one counts as the second. */
static void interrupt_handle(int number)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    double since = (double)(now.tv_sec - first.tv_sec) + 1e-9 * (double)(now.tv_nsec - first.tv_nsec);
    if (!is_watching || (noted && since > PAIR)) {
        interrupt_end(number);
    } else if (!noted) {
        first = now;
        noted = number;
        interrupt_set_deadline();
    }
}

/* The command has not heard of the signal in time: its present step takes long. A step of a simulation is left by a
 * jump: it neither allocates nor locks. Elsewhere the process ends, unless a file is being written. */
static void interrupt_late(int number)
{
    (void)number;
    if (!noted || heard)
        return;
    if (may_escape == CLI_STEPPING) {
        may_escape = CLI_WRITING;
        heard = 1;
        siglongjmp(escape, 1);
    }
    if (may_escape == CLI_WRITING)
        interrupt_set_deadline();
    else
        interrupt_end(noted);
}

static void interrupt_install(void)
{
    struct sigaction now = {.sa_handler = interrupt_handle}, before;
    struct sigaction late = {.sa_handler = interrupt_late, .sa_flags = SA_RESTART};
    for (int i = 0; i < SIGNAL_COUNT; ++i) {
        sigaddset(&now.sa_mask, signals[i]);
        sigaddset(&late.sa_mask, signals[i]);
    }
    sigaddset(&now.sa_mask, SIGALRM);
    sigaction(SIGALRM, &late, NULL);
    for (int i = 0; i < SIGNAL_COUNT; ++i) {
        sigaction(signals[i], NULL, &before);
        if (before.sa_handler != SIG_IGN) /* nohup, or a job in the background */
            sigaction(signals[i], &now, NULL);
    }
}

void cli_interrupt_watch(void)
{
    is_watching = 1;
    interrupt_install();
}

bool cli_interrupted(void)
{
    heard = heard || noted;
    return noted != 0;
}

CliActivity cli_interrupt_activity(CliActivity activity)
{
    CliActivity before = (CliActivity)may_escape;
    may_escape = (sig_atomic_t)activity;
    return before;
}

/* The jump would leave denormal numbers flushed to zero, as they are during steps. */
bool cli_interrupt_guard(void (*steps)(void *user), void *user)
{
    fenv_t mode;
    fegetenv(&mode);
    if (sigsetjmp(escape, 1)) {
        fesetenv(&mode);
        return false;
    }
    may_escape = CLI_STEPPING;
    steps(user);
    may_escape = CLI_WRITING;
    return true;
}
