/* SPDX-License-Identifier: BSD-3-Clause */
/* The built-in models: models/NAME/model.yaml, compiled in by cmake/embed_models.cmake. */
#ifndef HOLON_IO_LIBRARY_H
#define HOLON_IO_LIBRARY_H

#include <holon/model.h>

#include "base/arena.h"

/* Generated; sorted by name. */
extern const HolLibraryModel hol_library_models[];
extern const int hol_library_model_count;

/* NULL if there is none of that name. */
const HolLibraryModel *hol_library_find(const char *name);
/* The name most like this one, or NULL; for "did you mean". */
const char *hol_library_nearest(HolArena *arena, const char *name);

#endif
