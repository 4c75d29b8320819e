/* SPDX-License-Identifier: BSD-3-Clause */
/* What the detector of singular configurations remembers of a run. */
#include "simulate/singular/detector.h"

static void archive_sample(HolDetectorSample *sample, const HolPattern *p, HolArchive *archive)
{
    HOL_ARCHIVE_EACH(archive, &sample->t, &sample->sine, &sample->drift, &sample->kinetic);
    HOL_ARCHIVE_BOOLS(archive, &sample->has_lost_acceleration, &sample->is_recovered, &sample->is_after_crossing,
                      &sample->has_passage);
    hol_archive_doubles(archive, sample->q, p->nq);
    hol_archive_doubles(archive, sample->v, p->nv);
    hol_archive_doubles(archive, sample->vdot, p->nv);
}

/* groups: how many there are to name. */
static void archive_passage(HolPassage *passage, int groups, const HolPattern *p, HolArchive *archive)
{
    HOL_ARCHIVE_EACH(archive, &passage->t, &passage->sine, &passage->sigma_min, &passage->cosine);
    HOL_ARCHIVE_BOOLS(archive, &passage->is_initial, &passage->changed_branch, &passage->energy_jump,
                      &passage->is_ambiguous, &passage->stopped, &passage->recovered, &passage->has_many_branches);
    hol_archive_int(archive, &passage->group, -1, groups - 1);
    for (int i = 0; i < 2; ++i)
        hol_archive_int(archive, &passage->blocks[i], -1, p->block_count - 1);
    hol_archive_int(archive, &passage->branch_taken, -1, 1);
}

static void archive_branches(HolBranches *branches, const HolPattern *p, HolArchive *archive)
{
    HOL_ARCHIVE_EACH(archive, &branches->t);
    HOL_ARCHIVE_BOOLS(archive, &branches->are_known);
    hol_archive_doubles(archive, branches->q, p->nq);
    for (int i = 0; i < 2; ++i)
        hol_archive_doubles(archive, branches->v[i], p->nv);
}

static void archive_critical(HolCritical *critical, HolArchive *archive)
{
    int kind = (int)critical->kind;
    hol_archive_int(archive, &kind, HOL_CRITICAL_NONE, HOL_CRITICAL_UNKNOWN);
    if (hol_archive_reads(archive))
        critical->kind = (HolCriticalKind)kind;
    HOL_ARCHIVE_EACH(archive, &critical->t, &critical->width, &critical->seen, &critical->distance, &critical->misfit,
                     &critical->residual);
}

/* The passages kept and their branches. Of these an index is at most the last of the list, known or not. */
static void archive_kept(HolDetector *w, HolArchive *archive)
{
    int count = hol_archive_count(archive, &w->count, HOL_MAX_PASSAGES);
    for (int i = 0; i < count; ++i) {
        archive_passage(&w->passages[i], w->pattern->group_count, w->pattern, archive);
        hol_archive_int(archive, &w->branches_index[i], -1, HOL_MAX_BRANCHES - 1);
    }
    count = hol_archive_count(archive, &w->branches_count, HOL_MAX_BRANCHES);
    for (int i = 0; i < count; ++i)
        archive_branches(&w->kept_branches[i], w->pattern, archive);
}

/* hol_smallest_singular() has memory for the rows that were redundant at the beginning. */
static void archive_rows(HolDetector *w, HolArchive *archive)
{
    int left_out = hol_archive_flags(archive, w->left_out, w->pattern->m, w->smallest->most_avoided - 1);
    if (hol_archive_reads(archive))
        w->left_out_count = left_out;
}

void hol_detector_archive(HolDetector *w, HolArchive *archive)
{
    const HolPattern *p = w->pattern;
    const int groups = p->group_count > 0 ? p->group_count : 1; /* 0 in a passage that has not been examined */
    long *const tallies[] = {&w->events, &w->changes, &w->jumps, &w->recoveries, &w->ambiguous};
    archive_rows(w, archive);
    hol_archive_int(archive, &w->sample_count, 0, HOL_DETECTOR_SAMPLES);
    for (int i = 0; i < HOL_DETECTOR_SAMPLES; ++i)
        archive_sample(&w->samples[i], p, archive);
    archive_sample(&w->initial, p, archive);
    archive_sample(&w->trial, p, archive);
    archive_passage(&w->passage, groups, p, archive);
    archive_passage(&w->initial_passage, groups, p, archive);
    HOL_ARCHIVE_BOOLS(archive, &w->began_singular, &w->initial_is_suspect, &w->has_passage, &w->is_repair);
    HOL_ARCHIVE_EACH(archive, &w->max_sine, &w->max_kinetic_energy, &w->critical_sine);
    archive_critical(&w->critical, archive);
    archive_branches(&w->branches, p, archive);
    archive_kept(w, archive);
    for (int i = 0; i < 5; ++i)
        hol_archive_tally(archive, tallies[i]);
}
