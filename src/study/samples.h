/* SPDX-License-Identifier: BSD-3-Clause */
/* Coordinates and reactions of a run at evenly spaced times, to be laid beside those of another run; and the largest
 * violation and drift in between. */
#ifndef HOLON_STUDY_SAMPLES_H
#define HOLON_STUDY_SAMPLES_H

#include <holon/compare.h>

#include "base/arena.h"

typedef struct HolSamples {
    const HolMechanism *mechanism;
    HolRecorder *recorder; /* of the reactions */
    int room, count;       /* times, the start included */
    int nq, reaction_count;
    double *q, *reactions;     /* one row for each time */
    double *row;               /* of the recorder */
    double *violation, *drift; /* HOL_COMPARE_PARTS each, or NULL: nobody wants them */
    /* Of the run that goes on: */
    const HolCompareOptions *options;
    const HolSimulation *simulation;
    double start, until;
} HolSamples;

/* Which columns of the reactions are unique, in the order of the recorder. */
HolStatus hol_samples_unique(HolArena *arena, const HolMechanism *mechanism, const bool **is_unique);

/* Arrays live in the arena; the rest until hol_samples_clear(). */
HolStatus hol_samples_create(HolArena *arena, const HolMechanism *mechanism, int count, HolSamples *samples);
void hol_samples_clear(HolSamples *samples);

/* Runs until then and samples on the way; options->watch may stop it. */
HolStatus hol_samples_run(HolSamples *samples, HolSimulation *simulation, double until,
                          const HolCompareOptions *options);

/* Largest difference of any number at any time; NAN if they have different times. */
double hol_samples_position_difference(const HolSamples *a, const HolSamples *b);
double hol_samples_reaction_difference(const HolSamples *a, const HolSamples *b, const bool *is_unique);

#endif
