/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/archive.h"

#include <math.h>
#include <string.h>

/* The next bytes of the source, or NULL: there is no source, or it ends before. */
static const unsigned char *archive_source(HolArchive *archive, size_t size)
{
    if (archive->mode != HOL_ARCHIVE_CHECK && archive->mode != HOL_ARCHIVE_READ)
        return NULL;
    if (archive->failed || archive->size - archive->at < size) {
        archive->failed = true;
        return NULL;
    }
    return archive->from + archive->at;
}

/* Copies the next bytes, in the direction of the mode. */
static void archive_pass(HolArchive *archive, void *bytes, size_t size)
{
    const unsigned char *source = archive_source(archive, size);
    if (archive->mode == HOL_ARCHIVE_READ && source && size > 0)
        memcpy(bytes, source, size);
    if (archive->mode == HOL_ARCHIVE_WRITE) {
        archive->failed = archive->failed || archive->size - archive->at < size;
        if (!archive->failed && size > 0)
            memcpy(archive->to + archive->at, bytes, size);
    }
    if (!archive->failed)
        archive->at += size;
}

void hol_archive_doubles(HolArchive *archive, double *x, int n)
{
    archive_pass(archive, x, (size_t)n * sizeof *x);
}

void hol_archive_finite(HolArchive *archive, double *x, int n)
{
    const unsigned char *source = archive_source(archive, (size_t)n * sizeof *x);
    for (int i = 0; source && i < n; ++i) {
        double value;
        memcpy(&value, source + (size_t)i * sizeof value, sizeof value);
        archive->failed = archive->failed || !isfinite(value);
    }
    archive_pass(archive, x, (size_t)n * sizeof *x);
}

void hol_archive_between(HolArchive *archive, double *x, double low, double high)
{
    const unsigned char *source = archive_source(archive, sizeof *x);
    double value = low;
    if (source)
        memcpy(&value, source, sizeof value);
    archive->failed = archive->failed || !(value >= low && value <= high);
    archive_pass(archive, x, sizeof *x);
}

void hol_archive_each(HolArchive *archive, double *const *numbers)
{
    for (; *numbers; ++numbers)
        hol_archive_doubles(archive, *numbers, 1);
}

/* The next int of the source, else x. */
static int archive_next_int(HolArchive *archive, int x)
{
    const unsigned char *source = archive_source(archive, sizeof x);
    if (source)
        memcpy(&x, source, sizeof x);
    return x;
}

void hol_archive_int(HolArchive *archive, int *x, int low, int high)
{
    int value = archive_next_int(archive, *x);
    bool is_source = archive->mode == HOL_ARCHIVE_CHECK || archive->mode == HOL_ARCHIVE_READ;
    archive->failed = archive->failed || (is_source && (value < low || value > high));
    archive_pass(archive, x, sizeof *x);
}

void hol_archive_tally(HolArchive *archive, long *x)
{
    static const double most = 9007199254740992.; /* 2^53 */
    const unsigned char *source = archive_source(archive, sizeof *x);
    long value = 0;
    if (source)
        memcpy(&value, source, sizeof value);
    archive->failed = archive->failed || value < 0 || (double)value > most;
    archive_pass(archive, x, sizeof *x);
}

void hol_archive_bools(HolArchive *archive, bool *const *flags)
{
    for (; *flags; ++flags) {
        unsigned char byte = **flags;
        hol_archive_flags(archive, &byte, 1, 1);
        if (hol_archive_reads(archive))
            **flags = byte != 0;
    }
}

int hol_archive_count(HolArchive *archive, int *count, int most)
{
    int value = archive_next_int(archive, *count);
    hol_archive_int(archive, count, 0, most);
    if (archive->mode == HOL_ARCHIVE_MEASURE)
        return most;
    return archive->failed ? 0 : value;
}

int hol_archive_flags(HolArchive *archive, unsigned char *flags, int n, int most)
{
    const unsigned char *source = archive_source(archive, (size_t)n);
    bool is_source = archive->mode == HOL_ARCHIVE_CHECK || archive->mode == HOL_ARCHIVE_READ;
    const unsigned char *values = is_source ? source : flags;
    int set = 0;
    for (int i = 0; values && i < n; ++i) {
        archive->failed = archive->failed || values[i] > 1;
        set += values[i] != 0;
    }
    archive->failed = archive->failed || (is_source && set > most);
    archive_pass(archive, flags, (size_t)n);
    return set;
}

/* Whether an int of the source occurs again behind it. */
static bool archive_repeats(const unsigned char *source, int i, int n)
{
    const unsigned char *value = source + (size_t)i * sizeof(int);
    for (int k = i + 1; k < n; ++k)
        if (memcmp(value, source + (size_t)k * sizeof(int), sizeof(int)) == 0)
            return true;
    return false;
}

void hol_archive_order(HolArchive *archive, int *order, int n)
{
    const unsigned char *source = archive_source(archive, (size_t)n * sizeof *order);
    for (int i = 0; source && i < n && archive->mode == HOL_ARCHIVE_CHECK && !archive->failed; ++i) {
        int value = 0;
        memcpy(&value, source + (size_t)i * sizeof value, sizeof value);
        archive->failed = value < 0 || value >= n || archive_repeats(source, i, n);
    }
    archive_pass(archive, order, (size_t)n * sizeof *order);
}
