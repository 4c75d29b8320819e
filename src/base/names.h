/* SPDX-License-Identifier: BSD-3-Clause */
/* A table from names to numbers 0, 1, 2, ... in the order of adding; finding takes constant time. */
#ifndef HOLON_BASE_NAMES_H
#define HOLON_BASE_NAMES_H

#include "base/arena.h"

typedef struct HolNames HolNames;

/* Grows inside the arena. NULL when out of memory. */
HolNames *hol_names_create(HolArena *arena);
/* The number of the new name, or -1 when out of memory. The name is not copied. It must not be there yet. */
int hol_names_add(HolNames *names, const char *name);
int hol_names_find(const HolNames *names, const char *name); /* -1: not there */
/* The same of a part of a text; it must not contain a NUL. */
int hol_names_find_part(const HolNames *names, const char *name, size_t length);
int hol_names_count(const HolNames *names);
const char *hol_names_get(const HolNames *names, int index);
/* The known name nearest to the one given, or NULL if none is near. */
const char *hol_names_nearest(const HolNames *names, const char *name);

#endif
