/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/message.h"

#include "base/format.h"
#include "base/letters.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_NAME = 64 };

/* Characters are not overlong, no surrogates, and not too large. */
int hol_character_size(const char *character)
{
    const unsigned char *c = (const unsigned char *)character;
    if (!c)
        return 0;
    int size = c[0] < 0x80 ? 1 : c[0] < 0xc2 ? 0 : c[0] < 0xe0 ? 2 : c[0] < 0xf0 ? 3 : c[0] < 0xf5 ? 4 : 0;
    for (int i = 1; i < size; ++i)
        if ((c[i] & 0xc0) != 0x80)
            return 0;
    if ((c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xed && c[1] > 0x9f) || (c[0] == 0xf0 && c[1] < 0x90) ||
        (c[0] == 0xf4 && c[1] > 0x8f))
        return 0;
    return size;
}

bool hol_character_is_control(const char *character, int size)
{
    const unsigned char *c = (const unsigned char *)character;
    if (size == 1)
        return *c < 0x20 || *c == 0x7f;
    if (size == 2)
        return (c[0] == 0xc2 && c[1] < 0xa0) || (c[0] == 0xd8 && c[1] == 0x9c); /* C1, U+061C */
    if (size != 3 || c[0] != 0xe2)
        return false;
    bool marks = c[1] == 0x80 && (c[2] == 0x8e || c[2] == 0x8f);              /* U+200E, U+200F */
    bool embeds = c[1] == 0x80 && c[2] >= 0xa8 && c[2] <= 0xae;               /* U+2028 to U+202E */
    return marks || embeds || (c[1] == 0x81 && c[2] >= 0xa6 && c[2] <= 0xa9); /* U+2066 to U+2069 */
}

char *hol_make_printable(char *text)
{
    for (char *c = text; c && *c;) {
        int size = hol_character_size(c), length = size ? size : 1;
        if (size == 1 && strchr("\n\r\t", *c))
            *c = ' ';
        else if (size == 3 && hol_character_is_control(c, size))
            memcpy(c, "\xef\xbf\xbd", 3);
        else if (size == 0 || hol_character_is_control(c, size))
            memset(c, '?', (size_t)length);
        c += length;
    }
    return text;
}

HolStatus hol_fail(HolMessage *message, HolStatus status, const char *format, ...)
{
    if (message) {
        va_list arguments;
        va_start(arguments, format);
        if (hol_vformat(message->text, sizeof message->text, format, arguments) < 0)
            hol_format(message->text, sizeof message->text, "%s", hol_status_cause(status));
        va_end(arguments);
        hol_make_printable(message->text);
    }
    return status;
}

static int smallest(int a, int b, int c)
{
    int least = a < b ? a : b;
    return least < c ? least : c;
}

static bool same_letter(char a, char b)
{
    return hol_small_letter(a) == hol_small_letter(b);
}

/* Levenshtein distance, one row of the table at a time; capitals are as good as small letters. */
static int edit_distance(const char *a, const char *b)
{
    int row[LONGEST_NAME + 1];
    int length = (int)strlen(b);
    for (int j = 0; j <= length; ++j)
        row[j] = j;
    for (int i = 1; a[i - 1]; ++i) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= length; ++j) {
            int above = row[j];
            row[j] = smallest(above + 1, row[j - 1] + 1, diagonal + !same_letter(a[i - 1], b[j - 1]));
            diagonal = above;
        }
    }
    return row[length];
}

const char *hol_nearest_name(const char *given, const char *const *names)
{
    const char *nearest = NULL;
    if (!given || !names || strlen(given) > LONGEST_NAME)
        return NULL;
    int least = 1 + (int)strlen(given) / 2;
    for (int i = 0; names[i]; ++i) {
        int difference = abs((int)strlen(names[i]) - (int)strlen(given));
        bool is_far = strlen(names[i]) > LONGEST_NAME || difference >= least;
        int distance = is_far ? least : edit_distance(given, names[i]);
        if (distance < least) {
            least = distance;
            nearest = names[i];
        }
    }
    return nearest;
}
