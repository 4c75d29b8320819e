/* SPDX-License-Identifier: BSD-3-Clause */
/* What a recorder remembers of the states that it has read, saved and restored. */
#include "base/archive.h"
#include "base/message.h"
#include "mechanism/output/recorder.h"

static void recorder_archive(HolRecorder *r, HolArchive *archive)
{
    HOL_ARCHIVE_EACH(archive, &r->lost_at, &r->t);
    for (int b = 0; r->turned && b < r->mechanism->body_count; ++b)
        hol_archive_finite(archive, r->turned[b], 4);
    if (r->resolver)
        hol_resolver_archive(r->resolver, archive);
}

size_t hol_recorder_save_size(const HolRecorder *recorder)
{
    HolArchive archive = {.mode = HOL_ARCHIVE_MEASURE};
    if (recorder)
        recorder_archive((HolRecorder *)recorder, &archive); /* which changes nothing in this mode */
    return archive.at;
}

HolStatus hol_recorder_save(const HolRecorder *recorder, void *memory, size_t size)
{
    HolArchive archive = {.mode = HOL_ARCHIVE_WRITE, .to = memory, .size = size};
    if (!recorder || (!memory && size > 0) || size < hol_recorder_save_size(recorder))
        return HOL_BAD_INPUT;
    recorder_archive((HolRecorder *)recorder, &archive);
    return HOL_OK;
}

HolStatus hol_recorder_restore(HolRecorder *recorder, const void *memory, size_t size)
{
    HolArchive archive = {.mode = HOL_ARCHIVE_CHECK, .from = memory, .size = size};
    if (!recorder || (!memory && size > 0) || size != hol_recorder_save_size(recorder))
        return HOL_BAD_INPUT;
    recorder_archive(recorder, &archive);
    if (archive.failed)
        return HOL_BAD_INPUT;
    if (recorder->resolver)
        HOL_TRY(hol_resolver_reserve(recorder->resolver));
    archive = (HolArchive){.mode = HOL_ARCHIVE_READ, .from = memory, .size = size};
    recorder_archive(recorder, &archive);
    return HOL_OK;
}
