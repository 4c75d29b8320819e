/* SPDX-License-Identifier: BSD-3-Clause */
/* --resume: reads a checkpoint, and puts back what the run had collected. */
#include "run/checkpoint_parts.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_WORDS = 100000 };
static const long MOST_ROWS = 1L << 50;
static const long long LARGEST = 1LL << 32; /* bytes of a checkpoint */

/* All bytes of a file; NULL after a message. */
static unsigned char *resumed_read(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        cli_fail("cannot read the checkpoint '%s': %s", path, strerror(errno));
        return NULL;
    }
    CliBytes bytes = {0};
    size_t read = 1;
    while (read > 0 && !bytes.failed && bytes.size <= (size_t)LARGEST) {
        enum { PIECE = 1 << 16 };
        unsigned char *place = cli_bytes_add(&bytes, PIECE);
        read = place ? fread(place, 1, PIECE, file) : 0;
        bytes.size -= place ? PIECE - read : 0;
    }
    bool is_good = !bytes.failed && !ferror(file);
    fclose(file);
    *size = bytes.size;
    if (is_good)
        return bytes.items;
    cli_fail("cannot read the checkpoint '%s'%s", path, bytes.failed ? ": not enough memory" : "");
    cli_bytes_free(&bytes);
    return NULL;
}

/* Nobody else continues the run meanwhile. Returns false after a message. */
static bool resumed_hold(CliResumed *r, const char *path)
{
    struct stat there;
    HolMessage message;
    const bool is_there = stat(path, &there) == 0;
    if (!is_there)
        cli_fail("cannot read the checkpoint '%s': %s", path, strerror(errno));
    else if (!S_ISREG(there.st_mode))
        cli_fail("cannot read the checkpoint '%s': it is no regular file", path);
    else if (there.st_size > LARGEST)
        cli_fail("cannot read the checkpoint '%s': it has more than %lld MB", path, LARGEST >> 20);
    else if (hol_file_hold(path, &r->held, &message) != HOL_OK)
        cli_fail("%s", message.text);
    return r->held != NULL;
}

/* The header: a checkpoint of this format, complete and undamaged. */
static int resumed_check_header(CliResumed *r, const char *path, size_t size)
{
    int64_t header[3];
    uint64_t hash, zero = 0;
    if (size < CLI_CHECKPOINT_HEADER || memcmp(r->file, CLI_CHECKPOINT_MAGIC, sizeof CLI_CHECKPOINT_MAGIC) != 0)
        return cli_fail("'%s' is no checkpoint: 'holon run MODEL --checkpoint FILE' writes one", path);
    memcpy(header, r->file + sizeof CLI_CHECKPOINT_MAGIC, sizeof header);
    if (header[0] != CLI_CHECKPOINT_VERSION)
        return cli_fail("the checkpoint '%s' was written by another version of holon, in another format: resume it "
                        "with that version, or begin the run again",
                        path);
    unsigned char *place = r->file + CLI_CHECKPOINT_HEADER - sizeof hash;
    memcpy(&hash, place, sizeof hash);
    memcpy(place, &zero, sizeof zero);
    if (header[1] != (int64_t)size || header[2] < 0 || header[2] > 1 || hash != cli_bytes_hash(r->file, size))
        return cli_fail("the checkpoint '%s' is damaged: begin the run again", path);
    r->is_complete = header[2] == 1;
    return EXIT_DONE;
}

static void resumed_take_words(CliResumed *r)
{
    CliBytesReader *rest = &r->rest;
    r->folder = cli_bytes_take_text(rest);
    int count = (int)cli_bytes_take_whole(rest, 1, MOST_WORDS);
    r->words.items = calloc((size_t)count + 1, sizeof *r->words.items);
    for (int i = 0; r->words.items && i < count && !rest->failed; ++i) {
        r->words.items[i] = cli_bytes_take_text(rest);
        r->words.count += r->words.items[i] != NULL;
    }
    rest->failed = rest->failed || !r->words.items;
}

static void resumed_take_numbers(CliResumed *r)
{
    double numbers[4];
    cli_bytes_take_doubles(&r->rest, numbers, 4);
    r->t = numbers[0], r->until = numbers[1], r->every = numbers[2], r->interval = numbers[3];
    r->rest.failed = r->rest.failed || !isfinite(r->t) || !isfinite(r->until) || !(r->every >= 0) || !(r->interval > 0);
    r->model = (unsigned long long)cli_bytes_take_whole(&r->rest, INT64_MIN, INT64_MAX) << 1;
    r->model |= (unsigned long long)cli_bytes_take_whole(&r->rest, 0, 1);
    r->rows = (long)cli_bytes_take_whole(&r->rest, -1, MOST_ROWS);
    r->column_count = (int)cli_bytes_take_whole(&r->rest, 0, (int64_t)(r->rest.left / sizeof(double)));
    r->last_row = calloc((size_t)r->column_count + 1, sizeof *r->last_row);
    r->rest.failed = r->rest.failed || !r->last_row || (r->rows > 0) != (r->column_count > 0);
    if (!r->rest.failed)
        cli_bytes_take_doubles(&r->rest, r->last_row, (size_t)r->column_count);
}

int cli_resumed_open(const char *path, CliResumed *r)
{
    size_t size = 0;
    *r = (CliResumed){0};
    if (!resumed_hold(r, path) || !(r->file = resumed_read(path, &size)))
        return EXIT_BAD_INPUT;
    int code = resumed_check_header(r, path, size);
    if (code != EXIT_DONE)
        return code;
    r->rest = (CliBytesReader){.next = r->file + CLI_CHECKPOINT_HEADER, .left = size - CLI_CHECKPOINT_HEADER};
    resumed_take_words(r);
    resumed_take_numbers(r);
    r->path = realpath(path, NULL);
    return r->rest.failed || !r->path ? cli_fail("the checkpoint '%s' is damaged: begin the run again", path)
                                      : EXIT_DONE;
}

void cli_resumed_free(CliResumed *r)
{
    for (int i = 0; i < r->words.count; ++i)
        free((char *)(size_t)r->words.items[i]);
    hol_file_release(r->held);
    free(r->last_row);
    free(r->words.items);
    free(r->folder);
    free(r->path);
    free(r->file);
    *r = (CliResumed){0};
}

static void take_recorder(CliBytesReader *rest, HolRecorder *recorder)
{
    const size_t size = (size_t)cli_bytes_take_whole(rest, 0, INT64_MAX);
    const void *place = cli_bytes_take(rest, size);
    rest->failed = rest->failed || hol_recorder_restore(recorder, place, size) != HOL_OK;
}

static bool is_power_of_two(long x)
{
    return x > 0 && (x & (x - 1)) == 0;
}

static void take_report(CliBytesReader *rest, CliReport *report)
{
    CliThin *thin = &report->thin;
    const size_t columns = (size_t)thin->column_count;
    take_recorder(rest, report->recorder);
    thin->row_count = (long)cli_bytes_take_whole(rest, 0, 2 * thin->most);
    thin->seen = (long)cli_bytes_take_whole(rest, 0, MOST_ROWS);
    thin->stride = (long)cli_bytes_take_whole(rest, 1, MOST_ROWS);
    thin->has_end = cli_bytes_take_whole(rest, 0, 1) == 1;
    rest->failed = rest->failed || !is_power_of_two(thin->stride);
    cli_bytes_take_doubles(rest, &report->last, 1);
    if (!rest->failed)
        cli_bytes_take_doubles(rest, thin->rows, (size_t)thin->row_count * columns);
    if (thin->has_end && !rest->failed)
        cli_bytes_take_doubles(rest, cli_thin_row(thin, 2 * thin->most), columns);
}

/* Puts the intervals of the checkpoint into those of a run that may end later. */
static void take_history(CliBytesReader *rest, double until, HolHistory *history)
{
    HolHistory before = hol_history_begin(history->start, until);
    cli_bytes_take_doubles(rest, before.violation, HOL_HISTORY_INTERVALS);
    cli_bytes_take_doubles(rest, before.drift, HOL_HISTORY_INTERVALS);
    const double width = (until - history->start) / HOL_HISTORY_INTERVALS;
    for (int i = 0; i < HOL_HISTORY_INTERVALS; ++i) {
        HolMeasures measures = {.position = before.violation[i], .drift = before.drift[i]};
        double t = history->start + (i + 0.5) * width;
        if (!isnan(before.drift[i]) || !isnan(before.violation[i]))
            hol_history_add(history, t, &measures);
    }
}

static int take_simulation(CliResumed *r, HolSimulation *simulation)
{
    const size_t size = (size_t)cli_bytes_take_whole(&r->rest, 0, INT64_MAX);
    const void *place = cli_bytes_take(&r->rest, size);
    if (r->rest.failed || r->rest.left > 0)
        return cli_fail("the checkpoint '%s' is damaged: begin the run again", r->path);
    if (hol_simulation_restore(simulation, place, size) == HOL_OK)
        return EXIT_DONE;
    return cli_fail("the checkpoint '%s' cannot be used: %s", r->path, hol_simulation_message(simulation));
}

int cli_resumed_restore(CliResumed *r, const char *model_name, const CliRunParts *parts)
{
    CliRecording *recording = parts->recording;
    if (parts->model != r->model)
        return cli_fail(
            "the model '%s', or one that it extends, has changed since the checkpoint '%s': put it back as it "
            "was, or begin the run again",
            model_name, r->path);
    if (cli_bytes_take_whole(&r->rest, 0, 1) != recording->has_report)
        r->rest.failed = true;
    if (!r->rest.failed)
        take_recorder(&r->rest, recording->recorder);
    if (recording->has_report && !r->rest.failed)
        take_report(&r->rest, &recording->report);
    take_history(&r->rest, r->until, parts->history);
    return take_simulation(r, parts->simulation);
}
