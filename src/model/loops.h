/* SPDX-License-Identifier: BSD-3-Clause */
/* The variables of nested loops, and their substitution in texts. */
#ifndef HOLON_MODEL_LOOPS_H
#define HOLON_MODEL_LOOPS_H

#include "base/expression/expression.h"
#include "model/model.h"

enum { HOL_LOOPS_DEEPEST = 4 };

typedef struct HolLoopVariable {
    const char *name;
    long long value;
} HolLoopVariable;

typedef struct HolLoops {
    HolModel *model;           /* for errors */
    const HolSymbols *outside; /* the parameters */
    int count;
    HolLoopVariable variables[HOL_LOOPS_DEEPEST]; /* from the outermost to the innermost */
    char *text;                                   /* the last substitution; freed by hol_loops_close() */
    size_t length, room;
} HolLoops;

void hol_loops_close(HolLoops *loops);

/* Replaces $i and $(expression), and the word i where `words` is true, into loops->text. False in *changed if there was
 * nothing to replace; the text is then not copied. HOL_BAD_INPUT after an error reported at the place, HOL_NO_MEMORY.
 * */
HolStatus hol_loops_substitute(HolLoops *loops, HolPlace place, const char *text, bool words, bool *changed);

/* The whole number that an expression gives. `what` names it in messages: "'to'". */
HolStatus hol_loops_whole(HolLoops *loops, HolPlace place, const char *what, const char *text, long long *value);

#endif
