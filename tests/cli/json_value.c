/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads JSON on stdin, strictly (RFC 8259), for the tests of the command:
 *
 *     json_value               exit code 0 if it is valid
 *     json_value joints.0.name prints that value: texts without quotes, "object 3" and "array 2" with their sizes
 *     json_value -keys PATH    prints the keys of that object in their order, one per line; PATH "" is the whole
 *
 * Exit code 1 if the path is not there, 2 if the text is not JSON. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 24, DEEPEST = 100, LONGEST_PATH = 1000 };

typedef struct Reader {
    const char *at;
    char path[LONGEST_PATH]; /* of the value that is being read */
    const char *wanted;      /* NULL: none */
    bool want_keys, found;
    int depth;
} Reader;

static void stop(const char *why, const char *at)
{
    fprintf(stderr, "json_value: %s at '%.20s'\n", why, at);
    exit(2);
}

static void skip_blanks(Reader *r)
{
    r->at += strspn(r->at, " \t\r\n");
}

static bool take(Reader *r, const char *text)
{
    size_t length = strlen(text);
    if (strncmp(r->at, text, length) != 0)
        return false;
    r->at += length;
    return true;
}

static void read_escape(Reader *r)
{
    ++r->at;
    if (*r->at == 'u') {
        if (strspn(r->at + 1, "0123456789abcdefABCDEF") < 4)
            stop("bad \\u", r->at);
        r->at += 4;
    } else if (!*r->at || !strchr("\"\\/bfnrt", *r->at))
        stop("bad escape", r->at);
    ++r->at;
}

static void read_string(Reader *r)
{
    if (!take(r, "\""))
        stop("a string was expected", r->at);
    while (*r->at != '"') {
        if ((unsigned char)*r->at < ' ')
            stop("bare control character or end", r->at);
        if (*r->at == '\\')
            read_escape(r);
        else
            ++r->at;
    }
    ++r->at;
}

static void read_digits(Reader *r)
{
    size_t count = strspn(r->at, "0123456789");
    if (count == 0)
        stop("a digit was expected", r->at);
    r->at += count;
}

static void read_number(Reader *r)
{
    take(r, "-");
    if (!take(r, "0"))
        read_digits(r);
    if (take(r, "."))
        read_digits(r);
    if (take(r, "e") || take(r, "E")) {
        if (!take(r, "+"))
            take(r, "-");
        read_digits(r);
    }
}

static void read_value(Reader *r);

/* The member of an object or array: its path is the parent's with one more part. */
static void read_member(Reader *r, const char *part, size_t length)
{
    size_t before = strlen(r->path);
    if (before + length + 2 > sizeof r->path)
        stop("too long a path", r->at);
    snprintf(r->path + before, sizeof r->path - before, "%s%.*s", before ? "." : "", (int)length, part);
    read_value(r);
    r->path[before] = '\0';
}

static int read_object(Reader *r)
{
    int count = 0;
    bool print = r->want_keys && r->wanted && strcmp(r->path, r->wanted) == 0;
    r->found = r->found || print;
    skip_blanks(r);
    if (take(r, "}"))
        return 0;
    do {
        skip_blanks(r);
        const char *key = r->at + 1;
        read_string(r);
        size_t length = (size_t)(r->at - key) - 1;
        if (print)
            printf("%.*s\n", (int)length, key);
        skip_blanks(r);
        if (!take(r, ":"))
            stop("':' was expected", r->at);
        read_member(r, key, length);
        ++count;
        skip_blanks(r);
    } while (take(r, ","));
    if (!take(r, "}"))
        stop("'}' was expected", r->at);
    return count;
}

static int read_array(Reader *r)
{
    int count = 0;
    skip_blanks(r);
    if (take(r, "]"))
        return 0;
    do {
        char index[20];
        snprintf(index, sizeof index, "%d", count++);
        read_member(r, index, strlen(index));
        skip_blanks(r);
    } while (take(r, ","));
    if (!take(r, "]"))
        stop("']' was expected", r->at);
    return count;
}

static void read_scalar(Reader *r)
{
    if (*r->at == '"')
        read_string(r);
    else if (!take(r, "true") && !take(r, "false") && !take(r, "null"))
        read_number(r);
}

static void read_value(Reader *r)
{
    skip_blanks(r);
    bool print = !r->want_keys && r->wanted && strcmp(r->path, r->wanted) == 0;
    const char *begin = r->at;
    if (++r->depth > DEEPEST)
        stop("too deep", r->at);
    if (take(r, "{")) {
        int count = read_object(r);
        if (print)
            printf("object %d\n", count);
    } else if (take(r, "[")) {
        int count = read_array(r);
        if (print)
            printf("array %d\n", count);
    } else {
        read_scalar(r);
        int quotes = *begin == '"';
        if (print)
            printf("%.*s\n", (int)(r->at - begin) - 2 * quotes, begin + quotes);
    }
    --r->depth;
    r->found = r->found || print;
}

int main(int argc, char **argv)
{
    char *text = calloc(1, MOST);
    if (!text || fread(text, 1, MOST - 1, stdin) == MOST - 1)
        stop("too much text", "");
    Reader r = {.at = text, .wanted = argc > 1 ? argv[argc - 1] : NULL, .want_keys = argc > 2};
    read_value(&r);
    skip_blanks(&r);
    if (*r.at)
        stop("more text after the value", r.at);
    free(text);
    return r.wanted && !r.found ? 1 : 0;
}
