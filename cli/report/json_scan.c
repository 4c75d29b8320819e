/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/json_scan.h"

#include <string.h>

enum { DEEPEST = 64 };

static const char *skip_blanks(const char *at)
{
    return at + strspn(at, " \t\r\n");
}

static int hex_value(char c)
{
    const char *digits = "0123456789abcdef", *found = strchr(digits, c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c);
    return c && found ? (int)(found - digits) : -1;
}

/* The code of the next character, escaped or not; *at moves behind it. -1: not allowed in a string. */
static long read_character(const char **at)
{
    static const char letters[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    const char *c = *at;
    if (*c != '\\') {
        ++*at;
        return (unsigned char)*c < 0x20 ? -1 : (unsigned char)*c;
    }
    const char *letter = c[1] ? strchr(letters, c[1]) : NULL;
    if (letter) {
        *at += 2;
        return (unsigned char)values[letter - letters];
    }
    long code = 0;
    for (int i = 0; i < 4; ++i) {
        int digit = c[1] == 'u' && (i == 0 || code >= 0) ? hex_value(c[2 + i]) : -1;
        code = digit < 0 ? -1 : 16 * code + digit;
        if (code < 0)
            return -1;
    }
    *at += 6;
    return 0x100 + code; /* apart from bytes */
}

/* The end of a string; NULL, here and below: not one. */
static const char *skip_string(const char *at)
{
    if (*at++ != '"')
        return NULL;
    while (*at != '"')
        if (read_character(&at) < 0)
            return NULL;
    return at + 1;
}

static const char *skip_digits(const char *at)
{
    size_t count = strspn(at, "0123456789");
    return count > 0 ? at + count : NULL;
}

static const char *skip_number(const char *at)
{
    at += *at == '-';
    at = *at == '0' ? at + 1 : skip_digits(at);
    if (at && *at == '.')
        at = skip_digits(at + 1);
    if (at && (*at == 'e' || *at == 'E')) {
        ++at;
        at += *at == '+' || *at == '-';
        at = skip_digits(at);
    }
    return at;
}

static const char *skip_word(const char *at)
{
    static const char *const words[] = {"true", "false", "null"};
    for (int i = 0; i < 3; ++i)
        if (strncmp(at, words[i], strlen(words[i])) == 0)
            return at + strlen(words[i]);
    return NULL;
}

static const char *skip_value(const char *at, int depth);

/* Skips an entry of a list; a member of an object begins with its key. */
static const char *skip_entry(const char *at, bool is_member, int depth)
{
    if (is_member) {
        at = skip_string(at);
        at = at ? skip_blanks(at) : NULL;
        if (!at || *at != ':')
            return NULL;
        at = skip_blanks(at + 1);
    }
    at = skip_value(at, depth);
    return at ? skip_blanks(at) : NULL;
}

static const char *skip_list(const char *at, int depth)
{
    bool is_object = *at == '{';
    char closing = is_object ? '}' : ']';
    at = skip_blanks(at + 1);
    if (*at == closing)
        return at + 1;
    for (;;) {
        at = skip_entry(at, is_object, depth);
        if (!at || (*at != ',' && *at != closing))
            return NULL;
        if (*at == closing)
            return at + 1;
        at = skip_blanks(at + 1);
    }
}

static const char *skip_value(const char *at, int depth)
{
    if (*at == '{' || *at == '[')
        return depth < DEEPEST ? skip_list(at, depth + 1) : NULL;
    if (*at == '"')
        return skip_string(at);
    return *at == '-' || (*at >= '0' && *at <= '9') ? skip_number(at) : skip_word(at);
}

bool cli_json_is_valid(const char *text)
{
    const char *end = skip_value(skip_blanks(text), 0);
    return end && !*skip_blanks(end);
}

const char *cli_json_first(const char *array)
{
    array = skip_blanks(array);
    if (*array != '[' && *array != '{')
        return NULL;
    const char *entry = skip_blanks(array + 1);
    return *entry == ']' || *entry == '}' ? NULL : entry;
}

const char *cli_json_next(const char *entry)
{
    const char *end = skip_value(entry, 0);
    end = end ? skip_blanks(end) : NULL;
    return end && *end == ',' ? skip_blanks(end + 1) : NULL;
}

size_t cli_json_length(const char *value)
{
    const char *end = skip_value(value, 0);
    return end ? (size_t)(end - value) : 0;
}

bool cli_json_is_text(const char *value, const char *text)
{
    if (!value || *value++ != '"')
        return false;
    for (; *value != '"'; ++text) {
        long code = read_character(&value);
        long plain = code >= 0x100 && code < 0x180 ? code - 0x100 : code; /* escapes of others are not written here */
        if (!*text || plain != (unsigned char)*text) /* an escaped NUL is not the end of the text */
            return false;
    }
    return *text == '\0';
}

const char *cli_json_member(const char *object, const char *key)
{
    object = skip_blanks(object);
    const char *member = *object == '{' ? cli_json_first(object) : NULL;
    while (member) {
        const char *value = skip_blanks(skip_blanks(skip_string(member)) + 1);
        if (cli_json_is_text(member, key))
            return value;
        member = cli_json_next(value);
    }
    return NULL;
}
