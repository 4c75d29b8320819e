/* SPDX-License-Identifier: BSD-3-Clause */
#include "mechanism/beams/section.h"

static const HolSectionKind *find_kind(HolBuilder *builder, const HolNode *node)
{
    const HolKind *choices[HOL_MOST_KINDS];
    int count = 0;
    for (; hol_section_kinds[count]; ++count)
        choices[count] = &hol_section_kinds[count]->kind;
    int index = hol_read_kind(builder->reader, node, "section", choices, count);
    return index < 0 ? NULL : hol_section_kinds[index];
}

HolSectionRead hol_section_read(HolBuilder *builder, const char *beam, const HolNode *node)
{
    HolSectionRead read = {NULL, hol_arena_alloc(builder->arena, HOL_LARGEST_VALUES)};
    HolPart part = {.what = "section of beam", .name = beam, .node = node};
    if (!read.values) {
        builder->failed = true;
        return read;
    }
    hol_reader_enter(builder->reader, part.what, part.name);
    const HolSectionKind *kind = find_kind(builder, node);
    if (kind && hol_read_part(builder->reader, &kind->kind, &part, read.values) &&
        (!kind->check || kind->check(builder, &part, read.values)))
        read.kind = kind;
    hol_reader_enter(builder->reader, "beam", beam);
    return read;
}
