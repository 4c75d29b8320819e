/* SPDX-License-Identifier: BSD-3-Clause */
/* Words of model files: the keys, kinds and choices of the tables of the library, and values that are hard to handle. */
#ifndef HOLON_TESTS_FUZZ_MODEL_TABLES_H
#define HOLON_TESTS_FUZZ_MODEL_TABLES_H

#include <holon/mechanism.h>

/* Section of a model file in which the kinds of a section are written. */
extern const char *const fuzz_section_names[HOL_BEAM_SECTIONS + 1];

/* All of them once, NULL-terminated; made at the first call. */
const char *const *fuzz_keys(void);     /* keys of sections, parts and options */
const char *const *fuzz_words(void);    /* kinds, methods, choices */
extern const char *const fuzz_values[]; /* numbers, quantities, expressions */
int fuzz_word_count(const char *const *words);

/* A model with the names that samples use, see HolPartSample. */
typedef struct FuzzFrame {
    const char *head;
    const char *parts[HOL_BEAM_SECTIONS]; /* of each section, without its heading; NULL: none */
} FuzzFrame;
extern const FuzzFrame fuzz_frames[2]; /* in the plane, in space */

#endif
