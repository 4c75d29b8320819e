/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the HDF5 file of results: a fixed head, then an attached text, then the rows, one after the other. */
#ifndef HOLON_RESULTS_HDF5_LAYOUT_H
#define HOLON_RESULTS_HDF5_LAYOUT_H

#include "kind.h"

#define HOL_HDF5_DATA "motion"
#define HOL_HDF5_SCENE "scene"

/* The functions of a HolResultsKind. */
HolStatus hol_hdf5_begin(HolResults *results, const char *const *columns, FILE *file);
int hol_hdf5_mark(HolResults *results, bool is_last);
int hol_hdf5_finish(HolResults *results);
void hol_hdf5_release(HolResults *results);
bool hol_hdf5_resume(HolResults *results, const char *found, const char *wanted, size_t size);
HolStatus hol_hdf5_attach(HolResults *results, const char *text, HolMessage *message);

#endif
