/* SPDX-License-Identifier: BSD-3-Clause */
/* Results as .h5: any bytes. Most of them end inside HDF5, which is not ours and not instrumented
 * (docs/decisions/0024-fuzzing.md). */
#include "fuzz.h"
#include "results_check.h"

/* HDF5 leaks memory when it gives up a damaged file. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libhdf5";
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_memory_begin(1 << 26, 0);
    fuzz_check_results(fuzz_file(".h5", data, size), ".h5");
    fuzz_memory_end();
    return 0;
}
