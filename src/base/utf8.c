/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/utf8.h"

/* The bytes of the UTF-8 character at c, 0: it is none. Overlong forms, surrogates and numbers above 0x10ffff are none.
 */
static int utf8_length(const unsigned char *c)
{
    int length = c[0] < 0x80 ? 1 : c[0] < 0xc2 ? 0 : c[0] < 0xe0 ? 2 : c[0] < 0xf0 ? 3 : c[0] < 0xf5 ? 4 : 0;
    for (int i = 1; i < length; ++i)
        if ((c[i] & 0xc0) != 0x80)
            return 0;
    bool is_outside = (c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xed && c[1] > 0x9f) || (c[0] == 0xf0 && c[1] < 0x90) ||
                      (c[0] == 0xf4 && c[1] > 0x8f);
    return is_outside ? 0 : length;
}

bool hol_is_utf8(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    for (int length; *c; c += length)
        if ((length = utf8_length(c)) == 0)
            return false;
    return true;
}
