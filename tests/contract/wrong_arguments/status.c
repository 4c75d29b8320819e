/* SPDX-License-Identifier: BSD-3-Clause */
#include "wrong_arguments.h"

static void wrong_hol_status_name(void)
{
    CHECK_STRING(hol_status_name((HolStatus)-1), "unknown status");
    CHECK_STRING(hol_status_name((HolStatus)99), "unknown status");
}

static void wrong_hol_status_cause(void)
{
    CHECK_STRING(hol_status_cause((HolStatus)-1), "unknown status");
    CHECK_STRING(hol_status_cause((HolStatus)INT_MAX), "unknown status");
}

static void wrong_hol_fail(void)
{
    const char *volatile nothing = NULL; /* the compiler does not see the mistake */
    CHECK_STATUS(hol_fail(NULL, HOL_SINGULAR, "x"), HOL_SINGULAR);
    CHECK_STATUS(hol_fail(message, HOL_SINGULAR, nothing, 1), HOL_SINGULAR);
    if (message)
        CHECK_STRING(said.text, hol_status_cause(HOL_SINGULAR));
}

static void wrong_hol_character_size(void)
{
    CHECK(hol_character_size(NULL) == 0);
    CHECK(hol_character_size("\xe2\x80") == 0); /* cut */
    CHECK(hol_character_size("\xc0\x80") == 0); /* overlong */
}

static void wrong_hol_make_printable(void)
{
    char cut[] = "a\xe2\x80", control[] = "\x1b[2J\n";
    CHECK(hol_make_printable(NULL) == NULL);
    CHECK_STRING(hol_make_printable(cut), "a??");
    CHECK_STRING(hol_make_printable(control), "?[2J ");
}

static void wrong_hol_nearest_name(void)
{
    static const char *const names[] = {"revolute", NULL};
    char longest[1000];
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    CHECK(hol_nearest_name(NULL, names) == NULL);
    CHECK(hol_nearest_name("revolut", NULL) == NULL);
    CHECK(hol_nearest_name(longest, names) == NULL);
    CHECK(hol_nearest_name("\xff\xfe", names) == NULL);
}

WRONG_ARGUMENTS_MAIN()
