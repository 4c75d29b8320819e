/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows that are thinned while they come. */
#include "cli/report/thin.h"

#include "check.h"

#include <math.h>

enum { COLUMNS = 3 };
static const CliKeep keep[COLUMNS] = {CLI_KEEP_NOTHING, CLI_KEEP_LARGEST, CLI_KEEP_SMALLEST};

/* A number that jumps about. */
static double wild(long i)
{
    return sin(12.9898 * (double)i) * (double)(i % 7 - 3);
}

static CliThin thinned(long count, long most)
{
    CliThin thin;
    CHECK(cli_thin_begin(&thin, keep, COLUMNS, most));
    for (long i = 0; i < count; ++i) {
        cli_thin_add(&thin, (double[]){(double)i, wild(i), fabs(wild(i))});
        CHECK(thin.row_count <= 2 * most);
    }
    cli_thin_finish(&thin);
    return thin;
}

/* Against the rows themselves: every k-th is there, with the extremes of those up to the next, and the last one. */
static void check_rows(const CliThin *thin, long count)
{
    long kept_count = (count + thin->stride - 1) / thin->stride;
    CHECK_EQUAL_INT(thin->row_count, kept_count + ((count - 1) % thin->stride != 0));
    CHECK_NEAR(cli_thin_row(thin, thin->row_count - 1)[0], (double)(count - 1), 0);
    for (long row = 0; row < kept_count; ++row) {
        const double *kept = cli_thin_row(thin, row);
        double largest = 0, smallest = HUGE_VAL;
        for (long i = row * thin->stride; i < (row + 1) * thin->stride && i < count; ++i) {
            largest = fabs(wild(i)) > fabs(largest) ? wild(i) : largest;
            smallest = fmin(smallest, fabs(wild(i)));
        }
        CHECK_NEAR(kept[0], (double)(row * thin->stride), 0);
        CHECK_NEAR(kept[1], largest, 0);
        CHECK_NEAR(kept[2], smallest, 0);
    }
}

static void every_kth_row_and_the_last_are_kept_with_the_extremes_of_the_others(void)
{
    static const long counts[] = {1, 2, 3, 9, 10, 11, 20, 21, 39, 40, 41, 1000, 1023, 1024, 1025};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i)
        for (long most = 2; most <= 40; most += 19) {
            CliThin thin = thinned(counts[i], most);
            CHECK(thin.row_count <= most);
            CHECK_EQUAL_INT(thin.seen, counts[i]);
            long half = thin.stride / 2;
            CHECK(half == 0 || (counts[i] + half - 1) / half + ((counts[i] - 1) % half != 0) > most); /* no less */
            check_rows(&thin, counts[i]);
            cli_thin_free(&thin);
        }
}

static void few_rows_stay_as_they_are(void)
{
    CliThin thin = thinned(40, 40);
    CHECK_EQUAL_INT(thin.row_count, 40);
    CHECK_EQUAL_INT(thin.stride, 1);
    cli_thin_free(&thin);
}

static void there_is_always_room_for_the_end(void)
{
    for (long count = 1; count <= 30; ++count) {
        CliThin thin;
        REQUIRE(cli_thin_begin(&thin, keep, COLUMNS, 5));
        for (long i = 0; i < count; ++i)
            cli_thin_add(&thin, (double[]){(double)i, 0, 0});
        double *last = cli_thin_last(&thin);
        last[0] = last[1] = last[2] = 1000;
        cli_thin_finish(&thin);
        CHECK(thin.row_count <= 5 && thin.row_count >= 2);
        CHECK_NEAR(cli_thin_row(&thin, thin.row_count - 1)[0], 1000, 0);
        CHECK_NEAR(cli_thin_row(&thin, 0)[0], 0, 0);
        CHECK_EQUAL_INT(thin.seen, count);
        cli_thin_free(&thin);
    }
}

static void what_is_not_a_number_is_no_extreme(void)
{
    CliThin thin;
    REQUIRE(cli_thin_begin(&thin, keep, COLUMNS, 2));
    const double rows[][COLUMNS] = {{0, 1, NAN}, {1, NAN, 3}, {2, -2, 5}, {3, 0, 7}, {4, NAN, 9}};
    for (int i = 0; i < 5; ++i)
        cli_thin_add(&thin, rows[i]);
    cli_thin_finish(&thin);
    CHECK_EQUAL_INT(thin.row_count, 2);
    CHECK_NEAR(cli_thin_row(&thin, 0)[1], -2, 0);
    CHECK_NEAR(cli_thin_row(&thin, 0)[2], 3, 0);
    cli_thin_free(&thin);
}

CHECK_MAIN(TEST(every_kth_row_and_the_last_are_kept_with_the_extremes_of_the_others), TEST(few_rows_stay_as_they_are),
           TEST(there_is_always_room_for_the_end), TEST(what_is_not_a_number_is_no_extreme))
