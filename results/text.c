/* SPDX-License-Identifier: BSD-3-Clause */
/* Streams into memory. Those of open_memstream() leave out what does not fit, without a word: neither ferror() nor
 * fclose() of the GNU library tells. */
#define _GNU_SOURCE /* fopencookie */
#include <holon/results.h>

#include <stdlib.h>
#include <string.h>

#ifdef __GLIBC__
typedef struct Text {
    char **text;
    size_t *size, room; /* with the byte 0 at the end */
} Text;

static ssize_t text_write(void *cookie, const char *bytes, size_t count)
{
    Text *t = cookie;
    if (count >= t->room - *t->size) {
        size_t room = 2 * t->room + count;
        char *larger = realloc(*t->text, room);
        if (!larger)
            return 0; /* an error of the stream */
        *t->text = larger;
        t->room = room;
    }
    memcpy(*t->text + *t->size, bytes, count);
    *t->size += count;
    (*t->text)[*t->size] = '\0';
    return (ssize_t)count;
}

/* Tells the position, which is the end. */
static int text_seek(void *cookie, off64_t *offset, int whence)
{
    const Text *t = cookie;
    if (*offset != 0 || whence != SEEK_CUR)
        return -1;
    *offset = (off64_t)*t->size;
    return 0;
}

static int text_close(void *cookie)
{
    free(cookie);
    return 0;
}

FILE *hol_text_open(char **text, size_t *size)
{
    enum { ROOM = 1 << 12 };
    if (!text || !size)
        return NULL;
    Text *t = malloc(sizeof *t);
    *text = calloc(1, ROOM);
    *size = 0;
    if (t && *text) {
        *t = (Text){text, size, ROOM};
        FILE *stream = fopencookie(t, "w", (cookie_io_functions_t){NULL, text_write, text_seek, text_close});
        if (stream)
            return stream;
    }
    free(t);
    free(*text);
    *text = NULL;
    return NULL;
}
#else
FILE *hol_text_open(char **text, size_t *size)
{
    return text && size ? open_memstream(text, size) : NULL;
}
#endif

bool hol_text_close(FILE *stream, char **text)
{
    bool is_complete = stream && !ferror(stream);
    is_complete = stream && fclose(stream) == 0 && is_complete && text && *text;
    if (!is_complete && text) {
        free(*text);
        *text = NULL;
    }
    return is_complete;
}
