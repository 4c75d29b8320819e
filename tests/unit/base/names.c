/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of names, and the arena's packed memory that it and texts live in. */
#include "base/names.h"

#include "check.h"

#include <stdint.h>
#include <time.h>

static HolArena *arena;
static HolNames *names;

static bool begin(void)
{
    arena = hol_arena_create();
    names = arena ? hol_names_create(arena) : NULL;
    return CHECK(names != NULL);
}

static void end(void)
{
    hol_arena_destroy(arena);
}

static const char *numbered(int i)
{
    char text[32];
    int length = snprintf(text, sizeof text, "crank%d", i);
    return hol_arena_text(arena, text, (size_t)length);
}

static void names_get_numbers_in_order(void)
{
    REQUIRE(begin());
    CHECK_EQUAL_INT(hol_names_count(names), 0);
    CHECK_EQUAL_INT(hol_names_find(names, "a"), -1);
    CHECK_EQUAL_INT(hol_names_find(names, ""), -1);
    for (int i = 0; i < 1000; i++)
        CHECK_EQUAL_INT(hol_names_add(names, numbered(i)), i);
    CHECK_EQUAL_INT(hol_names_count(names), 1000);
    for (int i = 0; i < 1000; i++) {
        CHECK_EQUAL_INT(hol_names_find(names, numbered(i)), i);
        CHECK_STRING(hol_names_get(names, i), numbered(i));
    }
    CHECK_EQUAL_INT(hol_names_find(names, "crank1000"), -1);
    CHECK_EQUAL_INT(hol_names_find(names, "crank"), -1);
    end();
}

static void the_empty_name_is_a_name(void)
{
    REQUIRE(begin());
    CHECK_EQUAL_INT(hol_names_add(names, ""), 0);
    CHECK_EQUAL_INT(hol_names_find(names, ""), 0);
    CHECK_EQUAL_INT(hol_names_find_part(names, "abc", 0), 0);
    end();
}

static void a_part_of_a_text_is_found(void)
{
    REQUIRE(begin());
    hol_names_add(names, "length");
    hol_names_add(names, "len");
    CHECK_EQUAL_INT(hol_names_find_part(names, "length*2", 6), 0);
    CHECK_EQUAL_INT(hol_names_find_part(names, "length*2", 3), 1);
    CHECK_EQUAL_INT(hol_names_find_part(names, "length*2", 4), -1);
    CHECK_EQUAL_INT(hol_names_find_part(names, "length*2", 8), -1);
    end();
}

static void the_nearest_name_is_found(void)
{
    REQUIRE(begin());
    CHECK(hol_names_nearest(names, "couplr") == NULL);
    hol_names_add(names, "crank");
    hol_names_add(names, "coupler");
    hol_names_add(names, "rocker");
    CHECK_STRING(hol_names_nearest(names, "couplr"), "coupler");
    CHECK_STRING(hol_names_nearest(names, "rockr"), "rocker");
    CHECK(hol_names_nearest(names, "suspension") == NULL);
    end();
}

/* Processor time of adding and finding so many names, each of them once. */
static double time_of(int count)
{
    if (!begin())
        return 0;
    clock_t start = clock();
    for (int i = 0; i < count; i++)
        hol_names_add(names, numbered(i));
    for (int i = 0; i < count; i++)
        CHECK(hol_names_find(names, numbered(i)) == i);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    end();
    return seconds;
}

/* Quadratic time would give a ratio of 256. */
static void time_is_linear(void)
{
    double small = time_of(25000), large = time_of(400000);
    CHECK(large < 80 * (small + 0.001));
}

static void memory_is_linear(void)
{
    REQUIRE(begin());
    for (int i = 0; i < 100000; i++)
        hol_names_add(names, numbered(i));
    CHECK(hol_arena_size(arena) < 100000 * 100);
    end();
}

static void texts_are_packed_copies(void)
{
    REQUIRE(begin());
    size_t before = hol_arena_size(arena);
    char source[] = "crank and more";
    char *text = hol_arena_text(arena, source, 5);
    char *none = hol_arena_text(arena, source, 0);
    memset(source, 'x', sizeof source - 1);
    CHECK_STRING(text, "crank");
    CHECK_STRING(none, "");
    CHECK_EQUAL_INT(hol_arena_size(arena) - before, 7);
    end();
}

/* Small pieces among texts and large pieces: aligned, zeroed, apart, little waste. */
static void small_pieces_are_aligned_zeroed_and_apart(void)
{
    enum { PIECES = 20000, SIZE = 40 };
    static unsigned char *pieces[PIECES];
    static char *texts[PIECES];
    REQUIRE(begin());
    for (int i = 0; i < PIECES; i++) {
        pieces[i] = hol_arena_small(arena, SIZE);
        texts[i] = hol_arena_text(arena, "abc", (size_t)(i % 4));
        double *line = i % 1000 == 0 ? hol_arena_doubles(arena, (size_t)i) : NULL;
        REQUIRE(pieces[i] != NULL && texts[i] != NULL);
        CHECK((uintptr_t)pieces[i] % 16 == 0 && (uintptr_t)line % 64 == 0);
        for (int k = 0; k < SIZE; k++)
            CHECK(pieces[i][k] == 0);
        memset(pieces[i], 1 + i % 255, SIZE);
    }
    for (int i = 0; i < PIECES; i++) {
        CHECK(strncmp(texts[i], "abc", (size_t)(i % 4)) == 0 && texts[i][i % 4] == '\0');
        for (int k = 0; k < SIZE; k++)
            CHECK(pieces[i][k] == 1 + i % 255);
    }
    end();
}

static void impossible_sizes_fail(void)
{
    REQUIRE(begin());
    CHECK(hol_arena_small(arena, SIZE_MAX) == NULL);
    CHECK(hol_arena_failed(arena));
    CHECK(hol_arena_text(arena, "", SIZE_MAX) == NULL);
    CHECK(hol_arena_small(arena, 0) != NULL);
    end();
}

CHECK_MAIN(TEST(names_get_numbers_in_order), TEST(the_empty_name_is_a_name), TEST(a_part_of_a_text_is_found),
           TEST(the_nearest_name_is_found), TEST(time_is_linear), TEST(memory_is_linear), TEST(texts_are_packed_copies),
           TEST(small_pieces_are_aligned_zeroed_and_apart), TEST(impossible_sizes_fail))
