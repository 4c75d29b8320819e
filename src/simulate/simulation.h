/* SPDX-License-Identifier: BSD-3-Clause */
/* A simulation, and the measures of its state. */
#ifndef HOLON_SIMULATE_SIMULATION_H
#define HOLON_SIMULATE_SIMULATION_H

#include "integrators/integrator.h"

#include <stdint.h>

/* The times at which the system jumps or has a kink (run/events.h). */
typedef struct HolBreakpoints {
    double last, next; /* passed, -HUGE_VAL: none; ahead, HUGE_VAL: none is known */
    double searched;   /* there is no other one up to this time */
    double pulse;      /* the longest step that resolves a pulse between the last one and the next */
    double longest;    /* the same of the present step, which resolves other functions of time, too */
    int crowded;       /* how many have followed each other closely */
    double *Phi, *nu;  /* before the one that is being passed, NULL: no row moves */
    double looked;     /* up to this time there is no jump of a prescribed motion as far as a bounded search shows */
    bool is_off_grid;  /* the present state is not at the end of one of the equal steps */
} HolBreakpoints;

/* Zero crossings of the event functions (run/events.h). */
typedef struct HolEvents {
    int count;                   /* of functions; 0: none */
    HolCrossing *start, *end;    /* at the accepted state, and at the end of the step */
    HolCrossing *before, *trial; /* at the end of a shorter one that does not reach the event; of one that is tried */
    HolCrossing *stage;          /* at a stage of the step under way */
    double certain;              /* up to this part of the step under way there is no other crossing */
    bool crosses;                /* a stage of it has another sign than the accepted state */
    bool are_located;            /* the step under way ends at an event */
    int recent;                  /* how many there were since `since` */
    double last;                 /* when the last one was located */
    double since, paused;        /* until `paused` none is located */
    HolEvent kept[HOL_MAX_EVENTS];
    int kept_count;
} HolEvents;

/* Jumps of prescribed velocities (run/impulses.h). */
typedef struct HolImpulses {
    struct HolKkt *kkt;
    double *dnu, *Lambda;   /* m: the jump of nu at the latest breakpoint, and its impulse */
    double *dv, *Mdv, *Ddv; /* nv, nv, m */
    HolImpulse kept[HOL_MAX_IMPULSES];
    int kept_count;
} HolImpulses;

/* The run under way, or the latest one (run/run.c). */
typedef struct HolRunState {
    bool is_known;          /* there was one */
    bool is_under_way;      /* hol_simulation_run() has not returned */
    double start, every;    /* of its records */
    long index;             /* of the next requested time, counted from the beginning of the run */
    double last;            /* time of the last record */
    double wall, processor; /* clocks up to which its summary counts */
} HolRunState;

/* What a saved simulation must agree with, as hashes (run/save.c). */
typedef struct HolIdentity {
    uint64_t system, method, start;
} HolIdentity;

struct HolSimulation {
    const HolSystem *system;
    HolArena *arena;
    HolWorkspace *work;
    HolRates *rates;
    const HolIntegratorKind *integrator;
    void *integrator_self;

    double *y, *ydot;               /* the accepted state and its derivative */
    double *y_old, *ydot_old;       /* the one before, for interpolation */
    double *y_new, *ydot_new;       /* the one being tried */
    double *y_middle, *ydot_middle; /* between the two steps of a restart (branch.h) */
    double t_old;
    HolState state;    /* what the user sees: a copy of y and of vdot, lambda */
    HolState recorded; /* the same at a recorded time between two steps */
    double *residual;  /* m */

    double step;   /* nominal */
    double next;   /* what an adaptive integrator wants to try next */
    double origin; /* fixed steps end at origin + count * step, so that times do not accumulate rounding */
    long count;

    struct HolProbe *probe;     /* automatic/fastest.h; NULL: the integrator has no stability limit */
    struct HolFastest *fastest; /* of the latest probe */
    bool is_too_stiff;          /* found at set-up or in the latest step: there will be no other */
    long next_probe;            /* the step count before which energy calls for no other */

    bool must_renew;     /* ydot belongs to the time before a breakpoint */
    bool has_new_inputs; /* or to the previous inputs */
    HolBreakpoints breakpoints;
    HolEvents events;
    HolImpulses *impulses; /* NULL: no group has any */
    bool is_recording;     /* the record function is being called */
    HolRunState run;
    HolIdentity identity;

    double energy_initial;
    double lowest_drift; /* so far */
    HolMeasures measures, measures_new;
    double best_pivot;            /* the largest so far */
    double singular_sine;         /* square root of the present pivot relative to that: the distance from singular */
    double singular_time;         /* when it extrapolates to zero; HUGE_VAL: not soon */
    bool singular_time_is_known;  /* the last two estimates of it agree */
    struct HolDetector *detector; /* singular/detector.h */
    struct HolSensitivity *sensitivity; /* run/sensitivity.h; NULL: not measured */
    struct HolEstimate *estimate;       /* run/estimate.h */
    struct HolResolution *resolution;   /* run/resolution.h; NULL: no functions of time */
    struct HolSwept *swept;             /* run/swept.h; NULL: no functions of the state */
    struct HolPath *path;               /* run/path.h; NULL: no redundant rows */
    struct HolConflict *conflict;       /* diagnosis/conflict.h; NULL: no prescribed motions that could contradict */
    HolBranchPolicy branch;             /* what to do where the branch changes */
    double run_end;                     /* of the step under way: it goes no further, HUGE_VAL: there is none */
    bool was_cut;                       /* an attempt of the latest step ended there */
    bool stopped_at_singularity;        /* the step failed because of HOL_BRANCH_STOP */
    bool is_crossing;                   /* y_new continues y_old, not y */
    HolSummary summary;
    double sum_position_sq, sum_velocity_sq, sum_acceleration_sq; /* integrals over time */
    HolMessage message;
};

/* The measures of the state at which the workspace is, with the rates' vdot; y contains its work. */
HolMeasures hol_measure(HolSimulation *s, const double *y);

/* HOL_NOT_FINITE and a sentence in the rates' message if they are not finite, or the power in ydot is not: a state that
 * cannot be measured is not accepted, even if its accelerations are finite. */
HolStatus hol_check_measures(HolSimulation *s, double t, const HolMeasures *measures, const double *ydot);

/* Copies (t, y) and the rates' vdot, lambda. */
void hol_state_fill(const HolRates *rates, double t, const double *y, HolState *state);

#endif
