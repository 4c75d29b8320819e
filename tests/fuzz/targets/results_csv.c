/* SPDX-License-Identifier: BSD-3-Clause */
/* Results as .csv: any bytes. */
#include "fuzz.h"
#include "results_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_memory_begin(1 << 26, 0);
    fuzz_check_results(fuzz_file(".csv", data, size), ".csv");
    fuzz_memory_end();
    return 0;
}
