/* SPDX-License-Identifier: BSD-3-Clause */
/* What the parts of a comparison share. */
#ifndef HOLON_STUDY_STUDY_H
#define HOLON_STUDY_STUDY_H

#include <holon/compare.h>

#include "base/arena.h"
#include "study/samples.h"

enum { HOL_STUDY_SAMPLES = 50, HOL_STUDY_HALVINGS = 4 /* runs, as announced */ };

/* Of one run, s; NAN if it failed. */
typedef struct HolTimes {
    double wall, processor;
} HolTimes;

typedef struct HolEntry {
    HolCompareRecord record;
    bool shown; /* false: lagrange where it was not asked for, in its block, to compare times with */
    HolSamples samples;
} HolEntry;

/* What is handed out: the public part first. */
typedef struct HolStudy {
    HolComparison shown;
    HolArena *arena;
    const HolMechanism *mechanism;
    const HolCompareOptions *options;
    HolEntry *entries;
    int entry_count;
    HolTimes *times; /* rounds x entry_count */
    HolSampler sampler;
    HolSamples reference, before; /* before: with twice its step, where steps are halved */
    int known_last;               /* coordinates it was checked against at the last known time */
    int done, all;                /* runs */
    bool is_measured;             /* all but the times */
} HolStudy;

/* Tells what comes next. */
HolStatus hol_study_announce(HolStudy *study, const char *what);
/* The progress function of runs nobody samples; user is the const HolCompareOptions. */
HolStatus hol_study_watch(void *user, double t);

/* combinations.c: the entries that the options ask for. */
HolStatus hol_study_list(HolStudy *study, HolMessage *message);

/* reference.c: two runs to the times of all samples, and a third against known values. Only lack of memory and a stop
 * are failures. */
HolStatus hol_study_reference(HolStudy *study);
/* direct-correction with dopri5 */
HolStatus hol_study_open_explicit(const HolStudy *study, const char *tolerance, HolSimulation **simulation,
                                  HolMessage *message);

/* stiffness.c: finds out whether the model is too stiff for explicit integrators. Only lack of memory and a stop are
 * failures. */
HolStatus hol_study_probe(HolStudy *study);
bool hol_study_is_stiff(double work, double explicit_step, double shortest_step);
double hol_study_shortest_step(const HolStudy *study); /* of the fixed ones that are compared; else the model's */
double hol_study_most_work(const HolStudy *study, const HolCompareRecord *record); /* 0: no limit */
/* Tells of a run that failed, or was given up, that stiffness is why. */
void hol_study_blame_stiffness(const HolStudy *study, HolCompareRecord *record);

/* halving.c: the reference of stiff models, by implicit runs to these times with smaller and smaller steps. */
HolStatus hol_study_halve(HolStudy *study, const HolSamples *times);
/* How far the last run is from the end of the sequence, by its last two changes; NAN: that shows no end. */
double hol_study_halving_error(double before, double last);
typedef struct HolHalving {
    double error;        /* the same of all coordinates; NAN: one that matters shows no end */
    double before, last; /* changes of that one, or else of the one that changes most */
} HolHalving;
typedef struct HolBounds {
    double rounding; /* changes of no more are no sequence */
    double missed;   /* what halving may not show: far less than that need not settle */
    double range;    /* of the motion */
} HolBounds;
HolHalving hol_study_judge_halving(const double *before, const double *last, int count, HolBounds bounds);

/* timing.c: runs everything again and again, and compares the times of the rounds that were completed. */
HolStatus hol_study_timing(HolStudy *study);
void hol_study_sort(double *x, int n); /* ascending */
/* Sorts them, too. quartiles: the lower one, the median, the upper one. */
void hol_study_quartiles(double *x, int n, double quartiles[3]);

/* judge.c: what follows from the numbers of one or two records. */
/* e ~ h^p; NAN where the reference, known to reference_error, cannot tell. */
double hol_study_order(const HolCompareRecord *coarse, const HolCompareRecord *fine, double reference_error);
/* Motion and energies are those of the reference. */
typedef struct HolScale {
    double range, kinetic, error; /* error: the reference's own */
} HolScale;
const char *hol_study_remark(const HolCompareRecord *record, const HolScale *scale);

#endif
