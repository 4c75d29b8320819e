/* SPDX-License-Identifier: BSD-3-Clause */
#include <holon/results.h>

#include "wrong_arguments.h"

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
    REFUSED("hol_results_create: path", hol_results_create(NULL, columns, 2, &results, message));
    CHECK(results == NULL);
    REFUSED("hol_results_create: columns", hol_results_create(path, NULL, 2, &results, message));
    REFUSED("hol_results_create: columns[1]", hol_results_create(path, hole, 2, &results, message));
    REFUSED("hol_results_create: results", hol_results_create(path, columns, 2, NULL, message));
    REFUSED("hol_results_create: column_count", hol_results_create(path, columns, 0, &results, message));
    REFUSED("hol_results_create: column_count", hol_results_create(path, columns, -1, &results, message));
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

static void wrong_hol_results_finish(void)
{
    CHECK_STATUS(hol_results_finish(NULL), HOL_BAD_INPUT);
}

static void wrong_hol_results_destroy(void)
{
    hol_results_destroy(NULL);
    CHECK(true);
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

WRONG_ARGUMENTS_MAIN()
