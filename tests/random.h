/* SPDX-License-Identifier: BSD-3-Clause */
/* Random numbers that are the same in every run: a test seeds them before it draws. */
#ifndef HOLON_TESTS_RANDOM_H
#define HOLON_TESTS_RANDOM_H

#include <stdint.h>

void random_seed(uint64_t seed);

double random_number(void);             /* in [-1, 1) */
int random_between(int low, int high);  /* both included */
void random_fill(int count, double *x); /* with random_number() */

#endif
