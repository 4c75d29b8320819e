/* SPDX-License-Identifier: BSD-3-Clause */
/* What changes while stepping, as a sequence of bytes (docs/decisions/0022-state-is-listed-once.md).
 *
 * A module with such numbers has one function that lists them, hol_<module>_archive(). It is called in four modes:
 *
 *     measure   counts the bytes
 *     write     copies the numbers to the bytes
 *     check     examines the bytes; nothing else changes
 *     read      copies the bytes to the numbers
 *
 * The list has contents, never pointers, in the order of what they mean: vectors are exchanged while stepping. Bytes
 * may come from a file that somebody has made: whatever serves as an index, a count or a flag is listed with its range.
 * A number out of range fails in the mode check, so that the mode read cannot fail. */
#ifndef HOLON_BASE_ARCHIVE_H
#define HOLON_BASE_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>

typedef enum HolArchiveMode {
    HOL_ARCHIVE_MEASURE,
    HOL_ARCHIVE_WRITE,
    HOL_ARCHIVE_CHECK,
    HOL_ARCHIVE_READ
} HolArchiveMode;

typedef struct HolArchive {
    HolArchiveMode mode;
    unsigned char *to;         /* of the mode write */
    const unsigned char *from; /* of the modes check and read */
    size_t size, at;           /* of these bytes, all of them and those done */
    bool failed;               /* there are too few, or a number is out of range */
} HolArchive;

/* Whether numbers have just been replaced, and what follows from them must be, too. */
static inline bool hol_archive_reads(const HolArchive *archive)
{
    return archive->mode == HOL_ARCHIVE_READ;
}

/* Of any value. Arrays have n numbers and may be NULL if n is 0. */
void hol_archive_doubles(HolArchive *archive, double *x, int n);
void hol_archive_finite(HolArchive *archive, double *x, int n); /* none is infinite or NaN */
void hol_archive_between(HolArchive *archive, double *x, double low, double high);

/* Single numbers: HOL_ARCHIVE_EACH(archive, &s->t, &s->h). */
#define HOL_ARCHIVE_EACH(archive, ...) hol_archive_each(archive, (double *const[]){__VA_ARGS__, NULL})
void hol_archive_each(HolArchive *archive, double *const *numbers);

/* low <= x <= high */
void hol_archive_int(HolArchive *archive, int *x, int low, int high);
/* From 0 up to 2^53, far below where adding to it overflows. */
void hol_archive_tally(HolArchive *archive, long *x);

#define HOL_ARCHIVE_BOOLS(archive, ...) hol_archive_bools(archive, (bool *const[]){__VA_ARGS__, NULL})
void hol_archive_bools(HolArchive *archive, bool *const *flags);

/* The number of entries that follow in the list, at most `most`: as many as in the numbers, or in the bytes where these
 * are the source. In the mode measure, `most`. */
int hol_archive_count(HolArchive *archive, int *count, int most);

/* n flags of 0 or 1, of which at most `most` are 1. Returns how many are, in the numbers or in the bytes. */
int hol_archive_flags(HolArchive *archive, unsigned char *flags, int n, int most);

/* The numbers 0 to n - 1 in any order. */
void hol_archive_order(HolArchive *archive, int *order, int n);

#endif
