/* SPDX-License-Identifier: BSD-3-Clause */
/* The private part of a model: its tree, errors and warnings. */
#ifndef HOLON_MODEL_MODEL_H
#define HOLON_MODEL_MODEL_H

#include <holon/argument.h>
#include <holon/limits.h>
#include <holon/model.h>

#include "model/node.h"

#include <stdint.h>

typedef struct HolProblem {
    char *text;
    struct HolProblem *next;
} HolProblem;

typedef struct HolProblems {
    HolProblem *first, *last;
    int count;
} HolProblems;

enum { HOL_LONGEST_CHAIN = 16 }; /* of files that extend each other */

struct HolModel {
    HolArena *arena; /* never frozen; everything of the model */
    HolNode *root;   /* a map */
    const char *name;
    HolLimits limits;
    uint64_t texts; /* a hash of all that were read */
    const char *files[HOL_LONGEST_CHAIN + 1];
    int file_count;
    HolProblems errors, warnings;
    int kept_errors, kept_warnings; /* of the text itself; those after them were found by compiling it */
    bool is_compiled;
};

/* A hash of what determines the system: all but the title, the section `run` and the variants that are not chosen, with
 * the changes of variants and of hol_model_set(). Texts count, so 1 and 1.0 differ. */
uint64_t hol_model_hash_system(const HolModel *model);

/* The limit of memory as a number for arenas. */
size_t hol_limits_memory(const HolLimits *limits);

/* One sentence, written as "file:line:col: sentence". What has been said of a place is not said again, even if numbers
 * in it differ (a mistake in a repeated part is one mistake). At most some hundred are kept; the last then says so.
 * hol_error() returns HOL_BAD_INPUT (or HOL_NO_MEMORY), so that it can be returned. */
__attribute__((format(printf, 3, 4))) HolStatus hol_error(HolModel *model, HolPlace place, const char *format, ...);
__attribute__((format(printf, 3, 4))) void hol_warning(HolModel *model, HolPlace place, const char *format, ...);

/* HOL_CHECK_POINTER() of a function whose sentences are errors of a model. HOL_BAD_INPUT if there is no model. */
#define HOL_CHECK_FOR_MODEL(model, pointer) hol_model_argument(model, __func__, #pointer, pointer)
HolStatus hol_model_argument(HolModel *model, const char *function, const char *argument, const void *pointer);

/* Whether there is an error at this place (line 0: nowhere), which parts that are repeated have in common, or no room
 * for another: then there is no use in suggestions that take time. */
bool hol_model_has_reported(const HolModel *model, HolPlace place);

/* "file:12:7", "--set bodies.crank.mass"; cut if there is no room. */
void hol_place_text(HolPlace place, char *text, size_t size);

/* Checks that a variant can be applied: it is a map without the keys that are read before variants. Reports the error.
 * */
HolStatus hol_check_variant(HolModel *model, const HolNode *variant);

/* Discards contents, name and messages. HOL_NO_MEMORY leaves the model unchanged. */
HolStatus hol_model_clear(HolModel *model);

/* Drops what compiling the model has found, so that it can be changed and compiled again. */
void hol_model_forget(HolModel *model);
/* What is found from now on belongs to compiling. */
void hol_model_begin_compiling(HolModel *model);

#endif
