/* SPDX-License-Identifier: BSD-3-Clause */
#include <holon/results.h>

#include "wrong_arguments.h"

#include <stdlib.h>
#include <unistd.h>

static const char *const columns[] = {"t", "x"};
static const double row[] = {0, 1};
static const char path[] = "wrong_arguments.csv";

static HolResults *created(void)
{
    HolResults *results = NULL;
    CHECK_OK(hol_results_create(path, columns, 2, &results, NULL));
    return results;
}

/* A file with one row. */
static HolResultsReader *opened(void)
{
    HolResultsReader *reader = NULL;
    HolResults *results = created();
    CHECK_OK(hol_results_add(results, row));
    hol_results_destroy(results);
    CHECK_OK(hol_results_open(path, &reader, NULL));
    unlink(path);
    return reader;
}

static void wrong_hol_results_create(void)
{
    static const char *const hole[] = {"t", NULL};
    HolResults *results = (HolResults *)&said;
    unlink(path); /* of a test that crashed */
    REFUSED("hol_results_create: path", hol_results_create(NULL, columns, 2, &results, message));
    CHECK(results == NULL);
    REFUSED("hol_results_create: columns", hol_results_create(path, NULL, 2, &results, message));
    REFUSED("hol_results_create: columns[1]", hol_results_create(path, hole, 2, &results, message));
    REFUSED("hol_results_create: results", hol_results_create(path, columns, 2, NULL, message));
    REFUSED("hol_results_create: column_count", hol_results_create(path, columns, 0, &results, message));
    REFUSED("hol_results_create: column_count", hol_results_create(path, columns, -1, &results, message));
    for (int i = 0; i < 2; ++i) {
        const char *const broken[] = {"t", i ? "a\rb" : "a\nb"};
        REFUSED("column 1 contains a line break", hol_results_create(path, broken, 2, &results, message));
        CHECK(results == NULL);
    }
    REFUSED("must end in", hol_results_create("", columns, 2, &results, message));
    REFUSED(".txt", hol_results_create("x.txt", columns, 2, &results, message));
    CHECK(results == NULL);
    CHECK(access(path, F_OK) != 0); /* nothing was written */
}

static void wrong_hol_results_add(void)
{
    HolResults *results = created();
    CHECK_STATUS(hol_results_add(NULL, row), HOL_BAD_INPUT);
    CHECK_STATUS(hol_results_add(results, NULL), HOL_BAD_INPUT);
    CHECK_CONTAINS(hol_results_message(results), "hol_results_add: values");
    CHECK_OK(hol_results_add(results, row)); /* the file is as good as before */
    CHECK_OK(hol_results_finish(results));
    CHECK_STATUS(hol_results_add(results, row), HOL_BAD_INPUT);
    hol_results_destroy(results);
    unlink(path);
}

static void wrong_hol_results_attach(void)
{
    HolResults *results = created();
    REFUSED("hol_results_attach: results", hol_results_attach(NULL, "{}", message));
    REFUSED("hol_results_attach: text", hol_results_attach(results, NULL, message));
    hol_results_destroy(results);
    unlink(path);
}

static void wrong_hol_results_flush_due(void)
{
    HolResults *results = created();
    CHECK_STATUS(hol_results_flush_due(NULL), HOL_BAD_INPUT);
    CHECK_OK(hol_results_flush_due(results)); /* without a row */
    CHECK_OK(hol_results_finish(results));
    CHECK_OK(hol_results_flush_due(results)); /* it is complete */
    hol_results_destroy(results);
    unlink(path);
}

static void wrong_hol_results_sync(void)
{
    HolResults *results = created();
    CHECK_STATUS(hol_results_sync(NULL), HOL_BAD_INPUT);
    CHECK_OK(hol_results_sync(results)); /* without a row */
    CHECK_OK(hol_results_finish(results));
    CHECK_OK(hol_results_sync(results)); /* it is complete */
    hol_results_destroy(results);
    unlink(path);
}

static void wrong_hol_results_finish(void)
{
    CHECK_STATUS(hol_results_finish(NULL), HOL_BAD_INPUT);
}

static void wrong_hol_results_destroy(void)
{
    hol_results_destroy(NULL);
    CHECK(true);
}

static void wrong_hol_results_discard(void)
{
    hol_results_discard(NULL);
    hol_results_discard(created());
    CHECK(access(path, F_OK) != 0);
}

static void wrong_hol_results_continue(void)
{
#define CONTINUE(path, list, count, rows) hol_results_continue(path, list, count, rows, &results, message)
    static const char *const hole[] = {"t", NULL}, *const others[] = {"t", "y"};
    HolResults *results = created();
    CHECK_OK(hol_results_add(results, row));
    hol_results_destroy(results);
    REFUSED("hol_results_continue: path", CONTINUE(NULL, columns, 2, 1));
    CHECK(results == NULL);
    REFUSED("hol_results_continue: columns", CONTINUE(path, NULL, 2, 1));
    REFUSED("hol_results_continue: columns[1]", CONTINUE(path, hole, 2, 1));
    REFUSED("hol_results_continue: column_count", CONTINUE(path, columns, 0, 1));
    REFUSED("hol_results_continue: column_count", CONTINUE(path, columns, INT_MIN, 1));
    REFUSED("hol_results_continue: row_count", CONTINUE(path, columns, 2, -1));
    REFUSED("hol_results_continue: results", hol_results_continue(path, columns, 2, 1, NULL, message));
    REFUSED("cannot be continued", CONTINUE(path, columns, 2, 2));
    REFUSED("cannot be continued", CONTINUE(path, columns, 1, 1));
    REFUSED("cannot be continued", CONTINUE(path, others, 2, 1));
    REFUSED(".txt", CONTINUE("x.txt", columns, 2, 1));
    CHECK(results == NULL);
    CHECK_OK(CONTINUE(path, columns, 2, 1)); /* the file is as before */
    hol_results_destroy(results);
    unlink(path);
}

static void wrong_hol_results_has_name(void)
{
    CHECK(!hol_results_has_name(NULL));
}

static void wrong_hol_results_path(void)
{
    CHECK_STRING(hol_results_path(NULL), "");
}

static void wrong_hol_results_row_count(void)
{
    CHECK_EQUAL_INT(hol_results_row_count(NULL), 0);
}

static void wrong_hol_results_message(void)
{
    CHECK_STRING(hol_results_message(NULL), "");
}

static void wrong_hol_results_ending(void)
{
    for (int i = 0; i < WRONG_INDICES; ++i)
        CHECK_STRING(hol_results_ending(wrong_indices[i]), "");
    CHECK_STRING(hol_results_ending(3), "");
}

static void wrong_hol_results_open(void)
{
    HolResultsReader *reader = (HolResultsReader *)&said;
    REFUSED("hol_results_open: path", hol_results_open(NULL, &reader, message));
    CHECK(reader == NULL);
    REFUSED("hol_results_open: reader", hol_results_open(path, NULL, message));
    REFUSED("must end in", hol_results_open("", &reader, message));
    REFUSED("nothing.csv", hol_results_open("nothing.csv", &reader, message));
    CHECK(reader == NULL);
}

static void wrong_hol_results_close(void)
{
    hol_results_close(NULL);
    CHECK(true);
}

static void wrong_hol_results_column_count(void)
{
    CHECK_EQUAL_INT(hol_results_column_count(NULL), 0);
}

static void wrong_hol_results_column(void)
{
    HolResultsReader *reader = opened();
    CHECK_STRING(hol_results_column(NULL, 0), "");
    CHECK_STRING(hol_results_column(reader, 2), "");
    for (int i = 0; i < WRONG_INDICES; ++i)
        CHECK_STRING(hol_results_column(reader, wrong_indices[i]), "");
    hol_results_close(reader);
}

static void wrong_hol_results_attached(void)
{
    CHECK(hol_results_attached(NULL) == NULL);
}

static void wrong_hol_results_next(void)
{
    HolResultsReader *reader = opened();
    double values[2] = {0, 0};
    bool more = false;
    REFUSED("hol_results_next: reader", hol_results_next(NULL, values, &more, message));
    REFUSED("hol_results_next: values", hol_results_next(reader, NULL, &more, message));
    REFUSED("hol_results_next: more", hol_results_next(reader, values, NULL, message));
    CHECK_OK(hol_results_next(reader, values, &more, message)); /* no row was lost */
    CHECK(more && values[1] == 1);
    hol_results_close(reader);
}

static void wrong_hol_results_is_incomplete(void)
{
    CHECK(!hol_results_is_incomplete(NULL));
}

static void wrong_hol_text_open(void)
{
    char *text;
    size_t size;
    CHECK(hol_text_open(NULL, &size) == NULL);
    CHECK(hol_text_open(&text, NULL) == NULL);
}

static void wrong_hol_text_close(void)
{
    char *text = NULL;
    size_t size;
    CHECK(!hol_text_close(NULL, NULL));
    CHECK(!hol_text_close(NULL, &text));
    CHECK(!hol_text_close(hol_text_open(&text, &size), NULL));
    free(text);
}

static void wrong_hol_file_check(void)
{
    REFUSED("hol_file_check: path", hol_file_check(NULL, message));
    CHECK_STATUS(hol_file_check("", message), HOL_NOT_WRITTEN);
    CHECK_STATUS(hol_file_check(".", message), HOL_NOT_WRITTEN);
    CHECK_STATUS(hol_file_check("no/such/folder", message), HOL_NOT_WRITTEN);
    CHECK_OK(hol_file_check(path, message));
    CHECK(access(path, F_OK) != 0);
}

static void wrong_hol_file_write(void)
{
    REFUSED("hol_file_write: path", hol_file_write(NULL, "x", 1, message));
    REFUSED("hol_file_write: text", hol_file_write(path, NULL, 1, message));
    CHECK_STATUS(hol_file_write("", "x", 1, message), HOL_NOT_WRITTEN);
    CHECK_STATUS(hol_file_write(".", "x", 1, message), HOL_NOT_WRITTEN);
    CHECK(access(path, F_OK) != 0); /* nothing was written */
}

static void wrong_hol_file_hold(void)
{
    HolHeldFile *held = NULL;
    REFUSED("hol_file_hold: held", hol_file_hold(path, NULL, message));
    REFUSED("hol_file_hold: path", hol_file_hold(NULL, &held, message));
    CHECK_STATUS(hol_file_hold("", &held, message), HOL_NOT_WRITTEN);
    CHECK_STATUS(hol_file_hold(".", &held, message), HOL_NOT_WRITTEN);
    CHECK(held == NULL);
}

static void wrong_hol_file_replace(void)
{
    HolHeldFile *held = NULL;
    REFUSED("hol_file_replace: held", hol_file_replace(NULL, "x", 1, message));
    REQUIRE_OK(hol_file_hold(path, &held, message));
    REFUSED("hol_file_replace: text", hol_file_replace(held, NULL, 1, message));
    hol_file_release(held);
    CHECK(access(path, F_OK) != 0); /* nothing was written */
}

static void wrong_hol_file_remove(void)
{
    HolHeldFile *held = NULL;
    REFUSED("hol_file_remove: held", hol_file_remove(NULL, message));
    REQUIRE_OK(hol_file_hold(path, &held, message));
    CHECK_OK(hol_file_remove(held, message)); /* there is none */
    hol_file_release(held);
}

static void wrong_hol_file_release(void)
{
    hol_file_release(NULL);
    CHECK(access(path, F_OK) != 0); /* nothing was written */
}

WRONG_ARGUMENTS_MAIN()
