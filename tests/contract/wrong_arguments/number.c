/* SPDX-License-Identifier: BSD-3-Clause */
#include <holon/number.h>

#include "wrong_arguments.h"

static void wrong_hol_number_text(void)
{
    char *volatile nowhere = NULL; /* the compiler does not see the mistake */
    char text[HOL_NUMBER_SIZE];
    CHECK_EQUAL_INT(hol_number_text(1, nowhere), 0);
    for (int i = 0; i < WRONG_NUMBERS; ++i)
        CHECK(hol_number_text(wrong_numbers[i], text) >= 3);
}

static void wrong_hol_number_read(void)
{
    static const char *const texts[] = {"", "-", "+", ".", "e5", "-e", ",5", "\xff", "x", " 1"};
    double value = 7;
    size_t length = 9;
    CHECK(!hol_number_read(NULL, &value, &length));
    CHECK(!hol_number_read("1", NULL, &length));
    CHECK(!hol_number_read("1", &value, NULL));
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i)
        CHECK(!hol_number_read(texts[i], &value, &length));
    CHECK(value == 7 && length == 9);
}

static void wrong_hol_format(void)
{
    const char *volatile nothing = NULL;
    char *volatile nowhere = NULL;
    char text[4] = "abc";
    CHECK(hol_format(text, sizeof text, nothing, 1) < 0);
    CHECK_STRING(text, "");
    CHECK(hol_format(nowhere, 4, "%d", 1) < 0);
    CHECK_EQUAL_INT(hol_format(nowhere, 0, "%d", 12345), 5);
    CHECK_EQUAL_INT(hol_format(text, sizeof text, "%d", 12345), 5);
    CHECK_STRING(text, "123");
}

WRONG_ARGUMENTS_MAIN()
