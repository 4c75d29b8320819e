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
 *
 * What was added before a failure or an early end stays in the file. Adding allocates nothing. */
#ifndef HOLON_RESULTS_H
#define HOLON_RESULTS_H

#include <holon/status.h>

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

/* Completes and closes the file; nothing can be added afterwards. */
HolStatus hol_results_finish(HolResults *results);

/* Finishes, if that has not been done, and frees. */
void hol_results_destroy(HolResults *results);

const char *hol_results_path(const HolResults *results);
long hol_results_row_count(const HolResults *results);      /* added so far */
const char *hol_results_message(const HolResults *results); /* why writing failed, or "" */

/* The endings that can be written, "" past the last one. */
const char *hol_results_ending(int index);

#ifdef __cplusplus
}
#endif

#endif
