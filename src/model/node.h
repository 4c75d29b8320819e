/* SPDX-License-Identifier: BSD-3-Clause */
/* The contents of a model file: a tree of scalars, lists and maps, each with its place in the file. */
#ifndef HOLON_MODEL_NODE_H
#define HOLON_MODEL_NODE_H

#include "base/arena.h"
#include "base/names.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum HolNodeType { HOL_SCALAR, HOL_LIST, HOL_MAP } HolNodeType;

typedef struct HolPlace {
    const char *file; /* or "--set PATH"; NULL: nowhere */
    int line, column; /* from 1; line 0: no place inside */
} HolPlace;

typedef struct HolNode HolNode;
struct HolNode {
    HolNodeType type;
    bool is_quoted;     /* a scalar written in quotes */
    bool is_rewritten;  /* its text differs from the file at its place: escapes, several lines, repeated parts */
    int count;          /* children */
    HolPlace place;     /* of the value */
    HolPlace key_place; /* of its key, if it is in a map */
    const char *key;    /* NULL outside maps */
    const char *text;   /* of a scalar */
    HolNode *first, *last, *next, *previous;
    HolNames *index; /* of the keys, where a map is large */
    HolNode **by_index;
};

/* NULL when out of memory. Key and text are to be set by the caller, who copies them with hol_arena_text() where they
 * are not kept elsewhere. */
HolNode *hol_node_create(HolArena *arena, HolNodeType type, HolPlace place);
/* Appends a child; in a map its key must be set and new. False when out of memory. */
bool hol_node_append(HolArena *arena, HolNode *parent, HolNode *child);
HolNode *hol_node_find(const HolNode *map, const char *key); /* NULL if not there, or if map is NULL or not a map */
/* The key of the map most like this one, or NULL; for "did you mean". */
const char *hol_node_nearest(HolArena *arena, const HolNode *map, const char *key);
void hol_node_remove(HolNode *parent, HolNode *child);
/* The node takes over the content of `by`, which must not be used any more, and keeps its key and its neighbours. */
void hol_node_replace(HolNode *node, const HolNode *by);
/* Deep, with keys and texts; only the files' names in the places are shared. NULL when out of memory. */
HolNode *hol_node_copy(HolArena *arena, const HolNode *node);
/* `hash` continued with keys, texts and structure. */
uint64_t hol_node_hash(uint64_t hash, const HolNode *node);
bool hol_node_is_null(const HolNode *node); /* ~, null or nothing, not in quotes */

/* Merges `over` into `base` (which may be NULL) and returns the result, made of base and of copies: maps are merged key
 * by key, entries of `repeat` with those of the same loop; nulls remove, anything else replaces. NULL when out of
 * memory. */
HolNode *hol_node_merge(HolArena *arena, HolNode *base, const HolNode *over);
/* The same for changes that are merged into a model later: nulls are kept. */
HolNode *hol_node_merge_changes(HolArena *arena, HolNode *base, const HolNode *over);

/* "a single value", "nothing" for a null, "a list", "a map" */
const char *hol_node_type_name(const HolNode *node);

#endif
