/* SPDX-License-Identifier: BSD-3-Clause */
/* Coordinates and reactions of a run at some of its steps, to be compared with those of another run.
 *
 * Nothing is interpolated. A measured run keeps the first step that ends at or after each of some equally spaced times;
 * the reference runs to the times of those steps. */
#ifndef HOLON_COMPARE_SAMPLES_H
#define HOLON_COMPARE_SAMPLES_H

#include <holon/compare.h>

#include "ida.h"
#include "support.h"
#include "unresolved.h"

typedef struct HolSamples {
    int room, count; /* times, the initial one included */
    int nq, reaction_count;
    double *t, *q, *reactions; /* ascending; one row for each time */
    double kinetic;            /* the largest, at these times */
    double unresolved;         /* of hol_sampler_divide(): mean energy of motion that its steps do not resolve */
} HolSamples;

/* Takes samples of one run after the other. */
typedef struct HolSampler {
    const HolCompareOptions *options;
    HolRecorder *recorder; /* of the reactions */
    int nq, reaction_count;
    double *row; /* of the recorder */
    HolUnresolved unresolved;
    /* Of the present run: */
    const HolSimulation *simulation;
    HolSamples *samples;
    HolHistory *history;
    double start, until;
    int record; /* index for observers, -1: none */
    int due;    /* index of the next evenly spaced time */
    /* Work is evaluations times coordinates, so that it is reproducible. A run ends with HOL_GIVEN_UP as soon as it is
     * expected to need more. 0: no limit. */
    double work_limit;
} HolSampler;

/* The least work from which the work of a whole run is extrapolated: a second at most. */
#define HOL_LEAST_WORK 5e5

double hol_work_done(const HolSimulation *simulation, int nq);
/* Of the whole run, extrapolated; 0 while too little is done. */
double hol_work_expected(const HolSimulation *simulation, int nq, double start, double until);

/* Arrays live in the pool; the rest until hol_sampler_clear(). options->after_step may stop the runs. */
HolStatus hol_sampler_create(HolPool *pool, const HolMechanism *mechanism, const HolCompareOptions *options,
                             HolSampler *sampler);
void hol_sampler_clear(HolSampler *sampler);
HolStatus hol_samples_create(HolPool *pool, const HolSampler *sampler, int room, HolSamples *samples);

/* Runs until then and calls the observer if it has a record. Samples as many steps as there is room for, and keeps the
 * history unless that is NULL. */
HolStatus hol_sampler_run(HolSampler *sampler, HolSimulation *simulation, double until, HolSamples *samples,
                          HolHistory *history);
/* Runs to each of these ascending times, of which the first is the initial one. */
HolStatus hol_sampler_follow(HolSampler *sampler, HolSimulation *simulation, const double *times, int count,
                             HolSamples *samples);
/* The same by IDA, without energies. */
HolStatus hol_sampler_follow_ida(HolSampler *sampler, HolIda *ida, const double *times, int count, HolSamples *samples);
/* The same with pieces[i] equal steps from times[i - 1] to times[i]. */
HolStatus hol_sampler_divide(HolSampler *sampler, HolSimulation *simulation, const HolSamples *times, const int *pieces,
                             HolSamples *samples);

/* Largest difference of any number at any time of a, b having these times among others. */
double hol_samples_position_difference(const HolSamples *a, const HolSamples *b);
double hol_samples_coordinate_difference(const HolSamples *a, const HolSamples *b, int coordinate);
double hol_samples_reaction_difference(const HolSamples *a, const HolSamples *b, const bool *is_unique);
/* The largest range of a coordinate. */
double hol_samples_range(const HolSamples *samples);
double hol_samples_largest(const HolSamples *samples); /* coordinate */

#endif
