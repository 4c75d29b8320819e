/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/message.h"

#include "base/format.h"
#include "base/letters.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_NAME = 64 };

HolStatus hol_fail(HolMessage *message, HolStatus status, const char *format, ...)
{
    if (message) {
        va_list arguments;
        va_start(arguments, format);
        if (hol_vformat(message->text, sizeof message->text, format, arguments) < 0)
            hol_format(message->text, sizeof message->text, "%s", hol_status_cause(status));
        va_end(arguments);
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
