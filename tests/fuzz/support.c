/* SPDX-License-Identifier: BSD-3-Clause */
#include "fuzz.h"

#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

char *fuzz_text(const uint8_t *data, size_t size)
{
    const uint8_t *end = size > 0 ? memchr(data, 0, size) : NULL;
    size_t length = end ? (size_t)(end - data) : size;
    char *text = malloc(length + 1);
    if (!text)
        abort();
    if (length > 0)
        memcpy(text, data, length);
    text[length] = '\0';
    return text;
}

uint8_t fuzz_byte(FuzzBytes *bytes)
{
    if (bytes->size == 0)
        return 0;
    --bytes->size;
    return *bytes->data++;
}

double fuzz_double(FuzzBytes *bytes)
{
    uint64_t bits = 0;
    double x;
    for (int i = 0; i < 8; ++i)
        bits |= (uint64_t)fuzz_byte(bytes) << 8 * i;
    memcpy(&x, &bits, sizeof x);
    return x;
}

uint32_t fuzz_hash(const uint8_t *data, size_t size)
{
    uint32_t hash = 2166136261U; /* FNV-1a */
    for (size_t i = 0; i < size; ++i)
        hash = (hash ^ data[i]) * 16777619U;
    return hash ^ hash >> 15;
}

bool fuzz_same_bits(double a, double b)
{
    return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

void fuzz_check_sentence(const char *text)
{
    for (const unsigned char *c = (const unsigned char *)text; *c; ++c)
        FUZZ_CHECK(*c >= 0x20 && *c != 0x7f && !(*c == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0),
                   "the message '%s' contains the control character 0x%02x", text, *c);
}

/* ---- Memory: the linker leads the calls of the library here (--wrap) ---- */

static size_t memory_left = SIZE_MAX;
static unsigned failing_in;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);

void fuzz_memory_begin(size_t limit, unsigned failing)
{
    memory_left = limit;
    failing_in = failing;
}

void fuzz_memory_end(void)
{
    fuzz_memory_begin(SIZE_MAX, 0);
}

static bool memory_take(size_t size)
{
    bool fails = failing_in == 1 || size > memory_left;
    failing_in -= failing_in > 0;
    if (!fails && memory_left != SIZE_MAX)
        memory_left -= size;
    return !fails;
}

void *__wrap_malloc(size_t size)
{
    return memory_take(size) ? __real_malloc(size) : NULL;
}

void *__wrap_calloc(size_t count, size_t size)
{
    bool fits = size == 0 || count <= SIZE_MAX / size;
    return fits && memory_take(count * size) ? __real_calloc(count, size) : NULL;
}

void *__wrap_realloc(void *block, size_t size)
{
    return memory_take(size) ? __real_realloc(block, size) : NULL;
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return memory_take(size) ? __real_aligned_alloc(alignment, size) : NULL;
}

/* ---- Files ---- */

typedef struct File {
    char ending[32];
    char path[PATH_MAX];
    int descriptor;
} File;

enum { MOST_FILES = 4 };

static File files[MOST_FILES];
static int file_count;

static void files_remove(void)
{
    for (int i = 0; i < file_count; ++i)
        unlink(files[i].path);
}

static File *file_create(const char *ending)
{
    const char *folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    File *file = &files[file_count++];
    FUZZ_CHECK(file_count <= MOST_FILES, "too many endings");
    if (file_count == 1)
        atexit(files_remove);
    snprintf(file->ending, sizeof file->ending, "%s", ending);
    snprintf(file->path, sizeof file->path, "%s/holon-fuzz-%ld%s", folder, (long)getpid(), ending);
    file->descriptor = open(file->path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    FUZZ_CHECK(file->descriptor >= 0, "cannot write '%s'", file->path);
    return file;
}

const char *fuzz_file(const char *ending, const uint8_t *data, size_t size)
{
    File *file = NULL;
    for (int i = 0; i < file_count && !file; ++i)
        if (strcmp(files[i].ending, ending) == 0)
            file = &files[i];
    if (!file)
        file = file_create(ending);
    bool written =
        ftruncate(file->descriptor, 0) == 0 && (size == 0 || pwrite(file->descriptor, data, size, 0) == (ssize_t)size);
    FUZZ_CHECK(written, "cannot write '%s'", file->path);
    return file->path;
}
