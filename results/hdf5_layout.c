/* SPDX-License-Identifier: BSD-3-Clause */
/* The HDF5 library changes a file in several places at once and in an order of its own: a killed run can leave a file
 * that nobody reads, and on a full disk rows of zeros. So the file is written here, in the simplest layout of the HDF5
 * file format, version 3.0 (superblock 2, object headers 2):
 *
 *     superblock      end of the file                                             checksum
 *     root group      links to the datasets "motion" and "scene"                  checksum
 *     "scene"         a string: size of its type, address and size of its bytes   checksum
 *     "motion"        a list of records: number of rows, address and size         checksum
 *     a text, if one was attached before the first row
 *     the rows
 *     a text, if one was attached later
 *
 * What changes in an object lies within one block of the disk and is written at once, behind what it refers to: the
 * file is readable at any moment. Whoever reads it meanwhile takes the size of the file first, then the end that the
 * superblock states, then the number of rows. So the file is extended ahead of the stated end (which needs no space),
 * and the stated end lies ahead of the rows, each by what is written in a second or so.
 * docs/decisions/0023-results-are-safe.md has the reasons. */
#include "hdf5_layout.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    DISK_BLOCK = 512,
    FIRST_AHEAD = 1 << 22,
    LARGEST_AHEAD = 1 << 28,
    ALIGNMENT = 64,
    EMPTY_SIZE = 8,
    LARGEST_MESSAGE = 65535
};
enum { SUPERBLOCK_SIZE = 48, END_AT = 28, HEADER_PREFIX = 10, MESSAGE_PREFIX = 4, CHECKSUM_SIZE = 4 };
enum { FLOAT_SIZE = 20, STRING_SIZE = 8, COMPOUND_PREFIX = 8, FILL_SIZE = 2, LAYOUT_SIZE = 18 };
enum { SCALAR_SIZE = 4, LIST_SIZE = 12 };
enum { SPACE_MESSAGE = 1, LINKS_MESSAGE = 2, TYPE_MESSAGE = 3, FILL_MESSAGE = 5, LINK_MESSAGE = 6 };
enum { LAYOUT_MESSAGE = 8, GROUP_MESSAGE = 10 };

/* The head of the file, and where in it an object begins, where its changes begin, and where it ends. */
typedef struct Object {
    size_t begin, change, end;
} Object;

typedef struct Head {
    unsigned char *bytes;
    size_t size, used;
    Object scene, motion;
    size_t empty_at;   /* an empty text */
    long long text_at; /* address and size of the text */
    size_t text_size;
    long long file_end; /* as the superblock states it */
    long long file_size;
    long long ahead;    /* bytes by which the file is extended at a time */
    time_t extended_at; /* s */
} Head;

static void put(unsigned char *to, unsigned long long value, int bytes)
{
    for (int i = 0; i < bytes; ++i)
        to[i] = (unsigned char)(value >> 8 * i);
}

static unsigned long long get(const unsigned char *from, int bytes)
{
    unsigned long long value = 0;
    for (int i = 0; i < bytes; ++i)
        value |= (unsigned long long)from[i] << 8 * i;
    return value;
}

static void add(Head *head, unsigned long long value, int bytes)
{
    put(head->bytes + head->used, value, bytes);
    head->used += (size_t)bytes;
}

static void add_bytes(Head *head, const void *bytes, size_t size)
{
    memcpy(head->bytes + head->used, bytes, size);
    head->used += size;
}

static uint32_t rotate(uint32_t x, int k)
{
    return x << k | x >> (32 - k);
}

/* The last of the three numbers that a block of 12 bytes is mixed into. */
static void checksum_mix(uint32_t s[3])
{
    static const int shifts[] = {4, 6, 8, 16, 19, 4};
    for (int i = 0; i < 6; ++i) {
        uint32_t *a = &s[i % 3], *b = &s[(i + 1) % 3], *c = &s[(i + 2) % 3];
        *a -= *c;
        *a ^= rotate(*c, shifts[i]);
        *c += *b;
    }
}

static uint32_t checksum_final(uint32_t s[3])
{
    static const int shifts[] = {14, 11, 25, 16, 4, 14, 24};
    for (int i = 0; i < 7; ++i) {
        uint32_t *to = &s[(i + 2) % 3], from = s[(i + 1) % 3];
        *to ^= from;
        *to -= rotate(from, shifts[i]);
    }
    return s[2];
}

/* Jenkins' lookup3, as the file format demands. */
static uint32_t checksum(const unsigned char *bytes, size_t size)
{
    uint32_t start = 0xdeadbeefu + (uint32_t)size, s[3] = {start, start, start};
    for (; size > 12; bytes += 12, size -= 12) {
        for (int i = 0; i < 3; ++i)
            s[i] += (uint32_t)get(bytes + 4 * i, 4);
        checksum_mix(s);
    }
    if (size == 0)
        return s[2];
    for (size_t i = 0; i < size; ++i)
        s[i / 4] += (uint32_t)bytes[i] << 8 * (i % 4);
    return checksum_final(s);
}

static void seal(Head *head, size_t begin, size_t end)
{
    put(head->bytes + end - CHECKSUM_SIZE, checksum(head->bytes + begin, end - CHECKSUM_SIZE - begin), CHECKSUM_SIZE);
}

static void begin_object(Head *head, Object *object, size_t at, size_t size)
{
    head->used = at;
    object->begin = at;
    object->end = at + size;
    add_bytes(head, "OHDR\2\2", 6);
    add(head, size - HEADER_PREFIX - CHECKSUM_SIZE, 4);
}

static void begin_message(Head *head, int type, size_t size, int flags)
{
    add(head, (unsigned)type, 1);
    add(head, size, 2);
    add(head, (unsigned)flags, 1);
}

/* No fill value: every byte of the dataset is written. */
static void add_fill(Head *head)
{
    begin_message(head, FILL_MESSAGE, FILL_SIZE, 1);
    add(head, 3, 1);
    add(head, 0x0a, 1);
}

/* One piece; address and size follow by describe(). */
static void add_layout(Head *head)
{
    begin_message(head, LAYOUT_MESSAGE, LAYOUT_SIZE, 0);
    add(head, 3, 1);
    add(head, 1, 1);
    add(head, 0, 8);
    add(head, 0, 8);
}

static void add_float(Head *head)
{
    const uint16_t one = 1;
    bool is_little = *(const unsigned char *)&one == 1;
    static const unsigned char type[FLOAT_SIZE] = {0x11, 0x20, 0x3f, 0,  8, 0,  0,    0,    0, 0,
                                                   64,   0,    52,   11, 0, 52, 0xff, 0x03, 0, 0};
    add_bytes(head, type, sizeof type);
    head->bytes[head->used - FLOAT_SIZE + 1] |= is_little ? 0 : 1;
}

/* Bytes that the offset of a member takes. */
static int offset_size(int column_count)
{
    int bytes = 1;
    for (size_t size = (size_t)column_count * sizeof(double); size > 0xff; size >>= 8)
        ++bytes;
    return bytes;
}

static size_t compound_size(int count, const char *const *columns)
{
    size_t size = COMPOUND_PREFIX;
    for (int i = 0; i < count; ++i)
        size += strlen(columns[i]) + 1 + (size_t)offset_size(count) + FLOAT_SIZE;
    return size;
}

static void add_compound(Head *head, int count, const char *const *columns)
{
    begin_message(head, TYPE_MESSAGE, compound_size(count, columns), 1);
    add(head, 0x36, 1);
    add(head, (unsigned)count, 3);
    add(head, (size_t)count * sizeof(double), 4);
    for (int i = 0; i < count; ++i) {
        add_bytes(head, columns[i], strlen(columns[i]) + 1);
        add(head, (size_t)i * sizeof(double), offset_size(count));
        add_float(head);
    }
}

/* Where an object can begin whose last bytes shall not lie in two blocks. */
static size_t place(size_t at, size_t size, size_t change)
{
    size_t begin = at + size - change, left = DISK_BLOCK - begin % DISK_BLOCK;
    return left < change ? at + left : at;
}

static void add_link(Head *head, const char *name, size_t address)
{
    begin_message(head, LINK_MESSAGE, 3 + strlen(name) + 8, 0);
    add(head, 1, 1);
    add(head, 0, 1);
    add(head, strlen(name), 1);
    add_bytes(head, name, strlen(name));
    add(head, address, 8);
}

static const size_t root_size = HEADER_PREFIX + MESSAGE_PREFIX + 18 + MESSAGE_PREFIX + 2 + 2 * (MESSAGE_PREFIX + 11) +
                                sizeof HOL_HDF5_DATA - 1 + sizeof HOL_HDF5_SCENE - 1 + CHECKSUM_SIZE;
static const size_t scene_size =
    HEADER_PREFIX + 4 * MESSAGE_PREFIX + STRING_SIZE + FILL_SIZE + SCALAR_SIZE + LAYOUT_SIZE + CHECKSUM_SIZE;
static const size_t motion_change = MESSAGE_PREFIX + LIST_SIZE + MESSAGE_PREFIX + LAYOUT_SIZE + CHECKSUM_SIZE;

static void add_root(Head *head)
{
    Object root;
    begin_object(head, &root, SUPERBLOCK_SIZE, root_size);
    begin_message(head, LINKS_MESSAGE, 18, 0);
    add(head, 0, 2);
    add(head, ~0ull, 8);
    add(head, ~0ull, 8);
    begin_message(head, GROUP_MESSAGE, 2, 1);
    add(head, 0, 2);
    add_link(head, HOL_HDF5_DATA, head->motion.begin);
    add_link(head, HOL_HDF5_SCENE, head->scene.begin);
    seal(head, root.begin, root.end);
}

static void add_scene(Head *head, size_t at)
{
    begin_object(head, &head->scene, at, scene_size);
    head->scene.change = at;
    add_fill(head);
    begin_message(head, SPACE_MESSAGE, SCALAR_SIZE, 0);
    add(head, 2, SCALAR_SIZE);
    begin_message(head, TYPE_MESSAGE, STRING_SIZE, 0);
    add(head, 0x1013, 4); /* UTF-8 that ends with a zero */
    add(head, 0, 4);
    add_layout(head);
}

static void add_motion(Head *head, size_t at, size_t size, int count, const char *const *columns)
{
    begin_object(head, &head->motion, at, size);
    add_compound(head, count, columns);
    add_fill(head);
    head->motion.change = head->used;
    begin_message(head, SPACE_MESSAGE, LIST_SIZE, 0);
    add(head, 2 | 1 << 8 | 1 << 24, 4); /* one dimension, which is simple */
    add(head, 0, 8);
    add_layout(head);
}

static void describe_layout(Head *head, const Object *object, long long at, unsigned long long size)
{
    unsigned char *end = head->bytes + object->end - CHECKSUM_SIZE;
    put(end - 16, (unsigned long long)at, 8);
    put(end - 8, size, 8);
    seal(head, object->begin, object->end);
}

static void describe_scene(Head *head)
{
    put(head->bytes + head->scene.end - CHECKSUM_SIZE - LAYOUT_SIZE - MESSAGE_PREFIX - 4, head->text_size, 4);
    describe_layout(head, &head->scene, head->text_at, head->text_size);
}

static void describe_motion(Head *head, const HolResults *results)
{
    unsigned long long rows = (unsigned long long)results->stored;
    put(head->bytes + head->motion.change + MESSAGE_PREFIX + 4, rows, 8);
    describe_layout(head, &head->motion, results->data_at, rows * results->row_size);
}

static void describe_end(Head *head, long long end)
{
    head->file_end = end;
    put(head->bytes + END_AT, (unsigned long long)end, 8);
    seal(head, 0, SUPERBLOCK_SIZE);
}

static void add_superblock(Head *head)
{
    head->used = 0;
    add_bytes(head, "\x89HDF\r\n\x1a\n\2\x8\x8\0", 12);
    add(head, 0, 8);
    add(head, ~0ull, 8);
    add(head, 0, 8);
    add(head, SUPERBLOCK_SIZE, 8);
}

static Head *head_create(const HolResults *results, const char *const *columns)
{
    int count = results->column_count;
    size_t motion_size =
        HEADER_PREFIX + MESSAGE_PREFIX + compound_size(count, columns) + MESSAGE_PREFIX + FILL_SIZE + motion_change;
    size_t scene_at = place(SUPERBLOCK_SIZE + root_size, scene_size, scene_size);
    size_t motion_at = place(scene_at + scene_size, motion_size, motion_change);
    size_t empty_at = motion_at + motion_size;
    Head *head = calloc(1, sizeof *head);
    if (!head)
        return NULL;
    head->size = (empty_at + EMPTY_SIZE + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    head->bytes = calloc(head->size, 1);
    if (!head->bytes) {
        free(head);
        return NULL;
    }
    head->empty_at = empty_at;
    head->text_at = (long long)empty_at;
    head->text_size = EMPTY_SIZE;
    add_superblock(head);
    add_scene(head, scene_at);
    add_motion(head, motion_at, motion_size, count, columns);
    add_root(head);
    return head;
}

HolStatus hol_hdf5_begin(HolResults *results, const char *const *columns, FILE *file)
{
    if (compound_size(results->column_count, columns) > LARGEST_MESSAGE)
        return hol_fail(&results->message, HOL_BAD_INPUT,
                        "'%s': HDF5 takes no record of %d columns; choose some by --record, or write .npy",
                        results->path, results->column_count);
    Head *head = results->own = head_create(results, columns);
    if (!head)
        return HOL_NO_MEMORY;
    results->data_at = (long long)head->size;
    describe_end(head, results->data_at);
    describe_scene(head);
    describe_motion(head, results);
    fwrite(head->bytes, 1, head->size, file);
    return HOL_OK;
}

void hol_hdf5_release(HolResults *results)
{
    Head *head = results->own;
    if (!head)
        return;
    free(head->bytes);
    free(head);
}

static int patch(HolResults *results, size_t begin, size_t end)
{
    const Head *head = results->own;
    return hol_output_patch(&results->output, head->bytes + begin, end - begin, (long long)begin);
}

/* A file that has been extended less than two seconds ago is extended by more. */
static void choose_ahead(Head *head)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (head->ahead == 0)
        head->ahead = FIRST_AHEAD;
    else if (now.tv_sec - head->extended_at < 2 && head->ahead < LARGEST_AHEAD)
        head->ahead *= 2;
    head->extended_at = now.tv_sec;
}

/* Where the file shall end. The end that is stated is the size that the file had before it is extended. */
static long long choose_end(const HolResults *results, bool is_last)
{
    Head *head = results->own;
    long long end = results->output.end, stated = head->file_end;
    if (is_last)
        return head->file_size = end;
    if (stated >= end + head->ahead / 2 && head->ahead > 0)
        return stated;
    choose_ahead(head);
    while (stated < end + head->ahead / 2) {
        stated = head->file_size > end ? head->file_size : end;
        head->file_size = stated;
        if (ftruncate(results->output.file, stated + head->ahead) != 0)
            break; /* there is a limit */
        head->file_size = stated + head->ahead;
    }
    return stated;
}

int hol_hdf5_mark(HolResults *results, bool is_last)
{
    Head *head = results->own;
    long long end = choose_end(results, is_last), before = head->file_end;
    int error = 0;
    describe_end(head, end);
    describe_motion(head, results);
    if (is_last)
        error = patch(results, head->scene.begin, head->scene.end);
    if (error == 0 && end > before)
        error = patch(results, 0, SUPERBLOCK_SIZE);
    if (error == 0)
        error = patch(results, head->motion.change, head->motion.end);
    if (error == 0 && end < before)
        error = patch(results, 0, SUPERBLOCK_SIZE);
    return error;
}

/* Writes a text at the end of the file, and refers to it when it is there. */
static int add_text(HolResults *results, const char *text)
{
    static const char zeros[ALIGNMENT];
    Head *head = results->own;
    long long at = results->output.end;
    size_t size = strlen(text) + 1, padding = ALIGNMENT - size % ALIGNMENT;
    int error = hol_output_write(&results->output, text, size);
    if (error == 0)
        error = hol_output_write(&results->output, zeros, padding);
    if (error != 0) {
        results->output.end = at;
        return error;
    }
    if (results->stored == 0)
        results->data_at = results->output.end;
    error = hol_hdf5_mark(results, false);
    if (error != 0)
        return error;
    head->text_at = at;
    head->text_size = size;
    describe_scene(head);
    return patch(results, head->scene.begin, head->scene.end);
}

/* A text that follows the first row waits for the last. */
HolStatus hol_hdf5_attach(HolResults *results, const char *text, HolMessage *message)
{
    int error = results->status != HOL_OK          ? EIO
                : strlen(text) > HOL_LARGEST_SCENE ? EFBIG
                : results->row_count == 0          ? add_text(results, text)
                                                   : hol_results_keep_scene(results, text);
    if (error == 0)
        return HOL_OK;
    return hol_fail(message, error == ENOMEM ? HOL_NO_MEMORY : HOL_NOT_WRITTEN, "cannot write the scene into '%s': %s",
                    results->path, strerror(error));
}

int hol_hdf5_finish(HolResults *results)
{
    return results->scene ? add_text(results, results->scene) : 0;
}

/* A text behind the rows will be overwritten: that before them takes its place. */
static void choose_text(Head *head, const HolResults *results)
{
    if (head->text_at < results->data_at)
        return;
    bool has_text = results->data_at > (long long)head->size;
    head->text_at = (long long)(has_text ? head->size : head->empty_at);
    head->text_size = has_text ? (size_t)results->data_at - head->size : EMPTY_SIZE;
}

bool hol_hdf5_resume(HolResults *results, const char *found, const char *wanted, size_t size)
{
    Head *head = results->own;
    const unsigned char *bytes = (const unsigned char *)found;
    const unsigned char *scene = bytes + head->scene.end - CHECKSUM_SIZE,
                        *motion = bytes + head->motion.end - CHECKSUM_SIZE;
    head->text_at = (long long)get(scene - 16, 8);
    head->text_size = (size_t)get(scene - 8, 8);
    results->data_at = (long long)get(motion - 16, 8);
    results->stored = (long)(get(motion - 8, 8) / results->row_size);
    describe_end(head, (long long)get(bytes + END_AT, 8));
    describe_scene(head);
    describe_motion(head, results);
    (void)wanted;
    if (memcmp(head->bytes, bytes, size) != 0 || results->data_at < (long long)head->size)
        return false;
    choose_text(head, results);
    describe_scene(head); /* the last mark() writes it */
    return true;
}
