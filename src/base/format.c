/* SPDX-License-Identifier: BSD-3-Clause */
/* printf() writes numbers as the locale of the process says, 0,5 in many countries. The locale of the thread is set to
 * "C" meanwhile. Asking for that one allocates nothing in glibc and musl, and takes no lock. */
#include "base/format.h"

#include <locale.h>
#include <stdio.h>
#if defined(__APPLE__)
#include <xlocale.h>
#endif

int hol_vformat(char *text, size_t size, const char *format, va_list arguments)
{
    locale_t plain = format ? newlocale(LC_ALL_MASK, "C", (locale_t)0) : (locale_t)0;
    if (size > 0)
        text[0] = '\0';
    if (!plain)
        return -1;
    locale_t before = uselocale(plain);
    int length = vsnprintf(text, size, format, arguments);
    uselocale(before);
    freelocale(plain);
    return length;
}

int hol_format(char *text, size_t size, const char *format, ...)
{
    va_list arguments;
    if (!text && size > 0)
        return -1;
    va_start(arguments, format);
    int length = hol_vformat(text, size, format, arguments);
    va_end(arguments);
    return length;
}
