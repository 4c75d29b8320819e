/* SPDX-License-Identifier: BSD-3-Clause */
/* What the targets of models share. The input is the text of a model file; its last line may choose more:
 *
 *     #~ 0a31c0f2
 *
 * is a number in hexadecimal: which formulation and integrator (0: those of the model), what else to do, and which
 * allocation fails. The mutator writes this line. */
#ifndef HOLON_TESTS_FUZZ_MODEL_CHECK_H
#define HOLON_TESTS_FUZZ_MODEL_CHECK_H

#include <holon/mechanism.h>

#include <stddef.h>
#include <stdint.h>

#define FUZZ_CHOICE_MARK "\n#~ "

enum { FUZZ_MODEL_MEMORY = 1 << 26 }; /* bytes that a model may take */

typedef struct FuzzChoice {
    const char *formulation, *integrator; /* NULL: as the model says */
    unsigned flags;                       /* four bits */
    unsigned failing;                     /* allocation, 0: none */
} FuzzChoice;

FuzzChoice fuzz_choice(const char *text);

/* The mechanism of a text, compiled and assembled, or NULL. *model is to be destroyed either way. */
HolMechanism *fuzz_mechanism(const char *text, const FuzzChoice *choice, HolModel **model);

/* Reads and compiles the text twice; both times the messages are the same. */
void fuzz_check_repeatable(const char *text);

#endif
