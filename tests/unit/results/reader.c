/* SPDX-License-Identifier: BSD-3-Clause */
/* Results that are read again: every number and every name as it was, and what goes with them. */
#include <holon/results.h>

#include "check.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROWS = 3000, COLUMNS = 5 };
static const char *const columns[COLUMNS] = {"t", "crank.phi", "it's, \"odd\"", "\xc3\xa9.x", "back\\slash<b>"};
static char path[64];

static const char *fresh(const char *ending)
{
    snprintf(path, sizeof path, "/%s/holon-reader-%d%s", "tmp", (int)getpid(), ending);
    return path;
}

/* Of every size and sign, numbers that have no short text, and some that are none. */
static void fill(int row, double *values)
{
    uint64_t bits = 0x9e3779b97f4a7c15u * (uint64_t)(row + 1);
    values[0] = row / 1000.0;
    values[1] = ldexp(sin(row), row % 2000 - 1000);
    memcpy(&values[2], &bits, sizeof bits);
    values[2] = isnan(values[2]) ? -0.0 : values[2];
    values[3] = row % 7 == 0 ? HUGE_VAL : row % 7 == 1 ? -HUGE_VAL : 1.0 / (row + 1);
    values[4] = row % 5 == 0 ? NAN : -(double)row;
}

static bool is_same(double a, double b)
{
    return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

static bool is_built(const char *ending)
{
#ifdef HOLON_HDF5
    return *ending;
#else
    return *ending && strcmp(ending, ".h5") != 0; /* the last one */
#endif
}

static void write_file(const char *ending)
{
    HolResults *results = NULL;
    HolMessage message;
    double values[COLUMNS];
    REQUIRE_OK(hol_results_create(fresh(ending), columns, COLUMNS, &results, &message));
    CHECK_OK(hol_results_attach(results, "{\"first\": 1}", &message));
    for (int row = 0; row < ROWS; ++row) {
        fill(row, values);
        CHECK_OK(hol_results_add(results, values));
    }
    CHECK_OK(hol_results_attach(results, "{\"latest\": \"\xc3\xa9\"}", &message));
    CHECK_OK(hol_results_finish(results));
    hol_results_destroy(results);
}

static void forget_file(void)
{
    char beside[100];
    snprintf(beside, sizeof beside, "%s.scene.json", path);
    unlink(path);
    unlink(beside);
}

static void everything_is_read_as_it_was_written(void)
{
    for (int i = 0; is_built(hol_results_ending(i)); ++i) {
        HolResultsReader *reader = NULL;
        HolMessage message;
        double values[COLUMNS], wanted[COLUMNS];
        bool more = true;
        int row = 0, different = 0;
        CHECK_CONTEXT("%s", hol_results_ending(i));
        write_file(hol_results_ending(i));
        REQUIRE_OK(hol_results_open(path, &reader, &message));
        CHECK_EQUAL_INT(hol_results_column_count(reader), COLUMNS);
        for (int c = 0; c < COLUMNS; ++c)
            CHECK_STRING(hol_results_column(reader, c), columns[c]);
        CHECK_STRING(hol_results_attached(reader), "{\"latest\": \"\xc3\xa9\"}");
        while (hol_results_next(reader, values, &more, &message) == HOL_OK && more) {
            fill(row++, wanted);
            for (int c = 0; c < COLUMNS; ++c)
                different += !is_same(values[c], wanted[c]);
        }
        CHECK(!more);
        CHECK_EQUAL_INT(row, ROWS);
        CHECK_EQUAL_INT(different, 0);
        hol_results_close(reader);
        forget_file();
    }
}

/* A file cut at any place gives an error message, and nothing else happens. */
static void a_cut_file_is_reported(void)
{
    static char bytes[1 << 20];
    for (int i = 0; is_built(hol_results_ending(i)); ++i) {
        write_file(hol_results_ending(i));
        FILE *file = fopen(path, "rb");
        size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
        REQUIRE(size > 1000);
        fclose(file);
        for (size_t cut = 0; cut < size; cut += cut < 600 ? 7 : size / 13) {
            HolResultsReader *reader = NULL;
            HolMessage message = {{0}};
            double values[COLUMNS + 1];
            bool more = true;
            HolStatus status;
            file = fopen(path, "wb");
            REQUIRE(file && fwrite(bytes, 1, cut, file) == cut && fclose(file) == 0);
            status = hol_results_open(path, &reader, &message);
            while (status == HOL_OK && more && hol_results_column_count(reader) <= COLUMNS)
                status = hol_results_next(reader, values, &more, &message);
            CHECK_CONTEXT("%s cut at %zu", path, cut);
            CHECK(status == HOL_OK || strlen(message.text) > 20); /* a csv may be cut between two lines */
            hol_results_close(reader);
        }
        forget_file();
    }
}

static void what_is_beside_an_older_file_goes(void)
{
    HolResults *results = NULL;
    HolResultsReader *reader = NULL;
    HolMessage message;
    write_file(".csv");
    REQUIRE_OK(hol_results_create(path, columns, COLUMNS, &results, &message));
    CHECK_OK(hol_results_add(results, (double[]){0, 1, 2, 3, 4}));
    hol_results_destroy(results);
    REQUIRE_OK(hol_results_open(path, &reader, &message));
    CHECK(hol_results_attached(reader) == NULL);
    hol_results_close(reader);
    forget_file();
}

CHECK_MAIN(TEST(everything_is_read_as_it_was_written), TEST(a_cut_file_is_reported),
           TEST(what_is_beside_an_older_file_goes))
