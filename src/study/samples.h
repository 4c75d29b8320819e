/* SPDX-License-Identifier: BSD-3-Clause */
/* Coordinates and reactions of a run at some of its steps, to be laid beside those of another run.
 *
 * Nothing is interpolated. A run that is measured keeps the first step that ends at or after each of some evenly spaced
 * times; the run it is measured by is led to the times of those steps. */
#ifndef HOLON_STUDY_SAMPLES_H
#define HOLON_STUDY_SAMPLES_H

#include <holon/compare.h>

#include "base/arena.h"
#include "study/unresolved.h"

typedef struct HolSamples {
    int room, count; /* times, the start included */
    int nq, reaction_count;
    double *t, *q, *reactions; /* ascending; one row for each time */
    double kinetic;            /* the largest, at these times */
    double unresolved;         /* of hol_sampler_divide(): mean energy of motion that its steps do not follow */
} HolSamples;

/* Takes samples of one run after the other. */
typedef struct HolSampler {
    const HolCompareOptions *options;
    HolRecorder *recorder; /* of the reactions */
    int nq, reaction_count;
    double *row; /* of the recorder */
    HolUnresolved unresolved;
    /* Of the run that goes on: */
    const HolSimulation *simulation;
    HolSamples *samples;
    HolHistory *history;
    double start, until;
    int record; /* that observers are told of, -1: none */
    int due;    /* index of the next evenly spaced time */
    /* Work is evaluations times coordinates: told without a clock, it is the same each time. A run that would need more
     * ends with HOL_GIVEN_UP as soon as its pace shows it. 0: no limit. */
    double most_work;
} HolSampler;

/* What a run shows its pace by: a second at most. */
#define HOL_WORK_TO_TELL 5e5

double hol_work_done(const HolSimulation *simulation, int nq);
/* Of the whole run, at its pace so far; 0 while it is too early to tell. */
double hol_work_expected(const HolSimulation *simulation, int nq, double start, double until);

/* Arrays live in the arena; the rest until hol_sampler_clear(). options->watch may stop the runs. */
HolStatus hol_sampler_create(HolArena *arena, const HolMechanism *mechanism, const HolCompareOptions *options,
                             HolSampler *sampler);
void hol_sampler_clear(HolSampler *sampler);
HolStatus hol_samples_create(HolArena *arena, const HolSampler *sampler, int room, HolSamples *samples);

/* Runs until then, and tells observers if it has a record. Samples as many steps as there is room for, and keeps the
 * history (NULL: nobody wants it). */
HolStatus hol_sampler_run(HolSampler *sampler, HolSimulation *simulation, double until, HolSamples *samples,
                          HolHistory *history);
/* Runs to each of these times, which are ascending, the first one the start. */
HolStatus hol_sampler_follow(HolSampler *sampler, HolSimulation *simulation, const double *times, int count,
                             HolSamples *samples);
/* The same with steps of its own: pieces[i] of equal size lead from times[i - 1] to times[i]. */
HolStatus hol_sampler_divide(HolSampler *sampler, HolSimulation *simulation, const HolSamples *times, const int *pieces,
                             HolSamples *samples);

/* Largest difference of any number at any time of a, b having these times among others. */
double hol_samples_position_difference(const HolSamples *a, const HolSamples *b);
double hol_samples_coordinate_difference(const HolSamples *a, const HolSamples *b, int coordinate);
double hol_samples_reaction_difference(const HolSamples *a, const HolSamples *b, const bool *is_unique);
/* How far the coordinate that moves farthest does. */
double hol_samples_range(const HolSamples *samples);
double hol_samples_largest(const HolSamples *samples); /* coordinate */

#endif
