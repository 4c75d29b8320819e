/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/arena.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64, CHUNK = 1 << 16 };

typedef struct Chunk {
    struct Chunk *next;
    size_t used, size;
} Chunk;

struct HolArena {
    Chunk *chunks;
    size_t handed_out;
    int frozen, failed;
};

static size_t rounded(size_t size)
{
    return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

HolArena *hol_arena_create(void)
{
    return calloc(1, sizeof(HolArena));
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
    size_t header = rounded(sizeof(Chunk));
    size_t room = size > CHUNK ? size : CHUNK;
    Chunk *chunk = aligned_alloc(ALIGNMENT, header + room);
    if (chunk)
        *chunk = (Chunk){.used = header, .size = header + room};
    return chunk;
}

void *hol_arena_alloc(HolArena *arena, size_t size)
{
    assert(!arena->frozen);
    if (arena->frozen || size > SIZE_MAX / 4) {
        arena->failed = 1;
        return NULL;
    }
    size_t need = rounded(size ? size : 1);
    if (!arena->chunks || arena->chunks->size - arena->chunks->used < need) {
        Chunk *chunk = new_chunk(need);
        if (!chunk) {
            arena->failed = 1;
            return NULL;
        }
        chunk->next = arena->chunks;
        arena->chunks = chunk;
    }
    void *memory = (char *)arena->chunks + arena->chunks->used;
    arena->chunks->used += need;
    arena->handed_out += need;
    return memset(memory, 0, need);
}

double *hol_arena_doubles(HolArena *arena, size_t count)
{
    return hol_arena_alloc(arena, count > SIZE_MAX / 64 ? SIZE_MAX : count * sizeof(double));
}

int *hol_arena_ints(HolArena *arena, size_t count)
{
    return hol_arena_alloc(arena, count > SIZE_MAX / 64 ? SIZE_MAX : count * sizeof(int));
}

int hol_arena_failed(const HolArena *arena)
{
    return arena->failed;
}

size_t hol_arena_size(const HolArena *arena)
{
    return arena->handed_out;
}
