/* SPDX-License-Identifier: BSD-3-Clause */
#include "mechanism/beams/sections/section.h"

HolSectionRead hol_section_read(HolBuilder *builder, const char *beam, const HolNode *node)
{
    HolSectionRead read = {NULL, hol_arena_alloc(builder->arena, HOL_LARGEST_VALUES)};
    HolPart part = {.what = "section of beam", .name = beam, .node = node};
    if (!read.values) {
        builder->failed = true;
        return read;
    }
    hol_reader_enter(builder->reader, part.what, part.name);
    const HolSectionKind *kind = (const void *)hol_read_kind(builder->reader, node, "section", hol_section_kinds);
    if (kind && hol_read_part(builder->reader, &kind->kind, &part, read.values) &&
        (!kind->check || kind->check(builder, &part, read.values)))
        read.kind = kind;
    hol_reader_enter(builder->reader, "beam", beam);
    return read;
}
