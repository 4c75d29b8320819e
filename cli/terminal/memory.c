/* SPDX-License-Identifier: BSD-3-Clause */
#include "terminal/memory.h"

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
