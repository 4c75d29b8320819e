/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/library.h"

#include "base/names.h"

#include <string.h>

int hol_library_count(void)
{
    return hol_library_model_count;
}

HolLibraryModel hol_library_model(int index)
{
    if (index < 0 || index >= hol_library_model_count)
        return (HolLibraryModel){NULL, NULL, NULL, NULL};
    return hol_library_models[index];
}

const HolLibraryModel *hol_library_find(const char *name)
{
    for (int i = 0; i < hol_library_model_count; ++i) {
        if (strcmp(hol_library_models[i].name, name) == 0)
            return &hol_library_models[i];
    }
    return NULL;
}

const char *hol_library_nearest(HolArena *arena, const char *name)
{
    HolNames *names = hol_names_create(arena);
    if (!names)
        return NULL;
    for (int i = 0; i < hol_library_model_count; ++i)
        hol_names_add(names, hol_library_models[i].name);
    return hol_names_nearest(names, name);
}
