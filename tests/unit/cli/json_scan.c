/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/report/json_scan.h"

#include "check.h"

#include <string.h>

static void the_grammar_is_known(void)
{
    static const char *const good[] = {"0",
                                       "-1.5e-3",
                                       "1E+2",
                                       "\"\"",
                                       "\"a\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\"",
                                       "true",
                                       "false",
                                       "null",
                                       "[]",
                                       "{}",
                                       " [ 1 , [ ] , { } ] ",
                                       "{\"a\": 1, \"b\": [2, {\"c\": null}]}\n",
                                       "\"\xc3\xa9\"",
                                       "-0",
                                       "10.25"};
    static const char *const bad[] = {
        "",       " ",       "01",       "+1",        ".5",          "1.",     "1e",       "-",
        "\"",     "\"a",     "\"\\x\"",  "\"\\u12\"", "\"\\u12g4\"", "\"\t\"", "\"\x1f\"", "tru",
        "nul",    "[",       "[1",       "[1,",       "[1,]",        "[,]",    "[1 2]",    "{",
        "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "{\"a\":1,}",  "{a:1}",  "{1:2}",    "{\"a\" 1}",
        "]",      "1 2",     "[] x",     "{}}",       "nan",         "'a'",    "\"\\"};
    for (size_t i = 0; i < sizeof good / sizeof *good; ++i) {
        CHECK_CONTEXT("%s", good[i]);
        CHECK(cli_json_is_valid(good[i]));
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        CHECK_CONTEXT("%s", bad[i]);
        CHECK(!cli_json_is_valid(bad[i]));
    }
}

/* What is nested too deeply is no scene, and must not use up the stack. */
static void depth_is_limited(void)
{
    static char text[200001];
    memset(text, '[', 100000);
    memset(text + 100000, ']', 100000);
    CHECK(!cli_json_is_valid(text));
    CHECK(cli_json_is_valid("[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]"));
}

static void members_and_entries_are_found(void)
{
    const char *text = " {\"a\": [1, {\"x\": \"]\"}, \"last\"], \"\\u0062\": \"q\\\"uote\", \"a\": 2, \"d\": {}}";
    const char *array = cli_json_member(text, "a");
    REQUIRE(array && cli_json_is_valid(text));
    const char *first = cli_json_first(array), *second = first ? cli_json_next(first) : NULL;
    REQUIRE(first && second && *first == '1');
    CHECK(cli_json_is_text(cli_json_member(second, "x"), "]"));
    CHECK_EQUAL_INT(cli_json_length(first), 1);
    CHECK_EQUAL_INT(cli_json_length(cli_json_member(second, "x")), 3);
    CHECK(cli_json_length(second) > 5 && second[cli_json_length(second) - 1] == '}');
    const char *third = cli_json_next(second);
    REQUIRE(third);
    CHECK(cli_json_is_text(third, "last"));
    CHECK(cli_json_next(third) == NULL);
    CHECK(cli_json_is_text(cli_json_member(text, "b"), "q\"uote"));
    CHECK(cli_json_member(text, "c") == NULL);
    CHECK(cli_json_member(array, "a") == NULL);
    CHECK(cli_json_first(cli_json_member(text, "d")) == NULL);
    CHECK(cli_json_first("[ ]") == NULL);
}

static void texts_are_compared_whole(void)
{
    CHECK(cli_json_is_text("\"crank.x\"", "crank.x"));
    CHECK(!cli_json_is_text("\"crank.x\"", "crank"));
    CHECK(!cli_json_is_text("\"crank\"", "crank.x"));
    CHECK(!cli_json_is_text("\"\"", "a"));
    CHECK(cli_json_is_text("\"\"", ""));
    CHECK(!cli_json_is_text("1", "1"));
    CHECK(!cli_json_is_text(NULL, "1"));
    CHECK(!cli_json_is_text("\"a\\u0000b\"", "a\0b")); /* the text ends before its NUL */
    CHECK(!cli_json_is_text("\"\\u0000\"", ""));
    CHECK(cli_json_is_text("\"\xc3\xa9\\u003c\"", "\xc3\xa9<"));
}

CHECK_MAIN(TEST(the_grammar_is_known), TEST(depth_is_limited), TEST(members_and_entries_are_found),
           TEST(texts_are_compared_whole))
