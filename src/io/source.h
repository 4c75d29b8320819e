/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the text of a model comes from: a file, a built-in model, or the caller. */
#ifndef HOLON_IO_SOURCE_H
#define HOLON_IO_SOURCE_H

#include "model/model.h"

typedef struct HolSource {
    const char *name; /* the path or the built-in's name, in the model's arena */
    const char *text;
    size_t length;
    char *memory;                     /* of the text, or NULL */
    unsigned long long device, inode; /* of a file: the same by whatever path it is reached; 0: none */
} HolSource;

/* Finds and reads what `name` means to the model file `from` (NULL: to the user). A built-in model if it is the name of
 * one; a path relative to the folder of `from` otherwise. Errors are reported at `place`. */
HolStatus hol_source_open(HolModel *model, HolPlace place, const char *name, const char *from, HolSource *source);
/* A text that the caller keeps. */
HolStatus hol_source_of_text(HolModel *model, const char *text, const char *name, HolSource *source);
void hol_source_close(HolSource *source);

bool hol_source_is_same(const HolSource *a, const HolSource *b);
/* The name without folder and ending, in the model's arena; NULL when out of memory. */
const char *hol_source_stem(HolModel *model, const HolSource *source);

#endif
