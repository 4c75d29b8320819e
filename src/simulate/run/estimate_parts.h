/* SPDX-License-Identifier: BSD-3-Clause */
/* What the probes of a run (estimate.c) and their summary (estimate_summary.c) share. */
#ifndef HOLON_SIMULATE_RUN_ESTIMATE_PARTS_H
#define HOLON_SIMULATE_RUN_ESTIMATE_PARTS_H

#include "simulate/simulation.h"

typedef enum HolProbeKind { PROBE_REGULAR, PROBE_EVENT, PROBE_WILD, PROBE_SHORT } HolProbeKind;

/* Errors of the coordinates and velocities. */
typedef struct HolErrors {
    double *q, *v; /* nq, nv */
} HolErrors;

typedef struct HolEstimate {
    bool is_explicit;     /* the integrator */
    double of_difference; /* e / d in (1) or (2) */
    double *q, *v;        /* the result of the other way */
    double t, h;          /* its time and its first step; t NAN: none is waiting */
    double *low, *high;   /* nq: of the positions so far */
    double *fastest;      /* nv: largest magnitudes so far */
    double range, speed;  /* of these, some steps ago */
    double interval, due; /* of the next probe at the latest; NAN: no run is under way */
    HolErrors here;       /* local errors at a probe */
    long steps;           /* of the run at the last probe */
    HolErrors e, sum;     /* local errors there, and (3) up to there */
    long count, failures; /* of probes */
    HolProbeKind kind;    /* of the probe that is waiting, or of the last one */
    long extra;           /* of probes other than regular ones, */
    long shorts;          /* but for those of shortened steps */

    bool is_first, is_full; /* the next step, or the next of full size, is the first one after an event: to be probed */
    long events;            /* since one of these probes */
    long event_steps;       /* of the run at the last event that was located */
    long unresolved;        /* of events that follow another one within a few steps */

    bool is_between; /* the probe that is waiting is of a step between two events */

    long short_steps; /* since one of them was probed */

    double change;    /* (4) of the wildest step so far */
    bool is_wild;     /* the next step is to be probed for that, */
    bool probes_wild; /* or is being probed */
    long wild_steps;  /* of about that change */
    long wild_probes;
    HolErrors e_wild, sum_wild; /* local errors there, and their sums over the less wild ones before */
} HolEstimate;

/* max_i |a_i - b_i|, rotations at the lever arm */
double hol_estimate_distance(const HolPattern *p, const double *a, const double *b);
/* The same of velocities. */
double hol_estimate_speed(const HolPattern *p, const double *v);

#endif
