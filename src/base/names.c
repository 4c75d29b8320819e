/* SPDX-License-Identifier: BSD-3-Clause */
/* Open addressing: slots hold number + 1 of a name, 0 where they are free, and at most half of them are taken. The old
 * arrays stay behind in the arena when the table doubles; together they are no larger than the new ones. */
#include "base/names.h"

#include "base/message.h"

#include <stdint.h>
#include <string.h>

enum { FIRST_ROOM = 8, MOST_NAMES = 1 << 29 };

struct HolNames {
    HolArena *arena;
    int count, room;
    const char **name; /* room + 1, a NULL after the last */
    uint32_t *hash;
    int *slots; /* 2 room */
};

/* FNV-1a */
static uint32_t hash_of(const char *name, size_t length)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < length; ++i)
        hash = (hash ^ (unsigned char)name[i]) * 16777619u;
    return hash;
}

static void names_put(HolNames *names, int index)
{
    uint32_t mask = (uint32_t)names->room * 2 - 1;
    uint32_t slot = names->hash[index] & mask;
    while (names->slots[slot])
        slot = (slot + 1) & mask;
    names->slots[slot] = index + 1;
}

/* Leaves the table as it is when out of memory. */
static int names_grow(HolNames *names, int room)
{
    size_t size = (size_t)room;
    const char **name = hol_arena_small(names->arena, (size + 1) * sizeof *name);
    uint32_t *hash = hol_arena_small(names->arena, size * sizeof *hash);
    int *slots = hol_arena_small(names->arena, 2 * size * sizeof *slots);
    if (!name || !hash || !slots)
        return 0;
    for (int i = 0; i < names->count; ++i) {
        name[i] = names->name[i];
        hash[i] = names->hash[i];
    }
    names->room = room;
    names->name = name;
    names->hash = hash;
    names->slots = slots;
    for (int i = 0; i < names->count; ++i)
        names_put(names, i);
    return 1;
}

HolNames *hol_names_create(HolArena *arena)
{
    HolNames *names = hol_arena_small(arena, sizeof *names);
    if (!names)
        return NULL;
    names->arena = arena;
    return names_grow(names, FIRST_ROOM) ? names : NULL;
}

int hol_names_add(HolNames *names, const char *name)
{
    if (names->count == names->room && (names->room >= MOST_NAMES || !names_grow(names, 2 * names->room)))
        return -1;
    int index = names->count++;
    names->name[index] = name;
    names->hash[index] = hash_of(name, strlen(name));
    names_put(names, index);
    return index;
}

int hol_names_find_part(const HolNames *names, const char *name, size_t length)
{
    uint32_t mask = (uint32_t)names->room * 2 - 1;
    uint32_t hash = hash_of(name, length);
    for (uint32_t slot = hash & mask; names->slots[slot]; slot = (slot + 1) & mask) {
        int index = names->slots[slot] - 1;
        const char *known = names->name[index];
        if (names->hash[index] == hash && strncmp(known, name, length) == 0 && known[length] == '\0')
            return index;
    }
    return -1;
}

int hol_names_find(const HolNames *names, const char *name)
{
    return hol_names_find_part(names, name, strlen(name));
}

int hol_names_count(const HolNames *names)
{
    return names->count;
}

const char *hol_names_get(const HolNames *names, int index)
{
    return names->name[index];
}

const char *hol_names_nearest(const HolNames *names, const char *name)
{
    return hol_nearest_name(name, names->name);
}
