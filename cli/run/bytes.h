/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers, texts and blocks as a sequence of bytes: one that grows while it is written, and one that is read. */
#ifndef HOLON_CLI_RUN_BYTES_H
#define HOLON_CLI_RUN_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct CliBytes {
    unsigned char *items;
    size_t size, room;
    bool failed; /* there was not enough memory */
} CliBytes;

/* The place of `size` new bytes, for the caller to fill; NULL: not enough memory. */
void *cli_bytes_add(CliBytes *bytes, size_t size);
void cli_bytes_whole(CliBytes *bytes, int64_t value);
void cli_bytes_doubles(CliBytes *bytes, const double *x, size_t count);
void cli_bytes_text(CliBytes *bytes, const char *text); /* its length, then the text */
void cli_bytes_free(CliBytes *bytes);

/* What has not been read yet. */
typedef struct CliBytesReader {
    const unsigned char *next;
    size_t left;
    bool failed; /* it ended too early, or a number was out of range */
} CliBytesReader;

/* The next bytes, or NULL if there are too few. */
const void *cli_bytes_take(CliBytesReader *reader, size_t size);
/* 0 if it is not between low and high: the reader has then failed. */
int64_t cli_bytes_take_whole(CliBytesReader *reader, int64_t low, int64_t high);
void cli_bytes_take_doubles(CliBytesReader *reader, double *x, size_t count); /* zeros after a failure */
char *cli_bytes_take_text(CliBytesReader *reader);                            /* to be freed; NULL after a failure */

uint64_t cli_bytes_hash(const unsigned char *bytes, size_t size);

#endif
