/* SPDX-License-Identifier: BSD-3-Clause */
/* Limits: parsed, checked, and obeyed before anything large happens. Texts that reach a terminal cannot steer it. */
#include <holon/holon.h>

#include "base/arena.h"
#include "check.h"

#include <string.h>

static void limits_are_parsed(void)
{
    HolLimits limits = hol_limits();
    CHECK(limits.parts == 1e6 && limits.memory == 4e9 && limits.file == 64e6);
    CHECK_OK(hol_limits_parse("parts=2000", &limits, NULL));
    CHECK_OK(hol_limits_parse("memory=16GB", &limits, NULL));
    CHECK_OK(hol_limits_parse("file=200kB", &limits, NULL));
    CHECK(limits.parts == 2000 && limits.memory == 16e9 && limits.file == 200e3);
}

static void wrong_limits_are_refused(void)
{
    static const char *const wrong[] = {"",          "parts",      "parts=",      "parts=0",   "parts=-1",
                                        "parts=nan", "parts=2GB",  "memory=1e30", "memory=GB", "file=many",
                                        "speed=1",   "parts=1e10", "memory=1 XB", "=3",        "file=1e300MB"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        HolLimits limits = hol_limits(), before = limits;
        HolMessage message = {{0}};
        CHECK_CONTEXT("'%s'", wrong[i]);
        CHECK_STATUS(hol_limits_parse(wrong[i], &limits, &message), HOL_BAD_INPUT);
        CHECK(message.text[0] && memcmp(&limits, &before, sizeof limits) == 0);
    }
}

static HolModel *limited(const char *limit)
{
    HolLimits limits = hol_limits();
    HolModel *model = hol_model_create();
    CHECK_OK(hol_limits_parse(limit, &limits, NULL));
    CHECK(model && hol_model_set_limits(model, &limits, NULL) == HOL_OK);
    return model;
}

/* What costs time or memory counts, not only the parts: a million visits of repeats that are empty, and large parts. */
static void large_parts_and_empty_repeats_count(void)
{
    static const char *const entries[] = {
        ("{for: i, from: 1, to: 300, repeat: [{for: j, from: 2, to: 1, points: {P: [i, j]}},"
         " {for: k, from: 2, to: 1, points: {P: [i, k]}}, {for: l, from: 2, to: 1, points: {P: [i, l]}}]}"),
        "{for: i, from: 1, to: 300, bodies: {b$i: {particle: [0, i], mass: \"%s\"}}}",
        "{for: i, from: 1, to: 300, bodies: {b$i: {rigid: [0, i], mass: 1, inertia: 1, outline: [%s]}}}"};
    static const char *const units[] = {"", "1 + ", "[0, 1], "};
    for (int i = 0; i < 3; ++i) {
        char filling[1001] = "", entry[2000], text[3000];
        CHECK_CONTEXT("%s", entries[i]);
        while (units[i][0] && strlen(filling) < 900)
            strcat(filling, units[i]);
        strcat(filling, i == 1 ? "1" : "[0, 2]");
        snprintf(entry, sizeof entry, entries[i], filling);
        snprintf(text, sizeof text, "plane: xy\nrepeat: [%s]\n", entry);
        HolModel *model = limited("parts=1000");
        HolMechanism *mechanism = NULL;
        REQUIRE_OK(hol_model_parse(model, text, "x.yaml"));
        CHECK_STATUS(hol_mechanism_create(model, &mechanism), HOL_BAD_INPUT);
        CHECK_CONTAINS(hol_model_error(model, 0), "more than 1000 parts are repeated");
        hol_mechanism_destroy(mechanism);
        hol_model_destroy(model);
    }
}

static void parts_are_counted_before_they_are_made(void)
{
    static const char text[] = "plane: xy\nbodies: {a: {disc: [0, 0], radius: 1, mass: 1}}\n"
                               "repeat: [{for: i, from: 1, to: 50, repeat: [{for: j, from: 1, to: i,"
                               " points: {P$(i)_$j: [i, j]}}]}]\n";
    static const char *const words[] = {"parts=1324", "parts=1325"}; /* 50 + 50 51/2 */
    for (int i = 0; i < 2; ++i) {
        HolModel *model = limited(words[i]);
        HolMechanism *mechanism = NULL;
        CHECK_CONTEXT("%s", words[i]);
        REQUIRE_OK(hol_model_parse(model, text, "x.yaml"));
        (void)hol_mechanism_create(model, &mechanism);
        bool is_refused = hol_model_error_count(model) > 0 && strstr(hol_model_error(model, 0), "parts are repeated");
        CHECK(is_refused == (i == 0));
        hol_mechanism_destroy(mechanism);
        hol_model_destroy(model);
    }
}

/* Joints that are all on one body couple all their equations. */
static void memory_is_refused_before_it_is_taken(void)
{
    static const char text[] = "bodies: {bar: {bar: [[0, 0, 0], [1, 0, 0]], mass: 1}}\n"
                               "repeat: [{for: i, from: 1, to: 200, joints: "
                               "{J$i: {revolute: [ground, bar], at: [0, 0, 0], axis: z}}}]\n";
    static const char *const words[] = {"memory=2MB", "memory=1GB"};
    for (int i = 0; i < 2; ++i) {
        HolModel *model = limited(words[i]);
        HolMechanism *mechanism = NULL;
        HolMessage message = {{0}};
        CHECK_CONTEXT("%s", words[i]);
        REQUIRE_OK(hol_model_parse(model, text, "x.yaml"));
        REQUIRE_OK(hol_mechanism_create(model, &mechanism));
        CHECK_STATUS(hol_mechanism_assemble(mechanism, &message), i == 0 ? HOL_NO_MEMORY : HOL_OK);
        if (i == 0) {
            CHECK_CONTAINS(message.text, "the limit of 0.002 GB");
            CHECK_CONTAINS(message.text, "--limit memory=");
        }
        hol_mechanism_destroy(mechanism);
        hol_model_destroy(model);
    }
}

static void an_arena_keeps_its_limit(void)
{
    HolMessage message;
    HolArena *arena = hol_arena_create_within(1000);
    REQUIRE(arena != NULL);
    CHECK(hol_arena_alloc(arena, 600) != NULL);
    CHECK_STATUS(hol_arena_expect(arena, 300, "a test"), HOL_OK);
    CHECK_STATUS(hol_arena_expect(arena, 3e12, "a test"), HOL_NO_MEMORY);
    CHECK_STATUS(hol_arena_fail(arena, "the owner", &message), HOL_NO_MEMORY);
    CHECK_CONTAINS(message.text, "the owner needs more memory than the limit of 1e-06 GB: 3e+03 GB for a test");
    CHECK(hol_arena_failed(arena));
    hol_arena_destroy(arena);
}

static void texts_cannot_steer_a_terminal(void)
{
    static const char *const pairs[][2] = {
        {"plain, \xc3\xa4 \xe2\x82\xac \xf0\x9f\x94\xa9", "plain, \xc3\xa4 \xe2\x82\xac \xf0\x9f\x94\xa9"},
        {"\x1b[31mred", "?[31mred"},
        {"a\nb\tc\rd", "a b c d"},
        {"bell\x07 del\x7f", "bell? del?"},
        {"c1 \xc2\x9b"
         "31m",
         "c1 ??31m"},
        {"bidi \xe2\x80\xae \xe2\x81\xa6", "bidi \xef\xbf\xbd \xef\xbf\xbd"},
        {"not UTF-8 \xff \xc3", "not UTF-8 ? ?"},
        {"surrogate \xed\xa0\x80", "surrogate ???"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; ++i) {
        char text[64];
        HolMessage message;
        snprintf(text, sizeof text, "%s", pairs[i][0]);
        CHECK_STRING(hol_make_printable(text), pairs[i][1]);
        hol_fail(&message, HOL_OK, "%s", pairs[i][0]);
        CHECK_STRING(message.text, pairs[i][1]);
    }
}

CHECK_MAIN(TEST(limits_are_parsed), TEST(wrong_limits_are_refused), TEST(large_parts_and_empty_repeats_count),
           TEST(parts_are_counted_before_they_are_made), TEST(memory_is_refused_before_it_is_taken),
           TEST(an_arena_keeps_its_limit), TEST(texts_cannot_steer_a_terminal))
