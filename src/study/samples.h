/* SPDX-License-Identifier: BSD-3-Clause */
/* Coordinates and reactions of a run at evenly spaced times, to be laid beside those of another run. */
#ifndef HOLON_STUDY_SAMPLES_H
#define HOLON_STUDY_SAMPLES_H

#include <holon/mechanism.h>

#include "base/arena.h"

typedef struct HolSamples {
    const HolMechanism *mechanism;
    HolRecorder *recorder; /* of the reactions */
    int room, count;       /* times, the start included */
    int nq, reaction_count;
    const bool *is_unique; /* of each reaction column */
    double *q, *reactions; /* one row for each time */
    double *row;           /* of the recorder */
} HolSamples;

/* Arrays live in the arena; the rest until hol_samples_clear(). */
HolStatus hol_samples_create(HolArena *arena, const HolMechanism *mechanism, int count, HolSamples *samples);
void hol_samples_clear(HolSamples *samples);

/* Runs until then and samples on the way. */
HolStatus hol_samples_run(HolSamples *samples, HolSimulation *simulation, double until);

/* Largest difference of any number at any time; NAN if they have different times. */
double hol_samples_position_difference(const HolSamples *a, const HolSamples *b);
double hol_samples_reaction_difference(const HolSamples *a, const HolSamples *b);

#endif
