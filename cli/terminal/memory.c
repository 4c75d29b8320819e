/* SPDX-License-Identifier: BSD-3-Clause */
#include "terminal/memory.h"

#include "command.h"
#include "terminal/files.h"

#include <stdlib.h>

bool cli_memory_close(FILE *memory, char **text)
{
    bool is_complete = memory && !ferror(memory);
    is_complete = memory && fclose(memory) == 0 && is_complete && *text;
    if (!is_complete) {
        free(*text);
        *text = NULL;
    }
    return is_complete;
}

int cli_memory_write(FILE *memory, char **text, const size_t *size, const char *path)
{
    int code = EXIT_EARLY;
    if (cli_memory_close(memory, text))
        code = cli_file_write(path, *text, *size);
    else
        cli_fail("not enough memory to write '%s'", path);
    free(*text);
    *text = NULL;
    return code;
}
