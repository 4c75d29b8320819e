/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts the calls of malloc, calloc, realloc, posix_memalign, aligned_alloc and free, by the whole process.
 *
 *     allocations_start();
 *     ... step ...
 *     CHECK_EQUAL_INT(allocations_stop(), 0);
 *
 * What counts is whether the number is zero: the sanitizers see one realloc as a malloc and a free. free(NULL) does not
 * count. Do not print in between: stdio may allocate its buffers. */
#ifndef HOLON_TESTS_ALLOCATIONS_H
#define HOLON_TESTS_ALLOCATIONS_H

void allocations_start(void);
long allocations_stop(void);

#endif
