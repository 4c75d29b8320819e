/* SPDX-License-Identifier: BSD-3-Clause */
/* One model, many methods: every formulation with every integrator and step asked for, measured alike.
 *
 *     HolCompareOptions options = hol_compare_options();
 *     status = hol_compare(mechanism, &options, &comparison, &message);
 *     for (int i = 0; i < comparison->count; ++i) ... comparison->records[i] ...
 *     hol_comparison_destroy(comparison);
 *
 * Errors are differences from a reference run with tight error control, whose own error is estimated by a second one
 * and, where values from elsewhere are given, checked against those. Of models that are too stiff for that it is a run
 * by implicit steps, halved until little changes; values from elsewhere are not used then. Errors are looked at where
 * steps end, so that no interpolation enters them: the reference run is led to these times.
 *
 * Times are taken in rounds, each of which runs every combination once, and compared within a round, so that a busy
 * machine is unjust to all alike. Everything but the times is the same each time. */
#ifndef HOLON_COMPARE_H
#define HOLON_COMPARE_H

#include <holon/mechanism.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { HOL_COMPARE_PARTS = 64 /* of the time, in histories */, HOL_COMPARE_MOST_ROUNDS = 1000 };

/* What is named twice in a list counts once. */
typedef struct HolCompareOptions {
    const char *const *formulations; /* NULL: all there are */
    int formulation_count;
    const char *const *integrators; /* NULL: the model's, or a formulation's own where that does not fit it */
    int integrator_count;
    const double *steps; /* NULL: the model's. An adaptive integrator begins with the first and chooses the others */
    int step_count;
    double until; /* 0: the model's */
    int rounds;   /* of timing, at most HOL_COMPARE_MOST_ROUNDS */
    /* s: of a stiff model, no round is begun once the measuring runs and the rounds have taken so long; 0: no limit */
    double stiff_timing;
    /* Values to check the reference run against, or NULL: text of lines `t,quantity,value` with names of columns, as in
     * HolLibraryModel. Lines after a comment `# set: ...` or `# variant: ...` are of another model. */
    const char *known;
    /* Called before each run with what comes next; anything but HOL_OK ends the comparison with that status. */
    HolStatus (*progress)(void *user, const char *what, int done, int all);
    HolStatus (*watch)(void *user); /* the same after each step */
    /* Called at the start and after each step of the run that a record is measured by; its index in the comparison. */
    void (*observe)(void *user, int record, double t, const HolMeasures *measures);
    void *user;
} HolCompareOptions;

HolCompareOptions hol_compare_options(void); /* five rounds, everything else the model's */

/* One combination. Numbers that could not be had are NAN. */
typedef struct HolCompareRecord {
    const char *formulation, *integrator;
    const char *beside; /* the integrator that it is listed under: its own, or the model's where that does not fit */
    double step;
    int block;          /* records that were asked for with the same integrator and step have the same number */
    HolStatus status;   /* HOL_UNSUPPORTED: it does not apply; others: how its run ended */
    HolMessage message; /* why, if not HOL_OK */
    /* "far off" where a run came to its end and its numbers mean nothing; "too stiff" where it did not, since the model
     * is too stiff for its integrator; else "" */
    const char *remark;
    HolSummary summary;
    double position_error;      /* largest difference of a coordinate from the reference, at the sampled steps */
    double reaction_spread;     /* the same of reactions that are unique, N or N m */
    double order;               /* of the error, observed from the next larger step; NAN near the reference's own */
    double time_ratio;          /* of processor time to lagrange of the same block: median */
    double time_low, time_high; /* over the rounds, and quartiles */
    double processor_s;         /* median of the rounds; without rounds that of the measuring run */
    double wall_s;              /* fastest round; without rounds that of the measuring run */
    const double *violation;    /* HOL_COMPARE_PARTS: largest |Phi_i| in each part of the time, NAN if not reached */
    const double *drift;        /* the same of the energy's |drift| */
} HolCompareRecord;

typedef struct HolComparison {
    double until;
    int rounds;       /* of timing, that were completed */
    int sample_count; /* most times at which errors are looked at, after the start */
    /* Whether explicit integrators would need far more steps than are compared. The reference is then a run by implicit
     * steps that were halved until little changed; adaptive runs that would take too long are given up. */
    bool is_stiff;
    double explicit_step; /* s, of an explicit run with tight error control; NAN: not stiff */
    bool has_reference;
    double estimated_error; /* of the reference's coordinates: how far a run with ten times its tolerance differs; where
                               steps were halved, how far their limit is by the last two changes, and no less than
                               the range of the motion times the part of the energy in motion that steps pass by */
    double reference_step;  /* s, the longest where steps were halved; else NAN */
    double reaction_error;  /* where steps were halved: of unique reactions, by the last change; else NAN */
    int known_count;        /* values it was checked against, */
    double known_until;     /* up to this time, */
    double known_error;     /* and the largest difference from them */
    double reference_error; /* the smaller one of both if all coordinates are known at the end, else estimated */
    HolMessage reference;   /* how it was made, or why there is none */
    int count;
    const HolCompareRecord *records; /* by integrator, step, formulation */
} HolComparison;

/* The mechanism must be assembled. A combination that fails is a record, not a failure. The names of the options must
 * outlive the comparison. HOL_STOPPED while only times were still taken leaves a comparison with the rounds completed
 * so far; after any other failure *comparison is NULL. */
HolStatus hol_compare(const HolMechanism *mechanism, const HolCompareOptions *options, HolComparison **comparison,
                      HolMessage *message);
void hol_comparison_destroy(HolComparison *comparison);

/* A simulation with the methods and the step of a record, as the comparison ran it. */
HolStatus hol_compare_open(const HolMechanism *mechanism, const HolCompareRecord *record, HolSimulation **simulation,
                           HolMessage *message);

typedef enum HolCompareGoal { HOL_GOAL_POSITION, HOL_GOAL_ENERGY } HolCompareGoal;

/* Whether a run came to its end with a position error, the reference's own added, or an energy drift no larger. */
bool hol_comparison_reaches(const HolComparison *comparison, int index, HolCompareGoal goal, double most);
/* The index of the one that does with the least processor time, or -1. Left out are records that are far off and those
 * with the formulation and the integrator of record `except` (-1: none). */
int hol_comparison_fastest(const HolComparison *comparison, HolCompareGoal goal, double most, int except);

bool hol_compare_same_methods(const HolCompareRecord *a, const HolCompareRecord *b); /* formulation and integrator */
bool hol_compare_is_adaptive(const char *integrator); /* whether it chooses its steps itself */

/* Largest violation and drift in each part of the time of a run, for plots. */
typedef struct HolHistory {
    double start, until;
    double violation[HOL_COMPARE_PARTS], drift[HOL_COMPARE_PARTS]; /* NAN where there is none */
} HolHistory;

HolHistory hol_history_begin(double start, double until);
void hol_history_add(HolHistory *history, double t, const HolMeasures *measures);

#ifdef __cplusplus
}
#endif

#endif
