/* SPDX-License-Identifier: BSD-3-Clause */
/* Linear iterations x <- x + b - A x: with as many directions of slow or no convergence as are remembered, they are
 * solved after that many passes. */
#include "solve/steps/anderson.h"

#include "check.h"

enum { N = 8 };

/* Passes until |x - A^-1 b| < 1e-12, A = diag(1 - rate), at most 60. */
static int passes_with(HolAnderson *anderson, const double *rates, bool improved)
{
    double x[N] = {0}, f[N];
    hol_anderson_begin(anderson);
    for (int pass = 1; pass <= 60; ++pass) {
        double off = 0;
        for (int i = 0; i < N; i++)
            f[i] = 1 + i - (1 - rates[i]) * x[i];
        if (improved)
            hol_anderson_accelerate(anderson, f);
        for (int i = 0; i < N; i++) {
            x[i] += f[i];
            off = fmax(off, fabs(x[i] - (1 + i) / (1 - rates[i])));
        }
        if (off < 1e-12)
            return pass;
    }
    return 61;
}

static void few_slow_directions_are_solved_for(void)
{
    const double quick[N] = {0}, one[N] = {0.9}, growing[N] = {0.9, -2, 3, 0.99, 1e-9};
    HolArena *arena = hol_arena_create();
    HolAnderson *anderson;
    REQUIRE_OK(hol_anderson_create(arena, N, &anderson));
    CHECK_EQUAL_INT(passes_with(anderson, quick, true), 1);
    CHECK_EQUAL_INT(passes_with(anderson, one, false), 61);
    CHECK(passes_with(anderson, one, true) <= 3);
    CHECK_EQUAL_INT(passes_with(anderson, growing, false), 61);
    CHECK(passes_with(anderson, growing, true) <= 9);
    hol_arena_destroy(arena);
}

static void progress_counts_passes_without_half(void)
{
    HolProgress progress = hol_progress_begin();
    hol_progress_note(&progress, 8);
    CHECK_EQUAL_INT(progress.since, 0);
    hol_progress_note(&progress, 5);
    hol_progress_note(&progress, 4.5);
    CHECK_EQUAL_INT(progress.since, 2);
    CHECK_NEAR(progress.best, 8, 0);
    hol_progress_note(&progress, 3);
    CHECK_EQUAL_INT(progress.since, 0);
    CHECK_NEAR(progress.best, 3, 0);
}

CHECK_MAIN(TEST(few_slow_directions_are_solved_for), TEST(progress_counts_passes_without_half))
