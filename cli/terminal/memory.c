/* SPDX-License-Identifier: BSD-3-Clause */
#include "terminal/memory.h"

#include <holon/results.h>

#include "command.h"
#include "terminal/files.h"

#include <stdlib.h>

int cli_memory_write(FILE *memory, char **text, const size_t *size, const char *path)
{
    int code = EXIT_EARLY;
    if (hol_text_close(memory, text))
        code = cli_file_write(path, *text, *size);
    else
        cli_fail("not enough memory to write '%s'", path);
    free(*text);
    *text = NULL;
    return code;
}
