/* SPDX-License-Identifier: BSD-3-Clause */
#include "model/node.h"

#include "base/hash.h"

#include <string.h>

enum { SMALL_MAP = 8, FIRST_ROOM = 16 }; /* larger maps have an index; both are powers of two */

HolNode *hol_node_create(HolArena *arena, HolNodeType type, HolPlace place)
{
    HolNode *node = hol_arena_small(arena, sizeof *node);
    if (node) {
        node->type = type;
        node->place = place;
    }
    return node;
}

/* Doubles the room when the number is the first that does not fit. */
static bool node_make_room(HolArena *arena, HolNode *map, int number)
{
    bool is_full = number >= FIRST_ROOM && (number & (number - 1)) == 0;
    if (map->by_index && !is_full)
        return true;
    size_t room = number < FIRST_ROOM ? FIRST_ROOM : 2 * (size_t)number;
    HolNode **by_index = hol_arena_small(arena, room * sizeof *by_index);
    if (by_index && map->by_index)
        memcpy(by_index, map->by_index, (size_t)number * sizeof *by_index);
    if (by_index)
        map->by_index = by_index;
    return by_index != NULL;
}

/* A key that was removed before gets its old number. */
static bool index_child(HolArena *arena, HolNode *map, HolNode *child)
{
    int number = hol_names_find(map->index, child->key);
    if (number < 0) {
        number = hol_names_add(map->index, child->key);
        if (number < 0 || !node_make_room(arena, map, number))
            return false;
    }
    map->by_index[number] = child;
    return true;
}

static bool index_children(HolArena *arena, HolNode *map)
{
    map->index = hol_names_create(arena);
    bool works = map->index != NULL;
    for (HolNode *child = map->first; child && works; child = child->next)
        works = index_child(arena, map, child);
    if (!works)
        map->index = NULL;
    return works;
}

bool hol_node_append(HolArena *arena, HolNode *parent, HolNode *child)
{
    child->next = NULL;
    child->previous = parent->last;
    if (parent->last)
        parent->last->next = child;
    else
        parent->first = child;
    parent->last = child;
    parent->count++;
    if (parent->index)
        return index_child(arena, parent, child);
    return parent->type != HOL_MAP || parent->count <= SMALL_MAP || index_children(arena, parent);
}

HolNode *hol_node_find(const HolNode *map, const char *key)
{
    if (!map || map->type != HOL_MAP)
        return NULL;
    if (map->index) {
        int number = hol_names_find(map->index, key);
        return number < 0 ? NULL : map->by_index[number];
    }
    HolNode *child = map->first;
    while (child && strcmp(child->key, key) != 0)
        child = child->next;
    return child;
}

const char *hol_node_nearest(HolArena *arena, const HolNode *map, const char *key)
{
    HolNames *names = map && map->type == HOL_MAP ? hol_names_create(arena) : NULL;
    if (!names)
        return NULL;
    for (const HolNode *child = map->first; child; child = child->next)
        hol_names_add(names, child->key);
    return hol_names_nearest(names, key);
}

void hol_node_remove(HolNode *parent, HolNode *child)
{
    if (parent->index)
        parent->by_index[hol_names_find(parent->index, child->key)] = NULL;
    if (child->previous)
        child->previous->next = child->next;
    else
        parent->first = child->next;
    if (child->next)
        child->next->previous = child->previous;
    else
        parent->last = child->previous;
    parent->count--;
    child->next = child->previous = NULL;
}

void hol_node_replace(HolNode *node, const HolNode *by)
{
    HolNode old = *node;
    *node = *by;
    node->key = old.key;
    node->key_place = old.key_place;
    node->next = old.next;
    node->previous = old.previous;
}

/* NULL stays NULL; false when out of memory. */
static bool node_copy_text(HolArena *arena, const char *text, const char **copy)
{
    *copy = text ? hol_arena_text(arena, text, strlen(text)) : NULL;
    return *copy || !text;
}

HolNode *hol_node_copy(HolArena *arena, const HolNode *node)
{
    HolNode *copy = hol_node_create(arena, node->type, node->place);
    if (!copy || !node_copy_text(arena, node->key, &copy->key) || !node_copy_text(arena, node->text, &copy->text))
        return NULL;
    copy->is_quoted = node->is_quoted;
    copy->is_rewritten = node->is_rewritten;
    copy->key_place = node->key_place;
    for (const HolNode *child = node->first; child; child = child->next) {
        HolNode *child_copy = hol_node_copy(arena, child);
        if (!child_copy || !hol_node_append(arena, copy, child_copy))
            return NULL;
    }
    return copy;
}

uint64_t hol_node_hash(uint64_t hash, const HolNode *node)
{
    hash = hol_hash_int(hol_hash_text(hol_hash_text(hash, node->key), node->text), node->type);
    for (const HolNode *child = node->first; child; child = child->next)
        hash = hol_node_hash(hash, child);
    return hol_hash_int(hash, node->count);
}

bool hol_node_is_null(const HolNode *node)
{
    static const char *const nulls[] = {"", "~", "null", "Null", "NULL"};
    if (node->type != HOL_SCALAR || node->is_quoted)
        return false;
    for (size_t i = 0; i < sizeof nulls / sizeof *nulls; ++i) {
        if (strcmp(node->text, nulls[i]) == 0)
            return true;
    }
    return false;
}

/* Merging. The values of an absent base are those of an empty map, so that nulls vanish from new maps too. */

typedef struct Merge {
    HolArena *arena;
    bool keeps_nulls;
} Merge;

static HolNode *lay(const Merge *merge, HolNode *base, const HolNode *over);

static bool has_same_text(const HolNode *a, const HolNode *b, const char *key)
{
    const HolNode *x = hol_node_find(a, key), *y = hol_node_find(b, key);
    if (!x || !y)
        return x == y;
    return x->type == HOL_SCALAR && y->type == HOL_SCALAR && strcmp(x->text, y->text) == 0;
}

/* The entry of `repeat` that runs the same loop, or NULL. */
static HolNode *same_loop(const HolNode *repeat, const HolNode *entry)
{
    HolNode *other = entry->type == HOL_MAP ? repeat->first : NULL;
    while (other &&
           !(other->type == HOL_MAP && has_same_text(other, entry, "for") && has_same_text(other, entry, "from") &&
             has_same_text(other, entry, "to") && has_same_text(other, entry, "step")))
        other = other->next;
    return other;
}

/* `repeat` is a section in the form of a list: an entry is merged with that of the same loop, or appended. */
static bool lay_repeat(const Merge *merge, HolNode *old, const HolNode *over)
{
    for (const HolNode *entry = over->first; entry; entry = entry->next) {
        HolNode *base = same_loop(old, entry), *laid = lay(merge, base, entry);
        if (!laid || (laid != base && !hol_node_append(merge->arena, old, laid)))
            return false;
    }
    return true;
}

static bool lay_child(const Merge *merge, HolNode *map, const HolNode *child)
{
    HolNode *old = hol_node_find(map, child->key);
    if (old && old->type == HOL_LIST && child->type == HOL_LIST && strcmp(child->key, "repeat") == 0)
        return lay_repeat(merge, old, child);
    if (hol_node_is_null(child) && !merge->keeps_nulls) {
        if (old)
            hol_node_remove(map, old);
        return true;
    }
    HolNode *laid = lay(merge, old, child);
    if (!laid || laid == old)
        return laid != NULL;
    if (!old)
        return hol_node_append(merge->arena, map, laid);
    hol_node_replace(old, laid);
    return true;
}

static HolNode *empty_map_like(HolArena *arena, const HolNode *node)
{
    HolNode *map = hol_node_create(arena, HOL_MAP, node->place);
    if (!map || !node_copy_text(arena, node->key, &map->key))
        return NULL;
    map->key_place = node->key_place;
    return map;
}

static HolNode *lay(const Merge *merge, HolNode *base, const HolNode *over)
{
    if (over->type != HOL_MAP)
        return hol_node_copy(merge->arena, over);
    if (!base || base->type != HOL_MAP)
        base = empty_map_like(merge->arena, over);
    for (const HolNode *child = over->first; child && base; child = child->next) {
        if (!lay_child(merge, base, child))
            return NULL;
    }
    return base;
}

HolNode *hol_node_merge(HolArena *arena, HolNode *base, const HolNode *over)
{
    return lay(&(Merge){arena, false}, base, over);
}

HolNode *hol_node_merge_changes(HolArena *arena, HolNode *base, const HolNode *over)
{
    return lay(&(Merge){arena, true}, base, over);
}

const char *hol_node_type_name(const HolNode *node)
{
    static const char *const names[] = {[HOL_SCALAR] = "a single value", [HOL_LIST] = "a list", [HOL_MAP] = "a map"};
    return hol_node_is_null(node) ? "nothing" : names[node->type];
}
