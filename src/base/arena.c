/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/arena.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64, SMALL_ALIGNMENT = 16, CHUNK = 1 << 16 };

static const double GIGABYTE = 1e9;

typedef struct Chunk {
    struct Chunk *next;
    size_t used, size;
} Chunk;

struct HolArena {
    Chunk *chunks;
    size_t handed_out, limit;
    size_t refused;      /* bytes of the request that the limit refused, 0: none */
    const char *purpose; /* of those, NULL: not known */
    int frozen, failed;
};

static size_t rounded(size_t size, size_t alignment)
{
    return (size + alignment - 1) / alignment * alignment;
}

HolArena *hol_arena_create(void)
{
    return hol_arena_create_within(HOL_MOST_MEMORY);
}

HolArena *hol_arena_create_within(size_t limit)
{
    HolArena *arena = calloc(1, sizeof(HolArena));
    if (arena)
        arena->limit = limit > 0 ? limit : HOL_MOST_MEMORY;
    return arena;
}

void hol_arena_set_limit(HolArena *arena, size_t limit)
{
    arena->limit = limit;
}

size_t hol_arena_limit(const HolArena *arena)
{
    return arena->limit;
}

HolStatus hol_arena_expect(HolArena *arena, double bytes, const char *purpose)
{
    if ((double)arena->handed_out + bytes <= (double)arena->limit)
        return HOL_OK;
    arena->refused = bytes < (double)(SIZE_MAX / 4) ? (size_t)bytes : SIZE_MAX / 4;
    arena->purpose = purpose;
    arena->failed = 1;
    return HOL_NO_MEMORY;
}

void hol_arena_report(HolArena *arena, const HolArena *scratch)
{
    if (!scratch || !scratch->refused || arena->refused)
        return;
    arena->refused = scratch->refused;
    arena->purpose = scratch->purpose;
}

HolStatus hol_arena_fail(const HolArena *arena, const char *owner, HolMessage *message)
{
    if (!arena || !arena->refused)
        return hol_fail(message, HOL_NO_MEMORY, "%s: %s", owner, hol_status_cause(HOL_NO_MEMORY));
    return hol_fail(message, HOL_NO_MEMORY,
                    "%s needs more memory than the limit of %.3g GB: %.3g GB%s%s, besides %.3g GB before; simplify the "
                    "model, or raise the limit ('--limit memory=%.0fGB', HolLimits)",
                    owner, (double)arena->limit / GIGABYTE, (double)arena->refused / GIGABYTE,
                    arena->purpose ? " for " : "", arena->purpose ? arena->purpose : "",
                    (double)arena->handed_out / GIGABYTE,
                    ceil(2 * (double)(arena->handed_out + arena->refused) / GIGABYTE));
}

void hol_arena_destroy(HolArena *arena)
{
    if (!arena)
        return;
    for (Chunk *chunk = arena->chunks; chunk;) {
        Chunk *next = chunk->next;
        free(chunk);
        chunk = next;
    }
    free(arena);
}

void hol_arena_freeze(HolArena *arena)
{
    arena->frozen = 1;
}

static Chunk *new_chunk(size_t size)
{
    size_t header = rounded(sizeof(Chunk), ALIGNMENT);
    size_t room = size > CHUNK ? rounded(size, ALIGNMENT) : CHUNK;
    Chunk *chunk = aligned_alloc(ALIGNMENT, header + room);
    if (chunk)
        *chunk = (Chunk){.used = header, .size = header + room};
    return chunk;
}

/* A chunk with size free bytes at the next aligned address, where its used part then ends. */
static Chunk *chunk_with_room(HolArena *arena, size_t size, size_t alignment)
{
    Chunk *chunk = arena->chunks;
    size_t start = chunk ? rounded(chunk->used, alignment) : 0;
    if (chunk && start <= chunk->size && chunk->size - start >= size) {
        chunk->used = start;
        return chunk;
    }
    chunk = new_chunk(size);
    if (chunk) {
        chunk->next = arena->chunks;
        arena->chunks = chunk;
    }
    return chunk;
}

/* Not zeroed. */
static void *arena_take(HolArena *arena, size_t size, size_t alignment)
{
    assert(!arena->frozen);
    int refused = arena->frozen || size > SIZE_MAX / 4 ||
                  (!arena->failed && hol_arena_expect(arena, (double)size, NULL) != HOL_OK);
    Chunk *chunk = refused ? NULL : chunk_with_room(arena, size, alignment);
    if (!chunk) {
        arena->failed = 1;
        return NULL;
    }
    void *memory = (char *)chunk + chunk->used;
    chunk->used += size;
    arena->handed_out += size;
    return memory;
}

static void *take_zeroed(HolArena *arena, size_t size, size_t alignment)
{
    size_t need = size > SIZE_MAX / 4 ? size : rounded(size ? size : 1, alignment);
    void *memory = arena_take(arena, need, alignment);
    return memory ? memset(memory, 0, need) : NULL;
}

void *hol_arena_alloc(HolArena *arena, size_t size)
{
    return take_zeroed(arena, size, ALIGNMENT);
}

void *hol_arena_small(HolArena *arena, size_t size)
{
    return take_zeroed(arena, size, SMALL_ALIGNMENT);
}

char *hol_arena_text(HolArena *arena, const char *text, size_t length)
{
    char *copy = arena_take(arena, length < SIZE_MAX ? length + 1 : length, 1);
    if (copy) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

double *hol_arena_doubles(HolArena *arena, size_t count)
{
    return hol_arena_alloc(arena, count > SIZE_MAX / 64 ? SIZE_MAX : count * sizeof(double));
}

int *hol_arena_ints(HolArena *arena, size_t count)
{
    return hol_arena_alloc(arena, count > SIZE_MAX / 64 ? SIZE_MAX : count * sizeof(int));
}

void hol_arena_each_doubles(HolArena *arena, size_t count, double **const *arrays)
{
    for (; *arrays; ++arrays)
        **arrays = hol_arena_doubles(arena, count);
}

void hol_arena_each_ints(HolArena *arena, size_t count, int **const *arrays)
{
    for (; *arrays; ++arrays)
        **arrays = hol_arena_ints(arena, count);
}

int hol_arena_failed(const HolArena *arena)
{
    return arena->failed;
}

HolStatus hol_arena_status(const HolArena *arena)
{
    return arena->failed ? HOL_NO_MEMORY : HOL_OK;
}

size_t hol_arena_size(const HolArena *arena)
{
    return arena->handed_out;
}
