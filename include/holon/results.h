/* SPDX-License-Identifier: BSD-3-Clause */
/* A file of results: named columns of numbers, written row by row during a run. It needs the library holon-results,
 * which uses the public headers of holon only.
 *
 *     status = hol_results_create("motion.csv", names, count, &results, &message);
 *     status = hol_results_add(results, values);                 one row
 *     status = hol_results_finish(results);                      all of it is in the file now
 *     hol_results_destroy(results);
 *
 * The file name extension selects the format:
 *
 *     .csv   a line of names, then a line of numbers per row: comma, full stop, as few digits as give the double back
 *     .npy   NumPy's own format, a one-dimensional array of records: numpy.load("motion.npy")["crank.phi"]
 *     .h5    HDF5, the same records in the dataset "motion", if the library was built with it
 *
 * Rows added before a failure or an early end stay in the file. Adding allocates nothing.
 *
 * The rows go to "motion.csv.holon-part" first and take the name with the second one, or at once where there is no file
 * of that name: older results stay until there are better ones. The file is locked against other writers. Rows are
 * written at least four times per second while some are added, or while hol_results_flush_due() is called. At any
 * moment, also after a kill, the file can be read by hol_results_open(), NumPy and h5py. On a full disk adding fails,
 * and the file has complete rows only.
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
#include <stddef.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef struct HolResults HolResults;

/* Begins a file, which will replace one that is there. HOL_BAD_INPUT if the ending is unknown or there are no columns,
 * HOL_NOT_WRITTEN if the path cannot be written or another writer has it. On failure *results is NULL and an older file
 * is as it was. */
HolStatus hol_results_create(const char *path, const char *const *columns, int column_count, HolResults **results,
                             HolMessage *message);

/* One row, a value for each column. Once writing has failed, every later call fails. */
HolStatus hol_results_add(HolResults *results, const double *values);

/* A text that belongs to the numbers, such as the scene for the viewer: stored in the dataset "scene" of .h5, otherwise
 * in a file beside the results with ".scene.json" appended to its name. The latest text replaces earlier ones.
 * It is written when the results have their name and a second row, and the scene file of older results goes then; .h5
 * takes a text that
 * follows its first row at the end. HOL_NOT_WRITTEN and a sentence. */
HolStatus hol_results_attach(HolResults *results, const char *text, HolMessage *message);

/* Writes rows that have waited for a quarter of a second. For programs that add rows seldom, to be called meanwhile, as
 * after every step: it costs nothing if no row waits, and a look at the clock otherwise. */
HolStatus hol_results_flush_due(HolResults *results);

/* Everything added so far is on the disk, under the name of the file, and the file says so itself. */
HolStatus hol_results_sync(HolResults *results);

/* Completes and closes the file; nothing can be added afterwards. */
HolStatus hol_results_finish(HolResults *results);

/* Finishes, if that has not been done, and frees. */
void hol_results_destroy(HolResults *results);

/* Frees results that are not wanted, such as those of a run that could not begin: what was there before stays. Rows in
 * a file that has its name already are kept. */
void hol_results_discard(HolResults *results);

/* Continues the file of an earlier run, which may be longer, or cut inside a row: what follows its first row_count rows
 * is removed, and rows can be added. HOL_BAD_INPUT and a sentence if the columns are others or the file has fewer rows;
 * it is then unchanged. */
HolStatus hol_results_continue(const char *path, const char *const *columns, int column_count, long row_count,
                               HolResults **results, HolMessage *message);

const char *hol_results_path(const HolResults *results);
/* Whether the results are in the file of their name. Until their second row, an older file keeps it. */
bool hol_results_has_name(const HolResults *results);
long hol_results_row_count(const HolResults *results);      /* added so far */
const char *hol_results_message(const HolResults *results); /* why writing failed, or "" */

/* The known file name extensions, "" past the last one; .h5 may not have been built. */
const char *hol_results_ending(int index);

/* ---- Reading ---- */

typedef struct HolResultsReader HolResultsReader;

/* HOL_BAD_INPUT and a sentence if the file is not there or not of that kind. On failure *reader is NULL. */
HolStatus hol_results_open(const char *path, HolResultsReader **reader, HolMessage *message);
void hol_results_close(HolResultsReader *reader);

int hol_results_column_count(const HolResultsReader *reader);
const char *hol_results_column(const HolResultsReader *reader, int index);
/* The text of hol_results_attach(), or NULL; "" if there is one that cannot be read. */
const char *hol_results_attached(const HolResultsReader *reader);

/* The next row, a value for each column; *more is false behind the last. HOL_BAD_INPUT and a sentence where the file is
 * damaged or has fewer rows than it states; rows read before are valid. */
HolStatus hol_results_next(HolResultsReader *reader, double *values, bool *more, HolMessage *message);

/* Whether a part of a row follows the last one, as in a file whose run was killed or is not finished. A last line of
 * .csv without an end counts as a part: its last number may be cut. Known behind the last row. */
bool hol_results_is_incomplete(const HolResultsReader *reader);

/* ---- Text in memory ---- */

/* A stream that prints into memory, as open_memstream(), but a text for which memory was short is an error of the
 * stream. NULL: not enough memory, or a pointer is NULL. */
FILE *hol_text_open(char **text, size_t *size);
/* Closes the stream, which may be NULL. Then *text ends with a byte 0 and is yours to free(). False if it is
 * incomplete; *text is NULL then. */
bool hol_text_close(FILE *stream, char **text);

/* ---- Other files ---- */

/* Writes a text so that the file has either its former content or all of the new one, also after a crash: the text is
 * written beside it, to a file with ".holon-part" appended to its name, and takes its name when it is on the disk.
 * Links are followed and permissions kept; devices and pipes are written directly. HOL_NOT_WRITTEN and a sentence. */
HolStatus hol_file_check(const char *path, HolMessage *message); /* whether it can be written; touches nothing */
HolStatus hol_file_write(const char *path, const char *text, size_t size, HolMessage *message);

/* A regular file that a program writes again and again, such as a checkpoint, and that nobody else writes meanwhile:
 * the file, or where there is none the temporary one, is locked. HOL_NOT_WRITTEN and a sentence if another has the
 * lock; on failure *held is NULL. */
typedef struct HolHeldFile HolHeldFile;

HolStatus hol_file_hold(const char *path, HolHeldFile **held, HolMessage *message);
/* As hol_file_write(). After a failure the file is as it was. */
HolStatus hol_file_replace(HolHeldFile *held, const char *text, size_t size, HolMessage *message);
/* There is no file of that name then; the lock stays. */
HolStatus hol_file_remove(HolHeldFile *held, HolMessage *message);
void hol_file_release(HolHeldFile *held);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
