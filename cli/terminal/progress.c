/* SPDX-License-Identifier: BSD-3-Clause */
#include "terminal/progress.h"

#include <stdio.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { WIDEST_BAR = 40, ROOM_FOR_TEXT = 50, USUAL_WIDTH = 80 };
static const double FIRST_AFTER = 0.5, PAUSE = 0.1;

static double progress_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int bar_width(void)
{
    struct winsize size;
    int columns = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : USUAL_WIDTH;
    int width = columns - ROOM_FOR_TEXT;
    return width < 0 ? 0 : width > WIDEST_BAR ? WIDEST_BAR : width;
}

/* "4 s", "3 min 20 s", "2 h 5 min" */
static void duration_text(double seconds, char *text, size_t size)
{
    long s = (long)(seconds + 0.5);
    if (s < 100)
        snprintf(text, size, "%ld s", s);
    else if (s < 100 * 60)
        snprintf(text, size, "%ld min %ld s", s / 60, s % 60);
    else
        snprintf(text, size, "%ld h %ld min", s / 3600, s / 60 % 60);
}

static void progress_draw(const CliProgress *p, double t, double elapsed)
{
    char left[40];
    double done = p->until > p->start ? (t - p->start) / (p->until - p->start) : 1;
    duration_text(done > 0 ? elapsed * (1 - done) / done : 0, left, sizeof left);
    int width = bar_width(), filled = (int)(done * width);
    fputs("\r[", stderr);
    for (int i = 0; i < width; ++i)
        putc(i < filled ? '#' : '.', stderr);
    fprintf(stderr, "] %3.0f %%  %s = %.4g of %.4g%s  %s left\033[K", 100 * done, p->name, t, p->until, p->unit, left);
    fflush(stderr);
}

CliProgress cli_progress_begin(double start, double until, bool wanted)
{
    double time = progress_now();
    return (CliProgress){.shown = wanted && isatty(STDERR_FILENO),
                         .start = start,
                         .until = until,
                         .name = "t",
                         .unit = " s",
                         .began = time,
                         .last_drawn_at = time + FIRST_AFTER - PAUSE};
}

void cli_progress_update(CliProgress *progress, double t)
{
    if (!progress->shown)
        return;
    double time = progress_now();
    if (time - progress->last_drawn_at < PAUSE)
        return;
    progress_draw(progress, t, time - progress->began);
    progress->last_drawn_at = time;
    progress->on_screen = true;
}

void cli_progress_end(CliProgress *progress)
{
    if (progress->on_screen)
        fputs("\r\033[K", stderr);
    progress->on_screen = false;
}
