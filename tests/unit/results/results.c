/* SPDX-License-Identifier: BSD-3-Clause */
#include <holon/results.h>

#include "allocations.h"
#include "check.h"

#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST = 1 << 20 };

static const char *const columns[] = {"t", "crank.phi", "it's, \"odd\""};
static char path[64];

/* A fresh name in a folder of temporary files; the file is removed by forget(). */
static const char *fresh(const char *ending)
{
    snprintf(path, sizeof path, "/%s/holon-results-%d%s", "tmp", (int)getpid(), ending);
    unlink(path);
    return path;
}

static void forget(void)
{
    unlink(path);
}

static size_t load(char *text)
{
    FILE *file = fopen(path, "rb");
    size_t size = file ? fread(text, 1, MOST - 1, file) : 0;
    text[size] = '\0';
    if (file)
        fclose(file);
    return size;
}

static HolResults *begin(const char *ending)
{
    HolResults *results = NULL;
    HolMessage message;
    CHECK_OK(hol_results_create(fresh(ending), columns, 3, &results, &message));
    return results;
}

static void csv_has_names_and_short_numbers(void)
{
    char *text = malloc(MOST);
    HolResults *results = begin(".csv");
    REQUIRE(text && results);
    CHECK_OK(hol_results_add(results, (double[]){0, 0.1, -1e-20}));
    CHECK_OK(hol_results_add(results, (double[]){1e-3, NAN, 1.0 / 3}));
    CHECK_EQUAL_INT(hol_results_row_count(results), 2);
    CHECK_OK(hol_results_finish(results));
    CHECK_STRING(hol_results_message(results), "");
    hol_results_destroy(results);
    load(text);
    CHECK_STRING(text, "t,crank.phi,\"it's, \"\"odd\"\"\"\n0,0.1,-1e-20\n0.001,nan,0.3333333333333333\n");
    free(text);
    forget();
}

/* The header must be a multiple of 64, say the rows and end in a line break; the numbers follow as they are. */
static void npy_has_a_header_and_the_numbers(void)
{
    char *text = malloc(MOST);
    double rows[2][3] = {{0, 1, 2}, {3, 4, NAN}};
    HolResults *results = begin(".npy");
    REQUIRE(text && results);
    CHECK_OK(hol_results_add(results, rows[0]));
    CHECK_OK(hol_results_add(results, rows[1]));
    CHECK_OK(hol_results_finish(results));
    hol_results_destroy(results);
    size_t size = load(text), header = 10 + (unsigned char)text[8] + 256u * (unsigned char)text[9];
    CHECK(memcmp(text, "\x93NUMPY\x01\x00", 8) == 0);
    CHECK_EQUAL_INT(header % 64, 0);
    CHECK_EQUAL_INT(size, header + sizeof rows);
    CHECK(memcmp(text + header, rows, sizeof rows) == 0);
    CHECK(text[header - 1] == '\n');
    text[header - 1] = '\0';
    CHECK_CONTAINS(text + 10, "{'descr': [('t', '<f8'), ('crank.phi', '<f8'), ('it\\'s, \"odd\"', '<f8'), ], ");
    CHECK_CONTAINS(text + 10, "'fortran_order': False, 'shape': (2,), }   ");
    free(text);
    forget();
}

static HolResults *begin_wide(int count, const char *name)
{
    HolResults *results = NULL;
    HolMessage message;
    const char **names = malloc((size_t)count * sizeof *names);
    for (int i = 0; names && i < count; ++i)
        names[i] = name;
    CHECK_OK(hol_results_create(fresh(".npy"), names, count, &results, &message));
    free(names);
    return results;
}

/* Many columns do not fit two bytes of length; names beyond ASCII need version 3. */
static void npy_headers_grow(void)
{
    static const struct {
        int count;
        const char *name;
        int version;
    } cases[] = {{3, "a", 1},
                 {5000, "a_longer_name", 2},
                 {3,
                  "gr\xc3\xb6\xc3\x9f"
                  "e",
                  3}};
    char *text = malloc(MOST);
    REQUIRE(text != NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        CHECK_CONTEXT("%d columns '%s'", cases[i].count, cases[i].name);
        HolResults *results = begin_wide(cases[i].count, cases[i].name);
        double *row = calloc((size_t)cases[i].count, sizeof *row);
        REQUIRE(results && row);
        CHECK_OK(hol_results_add(results, row));
        CHECK_OK(hol_results_finish(results));
        hol_results_destroy(results);
        size_t size = load(text), header = size - (size_t)cases[i].count * sizeof *row;
        const unsigned char *length = (const unsigned char *)text + 8;
        size_t said = length[0] + 256u * length[1] + (cases[i].version > 1 ? 65536u * length[2] : 0);
        CHECK_EQUAL_INT(text[6], cases[i].version);
        CHECK_EQUAL_INT(header, said + (cases[i].version > 1 ? 12 : 10));
        CHECK_EQUAL_INT(header % 64, 0);
        CHECK(text[header - 1] == '\n');
        free(row);
    }
    free(text);
    forget();
}

static void adding_allocates_nothing(void)
{
#ifdef HOLON_HDF5
    static const char *const endings[] = {".csv", ".npy", ".h5"};
#else
    static const char *const endings[] = {".csv", ".npy"};
#endif
    for (size_t k = 0; k < sizeof endings / sizeof *endings; ++k) {
        HolResults *results = begin(endings[k]);
        REQUIRE(results != NULL);
        HolStatus status = HOL_OK;
        allocations_start();
        for (int i = 0; i < 10000 && status == HOL_OK; ++i)
            status = hol_results_add(results, (double[]){i, 1.0 / (i + 1), sin(i) * 1e-200});
        CHECK_EQUAL_INT(allocations_stop(), 0);
        CHECK_OK(status);
        hol_results_destroy(results);
    }
    forget();
}

static void unknown_endings_are_refused(void)
{
    static const char *const paths[] = {"x.hdf", "x", "a.csv/x", "x.csv.gz", ""};
    HolMessage message;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; ++i) {
        HolResults *results = (HolResults *)&message;
        CHECK_STATUS(hol_results_create(paths[i], columns, 3, &results, &message), HOL_BAD_INPUT);
        CHECK(results == NULL);
        CHECK_CONTAINS(message.text, ".csv");
        CHECK_CONTAINS(message.text, ".npy");
    }
    CHECK_STATUS(hol_results_create("x.csv", columns, 0, &(HolResults *){NULL}, &message), HOL_BAD_INPUT);
    CHECK_STRING(hol_results_ending(0), ".csv");
    CHECK_STRING(hol_results_ending(1), ".npy");
    CHECK_STRING(hol_results_ending(3), "");
}

static void unwritable_paths_are_refused(void)
{
    HolMessage message;
    HolResults *results;
    CHECK_STATUS(hol_results_create("no/such/folder/x.csv", columns, 3, &results, &message), HOL_NOT_WRITTEN);
    CHECK_CONTAINS(message.text, "cannot write 'no/such/folder/x.csv': No such file");
    CHECK(results == NULL);
    REQUIRE(mkdir(fresh(".npy"), 0700) == 0);
    CHECK_STATUS(hol_results_create(path, columns, 3, &results, &message), HOL_NOT_WRITTEN);
    CHECK_CONTAINS(message.text, "Is a directory");
    rmdir(path);
    REQUIRE(symlink("/dev/full", fresh(".csv")) == 0);
    CHECK_STATUS(hol_results_create(path, columns, 3, &results, &message), HOL_NOT_WRITTEN);
    CHECK_CONTAINS(message.text, "No space left");
    forget();
}

/* A file that may not grow stands for a full disk. What fits stays, and the .npy says how many rows that are. */
static void a_failure_keeps_what_was_written(void)
{
    struct rlimit before, small;
    double row[3] = {1, 2, 3};
    char *text = malloc(MOST);
    REQUIRE(text != NULL && getrlimit(RLIMIT_FSIZE, &before) == 0);
    signal(SIGXFSZ, SIG_IGN);
    small = (struct rlimit){100000, before.rlim_max};
    HolResults *results = begin(".npy");
    REQUIRE(results != NULL && setrlimit(RLIMIT_FSIZE, &small) == 0);
    HolStatus status = HOL_OK;
    for (int i = 0; i < 10000 && status == HOL_OK; ++i)
        status = hol_results_add(results, row);
    CHECK_STATUS(status, HOL_NOT_WRITTEN);
    CHECK_STATUS(hol_results_add(results, row), HOL_NOT_WRITTEN);
    CHECK_STATUS(hol_results_finish(results), HOL_NOT_WRITTEN);
    CHECK_CONTAINS(hol_results_message(results), "File too large");
    hol_results_destroy(results);
    REQUIRE(setrlimit(RLIMIT_FSIZE, &before) == 0);
    size_t size = load(text), header = 10 + (unsigned char)text[8] + 256u * (unsigned char)text[9];
    char shape[40];
    snprintf(shape, sizeof shape, "'shape': (%zu,), }", (size - header) / sizeof row);
    CHECK(size > 50000);
    text[header] = '\0';
    CHECK_CONTAINS(text + 10, shape);
    free(text);
    forget();
}

static void nothing_is_added_after_the_end(void)
{
    HolResults *results = begin(".csv");
    REQUIRE(results != NULL);
    CHECK_OK(hol_results_finish(results));
    CHECK_OK(hol_results_finish(results));
    CHECK_STATUS(hol_results_add(results, (double[]){1, 2, 3}), HOL_BAD_INPUT);
    CHECK_CONTAINS(hol_results_message(results), "is closed; no row can be added");
    hol_results_destroy(results);
    hol_results_destroy(NULL);
    forget();
}

CHECK_MAIN(TEST(csv_has_names_and_short_numbers), TEST(npy_has_a_header_and_the_numbers), TEST(npy_headers_grow),
           TEST(adding_allocates_nothing), TEST(unknown_endings_are_refused), TEST(unwritable_paths_are_refused),
           TEST(a_failure_keeps_what_was_written), TEST(nothing_is_added_after_the_end))
