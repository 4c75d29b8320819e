/* SPDX-License-Identifier: BSD-3-Clause */
/* What the targets of result files check: a file that is read completely and written again gives the same numbers. */
#ifndef HOLON_TESTS_FUZZ_RESULTS_CHECK_H
#define HOLON_TESTS_FUZZ_RESULTS_CHECK_H

void fuzz_check_results(const char *path, const char *ending);

#endif
