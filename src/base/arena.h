/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that is allocated during set-up, frozen before the first step, and freed all at once.
 *
 * Allocating from a frozen arena is a programming error: it asserts, and returns NULL if assertions are off. */
#ifndef HOLON_BASE_ARENA_H
#define HOLON_BASE_ARENA_H

#include <holon/status.h>

#include <stdbool.h>
#include <stddef.h>

typedef struct HolArena HolArena;

/* The memory that an arena may hand out unless another limit is given, in bytes. */
#define HOL_MOST_MEMORY ((size_t)4000000000)

HolArena *hol_arena_create(void);                        /* NULL when out of memory */
HolArena *hol_arena_create_within(size_t limit);         /* 0: the same limit */
void hol_arena_set_limit(HolArena *arena, size_t limit); /* for what is allocated from now on */
size_t hol_arena_limit(const HolArena *arena);
/* Before this many bytes are allocated: HOL_NO_MEMORY if they exceed the limit. The purpose is a static text for
 * hol_arena_fail(): "the factorisation of ...". */
HolStatus hol_arena_expect(HolArena *arena, double bytes, const char *purpose);
/* What the limit has refused to scratch memory, for the sentence about the arena. */
void hol_arena_report(HolArena *arena, const HolArena *scratch);
/* HOL_NO_MEMORY and a sentence that begins with the owner, "the simulation": what the limit refused, or that memory is
 * exhausted. arena may be NULL. */
HolStatus hol_arena_fail(const HolArena *arena, const char *owner, HolMessage *message);
void hol_arena_destroy(HolArena *arena);
void hol_arena_freeze(HolArena *arena);

/* Zeroed, aligned to a cache line; NULL when out of memory. A size of zero gives a valid pointer. */
void *hol_arena_alloc(HolArena *arena, size_t size);
double *hol_arena_doubles(HolArena *arena, size_t count);
int *hol_arena_ints(HolArena *arena, size_t count);

/* Arrays of one size: HOL_DOUBLES(arena, nv, &x, &y) makes x and y. Failure shows in hol_arena_failed(). */
#define HOL_DOUBLES(arena, count, ...)                                                                                 \
    hol_arena_each_doubles(arena, (size_t)(count), (double **const[]){__VA_ARGS__, NULL})
#define HOL_INTS(arena, count, ...) hol_arena_each_ints(arena, (size_t)(count), (int **const[]){__VA_ARGS__, NULL})
void hol_arena_each_doubles(HolArena *arena, size_t count, double **const *arrays);
void hol_arena_each_ints(HolArena *arena, size_t count, int **const *arrays);

/* For many small things, packed: zeroed and aligned to 16; a terminated copy of length bytes, not aligned at all. */
void *hol_arena_small(HolArena *arena, size_t size);
char *hol_arena_text(HolArena *arena, const char *text, size_t length);

/* True if any allocation so far has failed: lets set-up code allocate a whole struct and ask once. */
int hol_arena_failed(const HolArena *arena);
HolStatus hol_arena_status(const HolArena *arena); /* HOL_NO_MEMORY after such a failure, else HOL_OK */
size_t hol_arena_size(const HolArena *arena);      /* bytes handed out */

#endif
