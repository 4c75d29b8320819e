/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/checkpoint.h"

#include <holon/holon.h>

#include "run/checkpoint_parts.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const double USUAL_INTERVAL = 10, SHORTEST = 0.001, LONGEST = 1e9; /* s */

static double checkpoint_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

bool cli_checkpoint_interval(const char *text, double *interval)
{
    HolMessage message;
    *interval = USUAL_INTERVAL;
    if (!text)
        return true;
    if (hol_quantity_parse(text, "s", interval, &message) != HOL_OK) {
        cli_fail("--checkpoint-every: %s", message.text);
        return false;
    }
    if (*interval >= SHORTEST && *interval <= LONGEST)
        return true;
    cli_fail("--checkpoint-every: '%s' must be at least 1 ms", text);
    return false;
}

int cli_checkpoint_hold(CliCheckpoint *checkpoint, const char *path)
{
    HolMessage message;
    return hol_file_hold(path, &checkpoint->held, &message) == HOL_OK ? EXIT_DONE : cli_fail("%s", message.text);
}

int cli_checkpoint_check(const char *path)
{
    struct stat there;
    char magic[sizeof CLI_CHECKPOINT_MAGIC] = "";
    if (stat(path, &there) == 0 && !S_ISREG(there.st_mode))
        return cli_fail("--checkpoint '%s' is no regular file: choose another name", path);
    FILE *file = fopen(path, "rb");
    if (!file && errno == ENOENT)
        return EXIT_DONE;
    size_t read = file ? fread(magic, 1, sizeof magic - 1, file) : 0;
    bool is_read = file && !ferror(file);
    int error = errno;
    if (file)
        fclose(file);
    if (!is_read)
        return cli_fail("--checkpoint '%s' is there already and cannot be read: %s", path, strerror(error));
    if (read == 0 || strcmp(magic, CLI_CHECKPOINT_MAGIC) == 0)
        return EXIT_DONE;
    return cli_fail("--checkpoint '%s' is there already and is no checkpoint: choose another name", path);
}

/* The words of one option, as they were given. */
static int checkpoint_add_option(CliBytes *words, const CliOption *option, const char *field)
{
    char word[200];
    const char *text = option->type == OPTION_FLAG ? NULL : *(const char *const *)(const void *)field;
    if (option->type == OPTION_LIST) {
        const CliWords *list = (const CliWords *)(const void *)field;
        for (int i = 0; i < list->count; ++i) {
            cli_bytes_text(words, option->name);
            cli_bytes_text(words, list->items[i]);
        }
        return 2 * list->count;
    }
    if (option->type == OPTION_FLAG ? !*(const bool *)(const void *)field : !text)
        return 0;
    if (option->type == OPTION_OPTIONAL && *text) {
        snprintf(word, sizeof word, "%s=%s", option->name, text);
        cli_bytes_text(words, word);
        return 1;
    }
    cli_bytes_text(words, option->name);
    if (option->type == OPTION_TEXT)
        cli_bytes_text(words, text);
    return option->type == OPTION_TEXT ? 2 : 1;
}

static bool is_of_checkpoints(const char *option)
{
    return strcmp(option, "--resume") == 0 || strncmp(option, "--checkpoint", strlen("--checkpoint")) == 0;
}

/* The folder, the number of words, and the words. False: the folder has no name. */
static bool checkpoint_list_words(CliBytes *bytes, const CliCommand *command, const char *settings)
{
    const CliWords *arguments = (const CliWords *)(const void *)settings;
    char folder[PATH_MAX];
    int64_t count = arguments->count + 1;
    if (!getcwd(folder, sizeof folder))
        return false;
    cli_bytes_text(bytes, folder);
    const size_t at = bytes->size;
    cli_bytes_whole(bytes, 0);
    for (int i = 0; i < command->option_count; ++i)
        if (!is_of_checkpoints(command->options[i].name))
            count += checkpoint_add_option(bytes, &command->options[i], settings + command->options[i].offset);
    cli_bytes_text(bytes, "--");
    for (int i = 0; i < arguments->count; ++i)
        cli_bytes_text(bytes, arguments->items[i]);
    if (!bytes->failed)
        memcpy(bytes->items + at, &count, sizeof count);
    return true;
}

int cli_checkpoint_begin(CliCheckpoint *checkpoint, const char *path, const CliCommand *command, const void *settings,
                         bool is_resumed)
{
    checkpoint->path = path;
    checkpoint->has_older = path && !is_resumed;
    checkpoint->t = checkpoint->filled = NAN;
    if (!path)
        return EXIT_DONE;
    if (!checkpoint_list_words(&checkpoint->words, command, settings))
        return cli_fail("--checkpoint: the present folder, in which the run would be resumed, has no name: %s",
                        strerror(errno));
    if (checkpoint->words.failed)
        return cli_fail("not enough memory");
    if (is_resumed)
        checkpoint->due = -HUGE_VAL;
    return EXIT_DONE;
}

HolStatus cli_checkpoint_remove_older(CliCheckpoint *checkpoint)
{
    HolMessage message;
    HolStatus status = checkpoint->has_older ? hol_file_remove(checkpoint->held, &message) : HOL_OK;
    if (status != HOL_OK)
        cli_fail("%s", message.text);
    else
        checkpoint->has_older = false;
    return status;
}

static void checkpoint_warn(CliCheckpoint *checkpoint, const char *why)
{
    if (!checkpoint->has_failed)
        fprintf(stderr, "warning: %s; the run continues, but without a new checkpoint\n", why);
    checkpoint->has_failed = true;
}

static void checkpoint_fill(CliCheckpoint *checkpoint, const CliRunParts *parts)
{
    CliBytes *bytes = &checkpoint->bytes;
    bytes->size = 0;
    cli_bytes_add(bytes, CLI_CHECKPOINT_HEADER);
    void *words = cli_bytes_add(bytes, checkpoint->words.size);
    if (words)
        memcpy(words, checkpoint->words.items, checkpoint->words.size);
    cli_checkpoint_put_parts(bytes, parts);
    checkpoint->filled = hol_simulation_state(parts->simulation)->t;
}

/* Writes what has been filled in. */
static void checkpoint_write(CliCheckpoint *checkpoint, bool is_complete)
{
    HolMessage message;
    CliBytes *bytes = &checkpoint->bytes;
    if (bytes->failed) {
        checkpoint_warn(checkpoint, "not enough memory for a checkpoint");
        bytes->failed = false;
        return;
    }
    cli_checkpoint_seal(bytes, is_complete);
    if (hol_file_replace(checkpoint->held, (const char *)bytes->items, bytes->size, &message) == HOL_OK)
        checkpoint->is_written = true;
    else
        checkpoint_warn(checkpoint, message.text);
}

/* Looks at the latest step, before which the state was filled in. A longer run takes other steps from the first one on
 * of which an attempt was cut by the end: the state before that one is kept, unless far too many steps follow it. */
static void checkpoint_follow(CliCheckpoint *checkpoint, const HolSimulation *simulation)
{
    enum { MOST_STEPS = 10000 };
    const double t = hol_simulation_state(simulation)->t;
    if (checkpoint->kept_steps == 0 && checkpoint->filled == checkpoint->t && hol_simulation_was_cut(simulation))
        checkpoint->kept_steps = 1;
    else if (checkpoint->kept_steps > 0)
        checkpoint->kept_steps = checkpoint->kept_steps < MOST_STEPS ? checkpoint->kept_steps + 1 : 0;
    checkpoint->t = t;
}

void cli_checkpoint_update(CliCheckpoint *checkpoint, const CliRunParts *parts, bool at_once)
{
    if (!checkpoint->path || cli_checkpoint_remove_older(checkpoint) != HOL_OK)
        return;
    checkpoint_follow(checkpoint, parts->simulation);
    const double until = parts->run->until;
    const bool is_due = at_once || checkpoint->t >= until || checkpoint_now() >= checkpoint->due;
    if (!is_due && !hol_simulation_may_reach(parts->simulation, until))
        return;
    HolResults *results = parts->recording->results;
    if (is_due && results && hol_results_sync(results) != HOL_OK)
        return; /* the run ends with the next row */
    if (checkpoint->kept_steps == 0)
        checkpoint_fill(checkpoint, parts);
    if (!is_due)
        return;
    checkpoint_write(checkpoint, false);
    checkpoint->due = checkpoint_now() + parts->interval;
}

void cli_checkpoint_end(CliCheckpoint *checkpoint)
{
    if (checkpoint->path && checkpoint->bytes.size > 0)
        checkpoint_write(checkpoint, true);
}

void cli_checkpoint_free(CliCheckpoint *checkpoint)
{
    hol_file_release(checkpoint->held);
    checkpoint->held = NULL;
    cli_bytes_free(&checkpoint->words);
    cli_bytes_free(&checkpoint->bytes);
}
