/* SPDX-License-Identifier: BSD-3-Clause */
#include "json.h"

#include "check.h"

#include <stdlib.h>

/* What is written between begin and end; freed by the caller. */
typedef struct Page {
    char *text;
    size_t size;
    FILE *file;
    CliJson json;
} Page;

static void open_page(Page *page)
{
    page->file = open_memstream(&page->text, &page->size);
    page->json = cli_json_begin(page->file);
}

static void check_page(Page *page, const char *expected)
{
    fclose(page->file);
    CHECK_STRING(page->text, expected);
    free(page->text);
}

static void an_object_has_members(void)
{
    Page page = {.text = NULL};
    open_page(&page);
    cli_json_object(&page.json, NULL);
    cli_json_text(&page.json, "a", "b");
    cli_json_number(&page.json, "x", 0.1);
    cli_json_whole(&page.json, "n", -3);
    cli_json_flag(&page.json, "yes", true);
    cli_json_flag(&page.json, "no", false);
    cli_json_null(&page.json, "nothing");
    cli_json_text(&page.json, "none", NULL);
    cli_json_end(&page.json);
    check_page(&page, "{\n  \"a\": \"b\",\n  \"x\": 0.1,\n  \"n\": -3,\n  \"yes\": true,\n  \"no\": false,\n"
                      "  \"nothing\": null,\n  \"none\": null\n}\n");
}

static void levels_nest(void)
{
    Page page = {.text = NULL};
    open_page(&page);
    cli_json_array(&page.json, NULL);
    cli_json_object(&page.json, NULL);
    cli_json_array(&page.json, "empty");
    cli_json_end(&page.json);
    cli_json_end(&page.json);
    cli_json_whole(&page.json, NULL, 7);
    cli_json_object(&page.json, NULL);
    cli_json_end(&page.json);
    cli_json_end(&page.json);
    check_page(&page, "[\n  {\n    \"empty\": []\n  },\n  7,\n  {}\n]\n");
}

static void numbers_that_are_not_finite_are_null(void)
{
    static const double numbers[] = {NAN, INFINITY, -INFINITY, 1e300, -0.0};
    Page page = {.text = NULL};
    open_page(&page);
    cli_json_array(&page.json, NULL);
    for (int i = 0; i < 5; ++i)
        cli_json_number(&page.json, NULL, numbers[i]);
    cli_json_end(&page.json);
    check_page(&page, "[\n  null,\n  null,\n  null,\n  1e+300,\n  -0\n]\n");
}

static void texts_are_escaped(void)
{
    static const char *const pairs[][2] = {
        {"say \"x\\y\"", "\"say \\\"x\\\\y\\\"\""},
        {"a\nb\tc\x01\x7f", "\"a\\nb\\tc\\u0001\\u007f\""},
        {"gr\xc3\xb6\xc3\x9f"
         "er \xe2\x89\xa5 \xf0\x9f\x98\x80",
         "\"gr\xc3\xb6\xc3\x9f"
         "er \xe2\x89\xa5 \xf0\x9f\x98\x80\""},
        {"\xff\xfe", "\"\\ufffd\\ufffd\""},
        {"cut \xc3", "\"cut \\ufffd\""},
        {"overlong \xc0\xaf", "\"overlong \\ufffd\\ufffd\""},
        {"surrogate \xed\xa0\x80", "\"surrogate \\ufffd\\ufffd\\ufffd\""},
        {"too large \xf4\x90\x80\x80", "\"too large \\ufffd\\ufffd\\ufffd\\ufffd\""},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; ++i) {
        Page page = {.text = NULL};
        open_page(&page);
        cli_json_text(&page.json, NULL, pairs[i][0]);
        check_page(&page, pairs[i][1]);
    }
}

/* Levels beyond the deepest are null, and what belongs to them is left out; the rest is as it should be. */
static void levels_that_are_too_deep_are_null(void)
{
    Page page = {.text = NULL};
    open_page(&page);
    for (int i = 0; i < 1000; ++i)
        cli_json_array(&page.json, NULL);
    cli_json_whole(&page.json, NULL, 7);
    for (int i = 0; i < 1000 - CLI_JSON_DEEPEST; ++i)
        cli_json_end(&page.json);
    cli_json_flag(&page.json, NULL, true);
    for (int i = 0; i < CLI_JSON_DEEPEST; ++i)
        cli_json_end(&page.json);
    cli_json_end(&page.json); /* nothing is open */
    fclose(page.file);
    CHECK_CONTAINS(page.text, "null,");
    CHECK_CONTAINS(page.text, "true");
    CHECK(strchr(page.text, '7') == NULL);
    int balance = 0, deepest = 0;
    for (const char *c = page.text; *c; ++c) {
        balance += (*c == '[') - (*c == ']');
        deepest = balance > deepest ? balance : deepest;
    }
    CHECK_EQUAL_INT(balance, 0);
    CHECK_EQUAL_INT(deepest, CLI_JSON_DEEPEST);
    free(page.text);
}

CHECK_MAIN(TEST(an_object_has_members), TEST(levels_nest), TEST(numbers_that_are_not_finite_are_null),
           TEST(texts_are_escaped), TEST(levels_that_are_too_deep_are_null))
