/* SPDX-License-Identifier: BSD-3-Clause */
/* The watch for singular configurations: where the rows of D lose rank, and the mechanism may go on in another way.
 *
 * What is watched is the size of the accepted states' smallest pivot, s = sqrt(pivot), the sine of the angle between a
 * row and the others. Near a singular configuration it is a multiple of the distance in time, |t - t*|, so that with a
 * sign that changes there it is a straight line. Three states in sequence whose sizes lie on such a line, falling and
 * then rising, are a passage; those that bend away before zero are not.                                          (1)
 *
 * Behind a passage the velocity should be what it was, continued by its acceleration:
 *
 *     v_c = v_0 + (t_2 - t_0) vdot_0,      cos = v_c . M v_2 / |v_c|_M |v_2|_M                                   (2)
 *
 * If it points elsewhere, the mechanism has changed its branch. */
#ifndef HOLON_SIMULATE_WATCH_H
#define HOLON_SIMULATE_WATCH_H

#include <holon/simulation.h>

#include "linalg/independent_rows.h"
#include "linalg/schur.h"
#include "system/workspace.h"

enum { HOL_WATCH_SAMPLES = 3 };

/* An accepted state. */
typedef struct HolWatchSample {
    double t, size, drift, kinetic;
    double *v, *vdot;
} HolWatchSample;

typedef struct HolWatch {
    const HolPattern *pattern;
    HolSchur *schur; /* D D^T, for formulations that do not tell about their pivots, and for names */
    HolRowChoice *rows;
    unsigned char *left_out; /* of it */
    int left_out_count;
    HolWatchSample samples[HOL_WATCH_SAMPLES]; /* oldest first */
    int sample_count;
    double largest; /* size that was met */
    HolPassage passages[HOL_MOST_PASSAGES];
    int count;   /* of the passages kept */
    long events; /* all of them */
    long changes, jumps;
    double *x, *y, *z; /* scratch: nv, m, nv */
} HolWatch;

/* Needs D and M of the start in the workspace. */
HolStatus hol_watch_create(HolArena *arena, HolWorkspace *work, HolWatch **watch);

/* After an accepted state that the workspace stands at, with D evaluated; pivot < 0 where the formulation does not tell
 * it. */
void hol_watch_look(HolWatch *watch, HolWorkspace *work, double pivot, const HolState *state,
                    const HolMeasures *measures);

#endif
