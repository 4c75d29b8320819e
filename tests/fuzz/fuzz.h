/* SPDX-License-Identifier: BSD-3-Clause */
/* What the targets of fuzzing share. A target is one file in tests/fuzz/targets that defines LLVMFuzzerTestOneInput();
 * it may also define LLVMFuzzerCustomMutator(). libFuzzer calls it in the build `fuzz`, replay.c in all others.
 *
 * A target fails by a sanitizer, by FUZZ_CHECK(), by taking longer than ten seconds or more memory than the limit. */
#ifndef HOLON_TESTS_FUZZ_H
#define HOLON_TESTS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1, const uint8_t *data2, size_t size2, uint8_t *out,
                                 size_t max_size, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size); /* of libFuzzer */

#define FUZZ_CHECK(condition, ...)                                                                                     \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: %s does not hold: ", __FILE__, __LINE__, #condition);                              \
            fprintf(stderr, __VA_ARGS__);                                                                              \
            fputc('\n', stderr);                                                                                       \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

/* The input as a text, up to its first NUL. The block has its exact size, so that the sanitizer sees reads beyond. */
char *fuzz_text(const uint8_t *data, size_t size);

/* Bytes taken from the front of an input; zeros where it has ended. */
typedef struct FuzzBytes {
    const uint8_t *data;
    size_t size;
} FuzzBytes;

uint8_t fuzz_byte(FuzzBytes *bytes);
double fuzz_double(FuzzBytes *bytes); /* the bits of eight bytes */

uint32_t fuzz_hash(const uint8_t *data, size_t size);
bool fuzz_same_bits(double a, double b); /* all NaNs are the same */

/* A sentence for people has no control characters, so that a terminal cannot be commanded by a file. */
void fuzz_check_sentence(const char *text);

/* From here on the library gets at most this many bytes in all; malloc() then returns NULL, as it does once for the
 * allocation of number `failing` (from 1; 0: none). So inputs that would take all memory end early. */
void fuzz_memory_begin(size_t limit, unsigned failing);
void fuzz_memory_end(void);

/* A file of this content; the path ends in `ending`. One file is reused by all calls with the same ending. */
const char *fuzz_file(const char *ending, const uint8_t *data, size_t size);

#endif
