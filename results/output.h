/* SPDX-License-Identifier: BSD-3-Clause */
/* A file that is written beside the one it replaces, under the name with ".holon-part" appended, and takes the name
 * when it is worth it. Whoever writes a file holds a lock on it, so that a second writer is refused and harms nobody. A
 * file of the temporary name that was not left by a killed run is not touched: EEXIST.
 *
 * Functions return 0 or an error number of errno.h; EBUSY means that another process or object writes the file.
 * Devices and pipes are written directly. Where the folder takes no new file, the bytes wait in a file without a name
 * and are copied into the older one when it is worth it. */
#ifndef HOLON_RESULTS_OUTPUT_H
#define HOLON_RESULTS_OUTPUT_H

#include <holon/status.h>

#include <stdbool.h>
#include <stddef.h>

typedef struct HolOutput {
    int file;            /* -1: closed */
    int older;           /* the file that has the name, locked, or -1 */
    char *target, *part; /* the name, links resolved, and the temporary one; part is NULL once the name is taken */
    bool is_stream;      /* a device or a pipe */
    bool is_nameless;    /* the file has no temporary name */
    bool was_there;      /* there was a file of that name */
    long long end;       /* of what was written completely */
    size_t partial;      /* bytes behind the end, of a write that failed */
} HolOutput;

/* Whether a file can probably be opened and take its name; touches nothing. */
int hol_output_check(const char *path);
/* Opens an empty file. A regular file that is there keeps its bytes until hol_output_take_name(). */
int hol_output_open(HolOutput *output, const char *path);
/* Opens an existing regular file in place, to be cut and continued. */
int hol_output_continue(HolOutput *output, const char *path);

/* Locks a regular file, or one that is to come, for a writer that replaces it again and again. `older` is the file of
 * the name then. hol_output_renew() begins its successor, which hol_output_hand_over() gives the name and the lock. */
int hol_output_hold(HolOutput *output, const char *path);
int hol_output_renew(HolOutput *output);
int hol_output_hand_over(HolOutput *output);

/* Writes at the end. After a failure `partial` bytes lie behind the end: hol_output_cut() removes them. */
int hol_output_write(HolOutput *output, const void *bytes, size_t size);
/* Replaces bytes before the end. */
int hol_output_patch(HolOutput *output, const void *bytes, size_t size, long long at);
int hol_output_read(const HolOutput *output, void *bytes, size_t size, long long at);
int hol_output_cut(HolOutput *output);
int hol_output_sync(HolOutput *output); /* to the disk */

/* What replaces an older file is on the disk first. Does nothing if it has the name. */
int hol_output_take_name(HolOutput *output);
/* Closes and frees. A file without its name is removed. */
int hol_output_close(HolOutput *output);
/* Closes and frees, and removes the file also if it has taken a name that was free. */
void hol_output_discard(HolOutput *output);

/* "cannot write 'path': reason", with HOL_NOT_WRITTEN, or HOL_NO_MEMORY. */
HolStatus hol_output_fail(HolMessage *message, const char *path, int error);

#endif
