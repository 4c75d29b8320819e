/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/bytes.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 1 << 12, LONGEST_TEXT = 1 << 20 };

static bool bytes_make_room(CliBytes *bytes, size_t size)
{
    size_t room = bytes->room > 0 ? bytes->room : FIRST_ROOM;
    if (bytes->failed || size > SIZE_MAX / 4 - bytes->size)
        return false;
    while (room < bytes->size + size)
        room *= 2;
    unsigned char *items = room > bytes->room ? realloc(bytes->items, room) : bytes->items;
    if (!items)
        return false;
    bytes->items = items;
    bytes->room = room;
    return true;
}

void *cli_bytes_add(CliBytes *bytes, size_t size)
{
    if (!bytes_make_room(bytes, size)) {
        bytes->failed = true;
        return NULL;
    }
    void *place = bytes->items + bytes->size;
    bytes->size += size;
    return place;
}

static void bytes_copy(CliBytes *bytes, const void *from, size_t size)
{
    void *place = cli_bytes_add(bytes, size);
    if (place && size > 0)
        memcpy(place, from, size);
}

void cli_bytes_whole(CliBytes *bytes, int64_t value)
{
    bytes_copy(bytes, &value, sizeof value);
}

void cli_bytes_doubles(CliBytes *bytes, const double *x, size_t count)
{
    bytes_copy(bytes, x, count * sizeof *x);
}

void cli_bytes_text(CliBytes *bytes, const char *text)
{
    cli_bytes_whole(bytes, (int64_t)strlen(text));
    bytes_copy(bytes, text, strlen(text));
}

void cli_bytes_free(CliBytes *bytes)
{
    free(bytes->items);
    *bytes = (CliBytes){0};
}

const void *cli_bytes_take(CliBytesReader *reader, size_t size)
{
    const void *place = reader->next;
    if (reader->failed || size > reader->left) {
        reader->failed = true;
        return NULL;
    }
    reader->next += size;
    reader->left -= size;
    return place;
}

int64_t cli_bytes_take_whole(CliBytesReader *reader, int64_t low, int64_t high)
{
    int64_t value = 0;
    const void *place = cli_bytes_take(reader, sizeof value);
    if (place)
        memcpy(&value, place, sizeof value);
    reader->failed = reader->failed || value < low || value > high;
    return reader->failed ? 0 : value;
}

void cli_bytes_take_doubles(CliBytesReader *reader, double *x, size_t count)
{
    const void *place = count <= SIZE_MAX / sizeof *x ? cli_bytes_take(reader, count * sizeof *x) : NULL;
    if (place && count > 0)
        memcpy(x, place, count * sizeof *x);
    else if (count > 0)
        memset(x, 0, count * sizeof *x);
}

char *cli_bytes_take_text(CliBytesReader *reader)
{
    size_t length = (size_t)cli_bytes_take_whole(reader, 0, LONGEST_TEXT);
    const char *place = cli_bytes_take(reader, length);
    char *text = place ? strndup(place, length) : NULL;
    reader->failed = reader->failed || !text;
    return text;
}

/* FNV-1a of words of eight bytes, the last one filled with zeros. */
uint64_t cli_bytes_hash(const unsigned char *bytes, size_t size)
{
    uint64_t hash = 14695981039346656037u ^ size;
    for (size_t at = 0; at < size; at += sizeof hash) {
        uint64_t word = 0;
        memcpy(&word, bytes + at, size - at < sizeof word ? size - at : sizeof word);
        hash = (hash ^ word) * 1099511628211u;
        hash ^= hash >> 29;
    }
    return hash;
}
