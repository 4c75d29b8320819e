/* SPDX-License-Identifier: BSD-3-Clause */
/* The cost of a record in a file of results: ns of CPU time per record of each format, at several numbers of columns.
 * Every round writes all formats, one after the other. See docs/benchmarks.md.
 *
 *     bench_output                                 the table
 *     bench_output --count csv 7 10000             writes so many records once, for a tool that counts instructions */
#include <holon/number.h>
#include <holon/results.h>

#include "timing.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { ROUNDS = 21, MOST_COLUMNS = 100, VALUES = 40000 };

static const char *const endings[] = {"csv", "npy", "h5"};
enum { ENDINGS = sizeof endings / sizeof *endings };

static void fail(const char *why)
{
    fprintf(stderr, "bench_output: %s\n", why);
    exit(1);
}

static double cpu_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

/* Numbers with all their digits, as the state of a mechanism has them; the first column is the time. */
static void fill(double *row, int columns, long i)
{
    row[0] = (double)i * 1e-3;
    for (int k = 1; k < columns; ++k)
        row[k] = sin(0.37 * (double)i + k) * (k % 3 ? 1 : 1e-3);
}

static void name_columns(int count, char names[][8], const char **columns)
{
    for (int k = 0; k < count; ++k) {
        hol_format(names[k], sizeof names[k], k ? "q%d" : "t", k);
        columns[k] = names[k];
    }
}

/* ns of CPU time per record. */
static double write_rows(const char *ending, int column_count, long rows)
{
    static char names[MOST_COLUMNS][8];
    const char *columns[MOST_COLUMNS];
    static double values[VALUES];
    char path[64];
    HolResults *results;
    HolMessage message;
    long different = VALUES / column_count;
    name_columns(column_count, names, columns);
    for (long i = 0; i < different; ++i)
        fill(values + i * column_count, column_count, i);
    hol_format(path, sizeof path, "/tmp/holon-bench-%ld.%s", (long)getpid(), ending);
    if (hol_results_create(path, columns, column_count, &results, &message) != HOL_OK)
        fail(message.text);
    double from = cpu_ns();
    for (long i = 0; i < rows; ++i)
        hol_results_add(results, values + i % different * column_count);
    double time = cpu_ns() - from;
    if (hol_results_finish(results) != HOL_OK)
        fail(hol_results_message(results));
    hol_results_destroy(results);
    remove(path);
    return time / (double)rows;
}

static void report(int columns)
{
    double samples[ENDINGS][ROUNDS];
    for (int round = 0; round < ROUNDS; ++round)
        for (int k = 0; k < ENDINGS; ++k)
            samples[k][round] = write_rows(endings[k], columns, VALUES / columns);
    for (int k = 0; k < ENDINGS; ++k) {
        Quartiles q = quartiles(samples[k], ROUNDS);
        printf("%7d  %-6s %8.0f %8.0f %8.0f\n", columns, endings[k], q.low, q.median, q.high);
    }
}

int main(int count, char **arguments)
{
    if (count == 5 && strcmp(arguments[1], "--count") == 0) {
        int columns = atoi(arguments[3]);
        if (columns < 1 || columns > MOST_COLUMNS)
            fail("between 1 and 100 columns");
        write_rows(arguments[2], columns, atol(arguments[4]));
        return 0;
    }
    printf("%7s  %-6s %8s %8s %8s   ns of CPU time per record, quartiles\n", "columns", "format", "low", "median",
           "high");
    report(7);
    report(30);
    report(100);
}
