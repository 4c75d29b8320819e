/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers and text: what is written is read back to the same bits, and what is read is what strtod() reads. */
#include <holon/number.h>

#include "fuzz.h"

#include <math.h>
#include <string.h>

static void check_written(double x)
{
    char text[HOL_NUMBER_SIZE];
    double again = 0;
    size_t length = hol_number_text(x, text), read = 0;
    FUZZ_CHECK(length < HOL_NUMBER_SIZE && strlen(text) == length, "%a is written as '%s'", x, text);
    FUZZ_CHECK(hol_number_read(text, &again, &read) && read == length, "'%s' is not read to its end", text);
    FUZZ_CHECK(fuzz_same_bits(x, again), "%a is written as '%s' and read as %a", x, text, again);
}

/* strtod() also reads hexadecimal numbers, "infinity", leading blanks and "1e" as 1. */
static void check_read(const char *text)
{
    double value = 0;
    size_t length = 0;
    if (!hol_number_read(text, &value, &length))
        return;
    FUZZ_CHECK(length > 0 && length <= strlen(text), "%zu bytes of '%s' are read", length, text);
    char *copy = strndup(text, length), *end;
    double expected = strtod(copy, &end);
    FUZZ_CHECK(fuzz_same_bits(value, expected), "'%s' is read as %a, not %a", copy, value, expected);
    free(copy);
    check_written(value);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    FuzzBytes bytes = {data, size};
    char *text = fuzz_text(data, size);
    check_read(text);
    free(text);
    while (bytes.size >= 8)
        check_written(fuzz_double(&bytes));
    return 0;
}
