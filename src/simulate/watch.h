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
#include "linalg/smallest_singular.h"
#include "system/workspace.h"

enum { HOL_WATCH_SAMPLES = 3 };

/* A state. */
typedef struct HolWatchSample {
    double t, size, drift, kinetic;
    bool is_lost;                  /* the accelerations, to rounding (branch.h) */
    bool is_recovered, is_crossed; /* the run was helped here; and came here past the state before, */
    bool has_met;                  /* by a singular configuration */
    double *q, *v, *vdot;
} HolWatchSample;

/* The motions that are possible at a singular configuration (ways.h). */
typedef struct HolWays {
    double t;
    bool are_known;
    double *q;
    double *v[2]; /* as the run came, and the other one */
} HolWays;

enum { HOL_MOST_WAYS = 8 }; /* that are kept */

typedef struct HolWatch {
    const HolPattern *pattern;
    bool is_idle;    /* there is nothing to be met: no loops */
    HolSchur *schur; /* D D^T, for formulations that do not tell about their pivots, and for names */
    HolRowChoice *rows;
    unsigned char *left_out; /* of it */
    int left_out_count;
    HolWatchSample samples[HOL_WATCH_SAMPLES]; /* accepted, latest first */
    int sample_count;
    bool began_singular;
    HolWatchSample start;
    bool start_is_suspect; /* it may have been near a singular configuration, */
    HolPassage start_met;  /* which is this one */
    HolWatchSample trial;  /* the state that may be accepted next, */
    bool has_met;          /* and whether it has passed a singular configuration, */
    HolPassage met;        /* which is this one */
    double largest;        /* size that was met */
    double liveliest;      /* kinetic energy that was met */
    HolPassage passages[HOL_MOST_PASSAGES];
    int count;                         /* of the passages kept */
    HolWays ways;                      /* of the latest passage */
    HolWays kept_ways[HOL_MOST_WAYS];  /* of those that are told */
    int ways_index[HOL_MOST_PASSAGES]; /* into them, -1: not kept */
    int ways_count;
    HolSmallest *smallest;
    long events; /* all of them */
    long changes, jumps, recoveries;
    double *x, *y, *z, *way; /* scratch: nv, m, nv, nv */
} HolWatch;

/* Needs D and M of the start in the workspace. v: of the start as it was given; one that is off its rows may at once
 * be another in a formulation with a state of its own. */
HolStatus hol_watch_create(HolArena *arena, HolWorkspace *work, const double *v, HolWatch **watch);

/* Looks at a state that may be accepted, where the workspace stands with D and M evaluated. pivot < 0 where the
 * formulation does not tell it. The state is the trial until the next one is; nothing is kept. */
void hol_watch_try(HolWatch *watch, HolWorkspace *work, double pivot, const HolState *state,
                   const HolMeasures *measures);

/* The trial is accepted. */
void hol_watch_accept(HolWatch *watch, HolWorkspace *work);

/* The passage met by the trial happened, though the trial is refused. */
void hol_watch_refuse(HolWatch *watch, HolWorkspace *work);

/* Whether the trial shows that the start was next to a singular configuration, and that the way was lost there. */
bool hol_watch_has_lost_start(const HolWatch *watch);

/* D D^T of the rows that are watched. */
HolStatus hol_watch_factor(HolWatch *watch, const HolTerms *terms);

/* When the sizes of the latest samples come to zero, if they do so soon; NAN if not. */
double hol_watch_ahead(const HolWatch *watch);

/* sigma_min of HolMeasures. */
double hol_watch_sigma(HolWatch *watch, const HolTerms *terms);

/* The motion at time t as predicted from a sample and the one before it, which may be NULL: its velocity, and the way
 * since then, to be retracted. */
void hol_watch_predict(const HolWatch *watch, const HolWatchSample *one, const HolWatchSample *zero, double t,
                       double *v, double *way);

/* The sample before samples[index], or NULL. */
/* Whether the balance of energy has changed by more than a part of the kinetic energy. */
bool hol_watch_has_jumped(const HolWatch *watch, const HolWatchSample *before, const HolWatchSample *now);
const HolWatchSample *hol_watch_before(const HolWatch *watch, int index);

/* a . M b */
double hol_watch_product(HolWatch *watch, const HolTerms *terms, const double *a, const double *b);

#endif
