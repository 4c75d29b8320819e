/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that the counting of allocations, on which the "stepping allocates nothing" tests rest, sees them. */
#include "allocations.h"

#include "check.h"

#include <stdlib.h>
#include <string.h>

/* Out of the optimiser's sight, which removes unused allocations. */
static void *volatile memory;

static void nothing_is_counted_as_zero(void)
{
    allocations_start();
    double x = sqrt(2.0);
    CHECK_EQUAL_INT(allocations_stop(), 0);
    CHECK_NEAR(x * x, 2.0, 1e-15);
}

static void malloc_and_free_are_counted(void)
{
    allocations_start();
    memory = malloc(100);
    free(memory);
    CHECK_EQUAL_INT(allocations_stop(), 2);
}

static void free_alone_is_counted(void)
{
    memory = malloc(100);
    allocations_start();
    free(memory);
    CHECK_EQUAL_INT(allocations_stop(), 1);
}

static void calloc_is_counted(void)
{
    allocations_start();
    memory = calloc(10, 10);
    CHECK_EQUAL_INT(allocations_stop(), 1);
    free(memory);
}

static void realloc_is_counted(void)
{
    memory = malloc(100);
    allocations_start();
    memory = realloc(memory, 100000);
    CHECK(allocations_stop() >= 1);
    free(memory);
}

static void aligned_allocations_are_counted(void)
{
    void *aligned = NULL;
    allocations_start();
    memory = aligned_alloc(64, 128);
    int error = posix_memalign(&aligned, 64, 128);
    CHECK_EQUAL_INT(allocations_stop(), 2);
    CHECK_EQUAL_INT(error, 0);
    CHECK_EQUAL_INT((size_t)aligned % 64, 0);
    free(aligned);
    free(memory);
}

static void calls_inside_shared_libraries_are_counted(void)
{
    allocations_start();
    memory = strdup("text"); /* glibc's own call */
    CHECK_EQUAL_INT(allocations_stop(), 1);
    free(memory);
}

static void calls_outside_start_and_stop_are_not_counted(void)
{
    free(malloc(100));
    allocations_start();
    long count = allocations_stop();
    memory = malloc(100);
    free(memory);
    CHECK_EQUAL_INT(count, 0);
    CHECK_EQUAL_INT(allocations_stop(), 0);
}

CHECK_MAIN(TEST(nothing_is_counted_as_zero), TEST(malloc_and_free_are_counted), TEST(free_alone_is_counted),
           TEST(calloc_is_counted), TEST(realloc_is_counted), TEST(aligned_allocations_are_counted),
           TEST(calls_inside_shared_libraries_are_counted), TEST(calls_outside_start_and_stop_are_not_counted))
