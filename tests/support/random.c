/* SPDX-License-Identifier: BSD-3-Clause */
#include "random.h"

static uint64_t state;

void random_seed(uint64_t seed)
{
    state = seed;
}

double random_number(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) / 4503599627370496.0 - 1;
}

int random_between(int low, int high)
{
    return low + (int)((random_number() + 1) / 2 * (high - low + 1));
}

void random_fill(int count, double *x)
{
    for (int i = 0; i < count; i++)
        x[i] = random_number();
}
