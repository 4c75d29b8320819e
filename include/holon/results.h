/* SPDX-License-Identifier: BSD-3-Clause */
/* A file of results: named columns of numbers, written row by row while a run goes on.
 *
 *     status = hol_results_create("motion.csv", names, count, &results, &message);
 *     status = hol_results_add(results, values);                 one row
 *     status = hol_results_finish(results);                      all of it is in the file now
 *     hol_results_destroy(results);
 *
 * The ending of the path says what is written:
 *
 *     .csv   a line of names, then a line of numbers per row: comma, full stop, as few digits as give the double back
 *     .npy   NumPy's own format, a one-dimensional array of records: numpy.load("motion.npy")["crank.phi"]
 *     .h5    HDF5, the same records in the dataset "motion", if the library was built with it
 *
 * What was added before a failure or an early end stays in the file. Adding allocates nothing, but for what HDF5 does
 * where it writes a block of rows.
 *
 * All of these can be read again, row by row:
 *
 *     status = hol_results_open("motion.csv", &reader, &message);
 *     while ((status = hol_results_next(reader, values, &more, &message)) == HOL_OK && more) ...
 *     hol_results_close(reader); */
#ifndef HOLON_RESULTS_H
#define HOLON_RESULTS_H

#include <holon/status.h>

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct HolResults HolResults;

/* Begins a file, replacing one that is there. HOL_BAD_INPUT if the ending is unknown or there are no columns,
 * HOL_NOT_WRITTEN if the path cannot be written. On failure *results is NULL. */
HolStatus hol_results_create(const char *path, const char *const *columns, int column_count, HolResults **results,
                             HolMessage *message);

/* One row, a value for each column. Once writing has failed, every later call fails alike. */
HolStatus hol_results_add(HolResults *results, const double *values);

/* A text that goes with the numbers, such as the scene that they move: in the file where the format has room for it,
 * the dataset "scene" of .h5, else beside it, in a file with the same name and ".scene.json" behind it. The latest
 * counts; one that was beside an older file is taken away by hol_results_create(). HOL_NOT_WRITTEN and a sentence. */
HolStatus hol_results_attach(HolResults *results, const char *text, HolMessage *message);

/* Completes and closes the file; nothing can be added afterwards. */
HolStatus hol_results_finish(HolResults *results);

/* Finishes, if that has not been done, and frees. */
void hol_results_destroy(HolResults *results);

const char *hol_results_path(const HolResults *results);
long hol_results_row_count(const HolResults *results);      /* added so far */
const char *hol_results_message(const HolResults *results); /* why writing failed, or "" */

/* The endings that are known, "" past the last one; .h5 may not have been built. */
const char *hol_results_ending(int index);

/* ---- Reading ---- */

typedef struct HolResultsReader HolResultsReader;

/* HOL_BAD_INPUT and a sentence if the file is not there or not of that kind. On failure *reader is NULL. */
HolStatus hol_results_open(const char *path, HolResultsReader **reader, HolMessage *message);
void hol_results_close(HolResultsReader *reader);

int hol_results_column_count(const HolResultsReader *reader);
const char *hol_results_column(const HolResultsReader *reader, int index);
/* What hol_results_attach() gave, or NULL. */
const char *hol_results_attached(const HolResultsReader *reader);

/* The next row, a value for each column; *more is false behind the last. HOL_BAD_INPUT and a sentence where the file is
 * broken or cut off: what was read before is good. */
HolStatus hol_results_next(HolResultsReader *reader, double *values, bool *more, HolMessage *message);

#ifdef __cplusplus
}
#endif

#endif
