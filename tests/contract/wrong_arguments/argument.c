/* SPDX-License-Identifier: BSD-3-Clause */
#include <holon/argument.h>

#include "wrong_arguments.h"

static void wrong_hol_argument_pointer(void)
{
    REFUSED("f: x must not be NULL", hol_argument_pointer(message, "f", "x", NULL));
    REFUSED("?: x", hol_argument_pointer(message, NULL, "x", NULL));
    REFUSED("f: ?", hol_argument_pointer(message, "f", NULL, NULL));
    CHECK_OK(hol_argument_pointer(message, NULL, NULL, ""));
}

static void wrong_hol_argument_index(void)
{
    REFUSED("f: i 7 is out of range 0 ... 3", hol_argument_index(message, "f", "i", 7, 4));
    REFUSED("f: i -1 is out of range 0 ... 3", hol_argument_index(message, "f", "i", -1, 4));
    REFUSED("there is none", hol_argument_index(message, "f", "i", 0, 0));
    REFUSED("there is none", hol_argument_index(message, NULL, NULL, LONG_MAX, LONG_MIN));
    CHECK_OK(hol_argument_index(message, NULL, NULL, 3, 4));
}

static void wrong_hol_argument_count(void)
{
    REFUSED("f: n = -1 must not be negative", hol_argument_count(message, "f", "n", -1));
    REFUSED("negative", hol_argument_count(message, NULL, NULL, LONG_MIN));
    CHECK_OK(hol_argument_count(message, NULL, NULL, 0));
}

static void wrong_hol_argument_finite(void)
{
    REFUSED("f: x = nan must be finite", hol_argument_finite(message, "f", "x", NAN));
    REFUSED("inf", hol_argument_finite(message, NULL, NULL, -HUGE_VAL));
    CHECK_OK(hol_argument_finite(message, NULL, NULL, 0));
}

static void wrong_hol_argument_numbers(void)
{
    const double numbers[] = {1, HUGE_VAL};
    REFUSED("f: x must not be NULL", hol_argument_numbers(message, "f", "x", NULL, 2));
    REFUSED("f: x[1] = inf must be finite", hol_argument_numbers(message, "f", "x", numbers, 2));
    REFUSED("?", hol_argument_numbers(message, NULL, NULL, numbers, 2));
    CHECK_OK(hol_argument_numbers(message, "f", "x", numbers, 1));
    CHECK_OK(hol_argument_numbers(message, "f", "x", numbers, -1));
}

static void wrong_hol_argument_names(void)
{
    static const char *const names[] = {"a", NULL};
    REFUSED("f: names must not be NULL", hol_argument_names(message, "f", "names", NULL, 2));
    REFUSED("f: names[1] must not be NULL", hol_argument_names(message, "f", "names", names, 2));
    REFUSED("negative", hol_argument_names(message, "f", "names", names, -1));
    REFUSED("?", hol_argument_names(message, NULL, NULL, names, 2));
    CHECK_OK(hol_argument_names(message, "f", "names", NULL, 0));
}

WRONG_ARGUMENTS_MAIN()
