/* SPDX-License-Identifier: BSD-3-Clause */
#include "results_check.h"

#include <holon/results.h>

#include "fuzz.h"

#include <string.h>
#include <unistd.h>

enum { MOST_ROWS = 64, MOST_COLUMNS = 256, MOST_SKIPPED = 100000 };

typedef struct Table {
    int column_count, row_count;
    const char *columns[MOST_COLUMNS];
    double values[MOST_ROWS][MOST_COLUMNS];
} Table;

/* The rows of a file, those that fit into the table. */
static HolStatus read_rows(HolResultsReader *reader, Table *table, double *row)
{
    HolMessage message = {""};
    HolStatus status = HOL_OK;
    bool more = true;
    size_t size = (size_t)table->column_count * sizeof *row;
    for (long i = 0; status == HOL_OK && more && i < MOST_SKIPPED; ++i) {
        status = hol_results_next(reader, row, &more, &message);
        if (status == HOL_OK && more && table->row_count < MOST_ROWS && table->column_count <= MOST_COLUMNS)
            memcpy(table->values[table->row_count++], row, size);
    }
    FUZZ_CHECK(status == HOL_OK || message.text[0], "no sentence for a damaged file");
    fuzz_check_sentence(message.text);
    return status;
}

static bool is_written(const Table *table, const char *path)
{
    HolResults *results = NULL;
    HolMessage message = {""};
    if (hol_results_create(path, table->columns, table->column_count, &results, &message) != HOL_OK) {
        fuzz_check_sentence(message.text);
        return false;
    }
    HolStatus status = HOL_OK;
    for (int i = 0; i < table->row_count && status == HOL_OK; ++i)
        status = hol_results_add(results, table->values[i]);
    status = status == HOL_OK ? hol_results_finish(results) : status;
    hol_results_destroy(results);
    return status == HOL_OK;
}

static void check_again(const Table *table, const char *path)
{
    HolResultsReader *reader = NULL;
    HolMessage message = {""};
    double row[MOST_COLUMNS];
    bool more = true;
    HolStatus status = hol_results_open(path, &reader, &message);
    FUZZ_CHECK(status == HOL_OK, "what was written cannot be opened: %s", message.text);
    FUZZ_CHECK(hol_results_column_count(reader) == table->column_count, "another number of columns");
    for (int i = 0; i < table->column_count; ++i)
        FUZZ_CHECK(strcmp(hol_results_column(reader, i), table->columns[i]) == 0, "another name than '%s'",
                   table->columns[i]);
    for (int i = 0; i < table->row_count; ++i) {
        status = hol_results_next(reader, row, &more, &message);
        FUZZ_CHECK(status == HOL_OK && more, "row %d is missing: %s", i, message.text);
        for (int j = 0; j < table->column_count; ++j)
            FUZZ_CHECK(fuzz_same_bits(row[j], table->values[i][j]), "row %d, column %d: %a, not %a", i, j, row[j],
                       table->values[i][j]);
    }
    hol_results_close(reader);
}

static void write_again(Table *table, const char *ending)
{
    char name[32], path[4096];
    snprintf(name, sizeof name, "-again%s", ending);
    snprintf(path, sizeof path, "%s", fuzz_file(name, NULL, 0));
    if (table->row_count > 0 && table->column_count <= MOST_COLUMNS && is_written(table, path))
        check_again(table, path);
}

static void check_reader(HolResultsReader *reader, const char *ending)
{
    static Table table;
    table.column_count = hol_results_column_count(reader);
    table.row_count = 0;
    FUZZ_CHECK(table.column_count > 0, "no columns");
    for (int i = 0; i < table.column_count; ++i) {
        FUZZ_CHECK(hol_results_column(reader, i), "no name");
        if (i < MOST_COLUMNS)
            table.columns[i] = hol_results_column(reader, i);
    }
    hol_results_attached(reader);
    double *row = calloc((size_t)table.column_count, sizeof *row);
    HolStatus status = row ? read_rows(reader, &table, row) : HOL_NO_MEMORY;
    free(row);
    if (status == HOL_OK)
        write_again(&table, ending);
}

void fuzz_check_results(const char *path, const char *ending)
{
    HolResultsReader *reader = NULL;
    HolMessage message = {""};
    HolStatus status = hol_results_open(path, &reader, &message);
    FUZZ_CHECK((status == HOL_OK) == (reader != NULL), "status %d", (int)status);
    FUZZ_CHECK(status == HOL_OK || message.text[0], "no sentence");
    fuzz_check_sentence(message.text);
    if (reader)
        check_reader(reader, ending);
    hol_results_close(reader);
}
