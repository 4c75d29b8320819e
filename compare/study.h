/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of a comparison, shared by its files. */
#ifndef HOLON_COMPARE_STUDY_H
#define HOLON_COMPARE_STUDY_H

#include <holon/compare.h>

#include "samples.h"

enum {
    HOL_STUDY_SAMPLES = 50,
    HOL_STUDY_HALVINGS = 4,
    HOL_STUDY_CONFIRMATIONS = 2 /* number of runs, for the progress, and one of IDA */
};

/* The times of one run in seconds; NAN if it failed. */
typedef struct HolTimes {
    double wall, processor;
} HolTimes;

typedef struct HolEntry {
    HolCompareRecord record;
    bool shown; /* false: lagrange, added to a block only to compare times with */
    HolSamples samples;
} HolEntry;

/* The comparison as the caller sees it comes first. */
typedef struct HolStudy {
    HolComparison result;
    HolPool pool;
    const HolMechanism *mechanism;
    const HolCompareOptions *options;
    HolEntry *entries;
    int entry_count;
    HolTimes *times; /* rounds x entry_count */
    HolSampler sampler;
    HolSamples reference, before; /* before: of an implicit reference, with twice its step */
    double reference_work;        /* of the run of the reference */
    int known_coordinates;        /* number of coordinates that are known at the last known time */
    int done, all;                /* runs */
    bool is_measured;             /* all but the times */
    bool is_sensitive;            /* the motion, so that there is no reference */
} HolStudy;

/* Calls the progress function with a description of the next run. */
HolStatus hol_study_announce(HolStudy *study, const char *what);
/* The progress function of runs without samples; user is the const HolCompareOptions. */
HolStatus hol_study_after_step(void *user, double t);

/* combinations.c: lists the entries of the options. */
HolStatus hol_study_list_combinations(HolStudy *study, HolMessage *message);

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
double hol_study_work_limit(const HolStudy *study, const HolCompareRecord *record); /* 0: no limit */
/* Adds stiffness as the reason to the record of an explicit run that failed or was given up. */
void hol_study_note_stiffness(const HolStudy *study, HolCompareRecord *record);

/* A formulation and an integrator with fixed steps; formulation NULL: IDA. */
typedef struct HolScheme {
    const char *formulation, *integrator, *title;
    HolSetting settings[2];
    int setting_count;
} HolScheme;
HolStatus hol_study_open_scheme(const HolStudy *study, const HolScheme *scheme, double step, HolSimulation **simulation,
                                HolMessage *message);

/* confirmation.c: checks the reference, which was made by this formulation, against other families of methods. Raises
 * its estimated error to the difference, or removes the reference where two differ grossly. */
double hol_study_gross(const HolSamples *samples); /* a difference of coordinates that is gross for this motion */
HolStatus hol_study_confirm(HolStudy *study, const HolSamples *times, const char *formulation, const char *method);

/* implicit_reference.c: the reference of stiff models, by implicit runs to these times with halved steps. */
HolStatus hol_study_implicit_reference(HolStudy *study, const HolSamples *times);
/* The distance of the last run from the limit of the sequence, by its last two changes; NAN: not converged. */
double hol_study_extrapolated_error(double before, double last);
typedef struct HolConvergence {
    double error;        /* the same for all coordinates; NAN: a relevant one has not converged */
    double before, last; /* changes of that coordinate, or of the one that changes most */
} HolConvergence;
typedef struct HolBounds {
    double rounding; /* smaller changes are no sequence */
    double missed;   /* error due to unresolved motion: far smaller changes need not converge */
    double range;    /* of the motion */
} HolBounds;
HolConvergence hol_study_convergence(const double *before, const double *last, int count, HolBounds bounds);

/* timing.c: runs all entries in rounds and compares the times of the completed rounds. */
HolStatus hol_study_timing(HolStudy *study);
void hol_study_sort(double *x, int n); /* ascending */
/* Sorts x. quartiles: the lower one, the median, the upper one. */
void hol_study_quartiles(double *x, int n, double quartiles[3]);

/* conclusions.c: from the numbers of one or two records. */
/* p of e ~ h^p; NAN where the errors are too close to that of the reference. */
double hol_study_order(const HolCompareRecord *coarse, const HolCompareRecord *fine, double reference_error);
/* Range, kinetic energy and error of the reference. */
typedef struct HolScale {
    double range, kinetic, error; /* error: the reference's own */
    double size;                  /* the largest coordinate, which rounding is relative to */
} HolScale;
const char *hol_study_remark(const HolCompareRecord *record, const HolScale *scale);
/* The motion is sensitive: no run is known to be good. */
HolVerdict hol_study_verdict(const HolCompareRecord *record, bool is_sensitive);

#endif
